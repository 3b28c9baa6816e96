"""Facts about LangChain's providers: environment variables for their keys, errors raised by their packages, and reasons
why their replies end.
"""

import http.client
import sys
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from socket import SHUT_RDWR, socket
from threading import Timer
from typing import Any
from urllib.parse import quote

from pydantic import TypeAdapter

from pathfinder.errors import ProviderError, RateLimited, RejectedKey, Unreachable
from pathfinder.models.ports import ReplyForm
from pathfinder.text.strict_json import parse_as
from pathfinder.types.texts import one_line

KEY_VARIABLES = {
    "anthropic": "ANTHROPIC_API_KEY",
    "cohere": "COHERE_API_KEY",
    "deepseek": "DEEPSEEK_API_KEY",
    "fireworks": "FIREWORKS_API_KEY",
    "google_genai": "GOOGLE_API_KEY",
    "groq": "GROQ_API_KEY",
    "mistralai": "MISTRAL_API_KEY",
    "openai": "OPENAI_API_KEY",
    "openrouter": "OPENROUTER_API_KEY",
    "perplexity": "PPLX_API_KEY",
    "together": "TOGETHER_API_KEY",
    "xai": "XAI_API_KEY",
}
"""The environment variable of each provider that needs one key and nothing else."""

KEY_OPTIONS = {"cohere": "cohere_api_key"}
"""Option for passing the key to a provider's package, if it is not `api_key`: a package ignores an option that it does
not know, and would use the key in the server's environment instead.
"""

SDK_ERRORS = (
    "langchain_core.exceptions:ModelError",
    "anthropic:AnthropicError",
    "botocore.exceptions:BotoCoreError",
    "botocore.exceptions:ClientError",
    "cohere.core.api_error:ApiError",
    "cohere.core.parse_error:ParsingError",
    "google.genai.errors:APIError",
    "groq:GroqError",
    "httpx:HTTPError",
    "httpx2:HTTPError",
    "ollama:ResponseError",
    "openai:OpenAIError",
    "requests:RequestException",
)
"""Errors raised by the providers' packages, as `module:class`."""

UNREACHABLE_ERRORS = (
    "langchain_core.exceptions:ModelConnectionError",
    "langchain_core.exceptions:ModelTimeoutError",
    "anthropic:APIConnectionError",
    "groq:APIConnectionError",
    "httpx:TransportError",
    "httpx2:TransportError",
    "openai:APIConnectionError",
    "requests:ConnectionError",
    "requests:Timeout",
)
"""Errors meaning that no reply was received."""

TOO_LONG_ERRORS = ("langchain_core.exceptions:ContextOverflowError",)
"""Errors meaning that the prompt exceeds the model's context length."""

TOO_LONG_WORDS = (
    "context_length_exceeded",
    "exceed_context_size",
    "available context size",
    "maximum context length",
    "prompt is too long",
)
"""Codes and phrases with which OpenAI, llama.cpp, vLLM and Anthropic report that a prompt is too long."""

FORM_REFUSALS = (400, 404, 415, 422, 500, 501)
"""HTTP statuses with which servers reject a required format."""
FORM_WORDS = ("response_format", "json_schema", "response format", "structured output", "grammar", "unsupportedparam")
"""Lower-case words in an error message that show that the required format was the reason."""

STATUS_OF_ERROR = {
    "langchain_core.exceptions:ModelInvalidRequestError": 400,
    "langchain_core.exceptions:ModelAuthenticationError": 401,
    "langchain_core.exceptions:ModelPermissionDeniedError": 403,
    "langchain_core.exceptions:ModelNotFoundError": 404,
    "langchain_core.exceptions:ModelRateLimitError": 429,
    "langchain_core.exceptions:ModelAPIError": 500,
}
"""HTTP status for each of LangChain's error classes; some packages raise them without the status."""

ADDRESS_ENDS = ("BASE_URL", "API_BASE", "API_BASE_URL", "API_URL", "API_HOST", "PROXY")
"""Suffixes of the variables that redirect a provider's package to another address, such as `OPENAI_API_BASE`."""

END_FIELDS = ("finish_reason", "stop_reason", "done_reason", "status")
"""Fields of a reply's metadata in which the provider gives the reason why the reply ended."""

CUT_SHORT = {
    "length": "it reached its length limit",
    "max_tokens": "it reached its length limit",
    "incomplete": "it reached its length limit",
    "content_filter": "the provider's filter withheld the rest",
    "safety": "the provider's filter withheld the rest",
    "refusal": "the model refused to continue",
}
"""Reasons, in lower case, meaning that the reply was cut short."""

LENGTH_ENDS = ("length", "max_tokens", "incomplete")
"""Reasons that are not an error if a maximum length was requested."""

LENGTH_OPTIONS = {"huggingface": "max_new_tokens", "ollama": "num_predict"}
"""Option for passing the maximum length of a reply to a provider's package, if it is not `max_tokens`."""


def patience(vendor: str, timeout_seconds: float, max_retries: int) -> dict[str, Any]:
    """Return the options that limit how long a provider's package waits. The two options that most packages take are
    always included, because a package ignores options that it does not know; a package that differs gets its own
    options as well.
    """
    own: dict[str, Any] = {}
    if vendor == "ollama":
        own = {"client_kwargs": {"timeout": timeout_seconds}}
    elif vendor == "cohere":
        own = {"timeout_seconds": timeout_seconds}
    elif vendor == "openrouter":
        own = {"timeout": round(1000 * timeout_seconds)}
    return {"timeout": timeout_seconds, "max_retries": max_retries} | own


def addresses_set(vendor: str, environment: Mapping[str, str]) -> list[str]:
    """List the environment variables set on this machine that redirect a provider's calls to another address."""
    prefix = KEY_VARIABLES[vendor].removesuffix("_API_KEY")
    return [name for end in ADDRESS_ENDS if environment.get(name := f"{prefix}_{end}")]


def sampling(vendor: str, temperature: float | None, max_tokens: int | None) -> dict[str, float]:
    """Return the options for sampling and for the length of a reply, without those that are `None`."""
    options = {"temperature": temperature, LENGTH_OPTIONS.get(vendor, "max_tokens"): max_tokens}
    return {name: value for name, value in options.items() if value is not None}


def form_options(vendor: str, form: ReplyForm) -> dict[str, Any]:
    """Return the options that must be added to a call so that the provider makes its model keep to `form`; empty if
    none are known.

    `openai` stands for OpenAI itself and for every compatible server: llama.cpp, vLLM, LM Studio, Ollama.
    """
    schema = dict(form.schema)
    if vendor == "ollama":
        return {"format": schema}
    if vendor != "openai":
        return {}
    # The strict variant supports only part of JSON Schema, and refuses requests that use the rest.
    json_schema = {"name": form.name, "schema": schema, "strict": False}
    return {"extra_body": {"response_format": {"type": "json_schema", "json_schema": json_schema}}}


def refuses_form(error: ProviderError) -> bool:
    """Return whether `error` means that the server or the model cannot keep to a required format."""
    words = str(error).lower()
    return error.status in FORM_REFUSALS and any(word in words for word in FORM_WORDS)


def imported_classes(names: Iterable[str], *others: type[Exception]) -> tuple[type[Exception], ...]:
    """Return those of the classes named `module:class` that are already imported, and `others`, for use in an `except`
    clause.

    A class that nothing has imported cannot have been raised.
    """
    pairs = (name.split(":") for name in names)
    classes = (getattr(sys.modules.get(module), class_name, None) for module, class_name in pairs)
    return (*others, *(error_class for error_class in classes if error_class is not None))


def is_too_long(error: Exception) -> bool:
    """Return whether `error` means that the prompt exceeds the model's context length."""
    words = f"{getattr(error, 'code', '')} {error}"
    return isinstance(error, imported_classes(TOO_LONG_ERRORS)) or any(phrase in words for phrase in TOO_LONG_WORDS)


def status_of(error: Exception) -> int | None:
    """Return the HTTP status that the class of `error` stands for, if any."""
    return next(
        (status for name, status in STATUS_OF_ERROR.items() if isinstance(error, imported_classes([name]))), None
    )


# Turns a provider SDK's exception into one of Pathfinder's errors, which says which provider and model failed, what
# happened, and what to do.

NO_KEY = "no-key-needed"
"""Placeholder key sent, if no key is set, to a server whose address the reader chose: most local servers accept any
key.
"""

UNREADABLE_ERRORS = (AttributeError, KeyError, RecursionError, TypeError, ValueError)
"""Errors raised by a provider's package when a reply does not have the expected form."""


@dataclass(frozen=True, slots=True)
class ModelProvider:
    """The provider of a model, and the secrets that must not appear in any message."""

    name: str
    """`vendor:model`."""
    key_variable: str
    """Environment variable that holds the provider's key, such as `OPENAI_API_KEY`."""
    secrets: tuple[str, ...] = ()
    """Strings that must never appear in a message."""

    def failure(
        self, error: Exception, *, is_unreachable: bool, status: int | None = None, words: str | None = None
    ) -> ProviderError:
        """Make the error to raise for an SDK's exception. `status` is used if the SDK's error has none, and `words` are
        quoted if they say more than the SDK's own message.

        Raise it with `from None`: an SDK's own message may contain the key.
        """
        # Most packages call the status `status_code`, Google's calls it `code`, and httpx nests it. One below 400
        # belongs to a reply that could not be read.
        holders = (error, getattr(error, "response", None))
        values = [getattr(holder, name, None) for holder in holders for name in ("status_code", "code")]
        status = next((value for value in values if isinstance(value, int) and value >= 400), status)
        if status is not None:
            refusal = self._refusal(status, self._quote(error, words or str(error)))
            refusal.status = status
            return refusal
        if is_unreachable:
            root: BaseException = error
            while root.__cause__ is not None:  # "connection refused" says more than "Connection error."
                root = root.__cause__
            quotation = self._quote(error, str(root))
            return Unreachable(f"{self.name} does not answer: check the network and the address{quotation}")
        quotation = self._quote(error, words or str(error))
        return ProviderError(f"{self.name} returned no usable reply: ask again, or choose another model{quotation}")

    def too_long(self, error: Exception) -> ProviderError:
        """Make the error for a prompt that exceeds the model's context length."""
        return ProviderError(
            f"{self.name} cannot read that much at once: ask for fewer papers, or choose a model with a longer context"
            f"{self._quote(error, str(error))}"
        )

    def _refusal(self, status: int, quotation: str) -> ProviderError:
        if status in (401, 403):
            return RejectedKey(f"{self.name} does not accept the key (HTTP {status}): check {self.key_variable}")
        if status == 429:
            return RateLimited(
                f"{self.name} asked us to slow down (HTTP 429): wait a minute, or check the quota{quotation}"
            )
        if status == 404:
            return ProviderError(f"{self.name} was not found (HTTP 404): check the model's name and address{quotation}")
        remedy = "try again later" if status >= 500 else "check the model's name and settings"
        return ProviderError(f"{self.name} failed with HTTP {status}: {remedy}{quotation}")

    def _quote(self, error: Exception, words: str) -> str:
        words = " ".join(words.split())
        for secret in self.secrets:
            words = words.replace(secret, "***").replace(quote(secret, safe=""), "***")
        return f" ({type(error).__name__}: {one_line(words)})"


# Finds chat servers on this machine at the ports that they use by default: Ollama, llama.cpp, LM Studio, vLLM.

HOST = "127.0.0.1"
SECONDS = 0.3
"""Time limits in seconds for a server to accept a connection and to answer; on the same machine, both take
milliseconds.
"""
PROGRAMS = {"Ollama": 11434, "llama.cpp": 8080, "LM Studio": 1234, "vLLM": 8000}
"""Programs, each with its documented port; other programs may listen there too."""
MAX_BYTES = 1_000_000
MAX_MODELS = 50
MAX_NAME = 200


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A server that answered, and its models."""

    program: str
    """Program that uses this port by default."""
    base_url: str
    models: tuple[str, ...]


@dataclass(frozen=True)
class _Model:
    id: str


@dataclass(frozen=True)
class _Models:
    data: tuple[_Model, ...]


def find_local_servers(
    programs: Sequence[tuple[str, int]] = tuple(PROGRAMS.items()), seconds: float = SECONDS
) -> tuple[LocalServer, ...]:
    """Ask all ports of `programs` on this machine at once which models are served there; return the servers that list
    any.

    Nothing is sent except the request for this list. A program that does not answer within `seconds` and in the
    expected form is not taken for a chat server.
    """
    with ThreadPoolExecutor(len(programs) or 1) as pool:
        servers = pool.map(lambda entry: _server(entry[0], entry[1], seconds), programs)
        return tuple(server for server in servers if server is not None)


def _server(program: str, port: int, seconds: float) -> LocalServer | None:
    connection, end = http.client.HTTPConnection(HOST, port, timeout=seconds), None
    try:
        connection.connect()
        end = Timer(seconds, shut_down, (connection.sock,))  # for a server whose answer trickles in
        end.start()
        connection.request("GET", "/v1/models", headers={"Accept": "application/json"})
        response = connection.getresponse()
        content = response.read(MAX_BYTES) if response.status == http.client.OK else b""
        names = [model.id for model in parse_as(TypeAdapter(_Models), content).data]
    except (OSError, http.client.HTTPException, ValueError):
        return None
    finally:
        if end is not None:
            end.cancel()
        connection.close()
    names = [name for name in names if 0 < len(name) <= MAX_NAME and name.isprintable()][:MAX_MODELS]
    return LocalServer(program, f"http://{HOST}:{port}/v1", tuple(names)) if names else None


def shut_down(connection: socket) -> None:
    """End a connection, so that whoever reads from it stops; it may have been closed in the meantime."""
    with suppress(OSError):
        connection.shutdown(SHUT_RDWR)
