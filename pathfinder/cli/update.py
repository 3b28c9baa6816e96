"""The command `pathfinder update`: brings a corpus up to date with its sources."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathfinder.cli.options import Folder, JsonFlag
from pathfinder.cli.output import limit_build, tell_of_change, write_json, write_lines, write_notes
from pathfinder.errors import UsageError
from pathfinder.settings import LOCAL_EMBEDDER, read_settings

if TYPE_CHECKING:
    from pathfinder.building import BuildReport, Progress
    from pathfinder.building.update import UpdateReport


_RETRACTIONS = (
    "Mark as retracted the papers listed in this CSV file from Retraction Watch, now and in later updates; `crossref` "
    "fetches the list that Crossref publishes."
)
_NEW_MAP = "Make a new map; links to places on the old map then become meaningless."
_RE_EMBED = (
    "Embed all papers again with the local embedder, which needs no key, and recompute everything that depends on "
    "vectors, including the map; no source is read."
)


def update(
    folder: Folder,
    new_map: Annotated[bool, typer.Option("--new-map", help=_NEW_MAP)] = False,
    retractions: Annotated[Path | None, typer.Option("--retractions", metavar="FILE", help=_RETRACTIONS)] = None,
    re_embed: Annotated[bool, typer.Option("--re-embed", help=_RE_EMBED)] = False,
    as_json: JsonFlag = False,
) -> None:
    """Read the sources of a corpus again: add new papers, apply changes, mark withdrawn and retracted papers."""
    limit_build()
    if re_embed:
        if retractions is not None:
            raise UsageError("--re-embed reads no source: run --retractions as a separate update")
        _re_embed(folder, as_json=as_json)
        return
    from pathfinder.building import embedder_for
    from pathfinder.building.update import update as update_corpus
    from pathfinder.cli.progress import build_progress

    embedder = embedder_for(None, folder, read_settings(), needs_key=False)
    with build_progress() as progress:
        retraction_list = _fetch(retractions, progress)
        report = update_corpus(folder, embedder, new_map=new_map, retractions=retraction_list, progress=progress)
    counts = _counts(report)
    if as_json:
        failures = [asdict(failure) for failure in report.failed_sources]
        write_json({**counts, "seconds": round(report.seconds, 1), "failed": failures})
    else:
        papers = ", ".join(f"{number:,} {name.replace('_', ' ')}" for name, number in counts.items())
        write_lines((f"{papers}, in {report.seconds:.1f} s",))
    write_notes(
        (f"{failure.source} could not be read: {failure.reason}" for failure in report.failed_sources), "failed"
    )
    tell_of_change(folder, as_json=as_json)
    if report.failed_sources:
        raise typer.Exit(1)


def _counts(report: "UpdateReport") -> dict[str, int]:
    """Return the numbers of papers in a report, by their keys in the JSON."""
    return {
        "new": report.n_new,
        "changed": report.n_changed,
        "withdrawn": report.n_withdrawn,
        "retracted": report.n_retracted,
        "unchanged": report.n_unchanged,
        "rejected": report.n_rejected,
        "left_out": report.n_left_out,
        "merged": report.n_merged,
        "conflicts": report.n_conflicts,
    }


def _fetch(retractions: Path | None, progress: "Progress") -> Path | None:
    """Return the file that lists retractions; for "crossref", fetch the list that Crossref publishes."""
    from pathfinder.sources.retraction_watch import CROSSREF, fetch_retractions

    if retractions != Path(CROSSREF):
        return retractions
    return fetch_retractions(read_settings(), progress.say)


def _re_embed(folder: Path, *, as_json: bool) -> None:
    from pathfinder.building import embedder_for, re_embed
    from pathfinder.cli.progress import build_progress

    embedder = embedder_for(LOCAL_EMBEDDER, folder, read_settings())
    with build_progress() as progress:
        report = re_embed(folder, embedder, progress=progress)
    if as_json:
        write_json({**asdict(report), "seconds": round(report.seconds, 1)})
    else:
        summary = f"{report.n_papers:,} papers embedded with {report.embedder}, in {report.seconds:.1f} s"
        before = f"`pathfinder rollback {folder}` goes back to the version with {report.embedder_before}"
        write_lines((summary, before))
    tell_of_change(folder, as_json=as_json)


# The command `pathfinder add`: adds individual papers to a corpus, such as those that a live source has found.

_IDS = "arXiv ids, DOIs or ids of OpenAlex, such as arxiv:2601.00001 doi:10.1/x openalex:W2741809807."


def add(
    folder: Folder,
    paper_ids: Annotated[list[str], typer.Argument(metavar="ID...", help=_IDS)],
) -> None:
    """Add individual papers to a corpus: their records come from arXiv, Crossref or OpenAlex, never from ADS."""
    from pathfinder.building import build, embedder_for
    from pathfinder.cli.progress import build_progress
    from pathfinder.corpus.manifest import read_manifest
    from pathfinder.sources.single_papers import sources_of

    sources = sources_of(paper_ids)
    read_manifest(folder)  # The corpus must exist already: `pathfinder build` makes a new one.
    with build_progress() as progress:
        report = build(sources, folder, embedder_for(None, folder, read_settings()), progress=progress)
    write_lines(report_lines(report))
    tell_of_change(folder, as_json=False)


# The commands `rollback`, which goes back to the earlier version of a corpus, and `remove`, which removes papers.

_PURGE = (
    "Delete the earlier version too, so that no trace of the papers is left in the folder; a rollback is then "
    "impossible."
)


def rollback(folder: Folder, as_json: JsonFlag = False) -> None:
    """Go back to the version of a corpus before its last build, update or removal; run it again to undo that."""
    from dataclasses import asdict

    from pathfinder.building import rollback as roll_back

    report = roll_back(folder)
    if as_json:
        write_json(asdict(report))
    else:
        write_lines(
            (
                f"{report.n_papers:,} papers, {report.n_papers_before:,} before",
                f"the other version stays on disk ({report.n_bytes:,} bytes) until the next build or update",
            )
        )
    tell_of_change(folder, as_json=as_json)


def remove(
    folder: Folder,
    paper_ids: Annotated[list[str], typer.Argument(metavar="ID...", help="Ids of the papers to remove.")],
    purge: Annotated[bool, typer.Option("--purge", help=_PURGE)] = False,
    as_json: JsonFlag = False,
) -> None:
    """Remove papers from a corpus, along with everything made from them; later builds and updates leave them out."""
    from dataclasses import asdict

    from pathfinder.building import embedder_for
    from pathfinder.building import remove as remove_papers
    from pathfinder.cli.progress import build_progress

    embedder = embedder_for(None, folder, read_settings(), needs_key=False)
    with build_progress() as progress:
        report = remove_papers(folder, paper_ids, embedder, purge=purge, progress=progress)
    if as_json:
        write_json(asdict(report))
    else:
        n_bytes = f"{report.n_bytes:,}"
        still = f"the earlier version, which still contains them, takes {n_bytes} extra bytes; --purge deletes it"
        write_lines(
            (
                f"removed: {report.n_removed:,}; papers now: {report.n_papers:,}",
                "no trace of them is left in the folder" if purge else still,
            )
        )
    tell_of_change(folder, as_json=as_json)


# The command `merges`: lists the papers that sources had in common, and undoes merges.

_UNDO = "Make this record a separate paper again; later builds and updates keep it separate."


def merges(
    folder: Folder,
    undo: Annotated[str | None, typer.Option("--undo", metavar="ID", help=_UNDO)] = None,
    as_json: JsonFlag = False,
) -> None:
    """List the records that were merged with papers from other sources, with the reasons and conflicts."""
    from dataclasses import asdict

    from pathfinder.corpus.history.merges import n_conflicts, read_merges

    if undo is not None:
        _undo(folder, undo, as_json=as_json)
        return
    history = read_merges(folder)
    if as_json:
        write_json({"merges": [asdict(merge) for merge in history], "conflicts": n_conflicts(history)})
        return
    for merge in history:
        write_lines([f"{merge.paper_id} <- {merge.merged_id} ({merge.source}, line {merge.line}): {merge.reason}"])
        write_lines(f"    {c.field} differs: {c.value!r}, in the record {c.other!r}" for c in merge.conflicts)
    write_lines([f"merged records: {len(history)}; conflicting fields: {n_conflicts(history)}"])


def _undo(folder: Path, merged_id: str, *, as_json: bool) -> None:
    from dataclasses import asdict

    from pathfinder.building import embedder_for, undo_merge
    from pathfinder.cli.progress import build_progress

    embedder = embedder_for(None, folder, read_settings(), needs_key=False)
    with build_progress() as progress:
        report = undo_merge(folder, merged_id, embedder, progress=progress)
    if as_json:
        write_json(asdict(report))
    else:
        write_lines([f"{report.merged_id} and {report.paper_id} are two papers; papers now: {report.n_papers:,}"])
    tell_of_change(folder, as_json=as_json)


def report_lines(report: "BuildReport") -> Iterator[str]:
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
    if report.n_left_out:
        yield f"left out, because somebody removed these papers: {report.n_left_out}"
    if report.n_concepts is not None:
        yield f"thesaurus concepts: {report.n_concepts}"
    if report.n_reviews is not None:
        yield f"review articles: {report.n_reviews}"
    if report.n_without_abstract:
        yield f"papers without an abstract: {report.n_without_abstract}"
    yield f"papers in {report.folder}: {report.n_papers}"
