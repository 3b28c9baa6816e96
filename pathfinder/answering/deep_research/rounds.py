"""One round of sub-questions, searched and read side by side, told in their order."""

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from pathfinder.answering.deep_research.finding import Finding, read
from pathfinder.answering.deep_research.plan import RESEARCH_SHARE
from pathfinder.answering.run import Run, side_by_side
from pathfinder.answering.searching import NOTHING, passages_of, relevant
from pathfinder.answering.spending import Spent, timed
from pathfinder.errors import PathfinderError
from pathfinder.retrieval.replies import REFUSALS
from pathfinder.types import SearchResult, Step, StepKind

Settled = TypeVar("Settled")

AT_ONCE = 4
"""How many sub-questions are searched and read at the same time."""


@dataclass(slots=True)
class Research(Run):
    """A run, and what it has found so far."""

    asked: list[str] = field(default_factory=list)
    """Every sub-question so far, also those that came to nothing."""
    findings: list[Finding] = field(default_factory=list)
    failures: list[PathfinderError] = field(default_factory=list)


def look_into(run: Research, questions: Sequence[str]) -> Generator[Step, None, None]:
    """Search and read `questions`, several at once; what comes of them is told, and noted in `run`, in their order.

    One that fails is left out and said so. Raises its error where no round has found anything yet.
    """
    with side_by_side(AT_ONCE, run.spending) as pool:
        searches = [pool.submit(timed, run.means.clock, partial(run.search, one)) for one in questions]
        run.asked.extend(questions)
        for question in questions:
            yield run.log.searching(question)
        readings = []
        for question, searching in zip(questions, searches, strict=True):
            done = yield from _settled(run, question, searching)
            if done is not None:
                observed = run.observed(*done)
                readings.append((question, pool.submit(timed, run.means.clock, _reading(run, done[0]))))
                yield observed
        for question, reading in readings:
            read_in = yield from _settled(run, question, reading)
            if read_in is not None:
                finding, seconds = read_in
                run.findings.append(finding)
                yield run.log.add(StepKind.FINDING, f"{question}\n{finding.text}", _cited(finding), seconds=seconds)
    if run.failures and not run.findings:
        raise run.failures[0]


def _reading(run: Research, found: SearchResult) -> Callable[[], Finding]:
    """How the finding on what was found is made, from the shelf as it is now."""
    question, papers = found.request.query, relevant(found)
    if not papers:
        return lambda: Finding(question, f"{NOTHING.capitalize()}.")
    on = run.question, papers, run.shelf, run.chat, run.spending, RESEARCH_SHARE, passages_of(found)
    return partial(read, question, *on)


def _settled(run: Research, question: str, future: "Future[Settled]") -> Generator[Step, None, Settled | None]:
    """What came of it; `None`, after a notice, where the budget ended or a model failed."""
    try:
        return future.result()
    except Spent as spent:
        yield run.log.notice(f"{spent}: there is no finding on “{question}”", spent.ended)
    except REFUSALS as error:
        run.failures.append(error)
        yield run.log.notice(f"there is no finding on “{question}”: {error}")
    return None


def _cited(finding: Finding) -> tuple[str, ...]:
    return tuple(dict.fromkeys(paper_id for claim in finding.claims for paper_id in claim.citations))
