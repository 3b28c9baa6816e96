"""Columns of papers whose ids are the numbers of their rows, to filter an index that a test wrote by itself."""

import pyarrow as pa

from pathfinder.corpus.paper_columns import PAPER_SCHEMA, batch_of
from pathfinder.corpus.papers import PaperTable
from pathfinder.types import Paper


def numbered(n: int) -> PaperTable:
    """`n` papers with the ids "0", "1", "2" ..."""
    papers = [Paper(str(row), f"Paper {row}", "") for row in range(n)]
    return PaperTable(pa.Table.from_batches([batch_of(papers)], schema=PAPER_SCHEMA))


def ids(*rows: int) -> frozenset[str]:
    """The ids of the papers in these rows."""
    return frozenset(map(str, rows))
