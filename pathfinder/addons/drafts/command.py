"""The commands for drafts of reviews: pathfinder draft outline | write | show | undo | export | import."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer

from pathfinder.cli.extension_help import ExtensionHelp
from pathfinder.cli.options import JsonFlag
from pathfinder.cli.output import write_json, write_lines, write_notes
from pathfinder.cli.settings import open_pathfinder
from pathfinder.errors import UsageError
from pathfinder.operations.shelves import store_of
from pathfinder.text.files import write_file

if TYPE_CHECKING:
    from pathfinder.addons.drafts.draft import ReviewDraft, ReviewSection
    from pathfinder.addons.drafts.store import DraftStore
    from pathfinder.session import Pathfinder
    from pathfinder.session.shelves import OwnShelves
    from pathfinder.shelves.shelf import Shelf

draft = typer.Typer(
    rich_markup_mode=None,
    help="Draft a review of the papers on a shelf: make an outline, write sections with a paper behind each sentence, "
    "and export them to LaTeX, Markdown or DOCX.",
)

_Folder: TypeAlias = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the corpus.")]
_Name: TypeAlias = Annotated[str, typer.Argument(metavar="SHELF", help="Name of the shelf.")]


@draft.command()
def outline(
    folder: _Folder,
    name: _Name,
    question: Annotated[
        list[str] | None,
        typer.Option("--question", metavar="TEXT", help="Question that a section answers. May be repeated."),
    ] = None,
    title: Annotated[str | None, typer.Option("--title", help="Title; by default the name of the shelf.")] = None,
    new: Annotated[
        bool, typer.Option("--new", help="Replace the existing draft of the shelf; `undo` restores it.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Make the outline: a section for each question, and one for each group of the remaining papers."""
    from pathfinder.addons.drafts.outline import outline as make_outline

    pf, own_shelf = open_pathfinder(folder), store_of(folder).shelf(name)
    review_draft = make_outline(pf, own_shelf, question or (), title)

    def change(before: "ReviewDraft | None") -> "ReviewDraft":
        if before is not None and not new:
            raise UsageError(
                f"the shelf {name!r} already has a draft: add --new to replace it, or see it with `pathfinder draft "
                "show`"
            )
        return review_draft if before is None else review_draft.in_place_of(before)

    _tell(pf, own_shelf, _drafts_of(folder).change(name, change), as_json)


@draft.command(cls=ExtensionHelp)
def write(
    folder: _Folder,
    name: _Name,
    section: Annotated[
        list[int] | None,
        typer.Option("--section", metavar="N", help="Write only this section, counted from 1. May be repeated."),
    ] = None,
    generation: Annotated[
        str | None,
        typer.Option(
            "--mode",
            "--generation",
            metavar="MODE",
            help="Answer mode, as in `ask`; by default rag, or extractive without a key.",
        ),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Write the sections, each from papers on the shelf alone; every sentence gets a verdict."""
    from pathfinder.addons.drafts.draft import ReviewSection, section_numbers
    from pathfinder.addons.drafts.writing import stream_draft
    from pathfinder.answering.modes.registry import generation_of, mode_of
    from pathfinder.types import AnswerRequest

    pf, own_shelf, store = open_pathfinder(folder), store_of(folder).shelf(name), _drafts_of(folder)
    before = _existing(store, name)
    request = None if generation is None else AnswerRequest(generation_of(generation))
    if request is not None:
        mode_of(request)
    for event in stream_draft(pf, before, own_shelf, request, section_numbers(before, section or ())):
        if isinstance(event, ReviewSection):
            _keep(store, name, event)
        else:
            write_notes([event], "step")
    if pf.chat is None:
        write_notes(
            ["the sentences are quoted from the papers: set PATHFINDER_CHAT_MODEL to have a chat model write the text"]
        )
    _tell(pf, own_shelf, _existing(store, name), as_json)


def _keep(store: "DraftStore", name: str, section: "ReviewSection") -> None:
    """Store the text of a section immediately, so that nothing is lost if the next one fails."""
    text = section.text
    if text is not None:
        _change(store, name, lambda before: before.with_text(section.key, text))


@draft.command()
def show(folder: _Folder, name: _Name, as_json: JsonFlag = False) -> None:
    """Show the draft: every sentence with its verdict, what is missing, and papers that it never cites."""
    _tell(open_pathfinder(folder), store_of(folder).shelf(name), _existing(_drafts_of(folder), name), as_json)


@draft.command()
def undo(folder: _Folder, name: _Name) -> None:
    """Undo the last change to the draft; run it again to undo earlier ones."""
    store = _drafts_of(folder)
    _existing(store, name)
    before = store.undo(name)
    n = 0 if before is None else len(before.sections)
    write_lines(
        [f"{name}: no draft any more" if before is None else f"{name}: {n} {'section' if n == 1 else 'sections'}"]
    )


@draft.command()
def export(
    folder: _Folder,
    name: _Name,
    form: Annotated[
        Literal["json", "latex", "markdown", "docx"],
        typer.Option("--format", help="json keeps the whole draft, for `import`; latex writes two files."),
    ],
    out: Annotated[
        Path,
        typer.Option("--out", metavar="FILE", help="File to write; with latex, a .bib file is written next to it."),
    ],
) -> None:
    """Write the draft as a file, with its references."""
    from pathfinder.addons.drafts.document import document_of
    from pathfinder.addons.drafts.draft import papers_of
    from pathfinder.addons.drafts.forms import FORMS, bibliography_name
    from pathfinder.addons.drafts.store import draft_text

    own_draft = _existing(_drafts_of(folder), name)
    if form == "json":
        files = {out: draft_text(own_draft).encode()}
    else:
        if form == "latex" and out.suffix.lower() == ".bib":
            raise UsageError(
                f"the text cannot be written to {str(out)!r}, because its references go into a .bib file next to it: "
                f"give a file name for the text, such as {str(out.with_suffix('.tex'))!r}"
            )
        papers = {paper.paper_id: paper for paper in papers_of(open_pathfinder(folder), own_draft.cited_ids)}
        beside = bibliography_name(out.stem)
        first, *others = FORMS[form].files(document_of(own_draft, papers), beside).items()
        files = {out: first[1]} | {out.with_name(f"{beside}.{suffix}"): contents for suffix, contents in others}
    for path, contents in files.items():
        write_file(path, contents)
    write_lines(map(str, files))


@draft.command("import")
def import_(
    folder: _Folder,
    name: _Name,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File that `export --format json` wrote.")],
    as_json: JsonFlag = False,
) -> None:
    """Read a draft from its file, such as an outline edited by hand, and compute its verdicts again."""
    from pathfinder.addons.drafts.checking import check_draft
    from pathfinder.addons.drafts.store import read_draft

    pf, own_shelf = open_pathfinder(folder), store_of(folder).shelf(name)
    review_draft = check_draft(pf, read_draft(file), own_shelf)
    _tell(pf, own_shelf, _drafts_of(folder).change(name, lambda _: review_draft), as_json)


def follow_shelf(shelves: "OwnShelves", name: str, new: str) -> None:
    """Rename the draft of a shelf that has been renamed. Raises `UsageError` if another draft has the new name."""
    from pathfinder.addons.drafts.store import DraftStore
    from pathfinder.shelves.store import ShelfStore

    if isinstance(shelves, ShelfStore):
        drafts = DraftStore.in_folder(shelves.path.parent, shelves.corpus)
    else:
        from pathfinder.addons.drafts.own_drafts import own_drafts

        drafts = own_drafts()
    drafts.check_free(new)
    drafts.rename(name, new)


def _drafts_of(folder: Path) -> "DraftStore":
    """Return the drafts of the shelves of the corpus in `folder`."""
    from pathfinder.addons.drafts.store import DraftStore

    shelves = store_of(folder)
    return DraftStore.in_folder(shelves.path.parent, shelves.corpus)


def _existing(store: "DraftStore", name: str) -> "ReviewDraft":
    draft = store.draft(name)
    if draft is None:
        raise UsageError(f"the shelf {name!r} has no draft: make one with `pathfinder draft outline`")
    return draft


def _change(store: "DraftStore", name: str, change: "Callable[[ReviewDraft], ReviewDraft]") -> None:
    def change_existing(before: "ReviewDraft | None") -> "ReviewDraft":
        if before is None:
            raise UsageError(
                f"the draft of {name!r} has been removed in the meantime: make another with `pathfinder draft outline`"
            )
        return change(before)

    store.change(name, change_existing)


def _tell(pf: "Pathfinder", shelf: "Shelf", draft: "ReviewDraft", as_json: bool) -> None:
    from pathfinder.addons.drafts.document import draft_record
    from pathfinder.addons.drafts.draft import draft_coverage, papers_of

    ids = {*draft.cited_ids, *(paper_id for section in draft.sections for paper_id in section.paper_ids)}
    papers = {paper.paper_id: paper for paper in papers_of(pf, sorted(ids))}
    record = draft_record(shelf.name, draft, draft_coverage(pf, draft, shelf), papers)
    if as_json:
        write_json(record)
        return
    write_lines([draft.title])
    for section in record["sections"]:
        write_lines(_lines(section))
    coverage = record["coverage"] if draft.sentences else {}
    for key, words in (
        ("uncited", "never cited"),
        ("off_shelf", "cited, but not on the shelf"),
        ("lost", "not in the corpus"),
    ):
        if coverage.get(key):
            write_lines([f"{words}: {', '.join(coverage[key])}"])


def _lines(section: dict) -> Iterator[str]:  # type: ignore[type-arg]  # a JSON object
    yield ""
    yield f"{section['number']}. {section['heading']}"
    yield f"   {section['question']}"
    yield f"   papers: {', '.join(paper['id'] for paper in section['papers']) or 'the whole shelf'}"
    text = section["text"]
    if text is None:
        return
    yield f"   written by: {text['ran']}"
    for sentence in text["sentences"]:
        origin = " (edited by you)" if sentence["origin"] == "edited by you" else ""
        yield f"   {sentence['verdict']}: {sentence['text']} [{', '.join(sentence['citations'])}]{origin}"
    for dropped_sentence in text["dropped"]:
        yield f"   dropped, {dropped_sentence['reason']}: {dropped_sentence['text']}"
    if text["gap"]:
        yield f"   missing: {text['gap']}"
    if text["candidates"]:
        yield f"   in the corpus, but not on the shelf: {', '.join(text['candidates'])}"
    yield from (f"   note: {note}" for note in text["notes"])
