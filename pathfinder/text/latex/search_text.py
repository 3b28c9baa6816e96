"""LaTeX read as plain text: the words of a title or an abstract, without markup.

The plain text is for finding words, not for display: exponents, brackets and fractions lose their layout.
"""

import re
import unicodedata
from collections.abc import Callable

from pathfinder.text.english import pairs
from pathfinder.text.latex.letters import GREEK, letters

_GREEK = {name: unicodedata.normalize("NFKC", letter).replace("ς", "σ") for name, letter in GREEK.items()}
"""Greek letters by macro name; variants of a letter count as that letter."""
SYMBOLS = {
    **_GREEK,
    **pairs("sim:∼ simeq:∼ approx:∼ cong:∼ equiv:≡ propto:∝ pm:± mp:∓ times:× cdot:· sum:∑ int:∫ in:∈ partial:∂"),
    **pairs(
        "le:< leq:< leqslant:< lesssim:< lessapprox:< ll:< lt:< ge:> geq:> geqslant:> gtrsim:> gtrapprox:> gg:> gt:>"
    ),
    **pairs(
        "odot:⊙ sun:⊙ oplus:⊕ circ:° deg:° degr:° star:* ast:* prime:' ell:ℓ infty:∞ hbar:ħ nabla:∇ to:→ rightarrow:→"
    ),
    **pairs("AA:Å aa:å ae:æ AE:Æ oe:œ OE:Œ o:ø O:Ø l:ł L:Ł ss:ß i:i j:j Msun:M⊙ msun:M⊙ HI:HI HII:HII kms:km/s"),
}
"""Replacements for macros in word search: relations are reduced to a few, and variants of a letter to that letter."""
_ROMAN = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")

_NOT_TEXT = re.compile(
    r"\\(?:cite[a-z]*|[Ss]ort[Nn]oop|noopsort|url|label|ref|vspace|hspace|color|textcolor)\*?"
    r"(?:\[[^\]]{0,200}+\])*\{[^{}]*\}"
)
_LINK = re.compile(r"\\href\{[^{}]*\}")
_CODE_POINT = re.compile(r"\\unicode\{x([0-9A-Fa-f]{2,5})\}")
_ION = re.compile(r"\\ion\{([A-Z][a-z]?)\}\{\s*\\?([a-z]+|\d)\s*\}")
_COMMAND = re.compile(r"\\([A-Za-z]+)\*?[ ]?|\\(.)")
_ISOTOPE = re.compile(r"(?<![\w)\]])\^(?=\d)")
_SIGN_SUBSCRIPT = re.compile(r"_(?=[⊙⊕*+∞])")
_SUBSCRIPT = re.compile(r"(?<![^\W\d_]{3})_(?=[^\W_])")


def plain_text(text: str) -> str:
    r"""Return `text` with its LaTeX resolved: "$\Lambda$CDM" is "ΛCDM", "H$_0$" is "H_0", "M$_\odot$" is "M⊙".

    Subscripts and exponents keep their _ or ^, and unknown commands are replaced by their contents. Text without LaTeX
    is only converted to Unicode's composed form.
    """
    if "\\" in text:
        text = letters(text)
        for pattern, resolve in _COMMANDS:
            text = pattern.sub(resolve, text)
    text = text.translate(_MARKUP).replace("---", "—").replace("--", "–")
    return unicodedata.normalize("NFC", _SIGN_SUBSCRIPT.sub("", _ISOTOPE.sub("", text)))


def subscripts_written_on(text: str) -> str:
    """Write "H_0" as "H0" and "M_BH" as "MBH"; an underscore after three letters belongs to a name and is kept."""
    return _SUBSCRIPT.sub("", text)


def _ion(match: re.Match[str]) -> str:
    stage = match[2]
    return f"{match[1]} {_ROMAN[int(stage)] if stage.isdigit() else stage.upper()}"


def _command(match: re.Match[str]) -> str:
    if match[1]:
        return SYMBOLS.get(match[1], "")
    return match[2] if match[2] in "%&#_" else " "


_MARKUP = str.maketrans({"\\": "", "$": "", "{": "", "}": "", "~": " "})
_COMMANDS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (_NOT_TEXT, " "),
    (_LINK, ""),
    (_CODE_POINT, lambda match: chr(int(match[1], 16))),
    (_ION, _ion),
    (_COMMAND, _command),
)


# Plain text of the same length: LaTeX and digits of other scripts are replaced in place.

_TIE = re.compile(r"(?<=[\w$}).])~(?=[A-Za-z\\$])")
_DRESSING = re.compile(r"text\w*|math\w*|emph|rm|it|bf|mbox|left|right|boldsymbol")
_MACRO = re.compile(r"\\([A-Za-z]+)|\\[,;:! %]")
_READ_AS = {**SYMBOLS, "sim": "~", "approx": "≈"}
_SIGNS = str.maketrans({"$": " ", "{": " ", "}": " ", "−": "-", "☉": "⊙", "µ": "μ"})


def plain_signs(text: str) -> str:
    """Return `text` with LaTeX replaced character by character and digits converted to ASCII, without changing its
    length.
    """
    text = _TIE.sub(" ", _MACRO.sub(_plain_macro, text))
    return "".join(map(_digit, text)).translate(_SIGNS).replace("---", " — ").replace("--", " –")


def _plain_macro(macro: re.Match[str]) -> str:
    if macro[1] is None:
        return macro[0][1].rjust(2) if macro[0][1] == "%" else "  "
    sign = _READ_AS.get(macro[1], "" if _DRESSING.fullmatch(macro[1]) else macro[1])
    return sign.rjust(len(macro[0]))


def _digit(character: str) -> str:
    return str(unicodedata.decimal(character)) if character.isdecimal() else character
