"""From a provider and a model to LangChain's model of it, or an error that says what is missing."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pathfinder.errors import MissingDependency, ProviderError
from pathfinder.models.providers import KEY_VARIABLES, SDK_ERRORS, imported

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel


def parts(name: str) -> tuple[str, str]:
    """The provider, as LangChain writes it, and the model of `provider:model`."""
    vendor, _, model = name.strip().partition(":")
    return vendor.replace("-", "_").lower(), model


def load_model(vendor: str, model: str, name: str, options: Mapping[str, Any]) -> "BaseChatModel":
    """LangChain's model; nothing is asked yet.

    Raises `MissingDependency` where the provider's package is not installed, and a `ProviderError` that calls it
    `name` where it cannot be set up.
    """
    try:
        from langchain.chat_models import init_chat_model

        loaded: BaseChatModel = init_chat_model(model, model_provider=vendor, **options)
    except ImportError as error:
        raise MissingDependency(_missing_package(name, error)) from error
    except imported(SDK_ERRORS, ValueError) as error:
        # The first line only: below it, a validation error quotes its input, and so the key.
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
