"""What is known of the providers that LangChain speaks to: where their keys are, what their packages raise, how
their replies end."""

import sys
from collections.abc import Iterable, Mapping
from typing import Any

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
"""The environment variable of each provider that wants one key and nothing else."""

KEY_OPTIONS = {"cohere": "cohere_api_key"}
"""What a provider's package calls the key, where it is not `api_key`: an option that it does not know it leaves out,
and takes the server's own key instead."""

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
"""What providers' packages raise, as `module:class`."""

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
"""Those that mean: no answer came."""

TOO_LONG_ERRORS = ("langchain_core.exceptions:ContextOverflowError",)
"""Those that mean: the prompt is longer than the model can read."""

TOO_LONG_WORDS = ("context_length_exceeded", "exceed_context_size", "maximum context length", "prompt is too long")
"""How OpenAI, llama.cpp, vLLM and Anthropic say so, in a code or in words."""

STATUS_OF_ERROR = {
    "langchain_core.exceptions:ModelInvalidRequestError": 400,
    "langchain_core.exceptions:ModelAuthenticationError": 401,
    "langchain_core.exceptions:ModelPermissionDeniedError": 403,
    "langchain_core.exceptions:ModelNotFoundError": 404,
    "langchain_core.exceptions:ModelRateLimitError": 429,
    "langchain_core.exceptions:ModelAPIError": 500,
}
"""The HTTP status that LangChain means by a class; some packages raise it without saying the number."""

ADDRESS_ENDS = ("BASE_URL", "API_BASE", "API_BASE_URL", "API_URL", "API_HOST", "PROXY")
"""How the names of variables end by which providers' packages are sent elsewhere, as in `OPENAI_API_BASE`."""

END_FIELDS = ("finish_reason", "stop_reason", "done_reason", "status")
"""Where, in the metadata of the last chunk of a reply, its provider says why it ends."""

CUT_SHORT = {
    "length": "it reached its length limit",
    "max_tokens": "it reached its length limit",
    "incomplete": "it reached its length limit",
    "content_filter": "the provider's filter withheld the rest",
    "safety": "the provider's filter withheld the rest",
    "refusal": "the model refused to go on",
}
"""The reasons, in lower case, that leave a reply without its end."""

LENGTH_ENDS = ("length", "max_tokens", "incomplete")
"""Those of them that are no fault where a length was asked for."""

LENGTH_OPTIONS = {"huggingface": "max_new_tokens", "ollama": "num_predict"}
"""What a provider's package calls the length of a reply, where it is not `max_tokens`."""


def patience(vendor: str, timeout_seconds: float, max_retries: int) -> dict[str, Any]:
    """The options that bound how long a provider's package waits. Most take the same two; those of the others come on
    top, because a package leaves out what it does not know."""
    own: dict[str, Any] = {}
    if vendor == "ollama":
        own = {"client_kwargs": {"timeout": timeout_seconds}}
    elif vendor == "cohere":
        own = {"timeout_seconds": timeout_seconds}
    elif vendor == "openrouter":
        own = {"timeout": round(1000 * timeout_seconds)}
    return {"timeout": timeout_seconds, "max_retries": max_retries} | own


def addresses_set(vendor: str, environment: Mapping[str, str]) -> list[str]:
    """The variables by which the machine sends calls to a provider somewhere else than to the provider."""
    prefix = KEY_VARIABLES[vendor].removesuffix("_API_KEY")
    return [name for end in ADDRESS_ENDS if environment.get(name := f"{prefix}_{end}")]


def sampling(vendor: str, temperature: float | None, max_tokens: int | None) -> dict[str, float]:
    """The options that say how a reply is drawn and how long it may be, those that are `None` left out."""
    options = {"temperature": temperature, LENGTH_OPTIONS.get(vendor, "max_tokens"): max_tokens}
    return {name: value for name, value in options.items() if value is not None}


def imported(names: Iterable[str], *others: type[Exception]) -> tuple[type[Exception], ...]:
    """The classes called `module:class` whose modules are loaded, and `others`: what an `except` can name.

    A class that nothing has imported cannot have been raised.
    """
    pairs = (name.split(":") for name in names)
    found = (getattr(sys.modules.get(module), class_name, None) for module, class_name in pairs)
    return (*others, *(one for one in found if one is not None))


def is_too_long(error: Exception) -> bool:
    """Whether `error` says that the prompt is longer than the model can read."""
    words = f"{getattr(error, 'code', '')} {error}"
    return isinstance(error, imported(TOO_LONG_ERRORS)) or any(phrase in words for phrase in TOO_LONG_WORDS)


def status_of(error: Exception) -> int | None:
    """The HTTP status that the class of `error` stands for, if it stands for one."""
    return next((status for name, status in STATUS_OF_ERROR.items() if isinstance(error, imported([name]))), None)
