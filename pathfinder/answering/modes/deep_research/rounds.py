"""Runs one round of deep research: searches for sub-questions and reads the papers found, in parallel, and reports in
order.
"""

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from pathfinder.answering.modes.deep_research.finding import SubAnswer, read
from pathfinder.answering.modes.deep_research.plan import RESEARCH_SHARE
from pathfinder.answering.session.answer_session import AnswerSession
from pathfinder.answering.session.relevant_papers import NOTHING, passages_of, relevant
from pathfinder.answering.session.side_by_side import side_by_side, time_call
from pathfinder.errors import BudgetExhausted, PathfinderError
from pathfinder.llm.replies import REFUSALS
from pathfinder.llm.usage import ended_by
from pathfinder.types import SearchResult, StepKind, StepTaken

Result = TypeVar("Result")

AT_ONCE = 4
"""Number of sub-questions that are searched for and answered at the same time."""


@dataclass(slots=True)
class Research:
    """The sub-questions and findings so far for one answer."""

    session: AnswerSession
    sub_questions: list[str] = field(default_factory=list)
    """Every sub-question so far, including those that led nowhere."""
    findings: list[SubAnswer] = field(default_factory=list)
    failures: list[PathfinderError] = field(default_factory=list)


def look_into(research: Research, questions: Sequence[str]) -> Generator[StepTaken, None, None]:
    """Search for `questions` and read what is found, several at a time; report and record the outcomes in order.

    A sub-question that fails is skipped with a notice. If no round has found anything yet, the error is raised instead.
    """
    session = research.session
    with side_by_side(AT_ONCE, session.chat.tracker) as pool:
        searches = [pool.submit(time_call, session.clock, partial(session.search, question)) for question in questions]
        research.sub_questions.extend(questions)
        for question in questions:
            yield session.log.searching(question)
        readings = []
        for question, search in zip(questions, searches, strict=True):
            timed_result = yield from _result(research, question, search)
            if timed_result is not None:
                step_taken = session.observe(*timed_result)
                readings.append((question, pool.submit(time_call, session.clock, _reading(session, timed_result[0]))))
                yield step_taken
        for question, reading in readings:
            finding = yield from _result(research, question, reading)
            if finding is not None:
                yield _add_finding(research, *finding)
    if research.failures and not research.findings:
        raise research.failures[0]


def _reading(session: AnswerSession, result: SearchResult) -> Callable[[], SubAnswer]:
    """Prepare the call that writes the finding of a search, with the registry as it is now."""
    question, papers = result.request.query, relevant(result)
    if not papers:
        return lambda: SubAnswer(question, f"{NOTHING.capitalize()}.")
    return partial(read, session, session.registry, question, papers, passages_of(result), RESEARCH_SHARE)


def _result(research: Research, question: str, future: "Future[Result]") -> Generator[StepTaken, None, Result | None]:
    """Wait for a call to finish; issue a notice and return `None` if the budget was spent or a model failed."""
    log = research.session.log
    try:
        return future.result()
    except BudgetExhausted as error:
        end_reason = ended_by(error)
        yield log.notice(f"{end_reason.value}: there is no finding on “{question}”", end_reason)
    except REFUSALS as error:
        research.failures.append(error)
        yield log.notice(f"there is no finding on “{question}”: {error}")
    return None


def _add_finding(research: Research, finding: SubAnswer, seconds: float) -> StepTaken:
    research.findings.append(finding)
    text = f"{finding.question}\n{finding.text}"
    return research.session.log.add(StepKind.FINDING, text, _cited_ids(finding), seconds=seconds)


def _cited_ids(finding: SubAnswer) -> tuple[str, ...]:
    return tuple(dict.fromkeys(paper_id for claim in finding.claims for paper_id in claim.citations))
