"""Where papers can come from: the kinds of sources, the sources of a corpus, and a preview before a build."""

import datetime
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeAlias

from pydantic import Field

from pathfinder.corpus.manifest import SourceEntry, read_manifest
from pathfinder.errors import UsageError
from pathfinder.operations.operation import Need, Result, Shell, declare, result_of, under
from pathfinder.settings import read_settings

if TYPE_CHECKING:
    from pathfinder.corpus.readers import Reader
    from pathfinder.sources import SourceKind
    from pathfinder.sources.opening import Preview

_FIRST_REJECTED = 10

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


class KindsOfSources(NamedTuple):
    """Where papers can come from."""

    sources: "tuple[SourceKind, ...]"
    formats: "tuple[Reader, ...]"
    """Formats of files, gzipped or not."""


class OwnSource(NamedTuple):
    """A source of a corpus."""

    entry: SourceEntry
    is_gone: bool
    """True if it is a file that no longer exists."""


class OwnSources(NamedTuple):
    """The sources of a corpus."""

    sources: tuple[OwnSource, ...]


def _sources_result() -> Any:
    from pathfinder.corpus.readers import Reader
    from pathfinder.sources import SourceKind

    kind = result_of(SourceKind, "open check key_opens_private has_files brings_vectors embedder_of")
    reader = result_of(Reader, "records schema sniff anywhere notes")
    own = result_of(OwnSources, sources=[result_of(OwnSource, flat="entry")])
    return result_of(KindsOfSources, sources=[kind], formats=[reader]) | own


def _source_lines(listed: KindsOfSources | OwnSources) -> Iterator[str]:
    if isinstance(listed, OwnSources):
        if not listed.sources:
            yield "no sources are listed: the corpus was built with an earlier version of Pathfinder"
        for entry, is_gone in listed.sources:
            state = "dropped" if entry.dropped else "gone (see --move and --drop)" if is_gone else "updated"
            window = {"since": entry.since, "until": entry.until, "max": entry.max_papers}
            limits = " ".join(f"--{name} {limit}" for name, limit in window.items() if limit is not None)
            yield f"{entry.source}: {state}, read on {entry.retrieved}{', ' if limits else ''}{limits}"
        return
    for kind in listed.sources:
        key = f"{kind.key} in the environment" if kind.key else "no key"
        yield f"{kind.form}: {kind.label}"
        yield f"    example: {shlex.quote(kind.examples[0])}"
        yield f"    gives: {kind.gives}"
        yield f"    needs: {key}{'' if kind.needs_key or not kind.key else ', which is optional'}"
        yield f"    cost: {kind.cost}"
        restriction = " A corpus that contains records from this source must stay with whoever built it."
        yield f"    terms: {kind.terms}{'' if kind.may_be_shared else restriction}"
    yield "file formats, gzipped or not:"
    for reader in listed.formats:
        yield f"    {reader.name}: {', '.join(reader.suffixes)}"


@declare("sources", settings=(), opens="nothing", result=_sources_result, lines=_source_lines)
def list_sources(
    _: None, folder: _Folder = None, drop: _Drop = None, move: _Move = None
) -> KindsOfSources | OwnSources:
    """List where papers can come from, with what each source needs and provides; with DIR, the sources of a corpus."""
    if folder is not None:
        return _sources_of(folder, drop or (), move)
    if drop or move:
        raise UsageError("--drop and --move change the sources of a corpus: name its folder")
    from pathfinder.corpus.readers import READERS
    from pathfinder.sources import SOURCES

    return KindsOfSources(tuple(SOURCES.all()), tuple(READERS.all()))


def _sources_of(folder: Path, drop: Sequence[str], move: tuple[str, Path] | None) -> OwnSources:
    """Drop and move sources of a corpus, if any are named, and return its sources."""
    from pathfinder.building.read_sources import drop_sources, move_source, path_of

    if move:
        move_source(folder, *move)
    if drop:
        drop_sources(folder, drop)
    entries = [(entry, path_of(entry, folder)) for entry in read_manifest(folder)[0].sources]
    return OwnSources(tuple(OwnSource(entry, bool(path and not path.exists())) for entry, path in entries))


class PreviewedPaper(Result):
    """A paper that a build would make."""

    paper_id: str
    title: str
    authors: tuple[str, ...]
    year: int | None
    date: datetime.date | None
    """Day of publication; null if only the year is known."""
    journal: str | None
    doi: str | None
    arxiv_id: str | None
    bibcode: str | None
    has_abstract: bool


def _preview_result() -> Any:
    from pathfinder.sources.opening import Preview

    return under("sources", [result_of(Preview, papers=[PreviewedPaper], rejected="rejected_rows")])


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
    result=_preview_result,
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
