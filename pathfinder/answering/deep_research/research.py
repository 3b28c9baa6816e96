"""Deep research: plan, search and read each sub-question, ask what is still missing, and put the findings together.

plan -> sub-questions, searched and read side by side -> findings -> what do they leave open? -> sub-questions ...
     -> synthesis, which cites what the findings cite
"""

from collections.abc import Generator, Sequence
from functools import partial

from pathfinder.answering.citations import Checked
from pathfinder.answering.deep_research.finding import notes_on
from pathfinder.answering.deep_research.plan import RESEARCH_SHARE, Plan, first_plan, next_plan
from pathfinder.answering.deep_research.rounds import Research, look_into
from pathfinder.answering.deep_research.synthesis import as_they_stand, nothing_found, stream_synthesis
from pathfinder.answering.material import notes_on_marks
from pathfinder.answering.rag import says_it_does_not_know
from pathfinder.answering.reply import Means, Reply, Replying
from pathfinder.answering.spending import Spent, timed
from pathfinder.retrieval.question import in_words
from pathfinder.retrieval.replies import REFUSALS
from pathfinder.retrieval.strategies.decomposition import distinct
from pathfinder.types import AnswerRequest, Ended, Generation, SearchResult, Step, StepKind

NO_PLAN = (Plan("", ()), 0.0)
"""And no time that it took."""


def stream_deep_research(result: SearchResult, request: AnswerRequest, means: Means) -> Replying:
    """Yield each step as it is taken and the words of the synthesis; return them checked, with the trace.

    The sub-questions are searched as the question was: with its years, weights and stages. At the end of the
    budget, and where the model fails midway, the answer is made of the findings there are. Raises a
    `ProviderError` where there are none.
    """
    run = Research.begun(result, request, means, Generation.DEEP_RESEARCH)
    try:
        yield from _research(run)
    except Spent as spent:
        yield run.log.notice(f"{spent}: the research ended before its first finding", spent.ended)
    if not run.findings:
        return (yield from _from_the_hits(run))
    if all(finding.is_empty for finding in run.findings):
        return (yield from _empty_handed(run))
    return (yield from _concluded(run))


def _research(run: Research) -> Generator[Step, None, None]:
    """Rounds of sub-questions, until nothing is missing or the budget has no room for more."""
    planned = partial(first_plan, run.question, run.shelf.papers, run.earlier, run.chat, run.spending)
    plan, seconds = timed(run.means.clock, planned)
    while plan.sub_questions:
        words = "\n".join([plan.thought, *(f"- {one}" for one in plan.sub_questions)])
        yield run.log.add(StepKind.PLAN, words, seconds=seconds)
        yield from look_into(run, (yield from _affordable(run, plan.sub_questions)))
        plan, seconds = yield from _next(run)


def _affordable(run: Research, questions: Sequence[str]) -> Generator[Step, None, Sequence[str]]:
    """As many of `questions` as the step budget has room for."""
    left = run.spending.steps_left
    if len(questions) > left:
        kept = f"the step budget has room for {left} of these {len(questions)} sub-questions"
        yield run.log.notice(kept, Ended.STEPS)
    run.spending.steps += len(questions[:left])
    return questions[:left]


def _next(run: Research) -> Generator[Step, None, tuple[Plan, float]]:
    """What the findings leave to be asked; nothing at the end of the budget, and where the model cannot say."""
    if run.log.ended is not None:
        return NO_PLAN
    over = Ended.STEPS if run.spending.steps_left == 0 else run.spending.at_end(RESEARCH_SHARE)
    if over is not None:
        yield run.log.notice(f"{over}: nothing more was asked", over)
        return NO_PLAN
    planned = partial(next_plan, run.question, run.findings, run.shelf, run.chat, run.spending)
    try:
        plan, seconds = timed(run.means.clock, planned)
    except Spent as spent:
        yield run.log.notice(f"{spent}: nothing more was asked", spent.ended)
        return NO_PLAN
    except REFUSALS as error:
        yield run.log.notice(f"nothing more was asked, for the chat model failed: {error}")
        return NO_PLAN
    new = distinct(plan.sub_questions, but=run.asked)
    if len(new) < len(plan.sub_questions):
        yield run.log.notice("a sub-question that had been asked before was not asked again")
    if not new:
        yield run.log.add(StepKind.THOUGHT, plan.thought, seconds=seconds)
    return Plan(plan.thought, new), seconds


def _from_the_hits(run: Research) -> Replying:
    """Where the budget ended before anything was found: sentences of the reader's own hits."""
    text, claims = run.sentences_of_hits()
    yield run.log.add(StepKind.FINAL, text)
    return _reply(run, Checked(text, claims, ()), "extractive (budget spent)")


def _empty_handed(run: Research) -> Replying:
    text = nothing_found(run.findings)
    yield text
    yield run.log.add(StepKind.FINAL, text)
    return _reply(run, Checked(text, (), ()), _ran(run), abstained=True)


def _concluded(run: Research) -> Replying:
    ran, start = _ran(run), run.means.clock()
    put_together = stream_synthesis(run.question, run.findings, run.shelf, run.earlier, run.chat, run.spending)
    try:
        checked = yield from put_together
    except Spent as spent:
        yield run.log.notice(f"{spent} before the findings were put together", spent.ended)
        checked, ran = as_they_stand(run.findings), f"{ran}, without a synthesis"
    except REFUSALS as error:
        yield run.log.notice(f"the findings were not put together, for the chat model failed: {error}", Ended.FAILED)
        checked, ran = as_they_stand(run.findings), f"{ran}, without a synthesis"
    yield run.log.add(StepKind.FINAL, checked.text, seconds=run.means.clock() - start)
    return _reply(run, checked, ran, abstained=says_it_does_not_know(checked.text))


def _ran(run: Research) -> str:
    n = len(run.findings)
    return f"deep research, {n} sub-question{'' if n == 1 else 's'}, {in_words(run.chat.name)}"


def _reply(run: Research, checked: Checked, ran: str, *, abstained: bool = False) -> Reply:
    return Reply(
        checked.text,
        checked.claims,
        ran,
        abstained=abstained,
        notes=(
            *run.log.notes,
            *(note for finding in run.findings for note in notes_on(finding)),
            *notes_on_marks(checked),
        ),
        sources=run.shelf.papers,
        trace=run.log.trace,
    )
