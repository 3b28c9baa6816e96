"""What changes a corpus: papers are added or removed, sources read again, merges undone, and any of it taken back."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from pathfinder.errors import UsageError
from pathfinder.export.plain_json import JsonObject, as_json, select
from pathfinder.operations.operation import AnyOperation, Operation, Options, Shell
from pathfinder.settings import LOCAL_EMBEDDER, read_settings

if TYPE_CHECKING:
    from pathfinder.building import BuildReport, Progress, ReEmbeddingReport, RemovalReport, RollbackReport, UndoReport
    from pathfinder.building.update import UpdateReport
    from pathfinder.corpus.history.merges import Merge

_upkeep: Callable[..., AnyOperation] = partial(
    Operation, settings=(), folder_first=True, opens="folder", changes=lambda _: True, address=None
)


class AddOptions(Options):
    """Papers to add."""

    paper_ids: Annotated[list[str], Shell("ID...")] = Field(
        description="arXiv ids, DOIs or ids of OpenAlex, such as arxiv:2601.00001 doi:10.1/x openalex:W2741809807."
    )


def _add(folder: Path, progress: "Progress | None", options: AddOptions) -> "BuildReport":
    from pathfinder.building import build, embedder_for
    from pathfinder.corpus.manifest import read_manifest
    from pathfinder.sources.single_papers import sources_of

    sources = sources_of(options.paper_ids)
    read_manifest(folder)  # The corpus must exist already: `pathfinder build` makes a new one.
    return build(sources, folder, embedder_for(None, folder, read_settings()), progress=progress)


def build_lines(report: "BuildReport") -> Iterator[str]:
    """Format the counts of a build."""
    yield f"new: {report.n_new}"
    yield f"already there: {report.n_known}"
    yield f"changed, but the old version was kept: {report.n_changed}"
    why = f" ({report.rejected_path} says why)" if report.n_rejected else ""
    yield f"rejected: {report.n_rejected}{why}"
    if report.renamed:
        first, others = report.renamed[0], len(report.renamed) - 1
        rest = f" and {others:,} more" if others else ""
        yield f"other papers with the id of a paper, stored under ids of their own: {first}{rest}"
    if report.n_merged:
        yield (
            f"merged with papers from other sources: {report.n_merged}; conflicting fields in the corpus: "
            f"{report.n_conflicts} (see `pathfinder merges {report.folder}`)"
        )
    for name, n in (
        ("left out, because somebody removed these papers", report.n_left_out or None),
        ("thesaurus concepts", report.n_concepts),
        ("review articles", report.n_reviews),
        ("papers without an abstract", report.n_without_abstract or None),
    ):
        if n is not None:
            yield f"{name}: {n}"
    yield f"papers in {report.folder}: {report.n_papers}"


ADD = _upkeep(
    name="add",
    help="Add individual papers to a corpus: their records come from arXiv, Crossref or OpenAlex, never from ADS.",
    options=AddOptions,
    run=_add,
    lines=build_lines,
)


class UpdateOptions(Options):
    """How the sources are read again."""

    new_map: bool = Field(
        default=False, description="Make a new map; links to places on the old map then become meaningless."
    )
    retractions: Annotated[Path | None, Shell("--retractions FILE")] = Field(
        default=None,
        description="Mark as retracted the papers listed in this CSV file from Retraction Watch, now and in later "
        "updates; `crossref` fetches the list that Crossref publishes.",
    )
    re_embed: bool = Field(
        default=False,
        description="Embed all papers again with the local embedder, which needs no key, and recompute everything that "
        "depends on vectors, including the map; no source is read.",
    )


def _update(folder: Path, progress: "Progress | None", options: UpdateOptions) -> "UpdateReport | ReEmbeddingReport":
    from pathfinder.building import Silent, embedder_for, re_embed
    from pathfinder.building.update import update
    from pathfinder.sources.retraction_watch import CROSSREF, fetch_retractions

    progress, settings, listed = progress or Silent(), read_settings(), options.retractions
    if options.re_embed:
        if listed is not None:
            raise UsageError("--re-embed reads no source: run --retractions as a separate update")
        return re_embed(folder, embedder_for(LOCAL_EMBEDDER, folder, settings), progress=progress)
    embedder = embedder_for(None, folder, settings, needs_key=False)
    if listed == Path(CROSSREF):
        listed = fetch_retractions(settings, progress.say)
    return update(folder, embedder, new_map=options.new_map, retractions=listed, progress=progress)


def _update_record(report: Any) -> JsonObject:
    if hasattr(report, "embedder"):
        record: JsonObject = as_json(report)
        return record | {"seconds": round(report.seconds, 1)}
    counts = "new changed withdrawn retracted unchanged rejected left_out merged conflicts".split()
    rest = {"seconds": round(report.seconds, 1), "failed": as_json(report.failed_sources)}
    return select(report, {name: f"n_{name}" for name in counts}) | rest


def _update_lines(report: Any) -> Iterator[str]:
    if hasattr(report, "embedder"):
        yield f"{report.n_papers:,} papers embedded with {report.embedder}, in {report.seconds:.1f} s"
        yield f"`pathfinder rollback` goes back to the version with {report.embedder_before}"
        return
    counts = [f"{n:,} {name.replace('_', ' ')}" for name, n in _update_record(report).items() if isinstance(n, int)]
    yield f"{', '.join(counts)}, in {report.seconds:.1f} s"


UPDATE = _upkeep(
    name="update",
    help="Read the sources of a corpus again: add new papers, apply changes, mark withdrawn and retracted papers.",
    options=UpdateOptions,
    run=_update,
    record=_update_record,
    lines=_update_lines,
    failures=lambda report: (
        f"{failure.source} could not be read: {failure.reason}" for failure in getattr(report, "failed_sources", ())
    ),
)


def _roll_back(folder: Path, _progress: "Progress | None", _options: Options) -> "RollbackReport":
    from pathfinder.building import rollback

    return rollback(folder)


ROLLBACK = _upkeep(
    name="rollback",
    help="Go back to the version of a corpus before its last build, update or removal; run it again to undo that.",
    options=Options,
    run=_roll_back,
    lines=lambda report: (
        f"{report.n_papers:,} papers, {report.n_papers_before:,} before",
        f"the other version stays on disk ({report.n_bytes:,} bytes) until the next build or update",
    ),
)


class RemoveOptions(Options):
    """Papers to remove."""

    paper_ids: Annotated[list[str], Shell("ID...")] = Field(description="Ids of the papers to remove.")
    purge: bool = Field(
        default=False,
        description="Delete the earlier version too, so that no trace of the papers is left in the folder; a rollback "
        "is then impossible.",
    )


def _remove(folder: Path, progress: "Progress | None", options: RemoveOptions) -> "RemovalReport":
    from pathfinder.building import embedder_for, remove

    embedder = embedder_for(None, folder, read_settings(), needs_key=False)
    return remove(folder, options.paper_ids, embedder, purge=options.purge, progress=progress)


REMOVE = _upkeep(
    name="remove",
    help="Remove papers from a corpus, along with everything made from them; later builds and updates leave them out.",
    options=RemoveOptions,
    run=_remove,
    lines=lambda report: (
        f"removed: {report.n_removed:,}; papers now: {report.n_papers:,}",
        f"the earlier version, which still contains them, takes {report.n_bytes:,} extra bytes; --purge deletes it"
        if report.n_bytes
        else "no trace of them is left in the folder",
    ),
)


class MergesOptions(Options):
    """Merge to undo."""

    undo: Annotated[str | None, Shell("--undo ID")] = Field(
        default=None, description="Make this record a separate paper again; later builds and updates keep it separate."
    )


def _merges(folder: Path, progress: "Progress | None", options: MergesOptions) -> "UndoReport | tuple[Merge, ...]":
    from pathfinder.building import embedder_for, undo_merge
    from pathfinder.corpus.history.merges import read_merges

    if options.undo is None:
        return read_merges(folder)
    embedder = embedder_for(None, folder, read_settings(), needs_key=False)
    return undo_merge(folder, options.undo, embedder, progress=progress)


def _merges_record(outcome: Any) -> JsonObject:
    from pathfinder.corpus.history.merges import n_conflicts

    listed = isinstance(outcome, tuple)
    record: JsonObject = {"merges": as_json(outcome), "conflicts": n_conflicts(outcome)} if listed else as_json(outcome)
    return record


def _merges_lines(outcome: Any) -> Iterator[str]:
    from pathfinder.corpus.history.merges import n_conflicts

    if not isinstance(outcome, tuple):
        yield f"{outcome.merged_id} and {outcome.paper_id} are two papers; papers now: {outcome.n_papers:,}"
        return
    for merge in outcome:
        yield f"{merge.paper_id} <- {merge.merged_id} ({merge.source}, line {merge.line}): {merge.reason}"
        yield from (f"    {c.field} differs: {c.value!r}, in the record {c.other!r}" for c in merge.conflicts)
    yield f"merged records: {len(outcome)}; conflicting fields: {n_conflicts(outcome)}"


MERGES = _upkeep(
    name="merges",
    help="List the records that were merged with papers from other sources, with the reasons and conflicts.",
    options=MergesOptions,
    changes=lambda options: options.undo is not None,
    run=_merges,
    record=_merges_record,
    lines=_merges_lines,
)
