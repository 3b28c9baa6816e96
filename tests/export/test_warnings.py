"""Withdrawn and retracted papers are marked wherever they are written."""

from dataclasses import replace

import pytest

from pathfinder.export.bibtex import bibtex
from pathfinder.export.tables import papers_csv
from pathfinder.models.fake import HashEmbedder
from pathfinder.operations.search import result_lines, search_record
from pathfinder.types import AnswerRequest, Paper
from pathfinder.ui.papers.paper_lines import facts
from tests.answering import results as answering
from tests.answering.results import context, result

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
