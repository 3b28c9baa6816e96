"""A build under way: its choices, its inputs, and the corpus made so far, which every maker of a part is given."""

import datetime
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from pathfinder.building.changes import Changes
from pathfinder.building.directory import BuildDirectory
from pathfinder.building.embedding import stored_vectors, write_vectors
from pathfinder.building.intake import Intake
from pathfinder.building.passage_maker import PassageMaker, for_papers, passage_maker_of
from pathfinder.building.progress import Progress
from pathfinder.building.read_sources import NO_INPUTS, ExtraInputs
from pathfinder.corpus.history.retractions import Retractions
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.corpus.manifest import Manifest
from pathfinder.corpus.paper_columns import read_table
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.parts import CorpusFile, place_part
from pathfinder.corpus.store import PASSAGE_ROLES, Corpus, open_parts
from pathfinder.index.engines import Collection, collection_holding
from pathfinder.index.token_codecs import TokenForm
from pathfinder.models.ports import ChatModel, Embedder, Vectors


@dataclass(frozen=True, slots=True)
class MapOptions:
    """Map options of a build."""

    afresh: bool = False
    """True to compute a new layout of the map, so that all positions change; otherwise papers stay where they are."""
    namer: ChatModel | None = None
    """Chat model that names the clusters; with `None` they are named after their keywords."""


@dataclass(frozen=True, slots=True)
class BuildPlan:
    """Choices about what a build makes from its papers."""

    inputs: ExtraInputs = NO_INPUTS
    options: MapOptions = MapOptions()
    snapshot: datetime.date | None = None
    """Snapshot that the user requested."""
    extractor: KeywordExtractor | None = None
    passages: bool | None = None
    """Whether the corpus gets indexes of passages; `None` if it keeps those that it has; a new one gets them."""
    opens_early: bool = False
    """True if a new corpus is put in place before its map is drawn (`completion.py`)."""
    retractions: Retractions | None = None
    """New list from Retraction Watch; without it, the corpus keeps its own."""
    takes_changes: bool = False
    """True if papers that changed in their sources replace those in the corpus; otherwise the corpus keeps its own
    versions.
    """
    tokens: TokenForm | None = None
    """Form of the token vectors; `None` means the corpus's own or, in a new corpus, "full"."""
    collection: Collection | None = None
    """Collection in an engine for the vectors; `None` means the corpus's own or, in a new corpus, a file."""
    looked_up: Mapping[str, str] = field(default_factory=dict)
    """Ids of papers in the corpus, by the ids of the records that were looked up for them."""


@dataclass
class Work:
    """A build: its inputs, and the corpus made so far."""

    place: BuildDirectory
    manifest: Manifest
    """Manifest of the corpus made so far, which is not yet in place."""
    embedder: Embedder
    """Embedder for questions and other short texts."""
    progress: Progress
    previous: Corpus | None
    """Corpus from which the new version is made."""
    plan: BuildPlan
    changes: Changes
    intake: Intake = field(default_factory=Intake)
    replaced_manifest: Manifest | None = None
    """Manifest of the version to which a rollback returns, if that is not `previous`."""

    @cached_property
    def paper_embedder(self) -> Embedder:
        """The embedder in the form that embeds papers."""
        return for_papers(self.embedder)

    @cached_property
    def extractor(self) -> KeywordExtractor:
        """The keyword extractor, which a build without new papers does not need."""
        profile = self.plan.inputs.profile_of_corpus(self.previous)
        return self.plan.extractor or KeywordExtractor.load(profile=profile)

    @property
    def has_ready_vectors_alone(self) -> bool:
        """True if vectors were read from files, which have none for passages, titles or tokens."""
        return not self._has_passages_already and any(source.vectors for source in self.manifest.sources)

    @property
    def _has_passages_already(self) -> bool:
        return self.previous is not None and any(role in self.previous.manifest.parts for role in PASSAGE_ROLES)

    @cached_property
    def passage_maker(self) -> PassageMaker | None:
        """Passage maker, if the corpus is to have passages."""
        is_wanted = self.plan.passages
        if is_wanted is None:
            is_wanted = self.previous is None or self._has_passages_already
        if not is_wanted or self.has_ready_vectors_alone:
            return None
        return passage_maker_of(self.paper_embedder, self.previous, self.manifest.form_of_tokens)

    @property
    def collection(self) -> Collection | None:
        """Collection in an engine that holds the vectors; `None` if files hold them."""
        return self.plan.collection or collection_of(self.previous)

    @property
    def corpus(self) -> Corpus:
        """The corpus made so far, opened."""
        return open_parts(self.place.corpus, self.manifest, "")

    @cached_property
    def papers(self) -> PaperTable:
        """All papers, available once their table is in place."""
        return PaperTable(read_table(self.path("papers")))

    @cached_property
    def vectors(self) -> Vectors:
        """Vectors of all papers, in a scratch file: newly embedded, or taken from the previous corpus."""
        batches = stored_vectors(self.previous.dense) if self.previous else ()
        return self.scratch_vectors(batches, len(self.papers))

    def scratch_vectors(self, batches: Iterable[Vectors], n_papers: int) -> Vectors:
        """Write vectors to a scratch file and return them memory-mapped, shape (n_papers, dimension)."""
        path = self.place.staging / "vectors.float32"
        return write_vectors(batches, n_papers, self.embedder.dimension, path, self.manifest.vector_limit)

    def path(self, role: str) -> Path:
        """Return the file or folder of a part made so far."""
        return self.place.corpus / self.manifest.parts[role].name

    def make_part(self, role: str, name: str, write: Callable[[Path], None] | str) -> CorpusFile:
        """Have `write` create a file or folder called `name`, or write a text to that file, and move it into the corpus
        as the part `role`.
        """
        staging_path = self.place.staging / name
        if isinstance(write, str):
            staging_path.write_text(write, encoding="utf-8")
        else:
            write(staging_path)
        return place_part(staging_path, role, self.place.corpus)

    @contextmanager
    def stage(self, title: str, total: int | None = None) -> Iterator[None]:
        """Report a stage of `total` steps that lasts as long as the context."""
        self.progress.start(title, total)
        yield
        self.progress.finish()


def collection_of(corpus: Corpus | None) -> Collection | None:
    """Return the collection that holds the vectors of `corpus`; `None` if files hold them, or if there is no corpus."""
    return collection_holding(corpus.dense) if corpus else None
