"""Sentences and sources as the checker parses them, and the share of words that they have in common."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import NamedTuple

from pathfinder.answering.assessment.evidence.polarity import Polarity, polarity
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.text.author_names import ET_AL
from pathfinder.text.english import MONTHS, OPENERS, lower
from pathfinder.text.english import words as word_set
from pathfinder.text.inflection import base_form
from pathfinder.text.languages import ENGLISH
from pathfinder.text.latex.search_text import plain_text
from pathfinder.text.quantities.quantities import multiples, quantities, readings
from pathfinder.text.quantities.units import PERCENT, Unit, is_unit, with_symbols
from pathfinder.text.quantities.written_numbers import MOST_OF_PRONOUN, Quantity
from pathfinder.text.sentences import MOST_KEPT, split_sentences
from pathfinder.text.spelling import without_possessive
from pathfinder.types import Source

LONGEST_WORD = 60
"""Number of letters above which a word is not reduced to its stem."""


@dataclass(frozen=True, slots=True)
class ClaimName:
    """A name and its place in a text."""

    text: str
    start: int
    end: int
    is_designation: bool
    """True if the name contains a number, like the name of a catalogue entry or a model: "NGC 1068", "E5"."""


@dataclass(frozen=True)
class ParsedSentence:
    """A sentence as parsed by the checker."""

    text: str
    """The sentence, verbatim."""

    @cached_property
    def plain(self) -> str:
        """Text without LaTeX."""
        return readable(self.text)

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of the words, without English stop words."""
        bases = [base_form(word) if len(word) <= LONGEST_WORD else word for word in words(self.plain)]
        return frozenset(stems(bases, QUESTION_STOP_WORDS))

    @cached_property
    def topic(self) -> frozenset[str]:
        """Stems that identify the topic, without numbers or direction words."""
        ways = stems([base_form(direction.text) for direction in self.polarity.directions], frozenset())
        return frozenset(stem for stem in self.stems.difference(ways) if not stem.isdigit())

    @cached_property
    def names(self) -> tuple[ClaimName, ...]:
        """Names in the sentence, in order."""
        return names(self.plain)

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """Numbers in the sentence, except those in names."""
        return numbers_in_digits(self.plain, [(name.start, name.end) for name in self.names])

    @cached_property
    def amounts_in_words(self) -> tuple[Quantity, ...]:
        """Amounts spelled out in words."""
        amounts_in_words = (
            number for number in quantities(self.plain) if number.is_in_words and _is_count(self.plain, number)
        )
        return (*amounts_in_words, *multiples(self.plain))

    @cached_property
    def polarity(self) -> Polarity:
        """Denials and directions in the sentence."""
        return polarity(self.plain)


_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SIGNS = str.maketrans("−\u2009\xa0\u202f", "-   ")
_SUPERSCRIPT = re.compile(r"[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_NO_COUNTS = frozenset({"twice", "thrice", "half", "double", "doubled", "doubles", "triple"})
_MEANS_THOSE_NAMED = re.compile(r"\b(?:the|these|those|all|both|other|last|first|its|their|our|any)\s+$", re.IGNORECASE)
"""Words that, in front of "two", make it refer to things mentioned earlier instead of counting them."""


def readable(text: str) -> str:
    """Return `text` on one line without LaTeX, with exponents written as in 10^9 and units as symbols."""
    plain = _SUPERSCRIPT.sub(lambda match: f"^{match[0].translate(_SUPERSCRIPTS)}", plain_text(text))
    return with_symbols(" ".join(plain.translate(_SIGNS).replace("^°", "°").split()))


def numbers_in_digits(plain: str, names: Sequence[tuple[int, int]] = ()) -> tuple[Quantity, ...]:
    """Return the numbers in a `readable` text that are written in digits, except those in `names` or in larger
    expressions.
    """
    return tuple(number for number in quantities(plain, names=names) if not number.is_in_words and not number.is_part)


def _is_count(plain: str, number: Quantity) -> bool:
    if number.is_hint or (number.text.lower().split()[0] in _NO_COUNTS and not _is_half_a_unit(number)):
        return False
    if number.unit is None and (not number.counts or number.value == 1.0):
        return False
    before = plain[max(0, number.start - 12) : number.start]
    return number.value >= MOST_OF_PRONOUN or _MEANS_THOSE_NAMED.search(before) is None


def _is_half_a_unit(number: Quantity) -> bool:
    """Return whether a number that begins with "half" is an amount: "half an hour", "half a million"."""
    return number.text.lower().startswith("half") and (number.unit is not None or number.value > 1.0)


_WORD = re.compile(r"[^\W_][\w+*.'’-]*[^\W_*+]?[*+]?|[^\W_]")
_DESIGNATION = re.compile(r"(?=\S*[^\W\d_])(?=\S*\d)(?!\d+(?:st|nd|rd|th|s|-?D|x)?$)[^\W_][\w+*.-]*")
_BEHIND = re.compile(
    r"\s(\d(?:[\w+.-]*[\w+])?|[A-Z]{1,2}\d(?:[\w.-]*\w)?|I{1,3}|IV|VI{0,3}|IX|X)(?![\w])(?:\s([b-i])(?![\w.]))?"
)
_ERROR = re.compile(r"\s?(?:±|\+/-)")
_PLANET = re.compile(r"\s[b-i](?![\w.'’])")
_AUTHOR = re.compile(rf"(?: (?:and|&) [A-Z][\w-]+)?{ET_AL}|['’]s\b")
_OPENING = re.compile(r"(?:^|[.!?:;])[\s\"'“‘(\[]{0,9}$")
LONGEST_NAME = 60
"""Maximum number of characters in a name."""
_OPENERS = lower((*OPENERS, *MONTHS)) | word_set(
    "about of and or but no not all each some most many two three between among over under within until before during "
    "than universe x-ray x-rays figure fig table section equation paper study source reference ref "
    "step stage phase type class order"
)
"""Words that are not names, even if capitalised."""


def names(plain: str) -> tuple[ClaimName, ...]:
    """Return the designations, acronyms and capitalised words in a text, in order, except capitalised words that open a
    sentence.
    """
    all_names: list[ClaimName] = []
    for match in _WORD.finditer(plain):
        if all_names and match.start() < all_names[-1].end:
            continue
        name = _name(plain, match)
        last = all_names[-1] if all_names else None
        is_alone = last is None or last.is_designation or len(last.text) > LONGEST_NAME
        if name and last and not (is_alone or name.is_designation) and plain[last.end : name.start] == " ":
            all_names[-1] = ClaimName(plain[last.start : name.end], last.start, name.end, False)  # "Milky Way"
        elif name:
            all_names.append(name)
    return tuple(all_names)


def _name(plain: str, match: re.Match[str]) -> ClaimName | None:
    if len(match[0]) > LONGEST_NAME:
        return None
    word, start = without_possessive(match[0].rstrip(".'’-")), match.start()
    end = start + len(word)
    behind = _BEHIND.match(plain, end)
    is_capital = word[:1].isupper() and word.lower() not in _OPENERS
    if behind and is_capital and not ((behind[1].isdigit() and len(word) == 1) or _is_measured(plain, word, behind)):
        return ClaimName(plain[start : behind.end()], start, behind.end(), True)
    if _DESIGNATION.fullmatch(word) and not _is_quantity(word):
        planet = _PLANET.match(plain, end)
        end = planet.end() if planet else end
        return ClaimName(plain[start:end], start, end, True)
    word = re.split(r"-(?=[a-z]{4})", word)[0]  # "Jupiter-like"
    if not is_capital or len(word) < 2 or is_unit(word):
        return None
    is_author = _AUTHOR.match(plain, end) is not None
    opens_sentence = _OPENING.search(plain[max(0, start - 10) : start]) is not None
    if is_author or sum(letter.isupper() for letter in word) >= 2 or not opens_sentence:
        return ClaimName(word, start, start + len(word), False)
    return None


def _is_measured(plain: str, word: str, behind: re.Match[str]) -> bool:
    """Return whether the number behind a word is a value with a unit or an error, rather than part of a name: "the Sun
    8.34 ± 0.16 kpc", unlike "HD 189733 A" and "Kepler 10 b".
    """
    if not word[1:].islower() or behind[2]:
        return False
    number = next((each for each in readings(plain, ENGLISH) if each.start == behind.start(1)), None)
    return number is not None and (number.unit is not None or _ERROR.match(plain, number.end) is not None)


def _is_quantity(word: str) -> bool:
    """Distinguish a quantity, such as "5nm", "10-20%" or "3.2e5", from a name such as "67P" or "2MASS"."""
    return re.fullmatch(
        r"[-\d.,]+(?:[a-zμ]+|[A-Za-zμ]{1,2}|[kMG]?(?:pc|yr|Hz|eV)|e[-+]?\d+)?", word
    ) is not None and not (re.fullmatch(r"\d+(?![MB]$|[MR][EJ]$)[A-Z]{1,2}", word))


class SentenceMatch(NamedTuple):
    """A sentence in a source, and the share of the claim's words that it contains."""

    source_id: str
    reading: ParsedSentence
    share: float


@dataclass(frozen=True)
class ParsedSource:
    """A source as parsed by the checker."""

    source: Source
    byline: str = ""
    """Authors and year, if known."""

    @cached_property
    def sentences(self) -> tuple[ParsedSentence, ...]:
        """The title, if there is one, followed by the sentences of the text."""
        title = [self.source.title.strip()] if self.source.title.strip() else []
        return tuple(ParsedSentence(text) for text in (*title, *split_sentences(self.source.text)))

    @cached_property
    def matches(self) -> tuple[SentenceMatch, ...]:
        """The sentences, each once, for a claim that has no word in common with them."""
        return tuple(SentenceMatch(self.source.source_id, sentence, 0.0) for sentence in dict.fromkeys(self.sentences))

    @cached_property
    def places(self) -> Mapping[str, list[int]]:
        """For each stem, the numbers of the `matches` that contain it."""
        return _places(match.reading.stems for match in self.matches)

    @cached_property
    def places_of_pairs(self) -> Mapping[str, list[int]]:
        """For each stem, the numbers of the sentences that contain it, or the next of which does."""
        own = [sentence.stems for sentence in self.sentences]
        return _places(map(frozenset.union, own, [*own[1:], frozenset()]))

    @cached_property
    def lowercase_text(self) -> str:
        """The whole text in lower case, for finding names."""
        texts = (f"{sentence.text} {sentence.plain}" for sentence in self.sentences)
        return " ".join([self.byline, *texts]).lower()

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """All numbers, including those in names and those written in words."""
        plain = [sentence.plain for sentence in (*self.sentences, ParsedSentence(self.byline))]
        return tuple(quantity for text in plain for quantity in (*numbers_in_digits(text), *numbers_in_words(text)))


def _places(texts: Iterable[frozenset[str]]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for number, stems_of_text in enumerate(texts):
        for stem in stems_of_text:
            places.setdefault(stem, []).append(number)
    return places


def n_common(claim: frozenset[str], places: Mapping[str, list[int]]) -> dict[int, int]:
    """Return the number of a claim's words in each text that has any, given the places of words in the texts."""
    return dict(Counter(chain.from_iterable(places[stem] for stem in claim if stem in places)))


def share(claim: frozenset[str], others: frozenset[str]) -> float:
    """Return the share of a claim's words that are among `others`; 0 for a claim without words."""
    return len(claim & others) / len(claim) if claim else 0.0


def support(claim: frozenset[str], sources: Sequence[ParsedSource]) -> float:
    """Return how well `sources` together cover the stems of a claim, in [0, 1].

    This is the mean of two shares of the claim's words: those that occur anywhere in the sources, and those that occur
    in the best pair of neighbouring sentences in one source.
    """
    if not claim:
        return 0.0
    n_anywhere = sum(any(stem in source.places for source in sources) for stem in claim)
    in_pairs = (n_common(claim, source.places_of_pairs).values() for source in sources)
    return (n_anywhere + max(chain.from_iterable(in_pairs), default=0)) / len(claim) / 2


# Finds the numbers in a claim and in its sources, and matches them.


def numbers_in_words(plain: str) -> tuple[Quantity, ...]:
    """Return the numbers in a `readable` text that are written in words, including every reading that a source may
    intend.
    """
    return (*(number for number in quantities(plain) if number.is_in_words), *multiples(plain))


def same_dimensions(first: Quantity, second: Quantity) -> bool:
    """Return whether two numbers can be compared: their units have the same dimensions, or neither has a unit."""
    unit, other_unit = first.unit, second.unit
    return (unit.dimensions if unit else None) == (other_unit.dimensions if other_unit else None)


def agrees(claim_number: Quantity, source_number: Quantity) -> bool:
    """Return whether `claim_number` equals `source_number`, perhaps in another unit or rounded.

    A number without a known unit matches one with a unit, unless it is a single digit: every text contains a "2". An
    error bar is not a value: "1.2" is not in "4.2 ± 1.2". A lower bound is not an upper bound, and if both signs are
    known, they must agree.
    """
    if source_number.is_error is True and claim_number.is_error is False:
        return False
    if claim_number.bound * source_number.bound < 0:
        return False
    is_sign_known = not (claim_number.has_open_sign or source_number.has_open_sign)
    if is_sign_known and claim_number.value * source_number.value < 0:
        return False
    # A single digit is too common to be evidence.
    if (
        (claim_number.unit is None) != (source_number.unit is None)
        and len(re.sub(r"\D", "", claim_number.text.split()[0]).strip("0")) < 2
        and source_number.unit is None
    ):
        return False
    return any(
        _is_near(claim_number, source_number, factor) for factor in _factors(claim_number.unit, source_number.unit)
    )


def _factors(claim_unit: Unit | None, source_unit: Unit | None) -> tuple[float, ...]:
    """Return the factors that convert the source number to the unit of the claimed number; none if the units do not
    match.
    """
    if claim_unit and source_unit:
        return (source_unit.size / claim_unit.size,) if claim_unit.dimensions == source_unit.dimensions else ()
    if claim_unit == PERCENT:
        return (1.0, 100.0)
    return (1.0, 0.01) if source_unit == PERCENT else (1.0,)


def _is_near(claim_number: Quantity, source_number: Quantity, factor: float) -> bool:
    """Return whether the numbers agree apart from their signs; rounding is allowed, but added precision is not."""
    rounding = 0.5001 * claim_number.step if source_number.step * factor <= 1.0001 * claim_number.step else 0.0
    difference = abs(abs(claim_number.value) - abs(source_number.value * factor))
    return difference <= max(rounding, 1e-6 * abs(claim_number.value))


# Names in an English sentence, and those that its sources lack.
#
# The evidence check asks whether a source names exactly the same entry: "NGC 1068" and "NGC 1067" are siblings that
# contradict each other. Rewrites translate names and spell them out, so `fidelity.proper_names` compares them more
# loosely; `text.language.entities` finds only names that denote a thing rather than a concept.

_SEPARATORS = re.compile(r"[\s_–-]+")


def lacks(name: ClaimName, lowercase_text: str) -> bool:
    """Return whether `lowercase_text` lacks `name`, ignoring spaces and hyphens; an acronym may be spelled out."""
    if _holds(name.text, lowercase_text):
        return False
    if not name.is_designation and " " in name.text:
        return not all(_holds(word, lowercase_text) for word in name.text.split())
    if name.is_designation or not name.text.isupper() or len(name.text) < 3:
        return True
    return name.text.lower() not in _initials(lowercase_text)


@lru_cache(maxsize=1024)
def _initials(lowercase_text: str) -> str:
    return "".join(re.findall(r"(?<![^\W_])[^\W\d_]", lowercase_text.replace("-", " ")))


@lru_cache(maxsize=1024)
def _without_separators(lowercase_text: str) -> str:
    return _SEPARATORS.sub("", lowercase_text)


def _holds(name: str, lowercase_text: str) -> bool:
    return (_kept_holds if len(lowercase_text) <= MOST_KEPT else _holds_spaced)(name, lowercase_text)


def _holds_spaced(name: str, lowercase_text: str) -> bool:
    letters = _without_separators(name.lower())
    if letters not in _without_separators(lowercase_text):
        return False  # the usual case, and much faster to check
    pattern = r"[\s_–-]*".join(re.escape(letter) for letter in letters)
    return re.search(rf"(?<![^\W_]){pattern}(?:s|es)?(?![^\W_])", lowercase_text) is not None


_kept_holds = lru_cache(maxsize=2048)(_holds_spaced)


def siblings(name: ClaimName, others: Sequence[ClaimName]) -> tuple[ClaimName, ...]:
    """Return the designations in `others` that could be mistaken for `name`: the same letters with another number, or a
    single different character.
    """
    if not name.is_designation:
        return ()
    shape = _without_separators(name.text.lower())
    return tuple(
        other
        for other in others
        if other.is_designation and _is_sibling(shape, _without_separators(other.text.lower()))
    )


def _is_sibling(shape: str, other: str) -> bool:
    if shape == other:
        return False
    first, second = (re.match(r"[^\d]*", text) for text in (shape, other))
    same_letters = first is not None and second is not None and first[0] == second[0] and len(first[0]) > 0
    other_number = re.findall(r"\d+", shape) != re.findall(r"\d+", other)
    return (same_letters and other_number) or (
        len(shape) == len(other) and sum(a != b for a, b in zip(shape, other, strict=True)) == 1
    )
