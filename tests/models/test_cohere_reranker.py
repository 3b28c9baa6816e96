import json
import traceback

import numpy as np
import pytest

from pathfinder.errors import MissingKey, ProviderError, RateLimited, RejectedKey, Unreachable, UsageError
from pathfinder.llm.providers import NO_KEY
from pathfinder.models.cohere_reranker import MAX_RETRIES, CohereReranker
from pathfinder.models.loading import load_reranker
from pathfinder.models.ports import Reranker
from pathfinder.settings import Settings
from tests.wire import Fails, Hangs, Replies, Reranks, Resets, Wire

MODEL = "rerank-v3.5"
KEY = "co-a-key-that-must-not-be-seen"
TEXTS = ["dark matter halos", "exoplanet atmospheres", "stellar streams"]


def reranker_at(wire, **options):
    return CohereReranker(MODEL, KEY, base_url=wire.url.removesuffix("/v1"), **options)


def failure(*plan, **options):
    """What was raised, and how often the server was asked."""
    with Wire(*plan) as wire, pytest.raises(ProviderError) as caught:
        reranker_at(wire, **options).rerank("streams", TEXTS)
    assert KEY not in "".join(traceback.format_exception(caught.value))
    assert "\n" not in str(caught.value)
    assert f"cohere:{MODEL}" in str(caught.value)
    return caught.value, len(wire.received)


def results(*pairs):
    return json.dumps({"results": [{"index": index, "relevance_score": score} for index, score in pairs]})


# Before anything is asked ---------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["", "command-r", "embed-v4.0"])
def test_a_model_that_does_not_rerank_is_refused_with_those_that_do(model):
    with pytest.raises(UsageError, match=r"rerank-v3\.5 or rerank-english-v3\.0"):
        CohereReranker(model, KEY)


@pytest.mark.parametrize("api_key", [None, ""])
def test_without_a_key_nothing_is_asked(api_key):
    with pytest.raises(MissingKey, match="set COHERE_API_KEY, or choose the local reranker"):
        CohereReranker(MODEL, api_key)


# What can go wrong ----------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [401, 403])
def test_a_key_that_is_not_accepted_is_said_to_be_so_at_once(status):
    error, n_asked = failure(Fails(status, f"invalid api token {KEY}"))
    assert (type(error), n_asked) == (RejectedKey, 1)
    assert "check COHERE_API_KEY" in str(error)


@pytest.mark.parametrize(("status", "error_class"), [(429, RateLimited), (500, ProviderError), (503, ProviderError)])
def test_a_passing_failure_is_tried_again_before_it_is_told(status, error_class):
    error, n_asked = failure(Fails(status, f"trial keys: 10 calls a minute ({KEY})"))
    assert (type(error), n_asked) == (error_class, 1 + MAX_RETRIES)
    assert f"HTTP {status}" in str(error)
    assert "trial keys: 10 calls a minute (***)" in str(error)


@pytest.mark.parametrize("status", [400, 404, 422])
def test_a_request_that_cohere_refuses_is_told_in_its_words(status):
    error, n_asked = failure(Fails(status, "model 'rerank-v3.5' was retired"))
    assert (type(error), n_asked) == (ProviderError, 1)
    assert "model 'rerank-v3.5' was retired" in str(error)
    assert "headers" not in str(error)


def test_no_answer_in_time_is_unreachable():
    error, _ = failure(Hangs(), timeout_seconds=0.1)
    assert type(error) is Unreachable
    assert "timed out" in str(error)


def test_a_connection_that_is_reset_is_unreachable():
    assert type(failure(Resets())[0]) is Unreachable


@pytest.mark.parametrize(
    "body",
    [
        "{}",
        "[]",
        "null",
        "",
        "<html>Log in</html>",
        '{"results": null}',
        '{"results": [{"index": 0}, {"index": 1}, {"index": 2}]}',
        '{"results": [{"relevance_score": 0.5}]}',
        results((0, "high"), (1, 0.2), (2, 0.1)),
        results((0, "0.3"), (1, 0.2), (2, 0.1)),
        results((0, None), (1, 0.2), (2, 0.1)),
        results((0, True), (1, 0.2), (2, 0.1)),
    ],
)
def test_a_reply_of_another_shape_is_an_error_and_no_refusal(body):
    error, n_asked = failure(Replies(body))
    assert (type(error), n_asked) == (ProviderError, 1)
    assert "HTTP" not in str(error)


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([], "scored 0 of 3 documents, in 0 results"),
        ([(0, 0.3), (2, 0.1)], "scored 2 of 3 documents, in 2 results"),
        ([(0, 0.3), (0, 0.2), (1, 0.1)], "scored 2 of 3 documents, in 3 results"),
        ([(0, 0.3), (1, 0.2), (3, 0.1)], "scored 3 of 3 documents, in 3 results"),
        ([(-1, 0.3), (0, 0.2), (1, 0.1)], "scored 3 of 3 documents, in 3 results"),
        ([(0, 0.4), (1, 0.3), (2, 0.2), (1, 0.1)], "scored 3 of 3 documents, in 4 results"),
    ],
)
def test_a_document_without_a_score_of_its_own_is_an_error(pairs, expected):
    assert expected in str(failure(Replies(results(*pairs)))[0])


@pytest.mark.parametrize("score", [float("nan"), float("inf"), -float("inf")])
def test_a_score_that_is_no_number_is_an_error(score):
    assert f"returned a score that is not a number ({score})" in str(
        failure(Replies(results((0, 1), (1, score), (2, 0))))[0]
    )


# What goes right ------------------------------------------------------------------------------------


def test_scores_come_in_the_order_of_their_documents_and_not_in_that_of_the_reply():
    with Wire(Fails(429), Replies(results((2, 0.9), (0, 0.5), (1, 0.1)))) as wire:
        scores = reranker_at(wire).rerank("streams", TEXTS)
    assert scores.tolist() == [0.5, 0.1, 0.9]
    assert scores.dtype == np.float64
    request = wire.received[1]
    assert (request.path, request.key) == ("/v2/rerank", KEY)
    assert request.body == {"model": MODEL, "query": "streams", "documents": TEXTS}


def test_no_documents_are_no_request():
    with Wire(Replies("{}")) as wire:
        assert reranker_at(wire).rerank("streams", []).shape == (0,)
        assert wire.received == []


def test_the_documents_of_every_batch_keep_their_own_scores():
    # A peer's batches each count from 0, so that the second one's results fall upon the first one's documents.
    texts = [str(number) for number in range(2001)]
    with Wire(Reranks(lambda text: (int(text) * 7919 % 2003) / 2003)) as wire:
        scores = reranker_at(wire).rerank("streams", texts)
    assert [len(request.body["documents"]) for request in wire.received] == [1000, 1000, 1]
    assert scores.tolist() == [(number * 7919 % 2003) / 2003 for number in range(2001)]


def test_a_batch_that_fails_leaves_no_score_behind():
    with Wire(Reranks(len), Fails(401)) as wire, pytest.raises(RejectedKey):
        reranker_at(wire).rerank("streams", ["x"] * 1001)


@pytest.mark.parametrize("model", [MODEL, "rerank-english-v3.0"])
def test_settings_give_key_and_address(model):
    with Wire(Reranks(len)) as wire:
        url = wire.url.removesuffix("/v1")
        settings = Settings(_env_file=None, cohere_api_key=KEY, cohere_base_url=url)
        reranker = load_reranker(f"cohere:{model}", settings)
        assert reranker.rerank("streams", TEXTS).tolist() == [17, 21, 15]
        assert (wire.received[0].key, wire.received[0].body["model"]) == (KEY, model)
    assert isinstance(reranker, Reranker)
    assert reranker.name == f"cohere:{model}"


@pytest.mark.parametrize("variable", ["COHERE_API_KEY", "CO_API_KEY"])
def test_the_key_is_read_under_either_name(variable, monkeypatch):
    monkeypatch.setenv(variable, KEY)
    key = Settings(_env_file=None).cohere_api_key
    assert key is not None
    assert key.get_secret_value() == KEY
    assert KEY not in repr(key)


def test_a_server_of_ones_own_needs_no_key():
    with Wire(Reranks(len)) as wire:
        CohereReranker(MODEL, None, base_url=wire.url.removesuffix("/v1")).rerank("streams", TEXTS)
        assert wire.received[0].key == NO_KEY
