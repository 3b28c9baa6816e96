"""The multi-paper benchmark (arXiv:2408.01556, section 5): sentences of reviews, and the papers cited together there.

Citations come from a file, since a corpus keeps none: JSON lines, each of one of three kinds.

    {"text": sentence, "citations": [ids]}              a sentence and its cluster of citations
    {"clusters": [{"text": ..., "citations": [ids]}]}   several of one review
    {"title": ..., "references": [ids]}                 a review and all that it cites: its title is the question

Ids are a paper's own, its arXiv number, its bibcode or its DOI. Only clusters of more than five citations count, as
published; what the corpus does not hold cannot be found and is left out of the judgements, and counted.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pathfinder.corpus.readers import Rejected
from pathfinder.corpus.readers.fields import Record, Unusable, list_field, quoted, text_field
from pathfinder.corpus.readers.json_lines import read_json_lines
from pathfinder.errors import CorpusError, UsageError
from pathfinder.evaluation.synthetic import SyntheticSet, check_seed
from pathfinder.types import Paper

DEFAULT_N = 200
"""As published."""
MIN_CITATIONS = 6
"""More than five, as published."""
MEASURES = ("recall@50", "ndcg@50", "recall@100", "ndcg@100")
"""What is counted on such a set; the published text says 50 and its figure 100."""

_YEAR = r"(?:1[89]|20)\d\d[a-z]?\b"
_NO_NAME = (
    r"(?!(?:January|February|March|April|May|June|July|August|September|October|November|December|In|Since|By|From|"
    r"Abell|Arp|Gliese|Markarian|Messier|Mrk)\b)"
)
"""What stands before a year, or a number like one, and wrote nothing."""
_NAME = rf"\b(?:(?:van|von|de|den|der|di|du|la|le)\s+)*{_NO_NAME}[^\W\d_a-z](?=[\w'’-]*[a-z])[\w'’-]+"
_NAMES = rf"{_NAME}(?:(?:,?\s+(?:&|and)|,)?\s+{_NAME})*(?:,?\s+et\s+al\b\.?)?\+?"

_MARKS = re.compile(
    r"\\[a-z]*cite[a-z]*\*?(?:\[[^\]]*\])*\{[^}]*\}"  # LaTeX
    r"|\[\s*\d+(?:\s*[,;–-]\s*\d+)*\s*\]"  # numbers in brackets
    rf"|\([^()]*(?:{_NAMES}|\bet\s+al\b\.?),?\s*{_YEAR}[^()]*\)"  # names and years
    rf"|(?:\b(?:by|of|in|see)\s+)?{_NAMES}\s*\(\s*{_YEAR}(?:\s*[,;]\s*{_YEAR})*\s*\)"  # names, and years in brackets
)
"""Marks of citations: they would give the papers away, or are noise."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """A question, and what is cited for it."""

    text: str
    citations: tuple[str, ...]


Found = tuple[Cluster, tuple[str, ...]]
"""A cluster, and the ids of those of its papers that the corpus has."""


def make_multi(
    papers: Sequence[Paper], citations: Path, n: int = DEFAULT_N, seed: int = 0, min_found: int = 1
) -> SyntheticSet:
    """At most `n` questions, drawn by `seed`, from the clusters in `citations` of which the corpus holds any paper.

    `min_found` is how many of them it must hold. Raises `CorpusError` for a file that cannot be read, or a line that
    is of none of the three kinds; `UsageError` where no cluster is left.
    """
    if n < 1 or min_found < 1:
        raise UsageError(f"the numbers of questions and of papers found must be at least 1, got {n} and {min_found}")
    check_seed(seed)
    named = _by_identifier(papers)
    counts: Counter[str] = Counter()
    by_text: dict[str, Found] = {}
    for cluster in read_clusters(citations):
        found = tuple(dict.fromkeys(named[key] for cited in cluster.citations if (key := cited.casefold()) in named))
        reason = _why_not(cluster, found, min_found)
        if reason is None and (text := cluster.text.casefold()) in by_text:
            reason = "have the text of an earlier one and are one with it"
            by_text[text] = _joined(by_text[text], (cluster, found))
        elif reason is None:
            by_text[text] = cluster, found
        counts[reason or "usable"] += 1
    usable = list(by_text.values())
    if not usable:
        reasons = "; ".join(f"{count} {reason}" for reason, count in counts.items()) or "it has none"
        raise UsageError(f"no cluster of {citations} can be asked for in this corpus ({reasons}): name another file")
    drawn = [usable[int(row)] for row in np.sort(np.random.default_rng(seed).permutation(len(usable))[:n])]
    return _as_set(drawn, counts, seed)


def _joined(one: Found, other: Found) -> Found:
    citations, found = ((*one[0].citations, *other[0].citations), (*one[1], *other[1]))
    return Cluster(one[0].text, tuple(dict.fromkeys(citations))), tuple(dict.fromkeys(found))


def _why_not(cluster: Cluster, found: Sequence[str], min_found: int) -> str | None:
    if len(cluster.citations) < MIN_CITATIONS:
        return f"have fewer than {MIN_CITATIONS} citations"
    if len(found) < min_found:
        return f"have fewer than {min_found} papers in the corpus"
    return None if cluster.text else "have no words beside their citations"


def _as_set(drawn: Sequence[Found], counts: Mapping[str, int], seed: int) -> SyntheticSet:
    questions = {f"cluster-{place}": cluster.text for place, (cluster, _) in enumerate(drawn, start=1)}
    judgements = {f"cluster-{place}": dict.fromkeys(found, 1) for place, (_, found) in enumerate(drawn, start=1)}
    about: dict[str, str | int] = {
        "kind": "multi-paper",
        "n": len(drawn),
        "seed": seed,
        "citations": sum(len(cluster.citations) for cluster, _ in drawn),
        "citations in the corpus": sum(len(found) for _, found in drawn),
    }
    return SyntheticSet(questions, judgements, about | {f"clusters: {reason}": n for reason, n in counts.items()})


def read_clusters(path: Path) -> Iterator[Cluster]:
    """The clusters of a file, in its order, the marks of citations taken out of their sentences."""
    found: list[Cluster] = []

    def keep(record: Record) -> Paper:
        found.extend(_clusters(record))
        return Paper("", "", "")

    for _, row in read_json_lines(path, keep):
        if isinstance(row, Rejected):
            raise CorpusError(f"{path}, line {row.line}: {row.reason}: mend the line")
        yield from found
        found.clear()


def _clusters(record: Record) -> list[Cluster]:
    clusters = record.get("clusters")
    if clusters is not None:
        if not isinstance(clusters, list) or not all(isinstance(cluster, dict) for cluster in clusters):
            raise Unusable(f"clusters must be a list of objects, got {quoted(clusters)}")
        return [_cluster(cluster, "text", "citations") for cluster in clusters]
    if "citations" in record:
        return [_cluster(record, "text", "citations")]
    if "references" in record:
        return [_cluster(record, "title", "references")]
    raise Unusable("it has none of citations, clusters and references")


def _cluster(record: Record, question: str, cited: str) -> Cluster:
    text = text_field(record, question)
    if text is None:
        raise Unusable(f"{question} is missing")
    return Cluster(without_marks(text), list_field(record, cited))


def without_marks(sentence: str) -> str:
    """The sentence less the marks of its citations: numbers in brackets, names with years, LaTeX."""
    return re.sub(r"\s+([.,;:])", r"\1", " ".join(_MARKS.sub(" ", sentence).split())).strip(" ,;:")


def _by_identifier(papers: Sequence[Paper]) -> dict[str, str]:
    """Every name of every paper, without regard to case; a paper's own id comes before another's DOI."""
    named: dict[str, str] = {}
    own: dict[str, str] = {}
    for paper in papers:
        own[paper.paper_id.casefold()] = paper.paper_id
        for name in (paper.arxiv_id, paper.bibcode, paper.doi):
            if name:
                named.setdefault(name.casefold(), paper.paper_id)
    return named | own
