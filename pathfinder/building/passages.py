"""Makes the indexes of passages, tokens and titles. A corpus can be searched without them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path

import numpy as np

from pathfinder.building.changes import with_new_items, with_new_vectors
from pathfinder.building.embedding import cut_stored, stored_vectors
from pathfinder.building.indexes import passage_part
from pathfinder.building.passage_maker import PassageMaker, known_tokens
from pathfinder.building.work import Work
from pathfinder.corpus.journal import Journal
from pathfinder.corpus.parts import CorpusFile
from pathfinder.corpus.store import PASSAGE_ROLES, Corpus
from pathfinder.errors import UsageError
from pathfinder.index import passages, tokens
from pathfinder.index.dense import write_dense
from pathfinder.index.token_codecs import TokenForm
from pathfinder.models.ports import Embedder, TokenEmbedder, Vectors
from pathfinder.types import Paper

LEFT_OUT = "it was left out when this corpus was built: to add it, build again from the sources without --no-passages"

READY_VECTORS = (
    "the vectors of the papers were read from a file, which has none for passages, titles or tokens: `pathfinder "
    "update DIR --re-embed` makes them with the local embedder"
)


def form_for(embedder: Embedder, form: TokenForm | None) -> TokenForm:
    """Return the form of a new corpus's tokens. Raises `UsageError` if there are no small tokens for `embedder`."""
    has_tokens = isinstance(embedder, TokenEmbedder) and tokens.projection_for("full", embedder.dimension) is not None
    if form == "small" and not has_tokens:
        raise UsageError(
            f"small token vectors are available only with the local embedder, not with {embedder.name}: leave out "
            "--token-vectors small"
        )
    return form or "full"


def check_form(corpus: Corpus, form: TokenForm | None) -> None:
    """Raise `UsageError` if `form` is not the form of the tokens in `corpus`."""
    if form not in (None, corpus.manifest.form_of_tokens):
        raise UsageError(
            f"the tokens of {corpus.folder} are {corpus.manifest.form_of_tokens}, not {form}: leave out "
            "--token-vectors, or build in a new folder"
        )


def has_passages(corpus: Corpus, passage_maker: PassageMaker | None) -> bool:
    """Return whether `corpus` has exactly the parts that `passage_maker` makes."""
    return set(corpus.manifest.parts) & set(PASSAGE_ROLES) == set(passage_maker.roles if passage_maker else ())


def absent_passages(embedder: Embedder, passage_maker: PassageMaker | None, why_none: str = LEFT_OUT) -> dict[str, str]:
    """Return the parts that will be missing from a corpus, each with the reason; `why_none` is the reason if all are
    missing.
    """
    if passage_maker is None:
        return dict.fromkeys(PASSAGE_ROLES, why_none)
    if isinstance(embedder, TokenEmbedder):
        reason = f"there is no projection for tokens of {embedder.dimension} dimensions"
    else:
        reason = f"{embedder.name} provides no token vectors"
    return {role: reason for role in PASSAGE_ROLES if role not in passage_maker.roles}


@dataclass(frozen=True, slots=True, eq=False)
class CutPapers:
    """Papers divided into passages, with the journal that holds their records."""

    passage_maker: PassageMaker
    papers: Sequence[Paper]
    """Papers whose records are in the journal."""
    journal: Journal
    previous: Corpus | None = None
    """Corpus with the papers that come before these, and with their records."""
    reworded_papers: Mapping[int, Paper] = field(default_factory=dict)
    """New versions of papers in `previous`, by row; their records are in the journal too."""
    vector_limit: float | None = None
    """Largest coordinate of the stored vectors, as for `write_dense`."""

    def records(self, role: str) -> Iterator[bytes]:
        """Yield the journal record of each paper."""
        return (self.journal[self.passage_maker.key(role, paper)] for paper in self.papers)

    def new_records(self, role: str) -> Mapping[int, bytes]:
        """Return the journal records of the reworded papers by row."""
        return {row: self.journal[self.passage_maker.key(role, paper)] for row, paper in self.reworded_papers.items()}


def passage_parts(work: Work) -> Mapping[str, CorpusFile | str]:
    """Make the indexes of passages, tokens and titles, by role; a text is the reason why one is missing."""
    why_none = READY_VECTORS if work.has_ready_vectors_alone else LEFT_OUT
    absent = absent_passages(work.embedder, work.passage_maker, why_none)
    if work.passage_maker is None:
        return absent
    with Journal(work.place.journal) as journal:
        return {**absent, **index_passages(work, work.passage_maker, journal)}


def index_passages(work: Work, passage_maker: PassageMaker, journal: Journal) -> dict[str, CorpusFile]:
    """Make the indexes of all papers, by role; `journal` holds the records of the papers that are not in the previous
    corpus, and of those whose text has changed.
    """
    papers, previous = work.papers, work.previous
    if previous and not has_passages(previous, passage_maker):
        with work.stage("dividing earlier papers into passages", len(previous.papers)):
            cut_stored(previous.papers, stored_vectors(previous.dense), journal, work.progress, passage_maker)
        previous = None
    changed_papers = {row: papers[row] for row in work.changes.reworded_rows} if previous else {}
    new, limit = papers[len(previous.papers) if previous else 0 :], work.manifest.vector_limit
    cut_papers = CutPapers(passage_maker, new, journal, previous, changed_papers, limit)
    with work.stage("indexing passages"):
        return {
            role: passage_part(work, role, name, partial(write, cut_papers))
            for role, (name, write) in _WRITERS.items()
            if role in passage_maker.roles
        }


def _write_tokens(cut_papers: CutPapers, path: Path) -> None:
    if (projection := cut_papers.passage_maker.projection) is None:
        return
    store = known_tokens(cut_papers.previous)
    previous_tokens = store.stored_tokens() if store else ()
    decode = partial(tokens.from_bytes, codec=cut_papers.passage_maker.codec)
    new = {row: decode(content) for row, content in cut_papers.new_records("tokens").items()}
    tokens.write_tokens(
        chain(with_new_items(previous_tokens, new), map(decode, cut_papers.records("tokens"))),
        projection,
        path,
        cut_papers.passage_maker.codec,
    )


def _write_passages(cut_papers: CutPapers, path: Path) -> None:
    dimension = cut_papers.passage_maker.embedder.dimension
    index = cut_papers.previous.passages if cut_papers.previous else None
    previous_passages = index.stored_passages() if isinstance(index, passages.PassageIndex) else ()
    decode = partial(passages.from_bytes, dimension=dimension)
    new = {row: decode(content) for row, content in cut_papers.new_records("passages").items()}
    stored_papers = chain(with_new_items(previous_passages, new), map(decode, cut_papers.records("passages")))
    passages.write_passages(stored_papers, dimension, path, cut_papers.vector_limit)


def _write_titles(cut_papers: CutPapers, path: Path) -> None:
    dimension = cut_papers.passage_maker.embedder.dimension
    previous_titles = (
        stored_vectors(cut_papers.previous.titles) if cut_papers.previous and cut_papers.previous.titles else ()
    )
    new = {row: _title_vector(content) for row, content in cut_papers.new_records("titles").items()}
    vectors_of_new = (_title_vector(content)[np.newaxis] for content in cut_papers.records("titles"))
    vectors = chain(with_new_vectors(previous_titles, list(new), list(new.values())), vectors_of_new)
    write_dense(vectors, dimension, path, cut_papers.vector_limit)


def _title_vector(content: bytes) -> Vectors:
    return np.frombuffer(content, "<f2").astype(np.float32)


_WRITERS: Mapping[str, tuple[str, Callable[[CutPapers, Path], None]]] = {
    "tokens": ("tokens", _write_tokens),
    "passages": ("passages", _write_passages),
    "titles": ("titles.faiss", _write_titles),
}
"""Name of each part while it is being written, and the function that writes it."""
