"""The command that tells how far papers agree."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from pathfinder.cli_options import searching
from pathfinder.cli_output import write_json, write_lines, write_notes
from pathfinder.cli_settings import corpus_folder
from pathfinder.settings import read_settings
from pathfinder.types import (
    Consensus,
    ConsensusHistory,
    ConsensusLevel,
    SearchRequest,
    Stance,
    StanceLabel,
    without_control_characters,
)

OPTIONS = {
    "as_of": (
        Annotated[int | None, typer.Option("--as-of", metavar="YEAR", help="Only papers until then are read.")],
        None,
    ),
    "over_time": (
        Annotated[bool, typer.Option("--over-time", help="Year by year, and when it changed, of more papers.")],
        False,
    ),
}


def _consensus(request: SearchRequest, folder: Path | None, as_json: bool, as_of: int | None, over_time: bool) -> None:
    """Tell how far the papers on a question agree, each with its sentence; it takes a chat model."""
    from pathfinder.assessment.consensus.consensus import until
    from pathfinder.assessment.consensus.without_model import told_without_model
    from pathfinder.explorer import Pathfinder
    from pathfinder.export.consensus import consensus_record, history_record

    settings = read_settings()
    pf = Pathfinder.open(corpus_folder(folder, settings), settings=settings)
    result = pf.search(request)
    if pf.chat is None:
        lines = told_without_model(until(result, as_of, pf.search))
        write_json({"question": request.query, "told": list(lines)}) if as_json else _write_plain(lines)
        return
    if over_time:
        history = pf.consensus_over_time(result, as_of=as_of)
        write_notes((*result.notes, *history.notes))
        write_json(history_record(history)) if as_json else _write_plain(history_lines(history))
        return
    told = pf.consensus(result, as_of=as_of)
    write_notes((*result.notes, *told.notes))
    write_json(consensus_record(told)) if as_json else _write_plain(consensus_lines(told))


consensus = searching(_consensus, OPTIONS)


def _write_plain(lines: Iterable[str]) -> None:
    """Lines in which nothing that a paper or a model says acts on the terminal."""
    write_lines(map(without_control_characters, lines))


def consensus_lines(told: Consensus) -> Iterator[str]:
    """The level and what it rests on, then every paper with its sentence."""
    if told.statement:
        yield f"Statement: {told.statement}"
    until = "" if told.as_of is None else f" as of {told.as_of}"
    yield f"Level{until}: {_level(told.level)}{_between(told)}"
    if told.model_level is not None and told.relevance is not None:
        yield f"{told.model} itself says: {told.model_level} (relevance {told.relevance:.2f}). {told.explanation}"
    for one in told.sensitivity:
        yield f"Without {one.paper_id}: {_level(one.level)}"
    yield ""
    yield from _stance_lines(told.stances)


def history_lines(told: ConsensusHistory) -> Iterator[str]:
    """When it changed, then the counts of every year, then every paper with its sentence."""
    if told.statement:
        yield f"Statement: {told.statement}"
    yield told.reason
    yield ""
    for year in told.years:
        counts = f"{year.n_supports} for, {year.n_refutes} against, {year.n_mixed} mixed"
        yield f"{year.year}: {counts}: {_level(year.level)}"
    yield ""
    yield from _stance_lines(told.stances)


def _between(told: Consensus) -> str:
    if told.interval is None or told.score is None:
        return ""
    high, low = told.interval
    return f" (score {told.score:+.2f}; 95% of draws: {high if high is low else f'{high} to {low}'})"


def _stance_lines(stances: tuple[Stance, ...]) -> Iterator[str]:
    for label in StanceLabel:
        said = [stance for stance in stances if stance.label is label]
        if said:
            yield f"{label} ({sum(stance.is_quote_found for stance in said)}):"
        for stance in said:
            yield f"  {stance.title} ({stance.year or 'year unknown'}) {stance.paper_id}"
            if stance.quote or not stance.is_quote_found:
                missing = "" if stance.is_quote_found else " [not in the paper: not counted]"
                yield f'    "{stance.quote}"{missing}'


def _level(level: ConsensusLevel | None) -> str:
    return "not enough evidence" if level is None else level.value
