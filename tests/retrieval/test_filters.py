import datetime
from pathlib import Path

import pytest

from pathfinder.building import build
from pathfinder.corpus.paper_columns import TABLE_SCHEMA
from pathfinder.corpus.papers import PaperTable
from pathfinder.facade import Pathfinder
from pathfinder.models.fake import HashEmbedder
from pathfinder.retrieval.filters import with_years_named, years_read
from pathfinder.types import SearchRequest
from tests.building.conftest import GALAXIES, PLANETS, WordsAsKeywords, write

TODAY = datetime.date(2024, 7, 1)
NO_TITLES = PaperTable(TABLE_SCHEMA.empty_table())


@pytest.mark.parametrize(
    "request_",
    [
        SearchRequest("dark matter"),
        SearchRequest("dark matter after 2010", reads_years=False),
        SearchRequest("dark matter after 2010", year_from=1950),
        SearchRequest("dark matter after 2010", year_to=2005),
    ],
)
def test_the_readers_own_years_and_a_filter_taken_off_stand(request_: SearchRequest) -> None:
    assert with_years_named(request_, TODAY, NO_TITLES) == (request_, None)


def test_years_of_the_question_are_set_and_said() -> None:
    request = SearchRequest("What is known of bars after 2010?")
    with_years, note = with_years_named(request, TODAY, NO_TITLES)
    assert (with_years.query, with_years.year_from, with_years.year_to) == (request.query, 2011, None)
    assert note == 'years 2011 on, from "after 2010" in the question: turn reads_years off to search all years'


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("bars before 2010", "up to 2009"),
        ("bars between 2010 and 2015", "2010 to 2015"),
        ("bars this year", "2024"),
        ("bars in the last five years", "2019 on"),
    ],
)
def test_the_note_says_the_years_in_words(question: str, words: str) -> None:
    note = with_years_named(SearchRequest(question), TODAY, NO_TITLES)[1]
    assert note is not None
    assert note.startswith(f"years {words}, from ")


def test_three_words_with_a_year_are_filtered_too(pf: Pathfinder) -> None:
    result = pf.search("RLHF since 2013")
    assert result.request.year_from == 2013
    assert result.filter_notes == (
        'years 2013 on, from "since 2013" in the question: turn reads_years off to search all years',
    )
    assert set(result.filter_notes) <= set(result.notes)
    assert result.candidates.papers
    assert all(paper.year is not None and paper.year >= 2013 for paper in result.candidates.papers)


def test_a_search_says_which_words_made_its_filter_and_keeps_the_question(pf: Pathfinder) -> None:
    result = pf.search("What is the value of the Hubble constant before 1950?")
    assert result.request.query == "What is the value of the Hubble constant before 1950?"
    assert [hit.paper.year for hit in result.hits if hit.paper.year is None or hit.paper.year >= 1950] == []
    assert next(stage.ran for stage in result.stages if stage.name == "years") == "1949 and before"
    assert any(note.startswith('years up to 1949, from "before 1950"') for note in result.notes)


@pytest.mark.build
def test_a_corpus_without_years_is_searched_whole(tmp_path: Path) -> None:
    source = write(tmp_path / "papers.jsonl", *({**paper, "date": None, "year": None} for paper in (GALAXIES, PLANETS)))
    build([source], tmp_path / "corpus", HashEmbedder(16), extractor=WordsAsKeywords())
    result = Pathfinder.open(tmp_path / "corpus").search("galaxies since 1979")
    assert len(result.hits) == 2
    assert (result.request.year_from, result.request.year_to) == (None, None)
    assert "the question names years, but no paper in this corpus is dated, so all papers are searched" in result.notes


def test_the_filter_can_be_taken_off(pf: Pathfinder) -> None:
    result = pf.search("What is the value of the Hubble constant before 1950?", reads_years=False)
    assert (result.request.year_from, result.request.year_to) == (None, None)
    assert any(hit.paper.year is not None and hit.paper.year >= 1950 for hit in result.hits)


def test_years_back_are_counted_from_the_day_of_the_request_and_else_of_the_corpus(pf: Pathfinder) -> None:
    question = "What is the value of the Hubble constant in the last twenty years?"
    assert pf.search(question).request.year_from == 2005
    assert pf.search(question, today=datetime.date(1999, 1, 1)).request.year_from == 1979


def test_the_words_of_a_filter_are_no_keywords(pf: Pathfinder) -> None:
    def keywords(question: str, **fields: bool) -> list[str]:
        return [keyword.text for keyword in pf.search(question, **fields).keywords]

    assert keywords("galaxy clusters in the JWST era") == keywords("galaxy clusters") == ["galaxy clusters"]
    assert keywords("galaxy clusters in the last two decades") == ["galaxy clusters"]
    assert "JWST" in keywords("galaxy clusters in the JWST era", reads_years=False)


def test_asking_again_with_the_request_of_a_result_finds_the_same(pf: Pathfinder) -> None:
    result = pf.search("What is the value of the Hubble constant after 1990?")
    again = pf.search(result.request)
    assert [hit.row for hit in again.hits] == [hit.row for hit in result.hits]
    assert again.request == result.request


@pytest.mark.build
def test_a_title_that_names_years_finds_its_paper_from_another_year(tmp_path: Path) -> None:
    title = "Bars of spiral galaxies observed between 1995 and 2003"
    papers = [{"id": "bars", "title": title, "abstract": "Bars are common.", "year": 2024}]
    corpus = tmp_path / "corpus"
    build([write(tmp_path / "a.jsonl", *papers, *GALAXIES)], corpus, HashEmbedder(16), extractor=WordsAsKeywords())
    pf = Pathfinder.open(corpus)
    assert pf.search(title).hits[0].paper.paper_id == "bars"
    # The page shows no chip for it either.
    assert years_read(SearchRequest(title), TODAY, pf.corpus.papers) is None
    # Another question with the same years is limited to them.
    assert pf.search("Which bars were observed between 1995 and 2003?").request.year_from == 1995
