"""Questions from the reference lists of a corpus: a review provides the question, and the papers in the corpus that it
cites are the answer.

The published benchmark uses sentences from reviews, each with the papers that it cites together (`multi_paper.py`). A
corpus records only which paper cites which, so here the question is a review's title, or the most informative sentence
of its abstract, and the answer is all its references in the corpus. The review itself must not be found.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np
import pyarrow as pa

from pathfinder.addons.evaluation.multi_paper import DEFAULT_N, MIN_CITATIONS, without_citations
from pathfinder.addons.evaluation.single_paper import Question, extractive_question_writer
from pathfinder.addons.evaluation.synthetic import SyntheticSet, check_seed
from pathfinder.corpus.network.writing import rows_by_work, work_key
from pathfinder.corpus.paper_columns import PAPER_SCHEMA, batch_of
from pathfinder.corpus.store import Corpus, open_corpus
from pathfinder.errors import UsageError
from pathfinder.evaluation.collections import CAVEAT_KEY, distinct_documents
from pathfinder.landscape.data.placed_reviews import open_placed
from pathfinder.text.latex.search_text import plain_text
from pathfinder.types import Paper

MIN_WORDS = 3
"""Minimum number of words in a title that can serve as a question; "Introduction" cannot."""

CAVEAT = (
    "a reference list shows what the authors cited, not everything that answers the question: papers that they did not "
    "cite count as wrong, and some references are beside the point. Use it to compare methods on one set, not to "
    "compare corpora, and not for a method that follows citations, because the judgements are themselves citations"
)
STAND_INS = "no paper is marked as a review, so every paper with a long reference list stands in for one"

_REMEDY = "name a FILE with sentences from reviews and the papers that they cite"


class Asks(StrEnum):
    """Part of a review that serves as the question."""

    TITLE = "title"
    SENTENCE = "sentence"
    """The sentence in the abstract that adds most to the title."""


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceLists:
    """The long reference lists of a corpus."""

    papers: Sequence[Paper]
    titles: Sequence[str]
    """Titles of all papers."""
    places_cited: Mapping[int, Sequence[int]]
    """Rows of the papers that a paper cites, by the row of the citing paper; lists of fewer than six papers in the
    corpus are left out.
    """
    reviews: frozenset[int]
    """Rows of the papers that the corpus, or its list of reviews, marks as reviews."""


def read_reference_lists(source: Path) -> ReferenceLists:
    """Read the reference lists of a corpus, or of a file of papers.

    Raises `UsageError` if no paper lists references, and `CorpusError` for a source that cannot be read.
    """
    if source.is_dir():
        return reference_lists_of(open_corpus(source))
    papers, _ = distinct_documents(source)
    if not any(paper.references for paper in papers):
        raise UsageError(f"{source} has no reference lists, because no paper in it lists references: {_REMEDY}")
    rows = rows_by_work(pa.Table.from_batches([batch_of(papers)], PAPER_SCHEMA))
    reviews = frozenset(row for row, paper in enumerate(papers) if paper.is_review)
    inside = {row: _rows_cited(row, paper, rows) for row, paper in enumerate(papers)}
    places_cited = {row: places for row, places in inside.items() if len(places) >= MIN_CITATIONS}
    return ReferenceLists(papers, [paper.title for paper in papers], places_cited, reviews)


def reference_lists_of(corpus: Corpus) -> ReferenceLists:
    """Return the reference lists of an open corpus. Raises `UsageError` if it has no citation network."""
    network = corpus.network
    if network is None:
        why = corpus.absent["network"]
        raise UsageError(f"{corpus.folder} has no reference lists ({why}); or {_REMEDY}")
    rows = np.flatnonzero(network.references.lengths() >= MIN_CITATIONS).tolist()
    review_rows = set(np.flatnonzero(np.array(corpus.papers.column("is_review").to_pylist(), dtype=np.bool_)).tolist())
    if (path := corpus.path("reviews")) is not None:
        review_rows |= {review.row for review in open_placed(path, len(corpus.papers)) if review.row is not None}
    places_cited = {row: network.references.of(row).tolist() for row in rows}
    return ReferenceLists(corpus.papers, corpus.papers.titles(), places_cited, frozenset(review_rows))


def _rows_cited(own: int, paper: Paper, rows: Mapping[str, int]) -> list[int]:
    inside = {rows[key] for key in map(work_key, paper.references) if key in rows}
    return sorted(inside - {own})


def make_reference_list_set(
    lists: ReferenceLists, n: int = DEFAULT_N, seed: int = 0, asks: Asks = Asks.TITLE
) -> SyntheticSet:
    """Make at most `n` questions, drawn with `seed`, each from a review with at least six references in the corpus.

    The id of a question is that of its review; the search must find neither the review nor a copy with the same title.
    If no paper is marked as a review, every paper with such a list stands in for one. Raises `UsageError` if no
    question can be made.
    """
    if n < 1:
        raise UsageError(f"the number of questions must be at least 1, got {n}")
    check_seed(seed)
    reviews_with_lists = sorted(lists.places_cited.keys() & lists.reviews)
    asking = reviews_with_lists or sorted(lists.places_cited)
    order = np.random.default_rng(seed).permutation(len(asking))
    questions, passed_over = _questions([asking[int(place)] for place in order], lists, n, seed, asks)
    if not questions:
        raise UsageError(f"no question can be made from these references ({_why_none(lists, passed_over)}): {_REMEDY}")
    ids = {row: lists.papers[row].paper_id for row in questions}
    copies = _rows_by_title(lists.titles)
    about: dict[str, str | int] = {
        "kind": "multi-paper",
        "made": f"from reference lists, with the {asks.value} as the question",
        "n": len(questions),
        "seed": seed,
        f"papers with at least {MIN_CITATIONS} references in the corpus": len(lists.places_cited),
        "of these, marked as reviews": len(reviews_with_lists),
        "references": sum(len(lists.places_cited[row]) for row in questions),
        CAVEAT_KEY: CAVEAT if reviews_with_lists else f"{CAVEAT}; {STAND_INS}",
    }
    return SyntheticSet(
        {ids[row]: text for row, text in questions.items()},
        {ids[row]: {lists.papers[place].paper_id: 1 for place in lists.places_cited[row]} for row in questions},
        about | {f"passed over: {reason}": count for reason, count in passed_over.items()},
        {ids[row]: _copies(row, lists, copies[lists.titles[row].casefold()]) for row in questions},
    )


def _questions(
    rows: Sequence[int], lists: ReferenceLists, n: int, seed: int, asks: Asks
) -> tuple[dict[int, str], Counter[str]]:
    """Make questions from the papers at `rows`, in order, until there are `n` questions; count the papers that
    yield none.
    """
    writer = _ask_by_title if asks is Asks.TITLE else extractive_question_writer(lists.papers, seed).write
    questions: dict[int, str] = {}
    passed_over: Counter[str] = Counter()
    for row in rows:
        text, reason = writer(lists.papers[row])
        if text is None:
            passed_over[reason] += 1
        elif text in questions.values():
            passed_over["the same question as another paper"] += 1
        else:
            questions[row] = without_citations(text)
        if len(questions) == n:
            break
    return questions, passed_over


def _ask_by_title(paper: Paper) -> Question:
    title = plain_text(paper.title)
    return (title, "") if len(title.split()) >= MIN_WORDS else (None, f"a title of fewer than {MIN_WORDS} words")


def _rows_by_title(titles: Sequence[str]) -> dict[str, list[int]]:
    rows: dict[str, list[int]] = {}
    for row, title in enumerate(titles):
        rows.setdefault(title.casefold(), []).append(row)
    return rows


def _copies(row: int, lists: ReferenceLists, same_title: Sequence[int]) -> frozenset[str]:
    """Return the ids of the review and of the papers with its title, apart from those that it cites."""
    return frozenset(lists.papers[place].paper_id for place in {*same_title, row} - set(lists.places_cited[row]))


def _why_none(lists: ReferenceLists, passed_over: Counter[str]) -> str:
    if not lists.places_cited:
        return f"no paper cites {MIN_CITATIONS} or more papers in the corpus"
    return "; ".join(f"{count} have {reason}" for reason, count in passed_over.items())
