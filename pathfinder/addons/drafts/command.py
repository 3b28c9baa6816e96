"""The operations on the drafts of reviews: outlined, written, shown, undone, exported and imported."""

from collections.abc import Generator, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from pathfinder.addons.drafts.checking import check_draft
from pathfinder.addons.drafts.document import FORMS, bibliography_name, document_of
from pathfinder.addons.drafts.draft import (
    DraftCoverage,
    DraftSentence,
    ReviewDraft,
    ReviewSection,
    SectionText,
    SentenceOrigin,
    draft_coverage,
    papers_of,
    section_numbers,
)
from pathfinder.addons.drafts.outline import outline as outline_of
from pathfinder.addons.drafts.store import DraftStore, draft_text, read_draft
from pathfinder.addons.drafts.writing import stream_draft
from pathfinder.answering.modes.registry import mode_name_of, mode_of
from pathfinder.cli.open_corpus import open_pathfinder
from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.operations.export.references import incomplete_note
from pathfinder.operations.operation import Declarer, Need, Shell, declare, result_of
from pathfinder.operations.shelves import ShelfName
from pathfinder.shelves.shelf import ShelfStore
from pathfinder.text.english import counted
from pathfinder.text.files import write_file
from pathfinder.text.latex.display import readable
from pathfinder.types import AnswerRequest, Evidence

_MODE = "Answer mode, as in `ask`; by default rag, or extractive without a key."
_OUT = "File to write; with latex, a .bib file is written next to it."
_FORM = "json keeps the whole draft, for `import`; latex writes two files."


class DraftPaper(NamedTuple):
    """A paper from which a section is written."""

    id: str
    title: str | None
    """`None` if the paper is not in the corpus."""


class NumberedSection(NamedTuple):
    """A section, with its papers."""

    number: int
    """Place of the section, counted from 1."""
    section: ReviewSection
    papers: tuple[DraftPaper, ...]
    """Papers that it is written from: if none, it is written from the whole shelf."""


class ShownDraft(NamedTuple):
    """A draft, compared with its shelf."""

    shelf: str
    draft: ReviewDraft
    sections: tuple[NumberedSection, ...]
    coverage: DraftCoverage
    notes: Sequence[str] = ()


def _section_lines(numbered: NumberedSection) -> Iterator[str]:
    section, text = numbered.section, numbered.section.text
    yield ""
    yield f"{numbered.number}. {section.heading}"
    yield f"   {section.question}"
    yield f"   papers: {', '.join(section.paper_ids) or 'the whole shelf'}"
    if text is None:
        return
    yield f"   written by: {text.ran}"
    for sentence in text.sentences:
        origin = f" ({sentence.origin})" if sentence.origin is SentenceOrigin.READER else ""
        yield f"   {sentence.checked.verdict}: {sentence.text} [{', '.join(sentence.citations)}]{origin}"
    for dropped_sentence in text.dropped:
        yield f"   dropped, {dropped_sentence.reason}: {dropped_sentence.text}"
    if text.gap:
        yield f"   missing: {text.gap}"
    if text.candidates:
        yield f"   in the corpus, but not on the shelf: {', '.join(text.candidates)}"
    yield from (f"   note: {note}" for note in text.notes)


def _lines(shown: ShownDraft) -> Iterator[str]:
    yield shown.draft.title
    for section in shown.sections:
        yield from _section_lines(section)
    if shown.draft.sentences:
        for ids, words in (
            (shown.coverage.uncited, "never cited"),
            (shown.coverage.off_shelf, "cited, but not on the shelf"),
            (shown.coverage.lost, "not in the corpus"),
        ):
            if ids:
                yield f"{words}: {', '.join(ids)}"


def _draft(without: str) -> Any:
    sentence = result_of(
        DraftSentence,
        "begins_paragraph judged_by second_verdict needed",
        flat="checked",
        evidence=[result_of(Evidence, "passage", id="source_id")],
    )
    text = result_of(SectionText, "searched", sentences=[sentence])
    section = result_of(NumberedSection, "key paper_ids", flat="section", text=text | None)
    return result_of(ShownDraft, without, title="draft.title", sections=[section])


_declare: Declarer = partial(
    declare,
    settings=(),
    folder_first=True,
    result=lambda: _draft("draft notes"),
    lines=_lines,
)
_declare_file: Declarer = partial(declare, settings=(), folder_first=True, opens="folder")


def _shown(pf: Pathfinder, name: str, draft: ReviewDraft, notes: Sequence[str] = ()) -> ShownDraft:
    shelf = ShelfStore.of(pf.corpus.folder).shelf(name)
    ids = {paper_id for section in draft.sections for paper_id in section.paper_ids}
    titles = {paper.paper_id: readable(paper.title) for paper in papers_of(pf, sorted(ids))}
    sections = tuple(
        NumberedSection(number, each, tuple(DraftPaper(paper_id, titles.get(paper_id)) for paper_id in each.paper_ids))
        for number, each in enumerate(draft.sections, start=1)
    )
    return ShownDraft(name, draft, sections, draft_coverage(pf, draft, shelf), notes)


def _drafts(folder: Path) -> DraftStore:
    shelves = ShelfStore.of(folder)
    return DraftStore(shelves.place, shelves.corpus)


def _existing(store: DraftStore, name: str) -> ReviewDraft:
    draft = store.draft(name)
    if draft is None:
        raise UsageError(f"the shelf {name!r} has no draft: make one with `pathfinder draft outline`")
    return draft


@_declare("draft outline")
def outline(
    pf: Pathfinder,
    name: ShelfName,
    question: Annotated[list[str] | None, Shell("--question TEXT", "Question that a section answers.")] = None,
    title: Annotated[str | None, Field(description="Title; by default the name of the shelf.")] = None,
    new: Annotated[bool, Field(description="Replace the existing draft of the shelf; `undo` restores it.")] = False,
) -> ShownDraft:
    """Make the outline: a section for each question, and one for each group of the remaining papers."""
    draft = outline_of(pf, ShelfStore.of(pf.corpus.folder).shelf(name), question or (), title)

    def change(before: ReviewDraft | None) -> ReviewDraft:
        if before is not None and not new:
            raise UsageError(
                f"the shelf {name!r} already has a draft: add --new to replace it, or see it with `pathfinder draft "
                "show`"
            )
        return draft if before is None else draft.in_place_of(before)

    return _shown(pf, name, _drafts(pf.corpus.folder).change(name, change))


_NO_CHAT = "the sentences are quoted from the papers: set PATHFINDER_CHAT_MODEL to have a chat model write the text"


@_declare(
    "draft write",
    streams=True,
    needs=(Need.CHAT_IF_SET,),
    result=lambda: _draft("draft"),
)
def write(
    pf: Pathfinder,
    name: ShelfName,
    section: Annotated[list[int] | None, Shell("--section N", "Write only this section, counted from 1.")] = None,
    generation: Annotated[str | None, Shell("--mode --generation MODE", _MODE)] = None,
) -> Generator[str, None, ShownDraft]:
    """Write the sections, each from papers on the shelf alone; every sentence gets a verdict."""
    shelf, store = ShelfStore.of(pf.corpus.folder).shelf(name), _drafts(pf.corpus.folder)
    before = _existing(store, name)
    request = None if generation is None else AnswerRequest(mode_name_of(generation))
    if request is not None:
        mode_of(request)
    keys = section_numbers(before, section) if section else before.unedited
    for event in stream_draft(pf, before, shelf, request, keys):
        if isinstance(event, ReviewSection):
            _keep(store, name, event)
        else:
            yield event
    n_kept = 0 if section else len(before.sections) - len(keys)
    kept = f"{counted(n_kept, 'section')} that you edited {'stays' if n_kept == 1 else 'stay'}: name with --section"
    notes = [*([_NO_CHAT] if pf.chat is None else []), *([kept] if n_kept else [])]
    return _shown(pf, name, _existing(store, name), notes)


def _keep(store: DraftStore, name: str, section: ReviewSection) -> None:
    """Store the text of a section immediately, so that nothing is lost if the next one fails."""
    text = section.text
    if text is None:
        return

    def change(before: ReviewDraft | None) -> ReviewDraft:
        if before is None:
            raise UsageError(
                f"the draft of {name!r} has been removed in the meantime: make another with `pathfinder draft outline`"
            )
        return before.with_text(section.key, text)

    store.change(name, change)


@_declare("draft show")
def show(pf: Pathfinder, name: ShelfName) -> ShownDraft:
    """Show the draft: every sentence with its verdict, what is missing, and papers that it never cites."""
    return _shown(pf, name, _existing(_drafts(pf.corpus.folder), name))


class UndoneDraft(NamedTuple):
    """The draft of a shelf after its last change was undone."""

    shelf: str
    n_sections: int | None
    """`None` if there is no draft any more."""


def _undone_lines(undone: UndoneDraft) -> Iterator[str]:
    n = undone.n_sections
    yield f"{undone.shelf}: {'no draft any more' if n is None else counted(n, 'section')}"


@_declare_file("draft undo", lines=_undone_lines)
def undo(folder: Path, name: ShelfName) -> UndoneDraft:
    """Undo the last change to the draft; run it again to undo earlier ones."""
    store = _drafts(folder)
    _existing(store, name)
    before = store.undo(name)
    return UndoneDraft(name, None if before is None else len(before.sections))


class WrittenDraft(NamedTuple):
    """The files of a draft."""

    files: list[Path]
    notes: list[str]


@_declare_file("draft export", lines=lambda written: map(str, written.files))
def export(
    folder: Path,
    name: ShelfName,
    form: Annotated[Literal["json", "latex", "markdown", "docx"], Shell("--format", _FORM)],
    out: Annotated[Path, Shell("--out FILE", _OUT)],
) -> WrittenDraft:
    """Write the draft as a file, with its references."""
    draft, notes = _existing(_drafts(folder), name), []
    if form == "json":
        files = {out: draft_text(draft).encode()}
    else:
        if form == "latex" and out.suffix.lower() == ".bib":
            raise UsageError(
                f"the text cannot be written to {str(out)!r}, because its references go into a .bib file next to it: "
                f"give a file name for the text, such as {str(out.with_suffix('.tex'))!r}"
            )
        papers = {paper.paper_id: paper for paper in papers_of(open_pathfinder(folder), draft.cited_ids)}
        beside = bibliography_name(out.stem)
        first, *others = FORMS[form].files(document_of(draft, papers), beside).items()
        notes = list(filter(None, [incomplete_note(papers.values())]))
        files = {out: first[1]} | {out.with_name(f"{beside}.{suffix}"): contents for suffix, contents in others}
    for path, contents in files.items():
        write_file(path, contents)
    return WrittenDraft([*files], notes)


@_declare("draft import")
def import_draft(
    pf: Pathfinder, name: ShelfName, file: Annotated[Path, Shell("FILE", "File that `export --format json` wrote.")]
) -> ShownDraft:
    """Read a draft from its file, such as an outline edited by hand, and compute its verdicts again."""
    draft = check_draft(pf, read_draft(file), ShelfStore.of(pf.corpus.folder).shelf(name))
    return _shown(pf, name, _drafts(pf.corpus.folder).change(name, lambda _: draft))


def follow_shelf(shelves: ShelfStore, name: str, new: str) -> None:
    """Rename the draft of a shelf that has been renamed. Raises `UsageError` if another draft has the new name."""
    drafts = DraftStore(shelves.place, shelves.corpus)
    drafts.check_free(new)
    drafts.rename(name, new)
