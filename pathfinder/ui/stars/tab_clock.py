"""Vector clocks of a visitor's tabs, which show whether one tab's records were made with knowledge of another's (Fidge
1988, Mattern 1989).
"""

import json
from collections.abc import Mapping

from pydantic import TypeAdapter

from pathfinder.errors import UsageError
from pathfinder.text.strict_json import parse_as

Clock = Mapping[str, int]
"""Number of changes made in each tab, keyed by a name that stands for the tab only in clocks."""
_MARK = "clock "
_ADAPTER = TypeAdapter(dict[str, int])


def tick(clock: Clock, tab: str) -> Clock:
    """Return the clock after one more change in `tab`."""
    return {**clock, tab: clock.get(tab, 0) + 1}


def knows(clock: Clock, other: Clock) -> bool:
    """Return whether `clock` counts every change that `other` counts."""
    return all(clock.get(tab, 0) >= n for tab, n in other.items())


def join(clock: Clock, other: Clock) -> Clock:
    """Return the clock of records that contain the changes counted by either clock."""
    return {tab: max(clock.get(tab, 0), other.get(tab, 0)) for tab in sorted({*clock, *other})}


def with_clock(clock: Clock, text: str) -> str:
    """Return records as text with their clock, for `parse_clock`."""
    return f"{_MARK}{json.dumps(clock)}\n{text}"


def parse_clock(text: str) -> tuple[Clock, str]:
    """Return the clock of records and the records as text; the clock is empty if they were stored without one. Raises
    `UsageError` for a clock that cannot be read.
    """
    if not text.startswith(_MARK):
        return {}, text
    clock, _, records = text.removeprefix(_MARK).partition("\n")
    try:
        return parse_as(_ADAPTER, clock), records
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f"what this browser stored for the page cannot be read ({error}): delete this site's data in your browser"
        ) from error
