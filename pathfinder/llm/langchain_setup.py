"""Loads LangChain's model with a key and an address, or raises an error that says what is missing."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pathfinder.errors import MissingDependency, MissingKey, ProviderError
from pathfinder.llm.failures import NO_KEY
from pathfinder.llm.providers import KEY_OPTIONS, KEY_VARIABLES, SDK_ERRORS, imported_classes

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel


def parts(name: str) -> tuple[str, str]:
    """Split `provider:model` into the provider, spelled as in LangChain, and the model."""
    vendor, _, model = name.strip().partition(":")
    return vendor.replace("-", "_").lower(), model


@dataclass(frozen=True, slots=True)
class ProviderAccess:
    """The key and the address with which a provider is called."""

    vendor: str
    api_key: str | None = field(repr=False)
    base_url: str | None = field(repr=False)

    @property
    def key_variable(self) -> str:
        """Name of the environment variable for the key."""
        return KEY_VARIABLES.get(self.vendor, f"the key of {self.vendor}")

    @property
    def secrets(self) -> tuple[str, ...]:
        """Strings that must never appear in a message."""
        return tuple(filter(None, (self.api_key, urlsplit(self.base_url or "").password)))

    def options(self, name: str) -> dict[str, str]:
        """Return the key and the address of the model `name`, if set; the reader's own server may not need a key."""
        needs_key = self.vendor in KEY_VARIABLES
        if needs_key and not self.api_key and not self.base_url:
            raise MissingKey(f"no key is set for {name}: set {self.key_variable}, or choose another chat model")
        key = {KEY_OPTIONS.get(self.vendor, "api_key"): self.api_key or NO_KEY} if needs_key else {}
        return key | ({"base_url": self.base_url} if self.base_url else {})

    @property
    def is_without_tls(self) -> bool:
        """True for the reader's own server at an address without TLS, such as one on this machine."""
        return self.vendor == "openai" and (self.base_url or "").lower().startswith("http://")


def ignore_form_warning() -> None:
    """Silence LangChain's warning that a model does not support a required format: the model is then called again
    without one.
    """
    warnings.filterwarnings("ignore", message="This model does not support OpenAI's structured output")


def load_model(vendor: str, model: str, name: str, options: Mapping[str, Any]) -> "BaseChatModel":
    """Load LangChain's model without making a request.

    Raises `MissingDependency` if the provider's package is not installed, and a `ProviderError`, which refers to the
    model as `name`, if the model cannot be set up.
    """
    try:
        from langchain.chat_models import init_chat_model

        chat_model: BaseChatModel = init_chat_model(model, model_provider=vendor, **options)
    except ImportError as error:
        raise MissingDependency(_missing_package(name, error)) from error
    except imported_classes(SDK_ERRORS, ValueError) as error:
        # First line only: the rest of a validation error quotes its input, which includes the key.
        reason = str(error).partition("\n")[0].rstrip(".")
        raise ProviderError(
            f"{name} cannot be set up ({reason}): write provider:model with a provider that LangChain knows, "
            f"such as {', '.join(KEY_VARIABLES)}"
        ) from None
    return chat_model


def _missing_package(name: str, error: ImportError) -> str:
    module = getattr(error.__cause__, "name", None) or error.name or "langchain"
    package = module.partition(".")[0].replace("_", "-")
    return f"{name} needs a package that is not installed: pip install {package}"
