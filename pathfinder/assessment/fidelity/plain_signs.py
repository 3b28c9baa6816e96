r"""A text with its LaTeX and its digits of other scripts in plain signs, each sign where it was.

Nothing moves: `len(plain_signs(text)) == len(text)`, so that what is found in the one lies there in the other.
"""

import re
import unicodedata

_MACROS = {
    "pm": "±",
    "times": "×",
    "cdot": "·",
    "odot": "☉",
    "sim": "~",
    "approx": "≈",
    "leq": "≤",
    "geq": "≥",
    "le": "≤",
    "ge": "≥",
    "lesssim": "<",
    "gtrsim": ">",
    "mu": "μ",
    "circ": "°",
    "sigma": "σ",
    "oplus": "⊕",
    "Lambda": "Λ",
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
}
_TIE = re.compile(r"(?<=[\w$}).])~(?=[A-Za-z\\$])")
_DRESSING = re.compile(r"text\w*|math\w*|emph|rm|it|bf|mbox|left|right|boldsymbol")
_MACRO = re.compile(r"\\([A-Za-z]+)|\\[,;:! %]")
LATIN = "A-Za-zÀ-ɏͰ-Ͽ0-9_"
"""Letters and digits of scripts that put spaces between words, for a class of characters."""

_ONE = r"(?:\d{1,3}|[a-z]\d[a-z]\d[a-z])\??"
MARK = re.compile(rf"\[{_ONE}(?:\s*[,;]\s*{_ONE})*\]")
"""A citation as answers have them: [1], [1, 4], [k3q7z?]."""
_SIGNS = str.maketrans({"$": " ", "{": " ", "}": " ", "−": "-", "⊙": "☉", "µ": "μ"})


def plain_signs(text: str) -> str:
    """`text` without mathematics' dressing, of the same length."""
    text = _TIE.sub(" ", _MACRO.sub(_plain_macro, text))
    return "".join(map(_digit, text)).translate(_SIGNS)


def without_marks(text: str) -> str:
    """`text` with blanks where its [n] marks are, of the same length."""
    return MARK.sub(lambda mark: " " * len(mark[0]), text)


def _plain_macro(macro: re.Match[str]) -> str:
    if macro[1] is None:
        return macro[0][1].rjust(2) if macro[0][1] == "%" else "  "
    sign = _MACROS.get(macro[1], "" if _DRESSING.fullmatch(macro[1]) else macro[1])
    return sign.rjust(len(macro[0]))


def _digit(character: str) -> str:
    return str(unicodedata.decimal(character)) if character.isdecimal() else character
