"""The commands for capsules: pathfinder capsule save | open | check | compare."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pathfinder.answering.settings import AnswerSettings
from pathfinder.cli.extension_help import ExtensionHelp
from pathfinder.cli.operations import opened, outcome_with_steps, own_options
from pathfinder.cli.options import CorpusFolder, JsonFlag, SearchCommand
from pathfinder.cli.output import write_json, write_lines, write_notes
from pathfinder.cli.settings import corpus_folder, open_pathfinder
from pathfinder.errors import UsageError
from pathfinder.operations.ask import OPERATION as ASK
from pathfinder.operations.shelves import line_of, store_of
from pathfinder.settings import read_settings
from pathfinder.text.files import write_file
from pathfinder.types import SearchRequest
from pathfinder.types.settings import settings_of

if TYPE_CHECKING:
    from pathfinder.addons.capsules.checks import CapsuleCheck, RunComparison, SettingDifference
    from pathfinder.addons.capsules.contents import Capsule
    from pathfinder.retrieval.explanation.comparison import Shift

capsule = typer.Typer(
    rich_markup_mode=None,
    help="Save a question with everything that led to its answer in one file, and open, check and compare such files.",
)

_OUT = Annotated[Path, typer.Option("--out", metavar="FILE", help="The capsule to write, such as question.pfz.")]
_CONSENSUS = Annotated[bool, typer.Option("--consensus", help="Also measure the consensus; needs a chat model.")]
_SHELF = Annotated[
    str | None,
    typer.Option("--shelf", metavar="SHELF", help="Also save this shelf, with its states, tags and notes."),
]
_File = Annotated[Path, typer.Argument(metavar="FILE", help="The capsule.")]


def _save(request: SearchRequest, folder: Path | None, as_json: bool, **options: Any) -> None:
    """Answer a question as `ask` does, and save it with its candidates, prompts and replies in one file."""
    from pathfinder.addons.capsules.archive import capsule_of, open_capsule
    from pathfinder.addons.capsules.contents import SUFFIX

    path = options["out"]
    if path is None or path.suffix != SUFFIX:
        raise UsageError(f"the capsule needs a file name that ends in {SUFFIX}: add --out question{SUFFIX}")
    name = options["shelf"]
    shelf = None if name is None else store_of(corpus_folder(folder, read_settings())).shelf(name)
    pf, found, body = opened(ASK, request, folder, {name: options[name] for name in _of_answer()})
    answered = outcome_with_steps(ASK, pf, found, body)
    result, answer = answered.found, answered.answer
    consensus = pf.consensus(result) if options["consensus"] else None
    capsule_bytes = capsule_of(pf, result, answer=answer, consensus=consensus, shelf=shelf)
    write_file(path, capsule_bytes)
    capsule = open_capsule(capsule_bytes)
    if as_json:
        write_json({"file": str(path), "bytes": len(capsule_bytes), **_card(capsule)})
    else:
        write_lines((f"{path}: {len(capsule_bytes):,} bytes", *_left_out(capsule)))


def _of_answer() -> dict[str, tuple[Any, Any]]:
    """Return the options of an answer; a capsule holds neither a rewrite nor a plot."""
    options = own_options(ASK)
    return {setting.name: options[setting.name] for setting in settings_of(AnswerSettings)}


save = SearchCommand(
    _save,
    lambda: _of_answer() | {"out": (_OUT, None), "consensus": (_CONSENSUS, False), "shelf": (_SHELF, None)},
)
capsule.command("save", cls=ExtensionHelp)(save)


@capsule.command("open")
def open_file(file: _File, as_json: JsonFlag = False) -> None:
    """Show the hits and the answer of a capsule; this needs no corpus, key or network."""
    from pathfinder.addons.capsules.archive import open_capsule
    from pathfinder.operations.ask import answer_lines, answer_record
    from pathfinder.operations.search import result_lines, search_record

    capsule = open_capsule(file)
    result, answer = capsule.result, capsule.answer
    write_notes(_notes(capsule))
    if as_json:
        record = search_record(result) if answer is None else answer_record(result, answer)
        write_json({**record, "capsule": _card(capsule), **_shelf(capsule)})
        return
    write_lines((f"{capsule.card.question} ({capsule.card.corpus.name}, {capsule.card.written_on})", ""))
    write_lines(result_lines(result))
    if answer is not None:
        write_lines(("", *answer_lines(result, answer)))
    if capsule.shelf is not None:
        write_lines(("", f"Shelf: {line_of(capsule.shelf)}"))


@capsule.command("check")
def check_file(file: _File, corpus: CorpusFolder = None, as_json: JsonFlag = False) -> None:
    """Check the files, the order, the scores, the quotations and the citations of a capsule; the exit status is 1 if
    any check fails. With --corpus, also compare its papers with those in that corpus.
    """
    from pathfinder.addons.capsules.archive import open_capsule
    from pathfinder.addons.capsules.checks import Outcome, check, check_against
    from pathfinder.corpus.store import open_corpus
    from pathfinder.export.plain_json import as_json as plain

    capsule = open_capsule(file)
    checks = (*check(capsule), *(check_against(capsule, open_corpus(corpus)) if corpus else ()))
    holds = not any(each.outcome is Outcome.FAILS for each in checks)
    if as_json:
        write_json({"file": str(file), "holds": holds, "checks": plain(checks)})
    else:
        write_lines(map(_check_line, checks))
    if not holds:
        raise typer.Exit(1)


@capsule.command("compare")
def compare_files(
    file: _File,
    other: Annotated[Path | None, typer.Argument(metavar="[OTHER]", help="Another capsule.")] = None,
    corpus: CorpusFolder = None,
    as_json: JsonFlag = False,
) -> None:
    """Compare a capsule with another, or with a new search of the same question and settings in a corpus."""
    from pathfinder.addons.capsules.archive import open_capsule
    from pathfinder.addons.capsules.checks import compare

    before = open_capsule(file).result
    after = open_capsule(other).result if other is not None else open_pathfinder(corpus).search(before.request)
    comparison = compare(before, after)
    write_json(comparison_record(comparison)) if as_json else write_lines(comparison_lines(comparison))


def _shelf(capsule: "Capsule") -> dict[str, Any]:
    """Describe the shelf of a capsule, if it has one; its papers' titles and years come from the candidates."""
    from pathfinder.export.shelves import shelf_record

    if capsule.shelf is None:
        return {}
    papers = {paper.paper_id: paper for paper in capsule.result.candidates.papers}
    return {"shelf": shelf_record(capsule.shelf, papers)}


def _card(capsule: "Capsule") -> dict[str, Any]:
    from pathfinder.export.plain_json import as_json as plain

    return {**plain(capsule.card), "altered": list(capsule.altered_files)}


def _notes(capsule: "Capsule") -> Iterator[str]:
    if capsule.altered_files:
        yield f"altered since the capsule was saved: {', '.join(capsule.altered_files)}"
    yield from _left_out(capsule)


def _left_out(capsule: "Capsule") -> Iterator[str]:
    for each in capsule.card.left_out:
        yield f"left out: {each.text}{f' of {each.paper_id}' if each.paper_id else ''} ({each.reason})"


def _check_line(check: "CapsuleCheck") -> str:
    return f"{check.name}: {check.outcome}. {check.detail}"


def comparison_lines(comparison: "RunComparison") -> Iterator[str]:
    """Format the differences: questions, corpora, settings, models, then papers."""
    before, after = comparison.questions
    yield f"question: {before}" if before == after else f"questions: {before} | {after}"
    names = [f"{corpus.name}, version {corpus.version}, {corpus.n_papers:,} papers" for corpus in comparison.corpora]
    yield f"corpus: {names[0]}" if names[0] == names[1] else f"corpora: {names[0]} | {names[1]}"
    yield from map(_difference, (*comparison.settings, *comparison.models))
    yield comparison.papers.description
    for shift in comparison.papers.shifts:
        if shift.left != shift.right:
            yield f"{_change(shift)} {shift.paper.title} {shift.paper.paper_id}"


def _change(shift: "Shift") -> str:
    if shift.left is None:
        return f"new, rank {shift.right}:"
    return f"dropped, was rank {shift.left}:" if shift.right is None else f"rank {shift.left} to {shift.right}:"


def comparison_record(comparison: "RunComparison") -> dict[str, Any]:
    """Return the differences as JSON; a rank is null if the paper is not listed, or was not a candidate."""
    from pathfinder.export.plain_json import same_names, select
    from pathfinder.export.records import paper_record

    papers = comparison.papers
    ranks = same_names("left right left_in_pool right_in_pool")
    return {
        **select(comparison, same_names("questions corpora settings models")),
        **select(papers, same_names("k overlap rank_biased_overlap kendall_tau")),
        "papers": [{**paper_record(shift.paper), **select(shift, ranks)} for shift in papers.shifts],
    }


def _difference(difference: "SettingDifference") -> str:
    return f"{difference.name}: {difference.before} | {difference.after}"
