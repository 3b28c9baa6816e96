"""A corpus of papers alone, without an index, for tests that search nothing."""

from pathlib import Path

import pyarrow as pa

from pathfinder.corpus.manifest import SCHEMA_VERSION, Counts, Manifest, write_manifest
from pathfinder.corpus.paper_columns import TABLE_SCHEMA, batch_of
from pathfinder.corpus.parts import place_part
from pathfinder.types import Paper


def tiny_corpus(folder: Path, *papers: str | Paper) -> Path:
    """Make a corpus of papers, or of papers with these ids, in `folder`, and return its folder."""
    records = [Paper(paper, f"Title of {paper}", "") if isinstance(paper, str) else paper for paper in papers]
    corpus, staged = folder / "corpus", folder / "papers.arrow"
    corpus.mkdir()
    table = pa.Table.from_batches([batch_of(records)])
    table = table.append_column(TABLE_SCHEMA.field("citation_percentile"), pa.nulls(len(records), pa.float64()))
    with pa.OSFile(str(staged), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    parts = {"papers": place_part(staged, "papers", corpus)}
    write_manifest(corpus, Manifest(SCHEMA_VERSION, "test", "fake:4", 4, "", None, Counts(len(records)), parts))
    return corpus
