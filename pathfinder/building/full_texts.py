"""Indexes the full texts of a corpus: cut them into passages -> embed these -> write the index -> replace the manifest.

A separate journal keeps the vectors if indexing is stopped, and passages in the earlier index are not embedded again.
"""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pathfinder.building.embedding import TEXTS_PER_BATCH
from pathfinder.building.passage_maker import embed_texts, for_papers, origin
from pathfinder.building.progress import Progress
from pathfinder.corpus.earlier import earlier_manifest
from pathfinder.corpus.journal import Journal, journal_key
from pathfinder.corpus.lock import lock_corpus
from pathfinder.corpus.manifest import Manifest, part_names, read_manifest, write_manifest
from pathfinder.corpus.paper_columns import read_table
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.parts import CorpusFile, place_part
from pathfinder.corpus.store import FULL_TEXT_PASSAGES, check_embedder, open_full_text_index
from pathfinder.fulltext.passages import cut_full_text
from pathfinder.fulltext.store import ROLE, FullTexts
from pathfinder.index.full_texts import FullTextIndex, OwnedPassage, text_key, write_full_text_index
from pathfinder.models.ports import Embedder, Vectors
from pathfinder.types.full_texts import FullTextPassage

_STAGING, _JOURNAL = ".indexing", ".fulltextjournal"


def index_full_texts(corpus_dir: Path, embedder: Embedder, progress: Progress) -> int:
    """Index the full texts of the corpus in `corpus_dir` unless they are already indexed, and return the number of
    passages.

    Raises `CorpusError` for an embedder other than that of the corpus, and if the corpus is being changed elsewhere.
    """
    read_manifest(corpus_dir)  # no lock is made where there is no corpus
    with lock_corpus(corpus_dir):
        manifest, _ = read_manifest(corpus_dir)
        check_embedder(corpus_dir, manifest, embedder)
        papers = PaperTable(read_table(corpus_dir / manifest.parts["papers"].name))
        previous = open_full_text_index(corpus_dir, manifest, papers)
        if ROLE not in manifest.parts:
            _put_in_place(corpus_dir, manifest, None)
            return 0
        if previous is not None and previous.made_from == manifest.parts[ROLE].name:
            return len(previous)
        texts = FullTexts.open(corpus_dir)
        rows = papers.rows_of(texts.paper_ids)
        passages = [
            _CutPassage(paper_id, papers[int(row)].title, passage)
            for paper_id, row in zip(texts.paper_ids, rows, strict=True)
            for passage in cut_full_text(texts.document(paper_id), has_abstract=papers[int(row)].has_abstract)
        ]
        with Journal(corpus_dir / _JOURNAL) as journal:
            vectors = _PassageVectors(for_papers(embedder), journal, previous)
            vectors.embed_missing(passages, progress)
            part = _write_index(corpus_dir, manifest, texts, passages, vectors)
        _put_in_place(corpus_dir, manifest, part)
        (corpus_dir / _JOURNAL).unlink()
        return len(passages)


def renew_index(corpus_dir: Path, embedder: Embedder, progress: Progress) -> None:
    """Index the full texts again if they have changed since they were indexed, or if their papers were removed."""
    if FULL_TEXT_PASSAGES in read_manifest(corpus_dir)[0].parts:
        index_full_texts(corpus_dir, embedder, progress)


@dataclass(frozen=True, slots=True)
class _CutPassage:
    """A passage with its paper's title, which precedes it when it is embedded."""

    paper_id: str
    title: str
    passage: FullTextPassage

    @property
    def text(self) -> str:
        """Text that is embedded: the title and the heading say what the sentences are about."""
        before = (self.title.rstrip("."), self.passage.heading.rstrip("."), self.passage.text)
        return ". ".join(part for part in before if part)

    @property
    def content(self) -> tuple[str, str, str]:
        """Content by which the passage is recognised in an earlier index."""
        return self.paper_id, self.passage.heading, self.passage.text


class _PassageVectors:
    """Vectors of passages, from the earlier index or from the journal."""

    def __init__(self, embedder: Embedder, journal: Journal, previous: FullTextIndex | None) -> None:
        self.embedder, self._journal, self._index = embedder, journal, previous
        self._places: Mapping[tuple[str, str, str], int] = _places_in(previous) if previous else {}

    def embed_missing(self, passages: Sequence[_CutPassage], progress: Progress) -> None:
        """Embed the passages that are neither in the earlier index nor in the journal."""
        missing = [
            each for each in passages if each.content not in self._places and self._key(each) not in self._journal
        ]
        progress.start("embedding full-text passages", len(missing))
        for start in range(0, len(missing), TEXTS_PER_BATCH):
            batch = missing[start : start + TEXTS_PER_BATCH]
            vectors = embed_texts([each.text for each in batch], self.embedder)
            self._journal.append(
                (self._key(each), vector.tobytes()) for each, vector in zip(batch, vectors, strict=True)
            )
            progress.advance(len(batch))
        progress.finish()

    def batches(self, passages: Sequence[_CutPassage]) -> Iterator[Vectors]:
        """Yield the vectors of `passages`, in order, a few at a time."""
        for start in range(0, len(passages), TEXTS_PER_BATCH):
            yield np.stack([self._vector(each) for each in passages[start : start + TEXTS_PER_BATCH]])

    def _vector(self, each: _CutPassage) -> NDArray[np.float32]:
        place = self._places.get(each.content)
        if place is None or self._index is None:
            return np.frombuffer(self._journal[self._key(each)], np.float32)
        vector: NDArray[np.float32] = self._index.vectors_at(np.array([place]))[0]
        return vector

    def _key(self, each: _CutPassage) -> bytes:
        return journal_key("full-text passage", *origin(self.embedder), each.text)


def _places_in(index: FullTextIndex) -> dict[tuple[str, str, str], int]:
    columns = (index.table.column(name).to_pylist() for name in ("paper_id", "heading", "text"))
    return {content: place for place, content in enumerate(zip(*columns, strict=True))}


def _write_index(
    folder: Path, manifest: Manifest, texts: FullTexts, passages: Sequence[_CutPassage], vectors: _PassageVectors
) -> CorpusFile:
    staging_path = folder / _STAGING
    shutil.rmtree(staging_path, ignore_errors=True)
    write_full_text_index(
        [OwnedPassage(each.paper_id, each.passage) for each in passages],
        vectors.batches(passages),
        manifest.dimension,
        staging_path,
        manifest.parts[ROLE].name,
        [text_key(paper_id, text.sha256) for paper_id, text in texts.texts.items()],
        manifest.vector_limit,
    )
    part = place_part(staging_path, FULL_TEXT_PASSAGES, folder)
    shutil.rmtree(staging_path, ignore_errors=True)
    return part


def _put_in_place(folder: Path, manifest: Manifest, part: CorpusFile | None) -> None:
    """Put the manifest with the new index in place, and delete indexes that no version of the corpus needs; the
    replaced index stays until the next change, because another process may be opening it.
    """
    others = {role: other_part for role, other_part in manifest.parts.items() if role != FULL_TEXT_PASSAGES}
    new_manifest = replace(manifest, parts=others | ({FULL_TEXT_PASSAGES: part} if part else {}))
    if new_manifest.parts == manifest.parts:
        return
    write_manifest(folder, new_manifest)
    versions = (manifest, new_manifest, earlier_manifest(folder, new_manifest))
    needed_names = frozenset[str]().union(*(part_names(version) for version in versions if version))
    for path in folder.glob(f"{FULL_TEXT_PASSAGES}-*"):
        if path.name not in needed_names:
            shutil.rmtree(path)
