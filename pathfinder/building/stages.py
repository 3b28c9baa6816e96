"""The stages of a build: which parts of `graph.py` each stage makes, and from which inputs. `completion.py` decides
which stages run.
"""

import datetime
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import pyarrow as pa

from pathfinder.building.changes import HISTORY_ROLES, Changes
from pathfinder.building.directory import BuildDirectory
from pathfinder.building.embedding import stored_vectors
from pathfinder.building.engine import are_elsewhere, collection_of
from pathfinder.building.fitted_parts import (
    awaits_key,
    outliers_part,
    profile_parts,
    relevance_part,
    reranker_part,
    thesaurus_part,
)
from pathfinder.building.indexes import dense_part, embed_papers, papers_part, scratch_vectors, sparse_part, terms_part
from pathfinder.building.map import MapOptions, atlas_part, groups_part, landscape_part, layers_part
from pathfinder.building.passage_maker import PassageMaker, for_papers, precision_of
from pathfinder.building.passages import (
    LEFT_OUT,
    READY_VECTORS,
    absent_passages,
    has_passages,
    index_passages,
    passage_maker_of,
)
from pathfinder.building.progress import Progress
from pathfinder.building.read_sources import NO_INPUTS, ExtraInputs
from pathfinder.building.reviews import reviews_part
from pathfinder.building.steering_features import MIN_PAPERS, fit_features
from pathfinder.building.tools import Tools
from pathfinder.corpus.features import FeatureDictionary, write_features
from pathfinder.corpus.history.retractions import Retractions
from pathfinder.corpus.journal import Journal
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.corpus.manifest import Manifest
from pathfinder.corpus.network.writing import has_references, write_network
from pathfinder.corpus.paper_columns import count, read_table
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.parts import CorpusFile
from pathfinder.corpus.store import FULL_TEXT_ROLES, PASSAGE_ROLES, Corpus, open_parts
from pathfinder.index.milvus import CollectionName
from pathfinder.index.terms import KeywordIndex
from pathfinder.index.token_codecs import TokenForm
from pathfinder.landscape.data.groups import are_current
from pathfinder.models.ports import Embedder, Vectors

MadeParts = Mapping[str, CorpusFile | str]
"""Parts by role; a text in place of a part is the reason for its absence."""


@dataclass(frozen=True, slots=True)
class BuildPlan:
    """Choices about what a build makes from its papers."""

    inputs: ExtraInputs = NO_INPUTS
    options: MapOptions = MapOptions()  # noqa: RUF009  it is frozen
    snapshot: datetime.date | None = None
    """Snapshot that the user requested."""
    extractor: KeywordExtractor | None = None
    passages: bool | None = None
    """Whether the corpus gets indexes of passages; `None` if it keeps those that it has; a new one gets them."""
    opens_early: bool = False
    """True if a new corpus is put in place before its map is drawn (`early.py`)."""
    retractions: Retractions | None = None
    """New list from Retraction Watch; without it, the corpus keeps its own."""
    takes_changes: bool = False
    """True if papers that changed in their sources replace those in the corpus; otherwise the corpus keeps its own
    versions.
    """
    tokens: TokenForm | None = None
    """Form of the token vectors; `None` means the corpus's own or, in a new corpus, "full"."""
    collection: CollectionName | None = None
    """Collection on a Milvus server for the vectors; `None` means the corpus's own or, in a new corpus, a file."""
    looked_up: Mapping[str, str] = field(default_factory=dict)
    """Ids of papers in the corpus, by the ids of the records that were looked up for them."""


@dataclass
class Work:
    """A build: its inputs, and the corpus made so far."""

    directory: BuildDirectory
    manifest: Manifest
    """Manifest of the corpus made so far, which is not yet in place."""
    embedder: Embedder
    progress: Progress
    previous: Corpus | None
    """Corpus to which papers are added."""
    plan: BuildPlan
    has_new_papers: bool
    """True if any paper is new or has changed."""
    changes: Changes
    collection: CollectionName | None = None
    """Collection on a Milvus server in which the vectors are to be stored; `None` for a file."""
    history: Mapping[str, CorpusFile] = field(default_factory=dict)
    """Parts that hold the merges, choices and retractions."""
    _vectors: Vectors | None = field(default=None, init=False)

    @cached_property
    def paper_embedder(self) -> Embedder:
        """The embedder in the form that embeds papers."""
        return for_papers(self.embedder)

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

    @cached_property
    def tools(self) -> Tools:
        """Tools for making parts; loading them loads the keyword extractor, which a build without new papers does not
        need.
        """
        profile = self.plan.inputs.profile_of_corpus(self.previous)
        extractor = self.plan.extractor or KeywordExtractor.load(profile=profile)
        return Tools(
            self.directory,
            self.embedder,
            self.paper_embedder,
            extractor,
            self.progress,
            self.passage_maker,
            self.manifest.vector_limit,
            self.collection,
        )

    @cached_property
    def papers(self) -> PaperTable:
        """All papers, available once their table is in place."""
        return PaperTable(read_table(self.directory.corpus / self.manifest.parts["papers"].name))

    @property
    def vectors(self) -> Vectors:
        """Vectors of all papers, in a scratch file: newly embedded, or taken from the previous corpus."""
        if self._vectors is None:
            batches = stored_vectors(self.previous.dense) if self.previous else ()
            self._vectors = scratch_vectors(self.tools, batches, len(self.papers))
        return self._vectors

    def make_papers(self) -> MadeParts:
        """Make the table of papers and embed the new ones."""
        with Journal(self.directory.journal) as journal:
            self._vectors = embed_papers(self.tools, self.previous, journal, self.changes)
            part = papers_part(self.tools, self.previous, journal, self.changes)
        self.manifest = replace(self.manifest, parts={"papers": part})
        table = read_table(self.directory.corpus / part.name)
        names = self.previous.manifest.keyword_extractor.split(" + ") if self.previous else []
        self.manifest = replace(
            self.manifest,
            keyword_extractor=" + ".join(dict.fromkeys([*names, self.tools.extractor.name])),
            snapshot=self.plan.snapshot or _newest(self.papers, self.previous),
            counts=count(table),
            precision=precision_of(self.paper_embedder),
        )
        return {"papers": part}

    def make_passages(self) -> MadeParts:
        """Make the indexes of passages, tokens and titles."""
        why_none = READY_VECTORS if self.has_ready_vectors_alone else LEFT_OUT
        absent = absent_passages(self.embedder, self.passage_maker, why_none)
        if self.passage_maker is None:
            return absent
        with Journal(self.directory.journal) as journal:
            parts = index_passages(
                self.tools, self.passage_maker, self.previous, self.papers, journal, self.changes.reworded_rows
            )
            return {**absent, **parts}


def _newest(papers: PaperTable, previous: Corpus | None) -> datetime.date | None:
    """Return the day of the newest paper, or the previous snapshot if that is later; `None` if no paper has a date."""
    newest, earlier = papers.newest_day(), previous.snapshot if previous else None
    return max((day for day in (newest, earlier) if day), default=None)


@dataclass(frozen=True, slots=True)
class BuildStage:
    """A stage, which makes one part or several together."""

    roles: tuple[str, ...]
    make: Callable[[Work], MadeParts]
    is_asked: Callable[[Work], bool] | None = None
    """Function that returns whether the build has new input for the parts; if so, they are made even if they are not
    stale.
    """


def _relevance(work: Work) -> MadeParts:
    return {"relevance": relevance_part(work.tools, open_parts(work.directory.corpus, work.manifest, ""))}


def _reranker_check(work: Work) -> MadeParts:
    return {"reranker": reranker_part(work.tools, open_parts(work.directory.corpus, work.manifest, ""))}


def _features(work: Work) -> MadeParts:
    terms = work.directory.corpus / work.manifest.parts["terms"].name
    previous = work.previous.features if work.previous and not work.plan.options.afresh else None
    return {"features": features_part(work.tools, work.vectors, work.papers, terms, previous)}


def _network(work: Work) -> MadeParts:
    table = read_table(work.directory.corpus / work.manifest.parts["papers"].name)
    return {"network": network_part(work.tools, table)}


def _reviews(work: Work) -> MadeParts:
    new, previous = work.plan.inputs.reviews, work.previous
    return {"reviews": reviews_part(work.directory, work.manifest, previous, new, work.embedder, work.progress)}


def _groups_are_current(previous: Corpus | None) -> bool:
    folder = previous.path("groups") if previous else None
    return folder is not None and are_current(folder)


def _layers(work: Work) -> MadeParts:
    return {"layers": layers_part(work.directory, work.manifest, work.previous, work.progress)}


def _atlas(work: Work) -> MadeParts:
    namer = work.plan.options.namer
    return {"atlas": atlas_part(work.directory, work.manifest, work.previous, work.progress, namer)}


def _same_full_texts(work: Work) -> MadeParts:
    """Keep the list of full texts and their index, which only the commands for full texts change."""
    previous_parts = work.previous.manifest.parts if work.previous else {}
    return {role: part for role, part in previous_parts.items() if role in FULL_TEXT_ROLES}


NO_REFERENCES = (
    "none of its papers lists references: build from a source that lists them, such as openalex:, crossref: or a file "
    "exported from ADS"
)


def network_part(tools: Tools, table: pa.Table) -> CorpusFile | str:
    """Make the citation network of all papers in `table`; return the reason if no paper lists references."""
    if not has_references(table):
        return NO_REFERENCES
    tools.progress.start("linking references", None)
    part = tools.make_part("network", "network", lambda folder: write_network(table, folder))
    tools.progress.finish()
    return part


SEARCH_STAGES = (
    BuildStage(("papers",), Work.make_papers, lambda work: work.has_new_papers),
    BuildStage(
        PASSAGE_ROLES,
        Work.make_passages,
        lambda work: (
            work.previous is None
            or not has_passages(work.previous, work.passage_maker)
            or are_elsewhere(work.previous, work.collection)
        ),
    ),
    BuildStage(
        ("dense",),
        lambda work: {"dense": dense_part(work.tools, work.papers, work.vectors)},
        lambda work: work.collection != collection_of(work.previous),
    ),
    BuildStage(
        ("sparse",),
        lambda work: {"sparse": sparse_part(work.tools, work.papers)},
        lambda work: work.previous is not None and work.previous.lacks_keywords,
    ),
    BuildStage(("terms",), lambda work: {"terms": terms_part(work.tools, work.papers)}),
    BuildStage(("network",), _network),
    BuildStage(
        ("profile",),
        lambda work: profile_parts(work.directory, work.previous, work.plan.inputs.profile),
        lambda work: work.plan.inputs.profile is not None,
    ),
    BuildStage(("outliers",), lambda work: {"outliers": outliers_part(work.tools, work.vectors)}),
    BuildStage(HISTORY_ROLES, lambda work: work.history, lambda work: True),  # noqa: ARG005  they are made already
    BuildStage(FULL_TEXT_ROLES, _same_full_texts),
)
"""Stages that a search needs."""

FITTED_STAGES = (
    BuildStage(("relevance",), _relevance, lambda work: awaits_key(work.previous, work.embedder)),
    BuildStage(("reranker",), _reranker_check),
    BuildStage(
        ("landscape",),
        lambda work: {"landscape": landscape_part(work.tools, work.vectors, work.previous, work.plan.options)},
        lambda work: work.plan.options.afresh,
    ),
)
"""Stages whose parts are fitted to the whole corpus, such as the relevance decision and the positions of the papers on
the map.
"""


def features_part(
    tools: Tools, vectors: Vectors, papers: PaperTable, terms: Path, previous: FeatureDictionary | None
) -> CorpusFile | str:
    """Fit, name and test the features of all papers, or bring those of `previous` up to date; return the reason if
    there are too few papers.
    """
    if len(papers) < MIN_PAPERS:
        return f"features need at least {MIN_PAPERS} papers: add papers"  # earlier years have even fewer
    tools.progress.start("fitting features", None)
    dictionary = fit_features(vectors, papers, KeywordIndex.open(terms), previous)
    part = tools.make_part("features", "features", lambda folder: write_features(dictionary, folder))
    tools.progress.finish()
    return part


LATER_STAGES = (
    BuildStage(("features",), _features, lambda work: work.plan.options.afresh),
    BuildStage(
        ("thesaurus",),
        lambda work: {"thesaurus": thesaurus_part(work.directory, work.previous, work.plan.inputs.thesaurus)},
        lambda work: work.plan.inputs.thesaurus is not None,
    ),
    BuildStage(("reviews",), _reviews, lambda work: work.plan.inputs.reviews is not None),
    BuildStage(
        ("groups",),
        lambda work: {"groups": groups_part(work.directory, work.manifest, work.progress)},
        lambda work: not _groups_are_current(work.previous),
    ),
    BuildStage(("layers",), _layers, lambda work: True),  # noqa: ARG005  each layer checks whether it is stale
    BuildStage(("atlas",), _atlas, lambda work: work.plan.options.namer is not None),
)
"""Stages for inputs other than papers, and for the drawn parts of the map."""
