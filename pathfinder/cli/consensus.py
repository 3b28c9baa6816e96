"""`pathfinder consensus`: measures how far papers agree."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from pathfinder.cli.options import SearchCommand
from pathfinder.cli.output import write_json, write_lines, write_notes
from pathfinder.cli.settings import open_for_question
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
    "over_time": (
        Annotated[
            bool,
            typer.Option(
                "--over-time", help="Report the consensus year by year, and when it changed; this reads more papers."
            ),
        ],
        False,
    ),
}


def _consensus(request: SearchRequest, folder: Path | None, as_json: bool, over_time: bool) -> None:
    """Measure how far papers agree on a question, with a quote from each; needs a chat model."""
    from pathfinder.assessment.consensus.consensus import until
    from pathfinder.assessment.consensus.local import describe_without_model
    from pathfinder.export.consensus import consensus_record, history_record

    pf = open_for_question(folder)
    result, as_of = pf.search(request), request.as_of
    if pf.chat is None:
        lines = describe_without_model(until(result, as_of, pf.search))
        write_json({"question": request.query, "told": list(lines)}) if as_json else _write_plain(lines)
        return
    if over_time:
        history = pf.consensus_over_time(result, as_of=as_of)
        write_notes((*result.notes, *history.notes))
        write_json(history_record(history)) if as_json else _write_plain(history_lines(history))
        return
    consensus_result = pf.consensus(result, as_of=as_of)
    write_notes((*result.notes, *consensus_result.notes))
    write_json(consensus_record(consensus_result)) if as_json else _write_plain(consensus_lines(consensus_result))


consensus = SearchCommand(_consensus, OPTIONS)


def _write_plain(lines: Iterable[str]) -> None:
    """Write lines of text, without the control characters that papers or models may contain."""
    write_lines(map(without_control_characters, lines))


def consensus_lines(consensus_result: Consensus) -> Iterator[str]:
    """Format the level and its basis, then every paper with its quote."""
    if consensus_result.statement:
        yield f"Statement: {consensus_result.statement}"
    until = "" if consensus_result.as_of is None else f" as of {consensus_result.as_of}"
    yield f"Level{until}: {_level(consensus_result.level)}{_between(consensus_result)}"
    if consensus_result.model_level is not None and consensus_result.relevance is not None:
        own_level = f"{consensus_result.model_level} (relevance {consensus_result.relevance:.2f})"
        yield f"{consensus_result.model} itself says: {own_level}. {consensus_result.explanation}"
    for change in consensus_result.sensitivity:
        yield f"Without {change.paper_id}: {_level(change.level)}"
    yield ""
    yield from _stance_lines(consensus_result.stances)


def history_lines(consensus_result: ConsensusHistory) -> Iterator[str]:
    """Format the change in opinion, the counts for each year, and every paper with its quote."""
    if consensus_result.statement:
        yield f"Statement: {consensus_result.statement}"
    yield consensus_result.reason
    yield ""
    for year in consensus_result.years:
        counts = f"{year.n_supports} for, {year.n_refutes} against, {year.n_mixed} mixed"
        yield f"{year.year}: {counts}: {_level(year.level)}"
    yield ""
    yield from _stance_lines(consensus_result.stances)


def _between(consensus_result: Consensus) -> str:
    if consensus_result.interval is None or consensus_result.score is None:
        return ""
    high, low = consensus_result.interval
    return f" (score {consensus_result.score:+.2f}; 95% of draws: {high if high is low else f'{high} to {low}'})"


def _stance_lines(stances: tuple[Stance, ...]) -> Iterator[str]:
    for label in StanceLabel:
        stances_of_label = [stance for stance in stances if stance.label is label]
        if stances_of_label:
            yield f"{label} ({sum(stance.is_quote_found for stance in stances_of_label)}):"
        for stance in stances_of_label:
            yield f"  {stance.title} ({stance.year or 'year unknown'}) {stance.paper_id}"
            if stance.quote or not stance.is_quote_found:
                missing = "" if stance.is_quote_found else " [quote not found in the paper: not counted]"
                address = f" ({stance.passage.address})" if stance.passage else ""
                yield f'    "{stance.quote}"{address}{missing}'


def _level(level: ConsensusLevel | None) -> str:
    return "not enough evidence" if level is None else level.value
