"""Cells without a chat model: the sentence from the abstract that suits the column best, or the values stated there."""

from collections.abc import Iterator, Sequence

import numpy as np

from pathfinder.answering.comparison.columns import ColumnRole, ComparisonColumn
from pathfinder.answering.comparison.roles import LEAST, suitability
from pathfinder.assessment.values.stated_values import values_in
from pathfinder.assessment.values.target import QuantityTarget
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.models.ports import Embedder
from pathfinder.text.latex.display import readable
from pathfinder.text.quantities.measurements import measurements
from pathfinder.text.sentences import sentence_spans
from pathfinder.types import ComparisonCell, Paper

LEAST_COSINE = 0.3
"""Minimum cosine similarity of a sentence to the name of a column that has no role."""
MAX_NUMBERS = 3


def cells_of(
    paper: Paper, columns: Sequence[ComparisonColumn], embedder: Embedder
) -> tuple[ComparisonCell | None, ...]:
    """Return a cell for each column; `None` where no sentence in the abstract suits it."""
    sentences = [paper.abstract[start:end] for start, end in sentence_spans(paper.abstract)]
    return tuple(_cell(paper, sentences, column, embedder) for column in columns)


def numbers_in(sentence: str) -> tuple[str, ...]:
    """Return the first few numbers in a sentence that have a unit or an uncertainty, as written."""
    numbers = (each for each in measurements(sentence) if each.unit or each.plus is not None)
    return tuple(readable(sentence[each.start : each.end]) for each in numbers)[:MAX_NUMBERS]


def _cell(
    paper: Paper, sentences: Sequence[str], column: ComparisonColumn, embedder: Embedder
) -> ComparisonCell | None:
    if not sentences:
        return None
    if column.target is not None:
        return _value_cell(paper, column.target)
    if column.role is ColumnRole.OTHER:
        sentence = _closest(sentences, column.name, embedder)
    else:
        sentence = _most_suitable(sentences, column)
    return None if sentence is None else ComparisonCell(readable(sentence), sentence, numbers_in(sentence))


def _value_cell(paper: Paper, target: QuantityTarget) -> ComparisonCell | None:
    candidates = values_in(target, paper.paper_id, paper.title, paper.abstract)
    if not candidates:
        return None
    own = next((each for each in candidates if not each.is_part), candidates[0])
    text = readable(paper.abstract[own.stated_value.start : own.stated_value.end])
    return ComparisonCell(text, paper.abstract[own.sentence_start : own.sentence_end], (text,))


def _most_suitable(sentences: Sequence[str], column: ComparisonColumn) -> str | None:
    scores = [
        suitability(column, sentence, place) for sentence, place in zip(sentences, _places(sentences), strict=True)
    ]
    best = int(np.argmax(scores))
    return sentences[best] if scores[best] >= LEAST[column.role] else None


def _places(sentences: Sequence[str]) -> Iterator[float]:
    last = max(1, len(sentences) - 1)
    yield from (place / last for place in range(len(sentences)))


def _closest(sentences: Sequence[str], name: str, embedder: Embedder) -> str | None:
    """Return the sentence closest in meaning to the name of a column, preferring one that contains its words."""
    stems = _stems(name)
    cosines = embedder.embed(sentences, "document") @ embedder.embed([name], "query")[0]
    n_shared = np.array([len(stems & _stems(sentence)) for sentence in sentences])
    best = int(np.lexsort((cosines, n_shared))[-1])
    return sentences[best] if n_shared[best] or cosines[best] >= LEAST_COSINE else None


def _stems(text: str) -> set[str]:
    return set(stems(words(text), QUESTION_STOP_WORDS))
