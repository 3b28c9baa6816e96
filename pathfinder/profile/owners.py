"""A profile's nouns for the things that values belong to, used to choose the values of an object."""

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
    """A pattern for each thing, in lower case."""


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class OtherSense:
    """Words before the name of a quantity that give it a different sense: "galactocentric" in "galactocentric
    distance".
    """

    quantity: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]
    """Name of a kind of quantity: "distance"."""
    words: Annotated[tuple[NamePattern, ...], Bounds(min_length=1, max_length=100)]
    """Patterns, in lower case, for these words; a word that also occurs in the question does not count."""


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class Owners:
    """Nouns for the things that values belong to, as patterns in lower case and in the singular, besides
    `names.things`.
    """

    bodies: tuple[NamePattern, ...] = ()
    """Other nouns with which a sentence refers back to the object: "remnant" in "the mass of the remnant"."""
    members: tuple[NamePattern, ...] = ()
    """Things that belong to an object but are not the object itself: "satellite" in "satellites of the Milky Way"."""
    parts: tuple[NamePattern, ...] = ()
    """Parts of an object; their values are shown with the name of the part: "halo"."""
    others: tuple[NamePattern, ...] = ()
    """Everything else that has its own values: "jet", "chondrule"."""
    qualifiers: tuple[NamePattern, ...] = ()
    """Words before the name of a quantity that narrow it: "stellar" in "stellar mass"."""
    attributes: tuple[NamePattern, ...] = ()
    """Adjectives that describe a quantity, and are therefore left out of the name of its owner: "virial"."""
    totals: tuple[NamePattern, ...] = ()
    """Adjectives for a total that covers only part of an object: "stellar" in "the stellar total"."""
    standpoints: tuple[NamePattern, ...] = ()
    """Places from which distances are measured, unless a sentence says otherwise: "earth" in "5 pc from the Earth"."""
    standards: tuple[NamePattern, ...] = ()
    """Things with which others are compared: "jupiter" in "Jupiter-like" and "larger than Jupiter"."""
    no_objects: tuple[NamePattern, ...] = ()
    """Patterns for acronyms that look like the designation of an object but are not one: "SMBH"."""
    other_senses: Annotated[tuple[OtherSense, ...], Bounds(max_length=100)] = ()
    """Words that give the name of a quantity a different sense."""
    rivals: Annotated[tuple[Rivals, ...], Bounds(max_length=100)] = ()
    """Things whose values must not be confused."""
