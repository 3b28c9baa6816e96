"""Escapes LaTeX's special characters in a text, leaving existing mathematics and macros alone."""

import re
import unicodedata

from pathfinder.text.latex.display import readable
from pathfinder.text.latex.mathematics import Span, is_settable, spans
from pathfinder.text.latex.symbols import ACCENTS, GREEK, LETTERS, OPERATORS, SIGNS, SUBSCRIPTS, SUPERSCRIPTS
from pathfinder.types import without_control_characters

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
_LITERAL = _CHARACTERS | {"{": r"\textbraceleft{}", "}": r"\textbraceright{}", "~": r"$\sim$"}
_OF_PACKAGES = (
    (re.compile(r"\\degree(?![A-Za-z])"), r"^\\circ "),
    (re.compile(r"\\bm(?![A-Za-z])"), r"\\boldsymbol"),
    (re.compile(r"\\mathscr(?![A-Za-z])"), r"\\mathcal"),
    (re.compile(r"\\lt(?![A-Za-z])"), "<"),
    (re.compile(r"\\gt(?![A-Za-z])"), ">"),
)
"""Macros from KaTeX or other packages, each with its counterpart in LaTeX with amsmath and amssymb."""


def inert_tex(text: str) -> str:
    r"""Return `text` in a safe form for a LaTeX document with the packages amsmath and amssymb.

    Mathematics that `is_settable` accepts is kept; everything else is printed as plain text, and no macro in
    it is run. A character that LaTeX may not know stays as it is.
    """
    text = unicodedata.normalize("NFC", without_control_characters(text))
    # Only an author who writes LaTeX uses a tilde for a space; in "z~2" it means "about".
    without_ties = _TIE.sub("\N{NO-BREAK SPACE}", text) if "\\" in text or "$" in text else text
    return "".join(map(_inert_span, spans(without_ties)))


def _inert_span(span: Span) -> str:
    formula = span.text.strip().replace("\N{NO-BREAK SPACE}", "~")
    if span.is_mathematics and is_settable(formula):
        for macro, counterpart in _OF_PACKAGES:
            formula = macro.sub(counterpart, formula)
        return _escaped_span(Span(formula, is_mathematics=True))
    outer = span.text if not span.is_mathematics else ""
    before, behind = outer[: len(outer) - len(outer.lstrip())], outer[len(outer.rstrip()) :]
    words = readable(f"${span.text}$" if span.is_mathematics else span.text)
    return f"{before}{''.join(_LITERAL.get(sign) or _decompose(sign) for sign in words)}{behind}"


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
        return _PIECE.sub(_escape_piece, span.text)
    formula = span.text.replace("\N{NO-BREAK SPACE}", "~").rstrip("\\")
    return "$" + "".join(rf"\{_SYMBOLS[sign]} " if sign in _SYMBOLS else sign for sign in formula) + "$"


def _escape_piece(piece: re.Match[str]) -> str:
    verbatim, script, argument, character = piece.groups()
    if verbatim is not None:
        return verbatim
    if script is not None:
        inner = _PIECE.sub(_escape_piece, argument)
        return rf"\text{'super' if script == '^' else 'sub'}script{{{inner}}}"
    return _CHARACTERS.get(character) or _decompose(character)


def _decompose(character: str) -> str:
    r"""Write é as {\'e}; a character without such a form is kept, for LaTeX engines that read Unicode."""
    parts = unicodedata.normalize("NFD", character)
    is_accented = len(parts) == 2 and parts[0].isascii() and parts[1] in _MARKS
    return rf"{{\{_MARKS[parts[1]]}{{{parts[0]}}}}}" if is_accented else character
