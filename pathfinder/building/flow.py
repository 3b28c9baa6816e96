"""The stages of a build, in order.

    read the sources -> make the stale parts that a search needs -> check -> make the other stale parts
        -> replace the manifest

`graph.py` lists the parts and decides when one is stale; `stages.py` makes them.
"""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pathfinder.building.changes import Changes
from pathfinder.building.directory import BuildDirectory, open_build_directory
from pathfinder.building.early import open_early
from pathfinder.building.extra_inputs import ExtraInputs, read_extra_inputs
from pathfinder.building.graph import SPECS, fingerprint, is_stale
from pathfinder.building.intake import Intake, take_in, write_rejected
from pathfinder.building.map import MapOptions
from pathfinder.building.merging import write_merges
from pathfinder.building.passage_maker import vector_limit_of
from pathfinder.building.progress import Progress, Silent
from pathfinder.building.read_sources import access_for, states_of_sources, with_sources
from pathfinder.building.stages import ADDED, PLACED, SEARCHED, BuildStage, Work
from pathfinder.building.versions import put_in_place
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.corpus.manifest import SCHEMA_VERSION, Counts, Manifest, is_corpus
from pathfinder.corpus.parts import CorpusFile
from pathfinder.corpus.store import Corpus, verify_corpus, verify_parts
from pathfinder.models.ports import Embedder
from pathfinder.settings import Settings
from pathfinder.sources import Access, OpenSource, Window, open_sources


@dataclass(frozen=True, slots=True)
class BuildReport:
    """The result of a build, in numbers."""

    folder: Path
    n_papers: int
    """Number of papers now in the corpus."""
    n_new: int
    n_known: int
    """Number of papers that were already in the corpus, unchanged."""
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
    """Number of reviews in the list of this build; `None` if there is no list."""
    n_merged: int = 0
    """Number of records that were merged, because they describe papers from another source or already in the corpus."""


def build(  # noqa: PLR0913  each keyword is an option of the build
    sources: Sequence[Path | str],
    out: Path,
    embedder: Embedder,
    *,
    snapshot: datetime.date | None = None,
    thesaurus: Path | None = None,
    reviews: Path | None = None,
    profile: Path | None = None,
    extractor: KeywordExtractor | None = None,
    progress: Progress | None = None,
    passages: bool = True,
    opens_early: bool = False,
    map_options: MapOptions | None = None,
    window: Window | None = None,
    settings: Settings | None = None,
) -> BuildReport:
    """Build a corpus from `sources` in the folder `out`, or add their papers to the corpus there.

    A source is a file, a folder or `scheme:rest`; `window` says which part of the sources to read; `settings`, by
    default those of this process, hold the keys of the sources. Papers are added by id and never changed. The corpus is
    complete once its manifest is replaced, which is the last step; a build that was stopped resumes where it left off.
    `snapshot` is the day from which ages are counted back, by default the day of the newest paper. `thesaurus` is a
    file for `read_thesaurus`, `reviews` a list for `read_reviews` and `profile` a file for `read_profile`: if any of
    these is not specified, the corpus keeps the one that it has; the default profile is that of astronomy. If
    `passages` is false, there are no indexes of passages, tokens and titles. With `opens_early`, a new corpus can be
    searched while its map is drawn. Papers keep their positions on the map unless `map_options` says otherwise. Raises
    `CorpusError` if a source cannot be read, if `out` contains anything but a corpus made with the same embedder, or if
    another build is running there.
    """
    progress = progress or Silent()
    access = access_for(out, settings, progress)
    opened = open_sources(sources, window or Window(), access, states_of_sources(out))
    plan = Plan(
        read_extra_inputs(thesaurus, reviews, profile),
        map_options or MapOptions(),
        snapshot,
        extractor,
        passages,
        opens_early,
    )
    completion = build_from(opened, access, out, embedder, plan, progress)
    return _report(out, completion, plan.inputs)


@dataclass(frozen=True, slots=True)
class Plan:
    """Choices of what a build makes from its papers."""

    inputs: ExtraInputs
    options: MapOptions
    snapshot: datetime.date | None = None
    extractor: KeywordExtractor | None = None
    passages: bool = True
    opens_early: bool = False
    """True if a new corpus is put in place before its map is drawn (`early.py`)."""
    takes_changes: bool = False
    """True if papers that changed in their sources replace those in the corpus; otherwise the corpus keeps its own
    versions.
    """


@dataclass(frozen=True, slots=True)
class Completion:
    """A complete corpus, and the counts of what was read for it."""

    manifest: Manifest
    intake: Intake
    rejected_path: Path


def build_from(
    opened: Sequence[OpenSource], access: Access, out: Path, embedder: Embedder, plan: Plan, progress: Progress
) -> Completion:
    """Build a corpus in `out` from sources that are open, or bring the corpus there up to date with them."""
    with open_build_directory(out) as directory:
        previous = _previous_corpus(out, embedder)
        changes = Changes(directory.staging)
        intake = take_in(
            opened,
            previous.papers if previous else None,
            directory,
            progress,
            changes if plan.takes_changes else None,
        )
        _write_reports(opened, plan.inputs, intake, directory)
        work = Work(
            directory=directory,
            manifest=with_sources(_empty_manifest(embedder, previous, plan.snapshot), opened, access),
            embedder=embedder,
            progress=progress,
            previous=previous,
            inputs=plan.inputs,
            options=plan.options,
            with_passages=plan.passages,
            extractor=plan.extractor,
            snapshot=plan.snapshot,
            has_new_papers=previous is None or intake.n_new > 0 or bool(changes.reworded or changes.amended),
            changes=changes,
        )
        early_parts = _make_parts(work, opens_early=plan.opens_early)
        if previous is None or work.manifest != previous.manifest:
            put_in_place(directory, work.manifest, previous.manifest if previous else None, early_parts)
        directory.forget_fetched()
        return Completion(work.manifest, intake, directory.rejected)


def _write_reports(
    opened: Sequence[OpenSource], inputs: ExtraInputs, intake: Intake, directory: BuildDirectory
) -> None:
    """List every merged record and every rejected row; rows from earlier builds stay in the list if this build read
    only what is new in a source.
    """
    write_merges(directory.corpus, intake.merges)
    intake.rejected += inputs.rejected
    read_whole = [source.name for source in opened if source.memory.last is None]
    write_rejected(directory, [*read_whole, *inputs.files], intake.rejected)


def _make_parts(work: Work, *, opens_early: bool) -> frozenset[str]:
    """Make the parts that a search needs, check them, and then make the others; return the names of the parts with
    which a new corpus was opened early.
    """
    any_made = _run(SEARCHED, work)
    early_parts: frozenset[str] = frozenset()
    if opens_early and work.previous is None:
        work.manifest = replace(work.manifest, created_by=_created_by())
        early_parts = open_early(work)
        work.progress.say(f"{work.directory.corpus} can be searched now; its map will follow")
    if _run(PLACED, work) or any_made:
        _verify(work)
    _run(ADDED, work)
    return early_parts


def _run(stages: Sequence[BuildStage], work: Work) -> bool:
    """Make the parts of `stages` that are stale or have new input, and keep the others; return whether any part was
    made.
    """
    before = work.previous.manifest if work.previous else None
    any_made = False
    for stage in stages:
        specs = [SPECS[role] for role in stage.roles]
        has_new_input = stage.is_asked is not None and stage.is_asked(work)
        if before is None or has_new_input or any(is_stale(spec, before, work.manifest) for spec in specs):
            made = stage.make(work)
            any_made = any_made or any(isinstance(part, CorpusFile) for part in made.values())
        else:
            made = _previous_parts(before, stage.roles)
        work.manifest = _with_parts(work.manifest, made)
        fingerprints = {spec.role: fingerprint(spec, work.manifest) for spec in specs}
        work.manifest = replace(work.manifest, fingerprints={**work.manifest.fingerprints, **fingerprints})
    return any_made


def _previous_parts(before: Manifest, roles: Sequence[str]) -> dict[str, CorpusFile | str]:
    """Return the parts of the previous corpus, and the reasons for those that it lacks."""
    known: dict[str, CorpusFile | str] = {**before.absent, **before.parts}
    return {role: known[role] for role in roles if role in known}


def _with_parts(manifest: Manifest, made: Mapping[str, CorpusFile | str]) -> Manifest:
    """Return `manifest` with additional parts, and with the reason for each part that is missing."""
    parts = {role: part for role, part in made.items() if isinstance(part, CorpusFile)}
    reasons = {role: reason for role, reason in made.items() if isinstance(reason, str)}
    return replace(manifest, parts={**manifest.parts, **parts}, absent={**manifest.absent, **reasons})


def _empty_manifest(embedder: Embedder, previous: Corpus | None, snapshot: datetime.date | None) -> Manifest:
    """Return a manifest without parts; the counts of papers are those of the previous corpus."""
    if previous is not None:
        snapshot = snapshot or previous.snapshot
        return replace(previous.manifest, snapshot=snapshot, parts={}, absent={}, fingerprints={})
    return Manifest(
        schema_version=SCHEMA_VERSION,
        created_by=_created_by(),
        embedder=embedder.name,
        dimension=embedder.dimension,
        keyword_extractor="",
        snapshot=snapshot,
        counts=Counts(0),
        parts={},
        vector_limit=vector_limit_of(embedder),
    )


def _verify(work: Work) -> None:
    """Check every byte of the new parts before the map is drawn from them."""
    work.manifest = replace(work.manifest, created_by=_created_by())
    work.progress.start("checking", None)
    verify_parts(work.directory.corpus, work.manifest, "")
    work.progress.finish()


def _previous_corpus(out: Path, embedder: Embedder) -> Corpus | None:
    """Open the corpus to which papers are added, after checking every byte, so that no damage is carried over."""
    if not is_corpus(out):
        return None
    corpus = verify_corpus(out)
    corpus.check_embedder(embedder)
    return corpus


def _created_by() -> str:
    try:
        return f"pathfinder {version('pathfinder')}"
    except PackageNotFoundError:
        return "pathfinder, not installed"


def _report(out: Path, completion: Completion, inputs: ExtraInputs) -> BuildReport:
    intake, counts = completion.intake, completion.manifest.counts
    return BuildReport(
        folder=out,
        n_papers=counts.papers,
        n_new=intake.n_new,
        n_known=intake.n_known,
        n_changed=intake.n_changed,
        n_without_abstract=counts.without_abstract,
        n_rejected=len(intake.rejected),
        rejected_path=completion.rejected_path,
        n_concepts=len(inputs.thesaurus.concepts) if inputs.thesaurus else None,
        n_reviews=len(inputs.reviews.reviews) if inputs.reviews else None,
        n_merged=len(completion.intake.merges),
    )
