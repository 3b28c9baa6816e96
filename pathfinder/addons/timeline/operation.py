"""A topic year by year: papers, first mentions of terms, values and consensus; apart from what makes a timeline, which
the help of the command need not load.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, NamedTuple

from pydantic import AliasPath, Field

from pathfinder.export.plain_json import JsonObject
from pathfinder.operations.operation import LinkTo, declare, only, result_of
from pathfinder.text.english import counted
from pathfinder.text.latex.display import readable
from pathfinder.types import ConsensusHistory, ConsensusYear, Paper, SearchResult, StatedValue

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder


@dataclass(frozen=True, slots=True)
class FirstMention:
    """The earliest paper in a timeline that mentions a term."""

    term: str
    paper: Paper
    n_papers: int
    """Number of papers in the timeline that mention it."""


class YearCount(NamedTuple):
    """A year, with its number of papers."""

    year: int
    n: int


@dataclass(frozen=True, slots=True)
class Timeline:
    """The best matches for a question, by year."""

    question: str
    papers: tuple[Paper, ...]
    """The papers, best match first; those without a year are counted in `notes` and left out."""
    first_mentions: tuple[FirstMention, ...]
    """The first mentions of the topic's terms, earliest first."""
    values: tuple[StatedValue, ...]
    """Values of the quantity that the question asks for; empty if it asks for none."""
    consensus: ConsensusHistory | None
    """Consensus year by year, which requires a chat model; `None` if it was not computed."""
    notes: tuple[str, ...] = ()

    @property
    def years(self) -> tuple[YearCount, ...]:
        """Each year from the first paper to the last, with its number of papers."""
        of_papers = [paper.year for paper in self.papers if paper.year is not None]
        if not of_papers:
            return ()
        return tuple(YearCount(year, of_papers.count(year)) for year in range(min(of_papers), max(of_papers) + 1))


MOST_VALUES = 20
"""Number of values in the JSON for a model."""


def describe_timeline(timeline: Timeline) -> str:
    """Describe the figure in words, for readers who cannot see it."""
    if not timeline.years:
        return "No paper has a year."
    (first, _), (last, _) = timeline.years[0], timeline.years[-1]
    peak, most = max(timeline.years, key=lambda year: year[1])
    parts = [f"{len(timeline.papers)} papers from {first} to {last}, most in {peak} ({most})."]
    if timeline.first_mentions:
        terms = ", ".join(f"{readable(mention.term)} {mention.paper.year}" for mention in timeline.first_mentions)
        parts.append(f"First mentions among them: {terms}.")
    if timeline.values:
        parts.append(f"{counted(len(timeline.values), 'value')}.")
    if timeline.consensus is not None:
        parts.append(timeline.consensus.reason)
    return " ".join(parts)


def _lines(timeline: Timeline) -> Iterator[str]:
    yield describe_timeline(timeline)
    yield from (f"{year}: {n}" for year, n in timeline.years if n)


def _html(timeline: Timeline) -> str:
    from pathfinder.addons.timeline.figure import TIMELINE_CONFIG, timeline_figure

    html: str = timeline_figure(timeline).to_html(include_plotlyjs=True, config=TIMELINE_CONFIG)
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


_OPINION = result_of(ConsensusYear, "n_supports n_refutes n_mixed")


@declare(
    "timeline",
    address="timeline",
    tool="timeline",
    result=result_of(
        Timeline,
        years="years",
        consensus=([_OPINION], AliasPath("consensus", "years")),
    ),
    lines=_lines,
    brief=_brief,
    forms={"html": _html},
    may_wait=True,
)
def timeline(
    pf: "Pathfinder",
    found: SearchResult,
    papers: Annotated[int, Field(description="Number of best matches, 2 to 500.")] = 100,
    consensus: Annotated[bool, Field(description="Add the consensus by year; needs a chat model.")] = False,
) -> Timeline:
    """Put papers, values, the consensus and the first mentions of terms on one timeline."""
    from pathfinder.addons.timeline.timeline import timeline_of

    history = pf.consensus_over_time(found) if consensus else None
    return timeline_of(pf, found, papers, history)
