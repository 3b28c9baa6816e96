"""The engine that holds the vectors of a corpus: files, or collections on a Milvus server."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from pathfinder.building.tools import Tools
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.parts import CorpusFile
from pathfinder.corpus.store import Corpus
from pathfinder.index.dense import DenseIndex
from pathfinder.index.milvus import (
    SERVED_FILE,
    CollectionName,
    Filterable,
    MilvusVectors,
    VectorsOf,
    What,
    write_collection,
)
from pathfinder.index.passages import VECTORS_FILE, PassageIndex
from pathfinder.models.ports import Vectors
from pathfinder.types import Rows

MOST_AUTHORS = 100
"""Maximum number of authors that the server stores for a paper, counted from the first; the corpus has them all."""


def collection_of(corpus: Corpus | None) -> CollectionName | None:
    """Return the collection that holds the vectors of `corpus`; `None` if files hold them, or if there is no corpus."""
    return _collection_name(corpus.dense) if corpus else None


def are_elsewhere(corpus: Corpus | None, collection: CollectionName | None) -> bool:
    """Return whether the vectors of passages and titles are in a different place from the one chosen for those of the
    papers.
    """
    if corpus is None:
        return False
    passages = [corpus.passages.vectors] if isinstance(corpus.passages, PassageIndex) else []
    indexes = [*passages, *([corpus.titles] if corpus.titles is not None else [])]
    return any(_collection_name(index) != collection for index in indexes)


def _collection_name(index: object) -> CollectionName | None:
    return CollectionName(index.uri, index.collection.name) if isinstance(index, MilvusVectors) else None


def write_papers_there(
    tools: Tools, collection: CollectionName, papers: PaperTable, vectors: Vectors, path: Path
) -> None:
    """Put `vectors` and the texts and fields of `papers` on the server, and write the file that names the
    collection.
    """

    def texts(rows: Rows) -> Sequence[str]:
        return [paper.text for paper in papers.take(rows)]

    def facts(rows: Rows) -> Sequence[Mapping[str, object]]:
        return [
            {
                "id": paper.paper_id,
                "title": paper.title,
                "authors": list(paper.authors[:MOST_AUTHORS]),
                "venue": paper.venue or paper.journal,
                "categories": list(paper.categories),
            }
            for paper in papers.take(rows)
        ]

    fields = Filterable(papers.years(), papers.has_abstract(), texts=texts, facts=facts)
    write_collection(collection, tools.place.corpus, vectors, fields, path, tools.progress.advance)


def passage_part(tools: Tools, role: str, name: str, papers: PaperTable, write: Callable[[Path], None]) -> CorpusFile:
    """Make a part called `name` from files that `write` writes; the vectors of passages and titles then move to a
    server, if there is one.
    """
    collection = tools.collection
    if collection is None or role not in ("passages", "titles"):
        return tools.make_part(role, name, write)
    if role == "titles":
        return tools.make_part(role, "titles.json", lambda path: _move_titles(tools, collection, papers, write, path))
    return tools.make_part(role, name, lambda path: _move_passages(tools, collection, papers, write, path))


def _move_titles(
    tools: Tools, collection: CollectionName, papers: PaperTable, write: Callable[[Path], None], path: Path
) -> None:
    file = path.with_suffix(".faiss")
    write(file)
    fields = Filterable(
        papers.years(), papers.has_abstract(), texts=lambda rows: [paper.title for paper in papers.take(rows)]
    )
    _move(tools, collection, file, fields, path, "titles")


def _move_passages(
    tools: Tools, collection: CollectionName, papers: PaperTable, write: Callable[[Path], None], folder: Path
) -> None:
    write(folder)
    index = PassageIndex.open(folder)

    def texts(places: Rows) -> Sequence[str]:
        owners = papers.take(index.papers_of(places))
        return [paper.abstract[start:end] for paper, (start, end) in zip(owners, index.spans_at(places), strict=True)]

    fields = Filterable(papers.years(), papers.has_abstract(), index.papers_of(np.arange(index.n_places)), texts)
    _move(tools, collection, folder / VECTORS_FILE, fields, folder / SERVED_FILE, "passages")


def _move(tools: Tools, collection: CollectionName, file: Path, fields: Filterable, path: Path, what: What) -> None:
    """Put the vectors in `file` on the server, keeping their rounding, and replace `file` with the file at `path`."""
    vectors = VectorsOf(DenseIndex.open(file))
    write_collection(collection, tools.place.corpus, vectors, fields, path, tools.progress.advance, what)
    file.unlink()
