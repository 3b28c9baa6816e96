import pytest
from langchain_core import exceptions

from pathfinder.llm.providers import SDK_ERRORS, UNREACHABLE_ERRORS, imported_classes, patience, sampling, status_of


def test_a_class_whose_module_nobody_imported_is_left_out():
    names = ["a_module_that_is_not_there:Error", "langchain_core.exceptions:ModelError", "langchain_core:NoSuchClass"]
    assert imported_classes(names, OSError) == (OSError, exceptions.ModelError)


def test_what_is_unreachable_is_an_error_of_an_sdk():
    import httpx
    import openai  # noqa: F401 - so that its classes are known

    assert issubclass(httpx.ReadTimeout, imported_classes(UNREACHABLE_ERRORS))
    assert len(imported_classes(UNREACHABLE_ERRORS)) >= 4
    assert all(issubclass(error, imported_classes(SDK_ERRORS)) for error in imported_classes(UNREACHABLE_ERRORS))


@pytest.mark.parametrize(
    ("error_class", "status"),
    [
        (exceptions.ModelAuthenticationError, 401),
        (exceptions.ModelPermissionDeniedError, 403),
        (exceptions.ModelNotFoundError, 404),
        (exceptions.ModelRateLimitError, 429),
        (exceptions.ModelAPIError, 500),
        (exceptions.ModelTimeoutError, None),
        (ValueError, None),
    ],
)
def test_langchains_classes_stand_for_a_status(error_class, status):
    assert status_of(error_class("no")) == status


def test_every_package_is_told_how_long_to_wait_in_its_own_words():
    common = {"timeout": 7.0, "max_retries": 2}
    assert patience("openai", 7.0, 2) == common
    assert patience("cohere", 7.0, 2) == common | {"timeout_seconds": 7.0}
    assert patience("openrouter", 7.5, 2) == common | {"timeout": 7500}  # milliseconds
    assert patience("ollama", 7.0, 2) == common | {"client_kwargs": {"timeout": 7.0}}


def test_settings_are_called_what_the_providers_package_calls_them():
    assert sampling("openai", 0.5, 250) == {"temperature": 0.5, "max_tokens": 250}
    assert sampling("ollama", 0.0, 250) == {"temperature": 0.0, "num_predict": 250}
    assert sampling("openai", None, None) == {}
