"""Lemmas of a phrase: two phrases with the same sequence of lemmas are the same keyword.

The same function reads papers when a corpus is built and questions when it is searched. It does not depend on a model,
so the lemmas of a phrase never change during the lifetime of a corpus.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache

from pathfinder.profile import shipped_compounds
from pathfinder.text.english import pairs, words
from pathfinder.text.inflection import PREFIXES, base_form
from pathfinder.text.latex.letters import GREEK
from pathfinder.text.latex.search_text import SYMBOLS, plain_text, subscripts_written_on
from pathfinder.text.quantities.unit_table import WORD_UNITS

_DASH = re.compile("[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")
_APOSTROPHE = re.compile("[\u2018\u2019\u02bc\u2032`\u00b4]")
_POSSESSIVE = re.compile(r"(?<=[^\W_])'s?(?![^\W_])")
_TOKEN = re.compile(r"[^\W_]+(?:(?:[.+](?=\d)|-+)[^\W_]+)*[*+#]*")
_LETTERS_THEN_DIGITS = re.compile(r"([^\W\d_]+)-?(\d.*)")
_QUANTITY = re.compile(r"(\d+(?:\.\d+)?)([^\W\d_]+)")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")

_UNITS = {unit.casefold(): unit.casefold() for unit in (*WORD_UNITS, "m", "Å")} | pairs("um:μm ujy:μjy")
"""Lower-case units that are joined to the number before them, each with its standard spelling."""
_SPELLINGS = {
    name: SYMBOLS[name] for name in GREEK if name.islower() and not name.startswith("var") and name != "upsilon"
}
"""Words with several spellings, each with the spelling that represents all of them. "Upsilon" stays as it is, because
existing corpora contain it as a word.
"""
_ELEMENT_SYMBOLS = words("al ar c ca fe h he k mg mn n na ne o s si ti")
_ION_STAGES = words("i ii iii iv v vi vii viii")
_COMPOUNDS = frozenset({("data", "set"), ("wave", "form"), ("wave", "length")})


N_CACHED = 1 << 18
"""Number of phrases whose lemmas are cached: about as many keywords as 17,000 papers have. A build needs them again
for each scale of the map's names.
"""


@lru_cache(maxsize=N_CACHED)
def lemmas(phrase: str) -> tuple[str, ...]:
    """Return the lower-case lemmas of `phrase`, in order; phrases with equal lemmas are the same keyword.

    Number ("galaxies"), British spelling ("ionisation"), hyphens and dashes ("X–ray") and spelled-out Greek
    ("Lyman-alpha") make no difference; names keep their digits and marks ("wasp-43b", "21-cm", "m87*"). The result is
    empty if `phrase` has no letters or digits. `lemmas(" ".join(lemmas(x))) == lemmas(x)`.
    """
    word_lemmas: list[str] = []
    for lemma in _token_lemmas(_fold(phrase)):
        word_lemmas.append(lemma)
        while len(word_lemmas) > 1 and (compound := _join(*word_lemmas[-2:])) is not None:
            word_lemmas[-2:] = [compound]
    return tuple(word_lemmas)


def _fold(phrase: str) -> str:
    if "$" in phrase or "\\" in phrase:
        phrase = plain_text(phrase)
    if not phrase.isascii():
        phrase = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", phrase).casefold())
        phrase = _APOSTROPHE.sub("'", _DASH.sub("-", phrase)).replace("\u00ad", "")
    return subscripts_written_on(_POSSESSIVE.sub("", phrase.casefold()))


def _token_lemmas(folded_text: str) -> Iterator[str]:
    for token in _TOKEN.findall(folded_text):
        if "-" in token:
            yield from map(_lemma, _hyphen_parts(token))
        else:
            yield _lemma(token)


def _hyphen_parts(token: str) -> list[str]:
    """Split a token at hyphens between words, but not before a number or between a number and its unit."""
    first, *others = (part for part in token.split("-") if part)
    parts = [first]
    for part in others:
        is_quantity = part in _UNITS and _NUMBER.fullmatch(parts[-1].rpartition("-")[2])
        if part[0].isdigit() or is_quantity:
            parts[-1] += f"-{_UNITS.get(part, part)}"
        else:
            parts.append(part)
    return parts


def _lemma(token: str) -> str:
    if token.isalpha():
        form = base_form(token)
        return _spellings().get(form, form)
    designation = _LETTERS_THEN_DIGITS.fullmatch(token)
    if designation is not None:
        return _designation(designation[1], designation[2]) or token
    quantity = _QUANTITY.fullmatch(token)
    if quantity is not None and quantity[2] in _UNITS:
        return f"{quantity[1]}-{_UNITS[quantity[2]]}"
    return token


@cache
def _spellings() -> dict[str, str]:
    return _SPELLINGS | dict(shipped_compounds().spellings)


@cache
def _unspaced_pattern() -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(sorted(shipped_compounds().unspaced))})\*?")


@cache
def _pairs() -> frozenset[tuple[str, str]]:
    return _COMPOUNDS | shipped_compounds().pairs


@cache
def _series() -> dict[str, str]:
    return dict(shipped_compounds().series)


def is_unspaced_name(word: str) -> bool:
    """Return whether a word in lower case is a name that is usually written without a space: "gw170817", "m31"."""
    return _unspaced_pattern().fullmatch(word) is not None


def _designation(letters: str, number: str) -> str | None:
    if letters in shipped_compounds().catalogues:
        return f"{letters}-{number}"
    return letters + number if is_unspaced_name(letters + number) else None


def _join(first: str, second: str) -> str | None:
    """Return the single lemma that two neighbouring lemmas form together, or `None`."""
    if first in PREFIXES and second.isalpha() and len(second) > 2:
        return base_form(first + second)
    if second[0].isdigit():
        return _designation(first, second)
    if (first, second) in _pairs() or _is_ion(first, second) or _is_planet(first, second):
        return first + second
    if second in _UNITS and _NUMBER.fullmatch(first):
        return f"{first}-{_UNITS[second]}"
    return _series()[first] + second if first in _series() and second in ("α", "β", "γ", "δ") else None


def _is_ion(first: str, second: str) -> bool:
    """Return whether two lemmas name an ion: "H II" is "HII", but "N I" would read as nickel."""
    return first in _ELEMENT_SYMBOLS and second in _ION_STAGES and first + second not in _ELEMENT_SYMBOLS


def _is_planet(first: str, second: str) -> bool:
    """Return whether two lemmas name a planet: "WASP-43 b" is "WASP-43b"."""
    catalogue, _, number = first.partition("-")
    return (
        second in "bcdefghi"
        and len(second) == 1
        and catalogue in shipped_compounds().catalogues
        and number[-1:].isdigit()
    )
