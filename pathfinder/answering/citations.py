"""Marks such as [2], [1, 4] or [1-3] in a model's reply, each checked against what the model was given."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from pathfinder.corpus.sentences import split_sentences
from pathfinder.types import Claim

_NUMBER = r"(?:\^|#|(?:sources?|papers?|refs?\.?)\s*)?\d{1,9}"
_MARK = re.compile(rf"\[\s*{_NUMBER}(?:\s*(?:,|;|-|–|—|&|\band\b)\s*{_NUMBER})*\s*\]", re.IGNORECASE)
_MATHEMATICS = re.compile(r"\$[^$]{1,300}\$")
_RANGE = re.compile(r"(\d+)\s*[-–—]\s*\D*?(\d+)")
_LEADING_MARKS = re.compile(rf"(?:\s*{_MARK.pattern})+[.,;]?", re.IGNORECASE)
_BULLET = re.compile(r"^\s*(?:[-*•]\s+|\d+[.)]\s+|#+\s*)?")

LONGEST_RANGE = 30
"""No result has more hits, so [1-2000] names two numbers and not two thousand."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A reply after its marks were checked."""

    text: str
    """With [1, 2] for what was given and [7?] for what was not."""
    claims: tuple[Claim, ...]
    invented: tuple[int, ...]
    """Numbers that were cited and never given, in ascending order."""


def check_citations(reply: str, paper_ids: Mapping[int, str]) -> Checked:
    """Check every mark of `reply`; `paper_ids` has the papers that the model was given, by their number."""
    invented = {number for mark in _marks(reply) for number in _numbers(mark.group())} - paper_ids.keys()
    claims = tuple(claim for line in reply.splitlines() for claim in _claims(line, paper_ids))
    return Checked(_rewritten(reply, paper_ids.keys()), claims, tuple(sorted(invented)))


def without_marks(text: str) -> str:
    """`text` with its numbers in square brackets in round ones, so that no model takes them for its own marks."""
    return _MARK.sub(lambda mark: f"({mark.group()[1:-1]})", text)


def _marks(text: str) -> list[re.Match[str]]:
    mathematics = [match.span() for match in _MATHEMATICS.finditer(text)]
    # $[0, 1]$ is an interval.
    return [m for m in _MARK.finditer(text) if not any(a < m.start() and m.end() < b for a, b in mathematics)]


def _numbers(mark: str) -> list[int]:
    """The numbers that a mark names, ranges written out, in ascending order."""
    numbers = {int(number) for number in re.findall(r"\d+", mark)}
    for first, last in _RANGE.findall(mark):
        if int(last) - int(first) < LONGEST_RANGE:
            numbers.update(range(int(first), int(last)))
    return sorted(numbers)


def _rewritten(text: str, given: Collection[int]) -> str:
    for mark in reversed(_marks(text)):
        shown = ", ".join(str(n) if n in given else f"{n}?" for n in _numbers(mark.group()))
        text = f"{text[: mark.start()]}[{shown}]{text[mark.end() :]}"
    return text


def _claims(line: str, paper_ids: Mapping[int, str]) -> list[Claim]:
    claims: list[tuple[str, list[int]]] = []
    for sentence in split_sentences(_BULLET.sub("", line)):
        leading = _LEADING_MARKS.match(sentence)
        marks = leading.group() if leading and claims else ""
        if marks:
            claims[-1][1].extend(_cited(marks))
        if words := _unmarked(sentence[len(marks) :]):
            claims.append((words, _cited(sentence[len(marks) :])))
    return [_claim(words, cited, paper_ids) for words, cited in claims]


def _cited(text: str) -> list[int]:
    return [number for mark in _marks(text) for number in _numbers(mark.group())]


def _claim(words: str, cited: list[int], paper_ids: Mapping[int, str]) -> Claim:
    return Claim(words, tuple(paper_ids[n] for n in dict.fromkeys(cited) if n in paper_ids))


def _unmarked(sentence: str) -> str:
    for mark in reversed(_marks(sentence)):
        sentence = sentence[: mark.start()].rstrip() + sentence[mark.end() :]
    return sentence.strip() if re.search(r"\w", sentence) else ""
