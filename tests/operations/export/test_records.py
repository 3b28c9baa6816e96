"""Results and answers as JSON."""

import json
from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from pathfinder.answering.assessment.consensus.consensus import consensus_of
from pathfinder.answering.assessment.consensus.history import history_of
from pathfinder.models.fake import HashEmbedder
from pathfinder.operations.ask import answer_record
from pathfinder.operations.consensus import consensus as operation
from pathfinder.operations.export.bibtex import bibtex
from pathfinder.operations.export.plain_json import as_json
from pathfinder.operations.export.tables import papers_csv
from pathfinder.operations.export.traces import from_json
from pathfinder.operations.search import result_lines, search_record
from pathfinder.retrieval.factors import OWN_FACTORS
from pathfinder.types import (
    AdsQuery,
    Answer,
    AnswerRequest,
    Call,
    Candidates,
    CheckedSentence,
    Claim,
    CorpusName,
    Ended,
    Evidence,
    Hit,
    Ledger,
    Paper,
    Score,
    SearchRequest,
    SearchResult,
    Stage,
    StageOutcome,
    StageStatus,
    Step,
    StepKind,
    Trace,
    Usage,
    Verdict,
    Version,
)
from pathfinder.ui.papers.paper_lines import about, facts
from tests.answering import results as answering
from tests.answering.assessment.consensus.literature import SENTENCES, literature, model, papers
from tests.answering.results import context, result
from tests.answering.scripts import drain

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
    stage_status=(
        StageStatus("embedder", "local:MiniLM", StageOutcome.RAN),
        StageStatus("hyde", None, StageOutcome.SKIPPED, "words only"),
    ),
)
ANSWER = Answer(
    question="how fast?",
    text="Fast. [1]",
    claims=(Claim("Fast.", ("a",)),),
    abstained=False,
    stages=(Stage("answer", "extractive", 0.5),),
    sources=(HITS[0].paper,),
)
CHECKED_SENTENCE = CheckedSentence(
    "Fast.", ("a",), Verdict.PARTLY, (Evidence("a", "It is fast.", 0.75),), ("no number",), needed=(True,)
)


def test_a_result_is_written_with_all_that_is_known_of_it_and_nulls_for_the_rest():
    record = search_record(RESULT)
    assert record["stage_status"] == [
        {"name": "embedder", "model": "local:MiniLM", "status": "ran", "reason": None},
        {"name": "hyde", "model": None, "status": "skipped", "reason": "words only"},
    ]
    first, second, third = record["hits"]
    assert [(hit["rank"], hit["year"], hit["outlier"]) for hit in record["hits"]] == [
        (1, 2001, False), (2, 2020, None), (3, None, True),
    ]  # fmt: skip
    assert {name: value for name, value in first.items() if name not in ("rank", "paper_id", "title", "score")} == {
        "year": 2001, "status": None, "is_summary": False, "has_abstract": True, "outlier": False, "known_as": None,
        "live": None, "full_text": [], "found_by_keywords": [],
    }  # fmt: skip
    known = {name: value for name, value in second["score"].items() if value is not None}
    assert known == {"final": -1.5, "sparse": 0.0, "rerank": 0.125}
    assert third["score"].keys() >= {"dense", "fused", *(factor.name for factor in OWN_FACTORS)}
    assert record["filters"].keys() == {
        "year_from", "year_to", "authors", "categories", "venues", "sources", "refereed", "needs_abstract",
        "excluded_words", "within", "as_of",
    }  # fmt: skip


def test_an_answer_is_added_with_its_stages_and_the_time_of_both():
    record = answer_record(RESULT, ANSWER)
    assert (record["answer"]["digest"], record["answer"]["folded"]) == (None, None)
    assert record["stages"]["answer"] == "extractive"
    assert record["seconds"] == {"embedder": 0.25, "answer": 0.5, "total": 0.75}
    assert {k: v for k, v in record.items() if k not in ("answer", "stages", "seconds")} == {
        k: v for k, v in search_record(RESULT).items() if k not in ("stages", "seconds")
    }


def test_what_an_answer_rests_on_and_how_it_came_about_is_written_down():
    action = Step(StepKind.ACTION, "", "search", (("query", "dust"), ("top_k", 3)), ("a",))
    answer = replace(
        ANSWER,
        notes=("so",),
        ledger=Ledger((CHECKED_SENTENCE,), 1.0, 0.5, None),
        trace=Trace("how fast?", "agent", (action,), Ended.LOOP),
        versions=(Version("draft", "Slow. [1]"),),
        calls=(Call("answer", "openai:some-model", 1.5, Usage(10, 5, dollars=0.25), failure=None),),
        ads_query=AdsQuery("year:2020", (), "https://example.org"),
        redirect="counting",
    )
    record = answer_record(RESULT, answer)["answer"]
    assert record["notes"] == ["so"]
    assert record["redirect"] == "counting"
    assert record["ledger"]["sentences"] == [
        {
            "text": "Fast.",
            "citations": ["a"],
            "verdict": "partly",
            "evidence": [{"source_id": "a", "sentence": "It is fast.", "score": 0.75, "passage": None}],
            "reasons": ["no number"],
            "judged_by": "local checker",
            "second_verdict": None,
            "needed": [True],
        }
    ]
    assert (record["ledger"]["precision"], record["ledger"]["f1"]) == (1.0, None)
    assert from_json(json.dumps(record["trace"])) == answer.trace
    assert record["versions"] == [{"label": "draft", "text": "Slow. [1]", "because": ""}]
    assert record["calls"][0]["usage"]["tokens_in"] == 10
    assert record["ads_query"]["link"] == "https://example.org"
    assert json.loads(json.dumps(record, allow_nan=False)) == record


def test_records_are_plain_json():
    assert json.loads(json.dumps(answer_record(RESULT, ANSWER), allow_nan=False)) == answer_record(RESULT, ANSWER)


def test_what_has_no_form_in_json_is_refused():
    assert as_json((date(2020, 2, 29), Verdict.PARTLY, None)) == ["2020-02-29", "partly", None]
    with pytest.raises(TypeError, match=r"ndarray.*JSON"):
        as_json((NOTHING,))
    with pytest.raises(TypeError, match="a type cannot be written"):
        as_json(Paper)


QUESTION = "Are cold disks stable?"


def test_a_consensus_as_programs_read_it():
    _, consensus = drain(consensus_of(QUESTION, papers(6, 2, 1, 1), model()))
    record = json.loads(json.dumps(operation.write(consensus), allow_nan=False))
    assert (record["level"], record["model_level"]) == ("Weak Agreement", "Weak Agreement")
    assert record["interval"] == [level.value for level in consensus.interval]
    assert record["stances"][0] == {
        "paper_id": "supports-0",
        "title": "Disks of field supports-0",
        "year": 2000,
        "stance": "supports",
        "quote": SENTENCES["supports"],
        "quote_found": True,
        "counted": True,
        "passage": None,
    }
    assert [stance["stance"] for stance in record["stances"]] == ["supports"] * 6 + ["refutes"] * 2 + [
        "mixed",
        "irrelevant",
    ]


def test_no_level_is_null():
    _, consensus = drain(consensus_of(QUESTION, papers(2), model()))
    record = json.loads(json.dumps(operation.write(consensus), allow_nan=False))
    assert (record["level"], record["interval"], record["score"]) == (None, None, 1.0)


def test_a_history_as_programs_read_it():
    _, history = drain(history_of(QUESTION, literature(1985, 2000, 2015, share=1.0), model()))
    record = json.loads(json.dumps(operation.write(history), allow_nan=False))
    assert (record["changed_in"], record["before"], record["after"]) == (
        2000,
        "Strong Disagreement",
        "Strong Agreement",
    )
    assert record["years"][0] == {
        "year": 1985,
        "supports": 0,
        "refutes": 3,
        "mixed": 0,
        "score": -1.0,
        "level": None,
    }
    assert len(record["stances"]) == 31 * 3


RETRACTED_PAPER = Paper("a", "Dust", "We measure dust.", status="retracted", status_from="openalex")
SOUND = replace(RETRACTED_PAPER, status=None, status_from=None)


def with_status(search_result):
    hits = tuple(
        replace(hit, paper=replace(hit.paper, status="withdrawn", status_from="arxiv")) for hit in search_result.hits
    )
    return replace(search_result, hits=hits)


@pytest.mark.parametrize(
    ("write", "words"),
    [
        (lambda paper: bibtex([paper]), "note = {Retracted, says openalex}"),
        (lambda paper: papers_csv([paper]), ",retracted,openalex,"),
        (lambda paper: "".join(facts(paper)), ":red-badge[retracted"),
    ],
    ids=["BibTeX", "CSV", "card"],
)
def test_a_retracted_paper_says_so_and_a_sound_one_does_not(write, words):
    assert words in write(RETRACTED_PAPER)
    assert "etracted" not in write(SOUND)


def test_hits_and_citations_are_marked():
    search_result = with_status(result())
    assert {hit["status"] for hit in search_record(search_result)["hits"]} == {"withdrawn"}
    assert "[withdrawn, says arxiv]" in "\n".join(result_lines(search_result))
    answer = answering.answer(search_result, AnswerRequest(), context(HashEmbedder(256), None))
    assert any(note.endswith("was withdrawn, says arxiv") for note in answer.notes)


@pytest.mark.parametrize(
    ("n", "n_authors", "omits", "text"),
    [
        (1, None, True, "Roe et al."),
        (3, None, True, "Roe et al."),
        (3, 9, True, "Roe and 8 others"),
        (1, None, None, "Roe"),
    ],
)
def test_a_card_gives_no_count_of_authors_that_nobody_knows(n, n_authors, omits, text):
    paper = Paper("p", "T", "", authors=("Roe, A.", "Doe, B.", "Poe, C.")[:n], n_authors=n_authors, omits_authors=omits)
    assert next(about(paper)) == text
    assert ("et al." in papers_csv([paper])) is (paper.n_all_authors is None)
