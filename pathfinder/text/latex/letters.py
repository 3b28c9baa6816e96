r"""Letters written in LaTeX, such as "\'e", "\v{c}", "{\o}" and "\DJ{}", read as characters.

This is the only reader of them: titles and abstracts, names, full texts and reference lists all come here. The names
of letters and signs are those of pylatexenc's table; which letters an accent may stand on, Unicode says.
"""

import re
import unicodedata
from functools import cache
from types import MappingProxyType

from pathfinder.text.latex.symbols import ACCENTS, GREEK, LETTERS

_CAPITALS = {
    "capitalacute": "'", "capitalgrave": "`", "capitalcircumflex": "^", "capitaltilde": "~", "capitaldieresis": '"',
    "capitalmacron": "=", "capitaldotaccent": ".", "capitalbreve": "u", "capitalcaron": "v", "capitalring": "r",
    "capitalhungarumlaut": "H", "capitalcedilla": "c", "capitalogonek": "k",
}  # fmt: skip
_MARKS = {name: mark for name, mark in ACCENTS.items() if len(name) == 1} | {
    **{name: ACCENTS[accent] for name, accent in _CAPITALS.items()},
    "textcommabelow": "\u0326", "textcommaabove": "\u0313", "textogonekcentered": "\u0328", "textroundcap": "\u0311",
    "textdotbelow": "\u0323", "textmacronbelow": "\u0331", "textvbaccent": "\u030d",
    "f": "\u0311", "G": "\u030f", "C": "\u030f", "U": "\u030d", "h": "\u0309", "t": "\u0361", "newtie": "\u0361",
}  # fmt: skip
"""Accents in text, of LaTeX and of its packages for other languages, as combining marks."""
_SPACING = {
    "textasciitilde": "~", "textasciicircum": "^", "textasciigrave": "`", "textasciiacute": "'",
    "textasciidieresis": '"', "textasciimacron": "=", "textasciicaron": "v", "textasciibreve": "u",
    "textacutedbl": "H",
}  # fmt: skip
r"""Accents that stand alone; ADS once wrote "{\textasciitilde n}" for ñ."""
_OTHER_LETTERS = {
    "SS": "ẞ", "inodot": "ı", "jnodot": "ȷ", "OHORN": "Ơ", "ohorn": "ơ", "UHORN": "Ư", "uhorn": "ư",
    "textcrh": "ħ", "textEsh": "Ʃ", "textesh": "ʃ",
}  # fmt: skip

_LETTER = r"[A-Za-zªºÀ-ÖØ-öø-ʯḀ-ỿ][\u0300-\u036f]*"
_NAMES = "|".join(sorted((name for name in _MARKS if name.isalpha()), key=len, reverse=True))
_ACCENT = rf"(?:\\(?:a(?=['`=]))?(?P<sign>['`^\"~=.])|\\(?P<name>{_NAMES})(?![A-Za-z]))"
_ARGUMENT = (
    rf"(?:(?P<space>\s{{0,9}})(?P<bare>{_LETTER})|\s{{0,9}}\{{\s{{0,9}}(?:\{{\s{{0,9}}(?P<inner>{_LETTER})\s{{0,9}}\}}|"
    rf"(?P<first>{_LETTER})(?P<rest>[^{{}}\\]{{0,99}}))\}})"
)
_ACCENTED = re.compile(rf"(?P<kept>\\\\)|(?P<opening>\{{\s{{0,9}})?{_ACCENT}{_ARGUMENT}(?P<closing>\s{{0,9}}\}})?")
_ALONE = re.compile(
    rf"\{{\s{{0,9}}\\(?P<grouped>{'|'.join(_SPACING)})(?:\s{{1,9}}|\s{{0,9}}\{{\}})\s{{0,9}}(?P<letter>{_LETTER})\s{{0,9}}\}}"
    rf"|(?<=[^\W\d_])(?:\{{\\(?P<braced>{'|'.join(_SPACING)})\}}|\\(?P<bare>{'|'.join(_SPACING)})(?:\{{\}}|\s))"
    rf"(?P<next>{_LETTER})"
)
_NAMED = re.compile(
    r"(?P<kept>\\\\)|(?P<opening>\{\s{0,9})?\\(?P<name>[A-Za-z]{1,20})(?![A-Za-z])(?:(?P<closing>\s{0,9}\})|\{\}|(?P<space>\s+))?"
)
_UNIT = re.compile(r"[\d)}$](?:\s|~|\\[,; ])?$")
r"""What comes before the unit in "5007 \AA"."""
_SORTED_AS = re.compile(r"\\[A-Z]{2,20}\s?\{([^{}]{1,30})\}\s?\{([^{}]{1,30})\}\s?\{([^{}]{1,30})\}")
r"""A particle under which a list is not sorted: "\VAN{Dokkum}{Van}{van}"."""
_MOST_ACCENTS = 4
"""Limit on the number of accents on one letter; Vietnamese has two."""


@cache
def named_signs() -> MappingProxyType[str, str]:
    r"""Return the characters that macros without arguments stand for, by name: the letters of European languages, and
    the signs called `\text...` or `\quote...`.
    """
    from pylatexenc.latexencode import get_builtin_uni2latex_dict

    signs: dict[str, str] = {}
    for code, tex in get_builtin_uni2latex_dict().items():
        name, sign = tex[1:], chr(code)
        is_letter = unicodedata.category(sign).startswith("L") and code < 0x530
        if (
            tex.startswith("\\")
            and name.isalpha()
            and name not in GREEK
            and (is_letter or name.startswith(("text", "quote", "guil")))
        ):
            signs.setdefault(name, sign)
    signs |= {"guillemetleft": "«", "guillemetright": "»", "textquotedbl": '"', "textcompwordmark": ""}
    return MappingProxyType(signs | _OTHER_LETTERS | LETTERS | {"AA": "Å"})


def letters(text: str) -> str:
    """Return LaTeX with its letters as characters, without the braces around a single one; all else is kept.

    `text` must not be mathematics, in which some of these macros have another meaning.
    """
    if "\\" not in text:
        return text
    text = _ALONE.sub(_with_mark_before, _NAMED.sub(_named, _SORTED_AS.sub(_particle, text)))
    for _ in range(_MOST_ACCENTS):
        before, text = text, _ACCENTED.sub(_accented, text)
        if text == before:
            break
    return text


def accented(accent: str, letter: str) -> str:
    """Return `letter` with an accent, given as the name of its macro; one character if Unicode has it.

    The dot of i and j makes room for an accent, and a dot on them is their own.
    """
    base = {"ı": "i", "ȷ": "j"}.get(letter[:1], letter[:1]) + letter[1:]
    mark = _MARKS.get(accent) or ACCENTS[accent]
    if base in ("i", "j") and mark == ACCENTS["."]:
        return base
    return unicodedata.normalize("NFC", base + mark)


def _accented(match: re.Match[str]) -> str:
    if match["kept"]:
        return match["kept"]
    accent, letter = match["sign"] or match["name"], match["bare"] or match["inner"] or match["first"]
    whole = accented(accent, letter)
    if match["sign"] and match["space"] and not match["opening"] and len(whole) > 1:
        return match[0]
    return _in_its_braces(match, whole + (match["rest"] or ""))


def _named(match: re.Match[str]) -> str:
    sign = named_signs().get(match["name"] or "", "")
    if not sign.isalpha() or match["name"].startswith("textascii"):
        return match[0]
    is_unit = match["name"] in ("AA", "textohm") and _UNIT.search(
        match.string, max(0, match.start() - 3), match.start()
    )
    return _in_its_braces(match, sign) + (" " if is_unit and match["space"] else "")


def _in_its_braces(match: re.Match[str], text: str) -> str:
    """Return `text` without the braces around the match; a single one belongs to what stands beside it."""
    if match["opening"] and match["closing"]:
        return text
    return (match["opening"] or "") + text + (match["closing"] or "")


def _with_mark_before(match: re.Match[str]) -> str:
    name, letter = match["grouped"] or match["braced"] or match["bare"], match["letter"] or match["next"]
    whole = accented(_SPACING[name], letter)
    return whole if len(whole) == 1 else match[0]


def _particle(match: re.Match[str]) -> str:
    return match[3] if match[2].lower() == match[3].lower() else match[0]
