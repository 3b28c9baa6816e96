"""The engines that can hold the vectors of a corpus in place of files: their registry, and what each of them can do.

Add-ons and other packages add engines through the entry point group `pathfinder.engines`. Where an engine holds
vectors, a file of the corpus names it, in the key "engine" of a JSON object whose other keys are its own; so a new
version takes effect in the same step as all other parts of the corpus. Without such a file, `dense.py` reads vectors.
"""

import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

from pydantic import TypeAdapter

from pathfinder.errors import EngineError
from pathfinder.index.dense import DenseIndex
from pathfinder.index.passages import PassageIndex
from pathfinder.index.ports import VectorIndex, WordIndex
from pathfinder.index.predicate import Mask, PaperColumns
from pathfinder.index.sparse import SparseIndex
from pathfinder.models.ports import Vectors
from pathfinder.plugins import Registry
from pathfinder.text.strict_json import read_json
from pathfinder.types import Floats, Rows

What = Literal["papers", "titles", "passages"]
"""Kind of text whose vectors are in a collection."""
SERVED_FILE = "vectors.json"
"""File in the folder of passages that names the engine of their vectors."""


@dataclass(frozen=True, slots=True)
class Filterable:
    """Fields that an engine stores alongside vectors."""

    years: Floats
    """Year of each paper; NaN where it is unknown."""
    has_abstract: Mask
    papers: Rows | None = None
    """Row of each vector's paper; if `None`, vector i belongs to paper i."""
    texts: Callable[[Rows], Sequence[str]] = lambda rows: [""] * len(rows)
    """Returns the texts whose vectors are at the given rows."""
    facts: Callable[[Rows], Sequence[Mapping[str, object]]] = lambda rows: [{}] * len(rows)
    """Returns what else is known about the papers whose vectors are at the given rows, such as their authors."""


@dataclass(frozen=True, slots=True)
class VectorsOf:
    """The vectors of an index, which can be read like an array."""

    index: VectorIndex

    def __len__(self) -> int:
        return len(self.index)

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.index), self.index.dimension

    def __getitem__(self, rows: Rows) -> Vectors:
        return self.index.vectors(rows)


@dataclass(frozen=True, slots=True)
class Collection:
    """Where an engine holds the vectors of a corpus, as specified for a build.

    Raises `UsageError` for an unknown engine, and for an address or a name that it does not take.
    """

    engine: str
    uri: str
    name: str

    def __post_init__(self) -> None:
        ENGINES.get(self.engine).check(self.uri, self.name)

    def write(
        self,
        owner: Path,
        vectors: Vectors | VectorsOf,
        papers: Filterable,
        path: Path,
        advance: Callable[[int], None],
        what: What = "papers",
    ) -> None:
        """See `Write`."""
        write = ENGINES.get(self.engine).write
        ENGINES.use(self.engine, lambda: write(self, owner, vectors, papers, path, advance, what))


class Holding(NamedTuple):
    """What holds the vectors of a corpus's papers, as `pathfinder info` shows it."""

    name: str
    """Name of the engine."""
    version: str
    uri: str
    """Address at which it was reached."""
    collection: str
    schema_version: int
    words: bool
    """True if it also ranks papers by their words."""


class EngineVectors(VectorIndex):
    """Vectors in an engine: row i is paper i, or the passage at place i."""

    @property
    @abstractmethod
    def source(self) -> Collection:
        """Collection to which a new version of the corpus is written."""

    @property
    @abstractmethod
    def holding(self) -> Holding:
        """What holds the vectors."""

    @abstractmethod
    def words(self, own: SparseIndex) -> WordIndex:
        """Return the index of the papers' words: `own`, or one that the engine completes."""


class Write(Protocol):
    """Writes the vectors of one version of a corpus."""

    def __call__(
        self,
        target: Collection,
        owner: Path,
        vectors: Vectors | VectorsOf,
        papers: Filterable,
        path: Path,
        advance: Callable[[int], None],
        what: What,
    ) -> None:
        """Write unit `vectors`, shape (n, dimension), of the corpus in the folder `owner`, and the file at `path` that
        names the engine. `advance` is told the number of vectors written since it was last called.
        """


@dataclass(frozen=True, slots=True)
class Engine:
    """What holds the vectors of a corpus in place of files."""

    check: Callable[[str, str], None]
    """Raises `UsageError` for an address, or a name of a collection, that cannot be used."""
    write: Write
    open: Callable[[Path, PaperColumns | None], EngineVectors]
    """Opens the vectors that the file at a path names; without the columns of the papers, searches cannot be filtered.
    Raises `EngineError` if the vectors are not there as they were written.
    """
    drop_unused: Callable[[Sequence[Path], Sequence[Path]], None]
    """Deletes the vectors that the first files name, except those that the second, which are still needed, name."""


ENGINES: Registry[Engine] = Registry("pathfinder.engines", Engine, {}, "engine")


@dataclass(frozen=True, slots=True)
class _Named:
    engine: str


_NAMED = TypeAdapter(_Named)


def _engine(name: str, path: Path) -> Engine:
    """Return the engine that the file at `path` names. Raises `EngineError` if there is none of that name."""
    if name not in ENGINES:
        raise EngineError(
            f"{path} says that the engine {name!r} holds vectors of this corpus, and no engine of that name is in use: "
            "install what brings it, let neither PATHFINDER_ADDONS nor PATHFINDER_PLUGINS leave it out, or build the "
            "corpus again from its sources in a new folder"
        )
    return ENGINES.get(name)


def _name_in(path: Path) -> str:
    return read_json(_NAMED, path).engine


def open_vectors(path: Path, columns: PaperColumns | None = None) -> VectorIndex:
    """Open vectors: an index file, or those in an engine, which a JSON file names. Without the `columns` of the papers,
    searches cannot be filtered. Raises `EngineError` if there is no such engine, or if it does not have them.
    """
    if path.suffix != ".json":
        return DenseIndex.open(path, columns)
    engine = _engine(name := _name_in(path), path)
    return ENGINES.use(name, lambda: engine.open(path, columns))


def open_passages(folder: Path, columns: PaperColumns | None = None) -> PassageIndex:
    """Open the passages in `folder`, whose vectors are in a file there, or in an engine."""
    served = folder / SERVED_FILE
    return PassageIndex.open(folder, columns, open_vectors(served, columns) if served.is_file() else None)


def open_words(folder: Path, vectors: VectorIndex, columns: PaperColumns | None = None) -> WordIndex:
    """Open the index of words in `folder`, completed by the engine that holds the papers' `vectors`, if one does."""
    own = SparseIndex.open(folder, columns)
    return vectors.words(own) if isinstance(vectors, EngineVectors) else own


def collection_holding(index: object) -> Collection | None:
    """Return the collection that holds the vectors of an index; `None` if a file holds them."""
    return index.source if isinstance(index, EngineVectors) else None


def drop_unused(folder: Path, unused_parts: Iterable[str], needed_parts: Iterable[str]) -> None:
    """Let the engines of `unused_parts` of a corpus delete the vectors that no version of it needs."""
    unused, needed = _by_engine(folder, unused_parts), _by_engine(folder, needed_parts)
    for name, paths in unused.items():
        drop = partial(_engine(name, paths[0]).drop_unused, paths, needed.get(name, []))
        ENGINES.use(name, drop)


def _by_engine(folder: Path, parts: Iterable[str]) -> dict[str, list[Path]]:
    """Return the files in `parts` that name an engine, by its name."""
    names = sorted(parts)
    files = [folder / name for name in names if re.fullmatch(r"(dense|titles)-\w+\.json", name)]
    files += [folder / name / SERVED_FILE for name in names if (folder / name / SERVED_FILE).is_file()]
    paths: dict[str, list[Path]] = {}
    for path in files:
        paths.setdefault(_name_in(path), []).append(path)
    return paths
