import json

import numpy as np
import pytest

from pathfinder.errors import ProviderError, RejectedKey
from pathfinder.models.cohere_reranker import CohereReranker
from pathfinder.models.ports import Reranker
from pathfinder.settings import Settings
from tests.models.test_hosted_models import COHERE, KEY, TEXTS, failure
from tests.wire import Fails, Replies, Reranks, Wire


def reranker_at(wire):
    return CohereReranker(COHERE.model, KEY, base_url=wire.url.removesuffix("/v1"))


def results(*pairs):
    return json.dumps({"results": [{"index": index, "relevance_score": score} for index, score in pairs]})


@pytest.mark.parametrize(
    "body",
    [
        *("{}", "[]", "null", "", "<html>Log in</html>", '{"results": null}'),
        '{"results": [{"index": 0}, {"index": 1}, {"index": 2}]}',
        '{"results": [{"relevance_score": 0.5}]}',
        *(results((0, score), (1, 0.2), (2, 0.1)) for score in ("high", "0.3", None, True)),
    ],
)
def test_a_reply_of_another_shape_is_an_error_and_no_refusal(body):
    error, n_asked = failure("cohere", Replies(body))
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
    assert expected in str(failure("cohere", Replies(results(*pairs)))[0])


@pytest.mark.parametrize("score", [float("nan"), float("inf"), -float("inf")])
def test_a_score_that_is_no_number_is_an_error(score):
    error, _ = failure("cohere", Replies(results((0, 1), (1, score), (2, 0))))
    assert f"returned a score that is not a number ({score})" in str(error)


def test_scores_come_in_the_order_of_their_documents_and_not_in_that_of_the_reply():
    with Wire(Fails(429), Replies(results((2, 0.9), (0, 0.5), (1, 0.1)))) as wire:
        scores = reranker_at(wire).rerank("streams", TEXTS)
    assert scores.tolist() == [0.5, 0.1, 0.9]
    assert scores.dtype == np.float64
    request = wire.received[1]
    assert (request.path, request.key) == ("/v2/rerank", KEY)
    assert request.body == {"model": COHERE.model, "query": "streams", "documents": TEXTS}
    assert isinstance(reranker_at(wire), Reranker)
    assert reranker_at(wire).rerank("streams", []).shape == (0,)


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


@pytest.mark.parametrize("variable", ["COHERE_API_KEY", "CO_API_KEY"])
def test_the_key_is_read_under_either_name(variable, monkeypatch):
    monkeypatch.setenv(variable, KEY)
    key = Settings(_env_file=None).cohere_api_key
    assert key is not None
    assert key.get_secret_value() == KEY
    assert KEY not in repr(key)
