"""Synonym expansion: other names for the terms in a question, from the reader's own synonyms, a thesaurus, and the
abbreviations and names that every search knows.

Terms are matched by the lemmas of whole words, the longest terms first: "star" does not match in "starburst". A name in
capitals is an acronym and matches only capitals ("AGN" matches "AGN" and "AGNs", never "agn"), and a word written in
capitals in the question matches only acronyms. Part of a hyphenated word does not match, unless it is an acronym
("AGN-driven"). A name shared by two concepts is ambiguous and is skipped.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from pathfinder.corpus.store import Corpus
from pathfinder.corpus.thesaurus import Concept, Thesaurus, key_of
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.retrieval.expansion.other_names import other_names
from pathfinder.retrieval.stages import StageLog, StageReport, failed_stage, skipped_stage
from pathfinder.types import Expansion, RetrievalMode, SearchRequest

MAX_NAMES = 5
"""Maximum number of synonyms looked up for one term: more would drown out the term itself."""

MAX_WORDS = 6
"""Length in words of the longest name that can match."""

LONGEST_QUESTION = 60
"""Number of words above which a question is a pasted text, in which no abbreviations and names are looked for unless
the reader asks for synonyms.
"""

OWN_SOURCE = "your own synonyms"
OWN_SOURCE_OF_STAGE = "your own map"
"""Name of the reader's own synonyms in the report of the stage. Programs may read it, so it keeps the wording of 0.1.0.
"""

OwnSynonyms = Sequence[tuple[str, Sequence[str]]]
"""Pairs of a term and its other names."""

_WORD = re.compile(r"(?<!['\u2019])[^\W_]+(?:['\u2019.+](?!s\b)[^\W_]+)*[*+]*")
_GAP = re.compile(r"(?:\s+|[-\u2010-\u2013])")
_ACRONYM = re.compile(r"[^\W\d_a-z]{0,60}[A-Z][^\W_a-z]{1,60}")
_PLURAL = re.compile(r"(?<=[A-Z0-9])['\u2019]?s$")
_QUALIFIER = re.compile(r"(?:(?<!\s)\s+)?\([^()]*\)\s*$")


@dataclass(frozen=True, slots=True)
class _Span:
    """Consecutive words of the question."""

    start: int
    end: int
    text: str
    is_part: bool
    """True if the span begins or ends inside a hyphenated word."""

    @property
    def singular(self) -> str:
        """The text without the plural s of an acronym."""
        return _PLURAL.sub("", self.text)


class Names(Protocol):
    """A table of names: a `Thesaurus` or a `NameTable`."""

    @property
    def name(self) -> str: ...

    def concepts_called(self, phrase: str) -> tuple[tuple[str, Concept], ...]: ...


def expand(question: str, tables: Sequence[Names], own_synonyms: OwnSynonyms = ()) -> tuple[Expansion, ...]:
    """Return the terms of `question` that have synonyms, in the order in which they occur, each with at most five
    synonyms.

    The reader's own synonyms take precedence over the tables, and a table over those after it. Names that the question
    already contains, or that differ from the term only in number or spelling, are not added.
    """
    own: dict[str, list[tuple[str, Sequence[str]]]] = {}
    for term, names in own_synonyms:
        own.setdefault(key_of(term), []).append((term, names))
    matches: list[tuple[_Span, Sequence[str], str | None]] = []
    for span in sorted(_spans(question), key=lambda span: (span.start - span.end, span.start)):
        if any(span.start < other.end and other.start < span.end for other, _, _ in matches):
            continue
        if (of_reader := _find_in_own_synonyms(span, own)) is not None:
            matches.append((span, of_reader, None))
            continue
        for table in tables:
            if (of_table := _find_in_table(span, table)) is not None:
                matches.append((span, of_table, table.name))
                break
    own_keys = {key_of(span.singular) for span, _, _ in matches}
    expansions: dict[str, Expansion] = {}
    for span, names, source in sorted(matches, key=lambda match: match[0].start):
        useful = _useful_names(span.singular, names, own_keys)
        if useful:
            is_own = source is None
            expansion = Expansion(span.text, useful, OWN_SOURCE if source is None else source, is_own)
            expansions.setdefault(key_of(span.singular), expansion)
    return tuple(expansions.values())


def expansions_of(request: SearchRequest, corpus: Corpus, log: StageLog) -> tuple[Expansion, ...]:
    """Return the synonyms to look up along with the words of `request`. If the request asks for no synonyms, and the
    abbreviations and names that every search knows add none, no stage is recorded.
    """
    asks = request.expands or bool(request.own_expansions)
    if not asks and (not request.finds_other_names or request.sides is RetrievalMode.DENSE):
        return ()
    with log.stage("expansion", is_optional=True) as stage:
        if request.sides is RetrievalMode.DENSE:
            stage.report = skipped_stage("meaning only")
            return ()
        tables: list[Names] = [corpus.thesaurus] if request.expands and corpus.thesaurus is not None else []
        if request.finds_other_names and len(request.query.split()) <= LONGEST_QUESTION:
            tables += other_names(corpus)
        expansions = expand(request.query, tables, request.own_expansions)
        if asks or expansions:
            stage.report = describe_expansion(expansions, request, corpus.thesaurus)
    return expansions


def describe_expansion(
    expansions: Sequence[Expansion], request: SearchRequest, thesaurus: Thesaurus | None
) -> StageReport:
    """Report the synonyms that were added, or why there are none."""
    if expansions:
        return StageReport("; ".join(map(_stage_words, expansions)))
    if request.expands and thesaurus is None and not request.own_expansions:
        return failed_stage("this corpus has no thesaurus; build it with --thesaurus FILE")
    sources = [thesaurus.name] if request.expands and thesaurus else []
    sources += [OWN_SOURCE] if request.own_expansions else []
    return StageReport(f"nothing added: no term in the question has a synonym in {' or '.join(sources)}")


def _stage_words(expansion: Expansion) -> str:
    source = OWN_SOURCE_OF_STAGE if expansion.is_own else expansion.source
    return f"{expansion.term}: also {', '.join(expansion.names)} ({source})"


def _spans(question: str) -> Iterator[_Span]:
    """Yield every sequence of up to six words in the question that are separated only by spaces or hyphens."""
    matches = list(_WORD.finditer(question))
    for first, word in enumerate(matches):
        for last in range(first, min(first + MAX_WORDS, len(matches))):
            if last > first and not _GAP.fullmatch(question[matches[last - 1].end() : matches[last].start()]):
                break
            start, end = word.start(), matches[last].end()
            is_part = _is_dash(question[start - 1 : start]) or _is_dash(question[end : end + 1])
            yield _Span(start, end, question[start:end], is_part)


def _is_dash(character: str) -> bool:
    return bool(character) and not character.isspace() and _GAP.fullmatch(character) is not None


def _find_in_own_synonyms(span: _Span, own: dict[str, list[tuple[str, Sequence[str]]]]) -> Sequence[str] | None:
    for term, names in own.get(key_of(span.singular), ()) if own else ():
        if _is_named(span, term):
            return names
    return None


def _find_in_table(span: _Span, table: Names) -> Sequence[str] | None:
    matches = [(name, concept) for name, concept in table.concepts_called(span.singular) if _is_named(span, name)]
    if _ACRONYM.fullmatch(span.singular):
        # "STAR" is an experiment, but "star" is not.
        matches = [(name, concept) for name, concept in matches if _ACRONYM.fullmatch(_PLURAL.sub("", name))]
    concepts = {concept.concept_id: concept for _, concept in matches}
    if len(concepts) != 1:
        return None
    (concept,) = concepts.values()
    # Papers do not use qualifiers, as in "Inflation (cosmology)".
    return [_QUALIFIER.sub("", name) or name for name in concept.names]


def _is_named(span: _Span, name: str) -> bool:
    """Return whether `span`, which has the same lemmas as `name`, is a use of that name."""
    acronym = _PLURAL.sub("", name)
    if _ACRONYM.fullmatch(acronym):
        return span.singular == acronym
    return not span.is_part


def _useful_names(term: str, names: Iterable[str], own_keys: set[str]) -> tuple[str, ...]:
    """Return the names that can find additional papers: "brown dwarf stars" finds none that "brown dwarf" misses. A
    term of which the index drops a word, as "M 31", is found by any of its names that differ.
    """
    others: dict[str, str] = {}
    own = stems_of(term)
    is_whole = len(own) >= len(_WORD.findall(term))
    for name in names:
        key, found_by = key_of(_PLURAL.sub("", name)), stems_of(name)
        is_new = not own <= found_by and key not in own_keys if is_whole else own != found_by
        if key and found_by and is_new:
            others.setdefault(key, name)
    return tuple(others.values())[:MAX_NAMES]


def stems_of(phrase: str) -> set[str]:
    """Return the stems under which the sparse index looks up `phrase`."""
    return set(stems(words(phrase), QUESTION_STOP_WORDS))
