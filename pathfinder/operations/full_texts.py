"""The full texts of papers: read from files, stored in a corpus, indexed, shown and removed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeAlias

from pydantic import BeforeValidator, Field

from pathfinder.building import Progress, Silent
from pathfinder.building.full_texts import index_full_texts
from pathfinder.building.ledger import FULL_TEXT
from pathfinder.building.progress import report_each
from pathfinder.corpus.manifest import read_manifest
from pathfinder.corpus.store import Corpus, open_corpus
from pathfinder.errors import CorpusError, UsageError
from pathfinder.fulltext import store
from pathfinder.fulltext.adding import FileOutcome, add_files, files_in
from pathfinder.fulltext.child import read_apart
from pathfinder.fulltext.document import Document, Figure, Paragraph, Section
from pathfinder.fulltext.store import FullTexts
from pathfinder.fulltext.trails import CitingSentence, citing_sentences
from pathfinder.models.loading import load_embedder
from pathfinder.operations.complete import OPERATION as COMPLETE
from pathfinder.operations.complete import Completed
from pathfinder.operations.operation import Count, Declarer, QuotedPaper, Shell, declare, result_of
from pathfinder.settings import read_settings
from pathfinder.text.english import counted
from pathfinder.text.sentences import is_row
from pathfinder.types import without_control_characters

MAX_SHOWN = 90

_FORMATS = "JATS or TEI XML, LaTeX (.tex, .gz, .tar.gz), PDF, Markdown or text."
_OPEN_ACCESS = (
    "Fetch only open-access texts, each under its own licence, over https and no faster than its host allows."
)
_OF_PAPER = "Id of the paper, for a single file; by default, the paper is recognised by an identifier or its title."
_NAMES = "Names that the files have elsewhere, in their order."

_PaperId: TypeAlias = Annotated[str, Shell("ID", "Id of the paper, as shown in search results.")]
_declare: Declarer = partial(declare, settings=(), folder_first=True, opens="folder")


def _document_result() -> Any:
    box = tuple[float, float, float, float] | None  # the places of a `Box`, as a list
    section = result_of(Section, paragraphs=[result_of(Paragraph, box=box)])
    return result_of(Document, "front", sections=[section], figures=[result_of(Figure, box=box)])


def _outline(document: Document) -> Iterator[str]:
    """Yield the title, each section with its size, and the counts of everything else."""
    yield without_control_characters(document.title or "(no title)")
    for section in document.sections:
        n_words = sum(len(paragraph.text.split()) for paragraph in section.paragraphs)
        heading = without_control_characters(section.title or "(no heading)")[:MAX_SHOWN]
        size = f"{counted(len(section.paragraphs), 'paragraph')}, {counted(n_words, 'word')}"
        yield f"{'  ' * section.level}{heading} [{section.kind}]: {size}"
    are_rows = [is_row(figure.caption) for figure in document.figures if figure.is_table]
    n_tables = max(map(are_rows.count, (True, False)))  # A table may have a caption, rows that were read, or both.
    yield (
        f"{counted(len(document.figures) - len(are_rows), 'figure')}, {counted(n_tables, 'table')}, "
        f"{counted(len(document.references), 'reference')}; "
        f"read as {document.provenance.road}"
    )


_document: Mapping[str, Any] = {
    "result": _document_result,
    "lines": _outline,
    "notes": lambda document: document.provenance.warnings,
}


@_declare("fulltext read", opens="nothing", folder_first=False, **_document)
def read(_: None, file: Annotated[Path, Shell("FILE", _FORMATS)]) -> Document:
    """Read the sections, figures and references of a paper from a file; uses no corpus and no network."""
    return read_apart(file)


@_declare("fulltext show", **_document)
def show(folder: Path, paper_id: _PaperId) -> Document:
    """Show the full text of a paper in a corpus."""
    return FullTexts.open(folder).document(paper_id)


class SortedFiles(NamedTuple):
    """What became of files; one that is neither added nor rejected was already stored."""

    added: Sequence[FileOutcome]
    matched: Sequence[FileOutcome]
    """Every file whose paper was found."""
    rejected: Sequence[FileOutcome]

    @classmethod
    def of(cls, outcomes: Iterable[FileOutcome]) -> "SortedFiles":
        """Sort files by what became of them."""
        listed = list(outcomes)
        matched = [each for each in listed if each.match]
        return cls([each for each in matched if each.format], matched, [each for each in listed if each.reason])


def _outcomes_result() -> Any:
    paper_id, others = "match.paper_id", "match format replaced_format reason warnings may_pass"
    added = result_of(
        FileOutcome, "match reason may_pass", paper_id=paper_id, road="format", replaced="replaced_format"
    )
    matched = result_of(FileOutcome, others, paper_id=paper_id, by="match.by")
    rejected = result_of(FileOutcome, "match format replaced_format warnings may_pass")
    model = result_of(SortedFiles, added=[added], matched=[matched], rejected=[rejected])
    return Annotated[model, BeforeValidator(SortedFiles.of)]


def _outcome_lines(outcomes: Sequence[FileOutcome]) -> Iterator[str]:
    for outcome in outcomes:
        if outcome.reason is not None:
            yield f"rejected: {outcome.file}: {outcome.reason}"
        elif outcome.match is not None:
            how = f"{outcome.format}, by {outcome.match.by}" if outcome.format else "stored before"
            in_place = f", in place of {outcome.replaced_format}" if outcome.replaced_format else ""
            yield f"{outcome.file} -> {outcome.match.paper_id} ({how}{in_place})"
            yield from (f"  {warning}" for warning in outcome.warnings)
    n_added = sum(outcome.format is not None for outcome in outcomes)
    n_rejected = sum(outcome.reason is not None for outcome in outcomes)
    yield f"added: {n_added:,}; stored before: {len(outcomes) - n_added - n_rejected:,}; rejected: {n_rejected:,}"


@_declare(
    "fulltext add",
    reports=True,
    result=_outcomes_result,
    lines=_outcome_lines,
    failures=lambda outcomes: ("none of the files could be added",) if all(each.reason for each in outcomes) else (),
)
def add(
    folder: Path,
    files: Annotated[list[Path], Shell("FILE...", f"Files, or folders of files: {_FORMATS}")],
    paper: Annotated[str | None, Shell("--paper ID", _OF_PAPER)] = None,
    names: Annotated[list[str] | None, Shell(None), Field(description=_NAMES)] = None,
    progress: Progress | None = None,
) -> tuple[FileOutcome, ...]:
    """Add full texts to the papers in a corpus; after an interruption, texts already added are not read again."""
    progress, texts = progress or Silent(), files_in(files)
    if not texts:
        raise CorpusError(f"{', '.join(map(str, files))}: no full-text file found; name files, or other folders")
    progress.start("full texts", len(texts))
    named = dict(zip(texts, names, strict=True)) if names else {}
    outcomes = tuple(report_each(add_files(folder, texts, paper_id=paper, names=named), progress))
    progress.finish()
    _index(folder, progress, _outcome_lines(outcomes))
    return outcomes


class Indexed(NamedTuple):
    """The full texts of a corpus, indexed."""

    n_passages: int
    """Number of passages that can be searched; 0 if the corpus cannot be searched yet."""


@_declare("fulltext index", reports=True, lines=lambda outcome: (f"full-text passages: {outcome.n_passages:,}",))
def index(folder: Path, progress: Progress | None = None) -> Indexed:
    """Index the full texts of a corpus for searches, if that was not done when they were added."""
    return Indexed(_index(folder, progress))


def _index(folder: Path, progress: Progress | None, done: Iterable[str] | None = None) -> int:
    """Index the full texts of a corpus, and return the number of passages; 0 if the corpus cannot be searched yet. If
    this fails, what was `done` before is reported, as it stays done.
    """
    progress = progress or Silent()
    with ExitStack() as if_it_fails:
        if done is not None:
            if_it_fails.callback(lambda: progress.say("\n".join(done)))
        manifest, _ = read_manifest(folder)
        n_passages = 0
        if "dense" in manifest.parts:
            n_passages = index_full_texts(folder, load_embedder(manifest.embedder, read_settings()), progress)
        if_it_fails.pop_all()
    return n_passages


def _fetch_failures(done: Completed) -> Iterator[str]:
    report = done.report
    if report is not None and not report.filled[FULL_TEXT]:
        n_failed = sum(gap.field == FULL_TEXT and not gap.is_absent for gap in report.missing)
        if n_failed:
            yield f"no text was added, and {n_failed:,} could not be fetched"


@_declare(
    "fulltext fetch", is_hidden=True, changes=lambda _: True, result=COMPLETE.result, lines=COMPLETE.lines,
    failures=_fetch_failures, needs=COMPLETE.needs,
)  # fmt: skip
def fetch(
    folder: Path,
    open_access: Annotated[bool, Field(description=_OPEN_ACCESS)] = False,
    n_most: Annotated[int, Shell("--max N", "Add at most this many texts."), Field(ge=1)] = 100,
    progress: Progress | None = None,
) -> Any:
    """Fetch open-access full texts for papers that have none: `complete --only texts`."""
    if not open_access:
        raise UsageError("only open-access texts are fetched: confirm this with --open-access")
    return COMPLETE.run(open_corpus(folder), progress, COMPLETE.options(only=["texts"], max_texts=n_most))


class Cited(NamedTuple):
    """A paper, and the sentences that cite it."""

    paper_id: str
    sentences: Sequence[CitingSentence]


def _cited_result() -> Any:
    sentence = result_of(CitingSentence, paper=QuotedPaper)
    return result_of(Cited, n_sentences=(Count, "sentences"), sentences=[sentence])


def _cited_lines(cited: Cited) -> Iterator[str]:
    yield f"sentences that cite it: {len(cited.sentences)}"
    yield from (f'  "{each.sentence}" ({each.address}) {each.paper.paper_id}' for each in cited.sentences)


@_declare("fulltext cited", opens="corpus", result=_cited_result, lines=_cited_lines)
def list_citing_sentences(corpus: Corpus, paper_id: _PaperId) -> Cited:
    """List the sentences in full texts that cite a paper in the corpus."""
    row = int(corpus.papers.known_rows((paper_id,))[0])
    texts = FullTexts.open(corpus.folder)
    return Cited(paper_id, [*citing_sentences(corpus.papers[row], texts, corpus.papers)])


class Removed(NamedTuple):
    """Full texts that were removed."""

    n_removed: int
    n_papers: int
    """Number of papers that still have a full text."""


def _removed_lines(done: Removed) -> Sequence[str]:
    return (f"removed: {done.n_removed:,}; papers with full text: {done.n_papers:,}",)


@_declare("fulltext remove", reports=True, lines=_removed_lines)
def remove(
    folder: Path,
    paper_ids: Annotated[list[str], Shell("ID...", "Ids of the papers whose texts are to be removed.")],
    progress: Progress | None = None,
) -> Removed:
    """Remove the full texts of papers from a corpus; the papers stay."""
    store.remove(folder, paper_ids)
    done = Removed(len(set(paper_ids)), len(store.FullTexts.open(folder).texts))
    _index(folder, progress, _removed_lines(done))
    return done
