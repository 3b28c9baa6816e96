"""A kind of quantity that belongs to a single field; its patterns are checked when the profile is read."""

import re
from dataclasses import dataclass
from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, BeforeValidator, ConfigDict, StringConstraints, with_config
from pydantic import Field as Bounds
from pydantic_core import PydanticCustomError

Base = Literal[
    "activity", "amount", "angle", "bases", "capacity", "celsius", "concentration", "current", "decibel", "dex",
    "energy", "field", "flux", "force", "frequency", "length", "luminosity", "magnitude", "mass", "power", "pressure",
    "resistance", "share", "solid angle", "temperature", "time", "voltage", "volume",
]  # fmt: skip
"""Dimensions that can make up a unit."""

GeneralKind = Literal[
    "optical depth", "height", "magnetic field", "temperature", "luminosity", "magnitude", "age", "period", "duration",
    "speed", "mass", "inclination", "eccentricity", "density", "surface density", "energy", "frequency", "wavelength",
    "distance", "separation", "radius", "diameter", "slope", "ratio", "fraction",
]  # fmt: skip
"""General kinds of quantities, which every field uses, in the order in which they are checked."""


def _check_pattern(pattern: str) -> str:
    """Return `pattern` if it can be combined with other patterns; otherwise, validation fails and states the rule that
    the pattern breaks.
    """
    try:
        regex = re.compile(f"(?:{pattern})")
    except (re.error, RecursionError, OverflowError) as error:
        raise PydanticCustomError(
            "pattern", "a pattern must be a Python regular expression ({reason})", {"reason": str(error)}
        ) from error
    if regex.groups:
        raise PydanticCustomError("pattern", "a pattern must not capture groups: write (?:...) for (...)")
    return pattern


def _check_name(pattern: str) -> str:
    """Return `pattern` if it cannot match an empty string; otherwise, validation fails, because such a pattern would
    match everywhere.
    """
    if any(not match[0] for match in re.finditer(pattern, "a name of 2 words")):
        raise PydanticCustomError("pattern", "a pattern must not match an empty string")
    return pattern


def _in_order(dimensions: object) -> object:
    """Return the dimensions in a table with their exponents, in alphabetical order, as units store them."""
    return tuple(sorted(dimensions.items())) if isinstance(dimensions, dict) else dimensions


Pattern = Annotated[str, StringConstraints(min_length=1, max_length=1000), AfterValidator(_check_pattern)]
"""A Python regular expression without capturing groups."""
NamePattern = Annotated[Pattern, AfterValidator(_check_name)]
"""A pattern that cannot match an empty text."""
UnitDimensions = Annotated[
    tuple[tuple[Base, Annotated[int, Bounds(ge=-9, le=9)]], ...],
    BeforeValidator(_in_order, json_schema_input_type=dict),
]
"""Dimensions of a unit with their exponents; empty for a plain number."""


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True, slots=True)
class FieldQuantity:
    """A kind of quantity in the field, whose values are read from papers: "Hubble constant"."""

    name: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100, pattern=r"^[^\n{}$]+$")]
    words: Annotated[tuple[NamePattern, ...], Bounds(min_length=1, max_length=20)]
    """Patterns for its names in questions and papers; case is ignored."""
    dimensions: Annotated[tuple[UnitDimensions, ...], Bounds(min_length=1, max_length=10)]
    """Dimensions that its unit may have: {length = 1, time = -1}; {} if it may be a plain number."""
    symbols: NamePattern | None = None
    """Pattern for its symbols before an equals sign, without spaces or braces."""
    questions: tuple[NamePattern, ...] = ()
    """Patterns for questions that ask for it without naming it."""
    unit: Pattern | None = None
    """Pattern that must also occur in the unit, if the unit's dimensions do not suffice to identify the kind."""
    after: GeneralKind | None = None
    """General kind that is checked before this kind; if not set, this kind is checked before all general kinds."""
    is_universal: bool = False
    """True for a quantity that has one value, which is measured again and again: the newest is shown first."""
    is_named: bool = False
    """True for a quantity whose name or unit leaves no doubt, whatever object it belongs to."""
    is_place: bool = False
    """True for a quantity that says how far away something is, as a redshift does."""


def check_names(quantities: tuple[FieldQuantity, ...]) -> tuple[FieldQuantity, ...]:
    """Return `quantities` if no name occurs twice or belongs to a general kind; otherwise, validation fails."""
    names = set(get_args(GeneralKind))
    for quantity in quantities:
        if quantity.name in names:
            raise PydanticCustomError(
                "name", "the name {name} is already in use: each quantity needs its own", {"name": repr(quantity.name)}
            )
        names.add(quantity.name)
    return quantities
