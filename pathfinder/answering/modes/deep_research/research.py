"""The deep research mode: plan sub-questions, read papers on each, ask what is still missing, and synthesise.

plan -> sub-questions, searched for and answered in parallel -> findings -> what do they leave open?
     -> sub-questions ...
     -> synthesis, which cites the papers of the findings
"""

from collections.abc import Generator, Sequence
from functools import partial

from pathfinder.answering.modes.base import AnswerMode
from pathfinder.answering.modes.deep_research.finding import SubAnswer, as_findings, notes_on
from pathfinder.answering.modes.deep_research.plan import RESEARCH_SHARE, ResearchPlan, first_plan, next_plan
from pathfinder.answering.modes.deep_research.rounds import Research, look_into
from pathfinder.answering.modes.rag import says_it_does_not_know
from pathfinder.answering.session.advice import DONT_KNOW
from pathfinder.answering.session.answer_session import AnswerSession
from pathfinder.answering.session.draft import AnswerStream, DraftAnswer
from pathfinder.answering.session.side_by_side import time_call
from pathfinder.errors import BudgetExhausted
from pathfinder.grounding.citations import CheckedReply, check_citations
from pathfinder.grounding.material import escape, notes_on_marks
from pathfinder.grounding.registry import CitationRegistry
from pathfinder.llm.prompts import render
from pathfinder.llm.replies import REFUSALS
from pathfinder.llm.usage import ended_by
from pathfinder.retrieval.lookup.question import describe_model
from pathfinder.retrieval.strategies.decomposition import distinct
from pathfinder.types import Ended, Paper, StepKind, StepTaken, TextDelta

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
        return (yield from _from_the_hits(session))
    if all(finding.is_empty for finding in research.findings):
        return (yield from _without_an_answer(research))
    return (yield from _conclude(research))


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


def _from_the_hits(session: AnswerSession) -> AnswerStream:
    """Answer with sentences from the reader's own hits if the budget was spent before anything was found."""
    reason = (session.log.end_reason or Ended.SECONDS).value
    draft = session.quote_hits("extractive (budget spent)", reason)
    yield session.log.add(StepKind.FINAL, draft.text)
    return session.with_log(draft)


def _without_an_answer(research: Research) -> AnswerStream:
    text = _nothing_found(research.findings)
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
    return session.with_log(draft, (*of_findings, *notes_on_marks(checked_reply)))


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


def _nothing_found(findings: Sequence[SubAnswer]) -> str:
    """Write the reply for research that found nothing on any sub-question."""
    sub_questions = "\n".join(f"- {finding.question}" for finding in findings)
    return (
        f"{DONT_KNOW}: no papers were found that answer any of these sub-questions. Rephrase the question in the words "
        f"that papers on the subject would use, or widen the range of years.\n\n{sub_questions}"
    )


MODE = AnswerMode(
    name="deep-research",
    label="Deep research: part by part",
    help="A chat model plans sub-questions, reads papers on each, and combines the findings.",
    icon="travel_explore",
    stream=stream_deep_research,
    is_stepwise=True,
)
