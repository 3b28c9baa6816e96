"""Findings that disagree among the papers found, with both sentences."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from pathfinder.addons.tensions.outcome import MAX_COMPARED, Tension, Tensions, TensionSide
from pathfinder.operations.export.plain_json import JsonObject, paper_record
from pathfinder.operations.export.tables import table
from pathfinder.operations.operation import LinkTo, declare, only, result_of
from pathfinder.text.english import counted
from pathfinder.text.latex.display import readable
from pathfinder.types import SearchResult

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder

MOST_TENSIONS = 5
"""Number of tensions in the JSON for a model."""

COLUMNS = (
    *("kind", "subject", "reason", "sigma"),
    *("first_id", "first_year", "first_quotation", "first_method"),
    *("second_id", "second_year", "second_quotation", "second_method", "later"),
)
"""Columns of the CSV."""


def tensions_csv(tensions: Tensions) -> str:
    """Write a line for each tension, with the columns `COLUMNS`."""
    return table(COLUMNS, map(_row, tensions.tensions))


def _row(tension: Tension) -> tuple[object, ...]:
    def cells(side: TensionSide) -> tuple[object, ...]:
        line = paper_record(side.paper)
        return line["paper_id"], line["year"], readable(side.quotation), readable(side.method or "")

    later = "; ".join(f"{each.paper.paper_id}: {readable(each.quotation)}" for each in tension.later)
    first, second = map(cells, tension.sides)
    return (str(tension.kind), tension.subject, tension.reason, tension.sigma, *first, *second, later)


def describe_tensions(tensions: Tensions) -> str:
    """Say how many papers were compared, how many pairs disagree, and how many pairs are left out and why."""
    n = len(tensions.tensions)
    pairs = "1 pair disagrees" if n == 1 else f"{n} pairs disagree"
    values = counted(tensions.n_values, "value")
    of_one_thing = "1 pair" if tensions.n_value_pairs == 1 else f"{tensions.n_value_pairs or 'no'} pairs"
    comparison = (
        f"{tensions.n_papers} papers were compared; {pairs}. They state {values} with an uncertainty, of which "
        f"{of_one_thing} could be compared; values without an uncertainty are not compared."
    )
    if not tensions.n_too_far:
        return comparison
    n = tensions.n_too_far
    further, are = ("1 further pair", "is") if n == 1 else (f"{n} further pairs", "are")
    return (
        f"{comparison} {further} of values that lie more than 10 sigma apart {are} left out: such values are "
        "more likely to measure different things than to disagree."
    )


def _lines(tensions: Tensions) -> Iterator[str]:
    yield describe_tensions(tensions)
    for tension in tensions.tensions:
        yield f"{tension.subject}: {tension.reason}"
        for side in tension.sides:
            line = paper_record(side.paper)
            yield f"  {line['title']} ({line['year'] or 'year unknown'}) {line['paper_id']}"
            yield f"    {side.paper.quoted(side.quotation)}"
            if side.method is not None and side.method != side.quotation:
                yield f"    by: {side.paper.quoted(side.method)}"
        for each in tension.later:
            yield f"  later: {each.paper.paper_id} ({each.paper.known_year}): {each.paper.quoted(each.quotation)}"


def _brief(_: Tensions, record: JsonObject, linked: LinkTo) -> JsonObject:
    """Keep the first tensions, each with its reason and both sentences."""
    first = [
        {
            **only(tension, ("kind", "subject", "reason")),
            "sides": [linked(only(side, ("paper_id", "title", "year", "quotation"))) for side in tension["sides"]],
            "n_later": len(tension["later"]),
        }
        for tension in record["tensions"][:MOST_TENSIONS]
    ]
    counts = only(record, ("question", "n_papers", "n_values", "n_too_far"))
    return {**counts, "n_tensions": len(record["tensions"]), "tensions": first, "notes": record["notes"]}


@declare(
    "tensions",
    address="tensions",
    tool="tensions",
    result=lambda: result_of(Tensions),
    lines=_lines,
    brief=_brief,
    forms={"csv": tensions_csv},
)
def tensions(
    pf: "Pathfinder",
    found: SearchResult,
    papers: Annotated[int, Field(ge=2, le=MAX_COMPARED, description="Number of best matches to compare.")] = 30,
) -> Tensions:
    """List pairs of papers that disagree on a value or a statement, with both sentences."""
    from pathfinder.addons.tensions.tensions import tensions_of

    return tensions_of(pf, found, papers)
