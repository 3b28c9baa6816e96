"""Titles and abstracts in the form that a reader expects: plain text, or Markdown for a page."""

import re

from pathfinder.text.latex.mathematics import Span, is_settable, spans
from pathfinder.text.latex.unicode import plain
from pathfinder.types import without_control_characters

_TIE = re.compile(r"(?<=[A-Za-z.,})$])~(?=[\w\\$])|(?<=\d)~(?=[A-Za-z\\$])")
"""A tilde that is a non-breaking space. Other tildes mean "about", as in "~10 pc"."""
_NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
_BARE_SCRIPT = re.compile(r"[\^_]\{[^{}]*\}")
_DASHES = ((re.compile(r"(?<!-)---(?!-)"), "—"), (re.compile(r"(?<!-)--(?!-)"), "–"))

_OPTION = re.compile(r"(?<=\s)(--[a-z][a-z-]*(?: [A-Z]+\b)?)")
JOINER = "\N{WORD JOINER}"
"""A zero-width character. It separates characters that Streamlit would otherwise interpret as markup in escaped text.
"""
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_RECOGNISED_MARKUP = (
    re.compile(r"()(:)(?=[\w+-][\w+/-]*:)"),  # :smile:, :material/home:
    re.compile(r"(https?|ftp|mailto|xmpp)(:)", re.IGNORECASE),
    re.compile(r"(ww)(w)(?=\.)", re.IGNORECASE),
    re.compile(r"(?<=\S)()(@)(?=\S)"),
    re.compile(r"()(<(?=->|-|=)|-(?=[->])|>(?==)|~(?==))"),  # arrows and similar signs made of ASCII characters
)


def readable(text: str) -> str:
    r"""Return `text` with its LaTeX as plain Unicode text, on one line: "$M_\odot$" becomes "M☉".

    An unknown macro is replaced by its argument or its name, so that nothing is lost. Control characters are removed,
    as are those that would reverse the direction of the surrounding text.
    """
    text = without_control_characters(text)
    return " ".join("".join(_plain_span(span, text) for span in spans(_without_ties(text))).split())


def for_markdown(text: str) -> str:
    """Escape `text` for `st.markdown` so that nothing in it takes effect: no markup, HTML, link, image, emoji code or
    colour.

    Mathematics that KaTeX can render is kept as mathematics; other LaTeX is written out as by `readable`. Line breaks
    are kept. If escaping is not enough, a word joiner, which has no width, separates the characters.
    """
    return "\n".join(map(_markdown_line, text.splitlines()))


def with_options(text: str) -> str:
    """Escape like `for_markdown`, but format command-line options such as `--reviews FILE` as code, for copying."""
    parts = _OPTION.split(text)
    return "".join(f"`{part}`" if place % 2 else _kept_apart(part) for place, part in enumerate(parts))


def _kept_apart(text: str) -> str:
    """Return text for Markdown, keeping the leading and trailing spaces that `for_markdown` would drop."""
    space_before, space_behind = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{space_before}{for_markdown(text)}{space_behind}" if text.strip() else text


def _without_ties(text: str) -> str:
    return _TIE.sub(_NO_BREAK_SPACE, text) if "\\" in text or "$" in text else text


def _plain_span(span: Span, whole: str) -> str:
    if span.is_mathematics:
        return plain(span.text, is_mathematics=True)
    if "\\" in whole or "$" in whole:
        text = plain(span.text, is_mathematics=False)
    else:
        text = _BARE_SCRIPT.sub(lambda script: plain(script[0], is_mathematics=False), span.text)
    if "``" in whole:
        text = text.replace("``", "“").replace("''", "”")
    for pattern, dash in _DASHES:
        text = pattern.sub(dash, text)
    return text


def _markdown_line(line: str) -> str:
    line = _without_ties(" ".join(without_control_characters(line).split()))
    pieces = [_markdown_span(span, line) for span in spans(line)]
    for position, piece in enumerate(pieces[1:], start=1):
        # A digit after the closing dollar would turn it into a price, and another dollar into a display formula.
        if pieces[position - 1].endswith("$") and (piece[:1].isdigit() or piece.startswith("$")):
            pieces[position] = JOINER + piece
    return "".join(pieces).strip()


def _markdown_span(span: Span, whole: str) -> str:
    formula = span.text.strip().replace(_NO_BREAK_SPACE, "~")
    if span.is_mathematics and is_settable(formula):
        formula = formula.replace("<", r"\lt ").replace(">", r"\gt ").strip()
        return f"${formula}$"
    return _escape(_plain_span(span, whole))


def _escape(text: str) -> str:
    for pattern in _RECOGNISED_MARKUP:
        text = pattern.sub(rf"\1\2{JOINER}", text)
    return _PUNCTUATION.sub(r"\\\1", text)
