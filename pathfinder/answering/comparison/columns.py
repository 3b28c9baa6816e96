"""Columns of a comparison table, as the reader names them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from pathfinder.assessment.values.target import QuantityTarget, target_quantity
from pathfinder.errors import UsageError
from pathfinder.profile import Profile, astronomy

DEFAULT_COLUMNS = ("sample", "method", "result", "limitation")
MAX_COLUMNS, MAX_NAME = 8, 80
_VALUE_OF = re.compile(r"^(?:the )?values? (?:of|for) (?:the )?", re.IGNORECASE)


class ColumnRole(StrEnum):
    """Role that the sentences in a column play in their abstracts."""

    SAMPLE = "sample"
    METHOD = "method"
    RESULT = "result"
    LIMITATION = "limitation"
    OTHER = "other"


_NAMES = {
    ColumnRole.LIMITATION: "limitation limitations caveat caveats weakness weaknesses shortcoming shortcomings",
    ColumnRole.SAMPLE: "sample samples data dataset datasets observations survey surveys participants subjects",
    ColumnRole.METHOD: "method methods methodology approach technique techniques model models simulation simulations",
    ColumnRole.RESULT: "result results finding findings conclusion conclusions outcome outcomes answer answers",
}


@dataclass(frozen=True, slots=True)
class ComparisonColumn:
    """A column of a comparison table."""

    name: str
    role: ColumnRole
    target: QuantityTarget | None
    """Quantity whose values the column lists; `None` if it asks for sentences."""
    data: tuple[str, ...] = ()
    """Patterns for the field's own kinds of data, such as light curves, if the column lists samples."""


def read_columns(names: Sequence[str], profile: Profile | None = None) -> tuple[ComparisonColumn, ...]:
    """Read the columns that a reader names, such as "sample", "value of the Hubble constant" or "telescope".

    Raises `UsageError` if there is none, if there are more than `MAX_COLUMNS`, or if a name is empty, too long or
    listed twice.
    """
    tidy_names = [" ".join(name.split()) for name in names]
    if not 1 <= len(tidy_names) <= MAX_COLUMNS:
        raise UsageError(f"a comparison table has 1 to {MAX_COLUMNS} columns, not {len(tidy_names)}")
    for name in tidy_names:
        if not 1 <= len(name) <= MAX_NAME:
            raise UsageError(f"the column {name[:MAX_NAME]!r} has {len(name)} characters: use 1 to {MAX_NAME}")
    lowercase_names = [name.casefold() for name in tidy_names]
    if twice := next((name for name in lowercase_names if lowercase_names.count(name) > 1), None):
        raise UsageError(f"the column {twice!r} is listed twice: name each column once")
    return tuple(_column(name, profile) for name in tidy_names)


def _column(name: str, profile: Profile | None) -> ComparisonColumn:
    words = set(re.findall(r"[a-z]+", name.casefold()))
    role = next((role for role, of_role in _NAMES.items() if words & set(of_role.split())), ColumnRole.OTHER)
    asks_for_value = _VALUE_OF.match(name) is not None
    if role is not ColumnRole.OTHER and not asks_for_value:
        data = (profile or astronomy()).names.data if role is ColumnRole.SAMPLE else ()
        return ComparisonColumn(name, role, None, data)
    target = target_quantity(f"What is the value of the {_VALUE_OF.sub('', name)}?", profile)
    return ComparisonColumn(name, ColumnRole.OTHER, target)
