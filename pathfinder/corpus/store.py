"""An opened corpus: papers and indexes, memory-mapped, all of one manifest.

Nothing here is unpickled: a corpus is a folder that strangers hand each other.
"""

import datetime
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import pyarrow as pa

from pathfinder.corpus.coordinates import Coordinates, open_coordinates
from pathfinder.corpus.manifest import MANIFEST_NAME, Manifest, read_manifest
from pathfinder.corpus.papers import TABLE_SCHEMA, PaperTable, read_table
from pathfinder.corpus.parts import REMEDY, check_ends, check_whole
from pathfinder.corpus.thesaurus import Thesaurus, open_thesaurus
from pathfinder.errors import CorpusDamaged, CorpusError
from pathfinder.index.dense import DenseIndex
from pathfinder.index.passages import PassageIndex
from pathfinder.index.sparse import SparseIndex
from pathfinder.index.terms import KeywordIndex
from pathfinder.index.tokens import TokenStore
from pathfinder.models.ports import Embedder
from pathfinder.types import CorpusName

INDEX_ROLES = ("papers", "dense", "sparse", "terms")
"""What is opened with the corpus, and what no corpus is without."""

PIECE_ROLES = ("tokens", "passages", "titles")
"""What is opened with the corpus where it is there. All other parts are read when they are asked for."""

LATER_ROLES = (*PIECE_ROLES, "atlas", "reviews", "layers", "overlays")
"""What corpora have since a later version only; a build into the folder of an older one adds it."""

_TOO_OLD = "this corpus is older than its {}: build again from its sources into its folder, which adds {}"

_UNREADABLE = (OSError, ValueError, LookupError, TypeError, AttributeError, RuntimeError, EOFError)
"""What Arrow, FAISS, NumPy and bm25s raise between them when a file is not what it should be."""


_Piece = TypeVar("_Piece", TokenStore, PassageIndex, DenseIndex)


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """Papers and the indexes over them; row i is the same paper in each."""

    folder: Path
    name: CorpusName
    manifest: Manifest
    papers: PaperTable
    dense: DenseIndex
    sparse: SparseIndex
    terms: KeywordIndex
    thesaurus: Thesaurus | None = None
    """`None` where none was given to the build; the manifest's `absent` has the way out."""
    tokens: TokenStore | None = None
    passages: PassageIndex | None = None
    titles: DenseIndex | None = None
    coordinates: Coordinates | None = None
    """Where each paper lies on the map; `None` where the corpus is too small for one."""

    @property
    def absent(self) -> dict[str, str]:
        """Parts that this corpus does not have, with the reason and, where there is one, the way to them."""
        missing = [role for role in LATER_ROLES if role not in self.manifest.parts]
        too_old = {role: _TOO_OLD.format(role, "it" if role == "atlas" else "them") for role in missing}
        return too_old | dict(self.manifest.absent)

    @property
    def snapshot(self) -> datetime.date | None:
        """The day that ages are counted to; `None` when no paper has a date and none was given."""
        return self.manifest.snapshot

    def path(self, role: str) -> Path | None:
        """The file or folder of one part, such as "landscape"; `None` where this corpus has none."""
        part = self.manifest.parts.get(role)
        return None if part is None else self.folder / part.name

    def read(self, role: str) -> bytes:
        """The content of one part that is a file, such as "outliers". Raises `CorpusDamaged` where there is none."""
        path = self.folder / _part_name(self.folder, self.manifest, role)
        try:
            return path.read_bytes()
        except OSError as error:
            raise CorpusDamaged(f"{path} cannot be read ({error.strerror}): {REMEDY}") from error

    def check_embedder(self, embedder: Embedder) -> None:
        """Raise `CorpusError` unless `embedder` is the one that made this corpus."""
        check_embedder(self.folder, self.manifest, embedder)


def open_corpus(folder: Path) -> Corpus:
    """Open a corpus, once its manifest and the ends of each file are found in order.

    Raises `CorpusError` where there is no corpus that can be read, `CorpusDamaged` where a file is
    missing, cut or altered.
    """
    manifest, sha256 = read_manifest(folder)
    for part in manifest.parts.values():
        check_ends(folder, part)
    return open_parts(folder, manifest, sha256)


def verify_corpus(folder: Path) -> Corpus:
    """Open a corpus, once every byte of it is found to be what the manifest says."""
    manifest, sha256 = read_manifest(folder)
    return verify_parts(folder, manifest, sha256)


def verify_parts(folder: Path, manifest: Manifest, manifest_sha256: str) -> Corpus:
    """Check every byte of what `manifest` names, which need not be in place yet, and open it."""
    for part in manifest.parts.values():
        check_whole(folder, part)
    corpus = open_parts(folder, manifest, manifest_sha256)
    with _readable(folder / manifest.parts["papers"].name) as path:
        _table(path).validate(full=True)
    return corpus


def open_parts(folder: Path, manifest: Manifest, manifest_sha256: str) -> Corpus:
    """Open what `manifest` names; each part must hold as many papers as the manifest says."""
    paths = {role: folder / _part_name(folder, manifest, role) for role in INDEX_ROLES}
    with _readable(paths["papers"]) as path:
        papers = PaperTable(_table(path))
    with _readable(paths["dense"]) as path:
        dense = DenseIndex.open(path)
    with _readable(paths["sparse"]) as path:
        sparse = SparseIndex.open(path)
    with _readable(paths["terms"]) as path:
        terms = KeywordIndex.open(path)
    sizes = {"papers": len(papers), "dense": len(dense), "sparse": len(sparse), "terms": len(terms.has_keywords)}
    for role, size in sizes.items():
        _check_number(paths[role], "papers", size, manifest.counts.papers)
    _check_number(paths["dense"], "dimensions", dense.dimension, manifest.dimension)
    thesaurus = open_thesaurus(folder / manifest.parts["thesaurus"].name) if "thesaurus" in manifest.parts else None
    name = CorpusName(folder.resolve().name, manifest_sha256[:12], manifest.counts.papers)
    return Corpus(
        folder,
        name,
        manifest,
        papers,
        dense,
        sparse,
        terms,
        thesaurus,
        tokens=_opened(folder, manifest, "tokens", TokenStore.open),
        passages=_opened(folder, manifest, "passages", PassageIndex.open),
        titles=_opened(folder, manifest, "titles", DenseIndex.open),
        coordinates=_coordinates(folder, manifest),
    )


def _opened(folder: Path, manifest: Manifest, role: str, open_one: Callable[[Path], _Piece]) -> _Piece | None:
    """A part that need not be there; where it is, it has as many papers and dimensions as the manifest says."""
    if role not in manifest.parts:
        return None
    with _readable(folder / manifest.parts[role].name) as path:
        piece = open_one(path)
    _check_number(path, "papers", len(piece), manifest.counts.papers)
    _check_number(path, "dimensions", piece.dimension, manifest.dimension)
    return piece


def _coordinates(folder: Path, manifest: Manifest) -> Coordinates | None:
    if "landscape" not in manifest.parts:
        return None
    path = folder / manifest.parts["landscape"].name
    coordinates = open_coordinates(path)
    _check_number(path, "papers", len(coordinates), manifest.counts.papers)
    return coordinates


def check_embedder(folder: Path, manifest: Manifest, embedder: Embedder) -> None:
    """Raise `CorpusError` unless `embedder` is the one that made the corpus in `folder`."""
    made_with, given = (manifest.embedder, manifest.dimension), (embedder.name, embedder.dimension)
    if made_with != given:
        raise CorpusError(
            f"{folder} was embedded with {made_with[0]} ({made_with[1]} dimensions), not with {given[0]} ({given[1]}): "
            f"choose {made_with[0]}, or build another corpus with {given[0]}"
        )


def _table(path: Path) -> pa.Table:
    table = read_table(path)
    if not table.schema.equals(TABLE_SCHEMA):
        raise CorpusDamaged(f"{path} has other columns than this Pathfinder writes: {REMEDY}")
    table.validate()
    return table


def _part_name(folder: Path, manifest: Manifest, role: str) -> str:
    if role not in manifest.parts:
        raise CorpusDamaged(f"{folder / MANIFEST_NAME} names no {role!r}: {REMEDY}")
    return manifest.parts[role].name


def _check_number(path: Path, what: str, found: int, expected: int) -> None:
    if found != expected:
        raise CorpusDamaged(f"{path} has {found} {what}, the manifest says {expected}: {REMEDY}")


@contextmanager
def _readable(path: Path) -> Iterator[Path]:
    try:
        yield path
    except _UNREADABLE as error:
        raise CorpusDamaged(f"{path} cannot be read ({type(error).__name__}: {error}): {REMEDY}") from error
