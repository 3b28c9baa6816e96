"""Forms of a judge's reply: JSON if the server can make its model keep to a required format, tags otherwise; both are
parsed strictly.

A parser raises `ValueError` for a reply in neither form.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple

from pydantic import ConfigDict, Field

from pathfinder.llm.replies import json_or_none

MAX_MARK = 10
"""Highest mark that an answer can get for one criterion."""

_TAGS = {"<highly_relevant>": True, "<not_relevant>": False}
_MARK = re.compile(r"(\d+)\. <(critical|not_critical)>")
_GRADE = re.compile(r"<grade>([012])</grade>")
_ONE_MARK = re.compile(r"<mark>(10|[0-9])</mark>")
_QUALITY = re.compile(
    r"<coverage>([1-5])</coverage>\s*<relevance>([1-5])</relevance>\s*<organisation>([1-5])</organisation>"
)


class Quality(NamedTuple):
    """Quality of an answer in three grades, each from 1 to 5: the measures of ScholarQABench (arXiv:2411.14199)."""

    coverage: int
    relevance: int
    organisation: int


@dataclass(frozen=True)
class Relevance:
    """Judgement of a text: is it essential to answering the question?"""

    __pydantic_config__ = ConfigDict(extra="forbid")

    is_highly_relevant: bool


@dataclass(frozen=True)
class Critical:
    """Judgement of each sentence, in order: is it critical?"""

    __pydantic_config__ = ConfigDict(extra="forbid")

    is_critical: tuple[bool, ...]


@dataclass(frozen=True)
class Grade:
    """Grade of a text."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    grade: Literal[0, 1, 2]


@dataclass(frozen=True)
class CriterionMark:
    """Mark given to an answer for one criterion."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    mark: Annotated[int, Field(ge=0, le=MAX_MARK)]


_FromOneToFive = Literal[1, 2, 3, 4, 5]


@dataclass(frozen=True)
class QualityGrades:
    """Grades of an answer."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    coverage: _FromOneToFive
    relevance: _FromOneToFive
    organisation: _FromOneToFive


def read_relevance(reply: str) -> bool:
    """Return whether the text is essential."""
    if parsed_reply := json_or_none(reply, Relevance):
        return parsed_reply.is_highly_relevant
    if reply not in _TAGS:
        raise ValueError("one of two tags and nothing else")
    return _TAGS[reply]


def read_grade(reply: str) -> int:
    """Return the grade of a text: 0, 1 or 2."""
    if parsed_reply := json_or_none(reply, Grade):
        return parsed_reply.grade
    match = _GRADE.fullmatch(reply)
    if match is None:
        raise ValueError("a grade of 0, 1 or 2 between its tags and nothing else")
    return int(match[1])


def read_mark(reply: str) -> int:
    """Return the mark for a criterion, from 0 to `MAX_MARK`."""
    if parsed_reply := json_or_none(reply, CriterionMark):
        return parsed_reply.mark
    match = _ONE_MARK.fullmatch(reply)
    if match is None:
        raise ValueError("a mark from 0 to 10 between its tags and nothing else")
    return int(match[1])


def read_quality(reply: str) -> Quality:
    """Return the three grades of an answer."""
    if parsed_reply := json_or_none(reply, QualityGrades):
        return Quality(parsed_reply.coverage, parsed_reply.relevance, parsed_reply.organisation)
    match = _QUALITY.fullmatch(reply)
    if match is None:
        raise ValueError("three grades from 1 to 5, each between its tags, and nothing else")
    return Quality(*map(int, match.groups()))


def reader_of_marks(n_sentences: int) -> Callable[[str], tuple[bool, ...]]:
    """Return a parser for replies that mark each of `n_sentences` sentences."""
    wrong = f"a marked line for each of {n_sentences} sentences, in order, and nothing else"

    def parse(reply: str) -> tuple[bool, ...]:
        parsed_reply = json_or_none(reply, Critical)
        marks = _marked_lines(reply, wrong) if parsed_reply is None else parsed_reply.is_critical
        if len(marks) != n_sentences:
            raise ValueError(wrong)
        return marks

    return parse


def _marked_lines(reply: str, wrong: str) -> tuple[bool, ...]:
    """Read the marks from numbered lines. Raises `ValueError` with the message `wrong` for any other line."""
    matches = [_MARK.fullmatch(line.strip()) for line in reply.splitlines() if line.strip()]
    numbers = [int(match[1]) for match in matches if match is not None]
    if numbers != list(range(1, len(matches) + 1)):
        raise ValueError(wrong)
    return tuple(match[2] == "critical" for match in matches if match is not None)
