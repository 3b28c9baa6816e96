"""Faults that must not be possible: what an outage, or an earlier question, leaves behind."""

from collections.abc import Iterator

import pytest

from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.errors import BrokenStream, PathfinderError, Unreachable
from pathfinder.session import Pathfinder
from pathfinder.types import QueryExpansion, SearchResult, Weighting
from tests.retrieval.busy import busy

QUESTION = "What is the value of the Hubble constant before 1950?"
OUTAGES = [
    busy("fake:down asked to slow down (HTTP 429): try again later"),
    Unreachable("fake:down does not answer: try again later"),
    BrokenStream("fake:down stopped: ask again", "How are masers pumped?"),
]


class Down:
    """A chat model that is not there, or leaves in the middle of another subject."""

    name = "fake:down"

    def __init__(self, error: PathfinderError) -> None:
        self._error = error
        self.prompts: list[str] = []

    def stream(
        self, system: str, prompt: str, *, temperature: float | None = None, max_tokens: int | None = None
    ) -> Iterator[str]:
        self.prompts.append(prompt)
        yield "How are masers pumped? "
        raise self._error


def with_chat(pf: Pathfinder, chat: Down) -> Pathfinder:
    return Pathfinder(pf.corpus, pf.embedder, KeywordExtractor.load(), chat)


def order(result: SearchResult) -> list[tuple[int, float]]:
    return [(hit.row, hit.score.final) for hit in result.hits]


@pytest.mark.parametrize("outage", OUTAGES)
def test_no_filter_is_dropped_when_a_service_fails(pf: Pathfinder, outage: PathfinderError) -> None:
    chat = Down(outage)
    down = with_chat(pf, chat)
    named = down.search(QUESTION, imagine=QueryExpansion.HYDE)
    own = down.search(
        "What is the value of the Hubble constant?", imagine=QueryExpansion.HYDE, year_from=1990, year_to=2005
    )
    assert len(chat.prompts) == 2
    for result, first, last in ((named, None, 1949), (own, 1990, 2005)):
        assert (result.request.year_from, result.request.year_to) == (first, last)
        assert len(result.candidates)
        for paper in result.candidates.papers:
            assert paper.year is not None
            assert (first or 0) <= paper.year <= last


@pytest.mark.parametrize("outage", OUTAGES)
def test_the_readers_question_stands_after_an_outage(pf: Pathfinder, outage: PathfinderError) -> None:
    down = with_chat(pf, Down(outage))
    result = down.search(QUESTION, imagine=QueryExpansion.HYDE)
    assert result.request.query == QUESTION
    assert result.hypothetical == ()
    assert result.keywords == pf.search(QUESTION).keywords
    assert order(result) == order(pf.search(QUESTION, imagine=QueryExpansion.FEEDBACK))
    answer = down.answer(result)
    assert answer.question == QUESTION
    assert "maser" not in answer.text


def test_a_search_leaves_nothing_for_the_next(pf: Pathfinder) -> None:
    question, weighting = "How do galaxies get their gas?", Weighting(keywords=1)
    alone = pf.search(question, weighting=weighting)
    pf.search(QUESTION, weighting=weighting, extra_keywords=("masers", "Coma Cluster"), dropped_keywords=("gas",))
    pf.search("JWST spectra of masers since 2000", weighting=weighting)
    again = pf.search(question, weighting=weighting)
    assert again.keywords == alone.keywords
    assert again.request == alone.request
    assert order(again) == order(alone)
    assert again.notes == alone.notes
