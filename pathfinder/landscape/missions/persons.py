"""Whether a name is a person's: Edwin Hubble's, and not that of the telescope which is named after him.

What stands right beside a name says so in any case: a first name, "et al.", a year from before there were data, other
people, or what only people do. Where not much speaks for an instrument, the rest of the sentence may say so as well: a
year in which that person lived, "his", "the seventeenth century".
"""

import re

from pathfinder.landscape.missions.catalogue import Namesake
from pathfinder.landscape.missions.context import Context

_PEOPLE = (
    "Slipher Humason Mayall Sandage Lemaître Lemaitre Leavitt Shapley Curtis Baade Zwicky Tolman Friedmann "
    "Eddington Hoyle Gamow Hertzsprung Russell Einstein Newton Galilei Brahe Tycho Ptolemy Hipparchus Aristotle "
    "Archimedes Pythagoras Kant Laplace Lagrange Messier Bessel Halley Flamsteed Hevelius Bradley Struve Rosse "
    "Dreyer Bohr Heisenberg Schrödinger Dirac Boltzmann Maxwell Wien Rayleigh Lorentz Pauli Oppenheimer "
    "Chandrasekhar Minkowski Descartes Gauss Euler"
).split()
"""Whose company makes a person of a name; not Galileo, Huygens and Copernicus, as spacecraft are called so too."""
_NOT_THEIR_THINGS = r"(?!\w|-\w|\s+(?:[A-Z]\w|rings?\b|radi|cross|arcs?\b|equations?\b|lens))"
PEOPLE = rf"(?<!-)(?:[A-Z][\w.]*\s+)?(?:{'|'.join(_PEOPLE)}){_NOT_THEIR_THINGS}"
"""A regular expression for one of them, with or without a first name, and for nothing that is named after them."""
_COMPANION = re.compile(PEOPLE)
_UP_TO = re.compile(rf"\s+to\s+(?:{PEOPLE}|Galileo\b|Copernicus\b)")
"""In a row that leads from one of them to another: "from Kepler to Newton"."""
_FIRST_NAME = re.compile(r"(?<!\w)(\w+)[\s~]+$")
_TITLE = re.compile(
    r"(?:\b[A-Z]\.[\s~]*|\b(?:[Aa]stronomers?|[Pp]hysicists?|[Mm]athematicians?|[Pp]hilosophers?|Sir|Dr\.?|Professor)"
    r"(?:\s+(?:like|such\s+as|including))?\s+)$"
)
_DOES = re.compile(
    r",?\s+(?:et\s+al\b|who\b|himself\b|herself\b|born\b|(?:the\s+)?(?:astronomers|physicists)\b|and\s+(?:his|her|co-?workers|colleagues|contemporaries)\b"
    r"|(?:proposed|argued|believed|thought|wrote|formulated|derived|postulated|conjectured|speculated|hypothesi[sz]ed"
    r"|asked|knew|taught|introduced|invented|coined|catalogued|classified|sketched|drew|lectured|died|lived)\b"
    r"|(?:discovered|found|showed|proved)\s+(?:that|how|the\s+laws?)\b)"
)
"""What follows a name of somebody who thinks, writes and has colleagues."""
_DATED = re.compile(
    r"(?:\s*(?:&|and)\s+[A-Z][a-zà-ÿ]+)?"
    r"(?:\s*[(\[,]\s*|\s+(?:in|from|since|during|around|by|until)\s+(?:the\s+|early\s+|late\s+|[A-Z][a-z]{2,8}\.?\s+)?"
    r"|(?:'s|’s)\s+)(1[5-9]\d\d|20\d\d)s?(?!\w)"
)
"""The year behind a name, or behind it and a second author's: of what was done, or of a paper."""
_YEAR = re.compile(
    r"(?:\b(?:[Ii]n|[Ss]ince|[Ff]rom|[Uu]ntil|[Dd]uring|[Oo]f|[Bb]y|to|the|early|late|year|[A-Z][a-z]{2,8})\s+|\()"
    r"(1[5-9]\d\d)s?(?!\w|[.,]\d|\s*(?:Å|K\b)|\s+(?!to\b|and\b|when\b|with\b|by\b|was\b|were\b|is\b|are\b|at\b)[a-z])"
)
"""A year, and no number of things."""
_OF_A_PERSON = re.compile(
    r"\b(?:his|him|her|himself|herself|astronomer|physicist|mathematician|philosopher)\b"
    r"|\b(?:1[5-9]th|20th|sixteenth|seventeenth|eighteenth|nineteenth|twentieth)[\s-]+centur(?:y|ies)\b"
)
_SPACE_AGE = 1957
"""From this year on, what was observed may have been observed by a spacecraft."""
_LOOK_BACK = 40
_WORDS_BEFORE, _WORDS_BEHIND = 4, 8
"""Words of the sentence, beside a name, among which a year is one of what somebody did: "found in 1930 by Tombaugh,
was resolved by Hubble" tells when Pluto was found."""


def is_dated_before(first_data: int, text: str, end: int) -> bool:
    """Whether the name that ends at `end` stands with a year from before `first_data`."""
    year = _DATED.match(text, end)
    return year is not None and int(year[1]) < first_data


def is_shown_as_person(namesake: Namesake, context: Context) -> bool:
    """Whether what stands right beside a name, or beside the names that it is joined to, makes a person of it."""
    text, start = context.text, context.span[0]
    first_name = _FIRST_NAME.search(text, max(start - _LOOK_BACK, 0), start)
    if first_name is not None and first_name[1] in namesake.first_names:
        return True
    if any(_TITLE.search(text, max(start - _LOOK_BACK, 0), start) for start in context.starts):
        return True
    return any(_DOES.match(text, end) or _UP_TO.match(text, end) for end in context.ends)


def is_among_people(company: str) -> bool:
    """Whether one of the names that a name is joined to is somebody's after whom no mission is called."""
    return _COMPANION.search(company) is not None


def tells_of_person(namesake: Namesake, context: Context) -> bool:
    """Whether the sentence speaks of a person, of an age, or beside the name of a year in which that person lived."""
    before, behind = context.sentence
    if _OF_A_PERSON.search(before) or _OF_A_PERSON.search(behind):
        return True
    near = f"{' '.join(before.split()[-_WORDS_BEFORE:])}; {' '.join(behind.split()[:_WORDS_BEHIND])} "
    last = min(namesake.died, _SPACE_AGE)
    return any(namesake.born <= int(year) <= last for year in _YEAR.findall(near))


def is_of_old(namesake: Namesake) -> bool:
    """Whether that person died before there were spacecraft."""
    return namesake.died < _SPACE_AGE
