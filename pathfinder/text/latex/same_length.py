"""Plain text of the same length: LaTeX and digits of other scripts are replaced in place.

Positions in the plain text are also positions in the original text: `len(plain_signs(text)) == len(text)`.
"""

import re
import unicodedata

from pathfinder.text.latex.search_text import SYMBOLS

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
