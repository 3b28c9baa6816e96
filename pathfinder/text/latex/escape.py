"""Escapes LaTeX's special characters in a text, leaving existing mathematics and macros alone."""

import re
import unicodedata

from pathfinder.text.latex.display import readable
from pathfinder.text.latex.mathematics import Span, spans
from pathfinder.text.latex.symbols import ACCENTS, GREEK, LETTERS, OPERATORS, SIGNS, SUBSCRIPTS, SUPERSCRIPTS

_PIECE = re.compile(r"(\\(?:[A-Za-z]+\*?|[^A-Za-z0-9\s])|[{}])|([\^_])\{([^{}]*)\}|(.)", re.DOTALL)
_TIE = re.compile(r"(?<=[\w.,}\)$])~(?=[\w\\$])")
_MARKS = {mark: macro for macro, mark in ACCENTS.items() if len(macro) == 1}
_SYMBOLS = {
    sign: macro for macro, sign in (SIGNS | OPERATORS | GREEK).items() if len(sign) == 1 and not sign.isascii()
} | {"☉": "odot", "µ": "mu"}
_ESCAPES = {
    "&": r"\&", "%": r"\%", "#": r"\#", "$": r"\$", "_": r"\_", "^": r"\^{}", "~": r"\textasciitilde{}",
    "\\": r"\textbackslash{}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    "–": "--", "—": "---", "“": "``", "”": "''", "‘": "`", "’": "'", "…": r"\ldots{}", "°": r"\textdegree{}",
    "\N{NO-BREAK SPACE}": "~",
}  # fmt: skip
_CHARACTERS = (
    {sign: rf"$\{macro}$" for sign, macro in _SYMBOLS.items()}
    | {letter: rf"{{\{macro}}}" for macro, letter in LETTERS.items()}
    | {chr(high): rf"\textsuperscript{{{chr(low)}}}" for low, high in SUPERSCRIPTS.items() if chr(low).isascii()}
    | {chr(deep): rf"\textsubscript{{{chr(low)}}}" for low, deep in SUBSCRIPTS.items() if chr(low).isascii()}
    | _ESCAPES
)


def escape_tex(text: str) -> str:
    """Return `text` escaped so that LaTeX prints it literally. Existing mathematics, macros and groups are kept.

    If its braces do not match, the text cannot be LaTeX and is treated as plain text. The braces of the result always
    match, as BibTeX requires.
    """
    if not _is_balanced(text):
        text = readable(text).replace("{", "(").replace("}", ")")
    return "".join(map(_escaped_span, spans(_TIE.sub("\N{NO-BREAK SPACE}", text))))


def _is_balanced(text: str) -> bool:
    depth = 0
    for character in text:
        depth += {"{": 1, "}": -1}.get(character, 0)
        if depth < 0:
            return False
    return depth == 0 and all(span.text.count("{") == span.text.count("}") for span in spans(text))


def _escaped_span(span: Span) -> str:
    if not span.is_mathematics:
        return _PIECE.sub(_escaped_piece, span.text)
    formula = span.text.replace("\N{NO-BREAK SPACE}", "~").rstrip("\\")
    return "$" + "".join(rf"\{_SYMBOLS[sign]} " if sign in _SYMBOLS else sign for sign in formula) + "$"


def _escaped_piece(piece: re.Match[str]) -> str:
    unchanged, script, scripted, character = piece.groups()
    if unchanged is not None:
        return unchanged
    if script is not None:
        inner = _PIECE.sub(_escaped_piece, scripted)
        return rf"\text{'super' if script == '^' else 'sub'}script{{{inner}}}"
    return _CHARACTERS.get(character) or _decomposed(character)


def _decomposed(character: str) -> str:
    r"""Write é as {\'e}; a character without such a form is kept, for LaTeX engines that read Unicode."""
    parts = unicodedata.normalize("NFD", character)
    is_accented = len(parts) == 2 and parts[0].isascii() and parts[1] in _MARKS
    return rf"{{\{_MARKS[parts[1]]}{{{parts[0]}}}}}" if is_accented else character
