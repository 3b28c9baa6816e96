"""Find full-text passages by meaning (FAISS) and by words (BM25), each with its paper, section and page."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pathfinder.errors import CorpusDamaged
from pathfinder.index.dense import DenseIndex, SelectedVectors, write_dense
from pathfinder.index.ports import Ranking, WordStatistics
from pathfinder.index.predicate import Mask, PaperColumns, Predicate
from pathfinder.index.sparse import SparseIndex, write_sparse
from pathfinder.models.ports import Vectors
from pathfinder.types.full_texts import FullTextPassage, SectionKind
from pathfinder.types.results import Floats, Rows

PASSAGES_FILE, VECTORS_FILE, LIST_KEY = "passages.arrow", "vectors.faiss", b"pathfinder.full_texts"
TEXTS_KEY = b"pathfinder.texts"

_SCHEMA = pa.schema(
    [
        pa.field("paper_id", pa.string(), nullable=False),
        pa.field("text", pa.string(), nullable=False),
        pa.field("heading", pa.string(), nullable=False),
        pa.field("kind", pa.string(), nullable=False),
        pa.field("page", pa.int32()),
        pa.field("section", pa.int32(), nullable=False),
        pa.field("first", pa.int32(), nullable=False),
        pa.field("last", pa.int32(), nullable=False),
        pa.field("start", pa.int32(), nullable=False),
        pa.field("end", pa.int32(), nullable=False),
    ]
)


_OF_A_PASSAGE = _SCHEMA.names[1:]
"""Columns in the order of the fields of `FullTextPassage`."""


class OwnedPassage(NamedTuple):
    """A full-text passage with its paper."""

    paper_id: str
    passage: FullTextPassage


@dataclass(frozen=True, slots=True, eq=False)
class FullTextIndex:
    """The full-text passages of a corpus, memory-mapped. A passage's place is its position in the index."""

    vectors: DenseIndex | SelectedVectors
    words: SparseIndex
    table: pa.Table
    papers: Rows
    """Row of each passage's paper, shape (n_passages,); -1 for a paper that is not in this version of the corpus."""
    kinds: NDArray[np.str_]
    """Kind of each passage's section, shape (n_passages,)."""
    n_papers: int
    """Number of papers in the corpus."""
    made_from: str
    """Name of the list of full texts from which the index was made."""
    texts: frozenset[str] = frozenset()
    """The ids and contents of these texts, as in `text_key`; empty in an index of an earlier release."""
    columns: PaperColumns | None = None

    @classmethod
    def open(
        cls,
        folder: Path,
        rows_of: Callable[[Sequence[str]], Rows],
        n_papers: int,
        columns: PaperColumns | None = None,
    ) -> Self:
        """Open the index in `folder`; `rows_of` returns the rows of papers by id.

        Raises `CorpusDamaged` if its files are inconsistent with each other.
        """
        table = pa.ipc.open_file(pa.memory_map(str(folder / PASSAGES_FILE))).read_all()
        vectors, words = DenseIndex.open(folder / VECTORS_FILE), SparseIndex.open(folder)
        is_whole = table.schema.equals(_SCHEMA) and len(table) == len(vectors) == len(words)
        if not is_whole or LIST_KEY not in (table.schema.metadata or {}):
            raise CorpusDamaged(f"{folder} is damaged (its passages, vectors and words differ): index the texts again")
        ids = table.column("paper_id").combine_chunks().dictionary_encode()
        rows = np.array(rows_of(ids.dictionary.to_pylist()), dtype=np.int64)
        papers = rows[ids.indices.to_numpy()] if len(table) else np.empty(0, dtype=np.int64)
        kinds = np.array(table.column("kind").to_pylist(), dtype=np.str_)
        made_from = table.schema.metadata[LIST_KEY].decode()
        texts = frozenset(filter(None, table.schema.metadata.get(TEXTS_KEY, b"").decode().split("\n")))
        return cls(vectors, words, table, papers, kinds, n_papers, made_from, texts, columns)

    def has_only_texts_of(self, path: Path) -> bool:
        """Return whether all texts of the index are still in the list of full texts at `path`; others may have been
        added since, as they are while many are fetched.
        """
        table = pa.ipc.open_file(pa.memory_map(str(path))).read_all()
        listed = map(text_key, table.column("paper_id").to_pylist(), table.column("sha256").to_pylist())
        return bool(self.texts) and self.texts <= set(listed)

    def only(self, rows: Rows, columns: PaperColumns) -> Self:
        """Return an index of only the passages of the papers at `rows`, which are ascending; `columns` holds the
        columns of these papers.
        """
        own = np.full(self.n_papers + 1, -1, dtype=np.int64)
        own[rows] = np.arange(len(rows))
        papers = own[self.papers]  # the last place is for papers without a row
        places = np.flatnonzero(papers >= 0)
        table = self.table.take(pa.array(places))
        if isinstance(self.vectors, SelectedVectors):
            raise ValueError("these passages are already a selection: select from the whole index")
        return replace(
            self,
            vectors=SelectedVectors(self.vectors, places),
            words=self.words.only(places, table.column("text").to_pylist()),
            table=table,
            papers=papers[places],
            kinds=self.kinds[places],
            n_papers=len(rows),
            columns=columns,
        )

    def __len__(self) -> int:
        """Return the number of passages."""
        return len(self.papers)

    @property
    def method(self) -> str:
        """Description of how vectors are compared, for the badge of a stage."""
        return self.vectors.method

    @property
    def passage_counts(self) -> Rows:
        """Number of passages of each paper, shape (n_papers,)."""
        return np.bincount(self.papers[self.papers >= 0], minlength=self.n_papers)

    def mask(self, predicate: Predicate, kinds: Iterable[SectionKind] = ()) -> Mask | None:
        """Return a mask of the passages that belong to a paper that satisfies `predicate` and to a section of one of
        `kinds`, or of any kind if `kinds` is empty; `None` if all passages do.
        """
        of_papers = predicate.mask(self.n_papers, self.columns)
        mask = self.papers >= 0
        if of_papers is not None:
            mask &= of_papers[self.papers]
        if names := [kind.value for kind in kinds]:
            mask &= np.isin(self.kinds, names)
        return None if mask.all() else mask

    def by_meaning(self, vector: NDArray[np.float32], n: int, mask: Mask | None) -> Ranking:
        """Return the places of the `n` passages with the highest cosine similarity to the unit `vector`."""
        return self.vectors.search_masked(vector, n, mask)

    def by_words(self, text: str, n: int, mask: Mask | None, papers: WordStatistics) -> Ranking:
        """Return the places of at most `n` passages that contain a content word of `text`, ranked by BM25, with
        scores on the same scale as those of `papers`.
        """
        return self.words.search_beside(text, n, mask, papers)

    def passages_of(self, paper_id: str) -> tuple[FullTextPassage, ...]:
        """Return all passages of a paper in reading order, those from captions last; none if it has none."""
        is_own = pc.equal(self.table.column("paper_id"), paper_id)
        places = np.flatnonzero(is_own.to_numpy(zero_copy_only=False))
        return self.passages(places, np.full(len(places), np.nan))

    def places_of(self, row: int) -> Rows:
        """Return the places of the passages of the paper at `row`, in reading order."""
        return np.flatnonzero(self.papers == row)

    def vectors_at(self, places: Rows) -> Vectors:
        """Return the vectors of the passages at `places`, shape (len(places), dimension)."""
        return self.vectors.vectors(places)

    def passages(self, places: Rows, scores: Floats) -> tuple[FullTextPassage, ...]:
        """Return the passages at `places`, each with its score: its cosine from `scores`, which becomes 0 if it is
        negative and `None` if it is NaN.
        """
        # Column by column: building a dictionary for each row takes several times as long.
        columns = (self.table.column(name).take(pa.array(places, pa.int64())).to_pylist() for name in _OF_A_PASSAGE)
        similarities = (None if np.isnan(score) else max(float(score), 0.0) for score in scores)
        rows = zip(*columns, similarities, strict=True)
        return tuple(FullTextPassage(text, heading, SectionKind(kind), *rest) for text, heading, kind, *rest in rows)


def text_key(paper_id: str, sha256: str) -> str:
    """Return a text by which the full text of a paper is recognised, in one line."""
    return f"{sha256[:16]} {paper_id}"


def write_full_text_index(
    passages: Sequence[OwnedPassage],
    vectors: Iterable[Vectors],
    dimension: int,
    folder: Path,
    made_from: str,
    texts: Iterable[str] = (),
    limit: float | None = None,
) -> None:
    """Write the index of `passages`, in order, into `folder`; `vectors` come in batches. For `limit`, see
    `write_dense`; `made_from` names the list of full texts, and `texts` are their keys (`text_key`).
    """
    folder.mkdir(parents=True, exist_ok=True)
    write_dense(vectors, dimension, folder / VECTORS_FILE, limit)
    write_sparse((passage.passage.text for passage in passages), folder)
    schema = _SCHEMA.with_metadata({LIST_KEY: made_from, TEXTS_KEY: "\n".join(texts)})
    with pa.OSFile(str(folder / PASSAGES_FILE), "wb") as sink, pa.ipc.new_file(sink, schema) as writer:
        writer.write_table(pa.Table.from_pylist([_row(passage) for passage in passages], schema))


def _row(passage: OwnedPassage) -> dict[str, Any]:
    row = asdict(passage.passage) | {"paper_id": passage.paper_id, "kind": passage.passage.kind.value}
    del row["score"]
    return row
