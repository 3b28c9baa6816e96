"""The commands for blind judging: pathfinder judge make | add | list | sheet | votes | results | export | delete."""

import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from pathfinder.cli.options import JsonFlag
from pathfinder.cli.output import write_json, write_lines, write_notes
from pathfinder.cli.settings import open_pathfinder
from pathfinder.settings import read_settings

if TYPE_CHECKING:
    from pathfinder.addons.judging.results import CriterionResult, StudyResult
    from pathfinder.addons.judging.study import BlindStudy, StudyStore

judge = typer.Typer(
    rich_markup_mode=None,
    help="Compare answers or rankings in pairs without knowing which is which; studies are stored in PATHFINDER_DATA.",
)

_Folder: TypeAlias = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the corpus.")]
_Study: TypeAlias = Annotated[str, typer.Argument(metavar="STUDY", help="Name of the study.")]
_Questions: TypeAlias = Annotated[
    Path, typer.Option("--questions", metavar="FILE", help="Questions, one per line.", exists=True, dir_okay=False)
]
_Method: TypeAlias = Annotated[
    str, typer.Option(metavar="METHOD", help="Search setting, named as in `evaluate collection --methods`.")
]
_Side: TypeAlias = Annotated[str, typer.Option(metavar="NAME", help="Name of this side, shown only with the results.")]
_Answers: TypeAlias = Annotated[
    bool,
    typer.Option("--answers", help="Compare the answers, not the rankings; a chat model writes them if one is set."),
]
_Pairs: TypeAlias = Annotated[
    Path, typer.Argument(metavar="FILE", help="Pairs, one per line, as JSON.", exists=True, dir_okay=False)
]
_Seed: TypeAlias = Annotated[
    int, typer.Option("--seed", min=0, help="Seed that decides which side each reader sees on the left.")
]
_Reader: TypeAlias = Annotated[
    str, typer.Option("--reader", metavar="NAME", help="Initials of the reader, or a pseudonym.")
]
_Sheet: TypeAlias = Annotated[
    Path, typer.Argument(metavar="FILE", help="A reader's completed sheet.", exists=True, dir_okay=False)
]


@judge.command()
def make(
    folder: _Folder,
    name: _Study,
    questions: _Questions,
    first: _Method,
    second: _Method,
    answers: _Answers = False,
    seed: _Seed = 1,
) -> None:
    """Make a study of two settings: search with both for each question, and store the results."""
    from pathfinder.addons.judging.study import (
        BlindPair,
        BlindStudy,
        PairKind,
        answer_exhibit,
        ranking_exhibit,
        read_questions,
    )
    from pathfinder.evaluation.methods import check_methods, request_of

    pf = open_pathfinder(folder)
    check_methods((first, second), pf.models)

    def exhibits(question: str) -> BlindPair:
        results = [pf.search(request_of(method, question)) for method in (first, second)]
        pair = [answer_exhibit(pf.answer(each)) if answers else ranking_exhibit(each) for each in results]
        return BlindPair(question, *pair)

    pairs = tuple(map(exhibits, read_questions(questions)))
    material = PairKind.ANSWERS if answers else PairKind.RANKINGS
    _add(folder, BlindStudy(name, pf.corpus.name.name, material, first, second, seed, pairs))


@judge.command()
def add(folder: _Folder, name: _Study, pairs: _Pairs, first: _Side, second: _Side, seed: _Seed = 1) -> None:
    """Make a study of pairs that were made elsewhere: of answers if any side of a pair has a text, otherwise of
    rankings.
    """
    from pathfinder.addons.judging.study import BlindStudy, PairKind, read_pairs

    blind_pairs = read_pairs(pairs)
    has_text = any(side.text for pair in blind_pairs for side in (pair.first, pair.second))
    material = PairKind.ANSWERS if has_text else PairKind.RANKINGS
    _add(folder, BlindStudy(name, _store(folder).corpus, material, first, second, seed, blind_pairs))


def _add(folder: Path, study: "BlindStudy") -> None:
    _store(folder).add(study)
    write_lines((f"{study.name}: {len(study.pairs)} pairs of {study.material}",))
    alike = sum(pair.first == pair.second for pair in study.pairs)
    if alike:
        write_notes([f"both sides are the same in {alike} pairs: readers can only answer 'same'"])


@judge.command("list")
def list_(folder: _Folder, as_json: JsonFlag = False) -> None:
    """List the studies of a corpus."""
    store = _store(folder)
    rows = [
        {"name": name, "n_pairs": len(store.study(name).pairs), "n_votes": len(store.votes(name))}
        for name in store.names()
    ]
    if as_json:
        write_json({"studies": rows})
    else:
        lines = [f"{row['name']}: {row['n_pairs']} pairs, {row['n_votes']} votes" for row in rows]
        write_lines(lines or ["there are no studies yet: `pathfinder judge make` makes one"])


@judge.command()
def sheet(folder: _Folder, name: _Study, reader: _Reader) -> None:
    """Write the pairs as CSV, for a reader who fills in A, B or same; nothing in it says which side is which."""
    from pathfinder.addons.judging.results import sheet_csv

    typer.echo(sheet_csv(_store(folder).study(name), reader), nl=False)


@judge.command()
def votes(folder: _Folder, name: _Study, file: _Sheet, reader: _Reader) -> None:
    """Store the votes from a completed sheet, replacing earlier ones by the same reader."""
    from pathfinder.addons.judging.results import votes_of_sheet

    store = _store(folder)
    today = datetime.datetime.now(datetime.UTC).date()
    sheet_votes = votes_of_sheet(store.study(name), reader, file.read_text(encoding="utf-8-sig"), today)
    for vote in sheet_votes:
        store.add_vote(name, vote)
    write_lines((f"{len(sheet_votes)} votes of {reader}",))


@judge.command()
def results(folder: _Folder, name: _Study, as_json: JsonFlag = False) -> None:
    """Count the votes: win rates with 95% intervals, and Krippendorff's alpha."""
    from pathfinder.addons.judging.results import study_result
    from pathfinder.export.plain_json import as_json as plain

    store = _store(folder)
    outcome = study_result(store.study(name), store.votes(name))
    if as_json:
        write_json(plain(outcome))
    else:
        write_lines(_result_lines(outcome))


def _result_lines(result: "StudyResult") -> tuple[str, ...]:
    return (f"{result.study}: {result.summary}", *(_criterion_line(each, result) for each in result.criteria))


def _criterion_line(each: "CriterionResult", result: "StudyResult") -> str:
    wins = f"{result.first} {each.won_by_first}, {result.second} {each.won_by_second}, tied {each.ties}"
    alpha = "alpha unknown" if each.alpha is None else f"alpha {each.alpha:.2f}"
    if each.win_rate is None or each.interval is None or each.p is None:
        return f"{each.criterion}: {wins}; {alpha}"
    interval = f"[{each.interval.low:.0%}, {each.interval.high:.0%}]"
    return f"{each.criterion}: {wins}; {result.second} wins {each.win_rate:.0%} {interval}, p {each.p:.2g}; {alpha}"


@judge.command()
def export(folder: _Folder, name: _Study) -> None:
    """Write all votes as CSV, with the names of the sides and the side that each reader saw as A."""
    from pathfinder.addons.judging.results import votes_csv

    store = _store(folder)
    typer.echo(votes_csv(store.study(name), store.votes(name)), nl=False)


@judge.command()
def delete(folder: _Folder, name: _Study) -> None:
    """Delete a study with its votes."""
    write_lines((f"{name}: deleted with {_store(folder).delete(name)} votes",))


def _store(folder: Path) -> "StudyStore":
    from pathfinder.addons.judging.study import StudyStore
    from pathfinder.corpus.manifest import corpus_name
    from pathfinder.user_data import data_folder

    return StudyStore(data_folder(read_settings()), corpus_name(folder))
