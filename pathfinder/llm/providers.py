"""Facts about LangChain's providers: environment variables for their keys, errors raised by their packages, and reasons
why their replies end.
"""

import sys
from collections.abc import Iterable, Mapping
from typing import Any

from pathfinder.errors import ProviderError
from pathfinder.models.ports import ReplyForm

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
