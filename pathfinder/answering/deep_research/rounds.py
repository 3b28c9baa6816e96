"""One round of sub-questions, searched and read side by side, told in their order."""

from collections.abc import Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

from pathfinder.answering.deep_research.finding import Finding, read
from pathfinder.answering.deep_research.plan import RESEARCH_SHARE
from pathfinder.answering.reply import Means
from pathfinder.answering.searching import NOTHING, asked_as, relevant, told
from pathfinder.answering.shelf import Shelf
from pathfinder.answering.spending import Spending, Spent
from pathfinder.answering.steps import StepLog
from pathfinder.errors import PathfinderError
from pathfinder.models.ports import ChatModel
from pathfinder.retrieval.replies import REFUSALS
from pathfinder.types import Paper, SearchResult, Step, StepKind

Settled = TypeVar("Settled")

AT_ONCE = 4
"""How many sub-questions are searched and read at the same time."""


@dataclass(slots=True)
class Run:
    """What a research works with, and what it has found so far."""

    result: SearchResult
    """Of the reader's own search."""
    means: Means
    chat: ChatModel
    spending: Spending
    log: StepLog
    shelf: Shelf
    asked: list[str] = field(default_factory=list)
    """Every sub-question so far, also those that came to nothing."""
    findings: list[Finding] = field(default_factory=list)
    failures: list[PathfinderError] = field(default_factory=list)

    @property
    def question(self) -> str:
        return self.result.request.query


def look_into(run: Run, questions: Sequence[str]) -> Generator[Step, None, None]:
    """Search and read `questions`, several at once; what comes of them is told, and noted in `run`, in their order.

    One that fails is left out and said so. Raises its error where no round has found anything yet.
    """
    pool = ThreadPoolExecutor(AT_ONCE)
    try:
        searches = [pool.submit(run.means.search, asked_as(one, run.result.request)) for one in questions]
        run.asked.extend(questions)
        for question in questions:
            yield run.log.searching(question)
        readings = []
        for question, searching in zip(questions, searches, strict=True):
            found = yield from _settled(run, question, searching)
            if found is not None:
                yield _observed(run, found)
                readings.append((question, _reading(run, question, relevant(found), pool)))
        for question, reading in readings:
            finding = yield from _settled(run, question, reading)
            if finding is not None:
                run.findings.append(finding)
                yield run.log.add(StepKind.FINDING, f"{question}\n{finding.text}", _cited(finding))
    finally:
        # A reader who stops does not wait for what is under way.
        pool.shutdown(wait=False, cancel_futures=True)
    if run.failures and not run.findings:
        raise run.failures[0]


def _observed(run: Run, found: SearchResult) -> Step:
    papers = relevant(found)
    n_before = len(run.shelf.papers)
    run.shelf = run.shelf.with_papers(papers)
    told_of = told(papers, len(run.shelf.papers) - n_before)
    return run.log.found(run.shelf, papers, f"{found.request.query}: {told_of}")


def _reading(run: Run, question: str, papers: Sequence[Paper], pool: ThreadPoolExecutor) -> "Future[Finding]":
    if papers:
        return pool.submit(read, question, run.question, papers, run.shelf, run.chat, run.spending, RESEARCH_SHARE)
    nothing: Future[Finding] = Future()
    nothing.set_result(Finding(question, f"{NOTHING.capitalize()}."))
    return nothing


def _settled(run: Run, question: str, future: "Future[Settled]") -> Generator[Step, None, Settled | None]:
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
