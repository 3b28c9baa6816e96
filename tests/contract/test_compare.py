"""The comparison lets pass what may change, and nothing else."""

import pytest

from tests.contract.compare import differences
from tests.contract.signatures import broken_promises

EXPECTED = {
    "hits": [{"paper_id": "a", "score": 0.5, "outlier": None}, {"paper_id": "b", "score": -0.25, "outlier": False}],
    "stages": {"sparse": "BM25", "rerank": "not run: the corpus has no token vectors (left out)"},
    "seconds": {"total": 0.25},
    "answer": {"abstained": True, "text": "I don't know.", "notes": ["no chat model is set"]},
}


def expected_with(**parts):
    return {**EXPECTED, **parts}


@pytest.mark.parametrize(
    "actual",
    [
        expected_with(),
        expected_with(stage_status=[{"name": "sparse"}]),
        expected_with(seconds={"total": 7}),
        expected_with(stages={"sparse": "BM25", "rerank": "not run: no token vectors"}),
        expected_with(answer={"abstained": True, "text": "Nothing here answers.", "notes": ["set a chat model"]}),
        expected_with(hits=[EXPECTED["hits"][0] | {"score": 0.500001, "no_abstract": True}, EXPECTED["hits"][1]]),
    ],
)
def test_new_keys_other_prose_and_other_times_pass(actual):
    assert not list(differences(EXPECTED, actual))


@pytest.mark.parametrize(
    ("actual", "message"),
    [
        (expected_with(hits=EXPECTED["hits"][::-1]), "$.hits[0].paper_id"),
        (expected_with(hits=EXPECTED["hits"][:1]), "$.hits: a list of 2"),
        (
            expected_with(hits=[{"paper_id": "a", "score": 0.501, "outlier": None}, EXPECTED["hits"][1]]),
            "$.hits[0].score",
        ),
        (expected_with(hits=[EXPECTED["hits"][0] | {"outlier": False}, EXPECTED["hits"][1]]), "$.hits[0].outlier"),
        (expected_with(stages={"sparse": "words", "rerank": "not run"}), "$.stages.sparse"),
        (expected_with(stages={"sparse": "BM25"}), "$.stages.rerank: the key is gone"),
        (expected_with(seconds={}), "$.seconds.total: the key is gone"),
        (expected_with(seconds={"total": "0.25"}), "$.seconds.total"),
        (expected_with(answer={"abstained": True, "text": "", "notes": ["x"]}), "$.answer.text"),
        (expected_with(answer={"abstained": False, "text": "I don't know.", "notes": ["x"]}), "$.answer.abstained"),
        (expected_with(answer={"abstained": True, "text": "I don't know.", "notes": "x"}), "$.answer.notes"),
    ],
)
def test_what_programs_rely_on_does_not_pass(actual, message):
    assert any(message in difference for difference in differences(EXPECTED, actual))


def of(*parameters):
    return {"is": "class", "parameters": list(parameters), "methods": {}}


A = {"name": "a", "kind": "POSITIONAL_OR_KEYWORD"}
B = {"name": "b", "kind": "POSITIONAL_OR_KEYWORD", "default": 1}
C = {"name": "c", "kind": "POSITIONAL_OR_KEYWORD", "default": None}


def test_a_parameter_with_a_default_may_come():
    assert not list(broken_promises(of(A, B), of(A, B, C)))


@pytest.mark.parametrize("now", [of(A), of(A, {**B, "default": 2}), of(B, A), of(A, C, B), of(A, B, A | {"name": "d"})])
def test_a_parameter_that_goes_moves_or_must_be_given_is_told(now):
    assert list(broken_promises(of(A, B), now))
