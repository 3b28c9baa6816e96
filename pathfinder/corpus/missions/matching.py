"""Finds the missions that a text mentions: the telescope, not the constant, the law or the person of the same name.

A name with no other meaning ("JWST", "Hubble Space Telescope") counts wherever it occurs as a whole word. A word with
other meanings ("Hubble", "Fermi", "Planck") counts only if a neighbouring word shows that an instrument is meant:
"Hubble images", "with Hubble", "Hubble and JWST". It never counts before a word that gives it another meaning ("Hubble
constant", "Fermi energy", "Kepler's laws"), nor if a person is meant ("Edwin Hubble", "Hubble and Slipher").
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property

from pathfinder.corpus.missions.catalogue import Mission, Namesake, missions
from pathfinder.text.author_names import ET_AL
from pathfinder.text.english import CONJUNCTIONS, PREPOSITIONS, any_of

_LOOK_BACK = 40


@dataclass(frozen=True, slots=True)
class _CatalogueEntry:
    mission: int
    """The mission's index in the catalogue."""
    pattern: re.Pattern[str]
    is_sure: bool
    """True if the name has no other meaning, unless the next word, or a mention of a person of that name, shows
    otherwise.
    """
    refused_pattern: re.Pattern[str] | None = None
    """Words that must not follow the name."""
    not_after: re.Pattern[str] | None = None
    followed_by: re.Pattern[str] | None = None
    """Words that, following the name, show that this mission is meant."""
    is_on_the_ground: bool = False
    first_year: int = 0
    """The first year of the mission's era; next to an earlier year, the name means something else."""
    namesake: Namesake | None = None

    def is_refused(self, text: str, start: int, end: int) -> bool:
        """True if the words immediately next to the name give it another meaning."""
        if self.refused_pattern and self.refused_pattern.match(text, end):
            return True
        if self.not_after and self.not_after.search(text, max(start - _LOOK_BACK, 0), start):
            return True
        year = _WITH_YEAR.match(text, end)
        return year is not None and int(year[1]) < self.first_year


Span = tuple[int, int]


@dataclass(frozen=True)
class NameContext:
    """A name and its surroundings in a text."""

    text: str
    span: Span
    """Start and end of the name."""
    chain: Span
    """Start and end of the run of names that the name is part of, such as all of "Hubble, Humason and Mayall"."""

    @property
    def starts(self) -> set[int]:
        """Positions where text that immediately precedes the name must end."""
        return {self.span[0], self.chain[0]}

    @property
    def ends(self) -> set[int]:
        """Positions where text that immediately follows the name must begin."""
        return {self.span[1], self.chain[1]}

    @property
    def joined_names(self) -> str:
        """The other names in the run that the name is part of."""
        return f"{self.text[self.chain[0] : self.span[0]]} {self.text[self.span[1] : self.chain[1]]}"

    @cached_property
    def sentence(self) -> tuple[str, str]:
        """The text before and after the joined names in their sentence."""
        first, last = self.chain
        begin, end = max(first - _LONGEST_SENTENCE, 0), last + _LONGEST_SENTENCE
        for sentence in _SENTENCE.finditer(self.text, begin, first):
            begin = sentence.end()
        following = _SENTENCE.search(self.text, last, end)
        return self.text[begin:first], self.text[last : following.start() if following else end]


class Matcher:
    """Finds the missions of a catalogue in texts."""

    def __init__(self, catalogue: Iterable[Mission] = ()) -> None:
        self._catalogue = tuple(catalogue) or missions()
        sure = "|".join(sorted({_pattern_of(name) for m in self._catalogue for name in m.names}, key=len, reverse=True))
        words = "|".join(re.escape(word) for m in self._catalogue for word in m.words)
        self._sure = re.compile(rf"(?<!\w)(?:{sure})(?!\w)")
        any_name = "|".join(filter(None, [sure, words, PEOPLE]))
        self._before = re.compile(rf"(?<!\w)(?:{any_name}){JOINT}$")
        self._behind = re.compile(rf"{JOINT}(?:{any_name})(?!\w)")
        self._of_old = {
            word for m in self._catalogue if m.namesake and m.namesake.died < _SPACE_AGE for word in m.words
        }
        self._words = re.compile(rf"(?<!\w)(?:{words})(?!\w)")
        self._by_first: defaultdict[str, list[_CatalogueEntry]] = defaultdict(list)
        for place, mission in enumerate(self._catalogue):
            for first, name in _names(place, mission):
                self._by_first[first].append(name)

    def places_in(self, text: str) -> set[int]:
        """Return the catalogue indices of the missions that `text` mentions."""
        missions: set[int] = set()
        for word in self._by_first.keys() & set(WORD.findall(text)):
            for name in self._by_first[word]:
                if name.mission not in missions and any(
                    self._is_meant(name, text, start) for start in starts_of(word, text)
                ):
                    missions.add(name.mission)
        return missions

    def _is_meant(self, name: _CatalogueEntry, text: str, start: int) -> bool:
        match = name.pattern.match(text, start)
        if match is None or name.is_refused(text, *match.span()):
            return False
        if name.is_sure and name.namesake is None:
            return True
        context = NameContext(text, match.span(), self._chain(text, match.span()))
        if name.namesake and is_shown_as_person(name.namesake, context):
            return False
        if self._sure.search(context.joined_names):
            return True
        if name.namesake and _COMPANION.search(context.joined_names) is not None:
            return False
        return name.is_sure or self._is_instrument(name, context)

    def _chain(self, text: str, span: Span) -> Span:
        """Find the start and end of the run of names, joined by commas or "and", that includes the one at `span`."""
        first, last = span
        while _BEHIND_A_JOINT.search(text, max(first - _LONGEST_JOINT, 0), first) and (
            before := self._before.search(text, max(first - _LONGEST_NAME, 0), first)
        ):
            first = before.start()
        while behind := self._behind.match(text, last):
            last = behind.end()
        return first, last

    def _is_instrument(self, name: _CatalogueEntry, context: NameContext) -> bool:
        """True if the evidence for an instrument suffices; the weaker it is, the less contrary evidence it can
        outweigh.
        """
        if name.followed_by and name.followed_by.match(context.text, context.span[1]):
            return True
        if is_certainly_meant(context, on_the_ground=name.is_on_the_ground):
            return True
        if name.namesake and tells_of_person(name.namesake, context):
            return False
        return is_possibly_meant(context) or self._is_joined_to_missions(context)

    def _is_joined_to_missions(self, context: NameContext) -> bool:
        """True if the name is joined to other words that may refer to missions.

        If all of these are also names of historical people, the sentence must also mention an instrument: "Herschel and
        Hubble".
        """
        beside = set(self._words.findall(context.joined_names))
        own = context.text[slice(*context.span)]
        return bool(beside) and (not {own, *beside} <= self._of_old or tells_of_instruments(context))


@cache
def matcher() -> Matcher:
    """The matcher of all missions: making it compiles a pattern for each of their names."""
    return Matcher()


def _names(place: int, mission: Mission) -> Iterator[tuple[str, _CatalogueEntry]]:
    """List each name under its first word, by which it is looked up."""
    first_year, namesake = mission.era.first, mission.namesake
    refused_pattern = None
    if refused := "|".join(map(re.escape, mission.unless_followed_by)):
        refused_pattern = re.compile(rf"(?:'s|’s)?{SPACE}+(?i:{refused})(?!\w)")
    for text in mission.names:
        name = _CatalogueEntry(place, re.compile(rf"{_pattern_of(text)}(?!\w)"), is_sure=True)
        if not re.search(r"[\s/-]", text):
            name = replace(name, refused_pattern=refused_pattern)
            if text.istitle() and namesake:
                name = replace(name, first_year=first_year, namesake=namesake)
        for first in {_first_of(text), _first_of(text.upper())}:
            yield first, name
    own = "|".join(map(re.escape, mission.also_followed_by))
    other = "|".join(map(re.escape, mission.unless_preceded_by))
    for text in mission.words:
        name = _CatalogueEntry(
            place,
            re.compile(rf"{re.escape(text)}(?!\w)"),
            is_sure=False,
            refused_pattern=refused_pattern,
            not_after=re.compile(rf"(?:{other})[\s\-–/]*$") if other else None,
            followed_by=re.compile(rf"(?:'s|’s)?{SPACE}+(?:{own})(?!\w)") if own else None,
            is_on_the_ground=mission.kind == "ground",
            first_year=first_year,
            namesake=namesake,
        )
        yield _first_of(text), name


def _pattern_of(name: str) -> str:
    """Return the pattern for a name; names of several words match in any case, with any white space and any kind of
    dash.
    """
    pattern = re.sub(r"(?:\\ |\s)+", r"\\s+", re.escape(name)).replace(r"\-", "[-–‐]")
    return f"(?i:{pattern})" if " " in name else pattern


def _first_of(name: str) -> str:
    match = WORD.match(name)
    if match is None:
        raise ValueError(f"a mission's name must begin with a letter or a digit, got {name!r}")
    return match[0]


# The context of a name in a text: the names joined to it, and its sentence.

WORD = re.compile(r"[^\W_]+")
JOINT = r"[}$]*(?:\s*(?:/|,|&|\+)\s*|\s*,?\s+(?:and|or|plus|&)\s+|-)(?:the\s+)?(?:\$?\\\w+\{|\{\\\w+\s+)?"
"""Pattern for the text that joins two names, such as a comma or "and"."""
_BEHIND_A_JOINT = re.compile(r"(?:[/,&+\-]|\b(?:and|or|plus))\s*(?:the\s+)?(?:\$?\\\w+\{|\{\\\w+\s+)?$")
_SENTENCE = re.compile(r"[.!?]\s+(?=[A-Z$\\])")
_LONGEST_JOINT, _LONGEST_NAME, _LONGEST_SENTENCE = 20, 60, 400


def starts_of(word: str, text: str) -> Iterator[int]:
    """Find the positions of `word` in `text` that are not within a longer word."""
    start = text.find(word)
    while start >= 0:
        if start == 0 or not text[start - 1].isalnum():
            yield start
        start = text.find(word, start + 1)


# Words around a name that show that an instrument is meant or, if they also fit a person, that it may be meant.
#
# "Hubble images", "with Hubble" and "missions such as Hubble" are certain; "Hubble's images", "by Hubble" and "Hubble
# observed" have been written about Edwin Hubble as well.

_THINGS = (
    "telescope telescopes observatory satellite spacecraft probe mission missions observation observations "
    "observing image images imaging imagery data dataset datasets archive archival photometry photometric spectroscopy "
    "spectroscopic spectrum spectra spectral survey surveys catalog catalogs catalogue catalogues field fields "
    "exposure exposures pointing pointings program programs programme programmes measurement measurements detection "
    "detections team collaboration results instrument instruments camera detector monitoring snapshot mosaic mosaics "
    "light-curve lightcurve lightcurves coverage sources source upper grism coronagraphic slitless transmission "
    "eclipse transit transits resolution sensitivity Space Telescope Observatory Collaboration Guest cycle Cycle GO "
    "selected based scientists orbits maps cameras velocities"
).split()
SPACE = r"(?:[\s}$\-–/]|\\,|~)"
"""Pattern for the space between a name and the next word."""
_ANY_THING = "|".join(map(re.escape, _THINGS))
_HAS_THINGS = re.compile(rf"{SPACE}+(?:{_ANY_THING})(?!\w)")
_OWNS_THINGS = re.compile(rf"(?:'s|’s)\s+(?:[\w-]+\s+){{0,2}}(?:{_ANY_THING}|light\s+curves?|20\d\d)(?!\w)")
_OWNS = re.compile(r"'s|’s")
_DOES = re.compile(rf"{SPACE}+(?:observed|detected|identified|discovered|imaged)(?!\w)")
_SURELY_BEFORE = re.compile(
    r"(?:\b(?:with|using|combining|aboard|on\s?board)(?:\s+(?:the|both|new|archival|deep|NASA's|ESA's))*\s+"
    r"|\b(?:missions?|telescopes?|instruments?|surveys?|facilities|observator(?:y|ies)|satellites?)"
    r"(?:\s+(?:like\s+|such\s+as\s+|including\s+)?|\s*\()"
    r"|\b(?:NASA|ESA|NASA/ESA)(?:'s)?\s+"
    r"|\{\\(?:it|em|sl)\s+|\\(?:textit|textsl|textsc|emph|mathit)\s*\{\s*|(?<!\w)\$)$",
    re.IGNORECASE,
)
"""Text after which a name is certainly an instrument's; the names of missions are set in italics, but those of people
are not.
"""
_PERHAPS_BEFORE = re.compile(
    r"(?:\b(?:from|via)(?:\s+(?:the|both|new|archival|deep|NASA's|ESA's))*\s+"
    r"|\b(?:observed|imaged|taken|obtained|provided|collected|surveyed|delivered|released|resolved|seen|mapped|measured"
    r"|detected|revealed|monitored|traced|probed|recorded)\s+by(?:\s+the)?\s+)$",
    re.IGNORECASE,
)
_AT = re.compile(r"\b(?:at|on)(?:\s+the)?\s+$")
"""Text before the name of a ground-based facility."""
_ANYWHERE = re.compile(rf"\b(?:{_ANY_THING}|ha(?:s|ve)|wavelengths?|infrared)\b")
_LITTLE_WORDS = any_of(PREPOSITIONS, CONJUNCTIONS, "as the who was were that which about between after like".split())
_A_VERB = rf"(?!{_LITTLE_WORDS}\b)[a-z]{{3,}}"
"""Pattern for a word that may be a verb."""
_ACTS = re.compile(rf"\s+{_A_VERB}")
_IS_ACTED_ON = re.compile(rf"(?<!\w){_A_VERB}\s+$")


def is_certainly_meant(context: NameContext, *, on_the_ground: bool) -> bool:
    """True if the words next to a name, or next to the names joined to it, are used only with instruments.

    `on_the_ground` is true for a ground-based facility, at which people observe.
    """
    if any(_HAS_THINGS.match(context.text, end) for end in context.ends):
        return True
    if on_the_ground and _stand_before(_AT, context):
        return True
    return not _is_owner(context) and _stand_before(_SURELY_BEFORE, context)


def is_possibly_meant(context: NameContext) -> bool:
    """True if the words next to the name are used with both instruments and people."""
    if any(_OWNS_THINGS.match(context.text, end) or _DOES.match(context.text, end) for end in context.ends):
        return True
    return not _is_owner(context) and _stand_before(_PERHAPS_BEFORE, context)


def tells_of_instruments(context: NameContext) -> bool:
    """True if the sentence is about instruments, or describes what they do or how they are used."""
    before, behind = context.sentence
    if _ACTS.match(behind) or _IS_ACTED_ON.search(before):
        return True
    return any(_ANYWHERE.search(part) for part in (before, behind))


def _is_owner(context: NameContext) -> bool:
    return any(_OWNS.match(context.text, end) for end in context.ends)


def _stand_before(pattern: re.Pattern[str], context: NameContext) -> bool:
    return any(pattern.search(context.text, max(start - _LOOK_BACK, 0), start) for start in context.starts)


# Decides whether a name is a person's: Edwin Hubble's, not that of the telescope named after him.
#
# The words immediately next to the name are always considered: a first name, "et al.", a year before the mission had
# any data, other people, or something that only people do. If the evidence for an instrument is weak, the rest of the
# sentence is considered as well: a year in which that person lived, "his", "the seventeenth century".

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
_PERSON_DOES = re.compile(
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
_WORDS_BEFORE, _WORDS_BEHIND = 4, 8
"""Number of words before and after a name within which a year is taken to date that person's work. In "found in 1930 by
Tombaugh, was resolved by Hubble", the year is further away: it is that of Pluto's discovery.
"""


def is_shown_as_person(namesake: Namesake, context: NameContext) -> bool:
    """True if the words immediately next to a name, or next to the names joined to it, show that it is a person's."""
    text, start = context.text, context.span[0]
    first_name = _FIRST_NAME.search(text, max(start - _LOOK_BACK, 0), start)
    if (first_name is not None and first_name[1] in namesake.first_names) or _stand_before(_TITLE, context):
        return True
    return any(_PERSON_DOES.match(text, end) or _UP_TO.match(text, end) for end in context.ends)


def tells_of_person(namesake: Namesake, context: NameContext) -> bool:
    """True if the sentence is about a person or a century, or gives a year within that person's life near the name."""
    before, behind = context.sentence
    if _OF_A_PERSON.search(before) or _OF_A_PERSON.search(behind):
        return True
    near = f"{' '.join(before.split()[-_WORDS_BEFORE:])}; {' '.join(behind.split()[:_WORDS_BEHIND])} "
    last = min(namesake.died, _SPACE_AGE)
    return any(namesake.born <= int(year) <= last for year in _YEAR.findall(near))
