"""The commands `sources`, which lists where papers can come from, or the sources of a corpus, and `preview`, which
shows the papers from a source before a build.
"""

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from pathfinder.cli.options import JsonFlag, MaxPapers, Since, Until, window_of
from pathfinder.cli.output import write_json, write_lines
from pathfinder.errors import UsageError
from pathfinder.export.plain_json import JsonObject
from pathfinder.settings import read_settings

_FIRST_REJECTED = 10
_WINDOW = {"since": "since", "until": "until", "max": "max_papers"}
_FOLDER = "Folder of a corpus, to list its own sources."
_DROP = "Leave this source of the corpus out of its updates; its papers stay. May be repeated."
_MOVE = "From now on, read this file or folder of the corpus from a new place."


def sources(
    folder: Annotated[Path | None, typer.Argument(metavar="[DIR]", help=_FOLDER)] = None,
    drop: Annotated[list[str] | None, typer.Option("--drop", metavar="SOURCE", help=_DROP)] = None,
    move: Annotated[tuple[str, Path] | None, typer.Option("--move", metavar="OLD NEW", help=_MOVE)] = None,
    as_json: JsonFlag = False,
) -> None:
    """List where papers can come from, with what each source needs and provides; with DIR, the sources of a corpus."""
    if folder is not None:
        _sources_of(folder, drop or (), move, as_json=as_json)
        return
    if drop or move:
        raise UsageError("--drop and --move change the sources of a corpus: name its folder")
    from pathfinder.export.sources import sources_record
    from pathfinder.sources import SOURCES

    record = sources_record(SOURCES.all())
    write_json(record) if as_json else write_lines(_source_lines(record))


def _sources_of(folder: Path, drop: Sequence[str], move: tuple[str, Path] | None, *, as_json: bool) -> None:
    """Drop and move sources of a corpus, if any are named, and then list its sources."""
    from pathfinder.building.read_sources import drop_sources, move_source, path_of
    from pathfinder.corpus.manifest import read_manifest
    from pathfinder.export.sources import listed_sources_record

    if move:
        move_source(folder, *move)
    if drop:
        drop_sources(folder, drop)
    entries = read_manifest(folder)[0].sources
    missing_sources = {entry.source for entry in entries if (path := path_of(entry, folder)) and not path.exists()}
    record = listed_sources_record(entries, missing_sources)
    write_json(record) if as_json else write_lines(_listed_lines(record))


def _listed_lines(record: JsonObject) -> Iterator[str]:
    if not record["sources"]:
        yield "no sources are listed: the corpus was built with an earlier version of Pathfinder"
    for entry in record["sources"]:
        state = "dropped" if entry["dropped"] else "gone (see --move and --drop)" if entry["is_gone"] else "updated"
        limits = " ".join(f"--{name} {entry[key]}" for name, key in _WINDOW.items() if entry[key] is not None)
        yield f"{entry['source']}: {state}, read on {entry['retrieved']}{', ' if limits else ''}{limits}"


def preview(
    sources: Annotated[list[str], typer.Argument(metavar="SOURCE...", help="Sources, as for `pathfinder build`.")],
    since: Since = None,
    until: Until = None,
    max_papers: MaxPapers = None,
    as_json: JsonFlag = False,
) -> None:
    """Show the first ten papers from each source, and the rows that a build would reject."""
    import datetime

    from pathfinder.export.sources import preview_record
    from pathfinder.sources import Access
    from pathfinder.sources.preview import preview_sources

    access = Access(read_settings(), datetime.datetime.now(datetime.UTC).date())
    record = preview_record(preview_sources(sources, window_of(since, until, max_papers), access))
    write_json(record) if as_json else write_lines(_preview_lines(record["sources"]))


def _source_lines(record: JsonObject) -> Iterator[str]:
    for kind in record["sources"]:
        key = f"{kind['key']} in the environment" if kind["key"] else "no key"
        yield f"{kind['form']}: {kind['label']}"
        yield f"    example: {shlex.quote(kind['examples'][0])}"
        yield f"    gives: {kind['gives']}"
        yield f"    needs: {key}{'' if kind['needs_key'] or not kind['key'] else ', which is optional'}"
        yield f"    cost: {kind['cost']}"
        restriction = " A corpus that contains records from this source must stay with whoever built it."
        yield f"    terms: {kind['terms']}{'' if kind['may_be_shared'] else restriction}"
    yield "file formats, gzipped or not:"
    for reader in record["formats"]:
        yield f"    {reader['name']}: {', '.join(reader['suffixes'])}"


def _duplicates(preview: JsonObject) -> str:
    n = preview["n_duplicates"]
    return f", {n} {'repeats' if n == 1 else 'repeat'} an earlier paper" if n else ""


def _preview_lines(previews: Sequence[JsonObject]) -> Iterator[str]:
    for preview in previews:
        extent = "the whole source" if preview["is_whole"] else "the beginning"
        yield f"{preview['source']} ({preview['kind']}): {preview['n_rows']} rows, {extent}{_duplicates(preview)}"
        yield from (f"  {note}" for note in preview["notes"])
        for paper in preview["papers"]:
            facts = (paper["paper_id"], paper["year"], paper["journal"], "" if paper["has_abstract"] else "no abstract")
            yield f"    {paper['title']}"
            yield f"        {'; '.join(str(fact) for fact in facts if fact)}"
        yield f"  rejected: {len(preview['rejected'])}"
        for row in preview["rejected"][:_FIRST_REJECTED]:
            yield f"    {row['file']}, line {row['line']}: {row['reason']}"
        if len(preview["rejected"]) > _FIRST_REJECTED:
            yield f"    and {len(preview['rejected']) - _FIRST_REJECTED} more; --json lists them all"
