"""Likeness: turns example papers and texts into a vector, words and keywords to look up.

The direction is `normalise(mean(like) - 0.5 * mean(unlike))` over the unit vectors of the papers and of the text
(Rocchio 1971). A factor of 1 instead of 0.5 would also remove what both kinds of example have in common, which is most
of the vector when all papers belong to one field.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.store import Corpus
from pathfinder.errors import UsageError
from pathfinder.index.predicate import Predicate
from pathfinder.models.ports import Embedder
from pathfinder.retrieval.lookup.question import Direction
from pathfinder.retrieval.stages import Models, StageLog, StageReport
from pathfinder.text.english import counted
from pathfinder.types import Keyword, Likeness, RetrievalMode, Rows, SearchRequest, StageOutcome

LESS = 0.5
"""Weight of the examples from which the hits should differ."""

KEYWORDS_PER_PAPER = 5
_TITLE_CHARACTERS = 80
_NEAREST_TO_TEXT = 5


@dataclass(frozen=True, slots=True, eq=False)
class ResolvedExamples:
    """Examples found in the corpus."""

    likeness: Likeness
    more: Rows
    less: Rows


def describe(likeness: Likeness, papers: PaperTable) -> str:
    """Describe the examples, or return the text if it is the only example. Raises `UsageError` for a paper that is not
    in the corpus.
    """
    examples = resolve_examples(likeness, papers)
    if likeness.text and not (likeness.more or likeness.less or likeness.place):
        return likeness.text
    parts = [f"like: {_titles(examples.more, papers)}"] if likeness.more else []
    parts += [f"like the text: {_shorten(likeness.text)}"] if likeness.text else []
    parts += [f"unlike: {_titles(examples.less, papers)}"] if likeness.less else []
    if likeness.place:
        x, y = likeness.place
        parts.append(f"near ({x:.2f}, {y:.2f}) on the map")
    return "; ".join(parts)


def resolve_examples(likeness: Likeness, papers: PaperTable) -> ResolvedExamples:
    """Find the rows of the papers that `likeness` names. Raises `UsageError` for a paper that is not in the corpus."""
    ids = (*likeness.more, *likeness.less)
    rows = papers.rows_of(ids)
    for paper_id, row in zip(ids, rows, strict=True):
        if row < 0:
            raise UsageError(f"the paper {paper_id!r} is not in this corpus: name another, or paste its abstract")
    return ResolvedExamples(likeness, rows[: len(likeness.more)], rows[len(likeness.more) :])


def direction_of(
    request: SearchRequest, examples: ResolvedExamples, corpus: Corpus, embedder: Embedder, log: StageLog
) -> tuple[Direction, StageReport]:
    """Return the unit vector to look up, and a description of it; `None` if there are no examples that the hits should
    resemble.
    """
    if request.sides is RetrievalMode.SPARSE:
        return None, StageReport("words only", status=StageOutcome.SKIPPED)
    text = examples.likeness.text
    like = [corpus.dense.vectors(examples.more)]
    if text:
        if embedder.is_cut(text):
            log.note(f"the text is too long: only its first {embedder.max_tokens} tokens were embedded")
        like.append(embedder.embed([text], "document"))
    vectors = np.concatenate(like)
    if not len(vectors):
        return None, StageReport("a place alone", status=StageOutcome.SKIPPED)
    direction = vectors.mean(axis=0)
    if len(examples.less):
        direction = direction - LESS * corpus.dense.vectors(examples.less).mean(axis=0)
    parts = [counted(len(examples.more), "paper")] if len(examples.more) else []
    parts += ["the text"] if examples.likeness.text else []
    less = f", less {LESS:g} of {counted(len(examples.less), 'paper')}" if len(examples.less) else ""
    return normalise(direction), StageReport(f"like {' and '.join(parts)}{less}", embedder.name)


def normalise(direction: NDArray[np.float32]) -> NDArray[np.float32]:
    """Scale `direction` to length 1. Raises `UsageError` if the examples cancel out."""
    length = float(np.linalg.norm(direction))
    if length == 0:
        raise UsageError("the examples of what to find and of what to avoid cancel each other out: leave some out")
    return (direction / length).astype(np.float32)


def without_examples(
    examples: ResolvedExamples, vector: Direction, predicate: Predicate, corpus: Corpus, log: StageLog
) -> Predicate:
    """Exclude the example papers from `predicate`; a note names them."""
    text = examples.likeness.text
    rows = [*examples.more.tolist(), *examples.less.tolist()]
    if text:
        rows += _with_text(text, vector, corpus)
    if not rows:
        return predicate
    log.note(f"left out because they are among your examples: {_titles(np.array(sorted(set(rows))), corpus.papers)}")
    return predicate.without(corpus.papers.take(np.array(rows, dtype=np.int64)).paper_ids())


def _with_text(text: str, vector: Direction, corpus: Corpus) -> list[int]:
    """Find the papers whose abstract, or title and abstract, is `text`."""
    rows = corpus.sparse.search(text, _NEAREST_TO_TEXT).rows
    if vector is not None:
        rows = np.union1d(rows, corpus.dense.search(vector, _NEAREST_TO_TEXT).rows)
    folded_text = _fold(text)
    papers = zip(rows.tolist(), corpus.papers.take(rows), strict=True)
    return [row for row, paper in papers if folded_text in (_fold(paper.abstract), _fold(paper.text))]


def texts_of(examples: ResolvedExamples, papers: PaperTable | None) -> list[str]:
    """Return the texts of the examples that the hits should resemble, or only the ids of the papers if `papers` is
    `None`.
    """
    own = list(examples.likeness.more) if papers is None else [paper.text for paper in papers.take(examples.more)]
    return own + ([examples.likeness.text] if examples.likeness.text else [])


def keywords_of(
    request: SearchRequest, examples: ResolvedExamples, corpus: Corpus, models: Models
) -> tuple[tuple[Keyword, ...], StageReport]:
    """Return the keywords of the papers and the text, except those that the reader dropped, then the reader's own."""
    dropped_keywords = {keyword.casefold() for keyword in request.dropped_keywords}
    candidates = {}
    for paper in corpus.papers.take(examples.more):
        for text in (*paper.subjects, *paper.keywords)[:KEYWORDS_PER_PAPER]:
            candidates[text.casefold()] = Keyword(text)
    if examples.likeness.text:
        candidates |= {k.text.casefold(): k for k in models.extractor.question_keywords(examples.likeness.text)}
    own = {text.casefold(): Keyword(text, is_given=True) for text in map(str.strip, request.extra_keywords) if text}
    remaining = [keyword for key, keyword in candidates.items() if key not in dropped_keywords and key not in own]
    return (*remaining, *own.values()), StageReport("of the papers and the text given")


def _fold(text: str) -> str:
    return " ".join(text.casefold().split())


def _titles(rows: Rows, papers: PaperTable) -> str:
    return ", ".join(f'"{_shorten(paper.title)}"' for paper in papers.take(rows))


def _shorten(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _TITLE_CHARACTERS else f"{text[: _TITLE_CHARACTERS - 3]}..."
