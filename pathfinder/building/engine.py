"""The engine that holds the vectors of a corpus: a file, or a collection on a Milvus server."""

from pathfinder.corpus.store import Corpus
from pathfinder.index.milvus import CollectionName, MilvusVectors


def collection_of(corpus: Corpus | None) -> CollectionName | None:
    """Return the collection that holds the vectors of `corpus`; `None` if a file does, or without a corpus."""
    if corpus is None or not isinstance(corpus.dense, MilvusVectors):
        return None
    return CollectionName(corpus.dense.uri, corpus.dense.collection.name)
