"""An open corpus: papers and indexes, memory-mapped, all listed in one manifest.

Nothing here is unpickled, because people get corpora from strangers.
"""

import dataclasses
import datetime
from collections.abc import Callable, Iterator, Mapping, Sized
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import pyarrow as pa

from pathfinder.corpus.coordinates import Coordinates, open_coordinates
from pathfinder.corpus.features import FeatureDictionary, open_features
from pathfinder.corpus.manifest import MANIFEST_NAME, Manifest, name_of, read_manifest
from pathfinder.corpus.network import CitationNetwork, open_network
from pathfinder.corpus.paper_columns import TABLE_SCHEMA, read_table
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.parts import check_ends, check_whole
from pathfinder.corpus.reranker_check import RerankerCheck
from pathfinder.corpus.thesaurus import Thesaurus, open_thesaurus
from pathfinder.errors import CORPUS_REMEDY, CorpusDamaged, CorpusError
from pathfinder.index.engines import open_passages, open_vectors, open_words
from pathfinder.index.full_texts import FullTextIndex
from pathfinder.index.ports import PassageVectors, TokenSource, VectorIndex, WordIndex
from pathfinder.index.postings import KEYWORDS
from pathfinder.index.terms import KeywordIndex
from pathfinder.index.tokens import TokenStore
from pathfinder.models.ports import Embedder, FiledEmbedder
from pathfinder.profile import Profile, astronomy, parse_profile
from pathfinder.types import AsOf, CorpusName

INDEX_ROLES = ("papers", "dense", "sparse", "terms")
"""Parts that every corpus has; they are opened with it."""

PASSAGE_ROLES = ("tokens", "passages", "titles")
"""Parts with the vectors of tokens, passages and titles; opened with the corpus if it has them. All other parts are
read on demand.
"""

LATER_ROLES = (*PASSAGE_ROLES, "network", "features", "atlas", "reviews", "groups", "layers")
"""Parts that older corpora lack; building again in the same folder adds them."""

FULL_TEXT_PASSAGES = "fulltextpassages"
"""Part that holds the index of the full texts; opened with the corpus if it was made from the corpus's current list of
full texts.
"""

FULL_TEXTS = "fulltext"
"""Part that lists the full texts."""

FULL_TEXT_ROLES = (FULL_TEXTS, FULL_TEXT_PASSAGES)
"""Parts that do not belong to a version: builds, updates and rollbacks keep them."""

_TOO_OLD = "this corpus is too old to have {}: to add {}, build again from its sources in the same folder"
_ONE_THING = {"atlas": ("an atlas", "it"), "network": ("a citation network", "it")}

_UNREADABLE = (OSError, ValueError, LookupError, TypeError, AttributeError, RuntimeError, EOFError)
"""Errors that Arrow, FAISS and NumPy raise for a damaged file."""


Part = TypeVar("Part")


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """Papers and their indexes; row i refers to the same paper in each."""

    folder: Path
    name: CorpusName
    manifest: Manifest
    papers: PaperTable
    dense: VectorIndex
    sparse: WordIndex
    terms: KeywordIndex
    thesaurus: Thesaurus | None = None
    """Thesaurus; `None` if the corpus was built without one."""
    tokens: TokenSource | None = None
    passages: PassageVectors | None = None
    titles: VectorIndex | None = None
    network: CitationNetwork | None = None
    """Citation network of the papers; `None` if no paper lists references or if the corpus is too old to have one."""
    coordinates: Coordinates | None = None
    """Position of each paper on the map; `None` if the corpus is too small for a map."""
    reranker_check: RerankerCheck | None = None
    """Effect of the local reranker in this corpus; `None` if it was not measured."""
    live: Mapping[int, str] = dataclasses.field(default_factory=dict)
    """Names of the live sources that have added papers for one question, by the rows of those papers."""
    profile: Profile = dataclasses.field(default_factory=astronomy)
    """Profile of the corpus's field; astronomy unless the build specified another."""
    full_texts: FullTextIndex | None = None
    """Passages of the full texts; `None` if there are none, or if one of them has changed or gone since."""
    as_of: AsOf | None = None
    """Year as of which the corpus is read, without later or undated papers (`as_of.py`); `None` for all papers."""
    features: FeatureDictionary | None = None
    """Features of the papers; `None` if the corpus is too small or too old to have any."""

    @property
    def absent(self) -> dict[str, str]:
        """Parts missing from this corpus, each with the reason and, if there is one, a way to add it."""
        missing = [role for role in LATER_ROLES if role not in self.manifest.parts]
        too_old = {role: _TOO_OLD.format(*_ONE_THING.get(role, (role, "them"))) for role in missing}
        if self.lacks_keywords:
            too_old["keywords"] = _TOO_OLD.format("keywords in its index by words", "them (no paper is embedded again)")
        return too_old | dict(self.manifest.absent)

    @property
    def lacks_keywords(self) -> bool:
        """True if papers have keywords that its index by words, made by an earlier version, does not search."""
        files = self.manifest.parts["sparse"].files
        return self.manifest.counts.with_subjects > 0 and not any(f"/{KEYWORDS}" in entry.name for entry in files)

    @property
    def live_places(self) -> dict[int, tuple[float, float]]:
        """Places of the papers in `live` on the map, by row; empty if there is no map."""
        if self.coordinates is None:
            return {}
        return {row: (float(self.coordinates[row, 0]), float(self.coordinates[row, 1])) for row in self.live}

    @property
    def snapshot(self) -> datetime.date | None:
        """Day from which ages are counted back; `None` if no paper has a date and no day was specified."""
        return self.manifest.snapshot

    def path(self, role: str) -> Path | None:
        """Return the file or folder of a part, such as "landscape"; `None` if this corpus does not have it."""
        part = self.manifest.parts.get(role)
        return None if part is None else self.folder / part.name

    def read(self, role: str) -> bytes:
        """Read a part that is a single file, such as "outliers". Raises `CorpusDamaged` if it is missing."""
        path = self.folder / _part_name(self.folder, self.manifest, role)
        try:
            return path.read_bytes()
        except OSError as error:
            raise CorpusDamaged(f"{path} cannot be read ({error.strerror}): {CORPUS_REMEDY}") from error

    def check_embedder(self, embedder: Embedder) -> None:
        """Raise `CorpusError` unless this corpus was made with `embedder`."""
        check_embedder(self.folder, self.manifest, embedder)


def open_corpus(folder: Path) -> Corpus:
    """Open a corpus after checking its manifest and the start and end of each file.

    Raises `CorpusError` if there is no readable corpus, and `CorpusDamaged` if a file is missing, truncated or altered.
    """
    manifest, sha256 = read_manifest(folder)
    for part in manifest.parts.values():
        check_ends(folder, part)
    return open_parts(folder, manifest, sha256)


def verify_corpus(folder: Path) -> Corpus:
    """Open a corpus after checking every byte against the manifest."""
    manifest, sha256 = read_manifest(folder)
    return verify_parts(folder, manifest, sha256)


def verify_parts(folder: Path, manifest: Manifest, manifest_sha256: str) -> Corpus:
    """Check every byte of the files listed in `manifest`, which need not be in place yet, and open them."""
    for part in manifest.parts.values():
        check_whole(folder, part)
    corpus = open_parts(folder, manifest, manifest_sha256)
    with _readable(folder / manifest.parts["papers"].name) as path:
        _table(path).validate(full=True)
    return corpus


def open_parts(folder: Path, manifest: Manifest, manifest_sha256: str) -> Corpus:
    """Open the parts listed in `manifest`; each must contain as many papers as the manifest states."""
    paths = {role: folder / _part_name(folder, manifest, role) for role in INDEX_ROLES}
    with _readable(paths["papers"]) as path:
        papers = PaperTable(_table(path))
    with _readable(paths["dense"]) as path:
        dense = open_vectors(path, papers)
    with _readable(paths["sparse"]) as path:
        sparse = open_words(path, dense, papers)
    with _readable(paths["terms"]) as path:
        terms = KeywordIndex.open(path)
    sizes = {"papers": len(papers), "dense": len(dense), "sparse": len(sparse), "terms": len(terms.has_keywords)}
    for role, size in sizes.items():
        _check_number(paths[role], "papers", size, manifest.counts.papers)
    _check_number(paths["dense"], "dimensions", dense.dimension, manifest.dimension)

    def opened(role: str, open_one: Callable[[Path], Part]) -> Part | None:
        """Open an optional part, and check its number of papers and its dimensions, if it has any."""
        if role not in manifest.parts:
            return None
        with _readable(folder / manifest.parts[role].name) as path:
            part = open_one(path)
        if isinstance(part, Sized):
            _check_number(path, "papers", len(part), manifest.counts.papers)
        _check_number(path, "dimensions", getattr(part, "dimension", manifest.dimension), manifest.dimension)
        return part

    full_texts = open_full_text_index(folder, manifest, papers)
    if full_texts is not None:
        # Without the list of its texts, or with texts that are no longer there, it cannot be searched.
        texts = manifest.parts.get(FULL_TEXTS)
        with _readable(folder / texts.name if texts else folder) as path:
            is_current = full_texts.made_from == path.name or (texts and full_texts.has_only_texts_of(path))
        full_texts = full_texts if is_current else None
    return Corpus(
        folder,
        name_of(folder, manifest, manifest_sha256),
        manifest,
        papers,
        dense,
        sparse,
        terms,
        thesaurus=open_thesaurus(folder / manifest.parts["thesaurus"].name) if "thesaurus" in manifest.parts else None,
        tokens=opened("tokens", partial(TokenStore.open, form=manifest.form_of_tokens, papers=dense)),
        passages=opened("passages", partial(open_passages, columns=papers)),
        titles=opened("titles", partial(open_vectors, columns=papers)),
        network=opened("network", open_network),
        coordinates=opened("landscape", open_coordinates),
        reranker_check=opened("reranker", lambda path: RerankerCheck.from_json(path.read_bytes(), str(path))),
        profile=corpus_profile(folder, manifest),
        full_texts=full_texts,
        features=opened("features", open_features),
    )


def open_full_text_index(folder: Path, manifest: Manifest, papers: PaperTable) -> FullTextIndex | None:
    """Open the index of the full texts, even if the texts have changed since; `None` if the corpus has none."""
    if FULL_TEXT_PASSAGES not in manifest.parts:
        return None
    with _readable(folder / manifest.parts[FULL_TEXT_PASSAGES].name) as path:
        index = FullTextIndex.open(path, papers.rows_of, len(papers), papers)
    _check_number(path, "dimensions", index.vectors.dimension, manifest.dimension)
    return index


def corpus_profile(folder: Path, manifest: Manifest) -> Profile:
    """Read the profile of a corpus; return the astronomy profile if the build specified none."""
    if "profile" not in manifest.parts:
        return astronomy()
    with _readable(folder / manifest.parts["profile"].name) as path:
        return parse_profile(path.read_bytes(), str(path))


def check_embedder(folder: Path, manifest: Manifest, embedder: Embedder) -> None:
    """Raise `CorpusError` unless the corpus in `folder` was made with `embedder`."""
    made_with, other = (manifest.embedder, manifest.dimension), (embedder.name, embedder.dimension)
    if made_with != other:
        raise CorpusError(
            f"{folder} was embedded with {made_with[0]} ({made_with[1]} dimensions), not with {other[0]} ({other[1]}): "
            f"choose {made_with[0]}, or build another corpus with {other[0]}"
        )
    files = embedder.files if isinstance(embedder, FiledEmbedder) else {}
    if other_files := sorted(name for name, digest in manifest.embedder_files.items() if files.get(name) != digest):
        raise CorpusError(
            f"{folder} was embedded with {embedder.name} when its {other_files[0]} had SHA-256 "
            f"{manifest.embedder_files[other_files[0]]}, and it now has {files.get(other_files[0])}: restore that file "
            "(onnx:ORG/NAME@REVISION names an earlier one), or build the corpus again in a new folder"
        )


def _table(path: Path) -> pa.Table:
    table = read_table(path)
    if not table.schema.equals(TABLE_SCHEMA):
        raise CorpusDamaged(f"{path} has columns that this version of Pathfinder does not write: {CORPUS_REMEDY}")
    table.validate()
    return table


def _part_name(folder: Path, manifest: Manifest, role: str) -> str:
    if role not in manifest.parts:
        raise CorpusDamaged(f"{folder / MANIFEST_NAME} names no {role!r}: {CORPUS_REMEDY}")
    return manifest.parts[role].name


def _check_number(path: Path, what: str, number: int, expected_number: int) -> None:
    if number != expected_number:
        raise CorpusDamaged(f"{path} has {number} {what}, but the manifest says {expected_number}: {CORPUS_REMEDY}")


@contextmanager
def _readable(path: Path) -> Iterator[Path]:
    try:
        yield path
    except _UNREADABLE as error:
        raise CorpusDamaged(f"{path} cannot be read ({type(error).__name__}: {error}): {CORPUS_REMEDY}") from error
