import socket
import traceback
from dataclasses import replace

import pytest

from pathfinder.errors import (
    BrokenStream,
    MissingDependency,
    MissingKey,
    ProviderError,
    RateLimited,
    RejectedKey,
    TimeSpent,
    Unreachable,
)
from pathfinder.llm.langchain_chat import MAX_RETRIES, chat_from_settings, langchain_chat
from pathfinder.llm.providers import NO_KEY
from pathfinder.llm.stopping import drain
from pathfinder.settings import Settings
from tests.wire import Fails, Hangs, Replies, Says, Wire

NAME = "openai:gpt-4o-mini"
KEY = "sk-a-key-that-must-not-be-seen"


def ask(*plan, key=KEY, timeout_seconds=20.0):
    """What the reader got, what was raised, and what the server was asked."""
    with Wire(*plan) as wire:
        chat = langchain_chat(NAME, api_key=key, base_url=wire.url, timeout_seconds=timeout_seconds)
        pieces, error = read(chat)
        return pieces, error, wire.received


def read(chat, **settings):
    pieces, raised = [], None
    try:
        pieces.extend(chat.stream("Be brief.", "Why are discs warm?", **settings))
    except (ProviderError, MissingDependency) as error:
        raised = error
    if raised is not None:
        assert KEY not in "".join(traceback.format_exception(raised))
        assert "\n" not in str(raised)
        assert chat.name in str(raised)
    return pieces, raised


def asked_with(act, name=NAME, **settings):
    """The same, with settings."""
    with Wire(act) as wire:
        chat = langchain_chat(name, api_key=KEY, base_url=wire.url, timeout_seconds=20)
        return *read(chat, **settings), wire.received


def replies_to(act):
    """What a call with a length took, as the model tells."""
    with Wire(act) as wire:
        chat = langchain_chat(NAME, api_key=KEY, base_url=wire.url, timeout_seconds=20)
        return drain(chat.stream("Be brief.", "What?", max_tokens=250))


def in_time(chat, begins, ends):
    """The same model, whose replies must begin and end within so many seconds."""
    return replace(chat, send=lambda request: chat.send(replace(request, begins=begins, ends=ends)))


# How long it is waited for ----------------------------------------------------------------------------


@pytest.mark.parametrize("act", [Hangs(), Says("Warm", then="hang")])
def test_a_model_is_waited_for_no_longer_than_it_was_told_whatever_it_does(act):
    with Wire(act) as wire:
        chat = langchain_chat(NAME, api_key=KEY, base_url=wire.url, timeout_seconds=600.0)
        _, error = read(in_time(chat, 0.3, 0.4))
    assert type(error) is TimeSpent
    assert str(error).startswith(f"{NAME} did not finish in the 0.3 s left for it: allow more time")


def test_a_reply_that_has_begun_may_run_over():
    with Wire(Says("Warm ", "discs", pause=0.2)) as wire:
        chat = langchain_chat(NAME, api_key=KEY, base_url=wire.url, timeout_seconds=20.0)
        read(chat)  # the provider's package is loaded
        assert read(in_time(chat, 5.0, 20.0)) == (["Warm ", "discs"], None)


# Before anything is asked ---------------------------------------------------------------------------


def test_without_a_key_nothing_is_asked():
    pieces, error = read(langchain_chat(NAME))
    assert (pieces, type(error)) == ([], MissingKey)
    assert str(error) == f"no key is set for {NAME}: set OPENAI_API_KEY, or choose another chat model"


@pytest.mark.parametrize("name", ["", "gpt-4o-mini", "openai:", ":gpt-4o-mini"])
def test_a_name_without_provider_or_model_is_refused_with_an_example(name):
    _, error = read(langchain_chat(name, api_key=KEY))
    assert type(error) is ProviderError
    assert "write provider:model, such as openai:gpt-4o-mini" in str(error)


def test_an_unknown_provider_is_refused_with_some_that_are_known():
    _, error = read(langchain_chat("oracle:delphi"))
    assert type(error) is ProviderError
    assert "oracle" in str(error)
    assert "anthropic, " in str(error)


def test_a_provider_whose_package_is_not_installed_is_named_with_the_command_that_brings_it():
    # LangChain knows it; its package is among neither our dependencies nor theirs.
    _, error = read(langchain_chat("upstage:solar"))
    assert type(error) is MissingDependency
    assert str(error).endswith("pip install langchain-upstage")


# What can go wrong ----------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [401, 403])
def test_a_key_that_is_not_accepted_is_said_to_be_so_at_once(status):
    pieces, error, requests = ask(Fails(status, f"Incorrect API key provided: {KEY}"))
    assert (pieces, type(error), len(requests)) == ([], RejectedKey, 1)
    assert "check OPENAI_API_KEY" in str(error)


@pytest.mark.parametrize(
    ("status", "kind", "remedy"), [(429, RateLimited, "check the quota"), (500, ProviderError, "try again later")]
)
def test_a_passing_failure_is_tried_again_before_it_is_told(status, kind, remedy):
    pieces, error, requests = ask(Fails(status, f"no luck with {KEY}"))
    assert (pieces, type(error), len(requests)) == ([], kind, 1 + MAX_RETRIES)
    assert f"HTTP {status}" in str(error)
    assert remedy in str(error)
    assert "no luck with ***" in str(error)


def test_a_failure_that_passes_is_never_seen():
    assert ask(Fails(429), Fails(500), Says("Warm."))[:2] == (["Warm."], None)


@pytest.mark.parametrize(("status", "remedy"), [(400, "check the model's name"), (404, "was not found")])
def test_a_request_that_is_refused_is_not_repeated(status, remedy):
    _, error, requests = ask(Fails(status, "no such model"))
    assert (type(error), len(requests)) == (ProviderError, 1)
    assert remedy in str(error)
    assert "no such model" in str(error)


@pytest.mark.parametrize(
    ("message", "code"),
    [("too much", "context_length_exceeded"), ("the model's maximum context length is 8192 tokens", "BadRequestError")],
)
def test_a_prompt_that_is_too_long_is_told_with_a_way_out(message, code):
    _, error, requests = ask(Fails(400, message, code))
    assert (type(error), len(requests)) == (ProviderError, 1)
    assert str(error).startswith(f"{NAME} cannot read that much at once: ask for fewer papers, or choose a model with")


def test_no_answer_in_time_is_unreachable():
    pieces, error, requests = ask(Hangs(), timeout_seconds=0.5)
    assert (pieces, type(error), len(requests)) == ([], Unreachable, 1 + MAX_RETRIES)


def test_a_refused_connection_is_unreachable_and_a_password_in_the_address_is_not_shown():
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://me:hush@127.0.0.1:{closed.getsockname()[1]}/v1"
        _, error = read(langchain_chat(NAME, api_key=KEY, base_url=url))
    assert type(error) is Unreachable
    assert "refused" in str(error)
    assert "hush" not in str(error)


@pytest.mark.parametrize("then", ["stop", "close", "reset", "hang", "garbage", "error"])
def test_a_reply_that_breaks_off_keeps_what_had_come(then):
    pieces, error, requests = ask(Says("Warm ", "discs", then=then), timeout_seconds=1)
    assert (pieces, type(error), len(requests)) == (["Warm ", "discs"], BrokenStream, 1)
    assert error.partial_reply == error.received == "Warm discs"


def test_a_reply_that_never_ends_is_ended():
    seconds = iter(range(0, 100_000, 60))  # a minute for every piece, where 10 * 20 s are allowed
    with Wire(Says(*["again "] * 50)) as wire:
        chat = langchain_chat(
            NAME, api_key=KEY, base_url=wire.url, timeout_seconds=20, clock=lambda: float(next(seconds))
        )
        pieces, error = read(chat)
    assert (pieces, type(error)) == (["again "] * 4, BrokenStream)
    assert "did not finish within 200 s" in str(error)


def test_signs_of_life_without_a_word_are_not_waited_for_beyond_the_time_of_a_whole_reply():
    pieces, error, _ = ask(Says("Warm ", then="comments"), timeout_seconds=1)
    assert (pieces, type(error)) == (["Warm "], BrokenStream)
    assert "did not finish within 10 s" in str(error)


def test_a_reply_nested_too_deep_to_be_read_is_a_providers_fault(monkeypatch):
    def nested(*_):
        raise RecursionError("maximum recursion depth exceeded")

    monkeypatch.setattr("json.loads", nested)
    assert isinstance(ask(Says("Warm."))[1], ProviderError)


def test_a_key_goes_by_the_name_that_the_providers_package_has_for_it(monkeypatch):
    all_options = []

    def loaded(vendor, model, name, options):
        all_options.append(options)
        raise MissingDependency(f"{name} is not there")

    monkeypatch.setattr("pathfinder.llm.langchain_chat.load_model", loaded)
    for name in ("cohere:command-r", "groq:m"):
        read(langchain_chat(name, api_key=KEY))
    assert [all_options[0]["cohere_api_key"], all_options[1]["api_key"]] == [KEY, KEY]
    assert "api_key" not in all_options[0]


@pytest.mark.parametrize("then", ["close", "reset", "hang"])
def test_a_reply_that_breaks_off_before_its_first_word_is_unreachable(then):
    assert type(ask(Says(then=then), timeout_seconds=1)[1]) is Unreachable


@pytest.mark.parametrize(("reason", "words"), [("length", "length limit"), ("content_filter", "filter")])
def test_a_reply_that_is_cut_short_is_no_whole_reply(reason, words):
    _, error, _ = ask(Says("Warm", finish_reason=reason))
    assert type(error) is BrokenStream
    assert words in str(error)


def test_a_filter_is_no_length_also_where_a_length_was_asked_for():
    _, error, _ = asked_with(Says("Warm", finish_reason="content_filter"), max_tokens=250)
    assert type(error) is BrokenStream


def test_a_length_that_leaves_no_word_is_an_empty_reply():
    _, error, _ = asked_with(Says("<think>so", finish_reason="length"), max_tokens=250)
    assert "empty reply" in str(error)


def test_a_model_whose_package_drops_the_temperature_says_so_and_asks_nothing():
    pieces, error, requests = asked_with(Says("Warm."), name="openai:gpt-5", temperature=0.5)
    assert (pieces, type(error), requests) == ([], ProviderError, [])
    assert str(error) == "openai:gpt-5 does not accept a temperature of 0.5: choose another model"


def test_a_server_that_refuses_the_temperature_is_heard():
    _, error, _ = asked_with(Fails(400, "temperature does not support 0.5"), temperature=0.5)
    assert type(error) is ProviderError
    assert "temperature does not support 0.5" in str(error)


@pytest.mark.parametrize("pieces", [(), ("",), (" \n",), ("<think>", "hm", "</think>")])
def test_an_empty_reply_is_an_error(pieces):
    pieces_, error, _ = ask(Says(*pieces))
    assert (pieces_, type(error)) == ([], ProviderError)
    assert "empty reply" in str(error)


@pytest.mark.parametrize("body", ["{}", "[]", "<html>Log in</html>", "data: [1]\n\n", 'data: {"choices": null}\n\n'])
def test_a_reply_of_another_shape_is_an_error(body):
    for content_type in ("application/json", "text/event-stream"):
        assert type(ask(Replies(body, content_type))[1]) is ProviderError


# What goes right ------------------------------------------------------------------------------------


def test_a_reply_arrives_piece_by_piece_and_without_the_reasoning():
    pieces, error, (request,) = ask(Says("<thi", "nk>Is it?</thi", "nk>\n\nWarm ", "discs", " [1]."))
    assert (pieces, error) == (["Warm ", "discs", " [1]."], None)
    assert request.key == KEY
    assert request.body["model"] == "gpt-4o-mini"
    assert [(m["role"], m["content"]) for m in request.body["messages"]] == [
        ("system", "Be brief."),
        ("user", "Why are discs warm?"),
    ]


def test_the_first_piece_is_there_before_the_last_was_sent():
    with Wire(Says("Warm", then="hang")) as wire:
        stream = langchain_chat(NAME, api_key=KEY, base_url=wire.url).stream("", "why?")
        assert next(stream) == "Warm"
        stream.close()


@pytest.mark.parametrize("temperature", [0.0, 0.5])
def test_temperature_and_length_are_sent(temperature):
    _, error, (request,) = asked_with(Says("Warm."), temperature=temperature, max_tokens=250)
    assert error is None
    assert request.body["temperature"] == temperature
    assert request.body["max_completion_tokens"] == 250


def test_settings_that_are_not_given_are_not_sent():
    _, _, (request,) = asked_with(Says("Warm."))
    assert not {"temperature", "max_tokens", "max_completion_tokens"} & request.body.keys()


def test_one_call_with_settings_leaves_the_next_without():
    with Wire(Says("Warm.")) as wire:
        chat = langchain_chat(NAME, api_key=KEY, base_url=wire.url)
        read(chat, temperature=0.5)
        read(chat)
        assert [request.body.get("temperature") for request in wire.received] == [0.5, None]


@pytest.mark.parametrize("usage", [None, (70, 7)])
def test_a_reply_that_ends_at_the_length_that_was_asked_for_is_told_to_be_cut(usage):
    took = replies_to(Says("Warm discs ", finish_reason="length", usage=usage))
    assert took.is_cut
    assert (took.tokens_in, took.tokens_out, took.is_estimated) == ((70, 7, False) if usage else (4, 3, True))


def test_a_reply_that_ends_by_itself_is_not_cut():
    assert not replies_to(Says("Warm", usage=(70, 7))).is_cut


def test_a_reply_that_ends_at_the_length_that_was_asked_for_is_a_reply():
    assert asked_with(Says("Warm", finish_reason="length"), max_tokens=250)[:2] == (["Warm"], None)


def test_a_chat_is_used_again_after_a_failure():
    with Wire(Fails(401), Says("Warm.")) as wire:
        chat = langchain_chat(NAME, api_key=KEY, base_url=wire.url)
        assert type(read(chat)[1]) is RejectedKey
        assert read(chat) == (["Warm."], None)


def test_a_server_of_ones_own_needs_no_key():
    _, error, (request,) = ask(Says("Warm."), key=None)
    assert (error, request.key) == (None, NO_KEY)


def test_settings_give_key_address_and_patience():
    with Wire(Says("Warm.")) as wire:
        settings = Settings(
            _env_file=None, chat_model=NAME, chat_base_url=wire.url, openai_api_key=KEY, chat_timeout_seconds=20
        )
        assert read(chat_from_settings(settings)) == (["Warm."], None)
        assert wire.received[0].key == KEY


def test_an_address_for_chat_goes_before_the_one_for_openai():
    with Wire(Says("Here.")) as here, Wire(Says("There.")) as there:
        settings = Settings(_env_file=None, chat_model=NAME, chat_base_url=None, openai_base_url=there.url)
        assert read(chat_from_settings(settings))[0] == ["There."]
        settings = settings.model_copy(update={"chat_base_url": here.url})
        assert read(chat_from_settings(settings))[0] == ["Here."]


def test_the_key_of_another_provider_is_an_environment_variable(monkeypatch):
    settings = Settings(_env_file=None, chat_model="anthropic:claude", openai_api_key=KEY)
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    assert "set ANTHROPIC_API_KEY" in str(read(chat_from_settings(settings))[1])
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    assert "pip install langchain-anthropic" in str(read(chat_from_settings(settings))[1])
