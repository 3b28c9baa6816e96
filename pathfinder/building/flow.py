"""A build in order: open the sources -> read them -> complete the corpus (`completion.py`)."""

import datetime
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from pathfinder.building.changes import Changes, history_of
from pathfinder.building.completion import complete, empty_manifest
from pathfinder.building.directory import open_build_directory
from pathfinder.building.full_texts import renew_index
from pathfinder.building.intake import take_in, write_rejected
from pathfinder.building.progress import Progress, Silent
from pathfinder.building.read_sources import (
    access_for,
    read_extra_inputs,
    states_of_sources,
    with_listed_names,
    with_sources,
)
from pathfinder.building.ready_vectors import ReadyVectors
from pathfinder.building.work import BuildPlan, MapOptions, Work
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.corpus.manifest import is_corpus
from pathfinder.corpus.store import verify_corpus
from pathfinder.index.engines import Collection
from pathfinder.index.token_codecs import TokenForm
from pathfinder.models.ports import Embedder
from pathfinder.settings import Settings
from pathfinder.sources import Access, OpenSource, Window, open_sources
from pathfinder.sources.published_lists import UAT, fetch_uat


@dataclass(frozen=True, slots=True)
class BuildReport:
    """The result of a build, in numbers."""

    folder: Path
    n_papers: int
    """Number of papers now in the corpus."""
    n_new: int
    n_known: int
    """Number of papers that were already in the corpus and have not changed."""
    n_changed: int
    """Number of papers that were already in the corpus but now differ in the sources; the corpus keeps its own
    version.
    """
    n_without_abstract: int
    """Number of papers now in the corpus that have only a title."""
    n_rejected: int
    """Number of rejected rows in the sources, and of rejected entries in the thesaurus and the list of reviews."""
    rejected_path: Path
    """File that lists every rejected row with the reason, the source file and the line."""
    n_concepts: int | None = None
    """Number of concepts in the thesaurus of this build; `None` if there is no thesaurus."""
    n_reviews: int | None = None
    """Number of reviews in this build's list; `None` if there is no list."""
    n_merged: int = 0
    """Number of records merged because they describe papers that another source or the corpus already has."""
    n_conflicts: int = 0
    """Number of fields on which merged records disagree, in the whole corpus."""
    n_left_out: int = 0
    """Number of records left out because their papers were once removed from the corpus."""
    renamed: tuple[str, ...] = ()
    """Own ids, such as "smith2020@library.bib", of papers to which their source gives the id of another paper."""
    twins: tuple[tuple[str, str], ...] = ()
    """Ids of papers among the first 5,000 of one source that look like the same, and are kept apart."""


def build(  # noqa: PLR0913  each keyword is an option of the build
    sources: Sequence[Path | str],
    out: Path,
    embedder: Embedder,
    *,
    snapshot: datetime.date | None = None,
    thesaurus: Path | str | None = None,
    reviews: Path | None = None,
    profile: Path | None = None,
    extractor: KeywordExtractor | None = None,
    progress: Progress | None = None,
    passages: bool = True,
    tokens: TokenForm | None = None,
    opens_early: bool = False,
    map_options: MapOptions | None = None,
    window: Window | None = None,
    settings: Settings | None = None,
    vectors: str | None = None,
    collection: Collection | None = None,
) -> BuildReport:
    """Build a corpus from `sources` in the folder `out`, or add their papers to the corpus there.

    A source is a file, a folder or `scheme:rest`; `window` says which part of it to read; `settings`, by default those
    of this process, hold its keys. Papers are added by id and never changed; they keep their places on the map unless
    `map_options` says otherwise. A build that was stopped resumes. `snapshot` is the day from which ages are counted,
    by default that of the newest paper. `thesaurus` is a file, or "uat" for the Unified Astronomy Thesaurus; by
    default, a corpus keeps its thesaurus, its `reviews` and its `profile`. Without `passages`, there are no token
    vectors and no index of titles either; with `opens_early`, a new corpus can be searched before it has a map.
    `vectors` is the column of Parquet sources with the vectors that `embedder` made; `collection`, in an engine, holds
    vectors in place of a file. Raises `CorpusError` if a source cannot be read, `out` is not a corpus made with
    this embedder, or a build is running there.
    """
    progress = progress or Silent()
    access = access_for(out, settings, progress)
    thesaurus_file = Path(thesaurus) if thesaurus else None
    if str(thesaurus) == UAT and not Path(UAT).exists():
        thesaurus_file = fetch_uat(access.settings, progress.say)
    inputs = read_extra_inputs(thesaurus_file, reviews, profile)
    ready = ReadyVectors(embedder)
    opened_sources = open_sources(sources, window or Window(), ready.reading(access, vectors), states_of_sources(out))
    plan = BuildPlan(inputs, map_options or MapOptions(), snapshot, extractor, passages, opens_early)
    plan = replace(plan, tokens=tokens, collection=collection)
    work = build_from(opened_sources, access, out, embedder, plan, progress, ready)
    intake, counts = work.intake, work.manifest.counts
    return BuildReport(
        folder=out,
        n_papers=counts.papers,
        n_new=intake.n_new,
        n_known=intake.n_known,
        n_changed=intake.n_changed,
        n_without_abstract=counts.without_abstract,
        n_rejected=len(intake.rejected_rows),
        rejected_path=work.place.rejected_file,
        n_concepts=len(inputs.thesaurus.concepts) if inputs.thesaurus else None,
        n_reviews=len(inputs.reviews.reviews) if inputs.reviews else None,
        n_merged=len(intake.merges),
        n_conflicts=intake.history.merges.n_conflicts,
        n_left_out=intake.n_left_out,
        renamed=tuple(dict.fromkeys(intake.renamed)),
        twins=tuple(intake.twins),
    )


def build_from(
    sources: Sequence[OpenSource],
    access: Access,
    out: Path,
    embedder: Embedder,
    plan: BuildPlan,
    progress: Progress,
    ready: ReadyVectors,
) -> Work:
    """Build a corpus in `out` from open sources, or bring the corpus there up to date with them; `ready` reads the
    vectors of the sources that have any.
    """
    with open_build_directory(out) as directory:
        previous = None
        if is_corpus(out):
            # Every byte is checked first, so that no damage is carried over.
            previous = verify_corpus(out)
            previous.check_embedder(embedder)
        sources, entries = with_listed_names(sources, previous.manifest.sources if previous else (), out)
        changes, history = Changes(directory.staging), replace(history_of(previous), looked_up=plan.looked_up)
        if plan.retractions is not None:
            history = replace(history, retractions=plan.retractions)
        takes = changes if plan.takes_changes else None
        has_vectors = any(source.vectors or source.kind.brings_vectors for source in sources)
        with ready.stored_in(directory.journal) if has_vectors else nullcontext():
            read_before = frozenset(entry.source for entry in entries) or frozenset(str(each.spec) for each in sources)
            papers = previous.papers if previous else None
            not_read = {entry.source for entry in entries if not entry.dropped} - {str(each.spec) for each in sources}
            intake = take_in(sources, papers, directory, progress, takes, history, read_before, not_read)
        failed_names = {failure.source for failure in intake.failed_sources}
        readable_sources = [source for source in sources if str(source.spec) not in failed_names]
        # Rows from earlier builds stay in the list if this build read only the new part of a source.
        read_whole = [source.name for source in readable_sources if source.memory.last is None]
        intake.rejected_rows += plan.inputs.rejected_rows
        write_rejected(directory, [*read_whole, *plan.inputs.files], intake.rejected_rows)
        manifest = replace(empty_manifest(embedder, previous, plan.snapshot, plan.tokens), sources=entries)
        manifest = with_sources(manifest, readable_sources, access, out, intake.private)
        work = Work(directory, manifest, embedder, progress, previous, plan, changes, intake)
        complete(work)
        directory.forget_fetched()
    renew_index(out, embedder, progress)
    return work
