"""Files of JSON lines that people write by hand to measure answers: questions with the sentences of an abstract that
answer them, questions that passages of full texts answer, and weighted rubrics. A line that cannot be read is an error.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import fsum, isclose
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StringConstraints, TypeAdapter, ValidationError

from pathfinder.corpus.readers import RejectedRow
from pathfinder.corpus.readers.json_lines import json_records, read_json_records
from pathfinder.corpus.readers.lines import numbered_lines_in
from pathfinder.corpus.schemas.fields import Record
from pathfinder.errors import CorpusError
from pathfinder.text.strict_json import Value, first_fault
from pathfinder.types import DigestForm

_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


def _records(source: Path | bytes, name: str) -> Iterator[tuple[str, Record]]:
    """Yield each record with its place, for messages. Raises `CorpusError` for a file or a line that cannot be read."""
    try:
        numbered = (
            read_json_records(source) if isinstance(source, Path) else json_records(numbered_lines_in(source), name)
        )
        records = list(numbered)
    except OSError as error:
        raise CorpusError(f"{name} cannot be read ({error}): check the path") from error
    for number, record in records:
        if isinstance(record, RejectedRow):
            raise CorpusError(f"{name}, line {number}: {record.reason}: correct the line")
        yield f"{name}, line {number}", record


def _parsed(adapter: TypeAdapter[Value], place: str, record: Record, noun: str, layout: str) -> Value:
    try:
        return adapter.validate_python(record)
    except ValidationError as error:
        raise CorpusError(f"{place} is no {noun} ({first_fault(error)}): {layout}") from error


# Questions with marked sentences.

FORM_OF_TYPE = {
    "value": DigestForm.VALUES,
    "which_what": DigestForm.LIST,
    "yes_no": DigestForm.SIDES,
    "comparison": DigestForm.SIDES,
    "how_much_change": DigestForm.SIDES,
    "why_how": DigestForm.FINDINGS,
    "other": DigestForm.FINDINGS,
}
"""Form of digest that suits each type of question in a marked file."""
LAYOUT = (
    'each line needs "question", "paper", "sentences" (texts by number), "gold" (numbers of the sentences that answer '
    f'the question) and "type" (one of {", ".join(FORM_OF_TYPE)})'
)
"""Layout of a marked file, in words."""


@dataclass(frozen=True, slots=True)
class MarkedQuestion:
    """A question, the paper that answers it, and the sentences of its abstract that a good short answer would quote."""

    question: str
    paper_id: str
    gold: tuple[str, ...]
    """Sentences that answer the question, verbatim."""
    type: str
    """Type of the question, one of `FORM_OF_TYPE`."""

    def gold_spans(self, abstract: str) -> tuple[tuple[int, int], ...]:
        """Return the start and end of each gold sentence in `abstract`; sentences not found there are left out."""
        starts = ((abstract.find(sentence), len(sentence)) for sentence in self.gold)
        return tuple((start, start + length) for start, length in starts if start >= 0)


@dataclass(frozen=True, slots=True)
class _Marked:
    question: _Text
    paper: _Text
    type: Literal["value", "which_what", "yes_no", "comparison", "how_much_change", "why_how", "other"]
    sentences: dict[str, Any]
    gold: Annotated[list[int | str], Field(min_length=1)]


_MARKED = TypeAdapter(_Marked)


def read_marked_questions(source: Path | bytes, name: str = "") -> tuple[MarkedQuestion, ...]:
    """Read the questions in a file, or in the content of one called `name`, but for those with `"answered": false`.

    Raises `CorpusError` if the file cannot be read, a line does not have the layout that `LAYOUT` describes, or no
    questions are left.
    """
    name = name or str(source)
    questions = []
    for place, record in _records(source, name):
        if not record.get("answered", True):
            continue
        row = _parsed(_MARKED, place, record, "marked question", LAYOUT)
        gold = [row.sentences.get(str(number)) for number in row.gold]
        if None in gold:
            unknown = row.gold[gold.index(None)]
            raise CorpusError(f'{place} marks sentence {unknown}, which is not in "sentences": correct the line')
        questions.append(MarkedQuestion(row.question, row.paper, tuple(map(str, gold)), row.type))
    if not questions:
        raise CorpusError(f"{name} contains no marked question: {LAYOUT}")
    return tuple(questions)


# Questions that passages of full texts answer.

QUESTIONS_FILE = "questions.jsonl"
PASSAGE_LAYOUT = (
    'each line needs "question" and "paper" (an id of the corpus, or null if no paper answers it) and, as far as they '
    'are known, "passage" (the words that answer it) and "answer"'
)
_OrEmpty = Annotated[str, BeforeValidator(lambda text: text or "")]


@dataclass(frozen=True, slots=True)
class PassageQuestion:
    """A question, and what answers it."""

    question: str
    paper_id: Annotated[str | None, Field(alias="paper")] = None
    """Paper that answers it; `None` if none does."""
    passage: _OrEmpty = ""
    """Passage that answers it; empty if it is not known."""
    answer: _OrEmpty = ""


_PASSAGE = TypeAdapter(PassageQuestion)


def read_passage_questions(folder: Path) -> tuple[PassageQuestion, ...]:
    """Read the questions in `folder`. Raises `CorpusError` for a line without the layout of `PASSAGE_LAYOUT`."""
    path = folder / QUESTIONS_FILE
    return tuple(_parsed(_PASSAGE, *each, "question", PASSAGE_LAYOUT) for each in _records(path, str(path)))


# Rubrics.

ITEMS = 0.60
"""Sum of the weights of a question's items."""
RUBRIC_LAYOUT = 'each line needs "question" and "items", each with "criterion", "weight" and, if it has any, "evidence"'


@dataclass(frozen=True, slots=True)
class Item:
    """Part of a good answer to one question."""

    criterion: str
    weight: float
    """Share of the whole score; the weights of all items for a question sum to 0.6."""
    evidence: Annotated[tuple[str, ...], BeforeValidator(lambda excerpts: excerpts or ())] = ()
    """Excerpts from papers that the answer should reflect."""


Rubric = Mapping[str, tuple[Item, ...]]
"""Items for each question, by the text of the question."""


@dataclass(frozen=True, slots=True)
class _RubricLine:
    question: str
    items: Annotated[tuple[Item, ...], Field(min_length=1)]


_RUBRIC = TypeAdapter(_RubricLine)


def read_rubric(source: Path | bytes, name: str = "") -> Rubric:
    """Read a rubric from a file, or from the content of one called `name`.

    Raises `CorpusError` if it cannot be read, if a line does not have the layout that `RUBRIC_LAYOUT` describes, or if
    the weights of a question's items do not sum to 0.6.
    """
    name = name or str(source)
    rubric = {}
    for place, record in _records(source, name):
        row = _parsed(_RUBRIC, place, record, "rubric", RUBRIC_LAYOUT)
        if not isclose(total := fsum(item.weight for item in row.items), ITEMS, abs_tol=1e-6):
            raise CorpusError(f"{place}: the weights sum to {total:g}, and have to sum to {ITEMS}: correct them")
        rubric[row.question] = row.items
    if not rubric:
        raise CorpusError(f"{name} contains no rubric: {RUBRIC_LAYOUT}")
    return rubric
