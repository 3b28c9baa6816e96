"""The table of papers, with keywords and citation percentiles, written batch by batch."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from pathfinder.building.changes import PAPERS_PER_BATCH
from pathfinder.building.progress import Progress
from pathfinder.corpus.journal import Journal, journal_key
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.corpus.paper_columns import PAPER_SCHEMA, TABLE_SCHEMA, batch_of, papers_of
from pathfinder.corpus.table_counts import with_percentiles
from pathfinder.types import Paper

KEYWORDS_PER_PAPER = 20
PAPERS_PER_RECORD = 64
"""Number of papers whose keywords are stored together; computing them takes a fifth of a second."""


def write_with_keywords(
    new: pa.Table, extractor: KeywordExtractor, journal: Journal, path: Path, progress: Progress
) -> None:
    """Write the papers in `new` to `path`, each with its keywords, taken from the journal or newly extracted."""
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
    """Extract the keywords of `texts`, and return them as journal records."""
    phrases_by_key = ((key, extractor.phrases(text, limit=KEYWORDS_PER_PAPER)) for key, text in texts.items())
    return [(key, json.dumps(phrases).encode()) for key, phrases in phrases_by_key]


def _with_keywords(papers: Sequence[Paper], extractor: KeywordExtractor, journal: Journal) -> list[Paper]:
    if missing := without_keywords(papers, extractor, journal):
        journal.append(extract_keywords(missing, extractor))
    return [replace(paper, keywords=tuple(json.loads(journal[_key(paper, extractor)]))) for paper in papers]


def _key(paper: Paper, extractor: KeywordExtractor) -> bytes:
    return journal_key("keywords", extractor.name, paper.text)


def write_papers(previous: pa.Table | None, new: pa.Table, path: Path) -> None:
    """Write the known papers followed by the new ones, each with its citation percentile among all of them."""
    table = new if previous is None else pa.concat_tables([previous.select(PAPER_SCHEMA.names), new])
    table = with_percentiles(table)
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, TABLE_SCHEMA) as writer:
        for start in range(0, table.num_rows, PAPERS_PER_BATCH):
            for batch in table.slice(start, PAPERS_PER_BATCH).combine_chunks().to_batches():
                writer.write_batch(batch)
