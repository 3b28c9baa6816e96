import json
import socket
import traceback

import numpy as np
import pytest

from pathfinder.errors import MissingKey, ProviderError, RateLimited, RejectedKey, Unreachable, UsageError
from pathfinder.llm.providers import NO_KEY
from pathfinder.models.fake import HashEmbedder
from pathfinder.models.loading import load_embedder
from pathfinder.models.openai_embedder import MAX_RETRIES, MAX_TOKENS, OpenAIEmbedder
from pathfinder.models.ports import CostEstimate, PricedEmbedder
from pathfinder.settings import Settings
from tests.wire import Embeds, Fails, Hangs, Replies, Wire

MODEL = "text-embedding-3-small"
KEY = "sk-a-key-that-must-not-be-seen"
TEXTS = ["dark matter halos", "exoplanet atmospheres", "stellar streams"]


def embedder_at(wire, *, api_key=KEY):
    return OpenAIEmbedder(MODEL, api_key=api_key, base_url=wire.url)


def failure(*plan, kind="query"):
    """What was raised, and how often the server was asked."""
    with Wire(*plan) as wire, pytest.raises(ProviderError) as caught:
        embedder_at(wire).embed(TEXTS, kind)
    assert KEY not in "".join(traceback.format_exception(caught.value))
    assert "\n" not in str(caught.value)
    assert f"openai:{MODEL}" in str(caught.value)
    return caught.value, len(wire.received)


# Before anything is asked ---------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["", "text-embedding-ada-002", "gpt-4o"])
def test_a_model_that_is_not_known_is_refused_with_those_that_are(model):
    with pytest.raises(UsageError, match=MODEL):
        OpenAIEmbedder(model, api_key=KEY)


@pytest.mark.parametrize("api_key", [None, ""])
def test_without_a_key_nothing_is_asked(api_key):
    with pytest.raises(MissingKey, match="set OPENAI_API_KEY, or choose a local embedder"):
        OpenAIEmbedder(MODEL, api_key=api_key)


def test_the_cost_is_known_before_anything_is_asked():
    # 400 bytes at 4 a token, and 8,191 of 20,000 bytes; 0.02 dollars a million tokens.
    n_tokens = round((400 + 8191) / 4)
    with Wire(Embeds()) as wire:
        embedder = embedder_at(wire)
        assert embedder.estimate(["x" * 400, "x" * 20_000]) == CostEstimate(n_tokens, n_tokens * 0.02e-6, "July 2026")
        assert embedder.estimate([]) == CostEstimate(0, 0.0, "July 2026")
        assert isinstance(embedder, PricedEmbedder)
        assert wire.received == []


# What can go wrong ----------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [401, 403])
def test_a_key_that_is_not_accepted_is_said_to_be_so_at_once(status):
    error, n_asked = failure(Fails(status, f"Incorrect API key provided: {KEY}"))
    assert (type(error), n_asked) == (RejectedKey, 1)
    assert "check OPENAI_API_KEY" in str(error)


@pytest.mark.parametrize("kind", ["query", "document"])
@pytest.mark.parametrize(("status", "error_class"), [(429, RateLimited), (500, ProviderError), (503, ProviderError)])
def test_a_passing_failure_is_tried_again_before_it_is_told(status, error_class, kind):
    error, n_asked = failure(Fails(status, f"no luck with {KEY}"), kind=kind)
    assert (type(error), n_asked) == (error_class, 1 + MAX_RETRIES[kind])
    assert "no luck with ***" in str(error)


def test_no_answer_is_unreachable():
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/v1"
        with pytest.raises(Unreachable, match="refused"):
            OpenAIEmbedder(MODEL, api_key=KEY, base_url=url).embed(TEXTS, "query")


def test_no_answer_in_time_is_unreachable():
    with Wire(Hangs()) as wire, pytest.raises(Unreachable, match="timed out"):
        OpenAIEmbedder(MODEL, api_key=KEY, base_url=wire.url, timeout_seconds={"query": 0.1, "document": 20}).embed(
            TEXTS, "query"
        )
    assert len(wire.received) == 1 + MAX_RETRIES["query"]


@pytest.mark.parametrize("drop", [1, 2, 3])
def test_a_reply_with_too_few_vectors_is_an_error(drop):
    error, _ = failure(Embeds(drop=drop))
    assert "for 3 texts" in str(error) or "No embedding data" in str(error)


@pytest.mark.parametrize("dimension", [2, 768, 3072])
def test_vectors_of_another_dimension_are_an_error(dimension):
    error, _ = failure(Embeds(dimension=dimension))
    assert f"dimension {dimension} instead of 1536" in str(error)


@pytest.mark.parametrize(("scale", "length"), [(0.0, "0"), (1.01, "1.01"), (float("nan"), "nan")])
def test_vectors_that_are_not_of_length_one_are_an_error(scale, length):
    error, _ = failure(Embeds(scale=scale))
    assert f"length {length} instead of 1" in str(error)


@pytest.mark.parametrize(
    "body",
    [
        "{}",
        "[]",
        "null",
        "<html>Log in</html>",
        '{"data": null}',
        '{"data": [{"index": 0}]}',
        json.dumps({"data": [{"index": 0, "embedding": ["x"]}, {"index": 1}, {"index": 2}]}),
        json.dumps({"data": [{"index": row % 2, "embedding": [1.0] + [0.0] * 1535} for row in range(3)]}),
    ],
)
def test_a_reply_of_another_shape_is_an_error(body):
    assert type(failure(Replies(body))[0]) is ProviderError


# What goes right ------------------------------------------------------------------------------------


@pytest.mark.parametrize("reply", [Embeds(), Embeds(is_reversed=True), Embeds(as_floats=True)])
def test_vectors_come_in_the_order_of_their_texts(reply):
    with Wire(Fails(429), reply) as wire:
        vectors = embedder_at(wire).embed(TEXTS, "document")
    assert (vectors.shape, vectors.dtype) == ((3, 1536), np.float32)
    assert np.allclose(vectors, HashEmbedder(1536).embed(TEXTS, "document"), atol=1e-6)
    assert (wire.received[1].path, wire.received[1].key) == ("/v1/embeddings", KEY)
    assert (wire.received[1].body["model"], wire.received[1].body["input"]) == (MODEL, TEXTS)


def test_no_texts_are_no_request():
    with Wire(Embeds()) as wire:
        assert embedder_at(wire).embed([], "document").shape == (0, 1536)
        assert wire.received == []


def test_texts_go_out_in_requests_of_at_most_300_000_tokens_each_counted_as_a_byte():
    texts = [f"{row:05} " + "x" * 4994 for row in range(101)]  # 5,000 bytes each: 60 a request
    with Wire(Embeds()) as wire:
        vectors = embedder_at(wire).embed(texts, "document")
    assert [len(request.body["input"]) for request in wire.received] == [60, 41]
    assert np.allclose(vectors, HashEmbedder(1536).embed(texts, "document"), atol=1e-6)


def test_texts_go_out_at_most_2048_at_a_time():
    with Wire(Replies("{}")) as wire, pytest.raises(ProviderError):
        embedder_at(wire).embed(["x"] * 2049, "document")
    assert len(wire.received[0].body["input"]) == 2048


def test_a_text_is_cut_after_as_many_bytes_as_the_model_takes_tokens():
    texts = ["é" * 20_000, "x" * MAX_TOKENS, "", "\ud800 star"]
    with Wire(Embeds()) as wire:
        embedder = embedder_at(wire)
        embedder.embed(texts, "query")
    # 8,191 bytes hold 4,095 characters of two bytes, and half of another one. OpenAI takes no empty text.
    assert wire.received[0].body["input"] == ["é" * 4095, "x" * 8191, " ", "? star"]
    assert [embedder.is_cut(text) for text in texts] == [True, False, False, False]


def test_settings_give_key_and_address():
    with Wire(Embeds()) as wire:
        settings = Settings(_env_file=None, openai_api_key=KEY, openai_base_url=wire.url)
        embedder = load_embedder(f"openai:{MODEL}", settings)
        embedder.embed(TEXTS, "query")
        assert (embedder.name, embedder.dimension) == (f"openai:{MODEL}", 1536)
        assert wire.received[0].key == KEY


def test_a_server_of_ones_own_needs_no_key():
    with Wire(Embeds()) as wire:
        embedder_at(wire, api_key=None).embed(TEXTS, "query")
        assert wire.received[0].key == NO_KEY
