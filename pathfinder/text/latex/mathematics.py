"""Mathematics within a text, and a check that KaTeX can render it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pathfinder.text.latex.letters import FONTS, FRACTIONS, FUNCTIONS, GREEK, OPERATORS, SIGNS, SWITCHES, TEXTS

MAX_LENGTH = 200
"""Maximum length, in characters, of a formula that is rendered as mathematics; longer ones appear as text."""
_MAX_DEPTH = 10
_SPAN = re.compile(
    r"(?<!\\)\$\$(.{1,1000}?)(?<!\\)\$\$|(?<!\\)\$([^$]{1,1000}?)(?<!\\)\$|\\\((.{1,1000}?)\\\)|\\\[(.{1,1000}?)\\\]",
    re.DOTALL,
)
_DELIMITERS = (("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]"))
_OPENS = re.compile(r"\$|\\[(\[]")
_GREEK_LETTERS = "".join(sorted({*GREEK.values(), "µ"}))
"""Greek letters that arXiv texts contain as Unicode characters, even between dollar signs."""
_TOKEN = re.compile(rf"\\([A-Za-z]+|[,;: !|{{}}%])|([A-Za-z0-9{_GREEK_LETTERS}+\-*/=<>()\[\]|.,;:!?'~ ^_{{}}])")
_PLAIN_ARGUMENT = re.compile(r"\s*\{[A-Za-z0-9 .,+\-()/]*\}")
_MARKUP = re.compile(r"[\\^_{}~\u00a0]")
_SPACE = re.compile(r"\s")
_NUMBER = re.compile(r"\\(?:(?:label|tag\*?) ?\{[^{}]*\}|(?:nonumber|notag)(?![A-Za-z]))")
_ROW = re.compile(r"\\begin\{(?:equation|eqnarray|align(?:ed)?|gather(?:ed)?|multline|split)\*?\}")
_ALIGNMENT = re.compile(r"(?<!\\)&")
_FORMULA_IN_BOX = re.compile(r"\\(?:mbox|hbox|text) ?\{ ?\$([^{}$]*)\$ ?\}")
_SPACE_BEFORE_BRACE = re.compile(r"(\\[A-Za-z]+) (?=\{)")
_SPACE_IN_BRACES = re.compile(r"(?<=[^\\]\{) (?!\})|(?<=[^\\ {]) (?=\})")
_WORDS_AS_TEXT = re.compile(r"\\text(?:rm|normal)? ?\{([A-Za-z0-9, ]+)\}")
_WORD = re.compile(r"[^\W\d_]{3,}")
_N_ARGUMENTS = dict.fromkeys(FRACTIONS, 2) | {"sqrt": 1}
_SIMPLE_ARGUMENT = re.compile(rf" *(?:[A-Za-z0-9{_GREEK_LETTERS}+\-*]|\\([A-Za-z]+))")
_LETTER_FONTS = TEXTS | {"mathrm", "mathbf", "mathit", "mathsf", "mathtt", "mathcal", "mathbb"}
_SIMPLE_SYMBOLS = GREEK.keys() | {"odot", "oplus", "star", "ast", "circ", "bullet", "dagger", "prime", "infty", "ell"}
_SYMBOLS = GREEK.keys() | OPERATORS.keys() | SIGNS.keys() | FUNCTIONS | SWITCHES | {"%"}
_DELIMITER = r"\s*(?:[()\[\]|.]|\\(?:[{}|]|[lr]angle|[lr]ceil|[lr]floor)(?![A-Za-z]))"
_LEFT_DELIMITER = re.compile(_DELIMITER)
_RIGHT = re.compile(rf"\\right(?![A-Za-z]){_DELIMITER}")
_OPENING_BRACE = re.compile(r" *\{")
_CLOSING_BRACE = re.compile(r"\}")
_END = re.compile(r"\Z")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of text that is entirely mathematics, or contains none."""

    text: str
    """The text itself; for mathematics, without its dollar signs or brackets."""
    is_mathematics: bool


def spans(text: str) -> Iterator[Span]:
    r"""Split `text` at its mathematics: $...$, $$...$$, \(...\) and \[...\].

    An unmatched dollar sign, or one before a sum of money, is text.
    """
    start = position = 0
    while (match := _SPAN.search(text, position)) is not None:
        if not _is_mathematics(match, text):
            position = match.start() + 1
            continue
        if match.start() > start:
            yield Span(text[start : match.start()], is_mathematics=False)
        yield Span(_content(match), is_mathematics=True)
        start = position = match.end()
    if start < len(text):
        yield Span(text[start:], is_mathematics=False)


def _content(match: re.Match[str]) -> str:
    return next(group for group in match.groups() if group is not None)


def _is_mathematics(match: re.Match[str], text: str) -> bool:
    """Distinguish $x$ from "$5 to $10" and "between $20 million and $30 million"."""
    content = _content(match)
    if text[match.start()] != "$" or _MARKUP.search(content):
        return bool(content.strip())
    is_prose = _SPACE.search(content) and _WORD.search(content)
    has_neighbour = content[-1].isspace() or text[match.end() : match.end() + 1].isdigit()
    return not (is_prose or content.isspace() or (content[0].isdigit() and has_neighbour))


def bare_formula(source: str) -> str:
    r"""Return the TeX of a formula without its signs, and without the document that some publishers put around it."""
    document, ends, _ = source.partition(r"\begin{document}")[2].partition(r"\end{document}")
    tex = (document if ends else source).strip()
    for opening, closing in _DELIMITERS:
        if len(tex) > len(opening + closing) and tex.startswith(opening) and tex.endswith(closing):
            return tex[len(opening) : -len(closing)].strip()
    return tex


def tidy_formula(formula: str) -> str:
    r"""Return the TeX of a formula on one line, with single spaces and none inside braces, and with words that are set
    as text as upright letters: \text {max } is \mathrm{max}. The environment of a formula with a single row, its marks
    of alignment, and numbers and labels are left out.
    """
    formula = _NUMBER.sub("", " ".join(formula.split())).strip()
    environment = _ROW.match(formula)
    if environment and formula.endswith(closer := environment[0].replace("begin", "end", 1)):
        inner = formula[environment.end() : -len(closer)].strip().removesuffix(r"\\")
        formula = inner if r"\\" not in inner else formula
    if r"\\" not in formula and r"\begin" not in formula:
        formula = " ".join(_ALIGNMENT.sub(" ", formula).split())
    formula = _WORDS_AS_TEXT.sub(_upright, _FORMULA_IN_BOX.sub(r"{\1}", formula))
    return _SPACE_IN_BRACES.sub("", _SPACE_BEFORE_BRACE.sub(r"\1", formula))


def _upright(text: re.Match[str]) -> str:
    words = text[1] if text[1].startswith(" ") else text[1].rstrip()
    return rf"\mathrm{{{words.replace(' ', '~')}}}"


def is_settable(formula: str) -> bool:
    """Return whether KaTeX can render `formula` safely and without an error.

    Only known macros are accepted, which excludes links, images, styles, definitions and spacing; braces and left/right
    pairs must balance, no superscript or subscript may be doubled or stand alone, and the formula must be short.
    """
    if not formula.strip() or len(formula) > MAX_LENGTH:
        return False
    return _end_of_row(formula, 0, _END, depth=0) is not None


def formulas(line: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of mathematics in `line`, including the dollar signs; the brackets in $[0, 1]$ are not a citation
    mark.
    """
    start = 0
    for span in spans(line):
        width = 0 if not span.is_mathematics else 2 if line.startswith(("$$", "\\"), start) else 1
        end = start + len(span.text) + 2 * width
        if span.is_mathematics and is_settable(span.text.strip()):
            yield start, end
        start = end


def opening_of(line: str) -> int | None:
    """Return the position where `line` opens mathematics that it does not close; `None` if it closes all of it."""
    position = 0
    for start, end in [*formulas(line), (len(line), 0)]:
        if opening := _OPENS.search(line, position, start):
            return opening.start()
        position = end
    return None


def _end_of_row(formula: str, start: int, closing: re.Pattern[str], depth: int) -> int | None:
    """Return the position after the `closing` of the row that begins at `start`; `None` if the row is malformed."""
    position: int | None = start
    scripts = ""  # scripts of the item before `position`
    while position is not None:
        if end := closing.match(formula, position):
            return end.end()
        if position == len(formula):
            return None
        character = formula[position]
        if character in scripts or (character == "'" and "^" in scripts):
            return None
        if character in "^_":
            scripts += character
            position = _end_of_script(formula, position + 1, depth)
        elif character == "'":
            scripts += "^"
            position = len(formula) - len(formula[position:].lstrip("'"))
        else:
            scripts = scripts if character == " " else ""
            position = _end_of_item(formula, position, depth)
    return None


def _end_of_item(formula: str, start: int, depth: int) -> int | None:
    """Return the position after a character, a group, or a macro with its arguments; `None` if it is malformed."""
    token = _TOKEN.match(formula, start)
    if token is None or depth > _MAX_DEPTH or token[2] in ("}", "^", "_"):
        return None
    if token[2] == "{":
        return _end_of_row(formula, token.end(), _CLOSING_BRACE, depth + 1)
    if token[2] is not None or token[1] in _SYMBOLS:
        return token.end()
    return _end_of_macro(formula, token[1], token.end(), depth)


def _end_of_macro(formula: str, name: str, start: int, depth: int) -> int | None:
    if name in TEXTS:
        plain = _PLAIN_ARGUMENT.match(formula, start)
        return plain.end() if plain else None
    if name == "left":
        opening = _LEFT_DELIMITER.match(formula, start)
        return _end_of_row(formula, opening.end(), _RIGHT, depth + 1) if opening else None
    n_arguments = _N_ARGUMENTS.get(name, int(name in FONTS))
    position: int | None = start
    for _ in range(n_arguments):
        position = _end_of_argument(formula, position, depth) if position is not None else None
    return position if n_arguments else None


def _end_of_script(formula: str, start: int, depth: int) -> int | None:
    """Like `_end_of_argument`, except that a script may also be a font macro with its argument."""
    macro = _SIMPLE_ARGUMENT.match(formula, start)
    if macro and macro[1] in _LETTER_FONTS:
        return _end_of_macro(formula, macro[1], macro.end(), depth)
    return _end_of_argument(formula, start, depth)


def _end_of_argument(formula: str, start: int, depth: int) -> int | None:
    """Return the position after an argument that KaTeX accepts as it is: a group, letter, digit or simple symbol."""
    simple = _SIMPLE_ARGUMENT.match(formula, start)
    if simple and (simple[1] is None or simple[1] in _SIMPLE_SYMBOLS):
        return simple.end()
    group = _OPENING_BRACE.match(formula, start)
    return _end_of_row(formula, group.end(), _CLOSING_BRACE, depth + 1) if group else None
