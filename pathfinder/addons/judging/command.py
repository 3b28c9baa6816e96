"""The operations of blind judging: studies are made, judged on sheets, counted, exported and deleted."""

import datetime
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from pydantic import Field, FilePath

from pathfinder.addons.judging import study
from pathfinder.addons.judging.results import StudyResult, sheet_csv, study_result, votes_csv, votes_of_sheet
from pathfinder.addons.judging.study import BlindPair, BlindStudy, PairKind, StudyStore, read_pairs
from pathfinder.corpus.manifest import corpus_name
from pathfinder.facade import Pathfinder
from pathfinder.operations.evaluation.methods import check_methods, request_of
from pathfinder.operations.operation import TEXT, Declarer, Need, Shell, declare, result_of, under
from pathfinder.settings import read_settings
from pathfinder.user_data import data_folder

_METHOD = "Search setting, named as in `evaluate collection --methods`."
_SIDE = "Name of this side, shown only with the results."
_Study: TypeAlias = Annotated[str, Shell("STUDY", "Name of the study.")]
_Reader: TypeAlias = Annotated[str, Shell("--reader NAME", "Initials of the reader, or a pseudonym.")]
_Seed: TypeAlias = Annotated[int, Field(ge=0, description="Seed that decides which side each reader sees on the left.")]
_declare: Declarer = partial(declare, settings=(), folder_first=True, opens="folder")


def _store(folder: Path) -> StudyStore:
    return StudyStore(data_folder(read_settings()), corpus_name(folder))


def _alike(study: BlindStudy) -> Iterator[str]:
    if alike := sum(pair.first == pair.second for pair in study.pairs):
        yield f"both sides are the same in {alike} pairs: readers can only answer 'same'"


_made: Mapping[str, Any] = {
    "result": lambda: result_of(BlindStudy, "corpus first second seed pairs", n_pairs="n_pairs"),
    "lines": lambda study: (f"{study.name}: {study.n_pairs} pairs of {study.material}",),
    "notes": _alike,
}


@_declare("judge make", opens="session", needs=(Need.CHAT_IF_ASKED,), **_made)
def make(
    pf: Pathfinder,
    name: _Study,
    questions: Annotated[FilePath, Shell("--questions FILE", "Questions, one per line.")],
    first: Annotated[str, Shell("--first METHOD", _METHOD)],
    second: Annotated[str, Shell("--second METHOD", _METHOD)],
    answers: Annotated[
        bool, Field(description="Compare the answers, not the rankings; a chat model writes them if one is set.")
    ] = False,
    seed: _Seed = 1,
) -> BlindStudy:
    """Make a study of two settings: search with both for each question, and store the results."""
    check_methods((first, second), pf.models)

    def exhibits(question: str) -> BlindPair:
        results = [pf.search(request_of(method, question)) for method in (first, second)]
        pair = [study.answer_exhibit(pf.answer(each)) if answers else study.ranking_exhibit(each) for each in results]
        return study.BlindPair(question, *pair)

    pairs = tuple(map(exhibits, study.read_questions(questions)))
    material = study.PairKind.ANSWERS if answers else study.PairKind.RANKINGS
    return _store(pf.corpus.folder).add(
        study.BlindStudy(name, pf.corpus.name.name, material, first, second, seed, pairs)
    )


@_declare("judge add", **_made)
def add(
    folder: Path,
    name: _Study,
    pairs: Annotated[FilePath, Shell("FILE", "Pairs, one per line, as JSON.")],
    first: Annotated[str, Shell("--first NAME", _SIDE)],
    second: Annotated[str, Shell("--second NAME", _SIDE)],
    seed: _Seed = 1,
) -> BlindStudy:
    """Make a study of pairs that were made elsewhere: of answers if any side of a pair has a text, otherwise of
    rankings.
    """
    store, blind_pairs = _store(folder), read_pairs(pairs)
    has_text = any(side.text for pair in blind_pairs for side in (pair.first, pair.second))
    material = PairKind.ANSWERS if has_text else PairKind.RANKINGS
    return store.add(BlindStudy(name, store.corpus, material, first, second, seed, blind_pairs))


@dataclass(frozen=True, slots=True)
class ListedStudy:
    """A study, with the number of its pairs and of the votes on them."""

    name: str
    n_pairs: int
    n_votes: int


def _list_lines(listed: Sequence[ListedStudy]) -> list[str]:
    lines = [f"{each.name}: {each.n_pairs} pairs, {each.n_votes} votes" for each in listed]
    return lines or ["there are no studies yet: `pathfinder judge make` makes one"]


@_declare("judge list", result=lambda: under("studies", [result_of(ListedStudy)]), lines=_list_lines)
def list_studies(folder: Path) -> Sequence[ListedStudy]:
    """List the studies of a corpus."""
    store = _store(folder)
    names = store.names()
    return [ListedStudy(each, store.study(each).n_pairs, len(store.votes(each))) for each in names]


@_declare("judge sheet", **TEXT)
def sheet(folder: Path, name: _Study, reader: _Reader) -> str:
    """Write the pairs as CSV, for a reader who fills in A, B or same; nothing in it says which side is which."""
    return sheet_csv(_store(folder).study(name), reader)


@dataclass(frozen=True, slots=True)
class StoredVotes:
    """The votes of a reader that were stored."""

    reader: str
    n_votes: int


@_declare("judge votes", lines=lambda done: (f"{done.n_votes} votes of {done.reader}",))
def votes(
    folder: Path,
    name: _Study,
    file: Annotated[FilePath, Shell("FILE", "A reader's completed sheet.")],
    reader: _Reader,
) -> StoredVotes:
    """Store the votes from a completed sheet, replacing earlier ones by the same reader."""
    store = _store(folder)
    today = datetime.datetime.now(datetime.UTC).date()
    sheet_votes = votes_of_sheet(store.study(name), reader, file.read_text(encoding="utf-8-sig"), today)
    for vote in sheet_votes:
        store.add_vote(name, vote)
    return StoredVotes(reader, len(sheet_votes))


def _result_lines(result: StudyResult) -> Iterator[str]:
    yield f"{result.study}: {result.summary}"
    for each in result.criteria:
        wins = f"{result.first} {each.won_by_first}, {result.second} {each.won_by_second}, tied {each.ties}"
        if each.win_rate is not None and each.interval is not None and each.p is not None:
            interval = f"[{each.interval.low:.0%}, {each.interval.high:.0%}]"
            wins += f"; {result.second} wins {each.win_rate:.0%} {interval}, p {each.p:.2g}"
        yield f"{each.criterion}: {wins}; alpha {'unknown' if each.alpha is None else f'{each.alpha:.2f}'}"


@_declare("judge results", lines=_result_lines)
def results(folder: Path, name: _Study) -> StudyResult:
    """Count the votes: win rates with 95% intervals, and Krippendorff's alpha."""
    store = _store(folder)
    return study_result(store.study(name), store.votes(name))


@_declare("judge export", **TEXT)
def export(folder: Path, name: _Study) -> str:
    """Write all votes as CSV, with the names of the sides and the side that each reader saw as A."""
    store = _store(folder)
    return votes_csv(store.study(name), store.votes(name))


@dataclass(frozen=True, slots=True)
class DeletedStudy:
    """A study that was deleted, with the number of votes that went with it."""

    name: str
    n_votes: int


@_declare("judge delete", lines=lambda done: (f"{done.name}: deleted with {done.n_votes} votes",))
def delete(folder: Path, name: _Study) -> DeletedStudy:
    """Delete a study with its votes."""
    return DeletedStudy(name, _store(folder).delete(name))
