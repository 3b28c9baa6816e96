"""A lake: a folder of Parquet shards with papers and their vectors, from which a corpus is filled without embedding.

A shard is a Parquet file with the fields of papers, and their vectors as 16-bit numbers. The manifest names the
embedder of the vectors, and the shards with their hashes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray
from pydantic import ConfigDict, Field, TypeAdapter
from pydantic.dataclasses import dataclass

from pathfinder.corpus.paper_columns import PAPER_SCHEMA, batch_of, papers_of
from pathfinder.corpus.parts import file_sha256
from pathfinder.errors import CorpusError
from pathfinder.index.passages import StoredPassages
from pathfinder.index.token_codecs import TokenForm
from pathfinder.sources.kind import Access, PaperVectors, Row, SourceKind, Window
from pathfinder.sources.spec import SourceSpec
from pathfinder.text.files import replacing, write_file
from pathfinder.text.strict_json import parse_as, to_json
from pathfinder.types import Paper, Provenance

LAKE_FILE = "lake.json"
MAX_DIMENSION = 65_536
_STRICT = ConfigDict(extra="forbid")
_NAME = r"^shard-[0-9]{6}\.parquet$"


@dataclass(frozen=True, slots=True, config=_STRICT)
class Shard:
    """A Parquet file in a lake."""

    name: Annotated[str, Field(pattern=_NAME)]
    papers: Annotated[int, Field(ge=0)]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


@dataclass(frozen=True, slots=True, config=_STRICT)
class Lake:
    """A lake: the embedder of its vectors, and its shards in order."""

    format: Literal[1]
    created_by: str
    embedder: str
    dimension: Annotated[int, Field(ge=1, le=MAX_DIMENSION)]
    precision: str | None
    """Kind of numbers with which the embedder computed the vectors; `None` if the embedder uses only one kind."""
    form_of_tokens: TokenForm
    shards: tuple[Shard, ...]
    embedder_files: Mapping[str, str] = Field(default_factory=dict)
    """SHA-256 of each file of the embedder; none if it is not made of files of its own, or if they are not known."""

    @property
    def n_papers(self) -> int:
        """Number of papers in all shards."""
        return sum(shard.papers for shard in self.shards)


_LAKE: TypeAdapter[Lake] = TypeAdapter(Lake)


def shard_name(number: int) -> str:
    """Return the file name of a shard, counted from 0."""
    return f"shard-{number:06}.parquet"


def read_lake(folder: Path) -> Lake:
    """Read the manifest of the lake in `folder`. Raises `CorpusError` if there is none, if it is not valid, or if a
    shard is missing.
    """
    path = folder / LAKE_FILE
    try:
        lake = parse_as(_LAKE, path.read_bytes())
    except OSError as error:
        raise CorpusError(
            f"{folder} is not a lake ({LAKE_FILE}: {error.strerror}): name a folder that `pathfinder export lake` wrote"
        ) from error
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"{path} is not the manifest of a lake ({error}): export the lake again") from error
    for shard in lake.shards:
        if not (folder / shard.name).is_file():
            raise CorpusError(f"{folder} lacks {shard.name}, which {LAKE_FILE} lists: copy it too, or export again")
    return lake


def write_lake(lake: Lake, folder: Path) -> None:
    """Write the manifest of `lake`, whose shards are in `folder`, in one step: it is there as a whole or not at all."""
    write_file(folder / LAKE_FILE, to_json(_LAKE, lake))


# Shards.

ROWS_PER_GROUP = 1024
VECTOR, TITLE, PASSAGES, TOKENS = "vector", "title_vector", "passages", "tokens"
_AGAIN = "export or build the lake again"


def write_shard(papers: Iterable[PaperVectors], dimension: int, path: Path) -> Shard:
    """Write a shard and return its entry in the manifest. The file gets its name only when it is complete."""
    remaining, n_papers = iter(papers), 0
    with replacing(path) as unfinished:
        with pq.ParquetWriter(unfinished, shard_schema(dimension), compression="zstd") as writer:
            while group := list(islice(remaining, ROWS_PER_GROUP)):
                writer.write_table(_table(group, dimension))
                n_papers += len(group)
        entry = Shard(path.name, n_papers, file_sha256(unfinished))
    return entry


def shard_schema(dimension: int) -> pa.Schema:
    """Return the columns of a shard: those of a paper, and its vectors with `dimension` coordinates."""
    vector = pa.list_(pa.float16(), dimension)
    passage = pa.struct([pa.field("start", pa.int32()), pa.field("end", pa.int32()), pa.field(VECTOR, vector)])
    own = [pa.field(VECTOR, vector), pa.field(TITLE, vector), pa.field(PASSAGES, pa.list_(passage))]
    return pa.schema([*PAPER_SCHEMA, *own, pa.field(TOKENS, pa.binary())])


def read_shard(folder: Path, shard: Shard, lake: Lake) -> Iterator[PaperVectors]:
    """Yield the papers of a shard, in order. Raises `CorpusError`, with the fault and a remedy, if the file is not
    the one that the manifest lists, or contains anything that cannot belong to a paper.
    """
    path = folder / shard.name
    try:
        if file_sha256(path) != shard.sha256:
            raise CorpusError(f"{path} was altered (its SHA-256 differs from that in lake.json): {_AGAIN}")
        with pq.ParquetFile(path) as file:
            for field in shard_schema(lake.dimension):
                if field.name not in file.schema_arrow.names:
                    raise CorpusError(f"{path} has no column {field.name!r}, which every shard has: {_AGAIN}")
                kind = file.schema_arrow.field(field.name).type
                if not kind.equals(field.type):
                    raise CorpusError(
                        f"the column {field.name!r} of {path} holds {kind} instead of {field.type}: {_AGAIN}"
                    )
            n_rows = file.metadata.num_rows
            if n_rows != shard.papers:
                raise CorpusError(f"{path} has {n_rows:,} papers, and lake.json says {shard.papers:,}: {_AGAIN}")
            start = 0
            for batch in file.iter_batches(ROWS_PER_GROUP):
                yield from _read_batch(batch, start, path)
                start += batch.num_rows
    except (pa.ArrowException, OSError) as error:
        raise CorpusError(f"{path} is not a complete Parquet file ({type(error).__name__}): {_AGAIN}") from error


def _table(group: Sequence[PaperVectors], dimension: int) -> pa.Table:
    columns = {
        VECTOR: pa.array([row.vector for row in group], pa.list_(pa.float16(), dimension)),
        TITLE: pa.array([row.title for row in group], pa.list_(pa.float16(), dimension)),
        PASSAGES: _passage_column([row.passages for row in group], dimension),
        TOKENS: pa.array([row.tokens for row in group], pa.binary()),
    }
    table = pa.Table.from_batches([batch_of([row.paper for row in group])], PAPER_SCHEMA)
    schema = shard_schema(dimension)
    return pa.table([*table.columns, *(columns[name] for name in schema.names[len(PAPER_SCHEMA) :])], schema=schema)


def _passage_column(column: Sequence[StoredPassages | None], dimension: int) -> pa.Array:
    ends = np.cumsum([0, *(0 if own is None else len(own.spans) for own in column)])
    records = [own for own in column if own is not None]
    spans = np.concatenate([own.spans for own in records] or [np.empty((0, 2), np.int32)])
    vectors = np.concatenate([own.vectors for own in records] or [np.empty((0, dimension), np.float16)])
    numbers = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel(), pa.float16()), dimension)
    values = pa.StructArray.from_arrays(
        [pa.array(spans[:, 0], pa.int32()), pa.array(spans[:, 1], pa.int32()), numbers], ["start", "end", VECTOR]
    )
    is_missing = pa.array([own is None for own in column])
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), values, mask=is_missing)


def _read_batch(batch: pa.RecordBatch, start: int, path: Path) -> Iterator[PaperVectors]:
    required_columns = [*(field.name for field in PAPER_SCHEMA if not field.nullable), VECTOR]
    for name in required_columns:
        column = batch.column(name)
        inside = column.flatten().null_count if isinstance(column, pa.ListArray) else 0
        if column.null_count or inside:
            raise CorpusError(
                f"{path} has no {name} in a row from {start + 1:,} on, but every paper needs it: {_AGAIN}"
            )
    vectors, titles = batch.column(VECTOR), batch.column(TITLE)
    passages, tokens = batch.column(PASSAGES), batch.column(TOKENS)
    for row, paper in enumerate(papers_of(batch.select(PAPER_SCHEMA.names))):
        title = _halves(titles[row].values) if titles[row].is_valid else None
        own = _stored_passages(passages[row].values) if passages[row].is_valid else None
        fault = _fault(paper, vectors[row].values, own)
        if fault:
            raise CorpusError(f"row {start + row + 1:,} of {path}, the paper {paper.paper_id!r}, has {fault}: {_AGAIN}")
        yield PaperVectors(paper, _halves(vectors[row].values), title, own, tokens[row].as_py())


def _halves(numbers: pa.Array) -> NDArray[np.float16]:
    return np.asarray(numbers.to_numpy(zero_copy_only=False), dtype=np.float16)


def _stored_passages(passages: pa.StructArray) -> StoredPassages:
    start, end, vectors = passages.flatten()
    spans = np.stack([column.to_numpy(zero_copy_only=False) for column in (start, end)], axis=1).astype(np.int32)
    dimension = vectors.type.list_size
    return StoredPassages(spans, _halves(vectors.flatten()).reshape(-1, dimension))


def _fault(paper: Paper, vector: pa.Array, passages: StoredPassages | None) -> str | None:
    """Describe what is wrong with the row of a paper; `None` if nothing is. Vectors are checked by the code that uses
    them.
    """
    if not paper.paper_id:
        return "an empty id"
    if vector.null_count:
        return "a vector with a missing number"
    if passages is not None:
        start, end = passages.spans[:, 0], passages.spans[:, 1]
        if not ((start >= 0) & (start < end) & (end <= len(paper.abstract))).all():
            return f"a passage outside its abstract of {len(paper.abstract):,} characters"
    return None


# A lake as a source of papers.

SCHEME = "lake"


def open_lake(spec: SourceSpec, window: Window, access: Access) -> Iterator[Row]:
    """Yield the papers of a lake, in the order of its shards, and hand their vectors to `access.take_vectors`. Raises
    `CorpusError` if there is no lake, or if another embedder, or another revision of it, made its vectors.
    """
    folder = Path(spec.rest)
    lake = read_lake(folder)
    if access.embedder is not None and access.embedder != lake.embedder:
        raise CorpusError(
            f"{folder} has vectors from {lake.embedder}, but this build embeds with {access.embedder}: add --embedder "
            f"{lake.embedder}, and build in a new folder"
        )
    here = access.embedder_files
    if here and (other := sorted(name for name, digest in lake.embedder_files.items() if here.get(name) != digest)):
        raise CorpusError(
            f"{folder} has vectors from another revision of {lake.embedder} than the one here ({other[0]} differs): "
            "use the files with which the lake was made, or make the lake again with those that are here"
        )
    return _rows(folder, lake, window, access)


def _rows(folder: Path, lake: Lake, window: Window, access: Access) -> Iterator[Row]:
    access.expect(lake.n_papers)
    number = n_papers = 0
    for shard in lake.shards:
        for row in read_shard(folder, shard, lake):
            number += 1
            if not window.includes(row.paper):
                continue
            fault = access.take_vectors(row)
            if fault is not None:
                raise CorpusError(
                    f"{folder / shard.name} has {fault} for the paper {row.paper.paper_id!r}: export the lake again"
                )
            n_papers += 1
            records = row.paper.provenance or (Provenance(SCHEME, row.paper.paper_id, retrieved=access.today),)
            yield number, replace(row.paper, provenance=records)
            if n_papers == window.max_papers:
                return


LAKE = SourceKind(
    scheme=SCHEME,
    label="Lakes of Parquet shards",
    form="lake:PATH",
    examples=("lake:my_lake",),
    gives="papers with the vectors that were computed from them, so that nothing is embedded again",
    terms="The terms of the sources from which the lake was made; their licences are kept with each paper.",
    cost="none",
    open=open_lake,
    brings_vectors=True,
    embedder_of=lambda spec: read_lake(Path(spec.rest)).embedder,
)
