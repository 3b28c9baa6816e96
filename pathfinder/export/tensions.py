"""Writes tensions as JSON and CSV."""

from pathfinder.export.plain_json import JsonObject, as_json
from pathfinder.export.records import paper_record, year_of
from pathfinder.export.tables import table
from pathfinder.text.latex.display import readable
from pathfinder.types import Tension, Tensions, TensionSide

TENSION_COLUMNS = (
    *("kind", "subject", "reason", "sigma"),
    *("first_id", "first_year", "first_quotation", "first_method"),
    *("second_id", "second_year", "second_quotation", "second_method", "later"),
)


def tensions_record(tensions: Tensions) -> JsonObject:
    """Describe tensions: question, n_papers, n_values, n_too_far, tensions and notes.

    Each tension has kind, subject, reason, sigma (null for statements), sides (two papers, the earlier one first, each
    with quotation, value (as `StatedValue`, null for a statement) and method) and later (later papers, each with a
    quotation).
    """
    return {
        "question": tensions.question,
        "n_papers": tensions.n_papers,
        "n_values": tensions.n_values,
        "n_too_far": tensions.n_too_far,
        "tensions": [_record(tension) for tension in tensions.tensions],
        "notes": list(tensions.notes),
    }


def _record(tension: Tension) -> JsonObject:
    return {
        "kind": str(tension.kind),
        "subject": tension.subject,
        "reason": tension.reason,
        "sigma": tension.sigma,
        "sides": [_side(side) for side in tension.sides],
        "later": [{**paper_record(each.paper), "quotation": each.quotation} for each in tension.later],
    }


def _side(side: TensionSide) -> JsonObject:
    return {
        **paper_record(side.paper),
        "quotation": side.quotation,
        "value": as_json(side.value),
        "method": side.method,
    }


def tensions_csv(tensions: Tensions) -> str:
    """Write a line for each tension, with the columns `TENSION_COLUMNS`."""
    return table(TENSION_COLUMNS, map(_row, tensions.tensions))


def _row(tension: Tension) -> tuple[object, ...]:
    sides = (
        part
        for side in tension.sides
        for part in (side.paper.paper_id, year_of(side.paper), readable(side.quotation), readable(side.method or ""))
    )
    later = "; ".join(f"{each.paper.paper_id}: {readable(each.quotation)}" for each in tension.later)
    return (str(tension.kind), tension.subject, tension.reason, tension.sigma, *sides, later)


def describe_tensions(tensions: Tensions) -> str:
    """Say how many papers were compared, how many pairs disagree, and how many pairs are left out and why."""
    n = len(tensions.tensions)
    pairs = "1 pair disagrees" if n == 1 else f"{n} pairs disagree"
    values = "1 value that has" if tensions.n_values == 1 else f"{tensions.n_values} values that have"
    comparison = f"{tensions.n_papers} papers with {values} an uncertainty were compared; {pairs}."
    if not tensions.n_too_far:
        return comparison
    n = tensions.n_too_far
    further, are = ("1 further pair", "is") if n == 1 else (f"{n} further pairs", "are")
    return (
        f"{comparison} {further} of values that lie more than 10 standard deviations apart {are} left out: such values "
        "are more likely to measure different things than to disagree."
    )
