"""An answer's numbers follow its papers to where they stand on the page."""

from pathfinder.types import Answer, Paper, Version
from pathfinder.ui.answer.panel import with_list_numbers

A, B, C, D = (Paper(name, f"Title {name}", "Abstract.") for name in "abcd")


def answer(text: str, *sources: Paper) -> Answer:
    return Answer("Why?", text, (), False, (), sources=sources, versions=(Version("draft", text),))


def test_an_answer_given_from_the_papers_as_they_are_listed_stays_as_it_is() -> None:
    answer_ = answer("Warm [1]. Cold [2].", A, B)
    assert with_list_numbers(answer_, [A, B]) == answer_


def test_what_the_answer_found_further_comes_behind_the_listed_papers() -> None:
    moved = with_list_numbers(answer("Warm [1]. Cold [3].", A, B, C), [A, B, D])
    assert moved.sources == (A, B, D, C)
    assert moved.text == "Warm [1]. Cold [4]."


def test_numbers_follow_the_papers_in_the_text_and_in_every_version() -> None:
    moved = with_list_numbers(answer("Warm [1, 2]. Cold [2].", A, B), [B, A])
    assert moved.text == moved.versions[0].text == "Warm [2, 1]. Cold [1]."


def test_invented_marks_and_other_brackets_are_left_alone() -> None:
    text = "Lines of [O III] and [13C II] [7?, k3q7z?] in [2023], within [0, 1], by [S1?]."
    assert with_list_numbers(answer(text, A, B), [B, A]).text == text
