"""A corpus as of a given year: as if no paper dated later, or undated, had ever been in it.

Words are weighted by their frequencies among the remaining papers, citations are counted among these alone, and ages
are counted back from the end of the year. The indexes are those of the whole corpus, limited to these papers; only the
table of papers is copied. What cannot be limited is listed by `still_later`.
"""

import datetime
from dataclasses import replace

import numpy as np
import pyarrow as pa

from pathfinder.corpus.network import CitationNetwork
from pathfinder.corpus.network.writing import network_of
from pathfinder.corpus.paper_columns import PAPER_SCHEMA, count, with_percentiles
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.store import Corpus
from pathfinder.errors import UsageError
from pathfinder.index.terms import KeywordIndex
from pathfinder.index.views import SelectedPapers, SelectedPassages, SelectedTerms, SelectedTokens, Selection
from pathfinder.types import AsOf, Paper

CITED_HERE = "this corpus"
"""Source of citation counts that include only citations from papers in the corpus."""
_EPOCH = datetime.date(1970, 1, 1)


def corpus_as_of(corpus: Corpus, year: int) -> Corpus:
    """Return `corpus` as of the end of `year`.

    Raises `UsageError` for anything but a year, and for a year before the first dated paper.
    """
    if isinstance(year, bool) or not isinstance(year, int) or not 1 <= year <= datetime.MAXYEAR:
        raise UsageError(f"as_of must be a whole year from 1 to {datetime.MAXYEAR}, got {year!r}")
    years = corpus.papers.years()
    if np.isnan(years).all():
        raise UsageError(f"as of {year} there is nothing to search: no paper in {corpus.name.name} has a date")
    if year < (first := int(np.nanmin(years))):
        raise UsageError(
            f"as of {year} there is nothing to search: the first paper in {corpus.name.name} is from {first}; choose "
            "that year or a later one"
        )
    # The papers whose year and date are known to be no later than the end of the year.
    end, days = datetime.date(year, 12, 31), corpus.papers.published_days()
    is_dated_later = (years <= year) & (days > (end - _EPOCH).days)
    rows = np.flatnonzero((years <= year) & ~is_dated_later)
    excluded_ids = frozenset(corpus.papers.take(np.flatnonzero(is_dated_later)).paper_ids())
    selection = Selection(rows, year, excluded_ids)
    as_of = AsOf(year, rows, len(years), int(np.isnan(years).sum()), corpus.network is not None)
    network = None if corpus.network is None else network_of(_table(corpus.papers, as_of))
    table = _with_citations(_table(corpus.papers, as_of), network, end)
    papers = PaperTable(table)
    return replace(
        corpus,
        name=replace(corpus.name, version=f"{corpus.name.version}@{year}", n_papers=len(papers)),
        manifest=replace(corpus.manifest, snapshot=end, counts=count(table)),
        papers=papers,
        dense=SelectedPapers(corpus.dense, selection),
        sparse=corpus.sparse.only(rows, (paper.text for paper in papers), papers),
        terms=KeywordIndex(SelectedTerms(corpus.terms.papers, selection)),
        tokens=SelectedTokens(corpus.tokens, selection) if corpus.tokens else None,
        passages=SelectedPassages(corpus.passages, selection) if corpus.passages else None,
        titles=SelectedPapers(corpus.titles, selection) if corpus.titles else None,
        network=network,
        coordinates=None if corpus.coordinates is None else np.asarray(corpus.coordinates[rows]),
        full_texts=corpus.full_texts.only(rows, papers) if corpus.full_texts else None,
        features=corpus.features.only(rows) if corpus.features else None,
        as_of=as_of,
    )


def without_citations(paper: Paper) -> Paper:
    """Return `paper` without its citation counts, which have no date."""
    return replace(paper, citation_count=None, citation_rank_in_year=None, citations_from=None, citations_on=None)


def describe_as_of(corpus: Corpus) -> str:
    """Say which papers a corpus contains as of its year, and how citations are counted; empty for a whole corpus."""
    as_of = corpus.as_of
    if as_of is None:
        return ""
    later = f"{as_of.n_later:,} dated later" if as_of.n_later else ""
    undated_papers = f"{as_of.n_undated:,} undated" if as_of.n_undated else ""
    left_out = " and ".join(filter(None, (later, undated_papers)))
    citations = (
        "only citations between these papers are counted"
        if as_of.counts_citations
        else "citations are not counted: without references, no citation has a date"
    )
    return f"{as_of.share}{f'; left out: {left_out}' if left_out else ''}; {citations}"


def still_later(corpus: Corpus) -> tuple[str, ...]:
    """List what still rests on the whole corpus, or on later knowledge, in a corpus as of a given year."""
    is_later = {
        "places on the map": corpus.coordinates is not None,
        "limits for outliers and for answering": True,
        "whether the reranker helps": corpus.reranker_check is not None,
        "thesaurus": corpus.thesaurus is not None,
        "features and the tests of their names": corpus.features is not None,
        "retractions (undated)": True,
        "summaries (may have been written after the papers)": corpus.manifest.counts.summaries > 0,
        "embedder, reranker and chat model (trained on later texts)": True,
    }
    return tuple(name for name, is_so in is_later.items() if is_so)


def _table(papers: PaperTable, as_of: AsOf) -> pa.Table:
    """Return the table of the papers that a corpus contains as of its year, in memory."""
    mask = np.zeros(as_of.n_whole, dtype=np.bool_)
    mask[as_of.rows] = True
    columns = [papers.column(name) for name in PAPER_SCHEMA.names]
    return pa.Table.from_arrays(columns, schema=PAPER_SCHEMA).filter(pa.array(mask))


def _with_citations(table: pa.Table, network: CitationNetwork | None, end: datetime.date) -> pa.Table:
    """Replace the citation counts, which are of a later date, with those in `network`; without a network, no count is
    known.
    """
    n = table.num_rows
    counts = pa.nulls(n, pa.int64()) if network is None else pa.array(network.citation_counts(), pa.int64())
    columns = {
        "citation_count": counts,
        "citation_rank_in_year": pa.nulls(n, pa.int64()),
        "citations_from": pa.nulls(n, pa.string()) if network is None else pa.array([CITED_HERE] * n, pa.string()),
        "citations_on": pa.nulls(n, pa.date32()) if network is None else pa.array([end] * n, pa.date32()),
    }
    for name, column in columns.items():
        table = table.set_column(table.schema.get_field_index(name), PAPER_SCHEMA.field(name), column)
    return with_percentiles(table)
