"""The registry of kinds of sources; opens the sources of a build, all of them before any is read, and previews them.

Other packages add kinds through the entry point group `pathfinder.sources`. To add a kind to Pathfinder, put a module
that declares a `SourceKind` into `kinds/`.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from pathfinder.corpus.merging.local_ids import LocalIds
from pathfinder.corpus.merging.rule import Twins
from pathfinder.corpus.readers import RejectedRow
from pathfinder.errors import UsageError
from pathfinder.plugins import Registry, declared_in
from pathfinder.sources.kind import Access, Memory, Row, SourceKind, Window
from pathfinder.sources.spec import FILE, SourceSpec, parse_source
from pathfinder.text.latex.display import readable
from pathfinder.types import Paper

SOURCES = Registry(
    "pathfinder.sources",
    SourceKind,
    {kind.scheme: kind for kind in declared_in("pathfinder.sources.kinds", SourceKind)},
    "kind of source",
    name_of=lambda kind: kind.scheme,
)


@dataclass(frozen=True, slots=True)
class OpenSource:
    """A source that is ready to be read."""

    spec: SourceSpec
    kind: SourceKind
    rows: Iterator[Row]
    memory: Memory
    window: Window
    vectors: str | None = None
    """Column in its files from which the vectors of its papers are read."""
    path: Path | None = None
    """Absolute path of a file or folder; its `spec` has the path as first written."""
    first_name: str | None = None
    """Name that a file had before it moved, which is still used in ids such as "smith2020@other.bib"."""
    beside_unread: bool = False
    """True if the corpus has papers from a file that is not read this time, such as a dropped or missing one: a bare
    local id may belong to that file.
    """

    is_read_once: bool = False
    """True if updates do not read it again: it holds records that were looked up for the papers of the corpus."""

    @property
    def name(self) -> str:
        """Name in reports: for a file or folder, its own name (its first one, if it has moved), without the folders
        above it; otherwise the source itself.
        """
        if self.first_name is not None:
            return self.first_name
        return Path(self.spec.rest).name if self.spec.scheme == FILE else str(self.spec)


def open_sources(
    sources: Sequence[str | Path], window: Window, access: Access, states: Mapping[str, str] | None = None
) -> tuple[OpenSource, ...]:
    """Open `sources` in order; each gets its own folder within `access.folder`.

    `states` maps each source, as written, to the note that it left when it was last read. Raises `UsageError` for a
    source that cannot be parsed, or that has no files although vectors are to be read from files, and `CorpusError` or
    `ProviderError` if one does not exist, is of an unknown kind, or lacks its key.
    """
    specs = [_parse(source) for source in sources]
    kinds = [SOURCES.get(spec.scheme) for spec in specs]
    for spec, kind in zip(specs, kinds, strict=True):
        kind.check(spec.rest)
        if access.vectors and not kind.has_files:
            raise UsageError(f"{spec} has no files from which --vectors could read vectors: leave out --vectors")
    ready = []
    for spec, kind in zip(specs, kinds, strict=True):
        memory = Memory(last=(states or {}).get(str(spec)))
        own_access = replace(
            access,
            folder=access.folder and access.folder / hashlib.sha256(str(spec).encode()).hexdigest()[:16],
            memory=memory,
        )
        ready.append(OpenSource(spec, kind, kind.open(spec, window, own_access), memory, window, access.vectors))
    return tuple(ready)


def _parse(source: str | Path) -> SourceSpec:
    if isinstance(source, Path):
        return SourceSpec(FILE, str(source))
    spec = parse_source(source, SOURCES)
    scheme, colon, _ = spec.rest.partition(":")
    if spec.scheme == FILE and colon and not Path(spec.rest).exists():
        schemes = ", ".join(name for name in SOURCES if name != FILE)
        raise UsageError(
            f"{spec.rest} is not a file, and {scheme!r} is not a kind of source: use {schemes}, or check the path"
        )
    return spec


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
    placed = [(open_source.memory.file, row) for _, row in islice(open_source.rows, MOST_ROWS + 1)]
    rows = [row for _, row in placed]
    papers = [row for row in rows[:MOST_ROWS] if isinstance(row, Paper)]
    by_id = {paper.paper_id: paper for paper in papers}
    files = {row.paper_id: file for file, row in placed[:MOST_ROWS] if isinstance(row, Paper)}
    of_files: dict[str | None, Twins] = defaultdict(Twins)
    for paper_id, paper in by_id.items():
        of_files[files[paper_id]].add(paper)
    for pair in (pair for twins in of_files.values() for pair in twins.pairs):
        names = " and ".join(by_id[each].record_field("key") or each for each in pair)
        title = readable(by_id[pair[1]].title)
        notes.append(f"{names} look like the same paper twice, and are kept apart: {title}")
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
