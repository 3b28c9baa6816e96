"""A region of the map as a filter of the search: every way of searching stays within it."""

import datetime
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pathfinder.answering.modes.agent.actions import tools, within
from pathfinder.answering.session.answer_session import with_query
from pathfinder.building import build
from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.models.fake import HashEmbedder
from pathfinder.types import Likeness, QueryExpansion, Region, RetrievalMode, SearchRequest, SearchResult
from tests.building.conftest import GALAXIES, WordsAsKeywords, write

QUESTION = "What is the value of the Hubble constant?"


@pytest.fixture(scope="module")
def half(pf: Pathfinder) -> Region:
    """The left part of the map, up to the middle one of the papers that the question's words find."""
    coordinates = pf.corpus.coordinates
    assert coordinates is not None
    rows = [hit.row for hit in pf.search(QUESTION, sides=RetrievalMode.SPARSE).hits]
    low, high = coordinates.min(axis=0) - 1, coordinates.max(axis=0) + 1
    middle = float(np.median(coordinates[rows, 0]))
    return Region.box(float(low[0]), float(low[1]), middle, float(high[1]))


def is_inside(result: SearchResult, pf: Pathfinder, region: Region) -> bool:
    coordinates = pf.corpus.coordinates
    assert coordinates is not None
    rows = np.concatenate([result.candidates.rows, [hit.row for hit in result.hits]]).astype(np.int64)
    return len(rows) > 0 and bool((coordinates[rows, 0] <= region.corners[1][0]).all())


def test_something_that_is_no_region_is_refused() -> None:
    with pytest.raises(UsageError, match="region must be a Region"):
        SearchRequest("dark matter", region=((0, 0), (1, 1)))  # type: ignore[arg-type]


@pytest.mark.build
def test_a_corpus_without_a_map_says_why_and_how_to_ask(tmp_path: Path) -> None:
    source = write(tmp_path / "papers.jsonl", GALAXIES)
    build([source], tmp_path / "corpus", HashEmbedder(16), extractor=WordsAsKeywords())
    pf = Pathfinder.open(tmp_path / "corpus")
    with pytest.raises(UsageError, match=r"no map, .*at least 5 papers.*: search without a region"):
        pf.search("galaxies", region=Region.box(0, 0, 1, 1))
    with pytest.raises(UsageError, match="no map"):
        pf.similar("galaxies", region=Region.box(0, 0, 1, 1))


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"sides": RetrievalMode.SPARSE},
        {"sides": RetrievalMode.DENSE},
        {"imagine": QueryExpansion.FEEDBACK},
        {"passages": True, "titles": True},
        {"depth": 2},
        {"decomposes": True},
        {"year_from": 1950},
    ],
)
def test_every_way_of_searching_stays_in_the_region(pf: Pathfinder, half: Region, settings) -> None:
    question = "What is the Hubble constant, and how are masers seen?" if "decomposes" in settings else QUESTION
    everywhere, here = pf.search(question, **settings), pf.search(question, region=half, **settings)
    assert not is_inside(everywhere, pf, half)
    assert is_inside(here, pf, half)
    assert here.request.region == half


def test_a_note_and_a_stage_say_how_many_papers_lie_there(pf: Pathfinder, half: Region) -> None:
    coordinates = pf.corpus.coordinates
    assert coordinates is not None
    n = int((coordinates[:, 0] <= half.corners[1][0]).sum())
    result = pf.search(QUESTION, region=half)
    assert f"{n} of 33 papers lie in the region of the map being searched" in result.notes
    assert {stage.name: stage.ran for stage in result.stages}["region"] == f"{n} papers"
    assert "region" not in {stage.name for stage in pf.search(QUESTION).stages}


def test_a_region_without_papers_finds_nothing_and_says_so(pf: Pathfinder) -> None:
    result = pf.search(QUESTION, region=Region.box(1e6, 1e6, 2e6, 2e6))
    assert result.hits == ()
    assert "no papers in this corpus lie in that region: draw another, or search the whole map" in result.notes
    assert "no papers were found in that region of the map. Draw a larger one" in pf.answer(result).text


def test_years_that_no_paper_there_has_are_said(pf: Pathfinder) -> None:
    coordinates = pf.corpus.coordinates
    assert coordinates is not None
    x, y = coordinates[pf.corpus.papers.rows_of(["hubble-1929"])[0]].tolist()
    around = Region.box(x - 1e-4, y - 1e-4, x + 1e-4, y + 1e-4)
    assert [hit.paper.paper_id for hit in pf.search(QUESTION, region=around).hits] == ["hubble-1929"]
    result = pf.search(QUESTION, region=around, year_from=2000)
    assert result.hits == ()
    assert "no papers in that region are from these years: widen the years or the region" in result.notes
    assert "from 2000 on in that region of the map. Widen the range of years" in pf.answer(result).text


def test_similar_papers_are_sought_in_the_region(pf: Pathfinder, half: Region) -> None:
    assert is_inside(pf.similar("riess-2022", region=half), pf, half)
    assert is_inside(pf.similar(text="masers in orbit", region=half), pf, half)
    place = half.corners[2]
    assert is_inside(pf.similar(place=place, region=half), pf, half)
    assert is_inside(pf.similar("riess-2022", place=place, region=half), pf, half)


def test_searches_of_an_answer_keep_the_region(half: Region) -> None:
    reader = SearchRequest(QUESTION, region=half, likeness=Likeness(text="x"), today=datetime.date(2024, 1, 1))
    assert with_query("another question", reader).region == half
    assert within(reader).region == half
    assert "the region that the reader drew on the map" in tools(reader)[0].description
    assert "on the map" not in tools(replace(reader, region=None))[0].description
