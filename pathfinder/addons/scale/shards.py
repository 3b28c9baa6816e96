"""Embeds papers shard by shard, in several processes or on several machines, and writes them as a lake.

A shard is computed from its own papers alone, and gets its name when it is complete; a run that was stopped, or lost a
process, continues with the shards that are missing.
"""

import hashlib
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice, repeat
from multiprocessing import get_context
from pathlib import Path
from typing import Protocol

import numpy as np
import pyarrow as pa
from pydantic import TypeAdapter

from pathfinder.addons.scale.lake import LAKE_FILE, Lake, Shard, shard_name, write_lake, write_shard
from pathfinder.building.completion import created_by
from pathfinder.building.directory import fetched_folder
from pathfinder.building.embedding import TEXTS_PER_BATCH, read_texts, stored_vectors
from pathfinder.building.passage_maker import PassageMaker, files_of, for_papers, origin, precision_of
from pathfinder.building.progress import Progress
from pathfinder.building.ready_vectors import row_of
from pathfinder.corpus.lock import lock_corpus
from pathfinder.corpus.paper_columns import batch_of, papers_of
from pathfinder.corpus.store import Corpus
from pathfinder.errors import CorpusError
from pathfinder.index import tokens
from pathfinder.index.passages import PassageIndex, StoredPassages
from pathfinder.index.ports import VectorIndex
from pathfinder.index.token_codecs import token_type
from pathfinder.index.tokens import projection_for
from pathfinder.models.ports import Embedder, TokenEmbedder, Vectors
from pathfinder.sources.kind import PaperVectors
from pathfinder.text.files import remove_unfinished, replacing, write_file
from pathfinder.text.strict_json import from_json, to_json
from pathfinder.types import Paper

_INPUTS = ".inputs"
_SHARD: TypeAdapter[Shard] = TypeAdapter(Shard)


@dataclass(frozen=True, slots=True)
class ShardTask:
    """File with the papers of a shard, and the path to which the shard is written."""

    papers: Path
    out: Path

    @property
    def entry(self) -> Path:
        """File with the shard's entry, written after the shard itself; its name contains the hash of the papers."""
        return self.papers.with_suffix(".json")


class ShardRunner(Protocol):
    """The processes that embed shards."""

    def embed(self, tasks: Sequence[ShardTask], load: Callable[[], Embedder]) -> Iterator[int]:
        """Embed the shards of `tasks` with the embedder that `load` returns, and yield the number of papers in each
        when it is written.
        """
        ...


@dataclass(frozen=True, slots=True)
class ProcessPool:
    """Processes on this machine, each with its own embedder; if there is only one, it is this process."""

    n_processes: int

    def embed(self, tasks: Sequence[ShardTask], load: Callable[[], Embedder]) -> Iterator[int]:
        """Embed the shards of `tasks`, in order. Raises `CorpusError` if a process is killed."""
        if self.n_processes == 1:
            yield from (_embed_with(task, load) for task in tasks)
            return
        try:
            with ProcessPoolExecutor(self.n_processes, mp_context=get_context("spawn")) as pool:
                yield from pool.map(_embed_with, tasks, repeat(load))
        except BrokenProcessPool as error:
            raise CorpusError(
                "an embedding process was killed, perhaps for lack of memory: run the same command again to continue "
                "with the shards that are missing, or lower --workers"
            ) from error


def embed_lake(
    papers: Iterable[Paper],
    out: Path,
    load: Callable[[], Embedder],
    progress: Progress,
    runner: ShardRunner,
    per_shard: int,
) -> Lake:
    """Embed `papers` in the processes of `runner`, `per_shard` at a time, with the embedder that `load` returns, and
    write the lake into `out`. Raises `CorpusError` if the folder contains a complete lake or other files, or if
    `runner` raises it; in that case, the next run resumes.
    """
    embedder = for_papers(load())
    if (out / LAKE_FILE).exists():
        raise CorpusError(f"{out} already contains a complete lake: name a new folder")
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not (out / _INPUTS).is_dir())):
        raise CorpusError(f"{out} contains other files: name a new folder for the lake")
    (out / _INPUTS).mkdir(parents=True, exist_ok=True)
    with lock_corpus(out):
        key = "\n".join(origin(embedder))
        tasks = [_task(number, group, out, key) for number, group in enumerate(_groups(papers, per_shard))]
        missing = [task for task in tasks if not (task.entry.is_file() and task.out.is_file())]
        progress.start("embedding shards", len(missing))
        for _ in runner.embed(missing, load):
            progress.advance(1)
        progress.finish()
        shards = tuple(from_json(_SHARD, task.entry.read_bytes(), str(task.entry)) for task in tasks)
        lake = Lake(
            1,
            created_by(),
            embedder.name,
            embedder.dimension,
            precision_of(embedder),
            form_of_tokens="full",
            shards=shards,
            embedder_files=files_of(embedder),
        )
        remove_unfinished(out)
        write_lake(lake, out)
        shutil.rmtree(out / _INPUTS)
        shutil.rmtree(fetched_folder(out), ignore_errors=True)
    return lake


def embed_shard(task: ShardTask, embedder: Embedder) -> int:
    """Embed the papers of a shard, write it, and return their number."""
    projection = projection_for("full", embedder.dimension) if isinstance(embedder, TokenEmbedder) else None
    maker = PassageMaker(embedder, projection)
    with pa.ipc.open_file(task.papers) as file:
        papers = [paper for number in range(file.num_record_batches) for paper in papers_of(file.get_batch(number))]
    shard = write_shard(_rows(papers, maker), embedder.dimension, task.out)
    write_file(task.entry, to_json(_SHARD, shard))
    return shard.papers


def _embed_with(task: ShardTask, load: Callable[[], Embedder]) -> int:
    return embed_shard(task, for_papers(load()))


def _rows(papers: Sequence[Paper], maker: PassageMaker) -> Iterator[PaperVectors]:
    for batch in _groups(papers, TEXTS_PER_BATCH):
        vectors, tokens = read_texts([paper.text for paper in batch], maker.embedder, maker)
        records = dict(maker.records(batch, vectors, tokens))
        yield from (row_of(paper, vector, records, maker) for paper, vector in zip(batch, vectors, strict=True))


def _task(number: int, group: Sequence[Paper], out: Path, embedder: str) -> ShardTask:
    """Write the papers of a shard to a file named after the hash of their content and the `origin` of the vectors."""
    batch = batch_of(group)
    digest = hashlib.sha256(batch.serialize().to_pybytes() + embedder.encode()).hexdigest()[:16]
    path = out / _INPUTS / f"{number:06}-{digest}.arrow"
    if not path.exists():
        with (
            replacing(path) as unfinished,
            pa.OSFile(str(unfinished), "wb") as file,
            pa.ipc.new_file(file, batch.schema) as writer,
        ):
            writer.write_batch(batch)
    return ShardTask(path, out / shard_name(number))


def _groups(papers: Iterable[Paper], size: int) -> Iterator[list[Paper]]:
    remaining = iter(papers)
    while group := list(islice(remaining, size)):
        yield group


# Writes a corpus as a lake, which can fill other corpora and be read by other programs.


PAPERS_PER_SHARD = 16_384
"""Number of papers that take up about 250 MB with the token vectors of the local embedder; a multiple of the number of
texts embedded together.
"""


def export_lake(corpus: Corpus, out: Path, papers_per_shard: int = PAPERS_PER_SHARD) -> Lake:
    """Write the papers of `corpus` with their stored vectors into the folder `out`, and return the lake's manifest,
    which is written last. Raises `CorpusError` if the folder is not empty.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise CorpusError(f"{out} is not an empty folder: name a new one for the lake")
    out.mkdir(parents=True, exist_ok=True)
    manifest = corpus.manifest
    rows, shards = rows_of(corpus), list[Shard]()
    while group := list(islice(rows, papers_per_shard)):
        shards.append(write_shard(group, manifest.dimension, out / shard_name(len(shards))))
    lake = Lake(
        format=1,
        created_by=created_by(),
        embedder=manifest.embedder,
        dimension=manifest.dimension,
        precision=manifest.precision,
        form_of_tokens=manifest.form_of_tokens,
        shards=tuple(shards),
        embedder_files=manifest.embedder_files,
    )
    write_lake(lake, out)
    return lake


def rows_of(corpus: Corpus) -> Iterator[PaperVectors]:
    """Yield each paper with its stored vectors; those that the corpus lacks or keeps on a server are `None`."""
    titles = _each(corpus.titles) if corpus.titles is not None else repeat(None)
    columns = zip(corpus.papers, _each(corpus.dense), strict=True)
    for (paper, vector), title, passages, token in zip(
        columns, titles, _passages(corpus), _tokens(corpus), strict=False
    ):
        yield PaperVectors(
            paper, vector.astype(np.float16), None if title is None else title.astype(np.float16), passages, token
        )


def _each(index: VectorIndex) -> Iterator[Vectors]:
    return (vector for batch in stored_vectors(index) for vector in batch)


def _passages(corpus: Corpus) -> Iterator[StoredPassages | None]:
    return corpus.passages.stored_passages() if isinstance(corpus.passages, PassageIndex) else repeat(None)


def _tokens(corpus: Corpus) -> Iterator[bytes | None]:
    """Yield the tokens of each paper; `None` if they were made with a projection of the corpus's own."""
    store = corpus.tokens
    if not isinstance(store, tokens.TokenStore):
        return repeat(None)
    usual = tokens.projection_for(corpus.manifest.form_of_tokens, corpus.manifest.dimension)
    if usual is None or not np.array_equal(usual, store.projection):
        return repeat(None)
    kind = token_type(store.codec)
    return (tokens.to_bytes(own) if own.dtype == kind else None for own in store.stored_tokens())
