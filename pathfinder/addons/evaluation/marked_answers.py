"""Questions, each with the sentences that answer it, marked by hand in the abstract of a paper."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pathfinder.corpus.readers import RejectedRow
from pathfinder.corpus.readers.json_lines import json_records, read_json_records
from pathfinder.corpus.readers.lines import numbered_lines_in
from pathfinder.corpus.schemas.fields import Record
from pathfinder.errors import CorpusError
from pathfinder.types import DigestForm

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


def read_marked_questions(path: Path) -> tuple[MarkedQuestion, ...]:
    """Read the questions in `path`, a file of JSON lines; those with `"answered": false` are left out.

    Raises `CorpusError` if the file cannot be read, a line does not have the layout that `LAYOUT` describes, or no
    questions are left.
    """
    return _questions(records_of_file(path), str(path))


def parse_marked_questions(data: bytes, name: str) -> tuple[MarkedQuestion, ...]:
    """Read the questions in `data`, the content of a file called `name`, as `read_marked_questions` does."""
    return _questions(records_of_bytes(data, name), name)


NumberedRecords = Iterable[tuple[int, Record]]
"""Records with their line numbers, counted from 1."""


def _questions(records: NumberedRecords, name: str) -> tuple[MarkedQuestion, ...]:
    questions = []
    for number, record in records:
        if record.get("answered", True):
            questions.append(_question(record, f"{name}, line {number}"))
    if not questions:
        raise CorpusError(f"{name} contains no marked question: {LAYOUT}")
    return tuple(questions)


def _question(record: Mapping[str, object], place: str) -> MarkedQuestion:
    question, paper_id, kind = (record.get(name) for name in ("question", "paper", "type"))
    sentences, gold = record.get("sentences"), record.get("gold")
    texts = (question, paper_id, kind)
    if not all(isinstance(text, str) and text.strip() for text in texts) or kind not in FORM_OF_TYPE:
        raise CorpusError(f"{place} is not a marked question: {LAYOUT}")
    if not isinstance(sentences, dict) or not isinstance(gold, list) or not gold:
        raise CorpusError(f"{place} has no marked sentences: {LAYOUT}")
    if unknown_numbers := [number for number in gold if not isinstance(sentences.get(str(number)), str)]:
        raise CorpusError(f'{place} marks sentence {unknown_numbers[0]}, which is not in "sentences": correct the line')
    return MarkedQuestion(str(question), str(paper_id), tuple(sentences[str(n)] for n in gold), str(kind))


# Records in a file that someone wrote by hand as JSON lines: a line that cannot be read is an error.


def records_of_file(path: Path) -> NumberedRecords:
    """Read the records in `path`. Raises `CorpusError` if the file or one of its lines cannot be read."""
    try:
        records = list(read_json_records(path))
    except OSError as error:
        raise CorpusError(f"{path} cannot be read ({error}): check the path") from error
    return list(_readable(records, str(path)))


def records_of_bytes(data: bytes, name: str) -> NumberedRecords:
    """Read the records in `data`, the content of a file called `name`, as `records_of_file` does."""
    return list(_readable(json_records(numbered_lines_in(data), name), name))


def _readable(records: Iterable[tuple[int, Record | RejectedRow]], name: str) -> Iterator[tuple[int, Record]]:
    for number, record in records:
        if isinstance(record, RejectedRow):
            raise CorpusError(f"{name}, line {number}: {record.reason}: correct the line")
        yield number, record
