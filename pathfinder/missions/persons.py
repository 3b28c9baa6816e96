"""Decides whether a name is a person's: Edwin Hubble's, not that of the telescope named after him.

The words immediately next to the name are always considered: a first name, "et al.", a year before the mission had any
data, other people, or something that only people do. If the evidence for an instrument is weak, the rest of the
sentence is considered as well: a year in which that person lived, "his", "the seventeenth century".
"""

import re

from pathfinder.missions.catalogue import Namesake
from pathfinder.missions.context import NameContext
from pathfinder.text.author_year import ET_AL

_PEOPLE = (
    "Slipher Humason Mayall Sandage Lemaître Lemaitre Leavitt Shapley Curtis Baade Zwicky Tolman Friedmann "
    "Eddington Hoyle Gamow Hertzsprung Russell Einstein Newton Galilei Brahe Tycho Ptolemy Hipparchus Aristotle "
    "Archimedes Pythagoras Kant Laplace Lagrange Messier Bessel Halley Flamsteed Hevelius Bradley Struve Rosse "
    "Dreyer Bohr Heisenberg Schrödinger Dirac Boltzmann Maxwell Wien Rayleigh Lorentz Pauli Oppenheimer "
    "Chandrasekhar Minkowski Descartes Gauss Euler"
).split()
"""Names of people: a name joined to one of these is a person's. Galileo, Huygens and Copernicus are left out because
they are also spacecraft.
"""
_NOT_THEIR_THINGS = r"(?!\w|-\w|\s+(?:[A-Z]\w|rings?\b|radi|cross|arcs?\b|equations?\b|lens))"
PEOPLE = rf"(?<!-)(?:[A-Z][\w.]{0, 60}\s{1, 9})?(?:{'|'.join(_PEOPLE)}){_NOT_THEIR_THINGS}"
"""Pattern that matches any of these names, with or without a first name, but not things named after these people."""
_COMPANION = re.compile(PEOPLE)
_UP_TO = re.compile(rf"\s+to\s+(?:{PEOPLE}|Galileo\b|Copernicus\b)")
"""Pattern for the end of a range of people, such as "to Newton" in "from Kepler to Newton"."""
_FIRST_NAME = re.compile(r"(?<!\w)(\w+)[\s~]+$")
_TITLE = re.compile(
    r"(?:\b[A-Z]\.[\s~]*|\b(?:[Aa]stronomers?|[Pp]hysicists?|[Mm]athematicians?|[Pp]hilosophers?|Sir|Dr\.?|Professor)"
    r"(?:\s+(?:like|such\s+as|including))?\s+)$"
)
_DOES = re.compile(
    rf"{ET_AL}|,?\s+(?:who\b|himself\b|herself\b|born\b|(?:the\s+)?(?:astronomers|physicists)\b|and\s+(?:his|her|co-?workers|colleagues|contemporaries)\b"
    r"|(?:proposed|argued|believed|thought|wrote|formulated|derived|postulated|conjectured|speculated|hypothesi[sz]ed"
    r"|asked|knew|taught|introduced|invented|coined|catalogued|classified|sketched|drew|lectured|died|lived)\b"
    r"|(?:discovered|found|showed|proved)\s+(?:that|how|the\s+laws?)\b)"
)
"""Pattern for text that follows a name and shows that it is a person's: people think, write and have colleagues."""
_WITH_YEAR = re.compile(
    r"(?:\s*(?:&|and)\s+[A-Z][a-zà-ÿ]+)?"
    r"(?:\s*[(\[,]\s*|\s+(?:in|from|since|during|around|by|until)\s+(?:the\s+|early\s+|late\s+|[A-Z][a-z]{2,8}\.?\s+)?"
    r"|(?:'s|’s)\s+)(1[5-9]\d\d|20\d\d)s?(?!\w)"
)
"""Pattern for a year after a name, or after the names of two authors: the year of a discovery or of a paper."""
_YEAR = re.compile(
    r"(?:\b(?:[Ii]n|[Ss]ince|[Ff]rom|[Uu]ntil|[Dd]uring|[Oo]f|[Bb]y|to|the|early|late|year|[A-Z][a-z]{2,8})\s+|\()"
    r"(1[5-9]\d\d)s?(?!\w|[.,]\d|\s*(?:Å|K\b)|\s+(?!to\b|and\b|when\b|with\b|by\b|was\b|were\b|is\b|are\b|at\b)[a-z])"
)
"""Pattern for a year, as opposed to a count of things."""
_OF_A_PERSON = re.compile(
    r"\b(?:his|him|her|himself|herself|astronomer|physicist|mathematician|philosopher)\b"
    r"|\b(?:1[5-9]th|20th|sixteenth|seventeenth|eighteenth|nineteenth|twentieth)[\s-]+centur(?:y|ies)\b"
)
_SPACE_AGE = 1957
"""First year in which a spacecraft could have made an observation."""
_LOOK_BACK = 40
_WORDS_BEFORE, _WORDS_BEHIND = 4, 8
"""Number of words before and after a name within which a year is taken to date that person's work. In "found in 1930 by
Tombaugh, was resolved by Hubble", the year is further away: it is that of Pluto's discovery.
"""


def is_dated_before(first_year: int, text: str, end: int) -> bool:
    """True if the name that ends at `end` is accompanied by a year before `first_year`."""
    year = _WITH_YEAR.match(text, end)
    return year is not None and int(year[1]) < first_year


def is_shown_as_person(namesake: Namesake, context: NameContext) -> bool:
    """True if the words immediately next to a name, or next to the names joined to it, show that it is a person's."""
    text, start = context.text, context.span[0]
    first_name = _FIRST_NAME.search(text, max(start - _LOOK_BACK, 0), start)
    if first_name is not None and first_name[1] in namesake.first_names:
        return True
    if any(_TITLE.search(text, max(start - _LOOK_BACK, 0), start) for start in context.starts):
        return True
    return any(_DOES.match(text, end) or _UP_TO.match(text, end) for end in context.ends)


def is_among_people(joined_names: str) -> bool:
    """True if one of the joined names is that of a person after whom no mission is named."""
    return _COMPANION.search(joined_names) is not None


def tells_of_person(namesake: Namesake, context: NameContext) -> bool:
    """True if the sentence is about a person or a century, or gives a year within that person's life near the name."""
    before, behind = context.sentence
    if _OF_A_PERSON.search(before) or _OF_A_PERSON.search(behind):
        return True
    near = f"{' '.join(before.split()[-_WORDS_BEFORE:])}; {' '.join(behind.split()[:_WORDS_BEHIND])} "
    last = min(namesake.died, _SPACE_AGE)
    return any(namesake.born <= int(year) <= last for year in _YEAR.findall(near))


def is_of_old(namesake: Namesake) -> bool:
    """True if that person died before the first spacecraft was launched."""
    return namesake.died < _SPACE_AGE
