"""Coverage of a corpus: its papers by year, category, journal and source, and how many lack an abstract, a year, and so
on.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

import numpy as np

from pathfinder.corpus.network import CitationNetwork
from pathfinder.corpus.papers import PaperTable

MOST_NAMES = 50
"""Number of categories and journals that are listed by name, the largest first."""


@dataclass(frozen=True, slots=True)
class ReferenceCoverage:
    """Numbers of references in a corpus. A work that two sources name by different identifiers counts twice, unless it
    is a paper in the corpus.
    """

    n_references: int
    """References of all papers; a work counts once for each paper that cites it."""
    n_inside: int
    """References to papers in the corpus."""
    share_inside: float
    """Share of the references that are to papers in the corpus, in [0, 1]."""
    papers_with_references: int
    papers_cited: int
    """Papers that another paper in the corpus cites."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """Numbers of papers in a corpus."""

    by_year: Mapping[int, int]
    by_category: Mapping[str, int]
    """Papers in each of the 50 largest categories; a paper in two of them counts for both."""
    by_journal: Mapping[str, int]
    """Papers in each of the 50 largest journals; only the name in a journal reference counts, not the volume and
    pages.
    """
    by_source: Mapping[str, int]
    """Papers described by each source; a paper merged from two sources counts for both."""
    by_licence: Mapping[str, int]
    """Papers by the licence of their metadata; "unknown" if a source states none."""
    n_categories: int
    n_journals: int
    without_abstract: int
    without_date: int
    """Papers without a year."""
    without_citation_count: int
    references: ReferenceCoverage | None = None
    """Numbers of references; `None` if the corpus has no citation network."""


def coverage(papers: PaperTable, network: CitationNetwork | None = None) -> Coverage:
    """Count the papers in a corpus, and the references of its citation network."""
    years = papers.years()
    known_years = years[~np.isnan(years)].astype(np.int64)
    categories, journals = papers.property_counts("categories"), papers.property_counts("venues")
    licences = Counter(
        licence
        for records in papers.column("provenance").to_pylist()
        for licence in {record["licence"] or "unknown" for record in records}
    )
    return Coverage(
        by_year={int(year): int(n) for year, n in zip(*np.unique(known_years, return_counts=True), strict=True)},
        by_category=dict(islice(categories.items(), MOST_NAMES)),
        by_journal=dict(islice(journals.items(), MOST_NAMES)),
        by_source=dict(papers.property_counts("sources")),
        by_licence=dict(licences.most_common()),
        n_categories=len(categories),
        n_journals=len(journals),
        without_abstract=int((~papers.has_abstract()).sum()),
        without_date=int(np.isnan(years).sum()),
        without_citation_count=int(np.isnan(papers.citation_counts()).sum()),
        references=None if network is None else _references(network),
    )


def _references(network: CitationNetwork) -> ReferenceCoverage:
    n = network.n_inside + network.n_outside
    return ReferenceCoverage(
        n_references=n,
        n_inside=network.n_inside,
        share_inside=network.n_inside / n if n else 0.0,
        papers_with_references=int((network.n_references() > 0).sum()),
        papers_cited=int((network.citation_counts() > 0).sum()),
    )
