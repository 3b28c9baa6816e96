"""The command `pathfinder update`: brings a corpus up to date with its sources."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathfinder.cli.options import JsonFlag
from pathfinder.cli.output import limit_build, write_json, write_lines, write_notes
from pathfinder.cli.standing import run_after_change
from pathfinder.errors import UsageError
from pathfinder.settings import LOCAL_EMBEDDER, read_settings

if TYPE_CHECKING:
    from pathfinder.building import Progress
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
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the corpus.")],
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
    run_after_change(folder, as_json=as_json)
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
    run_after_change(folder, as_json=as_json)
