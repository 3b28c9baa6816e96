"""The commands for shelves: pathfinder shelf list | show | add | remove | note | tag | state | rename | delete | undo |
export | import | merge | missing.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import typer

from pathfinder.cli.options import Folder, JsonFlag
from pathfinder.cli.output import write_json, write_lines, write_notes
from pathfinder.cli.settings import open_pathfinder
from pathfinder.cli.stored_shelves import line_of, store_of
from pathfinder.errors import UsageError
from pathfinder.settings import read_settings
from pathfinder.shelves.shelf import Shelf, State

shelf = typer.Typer(
    rich_markup_mode=None,
    help="Keep papers from a corpus under a name, with notes, tags and states, in the folder PATHFINDER_DATA.",
)

ShelfName: TypeAlias = Annotated[str, typer.Argument(metavar="SHELF", help="Name of the shelf.")]
_Id: TypeAlias = Annotated[str, typer.Argument(metavar="ID", help="Id of a paper.")]
_Ids: TypeAlias = Annotated[list[str], typer.Argument(metavar="ID...", help="Ids of papers.")]
_Format: TypeAlias = Annotated[
    Literal["json", "bibtex", "ris", "csl", "nbib", "short", "titles", "numbered", "csv", "markdown"],
    typer.Option(
        "--format",
        help="json keeps the whole shelf, for `import` and `merge`; bibtex only the papers; short, titles and "
        "numbered are formatted references.",
    ),
]
_Style: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--csl", "--style", metavar="FILE.csl", help="Write references in the style of this CSL file instead."
    ),
]


@shelf.command("list")
def list_(folder: Folder, as_json: JsonFlag = False) -> None:
    """List the shelves of a corpus."""
    shelves = store_of(folder).shelves()
    if as_json:
        write_json({"shelves": [{"name": each.name, "n": len(each.papers)} for each in shelves]})
    else:
        nothing = "there are no shelves yet: `pathfinder shelf add` makes one"
        write_lines([line_of(each) for each in shelves] or [nothing])


@shelf.command()
def show(folder: Folder, name: ShelfName, as_json: JsonFlag = False) -> None:
    """Show the papers on a shelf, with their states, tags and notes."""
    from pathfinder.export.shelves import shelf_record
    from pathfinder.session.shelves import papers_of

    shelf = store_of(folder).shelf(name)
    record = shelf_record(shelf, papers_of(open_pathfinder(folder), shelf))
    if as_json:
        write_json(record)
        return
    write_lines((line_of(shelf),))
    for row in record["papers"]:
        write_lines((f"{row['id']}  {row['title'] or 'no longer in the corpus'} ({row['year'] or 'no year'})",))
        why = f" ({row['why']})" if row["why"] else ""
        tags = f"; tags: {', '.join(row['tags'])}" if row["tags"] else ""
        write_lines((f"  {row['state']}{why}{tags}", *(f"  {line}" for line in row["note"].splitlines())))


@shelf.command()
def add(folder: Folder, name: ShelfName, paper_ids: _Ids, as_json: JsonFlag = False) -> None:
    """Put papers on a shelf, which is created if it does not exist."""
    from pathfinder.session.shelves import check_ids

    check_ids(open_pathfinder(folder), paper_ids)
    _change(folder, name, lambda before: before.add(paper_ids), as_json, is_new=True)


@shelf.command()
def remove(folder: Folder, name: ShelfName, paper_ids: _Ids, as_json: JsonFlag = False) -> None:
    """Take papers off a shelf."""
    _change(folder, name, lambda before: before.remove(paper_ids), as_json)


@shelf.command()
def note(
    folder: Folder,
    name: ShelfName,
    paper_id: _Id,
    text: Annotated[str, typer.Argument(help="The note; '' for none.")],
    as_json: JsonFlag = False,
) -> None:
    """Replace the note of a paper."""
    _change(folder, name, lambda before: before.set_note(paper_id, text), as_json)


@shelf.command()
def tag(
    folder: Folder,
    name: ShelfName,
    paper_id: _Id,
    tags: Annotated[
        list[str] | None, typer.Argument(metavar="TAG...", help="All tags of the paper; to remove them, give none.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Replace the tags of a paper."""
    _change(folder, name, lambda before: before.set_tags(paper_id, tags or ()), as_json)


@shelf.command("state")
def set_state(
    folder: Folder,
    name: ShelfName,
    paper_id: _Id,
    state: Annotated[State, typer.Argument(help="Progress in reading the paper, or the decision on it.")],
    why: Annotated[str, typer.Option("--reason", "--why", help="Reason for the state.")] = "",
    as_json: JsonFlag = False,
) -> None:
    """Set the state of a paper (to read, read, in or out), with a reason."""
    _change(folder, name, lambda before: before.set_state(paper_id, state, why), as_json)


@shelf.command()
def rename(
    folder: Folder,
    name: ShelfName,
    new: Annotated[str, typer.Argument(metavar="NEW", help="New name of the shelf.")],
    as_json: JsonFlag = False,
) -> None:
    """Give a shelf another name; its draft and its earlier versions come with it."""
    from pathfinder.session.shelves import rename_shelf

    _tell(rename_shelf(store_of(folder), name, new), as_json)


@shelf.command()
def delete(folder: Folder, name: ShelfName, as_json: JsonFlag = False) -> None:
    """Delete a shelf; `undo` brings it back."""
    store_of(folder).delete(name)
    if as_json:
        _tell(Shelf(name), as_json)
    else:
        write_lines((f"{name}: deleted; `pathfinder shelf undo` brings it back",))


@shelf.command()
def undo(folder: Folder, name: ShelfName, as_json: JsonFlag = False) -> None:
    """Undo the last change to a shelf, even its deletion; run it again to undo earlier changes."""
    from pathfinder.session.shelves import undo_shelf

    before = undo_shelf(store_of(folder), name)
    if before is None and not as_json:
        write_lines((f"{name}: removed, because its first change was undone",))
    else:
        _tell(before or Shelf(name), as_json)


@shelf.command()
def export(folder: Folder, name: ShelfName, form: _Format = "json", style: _Style = None) -> None:
    """Write a shelf to standard output."""
    from pathfinder.export.references import references_text
    from pathfinder.export.shelves import FORMS
    from pathfinder.session.shelves import papers_of

    shelf = store_of(folder).shelf(name)
    papers = papers_of(open_pathfinder(folder), shelf) if style or form != "json" else {}
    if (style or not FORMS[form].keeps_all) and (n_lost := len(shelf.papers) - len(papers)):
        write_notes((f"the corpus no longer contains {n_lost} of the papers, which are left out",))
    text = references_text(list(papers.values()), str(style)) if style else FORMS[form].write(shelf, papers)
    typer.echo(text, nl=False)


@shelf.command("import")
def import_(
    folder: Folder,
    name: ShelfName,
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE|SOURCE",
            help="BibTeX, RIS, CSL-JSON, NBIB, CSV, a shelf file, a capsule with a shelf, or a source, such as "
            "`zotero:` for Zotero on this machine.",
        ),
    ],
    as_json: JsonFlag = False,
) -> None:
    """Put papers from a file or a source on a shelf, if the corpus has them."""
    import datetime

    from pathfinder.session.shelves import NO_PAPER_REMEDY, put_on, read_file, read_source
    from pathfinder.sources import SOURCES, Access, parse_source
    from pathfinder.sources.spec import FILE

    pf, scheme = open_pathfinder(folder), parse_source(file, SOURCES).scheme
    if scheme == FILE:
        intake = read_file(pf, Path(file), name)
    else:
        intake = read_source(pf, file, name, Access(read_settings(), datetime.datetime.now(datetime.UTC).date()))
    write_notes((*(f"not in the corpus: {title}" for title in intake.unknown), *intake.faults()))
    if not intake.has_papers:
        raise UsageError(f"{file} holds no paper that can be read: {NO_PAPER_REMEDY}")
    _change(folder, name, lambda before: put_on(before, intake), as_json, is_new=True)
    if not intake.shelf.papers:
        write_notes((f"nothing was put on the shelf: to add these papers to the corpus, build it again with {file}",))


@shelf.command()
def merge(
    folder: Folder,
    name: ShelfName,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="File with another reader's shelf, or a capsule that includes it.")
    ],
    as_json: JsonFlag = False,
) -> None:
    """Merge another reader's shelf into yours, and list the papers on which you differ; your states stay."""
    from pathfinder.export.shelves import merger_record
    from pathfinder.session.shelves import read_file
    from pathfinder.shelves.shelf import merge as merged

    store, intake = store_of(folder), read_file(open_pathfinder(folder), file, name)
    if not intake.is_shelf:
        raise UsageError(
            f"{file} is neither a shelf file nor a capsule: save it again with `pathfinder shelf export`, or, if it "
            "lists papers, add them with `pathfinder shelf import`"
        )
    merger = merged(store.shelf(name), intake.shelf)
    store.change(name, lambda before: merged(before, intake.shelf).shelf)
    write_notes(f"not in the corpus: {paper_id}" for paper_id in intake.unknown)
    if as_json:
        write_json(merger_record(merger))
        return
    kappa = "not defined" if merger.kappa is None else f"{merger.kappa:.2f}"
    write_lines((line_of(merger.shelf), f"on both: {merger.n_shared}; Cohen's kappa of their states: {kappa}"))
    write_lines(
        f"{each.paper_id}: {_state(each.ours, each.our_reason)} / {_state(each.theirs, each.their_reason)}"
        for each in merger.differences
    )


@shelf.command()
def missing(
    folder: Folder,
    name: ShelfName,
    n: Annotated[int, typer.Option("--n", min=1, max=30, help="Number of papers to list.")] = 10,
    as_json: JsonFlag = False,
) -> None:
    """List papers that are not on a shelf but that its papers cite or resemble."""
    from pathfinder.session.shelves import missing_papers
    from pathfinder.text.latex.display import readable

    pf = open_pathfinder(folder)
    papers = missing_papers(pf, store_of(folder).shelf(name), n)
    if pf.corpus.network is None:
        write_notes(("this corpus has no citation network: papers similar to those on the shelf are listed",))
    if as_json:
        rows = [
            {"id": each.paper.paper_id, "title": each.paper.title, "year": each.paper.year,
             "n_cited_by": each.n_cited_by, "similar_rank": each.similar_rank} for each in papers
        ]  # fmt: skip
        write_json({"name": name, "papers": rows})
        return
    for each in papers:
        citations = f"cited by {each.n_cited_by} papers on the shelf" if each.n_cited_by else ""
        like = f"{each.similar_rank} by likeness" if each.similar_rank else ""
        ties = "; ".join(filter(None, (citations, like)))
        write_lines((f"{each.paper.paper_id}  {readable(each.paper.title)} ({each.paper.year or 'no year'}): {ties}",))


def _change(folder: Path, name: str, change: Callable[[Shelf], Shelf], as_json: bool, *, is_new: bool = False) -> None:
    store = store_of(folder)
    if not is_new:
        store.shelf(name)
    _tell(store.change(name, change), as_json)


def _tell(shelf: Shelf, as_json: bool) -> None:
    """Write what is on a shelf after a change."""
    if as_json:
        counts = {state.value: sum(paper.state is state for paper in shelf.papers) for state in State}
        write_json({"name": shelf.name, "n": len(shelf.papers), "states": counts})
    else:
        write_lines((line_of(shelf),))


def _state(state: State, why: str) -> str:
    return f"{state} ({why})" if why else state.value
