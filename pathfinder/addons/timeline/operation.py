"""A topic year by year: papers, first mentions of terms, values and consensus."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from pathfinder.addons.timeline.outcome import DEFAULT_PAPERS, MAX_PAPERS, Timeline
from pathfinder.operations.export.plain_json import JsonObject
from pathfinder.operations.operation import LinkTo, Need, declare, only, result_of
from pathfinder.types import ConsensusYear, SearchResult

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder

MOST_VALUES = 20
"""Number of values in the JSON for a model."""


def _lines(timeline: Timeline) -> Iterator[str]:
    from pathfinder.addons.timeline.figure import describe_timeline

    yield describe_timeline(timeline)
    yield from (f"{year}: {n}" for year, n in timeline.years if n)


def _html(timeline: Timeline) -> str:
    from pathfinder.addons.timeline.figure import timeline_figure
    from pathfinder.landscape.figures.plotting import PLOT_CONFIG

    html: str = timeline_figure(timeline).to_html(include_plotlyjs=True, config=PLOT_CONFIG)
    return html


def _brief(_: Timeline, record: JsonObject, linked: LinkTo) -> JsonObject:
    """Keep the years with papers, the first mentions and the first values."""
    titles = {paper["paper_id"]: only(paper, ("title", "year")) for paper in record["papers"]}
    parts = ("paper_id", "quantity", "value", "plus", "minus", "unit", "limit", "of")
    values = [{**only(value, parts), **titles[value["paper_id"]]} for value in record["values"][:MOST_VALUES]]
    mentions = [only(each, ("term", "n_papers", "paper_id", "title", "year")) for each in record["first_mentions"]]
    return {
        "question": record["question"],
        "years": [year for year in record["years"] if year["n"]],
        "first_mentions": list(map(linked, mentions)),
        "n_values": len(record["values"]),
        "values": list(map(linked, values)),
        "notes": record["notes"],
    }


@declare(
    "timeline",
    address="timeline",
    tool="timeline",
    result=lambda: result_of(
        Timeline,
        years="years",
        consensus=([result_of(ConsensusYear, "n_supports n_refutes n_mixed")], "consensus.years"),
    ),
    lines=_lines,
    brief=_brief,
    forms={"html": _html},
    needs=(Need.CHAT_IF_ASKED,),
)
def timeline(
    pf: "Pathfinder",
    found: SearchResult,
    papers: Annotated[int, Field(ge=2, le=MAX_PAPERS, description="Number of best matches.")] = DEFAULT_PAPERS,
    consensus: Annotated[bool, Field(description="Add the consensus by year, from the chat model.")] = False,
) -> Timeline:
    """Put papers, values, the consensus and the first mentions of terms on one timeline."""
    from pathfinder.addons.timeline.timeline import timeline_of

    history = pf.consensus_over_time(found) if consensus else None
    return timeline_of(pf, found, papers, history)
