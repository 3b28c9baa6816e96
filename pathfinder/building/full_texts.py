"""Indexes the full texts of a corpus: cut them into passages -> embed these -> write the index -> replace the manifest.

A separate journal keeps the vectors if indexing is stopped, and passages in the earlier index are not embedded again.
"""

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pathfinder.building.embedding import TEXTS_PER_BATCH
from pathfinder.building.passage_maker import embed_texts, for_papers, origin
from pathfinder.building.progress import Progress
from pathfinder.corpus.journal import Journal, journal_key
from pathfinder.corpus.lock import lock_corpus
from pathfinder.corpus.manifest import Manifest, earlier_manifest, part_names, read_manifest, write_manifest
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
            vectors = _vectors(passages, for_papers(embedder), journal, previous, progress)
            staging_path = corpus_dir / _STAGING
            shutil.rmtree(staging_path, ignore_errors=True)
            write_full_text_index(
                [OwnedPassage(each.paper_id, each.passage) for each in passages],
                vectors,
                manifest.dimension,
                staging_path,
                manifest.parts[ROLE].name,
                [text_key(paper_id, text.sha256) for paper_id, text in texts.texts.items()],
                manifest.vector_limit,
            )
            part = place_part(staging_path, FULL_TEXT_PASSAGES, corpus_dir)
            shutil.rmtree(staging_path, ignore_errors=True)
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


def _vectors(
    passages: Sequence[_CutPassage],
    embedder: Embedder,
    journal: Journal,
    previous: FullTextIndex | None,
    progress: Progress,
) -> Iterator[Vectors]:
    """Embed the passages that are neither in the earlier index nor in the journal, and return the vectors of all, in
    order, a few at a time.
    """
    places: dict[tuple[str, str, str], int] = {}
    if previous is not None:
        columns = (previous.table.column(name).to_pylist() for name in ("paper_id", "heading", "text"))
        places = {content: place for place, content in enumerate(zip(*columns, strict=True))}

    def key(each: _CutPassage) -> bytes:
        return journal_key("full-text passage", *origin(embedder), each.text)

    def vector(each: _CutPassage) -> NDArray[np.float32]:
        place = places.get(each.content)
        if place is None or previous is None:
            return np.frombuffer(journal[key(each)], np.float32)
        return np.asarray(previous.vectors_at(np.array([place]))[0])

    missing = [each for each in passages if each.content not in places and key(each) not in journal]
    progress.start("embedding full-text passages", len(missing))
    for start in range(0, len(missing), TEXTS_PER_BATCH):
        batch = missing[start : start + TEXTS_PER_BATCH]
        new_vectors = embed_texts([each.text for each in batch], embedder)
        journal.append((key(each), own.tobytes()) for each, own in zip(batch, new_vectors, strict=True))
        progress.advance(len(batch))
    progress.finish()
    starts = range(0, len(passages), TEXTS_PER_BATCH)
    return (np.stack([vector(each) for each in passages[start : start + TEXTS_PER_BATCH]]) for start in starts)


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
