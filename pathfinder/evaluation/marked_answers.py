"""Questions, each with the sentences that answer it, marked by hand in the abstract of a paper."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pathfinder.errors import CorpusError
from pathfinder.evaluation.record_lines import NumberedRecords, records_of_bytes, records_of_file
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
