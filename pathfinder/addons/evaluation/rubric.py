"""Scores of answers by a weighted rubric, as in ScholarQABench (arXiv:2411.14199): general aspects count for 40%, and
the items that experts wrote for a question for 60%.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum, isclose
from pathlib import Path

from pathfinder.addons.evaluation.judges import MAX_MARK, Judge
from pathfinder.addons.evaluation.marked_answers import NumberedRecords, records_of_bytes, records_of_file
from pathfinder.errors import CorpusError
from pathfinder.types import Answer

LENGTH, EXPERTISE, CITATIONS, EXCERPTS, ITEMS = 0.05, 0.05, 0.20, 0.10, 0.60
"""Weights of the parts; they sum to 1."""

SHORT, LONG = 300, 600
"""Maximum number of words for which an answer's length scores 1, and minimum number for which it scores 0."""

EXPERT = (
    "The answer shows the knowledge of an expert: correct terms, an appropriate level of detail, and no beginner's "
    "mistakes."
)

LAYOUT = 'each line needs "question" and "items", each with "criterion", "weight" and, if it has any, "evidence"'


@dataclass(frozen=True, slots=True)
class Item:
    """Part of a good answer to one question."""

    criterion: str
    weight: float
    """Share of the whole score; the weights of all items for a question sum to 0.6."""
    evidence: tuple[str, ...] = ()
    """Excerpts from papers that the answer should reflect."""


Rubric = Mapping[str, tuple[Item, ...]]
"""Items for each question, by the text of the question."""


@dataclass(frozen=True, slots=True)
class RubricScore:
    """Scores of one answer, each in [0, 1]."""

    total: float
    items: float
    """Score of the items alone."""


def read_rubric(path: Path) -> Rubric:
    """Read a rubric from JSON lines.

    Raises `CorpusError` if the file cannot be read, if a line does not have the layout that `LAYOUT` describes, or
    if the weights of a question's items do not sum to 0.6.
    """
    return _rubric(records_of_file(path), str(path))


def parse_rubric(data: bytes, name: str) -> Rubric:
    """Read the rubric in `data`, the content of a file called `name`, as `read_rubric` does."""
    return _rubric(records_of_bytes(data, name), name)


def _rubric(records: NumberedRecords, name: str) -> Rubric:
    rubric = {}
    for number, record in records:
        question, items = _read(record, f"{name}, line {number}")
        rubric[question] = items
    if not rubric:
        raise CorpusError(f"{name} contains no rubric: {LAYOUT}")
    return rubric


def score_by_rubric(answer: Answer, items: Sequence[Item], judge: Judge) -> RubricScore | None:
    """Score `answer`; `None` if any judgement failed, because a missing mark is not a 0.

    An item with evidence is judged twice, by its criterion and by its evidence, each with half the weight.
    """
    weights, marks = [], []
    for item in items:
        criteria = [
            item.criterion,
            *(["The answer reflects this: " + " ... ".join(item.evidence)] if item.evidence else []),
        ]
        for criterion in criteria:
            weights.append(item.weight / len(criteria))
            marks.append(judge.mark(answer.question, answer.text, criterion))
    expertise = judge.mark(answer.question, answer.text, EXPERT)
    known_marks = [mark / MAX_MARK for mark in marks if mark is not None]
    if expertise is None or len(known_marks) < len(marks):
        return None
    of_items = fsum(weight * mark for weight, mark in zip(weights, known_marks, strict=True))
    cited_share, excerpt_share = _shares(answer)
    general = LENGTH * length_score(answer.text) + EXPERTISE * expertise / MAX_MARK
    return RubricScore(general + CITATIONS * cited_share + EXCERPTS * excerpt_share + of_items, of_items / ITEMS)


def length_score(text: str) -> float:
    """Return the score for the length of `text`: 1 for up to 300 words, falling linearly to 0 at 600."""
    return min(1.0, max(0.0, (LONG - len(text.split())) / (LONG - SHORT)))


def _shares(answer: Answer) -> tuple[float, float]:
    """Return the share of sentences with a citation, and the share of citations for which the supporting sentence is
    known.
    """
    sentences = answer.ledger.sentences if answer.ledger else ()
    citations = [(sentence, paper_id) for sentence in sentences for paper_id in sentence.citations]
    cited_share = sum(bool(sentence.citations) for sentence in sentences) / max(len(sentences), 1)
    with_excerpt = sum(any(e.source_id == paper_id for e in sentence.evidence) for sentence, paper_id in citations)
    return cited_share, with_excerpt / max(len(citations), 1)


def _read(record: Mapping[str, object], place: str) -> tuple[str, tuple[Item, ...]]:
    question, rows = record.get("question"), record.get("items")
    if not isinstance(question, str) or not isinstance(rows, list) or not rows:
        raise CorpusError(f"{place} is no rubric: {LAYOUT}")
    items = tuple(_item(row, place) for row in rows)
    if not isclose(total := fsum(item.weight for item in items), ITEMS, abs_tol=1e-6):
        raise CorpusError(f"{place}: the weights sum to {total:g}, and have to sum to {ITEMS}: correct them")
    return question, items


def _item(row: object, place: str) -> Item:
    if isinstance(row, dict):
        criterion, weight, evidence = row.get("criterion"), row.get("weight"), row.get("evidence") or []
        if (
            isinstance(criterion, str)
            and isinstance(weight, int | float)
            and isinstance(evidence, list)
            and all(isinstance(excerpt, str) for excerpt in evidence)
        ):
            return Item(criterion, float(weight), tuple(evidence))
    raise CorpusError(f"{place} has an item of another layout: {LAYOUT}")
