"""Reads LaTeX that was written for BibTeX: accents and escapes become characters, mathematics stays mathematics."""

import re

from pathfinder.text.latex.mathematics import Span, spans
from pathfinder.text.latex.unicode import plain

_LATEX = re.compile(r"[\\{}$~^`]|--|''")
_TIE = re.compile(r"(\\.)|(?<=\S)~+(?=\s?\S)", re.DOTALL)
r"""A tie, but not the tilde of "\~n"."""
_DASHES = (("---", "—"), ("--", "–"))
_SCRIPTS = ((r"\textsuperscript{", "^{"), (r"\textsubscript{", "_{"), (r"\^{}", r"\textasciicircum{}"))
"""Macros that `escape_tex` writes, and how `plain` reads them."""


def unescape_tex(text: str) -> str:
    r"""Return `text` without the braces and escapes of BibTeX: "{\'E}t{\'e} in $M_\odot$" is "Été in $M_\odot$".

    It undoes `escape_tex`. Most texts contain no LaTeX, and are returned at once.
    """
    if not _LATEX.search(text):
        return text
    # A tie stands between words; "~10 pc" means "about".
    return "".join(map(_unescape_span, spans(_TIE.sub(lambda match: match[1] or "\N{NO-BREAK SPACE}", text))))


def _unescape_span(span: Span) -> str:
    if span.is_mathematics:
        return f"${span.text}$"
    words = span.text
    for macro, plainly in _SCRIPTS:
        words = words.replace(macro, plainly)
    text = plain(words, is_mathematics=False)
    # Two apostrophes alone are seconds of arc.
    if "``" in text:
        text = text.replace("``", "“").replace("''", "”")
    for dashes, dash in _DASHES:
        text = text.replace(dashes, dash)
    return text
