"""Synonym expansion: other names for the terms in a question, from the reader's own synonyms, a thesaurus, and the
abbreviations and names that every search knows.

Terms are matched by the lemmas of whole words, the longest terms first: "star" does not match in "starburst". A name in
capitals is an acronym and matches only capitals ("AGN" matches "AGN" and "AGNs", never "agn"), and a word written in
capitals in the question matches only acronyms. Part of a hyphenated word does not match, unless it is an acronym
("AGN-driven"). A name shared by two concepts is ambiguous and is skipped.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Protocol
from weakref import WeakKeyDictionary

from pathfinder.corpus.store import Corpus
from pathfinder.corpus.thesaurus import Concept, Thesaurus, key_of
from pathfinder.corpus.wording import Wording
from pathfinder.errors import UsageError
from pathfinder.index.words import QUESTION_STOP_WORDS, content_stems, words
from pathfinder.retrieval.stages import StageLog, StageReport, failed_stage, skipped_stage
from pathfinder.text.language.lemmas import lemmas
from pathfinder.text.language.lexicon_tagger import read_lexicon
from pathfinder.text.strict_json import parse_json
from pathfinder.types import Expansion, RetrievalMode, SearchRequest

OF_PAPERS = "abbreviations in these papers"
"""Source of the names that papers of the corpus define."""

_DEFINED: "WeakKeyDictionary[Wording, NameTable]" = WeakKeyDictionary()
"""Abbreviations of each open corpus, which are read once."""
_TOKEN = re.compile(r"[^\W_]+")
_LETTERS_AND_NUMBER = re.compile(r"([A-Z]{1,3})(\d{1,4})")


@dataclass(frozen=True, slots=True, eq=False)
class NameTable:
    """Names of the same things, which are looked up as those of a thesaurus are."""

    name: str
    by_key: dict[str, tuple[tuple[str, Concept], ...]]

    def concepts_called(self, phrase: str) -> tuple[tuple[str, Concept], ...]:
        """Return the things with a name that has the same lemmas as `phrase`, each with that name."""
        return self.by_key.get(key_of(phrase), ())


def other_names(corpus: Corpus) -> tuple[NameTable, ...]:
    """Return the tables of names for the questions to `corpus`; those of its profile come first."""
    profile = corpus.profile
    own = _of_profile(f"names of {profile.field.name}", profile.other_names) if profile.other_names else None
    if corpus.papers.wording not in _DEFINED:
        entries = sorted(corpus.papers.wording.abbreviations, key=lambda entry: -entry.n_papers)
        _DEFINED[corpus.papers.wording] = _made(OF_PAPERS, tuple((entry.short, entry.long) for entry in entries))
    defined = _DEFINED[corpus.papers.wording]
    return tuple(table for table in (own, defined) if table is not None and table.by_key)


@lru_cache(maxsize=8)
def _of_profile(name: str, rows: tuple[tuple[str, ...], ...]) -> NameTable:
    return _made(name, rows)


def _made(name: str, rows: Iterable[tuple[str, ...]]) -> NameTable:
    by_key: dict[str, dict[str, Concept]] = {}
    for number, row in enumerate(rows):
        useful = _as_searched(row)
        for own_name in row:
            others = tuple(other for other in useful if other != own_name)
            if others:
                concept = Concept(f"{number}", own_name, others)
                for spelling in _spellings(own_name):
                    by_key.setdefault(key_of(spelling), {}).setdefault(spelling, concept)
    return NameTable(name, {key: tuple(names.items()) for key, names in by_key.items() if key})


def _as_searched(row: Iterable[str]) -> list[str]:
    """Return the names of a thing that the index by words can find: those of which it drops no word, or, if there is
    only one such name, the others too, as in "Sagittarius A*".
    """
    row = [name for name in row if not _is_a_word(name)]
    whole = [name for name in row if len(_TOKEN.findall(name)) == len(_kept(name))]
    named = [name for name in row if len(_kept(name)) and not _is_common(name)]
    return whole if len(whole) > 1 else named


def _kept(name: str) -> list[str]:
    return [word for word in words(name) if word not in QUESTION_STOP_WORDS]


def _is_common(name: str) -> bool:
    """Return whether the index sees nothing but a common word in `name`: "our Galaxy" is "galaxy" to it."""
    kept = _kept(name)
    return len(kept) == 1 and len(_TOKEN.findall(name)) > 1 and kept[0] in read_lexicon()


def _is_a_word(name: str) -> bool:
    """Return whether `name` is an acronym that the index by words, which ignores case, takes for an everyday word:
    "ACT" is "act".
    """
    return name.isupper() and not read_lexicon().keys().isdisjoint({name.lower(), name.title()})


def _spellings(name: str) -> Iterator[str]:
    """Yield `name` as questions write it: "M 31" for "M31", and an acronym in lower case unless that is a word."""
    yield name
    if match := _LETTERS_AND_NUMBER.fullmatch(name):
        yield f"{match[1]} {match[2]}"
    if name != name.lower() and " " not in name and not _is_a_word(name):
        yield name.lower()


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


def with_other_names(request: SearchRequest, expansions: Sequence[Expansion]) -> SearchRequest:
    """Put the other names behind a question that is nothing but a name, such as "NGC 224": each says as much as the
    one that was typed. Synonyms that the reader asked for change no question.
    """
    name = request.query.strip(" .?!")
    others = next((expansion.names for expansion in expansions if expansion.term == name), ())
    if not others or request.expands or request.own_expansions:
        return request
    return replace(request, query=f"{name} ({', '.join(others)})")


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
    own = content_stems(term)
    is_whole = len(own) >= len(_WORD.findall(term))
    for name in names:
        key, found_by = key_of(_PLURAL.sub("", name)), content_stems(name)
        is_new = not own <= found_by and key not in own_keys if is_whole else own != found_by
        if key and found_by and is_new:
            others.setdefault(key, name)
    return tuple(others.values())[:MAX_NAMES]


MAX_TERMS = 1000


def load_own_synonyms(path: Path) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Read synonyms from a JSON object that maps each term to a list of its other names.

    Raises a `UsageError` that names the faulty term.
    """
    try:
        content = parse_json(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}): name a JSON file of terms") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f'{path} is not JSON ({error}): write {{"term": ["other name"]}}') from error
    if not isinstance(content, dict):
        raise UsageError(f'{path} is no JSON object: write {{"term": ["other name"]}}')
    return check_synonyms(content, str(path))


def check_synonyms(content: Mapping[str, object], where: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return `content` in the form that a request expects.

    Raises a `UsageError` that names the faulty term and its source, `where`.
    """
    if len(content) > MAX_TERMS:
        raise UsageError(f"{where} has {len(content):,} terms, at most {MAX_TERMS:,} are allowed: leave some out")
    return tuple((term.strip(), _check_names(where, term, names)) for term, names in content.items())


def _check_names(where: str, term: str, names: object) -> tuple[str, ...]:
    if not key_of(term):
        raise UsageError(f"{where}: the term {term!r} contains no letter or digit: correct it or leave it out")
    if (
        not isinstance(names, list)
        or not names
        or not all(isinstance(name, str) and content_stems(name) for name in names)
    ):
        raise UsageError(f"{where}: {term!r} needs a list of names that can be looked up, got {json.dumps(names)[:60]}")
    if len(names) > MAX_NAMES:
        raise UsageError(
            f"{where}: {term!r} has {len(names)} other names, at most {MAX_NAMES} are allowed: leave some out"
        )
    if len(lemmas(term)) > MAX_WORDS:
        raise UsageError(f"{where}: {term!r} has more than {MAX_WORDS} words: shorten it")
    return tuple(name.strip() for name in names)
