"""Which corpus, which models, which keys: one frozen object, read when it is asked for."""

from pathlib import Path

from pydantic import AliasChoices, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from pathfinder.errors import UsageError

LOCAL_EMBEDDER = "local:all-MiniLM-L6-v2"


class Settings(BaseSettings):
    """Read from the environment (`PATHFINDER_CORPUS=...`) and a `.env` file in the working folder.

    Keys of other providers are read from the environment by their own LangChain packages.
    """

    model_config = SettingsConfigDict(
        env_prefix="PATHFINDER_", env_file=".env", extra="ignore", frozen=True, populate_by_name=True
    )

    corpus: Path | None = None
    """Folder of the corpus to open."""
    embedder: str | None = None
    """`vendor:model` for building; `None`: the model that ships with Pathfinder. A corpus names its own."""
    chat_model: str | None = None
    """`provider:model` as LangChain's `init_chat_model` knows it; `None`: answers are extractive."""
    chat_base_url: str | None = None
    """Another address for the chat provider: a proxy, a local server."""
    chat_timeout_seconds: float = Field(default=60.0, gt=0)
    """For each try, and between two pieces of a reply."""
    chat_counts_tokens: bool = True
    """Whether the provider `openai` is asked to count tokens while it streams; some servers that speak like it refuse
    the question."""
    chat_price_in: float | None = Field(default=None, ge=0)
    """US dollars for a million tokens that the chat model reads; `None`: no price is shown."""
    chat_price_out: float | None = Field(default=None, ge=0)
    """US dollars for a million tokens that it writes."""
    chat_budget_tokens: int = Field(default=100_000, gt=0)
    """Read and written for one search, one consensus or one route; an answer has a budget of its own."""
    visitors_choose_addresses: bool = False
    """Whether visitors who type a chat model of their own may also type its address.

    Off, as a server for strangers needs it: it would ask whatever they name, the machines beside it included.
    """
    evaluate_paths: bool = False
    """Whether the Evaluate page reads paths that its visitors type, and runs methods that someone pays for.

    Off, as a server for strangers needs it: they evaluate on the open corpus, by methods that cost nothing.
    """
    openai_api_key: SecretStr | None = Field(default=None, validation_alias="OPENAI_API_KEY")
    openai_base_url: str | None = Field(default=None, validation_alias="OPENAI_BASE_URL")
    cohere_api_key: SecretStr | None = Field(
        default=None, validation_alias=AliasChoices("COHERE_API_KEY", "CO_API_KEY")
    )
    """Under either name: the first is LangChain's, the second Cohere's own."""
    cohere_base_url: str | None = Field(default=None, validation_alias="CO_API_URL")
    semantic_scholar_api_key: SecretStr | None = Field(default=None, validation_alias="SEMANTIC_SCHOLAR_API_KEY")
    openalex_api_key: SecretStr | None = Field(default=None, validation_alias="OPENALEX_API_KEY")
    exa_api_key: SecretStr | None = Field(default=None, validation_alias="EXA_API_KEY")
    """This one and the two before it are for the comparison of providers, and for nothing else."""


def read_settings() -> Settings:
    """The settings of this process. Raises `UsageError` for one that cannot be what it says."""
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        raise UsageError(f"the setting {first['loc'][0]} in the environment or .env: {first['msg']}") from error
