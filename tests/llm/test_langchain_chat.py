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


def ask(*plan, name=NAME, key=KEY, timeout_seconds=20.0, **settings):
    """What the reader got, what was raised, and what the server was asked."""
    with Wire(*plan) as wire:
        chat = langchain_chat(name, api_key=key, base_url=wire.url, timeout_seconds=timeout_seconds)
        return *read(chat, **settings), wire.received


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


EXAMPLE = "write provider:model, such as openai:gpt-4o-mini"


@pytest.mark.parametrize(
    ("name", "key", "kind", "words"),
    [
        (NAME, None, MissingKey, f"no key is set for {NAME}: set OPENAI_API_KEY, or choose another chat model"),
        *((name, KEY, ProviderError, EXAMPLE) for name in ("", "gpt-4o-mini", "openai:", ":gpt-4o-mini")),
        ("oracle:delphi", None, ProviderError, "anthropic, "),
        ("gguf:/models/small.gguf", None, ProviderError, "PATHFINDER_CHAT_BASE_URL=http://127.0.0.1:8080/v1"),
        # LangChain knows it; its package is among neither our dependencies nor theirs.
        ("upstage:solar", None, MissingDependency, "pip install langchain-upstage"),
    ],
)
def test_a_model_that_cannot_be_asked_is_refused_with_what_it_needs(name, key, kind, words):
    pieces, error = read(langchain_chat(name, api_key=key))
    assert (pieces, type(error)) == ([], kind)
    assert words in str(error)


# What can go wrong ----------------------------------------------------------------------------------


TOO_LONG = f"{NAME} cannot read that much at once: ask for fewer papers, or choose a model with"


@pytest.mark.parametrize(
    ("act", "kind", "words"),
    [
        *((Fails(status, f"Incorrect API key: {KEY}"), RejectedKey, ["check OPENAI_API_KEY"]) for status in (401, 403)),
        (Fails(429, f"no luck with {KEY}"), RateLimited, ["HTTP 429", "check the quota", "no luck with ***"]),
        (Fails(500, f"no luck with {KEY}"), ProviderError, ["HTTP 500", "try again later", "no luck with ***"]),
        (Fails(400, "no such model"), ProviderError, ["check the model's name", "no such model"]),
        (Fails(404, "no such model"), ProviderError, ["was not found", "no such model"]),
        (Fails(400, "too much", "context_length_exceeded"), ProviderError, [TOO_LONG]),
        (Fails(400, "the model's maximum context length is 8192 tokens"), ProviderError, [TOO_LONG]),
        (Hangs(), Unreachable, ["timed out"]),
    ],
)
def test_a_failure_is_told_with_its_remedy_and_tried_again_before_only_if_it_may_pass(act, kind, words):
    pieces, error, requests = ask(act, timeout_seconds=0.5 if act == Hangs() else 20.0)
    may_pass = act == Hangs() or act.status in (429, 500)
    assert (pieces, type(error), len(requests)) == ([], kind, 1 + may_pass * MAX_RETRIES)
    assert all(each in str(error) for each in words)


def test_a_failure_that_passes_is_never_seen():
    assert ask(Fails(429), Fails(500), Says("Warm."))[:2] == (["Warm."], None)


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
        clock = {"timeout_seconds": 20, "clock": lambda: float(next(seconds))}
        pieces, error = read(langchain_chat(NAME, api_key=KEY, base_url=wire.url, **clock))
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


@pytest.mark.parametrize(
    ("act", "settings", "kind", "words"),
    [
        (Says("Warm", finish_reason="length"), {}, BrokenStream, "length limit"),
        (Says("Warm", finish_reason="content_filter"), {}, BrokenStream, "filter"),
        (Says("Warm", finish_reason="content_filter"), {"max_tokens": 250}, BrokenStream, "filter"),
        (Says("<think>so", finish_reason="length"), {"max_tokens": 250}, ProviderError, "empty reply"),
        *(
            (Says(*pieces), {}, ProviderError, "empty reply")
            for pieces in ((), ("",), (" \n",), ("<think>", "</think>"))
        ),
        (Fails(400, "temperature does not support 0.5"), {"temperature": 0.5}, ProviderError, "does not support 0.5"),
    ],
)
def test_a_reply_that_is_cut_short_or_empty_is_no_whole_reply(act, settings, kind, words):
    _, error, _ = ask(act, **settings)
    assert type(error) is kind
    assert words in str(error)


def test_a_model_whose_package_drops_the_temperature_says_so_and_asks_nothing():
    pieces, error, requests = ask(Says("Warm."), name="openai:gpt-5", temperature=0.5)
    assert (pieces, type(error), requests) == ([], ProviderError, [])
    assert str(error) == "openai:gpt-5 does not accept a temperature of 0.5: choose another model"


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


def test_temperature_and_length_are_sent_for_the_call_that_they_are_given_for():
    all_settings = ({"temperature": 0.0, "max_tokens": 250}, {"temperature": 0.5}, {})
    with Wire(Says("Warm.")) as wire:
        chat = langchain_chat(NAME, api_key=KEY, base_url=wire.url)
        for settings in all_settings:
            assert read(chat, **settings)[1] is None
    names = {"temperature": "temperature", "max_completion_tokens": "max_tokens", "max_tokens": "max_tokens"}
    sent = [{names[name]: body[name] for name in names if name in body} for body in (r.body for r in wire.received)]
    assert sent == list(all_settings)


@pytest.mark.parametrize("usage", [None, (70, 7)])
def test_a_reply_that_ends_at_the_length_that_was_asked_for_is_told_to_be_cut(usage):
    took = replies_to(Says("Warm discs ", finish_reason="length", usage=usage))
    assert took.is_cut
    assert (took.tokens_in, took.tokens_out, took.is_estimated) == ((70, 7, False) if usage else (4, 3, True))
    assert not replies_to(Says("Warm", usage=(70, 7))).is_cut
    assert ask(Says("Warm", finish_reason="length"), max_tokens=250)[:2] == (["Warm"], None)


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
        own = {"chat_model": NAME, "chat_base_url": wire.url, "openai_api_key": KEY, "chat_timeout_seconds": 20}
        assert read(chat_from_settings(Settings(_env_file=None, **own))) == (["Warm."], None)
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
