"""Query expansion: the other names of what a question names, from a thesaurus and from the reader's own map.

Names are found by the lemmas of whole words, the longest first: "star" is not in "starburst". A name that is
written in capitals is an acronym and is found only in capitals ("AGN" in "AGN" and "AGNs", never in "agn"), and
a word that the question has in capitals is looked for among the acronyms of the thesaurus alone. A part of a
hyphenated word is no word of its own, except an acronym ("AGN-driven"). Where two concepts share a name, it
says nothing.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pathfinder.corpus.thesaurus import Concept, Thesaurus, key_of
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.retrieval.stages import StageLog
from pathfinder.types import Expansion, SearchRequest, Sides

MAX_NAMES = 5
"""Other names of one term that are looked up: more would drown it."""

MAX_WORDS = 6
"""Of the longest name that is looked for."""

OWN_SOURCE = "your own map"

OwnMap = Sequence[tuple[str, Sequence[str]]]
"""Terms, each with its other names."""

_WORD = re.compile(r"(?<!['\u2019])[^\W_]+(?:['\u2019.+](?!s\b)[^\W_]+)*[*+]*")
_GAP = re.compile(r"(?:\s+|[-\u2010-\u2013])")
_ACRONYM = re.compile(r"[^\W\d_a-z]*[A-Z][^\W_a-z]+")
_PLURAL = re.compile(r"(?<=[A-Z0-9])['\u2019]?s$")
_QUALIFIER = re.compile(r"\s*\([^()]*\)\s*$")


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Neighbouring words of the question."""

    start: int
    end: int
    text: str
    is_part: bool
    """Whether it begins or ends inside a hyphenated word."""

    @property
    def singular(self) -> str:
        """An acronym less the s of its plural."""
        return _PLURAL.sub("", self.text)


def expand(question: str, thesaurus: Thesaurus | None, own_map: OwnMap = ()) -> tuple[Expansion, ...]:
    """What `question` names that has other names, in the order of the question; at most five other names each.

    The reader's own map goes before the thesaurus. Names that are in the question already, or differ from
    the term in number or spelling alone, are not added.
    """
    own: dict[str, list[tuple[str, Sequence[str]]]] = {}
    for term, names in own_map:
        own.setdefault(key_of(term), []).append((term, names))
    taken: list[_Stretch] = []
    found: list[tuple[_Stretch, Sequence[str], str]] = []
    for stretch in sorted(_stretches(question), key=lambda stretch: (stretch.start - stretch.end, stretch.start)):
        if any(stretch.start < other.end and other.start < stretch.end for other in taken):
            continue
        meaning = _in_own_map(stretch, own) or _in_thesaurus(stretch, thesaurus)
        if meaning is not None:
            taken.append(stretch)
            found.append((stretch, *meaning))
    named = {key_of(stretch.singular) for stretch in taken}
    expansions: dict[str, Expansion] = {}
    for stretch, names, source in sorted(found, key=lambda entry: entry[0].start):
        others = _others(stretch.singular, names, named)
        if others:
            expansions.setdefault(key_of(stretch.singular), Expansion(stretch.text, others, source))
    return tuple(expansions.values())


def expansions_of(request: SearchRequest, thesaurus: Thesaurus | None, log: StageLog) -> tuple[Expansion, ...]:
    """What a request asks to be looked up beside its own words; no stage where it asks for nothing."""
    if not request.expands and not request.own_expansions:
        return ()
    with log.stage("expansion") as stage:
        if request.sides is Sides.DENSE:
            stage.ran = "not used: meaning only"
            return ()
        found = expand(request.query, thesaurus if request.expands else None, request.own_expansions)
        stage.ran = expansion_in_words(found, request, thesaurus)
    return found


def expansion_in_words(expansions: Sequence[Expansion], request: SearchRequest, thesaurus: Thesaurus | None) -> str:
    """What was added, or why nothing was, for a badge."""
    if expansions:
        return "; ".join(f"{e.term}: also {', '.join(e.names)} ({e.source})" for e in expansions)
    if request.expands and thesaurus is None and not request.own_expansions:
        return "not run: this corpus has no thesaurus, build it with --thesaurus FILE"
    asked = [thesaurus.name] if request.expands and thesaurus else []
    asked += [OWN_SOURCE] if request.own_expansions else []
    return f"nothing added: the question names nothing that has another name in {' or '.join(asked)}"


def _stretches(question: str) -> Iterator[_Stretch]:
    """Every run of up to six words of the question with nothing but space or a hyphen between them."""
    found = list(_WORD.finditer(question))
    for first, word in enumerate(found):
        for last in range(first, min(first + MAX_WORDS, len(found))):
            if last > first and not _GAP.fullmatch(question[found[last - 1].end() : found[last].start()]):
                break
            start, end = word.start(), found[last].end()
            is_part = _is_dash(question[start - 1 : start]) or _is_dash(question[end : end + 1])
            yield _Stretch(start, end, question[start:end], is_part)


def _is_dash(character: str) -> bool:
    return bool(character) and not character.isspace() and _GAP.fullmatch(character) is not None


def _in_own_map(stretch: _Stretch, own: dict[str, list[tuple[str, Sequence[str]]]]) -> tuple[Sequence[str], str] | None:
    for term, names in own.get(key_of(stretch.singular), ()) if own else ():
        if _is_named(stretch, term):
            return names, OWN_SOURCE
    return None


def _in_thesaurus(stretch: _Stretch, thesaurus: Thesaurus | None) -> tuple[Sequence[str], str] | None:
    if thesaurus is None:
        return None
    found = [(name, concept) for name, concept in thesaurus.named(stretch.singular) if _is_named(stretch, name)]
    if _ACRONYM.fullmatch(stretch.singular):
        # "STAR" is an experiment, and "star" is not.
        found = [(name, concept) for name, concept in found if _ACRONYM.fullmatch(_PLURAL.sub("", name))]
    concepts = {concept.concept_id: concept for _, concept in found}
    if len(concepts) != 1:
        return None
    (concept,) = concepts.values()
    return _names_of(concept), thesaurus.name


def _is_named(stretch: _Stretch, name: str) -> bool:
    """Whether `stretch`, which has the lemmas of `name`, is that name."""
    acronym = _PLURAL.sub("", name)
    if _ACRONYM.fullmatch(acronym):
        return stretch.singular == acronym
    return not stretch.is_part


def _names_of(concept: Concept) -> list[str]:
    """Its names less what tells them from their namesakes: "Inflation (cosmology)" is written "inflation"."""
    return [_QUALIFIER.sub("", name) or name for name in concept.names]


def _others(term: str, names: Iterable[str], named: set[str]) -> tuple[str, ...]:
    """Names that can find papers which the term cannot: "brown dwarf stars" cannot where "brown dwarf" is asked for."""
    others: dict[str, str] = {}
    own = stems_of(term)
    for name in names:
        key = key_of(_PLURAL.sub("", name))
        if key and key not in named and stems_of(name) and not own <= stems_of(name):
            others.setdefault(key, name)
    return tuple(others.values())[:MAX_NAMES]


def stems_of(phrase: str) -> set[str]:
    """What `phrase` is looked up by among the words of papers."""
    return set(stems(words(phrase), QUESTION_STOP_WORDS))
