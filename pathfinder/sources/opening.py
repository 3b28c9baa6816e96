"""The registry of kinds of sources; and opens the sources of a build, all of them before any is read.

Other packages add kinds through the entry point group `pathfinder.sources`. To add a kind to Pathfinder, put a module
that declares a `SourceKind` into `kinds/`.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pathfinder.errors import UsageError
from pathfinder.plugins import Registry, declared_in
from pathfinder.sources.kind import Access, Memory, Row, SourceKind, Window
from pathfinder.sources.spec import FILE, SourceSpec, parse_source

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
