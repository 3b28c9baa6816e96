"""Titles and abstracts in the form that a reader expects: plain text, Markdown for a page, or LaTeX and BibTeX."""

import re
import unicodedata
from functools import lru_cache
from itertools import chain, zip_longest

from pathfinder.text.latex.letters import ACCENTS, GREEK, LETTERS, OPERATORS, SIGNS, SUBSCRIPTS, SUPERSCRIPTS
from pathfinder.text.latex.mathematics import Span, is_settable, spans
from pathfinder.text.latex.unicode import plain
from pathfinder.types import without_control_characters

_TIE = re.compile(r"(?<=[A-Za-z.,})$])~(?=[\w\\$])|(?<=\d)~(?=[A-Za-z\\$])")
"""A tilde that is a non-breaking space. Other tildes mean "about", as in "~10 pc"."""
_NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
_BARE_SCRIPT = re.compile(r"[\^_]\{[^{}]*\}")
_TYPED_POWER = re.compile(r"(?:(?<=\d )x (?=10\^))?(?<![\d.,])10\^([-−+]?\d{1,3})(?!\.?\d)")
_TYPED_SIGNS = (
    (re.compile(r"(?<!-)---(?!-)"), "—"),
    (re.compile(r"(?<!-)--(?!-)"), "–"),
    (re.compile(r"(?<![+/])\+/-(?=\s?[\d.])"), "±"),
)
"""Signs that are typed with several characters."""

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


MOST_KEPT = 4_000
"""Number of characters of the longest text that is kept as `readable` writes it: a page writes the same titles and
abstracts at each run.
"""


def readable(text: str) -> str:
    r"""Return `text` with its LaTeX as plain Unicode text, on one line: "$M_\odot$" becomes "M☉".

    An unknown macro is replaced by its argument or its name, so that nothing is lost. Control characters are removed,
    as are those that would reverse the direction of the surrounding text.
    """
    return _kept_readable(text) if len(text) <= MOST_KEPT else _readable(text)


def _readable(text: str) -> str:
    text = without_control_characters(text)
    return " ".join("".join(_plain_span(span, text) for span in spans(_without_ties(text))).split())


_kept_readable = lru_cache(maxsize=1024)(_readable)


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
    for pattern, sign in _TYPED_SIGNS:
        text = pattern.sub(sign, text)
    return _TYPED_POWER.sub(_with_raised_power, text) if "10^" in text else text


def _with_raised_power(power: re.Match[str]) -> str:
    return f"{'× ' if power[0].startswith('x') else ''}10{power[1].translate(SUPERSCRIPTS)}"


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
    text = _plain_span(span, whole)
    for pattern in _RECOGNISED_MARKUP:
        text = pattern.sub(rf"\1\2{JOINER}", text)
    return _PUNCTUATION.sub(r"\\\1", text)


# Writes text for LaTeX and BibTeX: mathematics stays mathematics, and everything else is printed as it is read.

_UNPRINTED_TIE = re.compile(r"(?<=[\w.,}\)$])~(?=[\w\\$])")
_MARKS = {mark: macro for macro, mark in ACCENTS.items() if len(macro) == 1}
_SYMBOLS = {
    sign: macro for macro, sign in (SIGNS | OPERATORS | GREEK).items() if len(sign) == 1 and not sign.isascii()
} | {"☉": "odot", "µ": "mu"}
_LITERAL = (
    {sign: rf"$\{macro}$" for sign, macro in _SYMBOLS.items()}
    | {letter: rf"{{\{macro}}}" for macro, letter in LETTERS.items()}
    | {
        "&": r"\&", "%": r"\%", "#": r"\#", "$": r"\$", "_": r"\_", "^": r"\^{}", "~": r"\textasciitilde{}",
        "\\": r"\textbackslash{}", "{": r"\textbraceleft{}", "}": r"\textbraceright{}",
        "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
        "–": "--", "—": "---", "“": "``", "”": "''", "‘": "`", "’": "'", "…": r"\ldots{}", "°": r"\textdegree{}",
        "\N{NO-BREAK SPACE}": "~",
    }
)  # fmt: skip
_RAISED = {chr(high): chr(low) for low, high in SUPERSCRIPTS.items() if chr(low).isascii()}
_LOWERED = {chr(deep): chr(low) for low, deep in SUBSCRIPTS.items() if chr(low).isascii()}
_SCRIPT = re.compile(f"([{''.join(_RAISED)}]+)|([{''.join(_LOWERED)}]+)|(.)", re.DOTALL)
_PRINTED_SCRIPT = re.compile(r"([\^_])\{([^{}]*)\}")
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
    without_ties = _UNPRINTED_TIE.sub("\N{NO-BREAK SPACE}", text) if "\\" in text or "$" in text else text
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
    parts = _PRINTED_SCRIPT.split(span.text) if "\\" not in span.text else [span.text]
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


# Reads LaTeX that was written for BibTeX: accents and escapes become characters, mathematics stays mathematics.

_LATEX = re.compile(r"[\\{}$~^`]|--|''")
_WRITTEN_TIE = re.compile(r"(\\.)|(?<=\S)~+(?=\s?\S)", re.DOTALL)
r"""A tie, but not the tilde of "\~n"."""
_WRITTEN_DASHES = (("---", "—"), ("--", "–"))
_SCRIPTS = ((r"\textsuperscript{", "^{"), (r"\textsubscript{", "_{"), (r"\^{}", r"\textasciicircum{}"))
"""Macros that `escape_tex` writes, and how `plain` reads them."""


_CERTAIN = re.compile(
    r"\{\\['`^\"~=.]\s?\{?\\?[A-Za-z]|\\['`^\"~=.]\{\\?[A-Za-z]\}"
    r"|(?:(?<=[A-Za-z]{2})(?<![Qq]u)|(?<=[A-Z])(?!(?<=\b[CDJLMNST])\\'))"
    r"\\(?!'(?:ll|re)\b)['`^\"~](?:e\b|[ceilnorsuyza](?=[a-z]))"
    r"|\{\\(?:[ij]|[oO]|[lL]|ss|ae|AE|oe|OE|aa|AA|dh|DH|th|TH|dj|DJ)\}"
    r"|\\(?:[oO]|[lL]|ss|ae|AE|oe|OE|aa|AA|dh|DH|th|TH|dj|DJ)\{\}|\\[vcHkurdb]\{\\?[A-Za-z]\}"
)
r"""A letter that only LaTeX writes so; "l\'amour", "L\'amour", "we\'re" and "\"dark\"" are escaped quotation marks."""


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
    return "".join(map(_unescape_span, spans(_WRITTEN_TIE.sub(lambda match: match[1] or "\N{NO-BREAK SPACE}", text))))


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
    for dashes, dash in _WRITTEN_DASHES:
        text = text.replace(dashes, dash)
    return text
