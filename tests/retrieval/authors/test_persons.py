"""Questions that are nothing but a person's name."""

import pytest

from pathfinder.facade import Pathfinder
from pathfinder.retrieval.authors.persons import name_alone
from pathfinder.types import SearchResult


def stage_of(result: SearchResult) -> str | None:
    return next((stage.ran for stage in result.stages if stage.name == "person"), None)


def own(result: SearchResult) -> list[str]:
    return [hit.paper.paper_id for hit in result.hits if hit.known_as is not None]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Vera Rubin", ("Vera Rubin",)),
        ("Rubin, V.", ("Rubin, V",)),
        ("who was Fritz Zwicky?", ("Fritz Zwicky",)),
        ("Penzias and Wilson", ("Penzias", "Wilson")),
        ("What is a star?", ("What is a star",)),
        ("papers on stars in the sky", ()),
        ("M31", ()),
        ("a, b, c", ()),
    ],
)
def test_a_question_may_be_a_name(question: str, names: tuple[str, ...]):
    assert name_alone(question)[0] == names


@pytest.mark.parametrize(
    "question", ["Riess", "riess", "Adam Riess", "A. Riess", "Riess, A.", "Riess-Roe A.", "Who is Adam Riess?"]
)
def test_papers_by_a_person_come_first(pf: Pathfinder, question: str):
    result = pf.search(question)
    assert set(own(result)) == {"riess-1998", "riess-2022"}
    assert own(result) == [hit.paper.paper_id for hit in result.hits][:2]
    assert stage_of(result) is not None
    assert result.assessment is not None
    assert result.assessment.is_relevant
    assert not pf.answer(result).abstained


@pytest.mark.parametrize("question", ["Bernard Riess", "B. Riess", "dark matter", "Hubble", "Milky Way", "Kant"])
def test_other_words_are_no_person(pf: Pathfinder, question: str):
    assert stage_of(pf.search(question)) is None


def test_the_answer_quotes_only_papers_by_the_person(pf: Pathfinder):
    answer = pf.answer(pf.search("Adam Riess"))
    assert {paper_id for claim in answer.claims for paper_id in claim.citations} <= {"riess-1998", "riess-2022"}
    assert answer.claims


def test_a_person_is_undone_like_an_author(pf: Pathfinder):
    assert stage_of(pf.search("Adam Riess", reads_authors=False)) is None
