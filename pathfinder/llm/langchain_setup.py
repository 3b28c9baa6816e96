"""Loads LangChain's model for a provider and a model name, or raises an error that says what is missing."""

import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pathfinder.errors import MissingDependency, ProviderError
from pathfinder.llm.providers import KEY_VARIABLES, SDK_ERRORS, imported

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel


def parts(name: str) -> tuple[str, str]:
    """Split `provider:model` into the provider, spelled as in LangChain, and the model."""
    vendor, _, model = name.strip().partition(":")
    return vendor.replace("-", "_").lower(), model


def ignore_form_warning() -> None:
    """Silence LangChain's warning that a model does not support a form: the model is then asked again without one."""
    warnings.filterwarnings("ignore", message="This model does not support OpenAI's structured output")


def load_model(vendor: str, model: str, name: str, options: Mapping[str, Any]) -> "BaseChatModel":
    """Load LangChain's model without making a request.

    Raises `MissingDependency` if the provider's package is not installed, and a `ProviderError`, which refers to the
    model as `name`, if the model cannot be set up.
    """
    try:
        from langchain.chat_models import init_chat_model

        loaded: BaseChatModel = init_chat_model(model, model_provider=vendor, **options)
    except ImportError as error:
        raise MissingDependency(_missing_package(name, error)) from error
    except imported(SDK_ERRORS, ValueError) as error:
        # First line only: the rest of a validation error quotes its input, which includes the key.
        reason = str(error).partition("\n")[0].rstrip(".")
        raise ProviderError(
            f"{name} cannot be set up ({reason}): write provider:model with a provider that LangChain knows, "
            f"such as {', '.join(KEY_VARIABLES)}"
        ) from None
    return loaded


def _missing_package(name: str, error: ImportError) -> str:
    module = getattr(error.__cause__, "name", None) or error.name or "langchain"
    package = module.partition(".")[0].replace("_", "-")
    return f"{name} needs a package that is not installed: pip install {package}"
