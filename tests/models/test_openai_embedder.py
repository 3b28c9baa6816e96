import json

import numpy as np
import pytest

from pathfinder.errors import ProviderError, RateLimited
from pathfinder.models.fake import HashEmbedder
from pathfinder.models.openai_embedder import MAX_RETRIES, MAX_TOKENS, OpenAIEmbedder
from pathfinder.models.ports import CostEstimate, PricedEmbedder
from tests.models.test_hosted_models import KEY, OPENAI, TEXTS, failure
from tests.wire import Embeds, Fails, Replies, Wire


def embedder_at(wire):
    return OpenAIEmbedder(OPENAI.model, api_key=KEY, base_url=wire.url)


def test_the_cost_is_known_before_anything_is_asked():
    # 400 bytes at 4 a token, and 8,191 of 20,000 bytes; 0.02 dollars a million tokens.
    n_tokens = round((400 + 8191) / 4)
    with Wire(Embeds()) as wire:
        embedder = embedder_at(wire)
        assert embedder.estimate(["x" * 400, "x" * 20_000]) == CostEstimate(n_tokens, n_tokens * 0.02e-6, "July 2026")
        assert embedder.estimate([]) == CostEstimate(0, 0.0, "July 2026")
        assert isinstance(embedder, PricedEmbedder)
        assert wire.received == []


def test_papers_are_tried_more_often_than_a_question_that_somebody_waits_for():
    with Wire(Fails(429)) as wire, pytest.raises(RateLimited):
        embedder_at(wire).embed(TEXTS, "document")
    assert len(wire.received) == 1 + MAX_RETRIES["document"]


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        *((Embeds(drop=drop), ("for 3 texts", "No embedding data")) for drop in (1, 2, 3)),
        *((Embeds(dimension=n), (f"dimension {n} instead of 1536",)) for n in (2, 768, 3072)),
        *((Embeds(scale=n), (f"length {n:g} instead of 1",)) for n in (0.0, 1.01, float("nan"))),
    ],
)
def test_vectors_of_another_number_dimension_or_length_are_an_error(reply, words):
    error, _ = failure("openai", reply)
    assert any(each in str(error) for each in words)


@pytest.mark.parametrize(
    "body",
    [
        *("{}", "[]", "null", "<html>Log in</html>", '{"data": null}', '{"data": [{"index": 0}]}'),
        json.dumps({"data": [{"index": 0, "embedding": ["x"]}, {"index": 1}, {"index": 2}]}),
        json.dumps({"data": [{"index": row % 2, "embedding": [1.0] + [0.0] * 1535} for row in range(3)]}),
    ],
)
def test_a_reply_of_another_shape_is_an_error(body):
    assert type(failure("openai", Replies(body))[0]) is ProviderError


@pytest.mark.parametrize("reply", [Embeds(), Embeds(is_reversed=True), Embeds(as_floats=True)])
def test_vectors_come_in_the_order_of_their_texts(reply):
    with Wire(Fails(429), reply) as wire:
        vectors = embedder_at(wire).embed(TEXTS, "document")
    assert (vectors.shape, vectors.dtype) == ((3, 1536), np.float32)
    assert np.allclose(vectors, HashEmbedder(1536).embed(TEXTS, "document"), atol=1e-6)
    assert (wire.received[1].path, wire.received[1].key) == ("/v1/embeddings", KEY)
    assert (wire.received[1].body["model"], wire.received[1].body["input"]) == (OPENAI.model, TEXTS)
    assert embedder_at(wire).embed([], "document").shape == (0, embedder_at(wire).dimension) == (0, 1536)


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
