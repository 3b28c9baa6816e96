"""An answer as lines of plain text."""

from pathfinder.operations.ask import answer_lines
from pathfinder.types import Answer, Digest, DigestForm, Finding, Insertion, NamedThing, Paper, StatedValue
from tests.answering.results import result

RATE = Paper("r", "A rate", "They obtain 73.04.", authors=("Riess, Adam G.",), year=2022)
SKY = Paper("s", "A sky", "It finds 67.4.", authors=("Planck Collaboration",), year=2020)
BARE = Paper("b", "A bare rate", "It finds 50.")
FINDINGS = (
    Finding("r", RATE.abstract, 0, 18, (Insertion(4, " Riess and others"),)),
    Finding("s", SKY.abstract, 0, 14),
    Finding("b", BARE.abstract, 0, 12),
)


def print_answer(**fields):
    """Return the lines of an answer with a digest, down to the list of papers."""
    fields = {"findings": FINDINGS, "notes": ("Newest: 73.04.", "A \x1b[2J note."), **fields}
    digest = Digest(DigestForm.FINDINGS, "because", **fields)
    answer = Answer("a question", "its text", (), abstained=False, stages=(), digest=digest, sources=(SKY, RATE, BARE))
    lines = list(answer_lines(result(), answer))
    return lines[: lines.index("[1] A sky (2020) s")]


def test_a_digest_has_its_notes_first_and_the_author_and_year_behind_each_line():
    assert print_answer() == [
        "Newest: 73.04.",
        "A [2J note.",
        "Form: findings; because (--form changes it).",
        "",
        "They [Riess and others] obtain 73.04. (Riess 2022, abstract) [2]",
        "It finds 67.4. (Planck Collaboration 2020, abstract) [1]",
        "It finds 50. (A bare rate, abstract) [3]",
        "",
    ]


def test_words_of_a_passage_that_match_the_question_stand_between_stars():
    lines = print_answer(findings=(Finding("s", SKY.abstract, 0, 14, marked=((3, 8), (9, 13))),))
    assert "It *finds* *67.4*. (Planck Collaboration 2020, abstract) [1]" in lines


def value(paper_id, number, error, of=None):
    return StatedValue(paper_id, "Hubble constant", number, error, error, "km/s/Mpc", None, of, 0, 5)


def test_values_are_printed_with_their_quotations():
    assert print_answer(values=(value("r", 73.04, 1.04, "the nearby Universe"), value("s", 67.4, None)))[4:] == [
        "73.04 ± 1.04 km/s/Mpc, Hubble constant of the nearby Universe (Riess 2022, abstract) [2]",
        "    “They [Riess and others] obtain 73.04.” (abstract)",
        "67.4 km/s/Mpc, Hubble constant (Planck Collaboration 2020, abstract) [1]",
        "    “It finds 67.4.” (abstract)",
        "",
    ]


def test_the_number_of_values_that_are_not_printed_is_stated():
    lines = print_answer(values=tuple(value("r", 70.0 + n, None) for n in range(10)), findings=(FINDINGS[0],) * 10)
    assert [line for line in lines if line.startswith("    ")] == [
        "    “They [Riess and others] obtain 73.04.” (abstract)"
    ]
    assert "2 more values (all of them with --json or --values-plot)" in lines


def test_a_line_of_a_list_opens_with_its_name():
    things = (NamedThing("Riess", "team", "r", 0, 4), NamedThing("Planck", "team", "s", 0, 2))
    assert print_answer(named=things)[4:] == [
        "Riess: They [Riess and others] obtain 73.04. (Riess 2022, abstract) [2]",
        "Planck: It finds 67.4. (Planck Collaboration 2020, abstract) [1]",
        "It finds 50. (A bare rate, abstract) [3]",
        "",
    ]


def test_a_name_that_only_the_title_has_is_said_to_be_from_there():
    assert (
        "Riess (named in the title): They [Riess and others] obtain 73.04. (Riess 2022, abstract) [2]"
        in print_answer(named=(NamedThing("Riess", "team", "r", 0, 0),))
    )


def test_the_number_of_lines_that_are_not_printed_is_stated():
    findings = tuple(Finding("s", f"It finds {n}.", n, n + 1) for n in range(10))
    assert "2 more lines (all of them with --json)" in print_answer(findings=findings)
    assert not any("more lines" in line for line in print_answer(findings=findings[:8]))


def test_a_sentence_that_names_two_things_is_printed_once_where_it_came_first():
    findings = (FINDINGS[2], FINDINGS[0], FINDINGS[2])
    things = tuple(NamedThing(name, "team", paper, 0, 2) for name, paper in (("A", "b"), ("Riess", "r"), ("B", "b")))
    digest = Digest(DigestForm.LIST, "because", findings, named=things)
    answer = Answer("a question", "its text", (), abstained=False, stages=(), digest=digest, sources=(SKY, RATE, BARE))
    lines = list(answer_lines(result(), answer))
    sentences = [line for line in lines[: lines.index("[1] A sky (2020) s")] if line.endswith("]")]
    assert sentences == [
        "A, B: It finds 50. (A bare rate, abstract) [3]",
        "Riess: They [Riess and others] obtain 73.04. (Riess 2022, abstract) [2]",
    ]


def test_an_answer_without_a_digest_is_its_text():
    answer = Answer("a question", "its text", (), abstained=False, stages=())
    assert next(iter(answer_lines(result(), answer))) == "its text"
