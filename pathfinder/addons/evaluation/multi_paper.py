"""The multi-paper benchmark (arXiv:2408.01556, section 5): sentences from reviews, each with the papers that
it cites together.

Citations are read from a file, because a corpus does not record which sentence cites which paper. The lines of the
file are JSON objects of three kinds:

    {"text": sentence, "citations": [ids]}              a sentence and its cluster of citations
    {"clusters": [{"text": ..., "citations": [ids]}]}   several clusters from one review
    {"title": ..., "references": [ids]}                 a review and everything it cites: the title is the question

An id is the paper's own id, its arXiv number, its bibcode or its DOI. Only clusters of more than five citations count,
as in the published benchmark; papers outside the corpus cannot be found, so they are counted but left out of the
judgements.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np
import pyarrow as pa

from pathfinder.addons.evaluation.single_paper import Question, extractive_question_writer
from pathfinder.addons.evaluation.synthetic import SyntheticSet, check_draw
from pathfinder.answering.grounding.marks import IN_ABSTRACTS
from pathfinder.corpus.network.writing import rows_by_work, work_key
from pathfinder.corpus.paper_columns import PAPER_SCHEMA, batch_of
from pathfinder.corpus.readers import RejectedRow
from pathfinder.corpus.readers.json_lines import JSON_LINES
from pathfinder.corpus.schemas.fields import Record, Unusable, list_field, shorten, text_field
from pathfinder.corpus.store import Corpus, open_corpus
from pathfinder.errors import CorpusError, UsageError
from pathfinder.landscape.data.placed_reviews import open_placed
from pathfinder.operations.evaluation.collections import CAVEAT_KEY, distinct_documents
from pathfinder.text.author_names import CITED_YEAR, ET_AL, PARTICLE
from pathfinder.text.english import MONTHS, any_of
from pathfinder.text.latex.search_text import plain_text
from pathfinder.types import Paper

DEFAULT_N = 200
"""Number of questions in the published benchmark."""
MIN_CITATIONS = 6
"""Minimum number of citations in a cluster: more than five, as in the published benchmark."""

_YEAR = rf"{CITED_YEAR}[a-z]?\b"
_NO_NAME = rf"(?!{any_of(MONTHS, 'In Since By From Abell Arp Gliese Markarian Messier Mrk'.split())}\b)"
"""Words that can precede a year, or a number that looks like one, but are not authors' names."""
_NAME = rf"\b(?:{PARTICLE}\s+){{0,3}}{_NO_NAME}[^\W\d_a-z](?=[\w'’-]{{0,40}}[a-z])[\w'’-]{{1,40}}"
_NAMES = rf"{_NAME}(?:(?:,?\s+(?:&|and)|,)?\s+{_NAME}){{0,12}}(?:{ET_AL})?\+?"

_MARKS = re.compile(
    IN_ABSTRACTS + rf"|\([^()]*(?:{_NAMES}|{ET_AL}),?\s*{_YEAR}[^()]*\)"  # names and years
    rf"|(?:\b(?:by|of|in|see)\s+)?{_NAMES}\s*\(\s*{_YEAR}(?:\s*[,;]\s*{_YEAR})*\s*\)"  # names, and years in brackets
)
"""Citation marks, which would give the papers away or add noise."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """A question and the papers cited for it."""

    text: str
    citations: tuple[str, ...]


FoundCluster = tuple[Cluster, tuple[str, ...]]
"""A cluster, and the ids of its papers that are in the corpus."""


def make_multi_paper_set(papers: Sequence[Paper], citations: Path, n: int = DEFAULT_N, seed: int = 0) -> SyntheticSet:
    """Make at most `n` questions, drawn with `seed`, from the clusters in `citations` that have papers in the corpus.

    Raises `CorpusError` for a file that cannot be read or a line that is of none of the three kinds, and `UsageError`
    if no cluster is left.
    """
    check_draw(seed, n)
    ids = _by_identifier(papers)
    counts: Counter[str] = Counter()
    by_text: dict[str, FoundCluster] = {}
    for cluster in read_clusters(citations):
        present = tuple(dict.fromkeys(ids[key] for name in cluster.citations if (key := name.casefold()) in ids))
        reason = _rejection(cluster, present)
        if reason is None and (text := cluster.text.casefold()) in by_text:
            reason = "repeat the text of an earlier one and are merged with it"
            by_text[text] = _join(by_text[text], (cluster, present))
        elif reason is None:
            by_text[text] = cluster, present
        counts[reason or "usable"] += 1
    usable = list(by_text.values())
    if not usable:
        reasons = "; ".join(f"{count} {reason}" for reason, count in counts.items()) or "the file has no clusters"
        raise UsageError(f"no cluster of {citations} can be used with this corpus ({reasons}): name another file")
    sample = [usable[int(row)] for row in np.sort(np.random.default_rng(seed).permutation(len(usable))[:n])]
    questions = {f"cluster-{place}": cluster.text for place, (cluster, _) in enumerate(sample, start=1)}
    judgements = {f"cluster-{place}": dict.fromkeys(present, 1) for place, (_, present) in enumerate(sample, start=1)}
    about: dict[str, str | int] = {
        "kind": "multi-paper",
        "n": len(sample),
        "seed": seed,
        "citations": sum(len(cluster.citations) for cluster, _ in sample),
        "citations in the corpus": sum(len(present) for _, present in sample),
    }
    return SyntheticSet(questions, judgements, about | {f"clusters: {reason}": n for reason, n in counts.items()})


def _join(first: FoundCluster, second: FoundCluster) -> FoundCluster:
    citations, present = ((*first[0].citations, *second[0].citations), (*first[1], *second[1]))
    return Cluster(first[0].text, tuple(dict.fromkeys(citations))), tuple(dict.fromkeys(present))


def _rejection(cluster: Cluster, present: Sequence[str]) -> str | None:
    if len(cluster.citations) < MIN_CITATIONS:
        return f"have fewer than {MIN_CITATIONS} citations"
    if not present:
        return "have fewer than 1 papers in the corpus"
    return None if cluster.text else "have no words apart from their citations"


def read_clusters(path: Path) -> Iterator[Cluster]:
    """Read the clusters in a file, in order, removing the citation marks from their sentences."""
    clusters: list[Cluster] = []

    def keep(record: Record) -> Paper:
        clusters.extend(_clusters(record))
        return Paper("", "", "")

    for _, row in JSON_LINES.read(path, keep):
        if isinstance(row, RejectedRow):
            raise CorpusError(f"{path}, line {row.line}: {row.reason}: correct the line")
        yield from clusters
        clusters.clear()


def _clusters(record: Record) -> list[Cluster]:
    clusters = record.get("clusters")
    if clusters is not None:
        if not isinstance(clusters, list) or not all(isinstance(cluster, dict) for cluster in clusters):
            raise Unusable(f"clusters must be a list of objects, got {shorten(clusters)}")
        return [_cluster(cluster, "text", "citations") for cluster in clusters]
    if "citations" in record:
        return [_cluster(record, "text", "citations")]
    if "references" in record:
        return [_cluster(record, "title", "references")]
    raise Unusable("it has no citations, clusters or references")


def _cluster(record: Record, question: str, citations: str) -> Cluster:
    text = text_field(record, question)
    if text is None:
        raise Unusable(f"{question} is missing")
    return Cluster(without_citations(text), list_field(record, citations))


def without_citations(sentence: str) -> str:
    """Remove the citation marks from a sentence: numbers in brackets, names with years, LaTeX citation commands."""
    return re.sub(r"(?<!\s)\s+([.,;:])", r"\1", " ".join(_MARKS.sub(" ", sentence).split())).strip(" ,;:")


def _by_identifier(papers: Sequence[Paper]) -> dict[str, str]:
    """Map every identifier of every paper, in lower case, to the paper's id; ids take precedence over other
    papers' other identifiers.
    """
    place_of: dict[str, str] = {}
    own: dict[str, str] = {}
    for paper in papers:
        own[paper.paper_id.casefold()] = paper.paper_id
        for name in (paper.arxiv_id, paper.bibcode, paper.doi):
            if name:
                place_of.setdefault(name.casefold(), paper.paper_id)
    return place_of | own


# Questions from the reference lists of a corpus: a review provides the question, and the papers in the corpus that
# it cites are the answer. The published benchmark uses sentences from reviews, each with the papers that it cites
# together (`multi_paper.py`). A corpus records only which paper cites which, so here the question is a review's
# title, or the most informative sentence of its abstract, and the answer is all its references in the corpus. The
# review itself must not be found.


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
    check_draw(seed, n)
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
