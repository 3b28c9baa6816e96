"""Names of people, telescopes, objects, surveys and codes in a text, and how to find them in another text.

A rewrite may be in any language, and may translate a name or spell it out; such forms still count as the same name. The
evidence check, in `evidence.names`, reads English texts only and compares names exactly.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from pathfinder.assessment.fidelity.parsed_text import ParsedText
from pathfinder.missions.gazetteer import gazetteer_of
from pathfinder.profile import Profile, astronomy
from pathfinder.text.author_year import CITED_YEAR, ET_AL
from pathfinder.text.language.gazetteer import Gazetteer
from pathfinder.text.language.lemmas import lemmas
from pathfinder.text.language.lexicon import read_lexicon
from pathfinder.text.languages import ENGLISH, LETTERS, Language
from pathfinder.text.quantities.units import unit_at
from pathfinder.text.spelling import fold, without_possessive

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
        text = _bare(match[0])
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
    return _is_abbreviation(name, text)


def forms(name: str, language: Language | None) -> tuple[str, ...]:
    """Return the forms that a name may have in the original: "SH0ES" for "SH0ES-Daten"."""
    if language is ENGLISH or "-" not in name:
        return (name,)
    return (name, *(part for part in name.split("-") if part[:1].isupper() and len(part) > 2))


def _occurs_in(words: str, there: str) -> bool:
    return re.search(rf"(?<![{LETTERS}]){re.escape(_stem(words))}(?:['’]?s|es)?(?![{LETTERS}])", there) is not None


def _stem(words: str) -> str:
    return words.removesuffix("s") if len(words) > 4 and not words.endswith("ss") else words


def _is_abbreviation(name: str, text: str) -> bool:
    """Match "SDSS" with "Sloan Digital Sky Survey", and vice versa."""
    letters = re.sub(r"[^A-Z]", "", name)
    if len(letters) >= 3 and name.replace("-", "").rstrip("s").isupper():
        apart = r"[\w-]*(?:\s+(?:of|the|for|and|in)\b)*[\s-]+".join(re.escape(letter) for letter in letters)
        return re.search(rf"\b{apart}\w*", text, re.IGNORECASE) is not None
    initials = "".join(word[0] for word in re.split(r"[\s-]+", name) if word[:1].isupper())
    return len(initials) >= 3 and re.search(rf"\b{initials}s?\b", text) is not None


def _is_name(
    text: str, plain: str, start: int, language: Language | None, gazetteer: Gazetteer, *, opens: bool
) -> bool:
    if text.casefold() in _NO_NAMES or text.isdigit():
        return text.isdigit() and _follows_catalogue(plain, start, gazetteer.catalogues)
    if _is_unit(text):
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


def _follows_catalogue(plain: str, start: int, catalogues: frozenset[str]) -> bool:
    """Return whether a number belongs to a catalogue or a release: "NGC 1068", "DR3"."""
    before = re.search(r"([^\W_][\w-]*)\s$", plain[max(0, start - 16) : start])
    return before is not None and before[1].casefold() in catalogues


def _is_unit(text: str) -> bool:
    """Return whether a word is a unit, such as GHz, or a product of units."""
    unit, end = unit_at(text, 0, is_english=False)
    return unit is not None and end == len(text) and not text[0].islower() | (len(text) < 2)


def _first_letter(plain: str, start: int, end: int) -> int:
    match = re.compile(r"[^\W_]").search(plain, start, end)
    return match.start() if match else start


def _bare(word: str) -> str:
    return without_possessive(word).removesuffix("'").removesuffix("’")


def _words_of(text: str) -> str:
    return " ".join(re.sub(r"[-–’']", " ", fold(text)).split())


@lru_cache(maxsize=1)
def _everyday() -> frozenset[str]:
    """Return the words of the lexicon in lower case, because a capital at the beginning of a sentence means nothing."""
    return frozenset(word.casefold() for word in read_lexicon())
