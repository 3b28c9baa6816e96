"""Results and answers as JSON."""

import json
from datetime import date

import numpy as np

from pathfinder.export.records import answer_record, search_record
from pathfinder.types import (
    Answer,
    Candidates,
    Claim,
    CorpusName,
    Hit,
    Paper,
    Score,
    SearchRequest,
    SearchResult,
    Stage,
)

NOTHING = np.empty(0)
CANDIDATES = Candidates(
    (),
    NOTHING.astype(np.int64),
    np.empty((0, 2), np.float32),
    *[NOTHING] * 7,
)
HITS = (
    Hit(Paper("a", "On <b>$H_0$</b>", "x", year=2001), 7, Score(0.5, dense=0.25, fused=1.0), outlier=False),
    Hit(Paper("b", "Ωmega", "x", date=date(2020, 2, 29)), 3, Score(-1.5, sparse=0.0, rerank=0.125), outlier=None),
    Hit(Paper("c", "Undated", "x"), 1, Score(-2.0), outlier=True),
)
RESULT = SearchResult(
    request=SearchRequest("how fast?"),
    corpus=CorpusName("astro", "0123456789ab", 3),
    candidates=CANDIDATES,
    hits=HITS,
    keywords=(),
    stages=(Stage("embedder", "MiniLM, local", 0.25), Stage("hyde", "not used")),
)
ANSWER = Answer(
    question="how fast?",
    text="Fast. [1]",
    claims=(Claim("Fast.", ("a",)),),
    abstained=False,
    stages=(Stage("answer", "extractive", 0.5),),
)


def test_a_result_is_written_in_the_agreed_shape():
    assert search_record(RESULT) == {
        "query": "how fast?",
        "corpus": "astro",
        "stages": {"embedder": "MiniLM, local", "hyde": "not used"},
        "seconds": {"embedder": 0.25, "total": 0.25},
        "hits": [
            {
                "rank": 1,
                "paper_id": "a",
                "title": "On <b>$H_0$</b>",
                "year": 2001,
                "outlier": False,
                "score": _score(0.5, dense=0.25, fused=1.0),
            },
            {
                "rank": 2,
                "paper_id": "b",
                "title": "Ωmega",
                "year": 2020,
                "outlier": None,
                "score": _score(-1.5, sparse=0.0, rerank=0.125),
            },
            {"rank": 3, "paper_id": "c", "title": "Undated", "year": None, "outlier": True, "score": _score(-2.0)},
        ],
    }


def _score(final: float, **factors: float) -> dict[str, float | None]:
    names = (
        *("dense", "sparse", "fused", "keyword", "recency", "citation", "title_match"),
        *("position", "coverage", "diversity", "rerank"),
    )
    return {**{name: factors.get(name) for name in names}, "final": final}


def test_an_answer_is_added_with_its_stages_and_the_time_of_both():
    record = answer_record(RESULT, ANSWER)
    assert record["answer"] == {
        "text": "Fast. [1]",
        "abstained": False,
        "claims": [{"text": "Fast.", "citations": ["a"]}],
    }
    assert record["stages"]["answer"] == "extractive"
    assert record["seconds"] == {"embedder": 0.25, "answer": 0.5, "total": 0.75}
    assert {k: v for k, v in record.items() if k not in ("answer", "stages", "seconds")} == {
        k: v for k, v in search_record(RESULT).items() if k not in ("stages", "seconds")
    }


def test_records_are_plain_json():
    assert json.loads(json.dumps(answer_record(RESULT, ANSWER), allow_nan=False)) == answer_record(RESULT, ANSWER)
