"""Losses and additions in a rewrite: numbers, units, names, negations and citations, found without a model.

Numbers, units and citations are compared in any language; so are names that keep their Latin letters or are among the
few whose translations are known. Negations are compared if both languages are known: sentence by sentence if both texts
have the same number of sentences, otherwise by their total number. In the latter case, a "not" that moved from one
sentence to another is missed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise

from pathfinder.answering.grounding.marks import CitationMark, cited_sentences, numbered_marks, numbers_cited
from pathfinder.corpus.missions.catalogue import gazetteer_of
from pathfinder.profile import Profile, astronomy
from pathfinder.text.author_names import CITED_YEAR, ET_AL
from pathfinder.text.language.entities import Gazetteer
from pathfinder.text.language.lemmas import lemmas
from pathfinder.text.language.lexicon_tagger import read_lexicon
from pathfinder.text.languages import ENGLISH, LANGUAGES, LETTERS, Language, known_language, language_of
from pathfinder.text.latex.search_text import plain_signs
from pathfinder.text.quantities.quantities import are_same_amount, have_same_value, quantities
from pathfinder.text.quantities.units import unit_at
from pathfinder.text.quantities.written_numbers import Quantity
from pathfinder.text.spelling import fold, without_possessive
from pathfinder.types import Change, FactKind, Fidelity

_OUTRIGHT = re.compile(
    r"(?:(?:more|less|fewer|greater|larger|smaller)\s+than|at\s+(?:least|most)|[<>≤≥])\s*~?\s*$", re.IGNORECASE
)
BEFORE_BOUND = 30
"""Number of characters before a number that are searched for "more than" and the like."""
_BOUNDS = {1: "at least", -1: "at most", 0: "no bound"}
LOSS = "not in the new text"
ADDITION = "not in the original"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and its citations."""

    start: int
    end: int
    citations: frozenset[int]


@dataclass(frozen=True, slots=True)
class ParsedText:
    """A text with its sentences; all positions refer to the text as written."""

    text: str
    plain: str
    """Text without LaTeX, with blanks in place of citation marks; it has the same length as `text`."""
    sentences: tuple[Sentence, ...]
    """Sentences that contain a letter or a digit."""

    def citations_at(self, place: int) -> frozenset[int]:
        """Return the citations of the sentence around `place`."""
        around = (sentence for sentence in self.sentences if sentence.start <= place < sentence.end)
        return next((sentence.citations for sentence in around), frozenset())


_TOKEN = re.compile(rf"(?<![{LETTERS}])[{LETTERS}](?:[{LETTERS}*&’'+]|[-–./](?=[{LETTERS}]))*")
_ACRONYM = re.compile(r".*[A-ZΛ].*[A-Z].*|.*[A-Z].*\d.*|.*[a-z][A-Z].*", re.DOTALL)
_JOINT = re.compile(r"\s|\s?[-–]\s?|\.\s")
_KINDS = (
    "ic al ar an ary ous ive able ible ing ed ly tion sion ity ism ment ness ence ance ology ometry scopy graphy ers "
    "ors ies ics ures ions ons ents ants ates ives als ars ys ts ks ws ls"
).split()
"""Endings of ordinary words: a word that opens a sentence and has one of them is not taken for a name, even if the
lexicon lacks it.
"""
_NO_NAMES = frozenset("i a the in on at we it this these that there here no yes fig figure table eq phd ok".split())


@dataclass(frozen=True, slots=True)
class ProperName:
    """A name and its place in a text."""

    text: str
    start: int
    end: int


def names(parsed_text: ParsedText, language: Language | None, profile: Profile | None = None) -> tuple[ProperName, ...]:
    """Return the names in a text, with consecutive capitalised words as one name.

    If the language capitalises nouns, as German does, or is unknown, return only known telescopes and objects, and
    words with two capitals or with a capital and a digit.
    """
    opening = {_first_letter(parsed_text.plain, sentence.start, sentence.end) for sentence in parsed_text.sentences}
    all_names: list[ProperName] = []
    for match in _TOKEN.finditer(parsed_text.plain):
        text = without_possessive(match[0]).removesuffix("'").removesuffix("’")
        if not _is_name(
            text, parsed_text.plain, match.start(), language, gazetteer_of(profile), opens=match.start() in opening
        ):
            continue
        name = ProperName(text, match.start(), match.start() + len(text))
        before = all_names[-1] if all_names else None
        if before is not None and _JOINT.fullmatch(parsed_text.plain, before.end, name.start):
            all_names[-1] = ProperName(parsed_text.plain[before.start : name.end], before.start, name.end)
        elif any(map(str.isalpha, text)):
            all_names.append(name)
    return tuple(all_names)


def _is_name(
    text: str, plain: str, start: int, language: Language | None, gazetteer: Gazetteer, *, opens: bool
) -> bool:
    if text.isdigit():  # a number may belong to a catalogue or a release: "NGC 1068", "DR3"
        before = re.search(r"([^\W_][\w-]*)\s$", plain[max(0, start - 16) : start])
        return before is not None and before[1].casefold() in gazetteer.catalogues
    if text.casefold() in _NO_NAMES:
        return False
    unit, end = unit_at(text, 0, is_english=False)
    if unit is not None and end == len(text) and not text[0].islower() | (len(text) < 2):
        return False
    if _ACRONYM.fullmatch(text) or (
        text[0].isupper() and text.casefold() in gazetteer.facilities | gazetteer.objects | gazetteer.ambiguous
    ):
        return True
    if not text[0].isupper() or language is None or language.name in ("German", "Hindi", "Chinese"):
        return False
    if not opens:
        return True
    return language is ENGLISH and _names_at_opening(text, plain, start + len(text))


def _names_at_opening(text: str, plain: str, end: int) -> bool:
    """Return whether a capitalised word that opens a sentence is nevertheless a name."""
    after = plain[end : end + 12]
    if re.match(rf"{ET_AL}|\s+\(?{CITED_YEAR}\b|['’]s\b", after):
        return True
    word = text.casefold()
    if {word, *lemmas(text)} & _everyday() or any(word.endswith(ending) for ending in _KINDS):
        return False
    return len(text) > 2


def _first_letter(plain: str, start: int, end: int) -> int:
    match = re.compile(r"[^\W_]").search(plain, start, end)
    return match.start() if match else start


@lru_cache(maxsize=1)
def _everyday() -> frozenset[str]:
    """Return the words of the lexicon in lower case, because a capital at the beginning of a sentence means nothing."""
    return frozenset(word.casefold() for word in read_lexicon())


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the two texts, parsed."""

    parsed_text: ParsedText
    language: Language | None
    quantities: tuple[Quantity, ...]
    names: tuple[ProperName, ...]
    profile: Profile | None
    """Profile with the names of the field, by default astronomy."""

    @property
    def cited_numbers(self) -> frozenset[int]:
        return frozenset().union(*(sentence.citations for sentence in self.parsed_text.sentences))


def check_fidelity(
    original: str, rewrite: str, language: str | None = None, profile: Profile | None = None
) -> Fidelity:
    """Compare `rewrite` with `original`; `language` is the requested language of the rewrite, if known; `profile` has
    the names of the field, by default astronomy.

    A text compared with itself has no changes. Each change has a kind, a place and a reason; nothing is reported twice.
    """
    target = known_language(language) if language else None
    first = _parse_side(original, language_of(original), profile)
    second = _parse_side(rewrite, target or (language_of(rewrite) if language is None else None), profile)
    lost_negations, added_negations = _negations(first, second)
    lost_facts = [
        *_lost_quantities(first, second),
        *(_named(first, name) for name in first.names if not has_name(name.text, second.parsed_text, profile)),
        *(_mark(first, number, LOSS) for number in sorted(first.cited_numbers - second.cited_numbers)),
        *_moves(first, second),
        *lost_negations,
    ]
    added_facts = [
        *_added_quantities(first, second),
        *(
            _named(second, name, ADDITION)
            for name in second.names
            if not any(has_name(form, first.parsed_text, profile) for form in forms(name.text, second.language))
        ),
        *(_mark(second, number, ADDITION) for number in sorted(second.cited_numbers - first.cited_numbers)),
        *added_negations,
    ]
    return Fidelity(_in_order(lost_facts), _in_order(added_facts), tuple(_not_compared(first, second, language)))


def _parse_side(text: str, language: Language | None, profile: Profile | None) -> _Side:
    parsed_text = parse_text(text)
    numbers = tuple(number for number in quantities(parsed_text.plain, language) if not number.is_hint)
    # The M of M_sun, and the Earth of "two Earth masses", are parts of a unit and not names.
    units = [range(number.number_end, number.end) for number in numbers]
    side_names = (
        name for name in names(parsed_text, language, profile) if not any(name.start in unit for unit in units)
    )
    return _Side(parsed_text, language, numbers, tuple(side_names), profile)


def _in_order(changes: Sequence[Change]) -> tuple[Change, ...]:
    return tuple(sorted(dict.fromkeys(changes), key=lambda change: (change.start, change.end, change.kind)))


# Numbers and units --------------------------------------------------------------------------------------


def _lost_quantities(first: _Side, second: _Side) -> Iterator[Change]:
    for number in first.quantities:
        if number.is_loose or _is_unknown_word(second, number):
            continue
        same = [other for other in second.quantities if are_same_amount(number, other)]
        if same:
            # The direction is recognised only in English.
            both_english = first.language is second.language
            if number.bound and both_english and not any(other.bound == number.bound for other in same):
                reason = f"{_BOUNDS[number.bound]} in the original, {_BOUNDS[same[0].bound]} in the new text"
                yield _change(FactKind.NUMBER, first, number.start, number.number_end, reason)
        elif of_value := [other for other in second.quantities if have_same_value(number, other)]:
            if number.unit is not None:
                yield _unit(first, number, f"the number is there, but {_describe_unit(second, of_value[0])}")
        else:
            yield _change(FactKind.NUMBER, first, number.start, number.number_end, LOSS)


def _added_quantities(first: _Side, second: _Side) -> Iterator[Change]:
    for number in second.quantities:
        if number.is_loose or _is_unknown_word(first, number):
            continue
        if same := [other for other in first.quantities if are_same_amount(number, other)]:
            # "Over" and "up to", which may mean something else, are ignored.
            is_outright = number.bound and _OUTRIGHT.search(second.parsed_text.plain[: number.start][-BEFORE_BOUND:])
            if is_outright and first.language is second.language and not any(other.bound for other in same):
                reason = f"{_BOUNDS[number.bound]} in the new text, {_BOUNDS[0]} in the original"
                yield _change(FactKind.NUMBER, second, number.start, number.number_end, reason)
            continue
        of_value = [other for other in first.quantities if have_same_value(number, other)]
        if not of_value:
            yield _change(FactKind.NUMBER, second, number.start, number.number_end, ADDITION)
        elif number.unit is not None:
            yield _unit(second, number, f"in the original, {_describe_unit(first, of_value[0])}")


def _is_unknown_word(other: _Side, number: Quantity) -> bool:
    """Return whether a number is written in words while the number words of the other text's language are unknown."""
    return number.is_in_words and (other.language is None or not other.language.numbers)


def _unit(side: _Side, number: Quantity, reason: str) -> Change:
    start = number.number_end if number.end > number.number_end else number.start
    text = side.parsed_text.text[start : number.end]
    start += len(text) - len(text.lstrip(" -"))
    return _change(FactKind.UNIT, side, start, number.end, reason)


def _describe_unit(side: _Side, number: Quantity) -> str:
    text = side.parsed_text.text[number.number_end : number.end].strip(" -")
    return f"its unit is {text}" if text else "it has a different unit" if number.unit else "it has no unit"


# Citations ----------------------------------------------------------------------------------------------


def _mark(side: _Side, number: int, reason: str) -> Change:
    marks = numbered_marks(side.parsed_text.text)
    mark = next(mark for mark in marks if str(number) in numbers_cited(mark[0]))
    return _change(FactKind.CITATION, side, mark.start(), mark.end(), f"[{number}] is {reason}")


def _moves(first: _Side, second: _Side) -> Iterator[Change]:
    """Find numbers and names whose sentence no longer cites any of the same papers, and sentences that lost a citation;
    if the texts differ in their number of sentences, find papers cited by fewer sentences instead of sentences that
    lost a citation.
    """
    yield from _moved_facts(first, second)
    ours, theirs = first.parsed_text.sentences, second.parsed_text.sentences
    if len(ours) == len(theirs):
        pairs = ((sentence, sentence.citations - other.citations) for sentence, other in zip(ours, theirs, strict=True))
        for sentence, missing in pairs:
            if missing & second.cited_numbers:
                marks = _describe_marks(missing & second.cited_numbers)
                yield _change(
                    FactKind.CITATION, first, sentence.start, sentence.end, f"this sentence no longer cites {marks}"
                )
    elif len(theirs) > len(ours):
        for number in sorted(first.cited_numbers & second.cited_numbers):
            n_before, n_now = (sum(number in sentence.citations for sentence in side) for side in (ours, theirs))
            if n_now < n_before:
                n = f"{n_now} sentence{'' if n_now == 1 else 's'}"
                yield _mark(first, number, f"cited by {n} instead of {n_before}")


def _moved_facts(first: _Side, second: _Side) -> Iterator[Change]:
    facts: list[tuple[int, int, Sequence[Quantity | ProperName]]] = []
    for number in first.quantities:
        if not number.is_loose:
            same = [other for other in second.quantities if are_same_amount(number, other)]
            facts.append((number.start, number.number_end, same))
    for name in first.names:
        same_names = [other for other in second.names if is_same_name(name.text, other.text, first.profile)]
        facts.append((name.start, name.end, same_names))
    for start, end, others in facts:
        cited_numbers = first.parsed_text.citations_at(start)
        now = [second.parsed_text.citations_at(other.start) for other in others]
        if cited_numbers and now and not any(cited_numbers & marks for marks in now):
            stands = _describe_marks(frozenset().union(*now)) or "nothing"
            reason = f"cited {_describe_marks(cited_numbers)} in the original, cites {stands} in the new text"
            yield _change(FactKind.CITATION, first, start, end, reason)


def _describe_marks(numbers: frozenset[int]) -> str:
    return ", ".join(f"[{number}]" for number in sorted(numbers))


# Negations ----------------------------------------------------------------------------------------------


def _negations(first: _Side, second: _Side) -> tuple[list[Change], list[Change]]:
    if first.language is None or second.language is None:
        return [], []
    ours, theirs = _negation_spans(first), _negation_spans(second)
    if len(ours) != len(theirs):
        ours, theirs = [list(chain.from_iterable(ours))], [list(chain.from_iterable(theirs))]
    lost_negations: list[Change] = []
    added_negations: list[Change] = []
    for before, now in zip(ours, theirs, strict=True):
        n_before, n_now = _count_negations(first, second, before), _count_negations(first, second, now)
        if n_now < n_before:
            lost_negations += [_negation(first, span, n_before, n_now) for span in before]
        elif n_now > n_before:
            added_negations += [_negation(second, span, n_before, n_now) for span in now]
    return lost_negations, added_negations


def _negation_spans(side: _Side) -> list[list[tuple[int, int]]]:
    """Return the positions of the negations in each sentence."""
    if side.language is None:
        return []
    pattern, plain = side.language.negation, side.parsed_text.plain
    return [
        [match.span() for match in pattern.finditer(plain, sentence.start, sentence.end)]
        for sentence in side.parsed_text.sentences
    ]


def _count_negations(first: _Side, second: _Side, spans: list[tuple[int, int]]) -> int:
    """Count negations, but no more than one if the languages differ, because some languages negate twice where others
    negate once.
    """
    return len(spans) if first.language is second.language else min(len(spans), 1)


def _negation(side: _Side, span: tuple[int, int], n_before: int, n_now: int) -> Change:
    return _change(FactKind.NEGATION, side, *span, f"{n_before} here in the original, {n_now} in the new text")


# ----------------------------------------------------------------------------------------------------------


def _change(kind: FactKind, side: _Side, start: int, end: int, reason: str) -> Change:
    return Change(kind, side.parsed_text.text[start:end], start, end, reason)


def _named(side: _Side, name: ProperName, reason: str = LOSS) -> Change:
    return _change(FactKind.NAME, side, name.start, name.end, reason)


def _not_compared(first: _Side, second: _Side, language: str | None) -> Iterator[str]:
    if first.language is None or second.language is None:
        languages = ", ".join(each.name for each in LANGUAGES)
        which = language if second.language is None and language else "the language of one of the texts"
        yield f"negations, and numbers in words: the checker does not know {which}; it knows {languages}"
    elif first.language is not second.language:
        yield "names are compared by their Latin letters: a name that was translated may be marked as lost"


# A text split into sentences, with their positions and citations.

_FULL_STOP = re.compile(r"[。！？।]\s*|\n+")
"""Sentence endings that are not necessarily followed by a space."""


def parse_text(text: str) -> ParsedText:
    """Split `text` into sentences; a citation mark after a full stop belongs to the sentence before it."""
    # Split before removing the marks: "star A [1]." ends a sentence, but the A in "star A." might be an initial.
    signs = plain_signs(text)
    marks = [CitationMark(*mark.span(), numbers_cited(mark[0])) for mark in numbered_marks(signs)]
    plain = signs
    for mark in marks:
        plain = f"{plain[: mark.start]}{' ' * (mark.end - mark.start)}{plain[mark.end :]}"
    return ParsedText(text, plain, tuple(_sentences(signs, marks)))


def _sentences(signs: str, marks: list[CitationMark]) -> Iterator[Sentence]:
    cuts = [0, *(match.end() for match in _FULL_STOP.finditer(signs)), len(signs)]
    for first, last in pairwise(cuts):
        here = [
            CitationMark(mark.start - first, mark.end - first, mark.names)
            for mark in marks
            if first <= mark.start < last
        ]
        for sentence in cited_sentences(signs[first:last], here):
            yield Sentence(first + sentence.start, first + sentence.end, frozenset(map(int, sentence.names)))


# Names of people, telescopes, objects, surveys and codes in a text, and how to find them in another text.
#
# A rewrite may be in any language, and may translate a name or spell it out; such forms still count as the same name.
# The evidence check, in `evidence.names`, reads English texts only and compares names exactly.


def has_name(name: str, parsed_text: ParsedText, profile: Profile | None = None) -> bool:
    """Return whether a text contains the name: its words in one sentence (singular or plural), its initials, or a
    translation.
    """
    if is_same_name(name, parsed_text.plain, profile):
        return True
    sentences = (
        f" {_words_of(parsed_text.plain[sentence.start : sentence.end])} " for sentence in parsed_text.sentences
    )
    return any(all(_occurs_in(word, there) for word in _words_of(name).split()) for there in sentences)


def is_same_name(name: str, text: str, profile: Profile | None = None) -> bool:
    """Return whether `text` contains the whole name in one of the forms listed in `profile`, by default astronomy."""
    name_words, there = _words_of(name), f" {_words_of(text)} "
    if _occurs_in(name_words, there):
        return True
    for same in (profile or astronomy()).names.forms:
        if any(_stem(name_words) == _stem(form) for form in same) and any(form in there for form in same):
            return True
    # "SDSS" is "Sloan Digital Sky Survey", and vice versa.
    letters = re.sub(r"[^A-Z]", "", name)
    if len(letters) >= 3 and name.replace("-", "").rstrip("s").isupper():
        apart = r"[\w-]*(?:\s+(?:of|the|for|and|in)\b)*[\s-]+".join(re.escape(letter) for letter in letters)
        return re.search(rf"\b{apart}\w*", text, re.IGNORECASE) is not None
    initials = "".join(word[0] for word in re.split(r"[\s-]+", name) if word[:1].isupper())
    return len(initials) >= 3 and re.search(rf"\b{initials}s?\b", text) is not None


def forms(name: str, language: Language | None) -> tuple[str, ...]:
    """Return the forms that a name may have in the original: "SH0ES" for "SH0ES-Daten"."""
    if language is ENGLISH or "-" not in name:
        return (name,)
    return (name, *(part for part in name.split("-") if part[:1].isupper() and len(part) > 2))


def _occurs_in(words: str, there: str) -> bool:
    return re.search(rf"(?<![{LETTERS}]){re.escape(_stem(words))}(?:['’]?s|es)?(?![{LETTERS}])", there) is not None


def _stem(words: str) -> str:
    return words.removesuffix("s") if len(words) > 4 and not words.endswith("ss") else words


def _words_of(text: str) -> str:
    return " ".join(re.sub(r"[-–’']", " ", fold(text)).split())
