"""What makes two phrases the same keyword: the sequence of their lemmas.

The same function reads papers when a corpus is built and questions when it is searched. It needs no
model, so that a phrase has one reading for as long as a corpus lives.
"""

import re
import unicodedata
from collections.abc import Iterator

from pathfinder.corpus.language.inflection import PREFIXES, base_form
from pathfinder.corpus.language.latex import plain_text, subscripts_written_on
from pathfinder.corpus.language.wordlists import pairs, words

_DASH = re.compile("[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")
_APOSTROPHE = re.compile("[\u2018\u2019\u02bc\u2032`\u00b4]")
_POSSESSIVE = re.compile(r"(?<=[^\W_])'s?(?![^\W_])")
_TOKEN = re.compile(r"[^\W_]+(?:(?:[.+](?=\d)|-+)[^\W_]+)*[*+#]*")
_LETTERS_THEN_DIGITS = re.compile(r"([^\W\d_]+)-?(\d.*)")
_QUANTITY = re.compile(r"(\d+(?:\.\d+)?)([^\W\d_]+)")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")

_UNITS = words("å au cm ev gev ghz gyr hz kev khz km kpc ly m mev mhz mm mpc myr nm pc pev tev yr μm")
_WORDS = {
    **pairs(
        "alpha:α beta:β gamma:γ delta:δ epsilon:ε zeta:ζ eta:η theta:θ iota:ι kappa:κ lambda:λ mu:μ nu:ν xi:ξ pi:π"
    ),
    **pairs("rho:ρ sigma:σ tau:τ phi:φ chi:χ psi:ψ omega:ω"),
    **pairs("halpha:hα hbeta:hβ lyalpha:lyα lcdm:λcdm"),
}
_CATALOGUES = words(
    "abell corot epic gj gl gliese hats hd hip hr ic k2 kelt kepler koi lhs ltt mcg mkn mrk ngc ogle pks psr tic "
    "toi trappist tres ugc wasp wr xo"
)
"""Catalogues whose entries are written "NGC 1068", "NGC1068" and "NGC-1068"; the last is the one used here."""
_EVENT = re.compile(r"(?:m\d{1,3}|(?:gw|grb|frb)\d{6}.*|(?:sn|at)\d{4}[a-z]+)[*]?")
"""Names that are written without a space more often than with one: "GW170817", "SN1987A", "M31"."""
_ELEMENTS = words("al ar c ca fe h he k mg mn n na ne o s si ti")
_IONS = words("i ii iii iv v vi vii viii")
_SERIES = pairs("h:h ly:ly lyman:ly pa:pa br:br")
_COMPOUNDS = frozenset(
    {("data", "set"), ("light", "curve"), ("red", "shift"), ("wave", "form"), ("wave", "length"), ("λ", "cdm")}
)


def lemmas(phrase: str) -> tuple[str, ...]:
    """The lower-cased lemmas of `phrase` in order; phrases with equal lemmas are one keyword.

    Number ("galaxies"), British spelling ("ionisation"), hyphens and dashes ("X–ray") and spelled-out
    Greek ("Lyman-alpha") make no difference; names keep their digits and marks ("wasp-43b", "21-cm",
    "m87*"). Empty when there is neither letter nor digit. `lemmas(" ".join(lemmas(x))) == lemmas(x)`.
    """
    found: list[str] = []
    for lemma in _single_lemmas(_folded(phrase)):
        found.append(lemma)
        while len(found) > 1 and (joined := _joined(*found[-2:])) is not None:
            found[-2:] = [joined]
    return tuple(found)


def _folded(phrase: str) -> str:
    if "$" in phrase or "\\" in phrase:
        phrase = plain_text(phrase)
    if not phrase.isascii():
        phrase = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", phrase).casefold())
        phrase = _APOSTROPHE.sub("'", _DASH.sub("-", phrase)).replace("\u00ad", "")
    return subscripts_written_on(_POSSESSIVE.sub("", phrase.casefold()))


def _single_lemmas(folded: str) -> Iterator[str]:
    for token in _TOKEN.findall(folded):
        if "-" in token:
            yield from map(_lemma, _hyphen_parts(token))
        else:
            yield _lemma(token)


def _hyphen_parts(token: str) -> list[str]:
    """A hyphen between words is a space; one before a number, or between a number and its unit, is part of a name."""
    first, *others = (part for part in token.split("-") if part)
    parts = [first]
    for part in others:
        is_quantity = part in _UNITS and _NUMBER.fullmatch(parts[-1].rpartition("-")[2])
        if part[0].isdigit() or is_quantity:
            parts[-1] += f"-{part}"
        else:
            parts.append(part)
    return parts


def _lemma(token: str) -> str:
    if token.isalpha():
        form = base_form(token)
        return _WORDS.get(form, form)
    name = _LETTERS_THEN_DIGITS.fullmatch(token)
    if name is not None:
        return _designation(name[1], name[2]) or token
    quantity = _QUANTITY.fullmatch(token)
    if quantity is not None and quantity[2] in _UNITS:
        return f"{quantity[1]}-{quantity[2]}"
    return token


def _designation(letters: str, number: str) -> str | None:
    if letters in _CATALOGUES:
        return f"{letters}-{number}"
    return letters + number if _EVENT.fullmatch(letters + number) else None


def _joined(left: str, right: str) -> str | None:
    """The one lemma that two neighbours are, or `None`."""
    if left in PREFIXES and right.isalpha() and len(right) > 2:
        return base_form(left + right)
    if right[0].isdigit():
        return _designation(left, right)
    if (left, right) in _COMPOUNDS or _is_ion(left, right) or _is_planet(left, right):
        return left + right
    if right in _UNITS and _NUMBER.fullmatch(left):
        return f"{left}-{right}"
    return _SERIES[left] + right if left in _SERIES and right in ("α", "β", "γ", "δ") else None


def _is_ion(left: str, right: str) -> bool:
    """ "H II" is "HII"; "N I" would read as nickel."""
    return left in _ELEMENTS and right in _IONS and left + right not in _ELEMENTS


def _is_planet(left: str, right: str) -> bool:
    """ "WASP-43 b" is "WASP-43b"."""
    catalogue, _, number = left.partition("-")
    return right in "bcdefghi" and len(right) == 1 and catalogue in _CATALOGUES and number[-1:].isdigit()
