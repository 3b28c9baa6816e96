"""Papers from live sources that are not in the corpus, without duplicates."""

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from pathfinder.corpus.merging import identifier_keys, merged_record, same_paper
from pathfinder.corpus.merging.finder import Finder
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.store import Corpus
from pathfinder.sources.live.allowance import LiveReply
from pathfinder.types import LiveSource, Paper

N_ALIKE = 5
"""Number of papers in the corpus with which a new paper is compared by the merging rule: those that best match the
words of its title.
"""

_COLUMNS = {
    "arxiv": ("arxiv_id", "paper_id"),
    "doi": ("doi", "paper_id"),
    "bibcode": ("bibcode", "paper_id"),
    "openalex": ("openalex_id", "paper_id"),
    "pmid": ("pmid",),
}
"""Columns of the corpus that hold each kind of identifier."""


@dataclass(frozen=True, slots=True)
class NewPaper:
    """A paper that is not in the corpus, and the live sources that found it."""

    paper: Paper
    sources: tuple[LiveSource, ...]


def new_papers(replies: Sequence[LiveReply], corpus: Corpus) -> tuple[NewPaper, ...]:
    """Return the papers in `replies` that are not in the corpus; records of one paper in several replies are merged."""
    records: dict[str, list[Paper]] = {}
    sources: dict[str, list[LiveSource]] = {}
    finder = Finder()
    for group, reply in enumerate(replies):
        for paper in reply.papers:
            earlier = finder.same(paper, group)
            name = earlier[0].paper_id if earlier else paper.paper_id
            if earlier is None and name not in records:
                finder.add(paper, group)
            records.setdefault(name, []).append(paper)
            sources.setdefault(name, []).append(reply.source)
    merged_papers = ((merged_record(own), tuple(dict.fromkeys(sources[name]))) for name, own in records.items())
    return tuple(NewPaper(paper, found_in) for paper, found_in in merged_papers if not is_in(paper, corpus))


def is_in(paper: Paper, corpus: Corpus) -> bool:
    """Return whether the corpus has `paper`, recognised by an identifier or by the rule for merging records."""
    if corpus.papers.rows_of([paper.paper_id])[0] >= 0 or _has_identifier(paper, corpus.papers):
        return True
    alike = corpus.sparse.search(paper.title, N_ALIKE).rows
    return any(same_paper(other, paper) is not None for other in corpus.papers.take(alike))


def _has_identifier(paper: Paper, papers: PaperTable) -> bool:
    keys = identifier_keys(paper)
    for kind, names in keys.items():
        for column in _COLUMNS.get(kind, ()):
            if _occurs(papers.column(column), sorted(names)):
                return True
    identifiers = [f"{kind}:{name}" for kind, names in keys.items() for name in names]
    others = papers.column("other_ids")
    return any(_occurs(pc.list_flatten(chunk), identifiers) for chunk in others.iterchunks())


def _occurs(column: pa.ChunkedArray | pa.Array, names: Sequence[str]) -> bool:
    """Return whether a column contains one of `names`, which are in lower case; case in the column is ignored."""
    is_named = pc.is_in(pc.utf8_lower(column), value_set=pa.array(names, pa.string()))
    return bool(pc.any(is_named).as_py())
