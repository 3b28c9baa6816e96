"""Writes the vectors of one version of a corpus, and removes those that no version needs."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from pathfinder.addons.milvus.schema import SCHEMA_VERSION, field_names, records, schema, types
from pathfinder.addons.milvus.server import MilvusSettings, Server, check_version, has_bm25
from pathfinder.errors import EngineError
from pathfinder.index.engines import Collection, Filterable, VectorsOf, What
from pathfinder.index.sparse import K1, B
from pathfinder.models.ports import Vectors
from pathfinder.settings import read_settings
from pathfinder.text.strict_json import read_json, to_json

M, EF_CONSTRUCTION = 16, 200
"""Number of edges per vector in the graph (HNSW), and width of the search that chooses them."""
_BATCH = 2_000
"""Number of vectors in one request, which takes 3 MB at 384 dimensions; the limit is 64 MB."""
_DIGITS = 16


@dataclass(frozen=True, slots=True)
class MilvusCollection:
    """The collection that holds the vectors of one version of a corpus, as described in a file of the corpus."""

    engine: Literal["milvus"]
    schema_version: int
    uri: str
    name: str
    """The names of the collections of all versions start with it, and it is the alias of the current one."""
    owner: str
    """Digits that distinguish this corpus from another with a collection of the same name."""
    what: What
    content_sha256: str
    n_vectors: int
    n_papers: int
    dimension: int
    has_words: bool
    """True if the server also ranks the papers by their words, with its own BM25."""

    @property
    def version_name(self) -> str:
        """Name of the collection; its digits depend on the corpus, the schema and the version."""
        return f"{self.is_of}{self.schema_version}_{self.what}_{self.content_sha256[:_DIGITS]}"

    @property
    def is_of(self) -> str:
        """Prefix of the names of all this corpus's collections."""
        return f"{self.name}_{self.owner}_"


COLLECTION = TypeAdapter(MilvusCollection)


def server_of(collection: MilvusCollection) -> Server:
    """Connect to the server that holds a collection, at the address in PATHFINDER_MILVUS_URI if that is set."""
    return Server(read_settings(MilvusSettings).milvus_uri or collection.uri)


def read_description(path: Path) -> MilvusCollection:
    """Read the file that names a collection. Raises `CorpusDamaged` if it cannot be read."""
    return read_json(COLLECTION, path)


def write_collection(
    target: Collection,
    owner: Path,
    vectors: Vectors | VectorsOf,
    papers: Filterable,
    path: Path,
    advance: Callable[[int], None],
    what: What = "papers",
) -> None:
    """Write unit `vectors`, shape (n, dimension), into their own collection, and write the file that names it.

    A collection that is already complete is used as it is, and a collection left by a stopped build is filled again: a
    row that is written twice is stored once. Raises `EngineError` if the server does not answer, or if the name belongs
    to another corpus.
    """
    server = Server(target.uri)
    check_version(target.uri, server.version)
    has_words = what == "papers" and has_bm25(server.version)
    n, dimension = vectors.shape
    # Only a few vectors are in memory at once.
    sha256 = hashlib.sha256()
    for rows in _batches(len(vectors)):
        owners = rows if papers.papers is None else papers.papers[rows]
        sha256.update(np.ascontiguousarray(vectors[rows], dtype=np.float32).tobytes())
        sha256.update(np.concatenate([owners, papers.years[owners], papers.has_abstract[owners]]).tobytes())
        sha256.update(repr((papers.texts(rows), papers.facts(rows))).encode())
    collection = MilvusCollection(
        "milvus",
        SCHEMA_VERSION,
        target.uri,
        target.name,
        owner_of(owner),
        what,
        sha256.hexdigest(),
        n,
        len(papers.years),
        dimension,
        has_words,
    )
    with server.answers():
        name = collection.name
        # The name may be an alias.
        if server.client.has_collection(name, timeout=server.timeout) and not str(
            server.client.describe_collection(name, timeout=server.timeout)["collection_name"]
        ).startswith(collection.is_of):
            raise EngineError(
                f"Milvus at {collection.uri} has a collection {name!r} that belongs to another corpus or program: "
                "choose another name with --collection"
            )
        if not is_complete(server, collection):
            _fill(server, collection, vectors, papers, advance)
        if what == "papers":
            is_known = server.client.has_collection(name, timeout=server.timeout)
            point_alias = server.client.alter_alias if is_known else server.client.create_alias
            point_alias(collection.version_name, name, timeout=server.timeout)
    path.write_text(to_json(COLLECTION, collection), encoding="utf-8")


def owner_of(folder: Path) -> str:
    """Return the digits that distinguish the corpus in `folder` from others."""
    return hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:_DIGITS]


def drop_unused(unused_files: Iterable[Path], needed_files: Iterable[Path]) -> None:
    """Delete the collections that no version of the corpus needs.

    They are distinguished by name alone, because the same server may have been recorded under two addresses.
    """
    still = {read_description(path).version_name for path in needed_files}
    for collection in map(read_description, unused_files):
        if collection.version_name not in still:
            server = server_of(collection)
            with server.answers():
                if server.client.has_collection(collection.version_name, timeout=server.timeout):
                    server.client.drop_collection(collection.version_name, timeout=server.timeout)


def is_complete(server: Server, collection: MilvusCollection) -> bool:
    """Return whether the server has this collection, with an index and all its rows; if so, load it.

    Raises `EngineError` if its fields are not those that Pathfinder writes.
    """
    client, name, limit = server.client, collection.version_name, {"timeout": server.timeout}
    if not client.has_collection(name, **limit):
        return False
    fields = server.client.describe_collection(collection.version_name, timeout=server.timeout)["fields"]
    needed_fields = schema(server.client, collection.dimension, has_words=collection.has_words).to_dict()["fields"]
    if types(fields) != types(needed_fields):
        raise EngineError(
            f"the collection {collection.version_name!r} on Milvus at {server.uri} has the fields "
            f"{field_names(fields)}, not {field_names(needed_fields)}: another program has "
            "recreated it; drop it there, and build again from the same sources"
        )
    if not client.list_indexes(name, **limit):
        return False
    client.load_collection(name)
    counts = client.query(name, filter="row >= 0", output_fields=["count(*)"], consistency_level="Strong", **limit)
    return int(counts[0]["count(*)"]) == collection.n_vectors


def _fill(
    server: Server,
    collection: MilvusCollection,
    vectors: Vectors | VectorsOf,
    papers: Filterable,
    advance: Callable[[int], None],
) -> None:
    client, name, limit = server.client, collection.version_name, {"timeout": server.timeout}
    if client.has_collection(name, **limit):
        client.drop_collection(name, **limit)
    fields = schema(client, collection.dimension, has_words=collection.has_words)
    client.create_collection(name, schema=fields, consistency_level="Eventually", **limit)
    for rows in _batches(len(vectors)):
        client.upsert(name, records(rows, vectors, papers, has_words=collection.has_words), **limit)
        advance(len(rows))
    client.flush(name)
    index = client.prepare_index_params()
    index.add_index("vector", index_type="HNSW", metric_type="IP", params={"M": M, "efConstruction": EF_CONSTRUCTION})
    if collection.has_words:
        index.add_index(
            "words",
            index_type="SPARSE_INVERTED_INDEX",
            metric_type="BM25",
            params={"bm25_k1": K1, "bm25_b": B},
        )
    client.create_index(name, index)
    client.load_collection(name)


def _batches(n: int) -> Iterator[NDArray[np.int64]]:
    return (np.arange(start, min(start + _BATCH, n)) for start in range(0, n, _BATCH))
