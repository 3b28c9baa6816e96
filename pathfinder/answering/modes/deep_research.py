"""The deep research mode: plan sub-questions, read papers on each, ask what is still missing, and synthesise.

plan -> sub-questions, searched for and answered in parallel -> findings -> what do they leave open?
     -> sub-questions ...
     -> synthesis, which cites the papers of the findings
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, TypeVar

from pydantic import Field

from pathfinder.answering.grounding.citations import CheckedReply, check_citations
from pathfinder.answering.grounding.sources import CitationRegistry, escape, source_text, with_keys, without_room
from pathfinder.answering.modes.base import AnswerMode
from pathfinder.answering.modes.rag import says_it_does_not_know
from pathfinder.answering.session.answer_session import (
    NOTHING,
    AnswerSession,
    passages_of,
    relevant,
    side_by_side,
    time_call,
)
from pathfinder.answering.session.draft import DONT_KNOW, AnswerStream, DraftAnswer
from pathfinder.errors import BudgetExhausted, PathfinderError
from pathfinder.llm.chat import REFUSALS, parse_json, unreadable
from pathfinder.llm.prompts import render
from pathfinder.llm.usage import ended_by
from pathfinder.retrieval.lookup.question import describe_model
from pathfinder.retrieval.strategies.decomposition import distinct
from pathfinder.types import Claim, Ended, Paper, Passage, SearchResult, StepKind, StepTaken, TextDelta

# Plans the sub-questions: first those of the initial plan, then those still left open by the findings so far.

LONGEST = 500
"""Maximum length of a sub-question in characters; anything longer is not a question."""

Question = Annotated[str, Field(min_length=1, max_length=LONGEST)]


@dataclass(frozen=True, slots=True)
class ResearchPlan:
    """A chat model's reply: its thought and its sub-questions."""

    thought: str
    sub_questions: tuple[Question, ...]


NO_PLAN = (ResearchPlan("", ()), 0.0)
"""An empty plan, which took 0 seconds."""


def stream_deep_research(session: AnswerSession) -> AnswerStream:
    """Answer with a synthesis of findings on sub-questions, with the trace of all steps.

    The sub-questions are searched for in the same way as the question, with the same years, weights and stages. When
    the budget is spent, or the model fails midway, the answer is built from the findings so far. Raises a
    `ProviderError` if there are none.
    """
    research = Research(session)
    try:
        yield from _research(research)
    except BudgetExhausted as error:
        end_reason = ended_by(error)
        yield session.log.notice(f"{end_reason.value}: the research ended before its first finding", end_reason)
    if not research.findings:
        return (yield from session.spent(session.log.end_reason or Ended.SECONDS))
    if all(finding.is_empty for finding in research.findings):
        return (yield from _without_an_answer(research))
    return (yield from _conclude(research))


# Answers one sub-question from the papers found for it.


@dataclass(frozen=True, slots=True)
class SubAnswer:
    """A sub-question and its short answer."""

    question: str
    text: str
    """Text with [n] marks, whose numbers are positions in the registry of the whole answer."""
    claims: tuple[Claim, ...] = ()
    is_empty: bool = True
    """True if no paper answers the sub-question, because none was found, or none was relevant, informative or cited."""
    complaints: tuple[str, ...] = ()
    """Problems with its citations that the reader should know about."""
    left_out: str = ""
    """Positions of papers that were found but did not fit into the prompt."""


# Runs one round of deep research: searches for sub-questions and reads the papers found, in parallel, and reports in
# order.


@dataclass(slots=True)
class Research:
    """The sub-questions and findings so far for one answer."""

    session: AnswerSession
    sub_questions: list[str] = field(default_factory=list)
    """Every sub-question so far, including those that led nowhere."""
    findings: list[SubAnswer] = field(default_factory=list)
    failures: list[PathfinderError] = field(default_factory=list)


def _research(research: Research) -> Generator[StepTaken, None, None]:
    """Run rounds of sub-questions until nothing is missing or the budget does not allow another."""
    session = research.session
    plan, seconds = time_call(session.clock, partial(first_plan, session))
    while plan.sub_questions:
        text = "\n".join([plan.thought, *(f"- {question}" for question in plan.sub_questions)])
        yield session.log.add(StepKind.PLAN, text, seconds=seconds)
        yield from look_into(research, (yield from _affordable(session, plan.sub_questions)))
        plan, seconds = yield from _next(research)


def _affordable(session: AnswerSession, questions: Sequence[str]) -> Generator[StepTaken, None, Sequence[str]]:
    """Return as many of `questions` as the step budget allows."""
    n_left = session.steps_left
    if len(questions) > n_left:
        text = f"the step budget allows only {n_left} of these {len(questions)} sub-questions"
        yield session.log.notice(text, Ended.STEPS)
    session.n_steps += len(questions[:n_left])
    return questions[:n_left]


def _next(research: Research) -> Generator[StepTaken, None, tuple[ResearchPlan, float]]:
    """Plan questions that the findings leave open; the plan is empty if the budget is spent or the model fails."""
    session = research.session
    if session.log.end_reason is not None:
        return NO_PLAN
    end_reason = Ended.STEPS if session.steps_left == 0 else session.chat.tracker.end_reason(RESEARCH_SHARE)
    if end_reason is not None:
        yield session.log.notice(f"{end_reason.value}: no further sub-questions were asked", end_reason)
        return NO_PLAN
    try:
        plan, seconds = time_call(session.clock, partial(next_plan, session, research.findings))
    except BudgetExhausted as error:
        end_reason = ended_by(error)
        yield session.log.notice(f"{end_reason.value}: no further sub-questions were asked", end_reason)
        return NO_PLAN
    except REFUSALS as error:
        yield session.log.notice(f"no further sub-questions were asked because the chat model failed: {error}")
        return NO_PLAN
    new = distinct(plan.sub_questions, but=research.sub_questions)
    if len(new) < len(plan.sub_questions):
        yield session.log.notice("a sub-question that had already been asked was not repeated")
    if not new:
        yield session.log.add(StepKind.THOUGHT, plan.thought, seconds=seconds)
    return ResearchPlan(plan.thought, new), seconds


def _without_an_answer(research: Research) -> AnswerStream:
    sub_questions = "\n".join(f"- {finding.question}" for finding in research.findings)
    text = (
        f"{DONT_KNOW}: no papers were found that answer any of these sub-questions. Rephrase the question in the words "
        f"that papers on the subject would use, or widen the range of years.\n\n{sub_questions}"
    )
    yield TextDelta(text)
    yield research.session.log.add(StepKind.FINAL, text)
    return _draft(research, CheckedReply(text, (), ()), _ran(research), abstained=True)


def _conclude(research: Research) -> AnswerStream:
    session = research.session
    ran, start = _ran(research), session.clock()
    try:
        checked_reply = yield from _stream_synthesis(session, research.findings)
    except BudgetExhausted as error:
        end_reason = ended_by(error)
        yield session.log.notice(f"{end_reason.value} before the findings were combined", end_reason)
        checked_reply, ran = _as_they_stand(research.findings), f"{ran}, without a synthesis"
    except REFUSALS as error:
        text = f"the findings were not combined because the chat model failed: {error}"
        yield session.log.notice(text, Ended.FAILED)
        checked_reply, ran = _as_they_stand(research.findings), f"{ran}, without a synthesis"
    yield session.log.add(StepKind.FINAL, checked_reply.text, seconds=session.clock() - start)
    return _draft(research, checked_reply, ran, abstained=says_it_does_not_know(checked_reply.text))


def _ran(research: Research) -> str:
    n = len(research.findings)
    return f"deep research, {n} sub-question{'' if n == 1 else 's'}, {describe_model(research.session.chat.name)}"


def _draft(research: Research, checked_reply: CheckedReply, ran: str, *, abstained: bool = False) -> DraftAnswer:
    of_findings = (note for finding in research.findings for note in notes_on(finding))
    session = research.session
    draft = DraftAnswer(checked_reply.text, checked_reply.claims, ran, abstained=abstained, model=session.chat.name)
    return session.with_log(draft, (*of_findings, *checked_reply.notes))


def _stream_synthesis(
    session: AnswerSession, findings: Sequence[SubAnswer]
) -> Generator[TextDelta, None, CheckedReply]:
    """Yield the synthesis as it arrives; return it with its citations checked.

    Raises whatever `AnswerSession.write` raises, possibly midway.
    """
    registry = session.registry
    prompt = render(
        "deep_synthesis",
        sources=session.sources(_papers_cited_by(findings, registry)).text,
        findings=as_findings(findings, registry),
        earlier=session.earlier,
        question=escape(session.question),
    )
    reply = yield from session.write(render("deep_synthesis_system"), prompt)
    return check_citations(reply, registry)


def _papers_cited_by(findings: Sequence[SubAnswer], registry: CitationRegistry) -> tuple[Paper, ...]:
    """Return the papers that `findings` cite, the most cited first; ties are in order of citation."""
    counts: dict[str, int] = {}
    for finding in findings:
        for paper_id in dict.fromkeys(paper_id for claim in finding.claims for paper_id in claim.citations):
            counts[paper_id] = counts.get(paper_id, 0) + 1
    papers = {paper.paper_id: paper for paper in registry.papers}
    return tuple(papers[paper_id] for paper_id in sorted(counts, key=lambda paper_id: -counts[paper_id]))


def _as_they_stand(findings: Sequence[SubAnswer]) -> CheckedReply:
    """List the findings, each under its sub-question; without a model, they are not combined."""
    blocks = [f"{finding.question}\n{finding.text}" for finding in findings]
    text = "\n\n".join(["No synthesis was written. The findings, each under its sub-question:", *blocks])
    return CheckedReply(text, tuple(claim for finding in findings for claim in finding.claims), ())


Result = TypeVar("Result")

AT_ONCE = 4
"""Number of sub-questions that are searched for and answered at the same time."""


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
            timed_finding = yield from _result(research, question, reading)
            if timed_finding is not None:
                finding, seconds = timed_finding
                research.findings.append(finding)
                cited_ids = dict.fromkeys(paper_id for claim in finding.claims for paper_id in claim.citations)
                text = f"{finding.question}\n{finding.text}"
                yield session.log.add(StepKind.FINDING, text, tuple(cited_ids), seconds=seconds)
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


SOURCE_TOKENS = 4_000
"""Maximum number of tokens for the sources of one sub-question: about ten abstracts."""


def read(
    session: AnswerSession,
    registry: CitationRegistry,
    sub_question: str,
    papers: Sequence[Paper],
    passages: Mapping[str, Sequence[Passage]],
    share: float,
) -> SubAnswer:
    """Have the chat model answer `sub_question` from as many of `papers` as fit; all of them must be in `registry`.

    A paper that does not fit as a whole is represented by its `passages`, which are listed by paper id. `share` is the
    fraction of the budget that may be used. Raises whatever `AnswerSession.ask` raises.
    """
    sources = session.sources(papers, SOURCE_TOKENS, passages, registry)
    prompt = render(
        "deep_finding", sources=sources.text, question=escape(session.question), sub_question=escape(sub_question)
    )
    reply = session.ask(render("deep_finding_system"), prompt, share=share)
    checked_reply = check_citations(reply, registry)
    return SubAnswer(
        sub_question,
        checked_reply.text,
        checked_reply.claims,
        is_empty=says_it_does_not_know(reply) or not any(claim.citations for claim in checked_reply.claims),
        complaints=checked_reply.complaints,
        left_out=without_room(sources.left_out, registry),
    )


def notes_on(finding: SubAnswer) -> tuple[str, ...]:
    """List what the reader should know about a finding."""
    notes = []
    if finding.is_empty:
        notes.append(f"no paper answers “{finding.question}”")
    if finding.left_out:
        consequence = f"the finding on “{finding.question}” does not draw on them"
        notes.append(f"the prompt had no room for {finding.left_out}: {consequence}")
    notes += [f"in the finding on “{finding.question}”, {complaint}" for complaint in finding.complaints]
    return tuple(notes)


def as_findings(findings: Sequence[SubAnswer], registry: CitationRegistry) -> str:
    """Format `findings` for a prompt, each with its sources' keys."""
    return "\n\n".join(_block(finding, registry) for finding in findings)


def _block(finding: SubAnswer, registry: CitationRegistry) -> str:
    answer_text = "nothing in this library" if finding.is_empty else with_keys(finding.claims, registry)
    return f"<finding>\nSub-question: {escape(finding.question)}\nFound: {answer_text}\n</finding>"


MOST = 5
"""Maximum number of sub-questions in the first plan."""
MOST_NEXT = 3
"""Maximum number of sub-questions in a later round."""
RESEARCH_SHARE = 0.75
"""Share of the budget's seconds and tokens that research may use; the rest is for the synthesis."""
TEMPERATURE = 0.0
MAX_TOKENS = 600


def first_plan(session: AnswerSession) -> ResearchPlan:
    """Show the chat model the titles found so far, and have it ask between one and `MOST` sub-questions.

    Raises a `ProviderError` for a reply that is not in the expected form, and whatever `AnswerSession.ask` raises.
    """
    titles = "\n".join(source_text(paper.title) for paper in session.registry.papers)
    prompt = render("deep_plan", question=escape(session.question), titles=titles, earlier=session.earlier)
    plan, reply = _plan(session, "deep_plan_system", MOST, prompt)
    if not plan.sub_questions:
        raise unreadable(reply, "no sub-question", session.chat)
    return plan


def next_plan(session: AnswerSession, findings: Sequence[SubAnswer]) -> ResearchPlan:
    """Show the chat model the `findings`, and have it ask at most `MOST_NEXT` further sub-questions, possibly none.

    Raises the same errors as `first_plan`. The caller checks for repeated questions.
    """
    findings_text = as_findings(findings, session.registry)
    prompt = render("deep_next", question=escape(session.question), findings=findings_text)
    return _plan(session, "deep_next_system", MOST_NEXT, prompt)[0]


def _plan(session: AnswerSession, system: str, most: int, prompt: str) -> tuple[ResearchPlan, str]:
    """Return the plan, and the reply from which it was read."""
    instructions = render(system, most=str(most))
    settings = {"temperature": TEMPERATURE, "max_tokens": MAX_TOKENS}
    reply = session.ask(instructions, prompt, share=RESEARCH_SHARE, form=ResearchPlan, **settings)
    plan = parse_json(reply, ResearchPlan, session.chat)
    n_asked = len(plan.sub_questions)
    if n_asked > most:
        raise unreadable(reply, f"{n_asked} sub-questions, but at most {most} were requested", session.chat)
    return ResearchPlan(" ".join(plan.thought.split()), distinct(plan.sub_questions)), reply


MODE = AnswerMode(
    name="deep-research",
    label="Deep research: part by part",
    help="A chat model plans sub-questions, reads papers on each, and combines the findings.",
    icon="travel_explore",
    stream=stream_deep_research,
    is_stepwise=True,
)
