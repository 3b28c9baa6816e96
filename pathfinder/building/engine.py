"""The engine that holds the vectors of a corpus: files, or collections on a Milvus server."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from pathfinder.building.work import Work, collection_name
from pathfinder.corpus.parts import CorpusFile
from pathfinder.index.dense import DenseIndex
from pathfinder.index.milvus import SERVED_FILE, CollectionName, Filterable, VectorsOf, What, write_collection
from pathfinder.index.passages import VECTORS_FILE, PassageIndex
from pathfinder.types import Rows

MOST_AUTHORS = 100
"""Maximum number of authors that the server stores for a paper, counted from the first; the corpus has them all."""


def are_elsewhere(work: Work) -> bool:
    """Return whether the vectors of passages and titles are in a different place from the one chosen for those of the
    papers.
    """
    if work.previous is None:
        return False
    passages, titles = work.previous.passages, work.previous.titles
    indexes = [passages.vectors if isinstance(passages, PassageIndex) else None, titles]
    return any(index is not None and collection_name(index) != work.collection for index in indexes)


def write_papers_there(work: Work, collection: CollectionName, path: Path) -> None:
    """Put the vectors, texts and fields of the papers on the server, and write the file that names the collection."""
    papers = work.papers

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
    write_collection(collection, work.place.corpus, work.vectors, fields, path, work.progress.advance)


def passage_part(work: Work, role: str, name: str, write: Callable[[Path], None]) -> CorpusFile:
    """Make a part called `name` from files that `write` writes; the vectors of passages and titles then move to a
    server, if there is one.
    """
    collection, papers = work.collection, work.papers
    if collection is None or role not in ("passages", "titles"):
        return work.make_part(role, name, write)

    def move(file: Path, fields: Filterable, path: Path, what: What) -> None:
        """Put the vectors in `file` on the server, keeping their rounding, and replace `file` with the file at
        `path`.
        """
        vectors = VectorsOf(DenseIndex.open(file))
        write_collection(collection, work.place.corpus, vectors, fields, path, work.progress.advance, what)
        file.unlink()

    def move_titles(path: Path) -> None:
        file = path.with_suffix(".faiss")
        write(file)
        titles = Filterable(
            papers.years(), papers.has_abstract(), texts=lambda rows: [paper.title for paper in papers.take(rows)]
        )
        move(file, titles, path, "titles")

    def move_passages(folder: Path) -> None:
        write(folder)
        index = PassageIndex.open(folder)

        def texts(places: Rows) -> Sequence[str]:
            spans = zip(papers.take(index.papers_of(places)), index.spans_at(places), strict=True)
            return [paper.abstract[start:end] for paper, (start, end) in spans]

        owners = index.papers_of(np.arange(index.n_places))
        passages = Filterable(papers.years(), papers.has_abstract(), owners, texts)
        move(folder / VECTORS_FILE, passages, folder / SERVED_FILE, "passages")

    if role == "titles":
        return work.make_part(role, "titles.json", move_titles)
    return work.make_part(role, name, move_passages)
