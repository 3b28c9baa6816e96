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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pathfinder.addons.evaluation.synthetic import SyntheticSet, check_seed
from pathfinder.corpus.readers import RejectedRow
from pathfinder.corpus.readers.json_lines import JSON_LINES
from pathfinder.corpus.schemas.fields import Record, Unusable, list_field, shorten, text_field
from pathfinder.errors import CorpusError, UsageError
from pathfinder.grounding.marks import IN_ABSTRACTS
from pathfinder.text.author_names import CITED_YEAR, ET_AL, PARTICLE
from pathfinder.text.english import MONTHS, any_of
from pathfinder.types import Paper

DEFAULT_N = 200
"""Number of questions in the published benchmark."""
MIN_CITATIONS = 6
"""Minimum number of citations in a cluster: more than five, as in the published benchmark."""
MEASURES = ("recall@50", "ndcg@50", "recall@100", "ndcg@100")
"""Measures for a multi-paper set; the cut-off is 50 in the text of the published paper, but 100 in its figure."""

_YEAR = rf"{CITED_YEAR}[a-z]?\b"
_NO_NAME = rf"(?!{any_of(MONTHS, 'In Since By From Abell Arp Gliese Markarian Messier Mrk'.split())}\b)"
"""Words that can precede a year, or a number that looks like one, but are not authors' names."""
_NAME = rf"\b(?:{PARTICLE}\s+)*{_NO_NAME}[^\W\d_a-z](?=[\w'’-]{{0,40}}[a-z])[\w'’-]{{1,40}}"
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
    if n < 1:
        raise UsageError(f"the number of questions must be at least 1, got {n}")
    check_seed(seed)
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
