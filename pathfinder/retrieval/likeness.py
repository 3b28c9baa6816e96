"""What similar papers are looked up by: the direction, the words and the keywords of what was given.

The direction is `normalise(mean(like) - 0.5 * mean(unlike))` over the unit vectors of the papers and of the
text (Rocchio 1971). Half, since a whole would also take away what both sides have in common, which is most of
it where all are of one field.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.store import Corpus
from pathfinder.errors import UsageError
from pathfinder.index.ports import Allowed
from pathfinder.models.ports import Embedder
from pathfinder.retrieval.models import Models
from pathfinder.retrieval.question import Direction
from pathfinder.retrieval.stages import StageLog
from pathfinder.types import Keyword, Likeness, Rows, SearchRequest, Sides

LESS = 0.5
"""How far the papers to be unlike push."""

KEYWORDS_PER_PAPER = 5
_TITLE_CHARACTERS = 80
_NEAREST_TO_TEXT = 5


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """What papers should be like, found in the corpus."""

    likeness: Likeness
    more: Rows
    less: Rows


def describe(likeness: Likeness, papers: PaperTable) -> str:
    """What was asked for, in words, or the text itself. Raises `UsageError` for a paper that is not here."""
    given = find_given(likeness, papers)
    if likeness.text and not (likeness.more or likeness.less or likeness.place):
        return likeness.text
    parts = [f"like: {_titles(given.more, papers)}"] if likeness.more else []
    parts += [f"like the text: {_cut(likeness.text)}"] if likeness.text else []
    parts += [f"unlike: {_titles(given.less, papers)}"] if likeness.less else []
    if likeness.place:
        x, y = likeness.place
        parts.append(f"near ({x:.2f}, {y:.2f}) on the map")
    return "; ".join(parts)


def find_given(likeness: Likeness, papers: PaperTable) -> Given:
    """The rows of what `likeness` names. Raises `UsageError` for a paper that is not here."""
    ids = (*likeness.more, *likeness.less)
    rows = papers.rows_of(ids)
    for paper_id, row in zip(ids, rows, strict=True):
        if row < 0:
            raise UsageError(f"the paper {paper_id!r} is not in this corpus: name another, or paste its abstract")
    return Given(likeness, rows[: len(likeness.more)], rows[len(likeness.more) :])


def direction_of(
    request: SearchRequest, given: Given, corpus: Corpus, embedder: Embedder, log: StageLog
) -> tuple[Direction, str]:
    """The unit vector to look up, and what it was made of; `None` where there is nothing to be like."""
    if request.sides is Sides.SPARSE:
        return None, "words only"
    text = given.likeness.text
    like = [corpus.dense.vectors(given.more)]
    if text:
        if embedder.is_cut(text):
            log.note(f"the text is long: its meaning is taken from its first {embedder.max_tokens} tokens")
        like.append(embedder.embed([text], "document"))
    vectors = np.concatenate(like)
    if not len(vectors):
        return None, "a place alone"
    direction = vectors.mean(axis=0)
    if len(given.less):
        direction = direction - LESS * corpus.dense.vectors(given.less).mean(axis=0)
    return normalised(direction), _made_of(given)


def normalised(direction: NDArray[np.float32]) -> NDArray[np.float32]:
    """`direction` at length 1. Raises `UsageError` where nothing is left of it."""
    length = float(np.linalg.norm(direction))
    if length == 0:
        raise UsageError("what to be like and what to be unlike cancel each other out: leave some out")
    return (direction / length).astype(np.float32)


def _made_of(given: Given) -> str:
    parts = [_counted(len(given.more), "paper")] if len(given.more) else []
    parts += ["the text"] if given.likeness.text else []
    less = f", less {LESS:g} of {_counted(len(given.less), 'paper')}" if len(given.less) else ""
    return f"like {' and '.join(parts)}{less}"


def without_given(given: Given, vector: Direction, allowed: Allowed, corpus: Corpus, log: StageLog) -> Allowed:
    """The allowed papers less those that were given, which the reader is told of."""
    text = given.likeness.text
    rows = [*given.more.tolist(), *given.less.tolist()]
    if text:
        rows += _with_text(text, vector, corpus)
    if not rows:
        return allowed
    kept = np.ones(len(corpus.papers), dtype=np.bool_) if allowed is None else allowed.copy()
    kept[rows] = False
    log.note(f"left out, since given: {_titles(np.array(sorted(set(rows))), corpus.papers)}")
    return kept


def _with_text(text: str, vector: Direction, corpus: Corpus) -> list[int]:
    """The papers whose own abstract or text this is."""
    rows = corpus.sparse.search(text, _NEAREST_TO_TEXT).rows
    if vector is not None:
        rows = np.union1d(rows, corpus.dense.search(vector, _NEAREST_TO_TEXT).rows)
    wanted = _folded(text)
    papers = zip(rows.tolist(), corpus.papers.take(rows), strict=True)
    return [row for row, paper in papers if wanted in (_folded(paper.abstract), _folded(paper.text))]


def texts_of(given: Given, papers: PaperTable | None) -> list[str]:
    """The texts to be like; of the papers only their ids where `papers` are not at hand."""
    own = list(given.likeness.more) if papers is None else [paper.text for paper in papers.take(given.more)]
    return own + ([given.likeness.text] if given.likeness.text else [])


def keywords_of(
    request: SearchRequest, given: Given, corpus: Corpus, models: Models
) -> tuple[tuple[Keyword, ...], str]:
    """Those of the papers and of the text, less what the reader dropped, then the reader's own."""
    dropped = {keyword.casefold() for keyword in request.dropped_keywords}
    found = {}
    for paper in corpus.papers.take(given.more):
        for text in (*paper.subjects, *paper.keywords)[:KEYWORDS_PER_PAPER]:
            found[text.casefold()] = Keyword(text)
    if given.likeness.text:
        found |= {k.text.casefold(): k for k in models.extractor.question_keywords(given.likeness.text)}
    own = {text.casefold(): Keyword(text, is_given=True) for text in map(str.strip, request.extra_keywords) if text}
    kept = [keyword for key, keyword in found.items() if key not in dropped and key not in own]
    return (*kept, *own.values()), "of the papers and the text given"


def _counted(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _titles(rows: Rows, papers: PaperTable) -> str:
    return ", ".join(f'"{_cut(paper.title)}"' for paper in papers.take(rows))


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _TITLE_CHARACTERS else f"{text[: _TITLE_CHARACTERS - 3]}..."
