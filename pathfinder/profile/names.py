"""Names and nouns of a field, as its questions and papers use them, and its nouns for what values belong to."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import ConfigDict, StringConstraints, with_config
from pydantic import Field as Bounds

from pathfinder.profile.quantity import NamePattern

Phrase = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200, pattern=r"^[^\n{}$]+$")]
"""A single line without characters that have a special meaning in prompts, because it is used in prompts as well as in
page texts.
"""

Bigram = Annotated[str, StringConstraints(max_length=200, pattern=r"^[^\s{}$]+ [^\s{}$]+$")]
"""Two words with a space between them."""


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True, slots=True)
class Names:
    """Names that occur in the field's questions, in lower case; names of facilities come from their catalogue."""

    objects: tuple[Phrase, ...] = ()
    """Objects that are known by a name of one or more words: "andromeda", "milky way"."""
    catalogues: tuple[Phrase, ...] = ()
    """Catalogues whose names precede a number: "abell" in "Abell 1689"."""
    kinds: tuple[Phrase, ...] = ()
    """Nouns that end the name of an object or a facility: "galaxy" in "Andromeda galaxy"."""
    uses: tuple[Phrase, ...] = ()
    """Nouns next to which an ambiguous name stands for a facility: "images" in "Hubble images"."""
    classes: tuple[Phrase, ...] = ()
    """Capitalised words that name a class of things, or something mentioned in every paper: "Seyfert"."""
    common: tuple[Phrase, ...] = ()
    """No longer used; profiles of 0.2.0 may have it."""
    things: tuple[Phrase, ...] = ()
    """Nouns, in the singular, for kinds of objects in the field that questions ask for: "pulsar"."""
    everywhere: tuple[Phrase, ...] = ()
    """Words in questions that fit every paper in the field, and so single out none: "astronomy", "universe"."""
    lettered: tuple[Phrase, ...] = ()
    """Singular nouns that form one term with a letter before them: "dwarf" in "M dwarf"."""
    bigrams: tuple[Bigram, ...] = ()
    """Terms of two words, in the singular, the first of which is otherwise left out of keywords: "main sequence"."""
    numbered: tuple[Phrase, ...] = ()
    """Words other than the names of catalogues, in lower case, that come before a number that is not a year: "nova" in
    "Nova 1901".
    """
    events: tuple[NamePattern, ...] = ()
    """Patterns for events in the field that questions mention together with a year: "eclipse"."""
    counted: tuple[Phrase, ...] = ()
    """Other nouns, in the singular, for things that papers count; a number before such a noun is not a year: "sunspot".
    """
    no_years: tuple[NamePattern, ...] = ()
    """Patterns for words and symbols before a number that looks like a year but is not one: "MJD" in "MJD 2000"."""
    no_eras: tuple[NamePattern, ...] = ()
    """Patterns for names whose era is not that of a facility: "planck" in "the Planck era"."""
    facilities: tuple[tuple[Phrase, ...], ...] = ()
    """Nouns, in the singular, for each kind of facility, with the name of the kind first: ("telescope", "observatory").
    """
    no_names: tuple[Phrase, ...] = ()
    """Capitalised words and acronyms, in lower case, that do not name a code, survey or instrument: "agn"."""
    data: tuple[NamePattern, ...] = ()
    """Patterns for kinds of data that only this field has: `light curves?`."""
    measures: tuple[NamePattern, ...] = ()
    """Patterns for nouns in the field that stand for a number: `redshifts?`."""
    forms: tuple[tuple[Phrase, ...], ...] = ()
    """Forms of a name, such as its translations, in lower case without accents: ("sun", "sol", "soleil")."""
    dates: tuple[NamePattern, ...] = ()
    """Patterns for expressions other than years that give a date in the field: `redshifts?\\s\\d`."""
    no_persons: tuple[Phrase, ...] = ()
    """No longer used; profiles of 0.2.0 may have it."""


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
