"""The phrases in which a question names authors.

A name alone is never an author: "the Hubble constant", "Kepler planets" and "Einstein radius" are things. The words
next to it must show that somebody wrote something: "papers by", "et al.", "what did ... find". A name shared with a
mission counts only as "author:Kepler", with "et al.", with the person's first name, or with a year before the mission
had data.

After "papers by" and "author:", the corpus says what a name is: the longest run of words that one of its authors bears,
in whatever case or script. Patterns find the names of others, and names elsewhere.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from pathfinder.corpus.missions.catalogue import Mission, all_missions, gazetteer_of
from pathfinder.profile import Profile, astronomy
from pathfinder.profile.profile import FacilityCatalogue
from pathfinder.text.author_names import CITED_YEAR, ET_AL, PARTICLE, PARTICLES, TEAM, parse_name
from pathfinder.text.english import any_of
from pathfinder.text.language.lexicon_tagger import read_lexicon
from pathfinder.text.spelling import without_possessive


@dataclass(frozen=True, slots=True)
class AuthorMention:
    """A part of the question, `question[start:end]`, that names authors."""

    start: int
    end: int
    names: tuple[str, ...]
    year: int | None = None
    is_sure: bool = True
    """False for words that might not be a name, such as "by hand"."""


_CAPITALISED_WORD = (
    r"(?:[OoDdLl]['’]|(?:[Aa][dln]|[Ee]l)-)?[^\W\d_a-z](?=[\w'’-]{0,60}[^\W\d_A-Z])[\w'’-]{0,60}?"
    r"(?=['’](?:s\b|(?!\w))|[^\w'’-]|$)"
)
_INITIALS = r"(?:[^\W\d_a-z]\.(?:[\s-](?=[^\W\d_a-z]\.))?){1,6}"
_PARTICLES = rf"(?:{PARTICLE}\s{{1,9}}){{0,3}}"
_CAPITAL_PARTICLE = any_of(sorted(particle.title() for particle in PARTICLES - {"al", "ten"}))
_GROUP = rf"(?:[Tt]he\s+)?(?:[^\W\d_a-z][\w-]{{0,60}}\s{{1,9}}){{1,4}}{TEAM}"
_PAPERS = (
    r"(?i:papers?|articles?|publications?|preprints?|works?|studies|study|results|research|literature|reviews?|theses|"
    r"thesis)"
)
_REPORTS = (
    r"(?i:find|found|show|report|measure|conclude|discover|argue|propose|claim|write|publish|observe|think|suggest|say|"
    r"study|derive|learn|predict|see|describe|do|contribute)"
)
_NUMERAL = r"(?:,?\s{0,9}\b(?:I{2,3}|IV)\b)?"
_BEHIND = (  # "Roe J.A.", "Roe JA" where the name ends, "Roe, J. A.", "Roe J. III", "Roe, Jr."
    rf"(?:(?:\s{{1,9}}(?:{_INITIALS}|(?!II|IV)[^\W\d_a-z]{{1,2}}(?=['’]s|\s{{0,9}}(?:$|[,;?!()]|(?:19|20)\d\d|(?:and|or|et|on|"
    rf"about|in|from|since|{_REPORTS})\b)))|,\s+{_INITIALS}){_NUMERAL})?(?:,?\s{{1,9}}[JS]r\b\.?)?"
)
_FAMILY = rf"{_PARTICLES}(?![JS]r\b){_CAPITALISED_WORD}{_BEHIND}"
_PERSON = rf"(?:{_PARTICLES}(?:(?:{_INITIALS}|{_CAPITALISED_WORD})\s{{0,9}}){{1,2}}{_FAMILY}{_NUMERAL}|{_FAMILY})"
_NAME = rf"(?:{_GROUP}|{_PERSON})"
_NAMES = rf"{_NAME}(?:(?:\s{{0,9}},\s{{0,9}}(?:and\s+|&\s*)?|\s{{1,9}}(?:and|&|or)\s+)(?>{_NAME})){{0,40}}"
"""Each name behind the first is read once: two ways of reading each of 40 would be a trillion of reading the list."""
_WRITING_VERB = r"(?i:written|published|authored|co-?authored|led)"
_BETWEEN = (
    r"(?:\s{1,9}(?!by\b|detected|discovered|observed|found|made|taken|caused|driven|produced|seen)[\w-]{1,60}){0,6}?"
)

_QUOTED_AUTHOR = re.compile(r"\bauthor:\s*(?:\"(?P<quoted>[^\"]+)\"|(?P<bare>\^?[^\s\"?]+))", re.IGNORECASE)
_ET_AL = re.compile(
    rf"\b(?P<name>{_GROUP}|(?:{_INITIALS}[\s-]?)?(?:{_CAPITAL_PARTICLE}\s{{1,9}})?{_PARTICLES}{_CAPITALISED_WORD}{_BEHIND}|"
    rf"{_PARTICLES}[^\W\d_]{{3,}})(?:['’]s)?{ET_AL}"
    rf"(?:['’]s)?(?:,?\s*[(\[]?(?P<year>{CITED_YEAR})[a-z]?\b[)\]]?)?"
)
_AUTHOR_WITH_YEAR = re.compile(
    rf"(?P<name>{_GROUP}|{_PERSON})(?:,\s{{1,9}}(?>{_PERSON})){{0,20}}(?:,?\s{{1,9}}(?:and|&)\s{{1,9}}(?>{_PERSON}))?,?\s{{0,9}}(?:\((?P<year>{CITED_YEAR})[a-z]?\)|(?<=[Cc]ollaboration)"
    rf"\s(?P<late>{CITED_YEAR})\b)"
)
_ALONE = re.compile(rf"^\W*(?P<name>{_PERSON}),?\s+(?P<year>{CITED_YEAR})[a-z]?\W*$")
_CUE = rf"\b(?:{_PAPERS}(?P<between>{_BETWEEN})|{_WRITING_VERB})\s+(?i:by)\s+"
_BY = re.compile(rf"{_CUE}(?P<names>{_NAMES})")
_BY_LISTED = re.compile(rf"(?:{_CUE}|\b(?i:(?:any|every|some)thing|stuff)\s+(?i:by)\s+)(?:[Tt]he\s+)?(?=\S)")
_AUTHOR_LISTED = re.compile(r"\bauthor:\s*(?P<first>\^?)(?=[^\s\"^])", re.IGNORECASE)
_WORD = re.compile(r"[^\s,;:?!()\"]+")
_END = r"[;:?!()\"]|\s(?:about|and|&|or|on|in(?!\s*['’‘]t)|from|since|before|after|with|et)\b"
_RUN_END = re.compile(_END)
_NAME_END = re.compile(rf"\W?$|[.,\d'’]|\s+\d|{_END}")
"""What follows a name, rather than the rest of a phrase such as "young astronomers"."""
_NEXT_NAME = re.compile(r",\s*(?:(?:and|&)\s+)?|\s+(?:and|&|or)\s+")
_MOST_WORDS, _MOST_CUES = 6, 3
"""Largest number of words of a name that is looked up, and of places where one is: a lookup takes time."""
Listed = Callable[[str], str | None]
"""Returns how to look up a name in the corpus, or `None` if none of its authors bears it."""
_DID = re.compile(
    rf"\b(?i:what|how|when|where|why|which\s+\w+)\s+(?i:did|does|do|have|has)\s+(?P<names>{_NAMES})\s+{_REPORTS}\b"
)
_OWN = re.compile(
    rf"(?P<names>{_NAME})['’]s?\s{{1,9}}(?:\w{{1,60}}\s{{1,9}})?(?:papers?|articles?|publications?|preprints?|thesis|work)\b"
)
_PAPERS_OF = re.compile(rf"\b(?i:papers|articles|publications|works?)\s+of\s+(?P<names>{_NAMES})")
_HIS_PAPERS = re.compile(
    rf"^\W*(?:(?i:show|find|list|give|me|all|the|latest|newest|recent|early)\s+)*(?P<names>{_NAMES})(?<!II)(?<!IV)\s+"
    r"(?:papers|articles|publications)\b"
)
"""The word "papers" after the name of an author: "Riess papers", "the latest Riess papers on supernovae". What ends
in a numeral is a class: "Population III".
"""
_ACCORDING = re.compile(rf"\b(?i:according\s+to)\s+(?P<names>{_NAMES})")
_AND = re.compile(r"\s{0,9},\s{0,9}(?:and\s+|&\s*)|\s{1,9}(?:and|&|or)\s+|\s{0,9},\s{0,9}(?!(?:[^\W\d_]\.))")
_ONLY_INITIALS = re.compile(r"(?:[^\W\d_]\.[\s-]?)+")
_LEAD = re.compile(
    r"^(?:(?:[Tt]he|In(?!\s+['’]t)|See|By|What|How|Did|From|Of|As|Does|Is|Are|Compare|Using|With|And|Or|For|Papers?|Show|Find|List|"
    r"Was|Who|Where|When|Why|Has|Have|Do)\s+)+"
)
_SURE = re.compile(r"(?:papers?|articles?|publications?|preprints?|written|published)\b", re.IGNORECASE)
"""First words of a phrase that surely names an author."""
_GROUP_NAME = re.compile(rf"{TEAM}$", re.IGNORECASE)
_THINGS = frozenset("survey space catalogue".split())
_NO_NAME = frozenset(
    "the a an this that these those we i you they it he she his her their what which who any all white review latest "
    "newest recent new old early important key best other interest".split()
)


_CAPITALS = re.compile(r"(?<=\s)[^\W\d_a-z]{2}\b")
"""Two capitals, which are initials unless they name a class of things, such as "UV"."""
_ENDLESS = re.compile(r"[^\s,;:?!，。、；：？！]{257,}")
"""A run of characters without an end in which nobody is named: every pattern below would begin at each of them."""


def mentions(question: str, profile: Profile | None = None, listed: Listed = lambda _: None) -> list[AuthorMention]:
    """Find the phrases in which `question` names authors, in order. `profile` holds the field's names for things other
    than authors; the default is astronomy's profile. `listed` looks names up.
    """
    disjoint: list[AuthorMention] = []
    own_names = _own_names(profile or astronomy())
    readable = _ENDLESS.sub(lambda run: " " * len(run[0]), question)
    readable = _CAPITALS.sub(lambda word: "--" if word[0].lower() in own_names.classes else word[0], readable)
    for mention in _all_in(readable, own_names, listed):
        if mention.names and not any(mention.start < other.end and other.start < mention.end for other in disjoint):
            disjoint.append(mention)
    return sorted(disjoint, key=lambda mention: mention.start)


@dataclass(frozen=True, slots=True)
class _OwnNames:
    """A field's names for things other than authors, in lower case."""

    catalogues: frozenset[str]
    """Words that precede a number that is not a year: "abell" in "Abell 1689"."""
    things: frozenset[str]
    classes: frozenset[str]
    """Words for classes of things: "seyfert", "uv"."""
    facilities: frozenset[str]
    """Names of facilities, some of which are also names of people."""
    missions: tuple[Mission, ...]
    """The catalogue of facilities."""


@lru_cache(maxsize=8)
def _own_names(profile: Profile) -> _OwnNames:
    own, names = profile.names, gazetteer_of(profile)
    missions = all_missions() if profile.services.facilities is not FacilityCatalogue.NONE else ()
    words = {name for m in missions for name in (m.name, *m.names, *m.words, *m.shared_question_names)}
    nouns = {form for kind in own.facilities for noun in kind for form in (noun, f"{noun}s")}
    return _OwnNames(
        names.catalogues.union(own.numbered),
        names.objects.union(_THINGS, nouns, names.facilities),
        frozenset(own.classes),
        names.ambiguous.union(word.casefold() for word in words),
        tuple(missions),
    )


def _all_in(question: str, own_names: _OwnNames, listed: Listed) -> Iterator[AuthorMention]:
    """Yield every phrase of the question that may name authors, the most certain first; phrases may overlap."""
    for match in _AUTHOR_LISTED.finditer(question):
        if read := _listed_at(question, match.end(), listed):
            yield AuthorMention(match.start(), read[1], (match["first"] + read[0],))
    for match in _QUOTED_AUTHOR.finditer(question):
        name = (match["quoted"] or match["bare"]).strip(" ,;.?")
        yield AuthorMention(*match.span(), (name,) if name.strip("^") else ())
    for match in _ET_AL.finditer(question):
        yield _mention(own_names, match, (match["name"],), match["year"], is_first=True, may_be_mission=True)
    for match in _AUTHOR_WITH_YEAR.finditer(question):
        yield _mention(own_names, match, (match["name"],), match["year"] or match["late"], is_first=True, is_sure=False)
    for match in _ALONE.finditer(question):
        if match["name"].casefold() not in own_names.catalogues:
            yield _mention(own_names, match, (match["name"],), match["year"], is_first=True, is_sure=False)
    for match in islice(_BY_LISTED.finditer(question), _MOST_CUES):
        yield _listed_by(question, match, own_names, listed)
    for pattern in (_BY, _DID, _OWN, _ACCORDING, _PAPERS_OF, _HIS_PAPERS):
        for match in pattern.finditer(question):
            is_sure = pattern is not _PAPERS_OF and bool(_SURE.match(match[0]))
            names = tuple(name for name in _split(match["names"]) if pattern is not _BY or not listed(name))
            yield _mention(own_names, match, names, is_sure=is_sure)


def _listed_by(question: str, cue: re.Match[str], own_names: _OwnNames, listed: Listed) -> AuthorMention:
    """Read the authors of the corpus who are named after "papers by".

    A name that is also an everyday word or a facility's counts only if no phrase goes on behind it; far from the word
    "papers", or after another name, it must have capitals.
    """
    names: list[str] = []
    end, next_name = cue.end(), None
    while read := _listed_at(question, next_name.end() if next_name else end, listed):
        name, name_end = read
        is_thing = _is_thing(name, None, own_names)
        is_everyday = all(word.lower() in read_lexicon() for word in re.findall(r"[^\W_]+", name))
        if (
            ((is_thing or is_everyday) and not _NAME_END.match(question, name_end))
            or (is_thing and not _SURE.match(cue[0]))
            or (name.islower() and (cue["between"] or (names and is_everyday)))
        ):
            break
        names.append(name)
        end = name_end
        if not (next_name := _NEXT_NAME.match(question, end)):
            break
    return AuthorMention(cue.start(), end, tuple(names))


def _listed_at(question: str, start: int, listed: Listed) -> tuple[str, int] | None:
    """Return the longest run of words from `start` that an author of the corpus bears, and where it ends; behind "the",
    also in the plural.
    """
    is_family = question[:start].lower().endswith("the ")
    limit = _RUN_END.search(question, start)
    ends = [word.end() for word in _WORD.finditer(question, start, limit.start() if limit else len(question))]
    for end in reversed(ends[:_MOST_WORDS]):
        run = without_possessive(question[start:end])
        one = run.removesuffix("s")
        if name := listed(run) or (is_family and one.lower() not in read_lexicon() and listed(one)):
            return name, start + len(run)
    return None


def _split(names: str) -> tuple[str, ...]:
    """Split a list of names; initials after a comma belong to the name before it."""
    parts: list[str] = []
    for part in map(str.strip, _AND.split(names)):
        if parts and _ONLY_INITIALS.fullmatch(part):
            parts[-1] = f"{parts[-1]}, {part}"
        else:
            parts.append(part)
    return tuple(parts)


def _mention(
    own_names: _OwnNames,
    match: re.Match[str],
    names: tuple[str, ...],
    year: str | None = None,
    *,
    is_first: bool = False,
    is_sure: bool = True,
    may_be_mission: bool = False,
) -> AuthorMention:
    """Make a mention of those `names` that may be people's."""
    people = tuple(
        name
        for name in (_LEAD.sub("", name).strip(" ,") for name in names)
        if name.casefold() not in _NO_NAME and (may_be_mission or not _is_thing(name, year, own_names))
    )
    first = "^" if is_first else ""
    return AuthorMention(
        *match.span(), tuple(f"{first}{name}" for name in people), int(year) if year else None, is_sure
    )


def is_thing(name: str, profile: Profile | None = None) -> bool:
    """Return whether `name` means a mission or an object of the field rather than a person."""
    return _is_thing(name, None, _own_names(profile or astronomy()))


def _is_thing(name: str, year: str | None, own_names: _OwnNames) -> bool:
    """Return whether `name` means a mission or an object rather than a person; the person's first name, or a year
    before the mission had data, shows that the person is meant.
    """
    if _GROUP_NAME.search(name):
        return False
    author_name = parse_name(name)
    last = author_name.last.split()[-1].casefold()
    if last in own_names.things:
        return True
    if last not in own_names.facilities:
        return False
    missions = [mission for mission in own_names.missions if last in {word.casefold() for word in mission.words}]
    if year is not None and missions and all(int(year) < mission.first_data.year for mission in missions):
        return False
    first = author_name.first.split()
    first_names = {first for mission in missions if mission.namesake for first in mission.namesake.first_names}
    return not first or bool(first_names and first[0] not in first_names)
