"""Titles and abstracts as a reader expects them: as plain text, and for a page that renders Markdown."""

import re

from pathfinder.export.mathematics import Span, is_settable, spans
from pathfinder.export.plain_tex import plain
from pathfinder.types import without_control_characters

_TIE = re.compile(r"(?<=[A-Za-z.,})$])~(?=[\w\\$])|(?<=\d)~(?=[A-Za-z\\$])")
"""A tilde that is a space without a line break. Others mean "about", as in "~10 pc"."""
_NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
_BARE_SCRIPT = re.compile(r"[\^_]\{[^{}]*\}")
_DASHES = ((re.compile(r"(?<!-)---(?!-)"), "—"), (re.compile(r"(?<!-)--(?!-)"), "–"))

_OPTION = re.compile(r"(?<=\s)(--[a-z][a-z-]*(?: [A-Z]+\b)?)")
JOINER = "\N{WORD JOINER}"
"""Has no width. It parts what Streamlit would otherwise recognise in text that has been escaped already."""
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_RECOGNISED = (
    re.compile(r"()(:)(?=[\w+-][\w+/-]*:)"),  # :smile:, :material/home:
    re.compile(r"(https?|ftp|mailto|xmpp)(:)", re.IGNORECASE),
    re.compile(r"(ww)(w)(?=\.)", re.IGNORECASE),
    re.compile(r"(?<=\S)()(@)(?=\S)"),
    re.compile(r"()(<(?=->|-|=)|-(?=[->])|>(?==)|~(?==))"),  # arrows and the like, made of ASCII
)


def readable(text: str) -> str:
    r"""`text` with its LaTeX as plain Unicode text, on one line: "$M_\odot$" becomes "M☉".

    A macro that is not known is left as its argument or its name, so that nothing is lost. Control characters go, and
    so do those that would turn the direction of what is written next to the text.
    """
    text = without_control_characters(text)
    return " ".join("".join(_plain_span(span, text) for span in spans(_untied(text))).split())


def for_markdown(text: str) -> str:
    """`text` for `st.markdown`, such that nothing in it acts: no markup, HTML, link, image, emoji code or colour.

    Mathematics that KaTeX can set stays mathematics; other LaTeX is written out as by `readable`.
    Line breaks stay. Where escaping is not enough, a word joiner, which has no width, parts the signs.
    """
    return "\n".join(map(_markdown_line, text.splitlines()))


def with_options(text: str) -> str:
    """`for_markdown`, but options of a command such as `--reviews FILE` as code, so that they can be copied."""
    parts = _OPTION.split(text)
    return "".join(f"`{part}`" if place % 2 else _kept_apart(part) for place, part in enumerate(parts))


def _kept_apart(text: str) -> str:
    """For Markdown, with the space at its ends, which a line by itself would lose."""
    space_before, space_behind = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{space_before}{for_markdown(text)}{space_behind}" if text.strip() else text


def _untied(text: str) -> str:
    return _TIE.sub(_NO_BREAK_SPACE, text) if "\\" in text or "$" in text else text


def _plain_span(span: Span, whole: str) -> str:
    if span.is_mathematics:
        return plain(span.text, is_mathematics=True)
    if "\\" in whole or "$" in whole:
        written = plain(span.text, is_mathematics=False)
    else:
        written = _BARE_SCRIPT.sub(lambda script: plain(script[0], is_mathematics=False), span.text)
    if "``" in whole:
        written = written.replace("``", "“").replace("''", "”")
    for pattern, dash in _DASHES:
        written = pattern.sub(dash, written)
    return written


def _markdown_line(line: str) -> str:
    line = _untied(" ".join(without_control_characters(line).split()))
    pieces = [_markdown_span(span, line) for span in spans(line)]
    for position, piece in enumerate(pieces[1:], start=1):
        # A digit behind the closing dollar makes a price of it, a dollar a display formula.
        if pieces[position - 1].endswith("$") and (piece[:1].isdigit() or piece.startswith("$")):
            pieces[position] = JOINER + piece
    return "".join(pieces).strip()


def _markdown_span(span: Span, whole: str) -> str:
    formula = span.text.strip().replace(_NO_BREAK_SPACE, "~")
    if span.is_mathematics and is_settable(formula):
        formula = formula.replace("<", r"\lt ").replace(">", r"\gt ").strip()
        return f"${formula}$"
    return _escaped(_plain_span(span, whole))


def _escaped(text: str) -> str:
    for pattern in _RECOGNISED:
        text = pattern.sub(rf"\1\2{JOINER}", text)
    return _PUNCTUATION.sub(r"\\\1", text)
