"""The vectors of a corpus in Milvus, a distributed engine for vectors, in place of a file.

    server.py         a connection, and what its failures mean
    collection.py     writes the vectors of one version of a corpus, and removes those that no version needs
    expression.py     a predicate as a filter of the server
    vectors.py        finds papers by their vectors, as `index.ports.VectorIndex` asks

A corpus has one collection for each version, which never changes; a file of the corpus names it, so that a new version
replaces the old one in the same step as all its other parts. The extra `pathfinder[milvus]` installs the client.
"""

from pathfinder.index.milvus.collection import CollectionName, describe_versions, drop_unused, write_collection
from pathfinder.index.milvus.vectors import MilvusVectors, open_vectors, read_collection

__all__ = [
    "CollectionName",
    "MilvusVectors",
    "describe_versions",
    "drop_unused",
    "open_vectors",
    "read_collection",
    "write_collection",
]
