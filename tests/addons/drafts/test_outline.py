from collections.abc import Sequence

import pytest

from pathfinder.addons.drafts.outline import group_phrases, heading_of, outline_of
from pathfinder.errors import UsageError
from pathfinder.types import Paper


def paper(name: str, *keywords: str, subjects: tuple[str, ...] = ()) -> Paper:
    return Paper(name, name, "", keywords=keywords, subjects=subjects)


def always(question: str, ids: Sequence[str]) -> bool:
    return True


COLD = [paper("a", "cold dust", "galaxies"), paper("b", "cold dust", "galaxies", "rare thing")]
BRIGHT = [paper("c", "water masers", "galaxies"), paper("d", "water maser", "galaxies", subjects=("Water masers",))]


def test_a_group_is_named_by_phrases_that_the_others_lack() -> None:
    assert group_phrases([COLD, BRIGHT]) == [["cold dust", "galaxies"], ["Water masers", "galaxies"]]


def test_a_phrase_of_one_paper_names_no_group_of_several_but_a_group_of_one() -> None:
    assert group_phrases([[paper("a", "dust"), paper("b", "gas")]]) == [[]]
    assert group_phrases([[paper("a", "dust")]]) == [["dust"]]
    assert outline_of("T", [], [[paper("a")]], always).sections[0].heading == "Further papers"


def test_hostile_keywords_become_plain_words() -> None:
    (phrases,) = group_phrases([[paper("a", "\\input{x}\n\x1b[0m", "<b>dust</b>")]])
    assert all(phrase.isprintable() for phrase in phrases)


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("What is the age of the Sun?", "The age of the Sun"),
        ("which are  the oldest stars ?", "The oldest stars"),
        ("why do stars explode?", "Why do stars explode?"),
        ("dust", "Dust"),
    ],
)
def test_a_question_becomes_a_heading(question: str, heading: str) -> None:
    assert heading_of(question) == heading


def test_the_readers_questions_come_first() -> None:
    draft = outline_of("T", [("Why is dust cold?", COLD)], [BRIGHT], always)
    assert [(each.heading, each.question, each.paper_ids) for each in draft.sections] == [
        ("Why is dust cold?", "Why is dust cold?", ("a", "b")),
        ("Water masers and galaxies", "What is known about Water masers and galaxies?", ("c", "d")),
    ]


def test_a_question_without_words_is_refused() -> None:
    with pytest.raises(UsageError, match="heading of a section"):
        outline_of("T", [("what is ?", COLD)], [], always)


def test_a_group_gets_the_first_question_that_its_papers_are_relevant_to() -> None:
    draft = outline_of(
        "T", [], [BRIGHT, COLD], lambda question, ids: question.endswith("about galaxies?") and "c" in ids
    )
    assert [section.question for section in draft.sections] == [
        "What is known about galaxies?",
        "What is known about Cold dust and galaxies?",
    ]
