"""Nouns of a profile for what values belong to, with which the values of an object are chosen."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import ConfigDict, StringConstraints, with_config
from pydantic import Field as Bounds

from pathfinder.profile.quantity import NamePattern

_STRICT = ConfigDict(extra="forbid")


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class Rivals:
    """Things whose values must not be confused: whoever asks for the mass of a black hole does not want that of its
    donor.
    """

    quantity: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]
    """Name of a kind of quantity: "mass"."""
    things: Annotated[tuple[NamePattern, ...], Bounds(min_length=1, max_length=100)]
    """A pattern for each, in lower case."""


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class Owners:
    """Nouns for what values belong to, as patterns in lower case and in the singular, beside `names.things`."""

    bodies: tuple[NamePattern, ...] = ()
    """Other nouns with which a sentence refers back to the object: "remnant" in "the mass of the remnant"."""
    members: tuple[NamePattern, ...] = ()
    """Things that belong to an object without being it: "satellite" in "satellites of the Milky Way"."""
    parts: tuple[NamePattern, ...] = ()
    """Parts of an object; their values are shown with the name of the part: "halo"."""
    others: tuple[NamePattern, ...] = ()
    """Everything else that has values of its own: "jet", "chondrule"."""
    qualifiers: tuple[NamePattern, ...] = ()
    """Words before the name of a quantity that narrow it: "stellar" in "stellar mass"."""
    standards: tuple[NamePattern, ...] = ()
    """Things with which others are compared: "jupiter" in "Jupiter-like" and "larger than Jupiter"."""
    no_objects: tuple[NamePattern, ...] = ()
    """Patterns for acronyms that look like the designation of an object and are none: "SMBH"."""
    rivals: Annotated[tuple[Rivals, ...], Bounds(max_length=100)] = ()
    """Things whose values must not be confused."""
