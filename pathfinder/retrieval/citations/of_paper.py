"""The place of one paper in the citation network."""

from collections import Counter

import numpy as np

from pathfinder.corpus.network import CitationNetwork
from pathfinder.corpus.network.arrays import Relatives, co_cited, coupled_papers
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.store import Corpus
from pathfinder.errors import UsageError
from pathfinder.types import PaperCitations, RelatedPaper

N_RELATED = 10
"""Number of papers returned for each of the two relations: co-citation and coupling."""


def citations_of(paper_id: str, corpus: Corpus) -> PaperCitations:
    """Return what a paper cites, what cites it, and the `N_RELATED` papers closest to it by co-citation and by
    coupling.

    Raises `UsageError` for a paper that is not in the corpus, and for a corpus without a citation network.
    """
    network, papers = network_of(corpus), corpus.papers
    row = int(papers.known_rows((paper_id,))[0])
    citing = network.citing.of(row)
    years = papers.years()[citing]
    return PaperCitations(
        paper=papers[row],
        references=tuple(papers.take(network.references.of(row))),
        outside=network.outside_of(row),
        cited_by=tuple(papers.take(citing)),
        citations_by_year=dict(sorted(Counter(years[~np.isnan(years)].astype(np.int64).tolist()).items())),
        co_cited=_related_papers(co_cited(network, row), papers),
        coupled_papers=_related_papers(coupled_papers(network, row), papers),
    )


def network_of(corpus: Corpus) -> CitationNetwork:
    """Return the citation network of a corpus. Raises `UsageError` with the reason if it has none."""
    if corpus.network is None:
        raise UsageError(f"this corpus has no citation network: {corpus.absent['network']}")
    return corpus.network


def _related_papers(relatives: Relatives, papers: PaperTable) -> tuple[RelatedPaper, ...]:
    shares = zip(relatives.n_shared[:N_RELATED].tolist(), relatives.similarity[:N_RELATED].tolist(), strict=True)
    rows = zip(papers.take(relatives.rows[:N_RELATED]), shares, strict=True)
    return tuple(RelatedPaper(paper, n_shared, similarity) for paper, (n_shared, similarity) in rows)
