"""A preview of sources before a corpus is built from them: the first papers, and the rows that would be rejected or
that repeat a paper.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from pathfinder.corpus.merging.local_ids import LocalIds
from pathfinder.corpus.readers import RejectedRow
from pathfinder.sources.kind import Access, Window
from pathfinder.sources.opening import open_sources
from pathfinder.sources.spec import FILE
from pathfinder.types import Paper

FIRST_PAPERS = 10
MOST_ROWS = 1000
"""Maximum number of rows read from a file; for a source on the network, only the first papers are fetched."""


@dataclass(frozen=True, slots=True)
class Preview:
    """The beginning of one source."""

    source: str
    kind: str
    """Label of its kind, such as "arXiv"."""
    papers: tuple[Paper, ...]
    """Its first ten papers."""
    rejected_rows: tuple[RejectedRow, ...]
    """Rejected rows among those read."""
    n_rows: int
    """Number of rows read."""
    is_whole: bool
    """True if all rows of the source were read."""
    n_duplicates: int = 0
    """Number of the rows read that repeat an id from this or an earlier source; a build rejects or merges them."""
    notes: tuple[str, ...] = ()
    """Guesses about the source, such as which field each column of a table holds."""


def preview_sources(sources: Sequence[str | Path], window: Window, access: Access) -> tuple[Preview, ...]:
    """Read the beginning of each source, within `window`. Raises the same errors as `open_sources`."""
    ids, known_ids = LocalIds(), set[str]()
    return tuple(_preview(source, window, access, ids, known_ids) for source in sources)


def _preview(source: str | Path, window: Window, access: Access, ids: LocalIds, known_ids: set[str]) -> Preview:
    notes: list[str] = []
    access = replace(access, say=notes.append)
    (open_source,) = open_sources([source], window, access)
    is_file = open_source.spec.scheme == FILE
    if not is_file:
        most = min(FIRST_PAPERS, window.max_papers or FIRST_PAPERS)
        (open_source,) = open_sources([source], replace(window, max_papers=most), access)
    rows = [row for _, row in islice(open_source.rows, MOST_ROWS + 1)]
    papers = [row for row in rows[:MOST_ROWS] if isinstance(row, Paper)]
    new = {ids.id_of(paper, str(open_source.spec), open_source.name) for paper in papers} - known_ids
    known_ids |= new
    return Preview(
        source=str(open_source.spec),
        kind=open_source.kind.label,
        papers=tuple(papers[:FIRST_PAPERS]),
        rejected_rows=tuple(row for row in rows[:MOST_ROWS] if isinstance(row, RejectedRow)),
        n_rows=min(len(rows), MOST_ROWS),
        is_whole=len(rows) <= MOST_ROWS and (is_file or len(papers) < FIRST_PAPERS),
        n_duplicates=len(papers) - len(new),
        notes=tuple(dict.fromkeys(notes)),
    )
