"""The operations on capsules, which are saved, opened, checked and compared."""

from collections.abc import Generator, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeAlias

from pydantic import BeforeValidator, Field

from pathfinder.addons.capsules.archive import capsule_of, open_capsule
from pathfinder.addons.capsules.checks import CapsuleCheck, Outcome, RunComparison, check, check_against, compare
from pathfinder.addons.capsules.contents import SUFFIX, Capsule
from pathfinder.answering.settings import AnswerSettings
from pathfinder.cli.open_corpus import open_pathfinder
from pathfinder.corpus.store import open_corpus
from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.operations.ask import Answered, answer_lines, answer_record, check_answer, stream_answer
from pathfinder.operations.export.plain_json import JsonObject, as_json
from pathfinder.operations.export.shelves import shelf_record
from pathfinder.operations.operation import Declarer, Need, Options, QuotedPaper, Shell, declare, result_of
from pathfinder.operations.search import FoundPapers, result_lines, search_record
from pathfinder.operations.shelves import line_of
from pathfinder.retrieval.explanation.comparison import Shift
from pathfinder.shelves.shelf import ShelfStore
from pathfinder.text.files import write_file
from pathfinder.types import AnswerEvent, Budget, SearchResult

_File: TypeAlias = Annotated[Path, Shell("FILE", "The capsule.")]
_Corpus: TypeAlias = Annotated[
    Path | None, Shell("--corpus DIR", "Folder of the corpus; by default the one in PATHFINDER_CORPUS.")
]
_declare: Declarer = partial(declare, settings=(), opens="nothing")


def _left_out(capsule: Capsule) -> Iterator[str]:
    for each in capsule.card.left_out:
        yield f"left out: {each.text}{f' of {each.paper_id}' if each.paper_id else ''} ({each.reason})"


def _check(body: Any) -> Budget | None:
    if body.out is None or body.out.suffix != SUFFIX:
        raise UsageError(f"the capsule needs a file name that ends in {SUFFIX}: add --out question{SUFFIX}")
    return check_answer(body)


class SavedCapsule(NamedTuple):
    """A capsule, its file and the answer in it."""

    capsule: Capsule
    file: Path
    n_bytes: int
    answered: Answered


@declare(
    "capsule save",
    needs=(Need.CHAT_IF_SET,),
    parts=(AnswerSettings,),
    streams=True,
    check=_check,
    result=lambda: result_of(
        SavedCapsule,
        "capsule n_bytes answered",
        flat="capsule.card",
        bytes="n_bytes",
        altered="capsule.altered_files",
    ),
    lines=lambda saved: (f"{saved.file}: {saved.n_bytes:,} bytes", *_left_out(saved.capsule)),
    notes=lambda saved: saved.answered.notes,
)
def save(
    pf: Pathfinder,
    found: SearchResult,
    body: Options,
    out: Annotated[Path | None, Shell("--out FILE", "The capsule to write, such as question.pfz.")] = None,
    consensus: Annotated[bool, Field(description="Also measure the consensus; needs a chat model.")] = False,
    shelf: Annotated[
        str | None, Shell("--shelf SHELF", "Also save this shelf, with its states, tags and notes.")
    ] = None,
) -> Generator[AnswerEvent, None, SavedCapsule]:
    """Answer a question as `ask` does, and save it with its candidates, prompts and replies in one file."""
    own_shelf = None if shelf is None else ShelfStore.of(pf.corpus.folder).shelf(shelf)
    answered = yield from stream_answer(pf, found, body)
    opinion = pf.consensus(found) if consensus else None
    capsule_bytes = capsule_of(pf, found, answer=answered.answer, consensus=opinion, shelf=own_shelf)
    file = Path(str(out))
    write_file(file, capsule_bytes)
    return SavedCapsule(open_capsule(capsule_bytes), file, len(capsule_bytes), answered)


class OpenedCapsule(FoundPapers):
    """The hits, the answer and the shelf of a capsule."""

    answer: JsonObject | None = None
    """The answer, as `ask` writes it; absent if nothing was answered."""
    capsule: JsonObject
    """What the capsule says of itself."""
    shelf: JsonObject | None = None
    """The shelf, as `shelf show` writes it; absent if there is none."""


def _opened_record(capsule: Capsule) -> JsonObject:
    """Write the hits, the answer and the shelf, whose papers' titles and years come from the candidates."""
    result, answer = capsule.result, capsule.answer
    record = search_record(result) if answer is None else answer_record(result, answer)
    record["capsule"] = {**as_json(capsule.card), "altered": list(capsule.altered_files)}
    if capsule.shelf is not None:
        papers = {paper.paper_id: paper for paper in result.candidates.papers}
        record["shelf"] = shelf_record(capsule.shelf, papers)
    return record


def _opened_lines(capsule: Capsule) -> Iterator[str]:
    result, answer, card = capsule.result, capsule.answer, capsule.card
    yield from (f"{card.question} ({card.corpus.name}, {card.written_on})", "", *result_lines(result))
    if answer is not None:
        yield from ("", *answer_lines(result, answer))
    if capsule.shelf is not None:
        yield from ("", f"Shelf: {line_of(capsule.shelf)}")


def _opened_notes(capsule: Capsule) -> Iterator[str]:
    if capsule.altered_files:
        yield f"altered since the capsule was saved: {', '.join(capsule.altered_files)}"
    yield from _left_out(capsule)


@_declare(
    "capsule open",
    result=Annotated[OpenedCapsule, BeforeValidator(_opened_record)],
    lines=_opened_lines,
    notes=_opened_notes,
)
def open_file(_: None, file: _File) -> Capsule:
    """Show the hits and the answer of a capsule; this needs no corpus, key or network."""
    return open_capsule(file)


class CheckedCapsule(NamedTuple):
    """A capsule's file, and the checks of it."""

    file: Path
    checks: tuple[CapsuleCheck, ...]

    @property
    def holds(self) -> bool:
        """True if no check fails."""
        return not self.failures

    @property
    def failures(self) -> list[str]:
        """The names of the checks that fail."""
        return [each.name for each in self.checks if each.outcome is Outcome.FAILS]


@_declare(
    "capsule check",
    result=lambda: result_of(CheckedCapsule, holds="holds"),
    lines=lambda checked: (f"{each.name}: {each.outcome}. {each.detail}" for each in checked.checks),
    failures=lambda checked: checked.failures,
)
def check_file(_: None, file: _File, against: _Corpus = None) -> CheckedCapsule:
    """Check the files, the order, the scores, the quotations and the citations of a capsule; the exit status is 1 if
    any check fails. With --corpus, also compare its papers with those in that corpus.
    """
    capsule = open_capsule(file)
    more = check_against(capsule, open_corpus(against)) if against else ()
    return CheckedCapsule(file, (*check(capsule), *more))


def _compared_lines(comparison: RunComparison) -> Iterator[str]:
    before, after = comparison.questions
    yield f"question: {before}" if before == after else f"questions: {before} | {after}"
    names = [f"{corpus.name}, version {corpus.version}, {corpus.n_papers:,} papers" for corpus in comparison.corpora]
    yield f"corpus: {names[0]}" if names[0] == names[1] else f"corpora: {names[0]} | {names[1]}"
    for each in (*comparison.settings, *comparison.models):
        yield f"{each.name}: {each.before} | {each.after}"
    yield comparison.papers.description
    for shift in comparison.papers.shifts:
        if shift.left != shift.right:
            yield f"{_change(shift)} {shift.paper.title} {shift.paper.paper_id}"


def _change(shift: Shift) -> str:
    if shift.left is None:
        return f"new, rank {shift.right}:"
    return f"dropped, was rank {shift.left}:" if shift.right is None else f"rank {shift.left} to {shift.right}:"


@_declare(
    "capsule compare",
    result=lambda: result_of(
        RunComparison, "shifts", flat="papers", papers=([result_of(Shift, paper=QuotedPaper)], "papers.shifts")
    ),
    lines=_compared_lines,
)
def compare_files(
    _: None,
    file: _File,
    other: Annotated[Path | None, Shell("[OTHER]", "Another capsule.")] = None,
    searched: _Corpus = None,
) -> RunComparison:
    """Compare a capsule with another, or with a new search of the same question and settings in a corpus."""
    before = open_capsule(file).result
    after = open_capsule(other).result if other is not None else open_pathfinder(searched).search(before.request)
    return compare(before, after)
