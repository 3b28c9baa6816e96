"""Shelves: papers of a corpus kept under a name, with notes, tags and states, in the folder PATHFINDER_DATA."""

import datetime
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from pydantic import BeforeValidator, Field

from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.facade.shelves import (
    NO_PAPER_REMEDY,
    MissingPaper,
    check_ids,
    missing_papers,
    papers_of,
    put_on,
    read_file,
    read_source,
    rename_shelf,
    undo_shelf,
)
from pathfinder.operations.export.references import incomplete_note, references_text
from pathfinder.operations.export.shelves import FORMS, shelf_record
from pathfinder.operations.operation import Count, Declarer, Need, Result, Shell, declare, result_of, under
from pathfinder.settings import read_settings
from pathfinder.shelves.shelf import MergedShelf, Shelf, ShelfStore, ShelvedPaper, State, StateDifference, merge
from pathfinder.sources import SOURCES, Access, parse_source
from pathfinder.sources.spec import FILE
from pathfinder.text.english import counted
from pathfinder.text.latex.display import readable
from pathfinder.types import Paper

ShelfName: TypeAlias = Annotated[str, Shell("SHELF", "Name of the shelf.")]
_Id: TypeAlias = Annotated[str, Shell("ID", "Id of a paper.")]
_Ids: TypeAlias = Annotated[list[str], Shell("ID...", "Ids of papers.")]


def line_of(shelf: Shelf) -> str:
    """Describe a shelf in one line: its name, and the number of its papers in each state."""
    parts = ", ".join(f"{n} {state}" for state, n in shelf.states.items() if n)
    return f"{shelf.name}: {counted(len(shelf.papers), 'paper')}{f' ({parts})' if parts else ''}"


class ChangedShelf(NamedTuple):
    """A shelf as it is after a change."""

    shelf: Shelf
    notes: Sequence[str] = ()
    line: str = ""
    """What became of it, if it is not described by its papers."""


_declare: Declarer = partial(
    declare,
    settings=(),
    folder_first=True,
    opens="folder",
    result=lambda: result_of(
        ChangedShelf,
        "shelf notes line",
        name="shelf.name",
        n=(Count, "shelf.papers"),
        states="shelf.states",
    ),
    lines=lambda changed: (changed.line or line_of(changed.shelf),),
)
"""Declares an operation on a shelf; unless it says otherwise, it returns a `ChangedShelf`."""


def _change(folder: Path, name: str, change: Callable[[Shelf], Shelf]) -> ChangedShelf:
    """Change a shelf, which must exist."""
    store = ShelfStore.of(folder)
    store.shelf(name)
    return ChangedShelf(store.change(name, change))


@_declare(
    "shelf list",
    result=lambda: under("shelves", [result_of(Shelf, "papers", n=(Count, "papers"))]),
    lines=lambda shelves: [*map(line_of, shelves)] or ["there are no shelves yet: `pathfinder shelf add` makes one"],
)
def list_shelves(folder: Path) -> tuple[Shelf, ...]:
    """List the shelves of a corpus."""
    return ShelfStore.of(folder).shelves()


class ShownShelf(NamedTuple):
    """A shelf, and those of its papers that the corpus has, by id."""

    shelf: Shelf
    papers: Mapping[str, Paper]


def _shown_lines(shown: ShownShelf) -> Iterator[str]:
    yield line_of(shown.shelf)
    for row in shelf_record(*shown)["papers"]:
        yield f"{row['id']}  {row['title'] or 'no longer in the corpus'} ({row['year'] or 'no year'})"
        why = f" ({row['why']})" if row["why"] else ""
        tags = f"; tags: {', '.join(row['tags'])}" if row["tags"] else ""
        yield f"  {row['state']}{why}{tags}"
        yield from (f"  {line}" for line in row["note"].splitlines())


def _shown() -> Any:
    paper = result_of(ShelvedPaper, id="paper_id", title=str | None, year=int | None)
    shelf = result_of(ShownShelf, "shelf", name="shelf.name", n=int, papers=[paper])
    return Annotated[shelf, BeforeValidator(lambda shown: shelf_record(*shown))]


@_declare("shelf show", opens="session", result=_shown, lines=_shown_lines)
def show(pf: Pathfinder, name: ShelfName) -> ShownShelf:
    """Show the papers on a shelf, with their states, tags and notes."""
    shelf = ShelfStore.of(pf.corpus.folder).shelf(name)
    return ShownShelf(shelf, papers_of(pf, shelf))


@_declare("shelf add", opens="session")
def add(pf: Pathfinder, name: ShelfName, paper_ids: _Ids) -> ChangedShelf:
    """Put papers on a shelf, which is created if it does not exist."""
    check_ids(pf, paper_ids)
    return ChangedShelf(ShelfStore.of(pf.corpus.folder).change(name, lambda before: before.add(paper_ids)))


@_declare("shelf remove")
def remove(folder: Path, name: ShelfName, paper_ids: _Ids) -> ChangedShelf:
    """Take papers off a shelf."""
    return _change(folder, name, lambda before: before.remove(paper_ids))


@_declare("shelf note")
def note(
    folder: Path,
    name: ShelfName,
    paper_id: _Id,
    text: Annotated[str, Shell("text", "The note; '' for none.")],
) -> ChangedShelf:
    """Replace the note of a paper."""
    return _change(folder, name, lambda before: before.set_note(paper_id, text))


@_declare("shelf tag")
def tag(
    folder: Path,
    name: ShelfName,
    paper_id: _Id,
    tags: Annotated[list[str] | None, Shell("TAG...", "All tags of the paper; to remove them, give none.")] = None,
) -> ChangedShelf:
    """Replace the tags of a paper."""
    return _change(folder, name, lambda before: before.set_tags(paper_id, tags or ()))


@_declare("shelf state")
def set_state(
    folder: Path,
    name: ShelfName,
    paper_id: _Id,
    state: Annotated[State, Shell("state", "Progress in reading the paper, or the decision on it.")],
    why: Annotated[str, Shell("--reason --why", "Reason for the state.")] = "",
) -> ChangedShelf:
    """Set the state of a paper (to read, read, in or out), with a reason."""
    return _change(folder, name, lambda before: before.set_state(paper_id, state, why))


@_declare("shelf rename")
def rename(folder: Path, name: ShelfName, new: Annotated[str, Shell("NEW", "New name of the shelf.")]) -> ChangedShelf:
    """Give a shelf another name; its draft and its earlier versions come with it."""
    return ChangedShelf(rename_shelf(ShelfStore.of(folder), name, new))


@_declare("shelf delete")
def delete(folder: Path, name: ShelfName) -> ChangedShelf:
    """Delete a shelf; `undo` brings it back."""
    ShelfStore.of(folder).delete(name)
    return ChangedShelf(Shelf(name), line=f"{name}: deleted; `pathfinder shelf undo` brings it back")


@_declare("shelf undo")
def undo(folder: Path, name: ShelfName) -> ChangedShelf:
    """Undo the last change to a shelf, even its deletion; run it again to undo earlier changes."""
    before = undo_shelf(ShelfStore.of(folder), name)
    return ChangedShelf(
        before or Shelf(name), line="" if before else f"{name}: removed, because its first change was undone"
    )


_FORMS = (
    "json keeps the whole shelf, for `import` and `merge`; bibtex only the papers; short, titles and numbered are "
    "formatted references."
)
_Form: TypeAlias = Literal["json", "bibtex", "ris", "csl", "nbib", "short", "titles", "numbered", "csv", "markdown"]
_STYLE = "Write references in the style of this CSL file instead."


class ExportedShelf(NamedTuple):
    """A shelf in a format."""

    text: str
    notes: Sequence[str] = ()


@_declare(
    "shelf export",
    result=lambda: result_of(ExportedShelf, "notes"),
    is_text=True,
    lines=lambda each: (each.text,),
)
def export(
    folder: Path,
    name: ShelfName,
    form: Annotated[_Form, Shell("--format", _FORMS)] = "json",
    style: Annotated[Path | None, Shell("--csl --style FILE.csl", _STYLE)] = None,
) -> ExportedShelf:
    """Write a shelf to standard output."""
    shelf, written = ShelfStore.of(folder).shelf(name), FORMS[form]
    if style is None and form == "json":
        return ExportedShelf(written.write(shelf, {}))
    keeps_all, n_out = written.keeps_all and not style, len(shelf.papers) - len(shelf.inside)
    shelf = shelf if keeps_all else shelf.without_out()
    papers = papers_of(Pathfinder.open(folder, settings=read_settings()), shelf)
    text = references_text([*papers.values()], str(style)) if style else written.write(shelf, papers)
    n_lost = len(shelf.papers) - len(papers)
    notes = (
        f"{counted(n_out, 'paper')} marked as out {'is' if n_out == 1 else 'are'} left out" if n_out else None,
        f"the corpus no longer contains {n_lost} of the papers, which are left out" if n_lost else None,
        incomplete_note(papers.values()),
    )
    return ExportedShelf(text, [note for note in notes if note and not keeps_all])


_FIRST_FAULTS = 3
_PAPERS = (
    "BibTeX, RIS, CSL-JSON, NBIB, CSV, another file with a shelf, or a source, such as `zotero:` for Zotero on this "
    "machine."
)


@_declare("shelf import", opens="session", needs=(Need.NETWORK,))
def import_papers(pf: Pathfinder, name: ShelfName, file: Annotated[str, Shell("FILE|SOURCE", _PAPERS)]) -> ChangedShelf:
    """Put papers from a file or a source on a shelf, if the corpus has them."""
    if parse_source(file, SOURCES).scheme == FILE:
        intake = read_file(pf, Path(file), name)
    else:
        intake = read_source(pf, file, name, Access(read_settings(), datetime.datetime.now(datetime.UTC).date()))
    if not intake.has_papers:
        faults = intake.faults()
        more = (f"and {len(faults) - _FIRST_FAULTS:,} more",) if len(faults) > _FIRST_FAULTS else ()
        said = "; ".join((NO_PAPER_REMEDY, *faults[:_FIRST_FAULTS], *more))
        raise UsageError(f"{file} holds no paper that can be read: {said}")
    notes = [*(f"not in the corpus: {title}" for title in intake.unknown), *intake.faults()]
    if not intake.shelf.papers:
        notes.append(f"nothing was put on the shelf: to add these papers to the corpus, build it again with {file}")
    return ChangedShelf(ShelfStore.of(pf.corpus.folder).change(name, lambda before: put_on(before, intake)), notes)


class OwnMerger(NamedTuple):
    """Another reader's shelf, merged into one's own."""

    merger: MergedShelf
    notes: Sequence[str]


def _merger() -> Any:
    side = result_of(ShelvedPaper, "paper_id note tags")
    return result_of(
        OwnMerger,
        "shelf notes",
        flat="merger",
        name="merger.shelf.name",
        n=(Count, "merger.shelf.papers"),
        differences=[result_of(StateDifference, id="paper_id", ours=side, theirs=side)],
    )


def _merger_lines(own: OwnMerger) -> Iterator[str]:
    merger = own.merger
    kappa = "not defined" if merger.kappa is None else f"{merger.kappa:.2f}"
    yield line_of(merger.shelf)
    yield f"on both: {merger.n_shared}; Cohen's kappa of their states: {kappa}"
    for each in merger.differences:
        sides = (f"{side.state} ({side.why})" if side.why else side.state for side in (each.ours, each.theirs))
        yield f"{each.paper_id}: {' / '.join(sides)}"


_OTHER = "File with another reader's shelf."


@_declare("shelf merge", opens="session", result=_merger, lines=_merger_lines)
def merge_shelf(pf: Pathfinder, name: ShelfName, file: Annotated[Path, Shell("FILE", _OTHER)]) -> OwnMerger:
    """Merge another reader's shelf into yours, and list the papers on which you differ; your states stay."""
    store, intake = ShelfStore.of(pf.corpus.folder), read_file(pf, file, name)
    if not intake.is_shelf:
        raise UsageError(
            f"{file} holds no shelf: save it again with `pathfinder shelf export`, or, if it "
            "lists papers, add them with `pathfinder shelf import`"
        )
    merger = merge(store.shelf(name), intake.shelf)
    store.change(name, lambda before: merge(before, intake.shelf).shelf)
    return OwnMerger(merger, [f"not in the corpus: {paper_id}" for paper_id in intake.unknown])


class MissingPapers(NamedTuple):
    """Papers that are not on a shelf."""

    name: str
    papers: Sequence[MissingPaper]
    notes: Sequence[str]


def _missing() -> Any:
    facts = {"id": "paper.paper_id", "title": "paper.title", "year": "paper.year"}
    return result_of(MissingPapers, "notes", papers=[result_of(MissingPaper, paper=Result, **facts)])


def _missing_lines(missing: MissingPapers) -> Iterator[str]:
    for each in missing.papers:
        citations = f"cited by {counted(each.n_cited_by, 'paper')} on the shelf" if each.n_cited_by else ""
        like = f"{each.similar_rank} by likeness" if each.similar_rank else ""
        ties = "; ".join(filter(None, (citations, like)))
        yield f"{each.paper.paper_id}  {readable(each.paper.title)} ({each.paper.year or 'no year'}): {ties}"


@_declare("shelf missing", opens="session", result=_missing, lines=_missing_lines)
def list_missing(
    pf: Pathfinder,
    name: ShelfName,
    n: Annotated[int, Shell("--n", "Number of papers to list."), Field(ge=1, le=30)] = 10,
) -> MissingPapers:
    """List papers that are not on a shelf but that its papers cite or resemble."""
    papers = missing_papers(pf, ShelfStore.of(pf.corpus.folder).shelf(name), n)
    likeness = "this corpus has no citation network: papers similar to those on the shelf are listed"
    return MissingPapers(name, papers, () if pf.corpus.network is not None else (likeness,))
