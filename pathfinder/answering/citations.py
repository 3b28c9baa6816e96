"""What a model cites, each key checked against the shelf of papers that it was given.

A model cites keys, such as [k3q7z] or [k3q7z, m2x9a]; a reader sees places: [1] or [1, 4]. A key that was never given,
and any number that the model writes as a mark, ends with a question mark, [m2x9a?] or [7?], and is no citation.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pathfinder.answering.formulas import formulas, opening_of
from pathfinder.answering.marks import (
    BRACKETS,
    CITE,
    CLOSES,
    OPENS,
    is_label,
    is_like_a_mark,
    may_become_a_mark,
    names_cited,
    names_in,
)
from pathfinder.answering.named_papers import Named, is_dated, unsourced
from pathfinder.answering.shelf import KEY, Shelf
from pathfinder.corpus.sentences import split_sentences
from pathfinder.types import Claim

_BRACKETS = re.compile(BRACKETS)
_BARE = rf"(?<!\w)(?P<bare>{KEY.pattern})(?!\w)"
_MARK_OR_KEY = re.compile(rf"(?P<cite>{CITE})|(?P<brackets>{BRACKETS})|{_BARE}", re.IGNORECASE)
_KEY_ALONE = re.compile(_BARE, re.IGNORECASE)
_LIKE_KEY = re.compile("[a-km-np-z][2-9][a-km-np-z][2-9][a-km-np-z]")
"""What may have been a key, where it stands in no brackets: C2H5N and h2o2x are none."""
_OF_ADDRESS = re.compile(r"[/@_-]")
_UNFINISHED = re.compile(
    rf"(?P<brackets>{OPENS}[^\[\]【】［］〔〕\n]*)\Z"
    r"|\\[a-zA-Z]{0,18}\*?(?:\[[^\[\]\n]{0,60}(?:\]|\Z)){0,2}(?:\{[^{}\n]{0,300})?\Z"
    r"|(?<!\w)[a-z](?:\d(?:[a-z](?:\d[a-z]?)?)?)?\Z",
    re.IGNORECASE,
)
"""What may become a mark or a key with the next piece."""
_BULLET = re.compile(r"^\s*(?:[-*•]\s+|\d+[.)]\s+|#+\s*)?")

_SPACED = re.compile(rf"(?:(?<!\s)\s+)?{OPENS}(?P<inner>[^\[\]【】［］〔〕\n]+){CLOSES}")
_SHOWN_NAME = r"(?:[1-9]\d{0,2}|(?=[^\W\d_]*\d)\w{1,30}\?)"
SHOWN_MARK = re.compile(rf"\[({_SHOWN_NAME}(?:, {_SHOWN_NAME})*)\]")
"""A mark in the text of an answer, as `check_citations` writes it: [1], [1, 4], [2, k3q7z?]."""

_OPEN, _CLOSE = "\ue000", "\ue001"
"""Around a mark that was checked, until the text is shown: characters that no language uses."""
_CHECKED = re.compile(f"{_OPEN}([^{_OPEN}{_CLOSE}]*){_CLOSE}")
_LEADING_MARKS = re.compile(rf"(?:\s*{_CHECKED.pattern})+[.,;]?")
_SHOWN = str.maketrans({_OPEN: "[", _CLOSE: "]"})
_UNSEEN = dict.fromkeys([*range(9), *range(11, 32), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
_UNSEEN |= {ord(_OPEN): None, ord(_CLOSE): None}


@dataclass(frozen=True, slots=True)
class Checked:
    """A reply after its marks were checked."""

    text: str
    """With [1, 2] for what was given, places on the shelf, [m2x9a?] for what was not, and [?] behind `unsourced`."""
    claims: tuple[Claim, ...]
    invented: tuple[str, ...]
    """Keys and numbers that were cited and never given, each once, in the order of the text."""
    unsourced: tuple[str, ...] = ()
    """Papers named by author and year, arXiv number or DOI that no paper on the shelf is or names."""

    @property
    def complaints(self) -> tuple[str, ...]:
        """What a reader should know of the citations, each in a sentence."""
        marks = ", ".join(f"[{name}]" for name in self.invented)
        cited = f"the model cited {marks}, which it was not given: marked with ? and not counted as citations"
        named = f"the model named {'; '.join(self.unsourced)}, which no source is or names: marked with [?]"
        return tuple(line for line, names in ((cited, self.invented), (named, self.unsourced)) if names)


def check_citations(reply: str, shelf: Shelf) -> Checked:
    """Check every mark of `reply` against the papers on `shelf`.

    The key of a paper on the shelf is a citation wherever it stands; brackets around anything else are left alone.
    """
    lines = [_checked(line, shelf) for line in without_unseen_signs(reply).split("\n")]
    claims = tuple(claim for line in lines for claim in _claims(line, shelf))
    names = (name for line in lines for name in _names(line) if name.endswith("?"))
    invented = tuple(dict.fromkeys(name.removesuffix("?") for name in names))
    text = "\n".join(lines).translate(_SHOWN)
    doubted = unsourced(text, shelf.papers)
    return Checked(_doubted(text, doubted), claims, invented, tuple(dict.fromkeys(named.text for named in doubted)))


LONGEST_LINE = 4_000
"""Characters of a line behind which its beginning is let go, wherever mathematics is open: no formula is as long."""


def numbered(pieces: Iterable[str], shelf: Shelf) -> Iterator[str]:
    """`pieces` of a reply as they come, with places for keys; a mark is held back until it is whole.

    Together they are the text of `check_citations`, but for its [?], and for formulas of absurd length.
    """
    line, n_shown = "", 0
    for piece in pieces:
        *ended, rest = f"{line}{without_unseen_signs(piece)}".split("\n")
        for whole in ended:
            yield _checked(whole, shelf).translate(_SHOWN)[n_shown:] + "\n"
            n_shown = 0
        end = _safe_end(rest) if len(rest) <= 2 * LONGEST_LINE else len(rest)
        shown = _checked(rest[:end], shelf).translate(_SHOWN)
        if len(shown) > n_shown:
            yield shown[n_shown:]
        # What cannot bear on the rest of the line is let go, so that a long line takes no longer than short ones.
        is_over = (rest[:end].endswith(" ") and opening_of(rest) is None) or len(rest) > LONGEST_LINE
        line, n_shown = (rest[end:], 0) if is_over else (rest, max(n_shown, len(shown)))
    if left := _checked(line, shelf).translate(_SHOWN)[n_shown:]:
        yield left


def without_marks(text: str) -> str:
    """`text` with what could pass for a mark of a model's own in round brackets: [3] becomes (3)."""
    return _BRACKETS.sub(lambda found: f"({found[0][1:-1]})" if is_like_a_mark(found[0][1:-1]) else found[0], text)


def uncited(text: str) -> str:
    """`text` without marks, without the signs that `check_citations` takes out, and with [?] behind papers it names."""
    text = _SPACED.sub(lambda found: found[0] if names_in(found["inner"]) is None else "", without_unseen_signs(text))
    return _doubted(text, unsourced(text, ()))


def without_unseen_signs(text: str) -> str:
    """`text` without the signs that would act on a terminal or turn the direction of what stands beside it."""
    return text.translate(_UNSEEN)


def _doubted(text: str, found: Iterable[Named]) -> str:
    for named in reversed(tuple(found)):
        text = f"{text[: named.end]} [?]{text[named.end :]}"
    return text


def _checked(line: str, shelf: Shelf) -> str:
    """`line` with its marks between `_OPEN` and `_CLOSE`; mathematics that is set as such is left alone."""
    kept, position = [], 0
    for start, end in formulas(line):
        kept += [_marked(line[position:start], shelf), line[start:end]]
        position = end
    return "".join([*kept, _marked(line[position:], shelf)])


def _marked(text: str, shelf: Shelf) -> str:
    return _MARK_OR_KEY.sub(lambda match: _mark(match, shelf), text)


def _mark(match: re.Match[str], shelf: Shelf) -> str:
    """A mark, or a key that stands alone, as a reader sees it; what is neither stays."""
    written = match[0]
    if match["bare"]:
        return _key(match, shelf)
    if match["cite"]:
        names = [name.lower() if shelf.place(name.lower()) else name for name in names_cited(written)]
        # By author and year, a source may bear it out; that is looked at in the whole text.
        return written if all(map(is_dated, names)) else _shown(names, shelf)
    found = names_in(written[1:-1])
    is_index = match.start() > 0 and match.string[match.start() - 1].isalnum()
    if found is None or (is_index and all(map(is_label, found))):
        return written[0] + _KEY_ALONE.sub(lambda key: _key(key, shelf), written[1:-1]) + written[-1]
    return _shown(found, shelf)


def _shown(names: Iterable[str], shelf: Shelf) -> str:
    places = {name: shelf.place(name) for name in names}
    shown = ", ".join(f"{name}?" if place is None else str(place) for name, place in places.items())
    return f"{_OPEN}{shown}{_CLOSE}"


def _key(match: re.Match[str], shelf: Shelf) -> str:
    """A key in no brackets: one that was given anywhere, one that was not where it can be nothing else."""
    written, around = match[0], match.string[max(match.start() - 1, 0) : match.end() + 1]
    is_given = shelf.place(written.lower()) is not None
    if is_given or (_LIKE_KEY.fullmatch(written) and not _OF_ADDRESS.search(around)):
        return _shown([written.lower()], shelf)
    return written


def _safe_end(line: str) -> int:
    """How much of an unfinished line will be shown as it is now, whatever comes after."""
    end = _start_of_unfinished(line)
    opening = opening_of(line)
    if opening is None:
        return end
    # Whether what comes behind it stands in mathematics is not known yet.
    mark = _MARK_OR_KEY.search(line, opening)
    starts = (start for start, _ in formulas(line) if start > opening)
    return min([end, *([mark.start()] if mark else []), *starts])


def _start_of_unfinished(line: str) -> int:
    for found in _UNFINISHED.finditer(line):
        if found["brackets"] is None or may_become_a_mark(found[0][1:]):
            return found.start()
        # Words in brackets, whose last may be half a key.
        if half := _UNFINISHED.search(line, found.start() + 1):
            return half.start()
    return len(line)


def _claims(line: str, shelf: Shelf) -> list[Claim]:
    claims: list[tuple[str, list[str]]] = []
    for sentence in split_sentences(_BULLET.sub("", line)):
        leading = _LEADING_MARKS.match(sentence)
        marks = leading.group() if leading and claims else ""
        if marks:
            claims[-1][1].extend(_names(marks))
        if words := _unmarked(sentence[len(marks) :]):
            claims.append((words, _names(sentence[len(marks) :])))
    return [_claim(words, names, shelf) for words, names in claims]


def _names(text: str) -> list[str]:
    """What the checked marks of `text` show."""
    return [name for shown in _CHECKED.findall(text) for name in shown.split(", ")]


def _claim(words: str, names: list[str], shelf: Shelf) -> Claim:
    places = [int(name) for name in dict.fromkeys(names) if not name.endswith("?")]
    return Claim(words, tuple(shelf.papers[place - 1].paper_id for place in places))


def _unmarked(sentence: str) -> str:
    for mark in reversed(list(_CHECKED.finditer(sentence))):
        sentence = sentence[: mark.start()].rstrip() + sentence[mark.end() :]
    sentence = sentence.replace(" ()", "")
    return sentence.strip() if re.search(r"\w", sentence) else ""
