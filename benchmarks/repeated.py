"""A corpus of any size on disk, made from an existing corpus: its papers are repeated, and the vectors of each copy are
moved a little. It can be searched, but has no map. Everything except the index of vectors is written in pieces.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from pathlib import Path
from shutil import copyfile, rmtree

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pathfinder.corpus.manifest import write_manifest
from pathfinder.corpus.paper_columns import read_table
from pathfinder.corpus.parts import CorpusFile, place_part
from pathfinder.corpus.store import Corpus, open_corpus
from pathfinder.index import postings, tokens
from pathfinder.index.dense import DenseIndex, write_dense
from pathfinder.index.keyword_phrases import KeywordPhrases, in_blocks
from pathfinder.index.listed_terms import ListedTerms
from pathfinder.index.passages import PassageIndex, StoredPassages, write_passages
from pathfinder.models.ports import Vectors

NOISE = 0.02
"""Standard deviation of the noise on each coordinate of a copy's vectors, whose coordinates have a standard deviation
of 0.05.
"""
SEED = 7
ROLES = ("papers", "dense", "sparse", "terms", "tokens", "passages", "titles")
"""Parts that are made from the copies."""
COPIED_PARTS = ("profile", "relevance", "outliers", "reranker")
"""Parts that are copied unchanged, if the corpus has them."""

Writer = Callable[[Corpus, Path, int, Path], None]


def repeat(source: Path, n: int, folder: Path, left_out: Collection[str] = ()) -> None:
    """Write a corpus of `n` papers from the corpus in `source` into the new folder `folder`, without the parts named in
    `left_out`.
    """
    corpus = open_corpus(source)
    words = corpus.path("sparse")
    if words is None or not (words / postings.VOCABULARY_FILE).exists():
        raise SystemExit(f"{source} has the words of an earlier version: build it again from its sources")
    staging = folder / ".staging"
    staging.mkdir(parents=True)
    parts = {
        role: _part(corpus, role, n, staging, folder) for role in ROLES if role not in left_out and corpus.path(role)
    }
    for role in COPIED_PARTS:
        if (path := corpus.path(role)) is not None:
            copyfile(path, staging / path.name)
            parts[role] = place_part(staging / path.name, role, folder)
    rmtree(staging)
    counts = replace(corpus.manifest.counts, papers=n)
    absent = dict.fromkeys(("landscape", *left_out), "this corpus was made for a measurement")
    write_manifest(folder, replace(corpus.manifest, counts=counts, parts=parts, absent=absent, fingerprints={}))


def _part(corpus: Corpus, role: str, n: int, staging: Path, folder: Path) -> CorpusFile:
    path = corpus.path(role)
    assert path is not None
    staging_path = staging / (role + path.suffix)
    WRITERS[role](corpus, path, n, staging_path)
    return place_part(staging_path, role, folder)


def rows_of(n_before: int, n: int) -> Iterator[NDArray[np.int64]]:
    """Yield the rows of the original, once for each copy; the last copy may be incomplete."""
    for first in range(0, n, n_before):
        yield np.arange(min(n_before, n - first))


def _write_papers(_: Corpus, path: Path, n: int, staging_path: Path) -> None:
    table = read_table(path)
    with pa.OSFile(str(staging_path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        for copy, rows in enumerate(rows_of(len(table), n)):
            ids = pa.array([f"copy-{copy}-{row}" for row in rows], table.schema.field("paper_id").type)
            part = table.slice(0, len(rows)).set_column(0, table.schema.field("paper_id"), ids)
            for batch in part.combine_chunks().to_batches(2000):
                writer.write_batch(batch)


def move_vectors(vectors: Vectors, rng: np.random.Generator) -> Vectors:
    """Add noise to unit vectors, and scale them to length 1 again."""
    noisy = vectors + rng.normal(scale=NOISE, size=vectors.shape).astype(np.float32)
    return np.asarray(noisy / np.linalg.norm(noisy, axis=1, keepdims=True), dtype=np.float32)


def _copies(index: DenseIndex, n: int) -> Iterator[Vectors]:
    rng = np.random.default_rng(SEED)
    for copy, rows in enumerate(rows_of(len(index), n)):
        for first in range(0, len(rows), 4096):
            vectors = index.vectors(rows[first : first + 4096])
            yield move_vectors(vectors, rng) if copy else vectors


def _write_vectors(corpus: Corpus, path: Path, n: int, staging_path: Path) -> None:
    write_dense(
        _copies(DenseIndex.open(path), n), corpus.manifest.dimension, staging_path, corpus.manifest.vector_limit
    )


def _write_passages(corpus: Corpus, path: Path, n: int, staging_path: Path) -> None:
    index, rng = PassageIndex.open(path), np.random.default_rng(SEED)
    n_before = len(index)

    def copies() -> Iterator[StoredPassages]:
        for row in range(n):
            (own,) = index.stored_passages([row % n_before])
            is_copy = row >= n_before and len(own.vectors) > 0
            yield own._replace(vectors=move_vectors(own.vectors, rng).astype(np.float16)) if is_copy else own

    write_passages(copies(), corpus.manifest.dimension, staging_path, corpus.manifest.vector_limit)


def _write_tokens(corpus: Corpus, path: Path, n: int, staging_path: Path) -> None:
    store = tokens.TokenStore.open(path, corpus.manifest.form_of_tokens)
    own = (paper for rows in rows_of(len(store), n) for paper in store.stored_tokens(rows.tolist()))
    tokens.write_tokens(own, store.projection, staging_path, store.codec)


def _repeated_rows(rows: NDArray[np.integer], n_before: int, n: int) -> NDArray[np.int64]:
    copies = (np.arange(-(-n // n_before))[:, np.newaxis] * n_before + rows).ravel()
    return copies[copies < n]


def _write_words(_: Corpus, path: Path, n: int, staging_path: Path) -> None:
    words = postings.CountedPostings.open(path, 1, 0)
    staging_path.mkdir()
    n_before, starts = len(words.lengths), [0]
    with (staging_path / postings.ENTRIES_FILE).open("wb") as file:
        for stem in words.vocabulary:
            rows, counts = words.postings_of(stem)
            all_rows = _repeated_rows(rows, n_before, n)
            entries = postings.with_bridges(all_rows, np.resize(counts, len(all_rows)).astype(np.uint8))
            file.write(entries.tobytes())
            starts.append(starts[-1] + len(entries))
    np.save(staging_path / postings.STARTS_FILE, np.array(starts))
    np.save(staging_path / postings.LENGTHS_FILE, np.resize(words.lengths, n))
    copyfile(path / postings.VOCABULARY_FILE, staging_path / postings.VOCABULARY_FILE)
    meta = (path / "words.json").read_text(encoding="utf-8")
    (staging_path / "words.json").write_text(
        meta.replace(f'"n_papers": {n_before}', f'"n_papers": {n}'), encoding="utf-8"
    )


def _write_terms(corpus: Corpus, _: Path, n: int, staging_path: Path) -> None:
    own, n_before = corpus.terms.papers, len(corpus.papers)
    if not isinstance(own, KeywordPhrases):
        raise SystemExit("the corpus has the keywords of an earlier version: build it again from its sources")
    rows = [_repeated_rows(own.rows_of_term(entry), n_before, n).astype(np.int32) for entry in own.entries.to_pylist()]
    starts = np.cumsum([0, *map(len, rows)])
    terms = ListedTerms(own.entries, starts, np.concatenate(rows), np.resize(own.has_keywords, n))
    entry_starts, entry_rows = in_blocks(terms)
    sizes = np.resize(np.diff(own.phrase_starts.astype(np.int64)), n)
    phrase_starts = np.concatenate([[0], np.cumsum(sizes)])
    phrases = np.resize(own.phrases, int(phrase_starts[-1]))
    KeywordPhrases(own.entries, entry_starts, entry_rows, phrase_starts.astype(np.uint32), phrases).write(staging_path)


WRITERS: dict[str, Writer] = {
    "papers": _write_papers,
    "dense": _write_vectors,
    "titles": _write_vectors,
    "passages": _write_passages,
    "tokens": _write_tokens,
    "sparse": _write_words,
    "terms": _write_terms,
}
