"""Recognises citation marks, and holds all the patterns for them.

Models write them as [k3q7z], [source k3q7z, p. 5; m2x9a], [doc 3], [S3] or 【1†source】; a checked answer shows [1] or
[2, k3q7z?]; pasted texts and abstracts have [^1], [1]-[3], [2, 5–7] and LaTeX citations.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pathfinder.text.author_names import CITED_YEAR
from pathfinder.text.latex.mathematics import formulas
from pathfinder.text.sentences import split_sentences

KEY = re.compile(r"[a-z][0-9][a-z][0-9][a-z]")
"""A key such as `k3q7z`, which does not look like any word, number or object name."""

WIDE_OPENS, WIDE_CLOSES = "【［〔", "】］〕"
OPENS, CLOSES = rf"[\[{WIDE_OPENS}]", rf"[\]{WIDE_CLOSES}]"
INNER = rf"[^\[\]{WIDE_OPENS}{WIDE_CLOSES}\n]"
"""A character between the brackets of a mark."""
BRACKETS = rf"{OPENS}{INNER}+{CLOSES}"
"""Brackets that may be a citation mark; `names_in` decides whether they are."""
_IN_BRACKETS = re.compile(BRACKETS)
CITE_MACRO = r"\\[Cc]ite[a-zA-Z]{0,12}\*?(?:\[[^\[\]\n]{0,60}\]){0,2}"
CITE = rf"{CITE_MACRO}\{{[^{{}}\n]{{1,300}}\}}"
"""A citation in LaTeX."""
UNFINISHED_MARK = re.compile(
    rf"(?P<brackets>{OPENS}{INNER}*)\Z"
    r"|\\[a-zA-Z]{0,18}\*?(?:\[[^\[\]\n]{0,60}(?:\]|\Z)){0,2}(?:\{[^{}\n]{0,300})?\Z"
    r"|(?<!\w)[a-z](?:\d(?:[a-z](?:\d[a-z]?)?)?)?\Z",
    re.IGNORECASE,
)
"""End of a text that the next chunk may turn into a complete mark or key."""
SPACED_BRACKETS = re.compile(rf"(?:(?<!\s)\s+)?{OPENS}(?P<inner>{INNER}+){CLOSES}")
"""Brackets that may be a mark, with the space before them."""

_SHOWN_NAME = r"(?:[1-9]\d{0,2}|[\w.:&+/-]{1,80}\?)"
_SHOWN_MARK = re.compile(rf"\[(?=[^\[\]]*\d){_SHOWN_NAME}(?:, ?{_SHOWN_NAME})*\]")
"""A mark in the text of a checked answer: [1], [1, 4], [2, k3q7z?]."""
ESCAPED_BRACKETS = re.compile(r"\\\[[\w,\\ ?–-]+\\\]")
"""Brackets in an answer that has been escaped for Markdown; `is_mark_shown` decides whether they are a mark."""
UNKNOWN_MARK = re.compile(r"(?:(?<!\s)\s+)?\[[^\[\]]{0,80}\?\s*\]")
"""A mark whose last key is unknown, with the space before it."""


def _numbers(number: str, separators: str = ",;–-") -> str:
    """Return the pattern for one or more numbers that match `number`, with one of `separators` between any two, as in
    "1, 4" or "5–7".
    """
    return rf"{number}(?:\s*[{separators}]\s*{number})*"


_NUMBER, _ANY_NUMBER = r"\d{1,3}", r"\d+"
NUMBER_MARK = re.compile(rf"\[\s*{_numbers(_NUMBER)}\s*\]")
WIDE_NUMBER_MARK = re.compile(rf"[{WIDE_OPENS}]\s*({_numbers(_NUMBER, ',;、，–-')})\s*[{WIDE_CLOSES}]")
"""A mark whose numbers have up to three digits each, in plain or wide brackets: [1], [1, 4], 【1、4】."""
SOURCE_LINE = re.compile(r"^[ \t]*\[([^\[\],;\s][^\[\],;\n]*)\]", re.MULTILINE)
"""The beginning of a pasted source: "[1] Title"."""
SOURCE_ID = r"^[^\[\],;\s](?:[^\[\],;\n]*[^\[\],;\s])?$"
"""An id that can stand in a mark."""
IN_ABSTRACTS = rf"\\[a-z]*cite[a-z]*\*?(?:\[[^\]]*\])*\{{[^}}]*\}}|\[\s*{_numbers(_ANY_NUMBER)}\s*\]"
"""LaTeX citation commands from any package, and numbers in brackets."""
PASTED_BRACKETS = re.compile(r"\[([^\[\]]{1,200})\]")
_OTHER_NOTATIONS = (
    (
        re.compile(rf"[{WIDE_OPENS}]([^\[\]【】［］〔〕†\n]{{1,200}})(?:†[^】］〕\n]{{0,40}})?[{WIDE_CLOSES}]"),
        r"[\1]",
    ),  # 【1†source】
    (re.compile(r"\[\^([^\[\]^]{1,200})\]"), r"[\1]"),  # [^1]
    (re.compile(r"\[(\[[^\[\]]{1,200}\])\]"), r"\1"),  # [[1]]
    (re.compile(r"(\[[^\[\]]{1,200}\])\((?:https?:|#)[^()\s]{0,2000}\)"), r"\1"),  # [1](https://...)
    (re.compile(r"\[(\d{1,4})\]\s?[-–—]\s?\[(\d{1,4})\]"), r"[\1-\2]"),  # [1]-[3]
    (re.compile(r"([.!?])(?=\[)"), r"\1 "),  # "so it is.[1] Yet"
)
"""Patterns for other notations of marks, each with its replacement in the usual notation."""

_UNSEEN_SIGNS = "\u00ad\u200b-\u200d\u2060\ufeff"
_TOKEN = re.compile(
    rf"""
    (?P<between>[\s{_UNSEEN_SIGNS},;:&^@"'`*=–—#/-]+
        |(?:and|see|cf|from|sources?|papers?|refs?|references?|keys?|docs?|documents?|articles?|stud(?:y|ies)
        |passages?|excerpts?|citations?|cit|no|nos)(?!\w)\.?)
    |(?P<lead>abstracts?(?!\w)\.?)
    |(?P<name>(?:{KEY.pattern}|\d{{1,9}}|\d{{1,3}}[a-z]|[srpd]\d{{1,3}}|[⁰¹²³⁴⁵⁶⁷⁸⁹]{{1,3}}|[①-⑳])(?!\w))
    |(?P<place>(?:pp?|pages?|secs?|sections?|§+|chap|ch|chapters?|figs?|figures?|tables?|tabs?|eqs?|equations?|paras?
        |paragraphs?|lines?|title|sentences?)(?![^\W\d])\.?\s{{0,2}}[\d.]{{0,8}}(?:\s?[-–]\s?\d{{1,6}})?(?!\w))
    |(?P<dagger>†.*)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NUMBER_OR_KEY = rf"(?:\d{{1,3}}|{KEY.pattern})\??"
_NUMBERED_MARK = re.compile(rf"\[{_NUMBER_OR_KEY}(?:\s*[,;]\s*{_NUMBER_OR_KEY})*\]")
_NEGATIVE = re.compile(r"(?:^|[,;])\s*[-−–]\s?\d")
_CITED_NUMBER = re.compile(r"(?<!\w)\d+(?![\w?]|\\\?)")
"""A number in a mark, unless a question mark after it says that it is invented."""
_YEAR = re.compile(CITED_YEAR)
_HALF_A_WORD = re.compile(r"[\w.§†]{0,12}")
_KEYS_IN_BRACES = re.compile(r"\{([^{}]*)\}$")


def in_usual_notation(text: str) -> str:
    """Write the marks in a pasted text with plain brackets: 【1†source】, [^1] and [[1]](#ref) become [1]."""
    for pattern, usual in _OTHER_NOTATIONS:
        text = pattern.sub(usual, text)
    return text


def names_in(inner: str) -> list[str] | None:
    """Return the names between brackets, in order and without duplicates; `None` if they do not form a mark.

    Intervals that start at 0 or below are not marks, and neither are years.
    """
    names, end = _read(inner)
    if end < len(inner) or not names:
        return None
    return None if _is_of_numbers(inner, names) else names


def may_become_a_mark(inner: str) -> bool:
    """Return whether the text after an opening bracket may turn out to be a mark."""
    _, end = _read(inner)
    return _HALF_A_WORD.fullmatch(inner, end) is not None


def is_like_a_mark(inner: str) -> bool:
    """Return whether the text between brackets could be taken for a mark; this includes intervals and years."""
    names, end = _read(inner)
    return end == len(inner) and bool(names)


def is_mark_shown(brackets: str) -> bool:
    """Return whether brackets on a page are a mark: [1, k3q7z?] and [1–3] are, the interval [0, 1] is not."""
    is_of_answer = _SHOWN_MARK.fullmatch(brackets) is not None
    return is_of_answer or names_in(brackets[1:-1].replace("?", "")) is not None


def shown_marks(text: str, quotations: Iterable[str] = ()) -> Iterator[re.Match[str]]:
    """Find the citation marks in a checked answer, in order; those in mathematics and in `quotations` do not count."""
    found = (match for each in quotations if "[" in each for match in re.finditer(re.escape(each), text))
    others = [*_formula_spans(text), *(match.span() for match in found)]
    marks = _SHOWN_MARK.finditer(text)
    return (mark for mark in marks if not any(start <= mark.start() < end for start, end in others))


def shown_numbers(text: str, quotations: Iterable[str] = ()) -> tuple[int, ...]:
    """List the numbers in the citation marks of a checked answer, in order, including repetitions; numbers with a
    question mark are invented and do not count.
    """
    return tuple(int(number) for mark in shown_marks(text, quotations) for number in numbers_cited(mark[0]))


def renumber(text: str, new_numbers: Mapping[int, int], quotations: Iterable[str] = ()) -> str:
    """Replace the numbers in the citation marks of a checked answer; a number without a new one is left as it is."""
    parts, position = [], 0
    for mark in shown_marks(text, quotations):
        parts += [text[position : mark.start()], with_numbers(mark[0], lambda n: str(new_numbers.get(n, n)))]
        position = mark.end()
    return "".join([*parts, text[position:]])


def with_numbers(mark: str, write: Callable[[int], str]) -> str:
    """Replace each number in a mark with what `write` returns for it; numbers with a question mark are left alone."""
    return _CITED_NUMBER.sub(lambda number: write(int(number[0])), mark)


def is_label(name: str) -> bool:
    """Return whether `name` is a label such as S3 or 1a, which could also be an index in code."""
    return not name.isdecimal() and KEY.fullmatch(name) is None


def numbered_marks(text: str) -> Iterator[re.Match[str]]:
    """Find the citation marks in an answer, whether they contain numbers or keys, in order: [1], [1, 4], [k3q7z?]."""
    return _NUMBERED_MARK.finditer(text)


def numbers_cited(mark: str) -> tuple[str, ...]:
    """Return the numbers in a mark except those with a question mark; the mark may use the digits of any script."""
    return tuple(str(int(number)) for number in _CITED_NUMBER.findall(mark))


def names_cited(cite: str) -> list[str]:
    """Return the keys in a LaTeX citation (`CITE`), without duplicates."""
    match = _KEYS_IN_BRACES.search(cite)
    return list(dict.fromkeys(filter(None, (key.strip() for key in match[1].split(","))))) if match else []


def _formula_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the formulas in a text, none of which extends beyond a line."""
    start = 0
    for line in text.splitlines(keepends=True):
        yield from ((start + first, start + end) for first, end in formulas(line))
        start += len(line)


def _read(inner: str) -> tuple[list[str], int]:
    """Return the names in `inner`, and the end of the part that can be read as a mark."""
    names: dict[str, None] = {}
    at = 0
    while match := _TOKEN.match(inner, at):
        if match["name"]:
            plain = unicodedata.normalize("NFKC", match["name"])
            names[plain.lower() if KEY.fullmatch(plain.lower()) else plain] = None
        elif match["place"] and not names:
            break  # [p. 5] does not name a paper
        at = match.end()
    return list(names), at


def _is_of_numbers(inner: str, names: list[str]) -> bool:
    if not all(name.isdecimal() for name in names):
        return False
    if all(_YEAR.fullmatch(name) for name in names):
        return True
    has_zero = len(names) > 1 and any(int(name) == 0 for name in names)
    return has_zero or ("," in inner and _NEGATIVE.search(inner) is not None)


# Splits a text into sentences, each with the names cited by its marks.

_BULLET = re.compile(r"\s*(?:[-*•]\s+|\d+[.)]\s+|#+\s*)?")
_CLOSING = re.compile(r"\s*[.,;:!?]*\s*")


@dataclass(frozen=True, slots=True)
class CitationMark:
    """A citation mark and its position in a text."""

    start: int
    end: int
    names: tuple[str, ...]
    """Names that it cites, as written in the text: numbers, keys or ids."""


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A sentence and its citations."""

    start: int
    """Start of its first word, after any marks that belong to the previous sentence."""
    end: int
    names: tuple[str, ...]
    """Names in its marks, in order, including repetitions."""


def cited_sentences(text: str, marks: Sequence[CitationMark]) -> tuple[CitedSentence, ...]:
    """Split a paragraph into its sentences, each with the names cited by its marks; `marks` must be in order.

    A mark after the full stop belongs to the sentence before it. A bullet or number that opens the paragraph, headings
    such as "Methods:" and sentences without a word are left out.
    """
    sentences: list[CitedSentence] = []
    bullet = _BULLET.match(text)
    at = bullet.end() if bullet else 0
    for sentence in split_sentences(text[at:]):
        start = text.index(sentence, at)
        at = start + len(sentence)
        within = [mark for mark in marks if start <= mark.start < at]
        leading = _leading(text, start, within) if sentences else []
        if leading:
            sentences[-1] = _citing(sentences[-1], leading)
            closing = _CLOSING.match(text, leading[-1].end)
            start = min(closing.end() if closing else start, at)
        rest = within[len(leading) :]
        if re.search(r"\w", without_marks(text, start, at, rest)):
            sentences.append(_citing(CitedSentence(start, at, ()), rest))
        elif sentences:
            sentences[-1] = _citing(sentences[-1], rest)
    return tuple(sentences)


def without_marks(text: str, start: int, end: int, marks: Sequence[CitationMark]) -> str:
    """Return the text from `start` to `end` without the `marks` in that range and the spaces before them."""
    rest, at = "", start
    for mark in marks:
        if start <= mark.start and mark.end <= end:
            rest += text[at : mark.start].rstrip()
            at = mark.end
    return rest + text[at:end]


def _leading(text: str, start: int, marks: Sequence[CitationMark]) -> list[CitationMark]:
    """Return the consecutive `marks` that open the sentence at `start`."""
    leading: list[CitationMark] = []
    for mark in marks:
        if text[start : mark.start].strip(" .,;:!?"):
            break
        leading.append(mark)
        start = mark.end
    return leading


def _citing(sentence: CitedSentence, marks: Sequence[CitationMark]) -> CitedSentence:
    return replace(sentence, names=(*sentence.names, *(name for mark in marks for name in mark.names)))


def without_own_marks(text: str) -> str:
    """Replace the square brackets of anything in `text` that could be taken for a mark: [3] becomes (3)."""
    return _IN_BRACKETS.sub(lambda match: f"({match[0][1:-1]})" if is_like_a_mark(match[0][1:-1]) else match[0], text)
