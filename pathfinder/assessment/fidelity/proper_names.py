"""Names of people, telescopes, objects, surveys and codes in a text, and whether another text has them too."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from pathfinder.assessment.fidelity.languages import ENGLISH, Language
from pathfinder.assessment.fidelity.plain_signs import LATIN
from pathfinder.assessment.fidelity.telling import Telling
from pathfinder.assessment.fidelity.units import read_unit
from pathfinder.corpus.language.known_names import CATALOGUES, FACILITIES, OBJECTS, PERSONS_TOO
from pathfinder.corpus.language.tagging import read_lexicon
from pathfinder.corpus.lemmas import lemmas

_TOKEN = re.compile(rf"(?<![{LATIN}])[{LATIN}](?:[{LATIN}*&’'+]|[-–./](?=[{LATIN}]))*")
_ACRONYM = re.compile(r".*[A-ZΛ].*[A-Z].*|.*[A-Z].*\d.*|.*[a-z]+[A-Z].*", re.DOTALL)
_JOINED = re.compile(r"\s|\s?[-–]\s?|\.\s")
_KINDS = (
    "ic al ar an ary ous ive able ible ing ed ly tion sion ity ism ment ness ence ance ology ometry scopy graphy ers "
    "ors ies ics ures ions ons ents ants ates ives als ars ys ts ks ws ls"
).split()
"""Endings of words that are no names, where one opens a sentence and the word list does not have it."""
_SAME = (
    ("hst", "hubble space telescope"),
    ("jwst", "james webb space telescope", "webb"),
    ("cmb", "cosmic microwave background"),
    ("milky way", "via lactea", "voie lactee", "milchstrasse", "via lattea", "melkweg", "आकाशगंगा", "银河"),
    (
        "solar system",
        "sistema solar",
        "systeme solaire",
        "sonnensystem",
        "sistema solare",
        "zonnestelsel",
        "सौर मंडल",
        "太阳系",
    ),
    ("local group", "grupo local", "groupe local", "lokale gruppe", "gruppo locale"),
    ("sun", "sol", "soleil", "sonne", "sole", "zon", "सूर्य", "太阳"),
    ("earth", "tierra", "terre", "erde", "terra", "aarde", "पृथ्वी", "地球"),
    ("moon", "luna", "lune", "mond", "lua", "maan", "चंद्रमा", "月球"),
    ("mars", "marte", "मंगल", "火星"),
    ("jupiter", "giove", "बृहस्पति", "木星"),
    ("saturn", "saturno", "saturne", "शनि", "土星"),
    ("venus", "venere", "शुक्र", "金星"),
    ("mercury", "mercurio", "mercure", "merkur", "बुध", "水星"),
    ("neptune", "neptuno", "neptun", "nettuno", "netuno", "海王星"),
    ("uranus", "urano", "天王星"),
    ("andromeda", "andromede", "andromède", "仙女"),
    ("cepheid", "cefeida", "cepheide", "cefeide", "cepheïde", "造父变星", "सेफिड"),
    ("universe", "universo", "univers", "universum", "universum", "heelal", "宇宙", "ब्रह्मांड"),
    ("big bang", "urknall", "oerknal", "大爆炸"),
    ("x-ray", "rayos x", "rayons x", "rontgen", "raggi x", "raios x", "x射线", "एक्स-रे"),
    ("galaxy", "galaxia", "galaxie", "galassia"),
)
"""Names that are translated or spelt out, in small letters without accents."""
_NO_NAMES = frozenset("i a the in on at we it this these that there here no yes fig figure table eq phd ok".split())


@dataclass(frozen=True, slots=True)
class Name:
    """A name where it stands."""

    text: str
    start: int
    end: int


def names(telling: Telling, language: Language | None) -> tuple[Name, ...]:
    """The names of a text, runs of capitalised words as one.

    Where nouns are capitalised, as in German, and where the language is not known, only those with two capitals,
    or a capital and a digit, and those of telescopes and objects that are known by name.
    """
    opening = {_first_letter(telling.plain, sentence.start, sentence.end) for sentence in telling.sentences}
    found: list[Name] = []
    for match in _TOKEN.finditer(telling.plain):
        text = _bare(match[0])
        if not _is_name(text, telling.plain, match.start(), language, opens=match.start() in opening):
            continue
        name = Name(text, match.start(), match.start() + len(text))
        before = found[-1] if found else None
        if before is not None and _JOINED.fullmatch(telling.plain, before.end, name.start):
            found[-1] = Name(telling.plain[before.start : name.end], before.start, name.end)
        elif any(map(str.isalpha, text)):
            found.append(name)
    return tuple(found)


def has_name(name: str, telling: Telling) -> bool:
    """Whether a text has the name: all its words in one sentence, their plural, its initials, or its translation."""
    if is_same_name(name, telling.plain):
        return True
    sentences = (f" {_folded(telling.plain[one.start : one.end])} " for one in telling.sentences)
    return any(all(_stands_in(word, there) for word in _folded(name).split()) for there in sentences)


def is_same_name(name: str, text: str) -> bool:
    """Whether `text` has the name as a whole, in one of its forms."""
    wanted, there = _folded(name), f" {_folded(text)} "
    if _stands_in(wanted, there):
        return True
    for same in _SAME:
        if any(_stem(wanted) == _stem(form) for form in same) and any(form in there for form in same):
            return True
    return _is_spelt_out(name, text)


def forms(name: str, language: Language | None) -> tuple[str, ...]:
    """The forms under which a name may stand in an original: in "SH0ES-Daten" it is "SH0ES"."""
    if language is ENGLISH or "-" not in name:
        return (name,)
    return (name, *(part for part in name.split("-") if part[:1].isupper() and len(part) > 2))


def _stands_in(words: str, there: str) -> bool:
    return re.search(rf"(?<![{LATIN}]){re.escape(_stem(words))}(?:['’]?s|es)?(?![{LATIN}])", there) is not None


def _stem(words: str) -> str:
    return words.removesuffix("s") if len(words) > 4 and not words.endswith("ss") else words


def _is_spelt_out(name: str, text: str) -> bool:
    """ "SDSS" as "Sloan Digital Sky Survey", and the reverse."""
    letters = re.sub(r"[^A-Z]", "", name)
    if len(letters) >= 3 and name.replace("-", "").rstrip("s").isupper():
        apart = r"[\w-]*(?:\s+(?:of|the|for|and|in)\b)*[\s-]+".join(re.escape(letter) for letter in letters)
        return re.search(rf"\b{apart}\w*", text, re.IGNORECASE) is not None
    initials = "".join(word[0] for word in re.split(r"[\s-]+", name) if word[:1].isupper())
    return len(initials) >= 3 and re.search(rf"\b{initials}s?\b", text) is not None


def _is_name(text: str, plain: str, start: int, language: Language | None, *, opens: bool) -> bool:
    if text.casefold() in _NO_NAMES or text.isdigit():
        return text.isdigit() and _follows_catalogue(plain, start)
    if _is_unit(text):
        return False
    if _ACRONYM.fullmatch(text) or (text[0].isupper() and text.casefold() in _known()):
        return True
    if not text[0].isupper() or language is None or language.name in ("German", "Hindi", "Chinese"):
        return False
    if not opens:
        return True
    return language is ENGLISH and _names_at_opening(text, plain, start + len(text))


def _names_at_opening(text: str, plain: str, end: int) -> bool:
    """Whether the capitalised word that opens a sentence is a name all the same."""
    after = plain[end : end + 12]
    if re.match(r"\s+(?:et\s+al\b|\(?[12]\d{3}\b)|['’]s\b", after):
        return True
    word = text.casefold()
    if {word, *lemmas(text)} & _everyday() or any(word.endswith(ending) for ending in _KINDS):
        return False
    return len(text) > 2


def _follows_catalogue(plain: str, start: int) -> bool:
    """Whether a number is one of a catalogue, or of a release: "NGC 1068", "DR3"."""
    before = re.search(r"([^\W_][\w-]*)\s$", plain[max(0, start - 16) : start])
    return before is not None and before[1].casefold() in CATALOGUES


def _is_unit(text: str) -> bool:
    """Whether a word is a unit, such as GHz, or a product of some."""
    found = read_unit(text, 0)
    return found is not None and found[1] == len(text) and not text[0].islower() | (len(text) < 2)


def _first_letter(plain: str, start: int, end: int) -> int:
    match = re.compile(r"[^\W_]").search(plain, start, end)
    return match.start() if match else start


def _bare(word: str) -> str:
    return re.sub(r"(?:['’]s|['’.])$", "", word)


def _folded(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text).casefold().replace("ß", "ss")
    plain = "".join(character for character in apart if not unicodedata.combining(character) or ord(character) > 0x36F)
    return " ".join(re.sub(r"[-–’']", " ", plain).split())


@lru_cache(maxsize=1)
def _known() -> frozenset[str]:
    return frozenset(FACILITIES | OBJECTS | PERSONS_TOO)


@lru_cache(maxsize=1)
def _everyday() -> frozenset[str]:
    return frozenset(word.casefold() for word in read_lexicon())
