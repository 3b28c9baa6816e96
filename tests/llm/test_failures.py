from types import SimpleNamespace

import pytest

from pathfinder.errors import ProviderError, RateLimited, RejectedKey, Unreachable
from pathfinder.llm.providers import ModelProvider
from pathfinder.types.texts import MAX_QUOTE

PROVIDER = ModelProvider("openai:gpt-4o-mini", "OPENAI_API_KEY", ("sk-secret", "hush"))


def error_with(words="no", **attributes):
    error = RuntimeError(words)
    vars(error).update(attributes)
    return error


@pytest.mark.parametrize(
    ("attributes", "options", "kind"),
    [
        # The status is found wherever an SDK puts it.
        *(({name: 429}, {}, RateLimited) for name in ("status_code", "code")),
        ({"code": "rate_limit_exceeded", "status_code": 429}, {}, RateLimited),
        ({"response": SimpleNamespace(status_code=429)}, {}, RateLimited),
        # A status of the error goes before one from outside, and any before unreachable.
        ({"status_code": 401}, {"status": 429}, RejectedKey),
        ({}, {"status": 429}, RateLimited),
        ({"status_code": 401}, {"is_unreachable": True}, RejectedKey),
        ({}, {"is_unreachable": True}, Unreachable),
        ({}, {}, ProviderError),
    ],
)
def test_a_failure_is_told_by_its_status_or_as_unreachable(attributes, options, kind):
    assert type(PROVIDER.failure(error_with(**attributes), **{"is_unreachable": False, **options})) is kind


@pytest.mark.parametrize("status", [400, 404, 413, 429, 500, None])
def test_secrets_are_struck_out_and_the_rest_is_quoted_on_one_line(status):
    failure = PROVIDER.failure(error_with("key sk-secret\n at me:hush@host", status_code=status), is_unreachable=False)
    assert str(failure).endswith("(RuntimeError: key *** at me:***@host)")
    assert str(failure).startswith("openai:gpt-4o-mini ")


def test_of_a_rejected_key_nothing_is_quoted():
    failure = PROVIDER.failure(error_with("sk-sec*** is wrong", status_code=401), is_unreachable=False)
    assert str(failure) == "openai:gpt-4o-mini does not accept the key (HTTP 401): check OPENAI_API_KEY"


def test_of_a_failed_connection_the_first_cause_is_told():
    error = error_with("Connection error.")
    error.__cause__ = OSError("no route")
    error.__cause__.__cause__ = ConnectionRefusedError("connection refused")
    assert "(RuntimeError: connection refused)" in str(PROVIDER.failure(error, is_unreachable=True))


def test_a_reply_that_came_and_could_not_be_read_is_no_refusal():
    failure = PROVIDER.failure(error_with("no JSON", status_code=200), is_unreachable=False)
    assert "returned no usable reply" in str(failure)


def test_words_that_say_more_are_quoted_in_the_place_of_the_error_s_own():
    failure = PROVIDER.failure(error_with("headers", status_code=400), is_unreachable=False, words="no sk-secret")
    assert str(failure).endswith("(RuntimeError: no ***)")
    assert str(PROVIDER.failure(error_with("x" * 10_000), is_unreachable=False)).count("x") == MAX_QUOTE
