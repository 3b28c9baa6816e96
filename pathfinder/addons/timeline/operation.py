"""A topic year by year: papers, first mentions of terms, values and consensus."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pydantic import BaseModel, Field

from pathfinder.addons.timeline.timeline import Timeline, timeline_of
from pathfinder.export.plain_json import JsonObject
from pathfinder.export.records import paper_record
from pathfinder.operations.operation import STRICT, LinkTo, Operation, PaperLine, Result, only
from pathfinder.types import SearchResult, StatedValue

if TYPE_CHECKING:
    from pathfinder.session import Pathfinder

MOST_VALUES = 20
"""Number of values in the JSON for a model."""


class TimelineOptions(BaseModel):
    """What a timeline takes besides the settings of a search."""

    model_config = STRICT
    papers: int = Field(default=100, description="Number of best matches, 2 to 500.")
    consensus: bool = Field(default=False, description="Add the consensus by year; needs a chat model.")


class YearCount(Result):
    """A year, and its number of papers."""

    year: int
    n: int


class Mention(PaperLine):
    """The earliest paper that mentions a term."""

    term: str
    n_papers: int
    """Number of papers in the timeline that mention it."""


class ConsensusByYear(Result):
    """The state of opinion at the end of a year."""

    year: int
    score: float | None
    level: str | None


class TimelineResult(Result):
    """The best matches for a question, by year."""

    question: str
    years: list[YearCount]
    """Each year from the first paper to the last."""
    papers: list[PaperLine]
    """Best match first; papers without a year are left out."""
    first_mentions: list[Mention]
    """Earliest first."""
    values: list[StatedValue]
    """Values of the quantity that the question asks for."""
    consensus: list[ConsensusByYear] | None
    """Null unless it was asked for."""
    notes: list[str]


def _run(pf: "Pathfinder", found: SearchResult, options: TimelineOptions) -> Timeline:
    history = pf.consensus_over_time(found) if options.consensus else None
    return timeline_of(pf, found, options.papers, history)


def _write(timeline: Timeline) -> TimelineResult:
    mentions = [
        Mention(term=each.term, n_papers=each.n_papers, **paper_record(each.paper)) for each in timeline.first_mentions
    ]
    history = timeline.consensus
    return TimelineResult(
        question=timeline.question,
        years=[YearCount(year=year, n=n) for year, n in timeline.years],
        papers=[PaperLine(**paper_record(paper)) for paper in timeline.papers],
        first_mentions=mentions,
        values=list(timeline.values),
        consensus=None
        if history is None
        else [ConsensusByYear(year=each.year, score=each.score, level=each.level) for each in history.years],
        notes=list(timeline.notes),
    )


def _lines(timeline: Timeline) -> Iterator[str]:
    from pathfinder.addons.timeline.figure import describe_timeline

    yield describe_timeline(timeline)
    yield from (f"{year}: {n}" for year, n in timeline.years if n)


def _html(timeline: Timeline) -> str:
    from pathfinder.addons.timeline.figure import TIMELINE_CONFIG, timeline_figure

    html: str = timeline_figure(timeline).to_html(include_plotlyjs=True, config=TIMELINE_CONFIG)
    return html


def _brief(record: JsonObject, linked: LinkTo) -> JsonObject:
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


OPERATION = Operation(
    name="timeline",
    tool="timeline",
    help="Put papers, values, the consensus and the first mentions of terms on one timeline.",
    options=TimelineOptions,
    run=_run,
    result=TimelineResult,
    write=_write,
    lines=_lines,
    notes=lambda timeline: timeline.notes,
    brief=_brief,
    forms={"html": _html},
    may_wait=True,
)
