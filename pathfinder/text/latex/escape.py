"""Writes text for LaTeX and BibTeX: mathematics stays mathematics, and everything else is printed as it is read."""

import re
import unicodedata
from itertools import chain, zip_longest

from pathfinder.text.latex.display import readable
from pathfinder.text.latex.mathematics import Span, is_settable, spans
from pathfinder.text.latex.symbols import ACCENTS, GREEK, LETTERS, OPERATORS, SIGNS, SUBSCRIPTS, SUPERSCRIPTS
from pathfinder.types import without_control_characters

_TIE = re.compile(r"(?<=[\w.,}\)$])~(?=[\w\\$])")
_MARKS = {mark: macro for macro, mark in ACCENTS.items() if len(macro) == 1}
_SYMBOLS = {
    sign: macro for macro, sign in (SIGNS | OPERATORS | GREEK).items() if len(sign) == 1 and not sign.isascii()
} | {"☉": "odot", "µ": "mu"}
_LITERAL = (
    {sign: rf"$\{macro}$" for sign, macro in _SYMBOLS.items()}
    | {letter: rf"{{\{macro}}}" for macro, letter in LETTERS.items()}
    | {
        "&": r"\&", "%": r"\%", "#": r"\#", "$": r"\$", "_": r"\_", "^": r"\^{}", "~": r"$\sim$",
        "\\": r"\textbackslash{}", "{": r"\textbraceleft{}", "}": r"\textbraceright{}",
        "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
        "–": "--", "—": "---", "“": "``", "”": "''", "‘": "`", "’": "'", "…": r"\ldots{}", "°": r"\textdegree{}",
        "\N{NO-BREAK SPACE}": "~",
    }
)  # fmt: skip
_RAISED = {chr(high): chr(low) for low, high in SUPERSCRIPTS.items() if chr(low).isascii()}
_LOWERED = {chr(deep): chr(low) for low, deep in SUBSCRIPTS.items() if chr(low).isascii()}
_SCRIPT = re.compile(f"([{''.join(_RAISED)}]+)|([{''.join(_LOWERED)}]+)|(.)", re.DOTALL)
_BARE_SCRIPT = re.compile(r"([\^_])\{([^{}]*)\}")
_OF_PACKAGES = (
    (re.compile(r"\\degree(?![A-Za-z])"), r"^\\circ "),
    (re.compile(r"\\bm(?![A-Za-z])"), r"\\boldsymbol"),
    (re.compile(r"\\mathscr(?![A-Za-z])"), r"\\mathcal"),
    (re.compile(r"\\lt(?![A-Za-z])"), "<"),
    (re.compile(r"\\gt(?![A-Za-z])"), ">"),
    (re.compile(r"\\\{"), r"\\lbrace "),
    (re.compile(r"\\\}"), r"\\rbrace "),
)
"""Macros from KaTeX or other packages, each with its counterpart in LaTeX with amsmath and amssymb; and braces that are
printed, because BibTeX counts them like any others.
"""


def inert_tex(text: str) -> str:
    r"""Return `text`, on one line, in a safe form for LaTeX with the packages amsmath and amssymb, and for BibTeX.

    Mathematics that `is_settable` accepts is kept; everything else is printed as `readable` reads it, and no macro in
    it is run. The braces always match, and nothing at the beginning can be taken for an argument of what stands before
    it. A character that LaTeX may not know stays as it is.
    """
    text = unicodedata.normalize("NFC", without_control_characters(text))
    # Only an author who writes LaTeX uses a tilde for a space; in "z~2" it means "about".
    without_ties = _TIE.sub("\N{NO-BREAK SPACE}", text) if "\\" in text or "$" in text else text
    inert = "".join(map(_inert_span, spans(without_ties)))
    return f"{{{inert[0]}}}{inert[1:]}" if inert.startswith(("[", "*")) else inert


def _inert_span(span: Span) -> str:
    if span.is_mathematics:
        formula = span.text.strip().replace("\N{NO-BREAK SPACE}", "~")
        formula = "".join(rf"\{_SYMBOLS[sign]} " if sign in _SYMBOLS else sign for sign in formula)
        if not is_settable(formula):
            return _printed(readable(f"${span.text}$"))
        for macro, counterpart in _OF_PACKAGES:
            formula = macro.sub(counterpart, formula)
        return f"${formula}$"
    # Without a macro around it, a script such as that in "T_{eff}" is printed as one.
    parts = _BARE_SCRIPT.split(span.text) if "\\" not in span.text else [span.text]
    scripts = (
        rf"\text{'super' if sign == '^' else 'sub'}script{{{_printed(readable(words))}}}"
        for sign, words in zip(parts[1::3], parts[2::3], strict=True)
    )
    return "".join(chain.from_iterable(zip_longest(map(_words, parts[::3]), scripts, fillvalue="")))


def _words(text: str) -> str:
    """Print text that is no mathematics, with a space where it begins or ends with one."""
    words = readable(text)
    before, behind = (" " if edge.isspace() else "" for edge in (text[:1], text[-1:]))
    return f"{before}{_printed(words)}{behind}" if words else before


def _printed(words: str) -> str:
    """Write plain characters so that LaTeX prints them."""
    return _SCRIPT.sub(_printed_piece, words)


def _printed_piece(piece: re.Match[str]) -> str:
    raised, lowered, character = piece.groups()
    if raised is not None:
        return rf"\textsuperscript{{{''.join(_RAISED[sign] for sign in raised)}}}"
    if lowered is not None:
        return rf"\textsubscript{{{''.join(_LOWERED[sign] for sign in lowered)}}}"
    return _LITERAL.get(character) or _decompose(character)


def _decompose(character: str) -> str:
    r"""Write é as {\'e}; a character without such a form is kept, for LaTeX engines that read Unicode."""
    parts = unicodedata.normalize("NFD", character)
    is_accented = len(parts) == 2 and parts[0].isascii() and parts[1] in _MARKS
    return rf"{{\{_MARKS[parts[1]]}{{{parts[0]}}}}}" if is_accented else character
