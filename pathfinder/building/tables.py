"""The table of papers, with keywords and citation percentiles, written batch by batch."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pathfinder.building.changes import PAPERS_PER_BATCH
from pathfinder.building.progress import Progress
from pathfinder.corpus.journal import Journal, journal_key
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.corpus.manifest import Counts
from pathfinder.corpus.paper_columns import PAPER_SCHEMA, TABLE_SCHEMA, batch_of, floats_of, papers_of, years_of
from pathfinder.types import Floats, Paper

KEYWORDS_PER_PAPER = 20
PAPERS_PER_RECORD = 64
"""Number of papers whose keywords are stored together; computing them takes a fifth of a second."""


def write_with_keywords(
    new: pa.Table, extractor: KeywordExtractor, journal: Journal, path: Path, progress: Progress
) -> None:
    """Write the papers of `new` to `path`, each with its keywords, taken from the journal or newly extracted."""
    progress.start("keywords", new.num_rows)
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, PAPER_SCHEMA) as writer:
        for batch in new.to_batches():
            papers = list(papers_of(batch))
            for start in range(0, len(papers), PAPERS_PER_RECORD):
                some = slice(start, start + PAPERS_PER_RECORD)
                papers[some] = _with_keywords(papers[some], extractor, journal)
                progress.advance(len(papers[some]))
            writer.write_batch(batch_of(papers))
    progress.finish()


def without_keywords(papers: Sequence[Paper], extractor: KeywordExtractor, journal: Journal) -> dict[bytes, str]:
    """Return the texts whose keywords are not in the journal, by their keys."""
    texts = {_key(paper, extractor): paper.text for paper in papers}
    return {key: text for key, text in texts.items() if key not in journal}


def extract_keywords(texts: Mapping[bytes, str], extractor: KeywordExtractor) -> list[tuple[bytes, bytes]]:
    """Extract the keywords of `texts`; returns journal records."""
    phrases_by_key = ((key, extractor.phrases(text, limit=KEYWORDS_PER_PAPER)) for key, text in texts.items())
    return [(key, json.dumps(phrases).encode()) for key, phrases in phrases_by_key]


def _with_keywords(papers: Sequence[Paper], extractor: KeywordExtractor, journal: Journal) -> list[Paper]:
    if missing := without_keywords(papers, extractor, journal):
        journal.append(extract_keywords(missing, extractor))
    return [replace(paper, keywords=tuple(json.loads(journal[_key(paper, extractor)]))) for paper in papers]


def _key(paper: Paper, extractor: KeywordExtractor) -> bytes:
    return journal_key("keywords", extractor.name, paper.text)


def write_papers(known: pa.Table | None, new: pa.Table, path: Path) -> None:
    """Write the known papers followed by the new ones, each with its citation percentile among all of them."""
    table = new if known is None else pa.concat_tables([known.select(PAPER_SCHEMA.names), new])
    percentiles = citation_percentiles(
        years_of(table), floats_of(table, "citation_count"), floats_of(table, "citation_rank_in_year")
    )
    column = pa.array(percentiles, pa.float64(), mask=np.isnan(percentiles))
    table = table.append_column(TABLE_SCHEMA.field("citation_percentile"), column)
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, TABLE_SCHEMA) as writer:
        for start in range(0, table.num_rows, PAPERS_PER_BATCH):
            for batch in table.slice(start, PAPERS_PER_BATCH).combine_chunks().to_batches():
                writer.write_batch(batch)


def count(table: pa.Table) -> Counts:
    """Count the papers in a table of `TABLE_SCHEMA`, and those with each kind of metadata."""
    return Counts(
        papers=table.num_rows,
        dated=int((~np.isnan(years_of(table))).sum()),
        with_citation_count=table.num_rows - table["citation_count"].null_count,
        with_authors=_n_filled(table, "authors"),
        with_keywords=_n_filled(table, "keywords"),
        with_subjects=_n_filled(table, "subjects"),
        summaries=int(pc.sum(table["is_summary"]).as_py() or 0),
        without_abstract=int(pc.sum(pc.equal(pc.binary_length(table["abstract"]), 0)).as_py() or 0),
    )


def _n_filled(table: pa.Table, column: str) -> int:
    return int(pc.sum(pc.greater(pc.list_value_length(table[column]), 0)).as_py() or 0)


def citation_percentiles(years: Floats, counts: Floats, ranks: Floats) -> Floats:
    """Return the percentile of each paper's citations among the papers of its year, in (0, 1]; NaN where unknown.

    For a paper with a citation count, this is the fraction of the year's papers with a known count that have no more
    citations than it. For a paper with only a rank within the year (0 is the most cited), it is the fraction of the
    year's ranked papers that have the same rank or are cited less.
    """
    by_count = _shares_at_or_below(years, counts)
    return np.where(np.isnan(by_count), _shares_at_or_below(years, -ranks), by_count)


def _shares_at_or_below(years: Floats, values: Floats) -> Floats:
    shares = np.full(len(years), np.nan)
    known = np.flatnonzero(~(np.isnan(years) | np.isnan(values)))
    for year in np.unique(years[known]):
        rows = known[years[known] == year]
        shares[rows] = np.searchsorted(np.sort(values[rows]), values[rows], side="right") / len(rows)
    return shares
