"""Writes the vectors of one version of a corpus, and removes those that no version needs."""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from pathfinder.errors import EngineError, UsageError
from pathfinder.index.milvus.expression import YEAR_UNKNOWN
from pathfinder.index.milvus.server import Server, checked_uri
from pathfinder.index.predicate import Mask
from pathfinder.models.ports import Vectors
from pathfinder.settings import read_settings
from pathfinder.text.strict_json import read_json, to_json
from pathfinder.types import Floats

SCHEMA_VERSION = 1
M, EF_CONSTRUCTION = 16, 200
"""Number of edges of a vector in the graph (HNSW), and width of the search that chooses them."""
_BATCH = 2_000
"""Number of vectors in one request: 3 MB at 384 dimensions, where a request may have 64 MB."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,200}")
_DIGITS = 16


@dataclass(frozen=True, slots=True)
class CollectionName:
    """Server and name that were specified for the vectors of a build."""

    uri: str
    name: str
    """Letters, digits and underscores. The collections of all versions start with it, and it is the alias of the
    current one.
    """

    def __post_init__(self) -> None:
        checked_uri(self.uri)
        if not _NAME.fullmatch(self.name):
            raise UsageError(f"{self.name!r} cannot name a collection: use letters, digits and underscores")


@dataclass(frozen=True, slots=True)
class Collection:
    """The collection that holds the vectors of one version, as the file of the corpus describes it."""

    engine: Literal["milvus"]
    schema_version: int
    uri: str
    name: str
    owner: str
    """Digits that tell this corpus from another with a collection of the same name."""
    vectors_sha256: str
    n_papers: int
    dimension: int

    @property
    def version_name(self) -> str:
        """Name of the collection; another corpus, schema or version has other digits in it."""
        return f"{self.name}_{self.owner}_{self.schema_version}_{self.vectors_sha256[:_DIGITS]}"

    @property
    def is_of(self) -> str:
        """Beginning of the names of all collections of this corpus."""
        return f"{self.name}_{self.owner}_"


COLLECTION = TypeAdapter(Collection)


@dataclass(frozen=True, slots=True)
class Filterable:
    """Fields of the papers that the server stores beside their vectors."""

    years: Floats
    has_abstract: Mask


def server_of(collection: Collection) -> Server:
    """Connect to the server with a collection, at the address in PATHFINDER_MILVUS_URI if that is set."""
    return Server(read_settings().milvus_uri or collection.uri)


def read_description(path: Path) -> Collection:
    """Read the file that names a collection. Raises `CorpusDamaged` if it cannot be read."""
    return read_json(COLLECTION, path)


def describe_versions(folder: Path, parts: Iterable[str]) -> tuple[Collection, ...]:
    """Return the collections that the `parts` of a corpus name."""
    return tuple(read_description(folder / part) for part in sorted(parts) if re.fullmatch(r"dense-\w+\.json", part))


def write_collection(
    chosen: CollectionName,
    owner: Path,
    vectors: Vectors,
    papers: Filterable,
    path: Path,
    advance: Callable[[int], None],
) -> None:
    """Write unit `vectors`, shape (n, dimension), into a collection of their own, and the file that names it.

    A collection that is already complete is used as it is, and a collection left by a stopped build is filled again: a
    row that is written twice is stored once. Raises `EngineError` if the server does not answer, or if the name belongs
    to another corpus.
    """
    server = Server(chosen.uri)
    digest = hashlib.sha256(np.ascontiguousarray(vectors, dtype=np.float32).tobytes()).hexdigest()
    collection = Collection(
        "milvus", SCHEMA_VERSION, chosen.uri, chosen.name, owner_of(owner), digest, len(vectors), vectors.shape[1]
    )
    with server.answers():
        _refuse_foreign(server, collection)
        if not is_complete(server, collection):
            _fill(server, collection, vectors, papers, advance)
        _point_alias(server, collection)
    path.write_text(to_json(COLLECTION, collection), encoding="utf-8")


def owner_of(folder: Path) -> str:
    """Return the digits that tell the corpus in `folder` from others."""
    return hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:_DIGITS]


def drop_unused(unused: Iterable[Collection], needed: Iterable[Collection]) -> None:
    """Delete the collections that no version of the corpus needs.

    They are told apart by their names alone, because one server may have been written with two addresses.
    """
    still = {each.version_name for each in needed}
    for collection in unused:
        if collection.version_name not in still:
            server = server_of(collection)
            with server.answers():
                if server.client.has_collection(collection.version_name):
                    server.client.drop_collection(collection.version_name)


def is_complete(server: Server, collection: Collection) -> bool:
    """Return whether the server has this collection, with an index and all its rows; if so, load it."""
    client, name = server.client, collection.version_name
    if not client.has_collection(name) or not client.list_indexes(name):
        return False
    client.load_collection(name)
    counted = client.query(name, filter="row >= 0", output_fields=["count(*)"], consistency_level="Strong")
    return int(counted[0]["count(*)"]) == collection.n_papers


def _refuse_foreign(server: Server, collection: Collection) -> None:
    name = collection.name
    if server.client.has_collection(name) and not _held_by(server, name).startswith(collection.is_of):
        raise EngineError(
            f"Milvus at {collection.uri} has a collection {name!r} of another corpus or program: choose another name "
            "with --collection"
        )


def _held_by(server: Server, name: str) -> str:
    """Return the collection that `name` stands for, which is another if `name` is an alias."""
    return str(server.client.describe_collection(name)["collection_name"])


def _fill(
    server: Server, collection: Collection, vectors: Vectors, papers: Filterable, advance: Callable[[int], None]
) -> None:
    client, name = server.client, collection.version_name
    if client.has_collection(name):
        client.drop_collection(name)
    client.create_collection(name, schema=_schema(client, collection), consistency_level="Eventually")
    for rows in _batches(len(vectors)):
        client.upsert(name, _records(rows, vectors, papers))
        advance(len(rows))
    client.flush(name)
    index = client.prepare_index_params()
    index.add_index("vector", index_type="HNSW", metric_type="IP", params={"M": M, "efConstruction": EF_CONSTRUCTION})
    client.create_index(name, index)
    client.load_collection(name)


def _schema(client: Any, collection: Collection) -> Any:
    from pymilvus import DataType

    schema = client.create_schema(auto_id=False, enable_dynamic_field=False)
    schema.add_field("row", DataType.INT64, is_primary=True)
    schema.add_field("year", DataType.INT16)
    schema.add_field("has_abstract", DataType.BOOL)
    # Version 2.3 accepts 16-bit floats, and returns wrong distances for them.
    schema.add_field("vector", DataType.FLOAT_VECTOR, dim=collection.dimension)
    return schema


def _batches(n: int) -> Iterator[NDArray[np.int64]]:
    return (np.arange(start, min(start + _BATCH, n)) for start in range(0, n, _BATCH))


def _records(rows: NDArray[np.int64], vectors: Vectors, papers: Filterable) -> list[dict[str, Any]]:
    years = np.nan_to_num(papers.years[rows], nan=YEAR_UNKNOWN)
    return [
        {"row": int(row), "year": int(year), "has_abstract": bool(has_abstract), "vector": vector}
        for row, year, has_abstract, vector in zip(
            rows, years, papers.has_abstract[rows], np.asarray(vectors[rows], dtype=np.float32), strict=True
        )
    ]


def _point_alias(server: Server, collection: Collection) -> None:
    client, is_new = server.client, not server.client.has_collection(collection.name)
    (client.create_alias if is_new else client.alter_alias)(collection.version_name, collection.name)
