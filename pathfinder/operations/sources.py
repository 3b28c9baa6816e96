"""Where papers can come from: the kinds of sources, the sources of a corpus, and a preview before a build."""

import datetime
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

from pydantic import Field

from pathfinder.corpus.manifest import read_manifest
from pathfinder.errors import UsageError
from pathfinder.export.plain_json import JsonObject, as_json, same_names, select
from pathfinder.operations.operation import Need, Shell, declare
from pathfinder.settings import read_settings

if TYPE_CHECKING:
    from pathfinder.sources.opening import Preview

_FIRST_REJECTED = 10
_WINDOW = {"since": "since", "until": "until", "max": "max_papers"}
_KIND = same_names("scheme label form examples gives key needs_key terms cost licence may_be_shared")
_PREVIEW = same_names("source kind n_rows n_duplicates is_whole notes")
_PAPER = same_names("paper_id title authors year date journal doi arxiv_id bibcode has_abstract")

EmbedderName: TypeAlias = Annotated[
    str | None,
    Shell("--embedder VENDOR:MODEL"),
    Field(description="Embedder; by default the corpus's own, or the local one."),
]
Since: TypeAlias = Annotated[datetime.date | None, Shell("--since", "Read papers dated on or after this day.")]
Until: TypeAlias = Annotated[
    datetime.date | None, Shell("--until"), Field(description="Read papers dated up to this day.")
]
MaxPapers: TypeAlias = Annotated[int | None, Shell("--max N", "Read at most this many papers from each source.")]
_Folder: TypeAlias = Annotated[Path | None, Shell("[DIR]", "Folder of a corpus, to list its own sources.")]
_Drop: TypeAlias = Annotated[
    list[str] | None, Shell("--drop SOURCE", "Leave this source of the corpus out of its updates; its papers stay.")
]
_Move: TypeAlias = Annotated[
    tuple[str, Path] | None,
    Shell("--move OLD NEW", "From now on, read this file or folder of the corpus from a new place."),
]


def _source_lines(record: JsonObject) -> Iterator[str]:
    if "formats" not in record:
        if not record["sources"]:
            yield "no sources are listed: the corpus was built with an earlier version of Pathfinder"
        for entry in record["sources"]:
            state = "dropped" if entry["dropped"] else "gone (see --move and --drop)" if entry["is_gone"] else "updated"
            limits = " ".join(f"--{name} {entry[key]}" for name, key in _WINDOW.items() if entry[key] is not None)
            yield f"{entry['source']}: {state}, read on {entry['retrieved']}{', ' if limits else ''}{limits}"
        return
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


@declare("sources", settings=(), opens="nothing", lines=_source_lines)
def list_sources(_: None, folder: _Folder = None, drop: _Drop = None, move: _Move = None) -> JsonObject:
    """List where papers can come from, with what each source needs and provides; with DIR, the sources of a corpus."""
    if folder is not None:
        return _sources_of(folder, drop or (), move)
    if drop or move:
        raise UsageError("--drop and --move change the sources of a corpus: name its folder")
    from pathfinder.corpus.readers import READERS
    from pathfinder.sources import SOURCES

    formats = [{"name": reader.name, "suffixes": list(reader.suffixes)} for reader in READERS.all()]
    return {"sources": [select(kind, _KIND) for kind in SOURCES.all()], "formats": formats}


def _sources_of(folder: Path, drop: Sequence[str], move: tuple[str, Path] | None) -> JsonObject:
    """Drop and move sources of a corpus, if any are named, and describe its sources (as `SourceEntry`); "is_gone" is
    true for those whose files no longer exist.
    """
    from pathfinder.building.read_sources import drop_sources, move_source, path_of

    if move:
        move_source(folder, *move)
    if drop:
        drop_sources(folder, drop)
    entries = [(entry, path_of(entry, folder)) for entry in read_manifest(folder)[0].sources]
    return {"sources": [{**as_json(entry), "is_gone": bool(path and not path.exists())} for entry, path in entries]}


def _preview_record(previews: "Sequence[Preview]") -> JsonObject:
    """Describe previews of sources: papers, rejected rows, the number of rows read, and whether these are all the rows
    of the source.
    """
    return {
        "sources": [
            {
                **select(preview, _PREVIEW),
                "papers": [select(paper, _PAPER) for paper in preview.papers],
                "rejected": [as_json(row) for row in preview.rejected_rows],
            }
            for preview in previews
        ]
    }


def _preview_lines(previews: "Sequence[Preview]") -> Iterator[str]:
    for preview in previews:
        extent = "the whole source" if preview.is_whole else "the beginning"
        n = preview.n_duplicates
        duplicates = f", {n} {'repeats' if n == 1 else 'repeat'} an earlier paper" if n else ""
        yield f"{preview.source} ({preview.kind}): {preview.n_rows} rows, {extent}{duplicates}"
        yield from (f"  {note}" for note in preview.notes)
        for paper in preview.papers:
            facts = (paper.paper_id, paper.year, paper.journal, "" if paper.has_abstract else "no abstract")
            yield f"    {paper.title}"
            yield f"        {'; '.join(str(fact) for fact in facts if fact)}"
        yield f"  rejected: {len(preview.rejected_rows)}"
        for row in preview.rejected_rows[:_FIRST_REJECTED]:
            yield f"    {row.file}, line {row.line}: {row.reason}"
        if len(preview.rejected_rows) > _FIRST_REJECTED:
            yield f"    and {len(preview.rejected_rows) - _FIRST_REJECTED} more; --json lists them all"


@declare(
    "preview",
    settings=(),
    opens="nothing",
    needs=(Need.NETWORK,),
    record=_preview_record,
    lines=_preview_lines,
)
def preview(
    _: None,
    sources: Annotated[list[str], Shell("SOURCE...", "Sources, as for `pathfinder build`.")],
    since: Since = None,
    until: Until = None,
    max_papers: MaxPapers = None,
) -> "tuple[Preview, ...]":
    """Show the first ten papers from each source, and the rows that a build would reject."""
    from pathfinder.sources import Access, Window
    from pathfinder.sources.opening import preview_sources

    access = Access(read_settings(), datetime.datetime.now(datetime.UTC).date())
    return preview_sources(sources, Window(since, until, max_papers), access)
