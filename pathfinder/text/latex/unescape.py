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


_CERTAIN = re.compile(
    r"\{\\['`^\"~=.]\s?\{?\\?[A-Za-z]|\\['`^\"~=.]\{\\?[A-Za-z]\}"
    r"|(?:(?<=[A-Za-z]{2})(?<!qu)|(?<=[A-Z]))\\['`^\"~](?:e\b|[ceilnorsuyza](?=[a-z]))"
    r"|\{\\(?:[ij]|[oO]|[lL]|ss|ae|AE|oe|OE|aa|AA|dh|DH|th|TH|dj|DJ)\}"
    r"|\\(?:[oO]|[lL]|ss|ae|AE|oe|OE|aa|AA|dh|DH|th|TH|dj|DJ)\{\}|\\[vcHkurdb]\{\\?[A-Za-z]\}"
)
r"""A letter that only LaTeX writes so; "l\'amour", "it\'s" and "\"dark\"" are escaped quotation marks."""


def unescape_if_tex(text: str) -> str:
    r"""Return `text`, which need not be LaTeX, as `unescape_tex` does if a letter in it is surely written in LaTeX; a
    backslash or a dollar sign alone may be meant as such.
    """
    return unescape_tex(text) if "\\" in text and _CERTAIN.search(text) else text


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
