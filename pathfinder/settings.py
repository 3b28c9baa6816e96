"""Settings of a process: its corpus, its models and its keys, in a single frozen object. Add-ons and packages declare
theirs in a class of their own.
"""

import os
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, overload

from pydantic import AfterValidator, AliasChoices, BeforeValidator, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from pathfinder.errors import UsageError

LOCAL_EMBEDDER = "local:all-MiniLM-L6-v2"

COHERE_RERANKERS = ("cohere:rerank-v3.5", "cohere:rerank-english-v3.0")
"""Cohere models named in advice and on pages, preferred one first; requests may name any other Cohere model."""

MIN_CONTEXT = 1024
"""Minimum size of a context in tokens: the instructions of some modes alone take 600."""

Permission: TypeAlias = Literal["files", "sources", "update"]
"""Something that visitors to a public page may do on the Corpus page: build from their files, build from sources on the
network, or update a corpus.
"""


Device: TypeAlias = Literal["cpu", "cuda"]
"""Device on which the local model embeds papers."""


def _split_at(separator: str) -> BeforeValidator:
    """Return a validator that splits a text into its parts; anything else stays as it is."""

    def split(value: Any) -> Any:
        return [part.strip() for part in value.split(separator) if part.strip()] if isinstance(value, str) else value

    return BeforeValidator(split)


def _home_expanded(path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError as error:
        raise ValueError(f"{path.parts[0]} is nobody's home folder here; write the whole path") from error


Minus: TypeAlias = Annotated[str, Field(pattern=r"^-\S+$")]
"""Name of what is switched off, with a minus before it."""

Key: TypeAlias = SecretStr | None
"""Key of a host."""

Folder: TypeAlias = Annotated[Path, AfterValidator(_home_expanded)]
"""Path in which ~ is the user's home: no shell reads a `.env` file."""


class EnvironmentSettings(BaseSettings):
    """Settings from the environment (`PATHFINDER_CORPUS=...`) and from a `.env` file in the working folder.

    An add-on or a package declares its own in such a class, whose fields begin with its name; `read_settings` reads it.
    """

    model_config = SettingsConfigDict(
        env_prefix="PATHFINDER_",
        env_file=".env",
        extra="ignore",
        frozen=True,
        populate_by_name=True,
        allow_inf_nan=False,
    )

    def __init__(self, **given: Any) -> None:
        """Take settings in Python before those of the environment. Raises `UsageError` for one that is not declared
        here, such as an add-on's, which nobody would read.
        """
        known: set[Any] = set(type(self).model_fields)
        for field in type(self).model_fields.values():
            known |= {*getattr(field.validation_alias, "choices", (field.validation_alias,))}
        if unknown := [name for name in given if name not in known and not name.startswith("_")]:
            variable = unknown[0] if unknown[0].isupper() else f"PATHFINDER_{unknown[0].upper()}"
            raise UsageError(
                f"{type(self).__name__} has no setting {unknown[0]!r}: an add-on or a package reads its own from "
                f"the environment or .env, as {variable}"
            )
        super().__init__(**given)

    @model_validator(mode="before")
    @classmethod
    def _without_empty(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Leave empty settings out, so that an environment variable can hide what a `.env` file says."""
        return {name: value for name, value in given.items() if value != ""}


class Settings(EnvironmentSettings):
    """The settings of Pathfinder itself.

    LangChain's packages read the keys of other providers from the environment themselves.
    """

    corpus: Folder | None = None
    """Folder of the corpus to open."""
    corpora: Annotated[tuple[Folder, ...], NoDecode, _split_at(os.pathsep)] = ()
    """Folders of other corpora to which the page can switch, or folders that hold such, separated as in PATH."""
    new_corpora: Folder | None = None
    """Folder in which the page builds corpora; `None` means `pathfinder` in the user's data folder."""
    data: Folder | None = None
    """Folder for readers' work, such as shelves; `None` means `pathfinder` in the user's data folder."""
    api_keys: Annotated[tuple[str, ...], NoDecode, _split_at(",")] = ()
    """SHA-256 digests of the keys with which other machines may call the API, separated by commas."""
    open: bool = False
    """True if anyone who can reach the API may call it without a key."""
    hosts: Annotated[tuple[str, ...], NoDecode, _split_at(",")] = ()
    """Names under which other machines reach the API, such as "pathfinder.example.org", separated by commas."""
    calls_per_minute: int = Field(default=60, ge=1)
    """Maximum number of calls per minute to a public API from each key or, without keys, from each address."""
    proxies: Annotated[tuple[str, ...], NoDecode, _split_at(",")] = ()
    """Addresses of the proxies that may say, in X-Forwarded-For, who is calling."""
    log: Literal["off", "json"] = "off"
    """Write a line of JSON to standard error for each call to the API: time, name, status and seconds."""
    keep_questions: bool = False
    """Write the questions to that log too."""
    moderation: Literal["off", "words", "openai"] = "off"
    """Refuse questions, and texts to be checked, that contain words from a list or that OpenAI's classifier flags (each
    question and text is then sent to OpenAI).
    """
    moderation_words: Folder | None = None
    """Text file that holds that list: one word or phrase per line."""
    visitors_may: Annotated[frozenset[Permission], NoDecode, _split_at(",")] = frozenset()
    """Things that visitors may do on the Corpus page, separated by commas: files, sources, update.

    None by default, to keep a public server safe: visitors see the corpora and switch among them. Whoever uses a page
    that is bound to loopback on this machine may do everything.
    """
    visitors_max_corpora: int = Field(default=5, ge=1)
    """Number of corpora that one visitor to a public page may have at a time."""
    visitors_max_gb: float = Field(default=20.0, gt=0)
    """Disk space in GB (1e9 bytes) for all visitors' corpora together; once it is used up, no visitor can build."""
    visitors_keep_days: int = Field(default=30, ge=1, le=36_500)
    """Number of days after which a visitor's corpus is deleted if nobody opens it."""
    build_memory_gb: float | None = Field(default=None, gt=0, le=1_000_000)
    """Memory in GB (1e9 bytes of address space) that a build or an update may use, on the page and on the command line;
    `None` sets no limit. Files that are mapped into memory count too: a large corpus needs more than its models.
    """
    unpacked_gb: float = Field(default=20.0, gt=0)
    """Size in GB (1e9 bytes) to which a gzipped source file may unpack; a larger one is refused."""
    embedder: str | None = None
    """Embedder for building a corpus, as `vendor:model`, such as `onnx:ORG/NAME`; `None` means the model that ships
    with Pathfinder. An existing corpus names its own.
    """
    device: Device = "cpu"
    """Device on which the local model embeds papers; "cuda" needs the extra `pathfinder[gpu]`."""
    chat_model: str | None = None
    """Chat model as `provider:model`, named as in LangChain's `init_chat_model`; if `None`, answers are extractive."""
    chat_base_url: str | None = None
    """Custom address for the chat provider, such as that of a proxy or a local server."""
    chat_timeout_seconds: float = Field(default=60.0, gt=0, le=86_400)
    """Timeout in seconds for each attempt to call the chat model, and for the gap between two chunks of its reply."""
    chat_counts_tokens: bool = True
    """Ask the provider `openai` to count tokens while it streams; some compatible servers reject this request."""
    chat_price_in: float | None = Field(default=None, ge=0)
    """US dollars per million input tokens of the chat model; if `None`, no price is shown."""
    chat_price_out: float | None = Field(default=None, ge=0)
    """US dollars per million output tokens of the chat model."""
    chat_budget_tokens: int = Field(default=100_000, gt=0, le=10_000_000)
    """Maximum number of tokens, input and output, for a question, or for a single call that has no budget of its own,
    such as a consensus or a route; answers have their own budget. The setting itself may be at most 10,000,000.
    """
    chat_context: int | None = Field(default=None, ge=MIN_CONTEXT)
    """Number of tokens that the chat model can read and write at once; papers are cut to fit. `None` means no limit.
    """
    visitors_choose_addresses: bool = False
    """Let visitors who enter their own chat model also enter its address.

    Off by default, to keep a public server safe: otherwise it would call any address, including machines on its own
    network.
    """
    evaluate_paths: bool = False
    """Let visitors type paths on the Evaluate page for the server to read, and run methods that cost money.

    Off by default, to keep a public server safe: visitors evaluate on the open corpus, with methods that are free.
    """
    live: str = ""
    """Live sources that visitors to a page may switch on, separated by commas, such as "arxiv,openalex".

    None by default, to keep a public server safe: otherwise it would query them from its own address, with its own
    keys, for every visitor. Whoever uses a page that is bound to loopback on this machine may switch them all on.
    """
    live_seconds: float = Field(default=2.0, gt=0, le=60)
    """Time in seconds that a search waits for all live sources together."""
    plugins: Literal["on", "off"] = "on"
    """Let other installed packages add readers, models, answer modes, ranking factors and map layers."""
    addons: Annotated[frozenset[Minus], NoDecode, _split_at(",")] = frozenset()
    """Add-ons and packages to leave out, each with a minus, separated by commas: "-timeline,-network"."""
    contact: str | None = None
    """Email or web address of whoever runs Pathfinder, sent to every source of papers with each request."""
    cache: Folder | None = None
    """Folder for pages fetched from sources, and for the times of the last request to each source; `None` means
    `pathfinder` in the user's cache folder.
    """
    arxiv_url: str | None = None
    """Alternative address of arXiv's search API, for a mirror or a test. The next settings do the same for other
    sources.
    """
    oai_url: str | None = None
    openalex_url: str | None = None
    crossref_url: str | None = None
    ads_url: str | None = None
    zotero_url: str | None = None
    zotero_local_url: str | None = None
    hf_url: str | None = None
    uat_url: str | None = None
    retractions_url: str | None = None
    semantic_scholar_url: str | None = None
    web_search_url: str | None = None
    """Address of a web search that answers in JSON, such as "https://search.example/search?format=json"."""
    web_search_parameter: str = "q"
    """The parameter in that address that carries the question."""
    web_search_list: str = "results"
    """Field of the reply that holds the list of pages; dots reach into nested objects: "web.results"."""
    web_search_title: str = "title"
    """Field of each page that holds its title; here and in the next two settings, dots reach into nested objects."""
    web_search_text: str = "content"
    web_search_address: str = "url"
    web_search_key: Key = None
    """Key for the web search, sent unchanged in the header that `web_search_key_header` names."""
    web_search_key_header: str = "Authorization"
    ads_api_token: Key = Field(default=None, validation_alias=AliasChoices("ADS_API_TOKEN", "ADS_DEV_KEY"))
    """ADS token, read under either name: the second is used by the `ads` and `astroquery` packages."""
    hf_token: Key = Field(default=None, validation_alias="HF_TOKEN")
    """Hugging Face token, for data sets that are private or gated."""
    zotero_api_key: Key = Field(default=None, validation_alias="ZOTERO_API_KEY")
    openai_api_key: Key = Field(default=None, validation_alias="OPENAI_API_KEY")
    openai_base_url: str | None = Field(default=None, validation_alias="OPENAI_BASE_URL")
    cohere_api_key: Key = Field(default=None, validation_alias=AliasChoices("COHERE_API_KEY", "CO_API_KEY"))
    """Cohere key, read under either name: the first is used by LangChain, the second by Cohere."""
    cohere_base_url: str | None = Field(default=None, validation_alias="CO_API_URL")
    semantic_scholar_api_key: Key = Field(default=None, validation_alias="SEMANTIC_SCHOLAR_API_KEY")
    openalex_api_key: Key = Field(default=None, validation_alias="OPENALEX_API_KEY")
    exa_api_key: Key = Field(default=None, validation_alias="EXA_API_KEY")
    """Exa key. It is declared here because 0.1.0 promised `Settings(EXA_API_KEY=...)`."""


S = TypeVar("S", bound=EnvironmentSettings)


def user_data_folder() -> Path:
    """Return the folder `pathfinder` in the user's data folder."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "pathfinder"


@overload
def read_settings() -> Settings: ...
@overload
def read_settings(kind: type[S]) -> S: ...
def read_settings(kind: type[EnvironmentSettings] = Settings) -> EnvironmentSettings:
    """Return the settings of this process, by default Pathfinder's own, read again whenever its environment or `.env`
    has changed. Raises `UsageError` if one of them is invalid.
    """
    return _read(kind, tuple(os.environ.items()), Path.cwd(), _last_change(Path(".env")))


def _last_change(file: Path) -> tuple[int, int]:
    try:
        status = file.stat()
    except OSError:  # `Settings` says what is wrong with a file that is there
        return 0, 0
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=8)
def _read(
    kind: type[EnvironmentSettings],
    environment: tuple[tuple[str, str], ...],  # noqa: ARG001
    folder: Path,
    env_file: tuple[int, int],  # noqa: ARG001
) -> EnvironmentSettings:
    try:
        return kind()
    except ValidationError as error:
        first = error.errors()[0]
        reason = first["msg"].removeprefix("Value error, ")
        raise UsageError(
            f"the setting {first['loc'][0]} in the environment or .env is {str(first['input'])[:80]!a}: {reason}"
        ) from error
    except (UnicodeDecodeError, OSError) as error:
        raise UsageError(f"the file .env in {folder} cannot be read: {error}; save it as UTF-8") from error


def installed_version(otherwise: str = "not installed") -> str:
    """Return the version of this program, such as "0.2.0", or `otherwise` if it is not installed."""
    try:
        return version("pathfinder")
    except PackageNotFoundError:
        return otherwise
