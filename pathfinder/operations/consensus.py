"""How far papers agree with a question, read as a statement: now, or year by year."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from pathfinder.operations.export.plain_json import JsonObject
from pathfinder.operations.operation import LinkTo, Need, declare, only, result_of
from pathfinder.types import (
    Consensus,
    ConsensusHistory,
    ConsensusLevel,
    ConsensusYear,
    SearchResult,
    Stance,
    StanceLabel,
)

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder

MOST_STANCES = 10
"""Number of stances in the JSON for a model."""
_OVER_TIME = "Report the consensus year by year, and when it changed; this reads more papers."


@dataclass(frozen=True, slots=True)
class Told:
    """What can be said without a chat model."""

    question: str
    told: tuple[str, ...]


AnyConsensus = Consensus | ConsensusHistory | Told


def consensus_lines(consensus: AnyConsensus) -> Iterator[str]:
    """Format the level and its basis, or the change in opinion and the counts for each year; then every paper with its
    quote.
    """
    if isinstance(consensus, Told):
        yield from consensus.told
        return
    if consensus.statement:
        yield f"Statement: {consensus.statement}"
    if isinstance(consensus, ConsensusHistory):
        yield consensus.reason
        yield ""
        for year in consensus.years:
            counts = f"{year.n_supports} for, {year.n_refutes} against, {year.n_mixed} mixed"
            yield f"{year.year}: {counts}: {_level(year.level)}"
    else:
        until = "" if consensus.as_of is None else f" as of {consensus.as_of}"
        between = ""
        if consensus.interval is not None and consensus.score is not None:
            high, low = consensus.interval
            between = f" (score {consensus.score:+.2f}; 95% of draws: {high if high is low else f'{high} to {low}'})"
        yield f"Level{until}: {_level(consensus.level)}{between}"
        if consensus.model_level is not None and consensus.relevance is not None:
            own_level = f"{consensus.model_level} (relevance {consensus.relevance:.2f})"
            yield f"{consensus.model} itself says: {own_level}. {consensus.explanation}"
        for change in consensus.sensitivity:
            yield f"Without {change.paper_id}: {_level(change.level)}"
    yield ""
    papers_by_id = {paper.paper_id: paper for paper in consensus.papers}
    for label in StanceLabel:
        stances = [stance for stance in consensus.stances if stance.label is label]
        if stances:
            yield f"{label} ({sum(stance.is_quote_found for stance in stances)}):"
        for stance in stances:
            yield f"  {stance.title} ({stance.year or 'year unknown'}) {stance.paper_id}"
            if stance.quote or not stance.is_quote_found:
                missing = "" if stance.is_quote_found else " [quote not found in the paper: not counted]"
                address = stance.passage.address if stance.passage else None
                yield f"    {papers_by_id[stance.paper_id].quoted(stance.quote, address)}{missing}"


def _level(level: ConsensusLevel | None) -> str:
    return "not enough evidence" if level is None else level.value


def _brief(consensus: AnyConsensus, record: JsonObject, linked: LinkTo) -> JsonObject:
    """Keep the level, the first stances and, for a consensus over time, the years in which the level changes."""
    if isinstance(consensus, Told):
        return record
    facts = ("question", "statement", "level", "score", "explanation", "changed_in", "reason", "notes")
    small = only(record, [name for name in facts if name in record])
    if "years" in record:
        years = record["years"]
        small["years"] = years[:1] + [year for last, year in pairwise(years) if year["level"] != last["level"]]
    names = ("paper_id", "title", "year", "stance", "quote", "quote_found")
    stances = [linked(only(stance, names)) for stance in record["stances"][:MOST_STANCES]]
    return {**small, "n_stances": len(record["stances"]), "stances": stances}


def _result() -> Any:
    stances = [result_of(Stance, stance="label", quote_found="is_quote_found", counted="is_counted")]
    year = result_of(ConsensusYear, supports="n_supports", refutes="n_refutes", mixed="n_mixed")
    return (
        result_of(Consensus, "papers calls", stances=stances)
        | result_of(ConsensusHistory, "papers calls", stances=stances, years=[year])
        | result_of(Told)
    )


@declare(
    "consensus",
    address="consensus",
    result=_result,
    lines=consensus_lines,
    tool="consensus",
    arguments={"top_k": 10, "as_of": None},
    brief=_brief,
    needs=(Need.CHAT,),
)
def consensus(
    pf: "Pathfinder", found: SearchResult, over_time: Annotated[bool, Field(description=_OVER_TIME)] = False
) -> AnyConsensus:
    """Measure how far papers agree on a question, with a quote from each."""
    from pathfinder.answering.assessment.consensus.consensus import until
    from pathfinder.answering.assessment.consensus.local import describe_without_model

    as_of = found.request.as_of
    if pf.chat is None:
        return Told(found.request.query, tuple(describe_without_model(until(found, as_of, pf.search))))
    return pf.consensus_over_time(found, as_of=as_of) if over_time else pf.consensus(found, as_of=as_of)
