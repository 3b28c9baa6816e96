"""Authors of a question as a filter."""

import pytest

from pathfinder.facade import Pathfinder
from pathfinder.types import DigestForm, SearchRequest, SearchResult


def stage_of(result: SearchResult) -> str | None:
    return next((stage.ran for stage in result.stages if stage.name == "authors"), None)


def ids(result: SearchResult) -> set[str]:
    return {hit.paper.paper_id for hit in result.hits}


def test_a_family_is_named_in_the_plural(pf: Pathfinder):
    assert ids(pf.search("anything by the milgroms?")) == {"milgrom-1983"}
    assert len(ids(pf.search("anything by milgroms?"))) > 1


def test_a_question_for_papers_by_somebody_finds_only_theirs(pf: Pathfinder):
    result = pf.search("papers by Riess")
    assert ids(result) == {"riess-1998", "riess-2022"}
    assert stage_of(result) == "Riess: 2 of 33 papers"
    assert any("Riess (2 papers, by Riess" in note for note in result.filter_notes)
    assert result.assessment is not None
    assert result.assessment.is_relevant
    assert {hit.known_as for hit in result.hits} == {"author Riess"}
    # Their titles are searched, but nobody asked for the words of these.
    assert result.keywords == ()


def test_a_citation_is_its_author_and_its_year(pf: Pathfinder):
    result = pf.search("Riess et al. 2022")
    assert ids(result) == {"riess-2022"}
    assert (result.request.authors, result.request.year_from, result.request.year_to) == (("^Riess",), 2022, 2022)


def test_a_preprint_may_be_a_year_earlier_than_its_paper(pf: Pathfinder):
    result = pf.search("Riess et al. 2021")
    assert ids(result) == {"riess-2022"}
    assert "none of their papers in this corpus is from 2021, so 2020 to 2022 are searched" in result.notes


def test_a_year_without_a_paper_is_said(pf: Pathfinder):
    result = pf.search("Riess et al. 2010")
    assert ids(result) == {"riess-1998", "riess-2022"}
    assert "none of their papers in this corpus is from 2010, so all years are searched" in result.notes


def test_the_rest_of_the_question_is_searched(pf: Pathfinder):
    result = pf.search("what did Vera Rubin find about rotation?")
    assert ids(result) == {"rubin-1970"}
    assert result.words == "about rotation?"
    assert result.request.query == "what did Vera Rubin find about rotation?"


def test_somebody_without_papers_here_is_said_and_everything_is_searched(pf: Pathfinder):
    result = pf.search("papers by Nobody about galaxies")
    assert len(result.hits) == 10
    assert any(note.startswith("no paper in this corpus is by Nobody") for note in result.notes)


def test_words_that_may_be_no_name_are_passed_over_in_silence(pf: Pathfinder):
    result = pf.search("papers by astronomers")
    assert (stage_of(result), result.request.authors, result.notes) == (None, (), ())


@pytest.mark.parametrize(
    "request_",
    [
        SearchRequest("papers by Riess", reads_authors=False),
        SearchRequest("papers by Riess", authors=("Freedman",)),
    ],
)
def test_the_readers_own_authors_and_a_filter_taken_off_stand(pf: Pathfinder, request_: SearchRequest):
    assert pf.search(request_).request.authors == request_.authors


def test_asking_again_with_the_request_of_a_result_finds_the_same(pf: Pathfinder):
    result = pf.search("papers by Riess about dark energy")
    again = pf.search(result.request)
    assert (again.request, ids(again), again.words) == (result.request, ids(result), result.words)


@pytest.mark.parametrize(
    "question", ["What did Riess discover?", "How many papers by Riess do you hold?", "Download all papers by Riess"]
)
def test_what_somebody_did_is_what_their_papers_say(pf: Pathfinder, question: str):
    result = pf.search(question)
    assert ids(result) == {"riess-1998", "riess-2022"}
    assert {hit.known_as for hit in result.hits} == {"author Riess"}
    answer = pf.answer(result)
    assert answer.digest is not None
    assert not answer.digest.is_weak
    assert answer.digest.form is DigestForm.FINDINGS


def test_years_beside_an_author_are_no_subject(pf: Pathfinder):
    result = pf.search("papers by Riess since 2010")
    assert ids(result) == {"riess-2022"}
    assert result.words == result.hits[0].paper.title


def test_the_papers_of_an_author_who_is_named_are_shown_even_if_they_say_little_on_it(pf: Pathfinder):
    result = pf.search("What did Riess find out about cheese?")
    assert ids(result) == {"riess-1998", "riess-2022"}
    assert result.assessment is not None
    assert result.assessment.is_relevant
