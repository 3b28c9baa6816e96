import pytest

from pathfinder.drafts.outline import group_headings, heading_of, outline_of
from pathfinder.errors import UsageError
from pathfinder.types import Paper


def paper(name: str, *keywords: str, subjects: tuple[str, ...] = ()) -> Paper:
    return Paper(name, name, "", keywords=keywords, subjects=subjects)


COLD = [paper("a", "cold dust", "galaxies"), paper("b", "cold dust", "galaxies", "rare thing")]
BRIGHT = [paper("c", "water masers", "galaxies"), paper("d", "water maser", "galaxies", subjects=("Water masers",))]


def test_a_group_is_named_by_phrases_that_the_others_lack() -> None:
    assert group_headings([COLD, BRIGHT]) == ["Cold dust and galaxies", "Water masers and galaxies"]


def test_a_phrase_of_one_paper_names_no_group_of_several_but_a_group_of_one() -> None:
    assert group_headings([[paper("a", "dust"), paper("b", "gas")]]) == ["Further papers"]
    assert group_headings([[paper("a", "dust")]]) == ["Dust"]
    assert group_headings([[paper("a")]]) == ["Further papers"]


def test_hostile_keywords_become_plain_words() -> None:
    (heading,) = group_headings([[paper("a", "\\input{x}\n\x1b[0m", "<b>dust</b>")]])
    assert heading.isprintable()


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
    draft = outline_of("T", [("Why is dust cold?", COLD)], [BRIGHT])
    assert [(each.heading, each.question, each.paper_ids) for each in draft.sections] == [
        ("Why is dust cold?", "Why is dust cold?", ("a", "b")),
        ("Water masers and galaxies", "What is known about Water masers and galaxies?", ("c", "d")),
    ]


def test_a_question_without_words_is_refused() -> None:
    with pytest.raises(UsageError, match="heading of a section"):
        outline_of("T", [("what is ?", COLD)], [])
