"""Makes the table of papers, their vectors, the three indexes that every corpus has, and the citation network; vectors
are in files, or in collections of an engine.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from pathfinder.building.changes import PAPERS_PER_BATCH, with_changes, with_new_vectors
from pathfinder.building.embedding import (
    describe_cost,
    embed,
    in_batches,
    stored_vectors,
    write_papers,
    write_with_keywords,
)
from pathfinder.building.passage_maker import precision_of
from pathfinder.building.progress import report_each
from pathfinder.building.work import Work
from pathfinder.corpus.journal import Journal
from pathfinder.corpus.network.writing import has_references, write_network
from pathfinder.corpus.paper_columns import count, papers_of, read_table
from pathfinder.corpus.parts import CorpusFile
from pathfinder.index.dense import DenseIndex, write_dense
from pathfinder.index.engines import SERVED_FILE, Collection, Filterable, VectorsOf, What, collection_holding
from pathfinder.index.passages import VECTORS_FILE, PassageIndex
from pathfinder.index.sparse import keyword_text, write_sparse
from pathfinder.index.terms import build_keyword_index
from pathfinder.types import Paper, Rows, text_of

NO_REFERENCES = (
    "none of its papers lists references: build from a source that lists them, such as openalex: or crossref:, or let "
    "`pathfinder complete` fetch them"
)


def papers_part(work: Work) -> CorpusFile:
    """Make the table of all papers: first those of the previous corpus, with any changes, then the new ones; and embed
    those that are new or were reworded.

    The vectors of all papers exist only as long as the build directory. Passages, tokens, titles and keywords are
    written to the journal in the same pass.
    """
    previous, changes = work.previous, work.changes
    new = read_table(work.place.new_papers)
    reworded = read_table(changes.reworded_papers) if changes.reworded_rows else new.slice(0, 0)
    with Journal(work.place.journal) as journal:
        both = chain(_papers(reworded), _papers(new))
        cost = describe_cost(both, work.paper_embedder, journal, work.passage_maker)
        if cost is not None:
            work.progress.say(cost)
        with work.stage("embedding", reworded.num_rows + new.num_rows):
            again, batches_of_new = (
                embed(_papers(some), work.paper_embedder, journal, work.progress, work.passage_maker, work.extractor)
                for some in (reworded, new)
            )
            new_vectors = [vector for batch in again for vector in batch]
            kept = stored_vectors(previous.dense) if previous else ()
            batches = chain(with_new_vectors(kept, changes.reworded_rows, new_vectors), batches_of_new)
            work.vectors = work.scratch_vectors(batches, new.num_rows + (len(previous.papers) if previous else 0))
        table_path = work.place.staging / "keyworded.arrow"
        write_with_keywords(pa.concat_tables([reworded, new]), work.extractor, journal, table_path, work.progress)
    with_keywords = read_table(table_path)
    reworded, new = with_keywords.slice(0, reworded.num_rows), with_keywords.slice(reworded.num_rows)
    earlier = None
    if previous is not None:
        table = read_table(previous.folder / previous.manifest.parts["papers"].name)
        earlier = with_changes(table, changes, reworded)
    part = work.make_part("papers", "papers.arrow", lambda path: write_papers(earlier, new, path))
    work.manifest = replace(work.manifest, parts={"papers": part})
    days = [work.papers.newest_day(), previous.snapshot if previous else None]
    extractors = previous.manifest.keyword_extractor.split(" + ") if previous else []
    work.manifest = replace(
        work.manifest,
        keyword_extractor=" + ".join(dict.fromkeys([*extractors, work.extractor.name])),
        snapshot=work.plan.snapshot or max((day for day in days if day), default=None),
        counts=count(read_table(work.path("papers"))),
        precision=precision_of(work.paper_embedder),
    )
    return part


def _papers(table: pa.Table) -> Iterator[Paper]:
    return (paper for batch in table.to_batches() for paper in papers_of(batch))


def dense_part(work: Work) -> CorpusFile:
    """Make the index that finds papers by meaning: a file, or a collection in an engine together with the file that
    names it.
    """
    vectors, limit, collection = work.vectors, work.manifest.vector_limit, work.collection
    if collection is None:
        return work.make_part(
            "dense", "dense.faiss", lambda path: write_dense(in_batches(vectors), vectors.shape[1], path, limit)
        )
    with work.stage("filling the collection", len(work.papers)):
        return work.make_part("dense", "dense.json", lambda path: write_papers_there(work, collection, path))


def sparse_part(work: Work) -> CorpusFile:
    """Make the index that finds papers by words."""

    def values(column: str) -> Iterator[Any]:
        for start in range(0, len(work.papers), PAPERS_PER_BATCH):
            yield from work.papers.column(column).slice(start, PAPERS_PER_BATCH).to_pylist()

    def write(path: Path) -> None:
        texts = report_each(map(text_of, values("title"), values("abstract")), work.progress)
        write_sparse(texts, path, map(keyword_text, values("subjects")))

    with work.stage("indexing words", len(work.papers)):
        return work.make_part("sparse", "sparse", write)


def terms_part(work: Work) -> CorpusFile:
    """Make the index that finds papers by keywords."""
    with work.stage("indexing keywords", len(work.papers)):
        papers = report_each(work.papers, work.progress)
        return work.make_part("terms", "terms", lambda path: build_keyword_index(papers, path))


def network_part(work: Work) -> CorpusFile | str:
    """Make the citation network of all papers; return the reason if no paper lists references."""
    table = read_table(work.path("papers"))
    if not has_references(table):
        return NO_REFERENCES
    with work.stage("linking references"):
        return work.make_part("network", "network", lambda folder: write_network(table, folder))


MOST_AUTHORS = 100
"""Maximum number of authors that an engine stores for a paper, counted from the first; the corpus has them all."""


def are_elsewhere(work: Work) -> bool:
    """Return whether the vectors of passages and titles are in a different place from the one chosen for those of the
    papers.
    """
    if work.previous is None:
        return False
    passages, titles = work.previous.passages, work.previous.titles
    indexes = [passages.vectors if isinstance(passages, PassageIndex) else None, titles]
    return any(index is not None and collection_holding(index) != work.collection for index in indexes)


def write_papers_there(work: Work, collection: Collection, path: Path) -> None:
    """Put the vectors, texts and fields of the papers into an engine, and write the file that names it."""
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
    collection.write(work.place.corpus, work.vectors, fields, path, work.progress.advance)


def passage_part(work: Work, role: str, name: str, write: Callable[[Path], None]) -> CorpusFile:
    """Make a part called `name` from files that `write` writes; the vectors of passages and titles then move to an
    engine, if there is one.
    """
    collection, papers = work.collection, work.papers
    if collection is None or role not in ("passages", "titles"):
        return work.make_part(role, name, write)

    def move(file: Path, fields: Filterable, path: Path, what: What) -> None:
        """Put the vectors in `file` into the engine, keeping their rounding, and replace `file` with the file at
        `path`.
        """
        vectors = VectorsOf(DenseIndex.open(file))
        collection.write(work.place.corpus, vectors, fields, path, work.progress.advance, what)
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
