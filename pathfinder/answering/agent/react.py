"""An answer by an agent that searches as it goes, under the reader's own settings."""

from collections.abc import Generator, Sequence
from itertools import pairwise

from pathfinder.answering.agent.doing import first_look
from pathfinder.answering.agent.recording import N_FIRST, recorded
from pathfinder.answering.agent.run import Bench, Run
from pathfinder.answering.agent.tools import SEARCH, within
from pathfinder.answering.citations import check_citations
from pathfinder.answering.conversation import earlier_papers
from pathfinder.answering.rag import says_it_does_not_know
from pathfinder.answering.reply import Means, Reply, Replying
from pathfinder.answering.shelf import Shelf
from pathfinder.errors import ProviderError
from pathfinder.models.ports import ToolChat
from pathfinder.retrieval.question import in_words
from pathfinder.types import AnswerRequest, Ended, Generation, SearchResult, Step, StepKind, Trace


def stream_agent(result: SearchResult, request: AnswerRequest, means: Means) -> Replying:
    """Yield steps as they happen and the words of the answer; return it with its trace.

    Raises a `ProviderError` where there is no chat model, or one that knows no tools, or one that fails before it
    has said anything. Later failures end the run with an answer from what was found by then. With `means.branch`, the
    actions of an earlier run are done anew, so that nothing is believed because a file says it, and then gone on from.
    """
    if (chat := means.chat) is None:
        raise ProviderError("no chat model is set")
    if not isinstance(chat, ToolChat):
        raise ProviderError(f"{chat.name} cannot ask for tools, so it cannot be an agent: choose another model or RAG")
    branch = means.branch
    bench = bench_for(result, request, chat, means, branch.kept if branch else ())
    run = yield from walked(bench)
    return _reply(run, bench, branch.place if branch else None)


def bench_for(
    result: SearchResult, request: AnswerRequest, chat: ToolChat, means: Means, kept: tuple[Step, ...]
) -> Bench:
    """What a run works with that first takes the steps `kept` of an earlier one again. Its time begins now."""
    return Bench(
        result,
        within(result.request),
        request,
        chat,
        means.embedder,
        means.search,
        means.clock,
        means.clock(),
        kept,
        recorded(kept),
    )


def walked(bench: Bench) -> Generator[str | Step, None, Run]:
    """A whole run, from the reader's own search to its end."""
    from pathfinder.answering.agent.graph import walk

    first: list[str | Step] = []
    hits = [hit.paper for hit in bench.result.hits]
    shelf = Shelf(bench.result.request.query).with_papers(hits).with_papers(earlier_papers(bench.request.earlier))
    run = first_look(Run(shelf), bench, first.append)
    yield from first
    return (yield from walk(run, bench))


def trace_of(run: Run, question: str, branched_at: int | None = None) -> Trace:
    """The trace of an ended run."""
    return Trace(question, Generation.AGENT.value, run.steps, run.ended or Ended.FAILED, branched_at)


def _reply(run: Run, bench: Bench, branched_at: int | None) -> Reply:
    trace = trace_of(run, bench.result.request.query, branched_at)
    n_searches = sum(step.kind is StepKind.ACTION and step.tool == SEARCH for step in _done(run.steps[N_FIRST:]))
    searches = "1 search" if n_searches == 1 else f"{n_searches} searches"
    ran = f"agent, {searches}, {in_words(bench.chat.name)}"
    notes = [*([] if run.ended is Ended.ANSWERED else [_last_notice(run.steps)]), *run.notes]
    if run.quoted is not None:
        text, claims = run.quoted
        notes.append("the chat model gave no answer: these are the papers' own sentences")
        return Reply(text, claims, f"extractive, behind an {ran}", not claims, tuple(notes), run.shelf.papers, trace)
    checked = check_citations(run.reply or "", run.shelf)
    knows = not says_it_does_not_know(run.reply or "")
    notes += checked.complaints
    if knows and not any(claim.citations for claim in checked.claims):
        notes.append("no sentence of this answer cites a paper: check it against the papers yourself")
    return Reply(checked.text, checked.claims, ran, not knows, tuple(notes), run.shelf.papers, trace)


def _done(steps: Sequence[Step]) -> list[Step]:
    """The actions that an observation follows."""
    return [step for step, after in pairwise(steps) if after.kind is StepKind.OBSERVATION]


def _last_notice(steps: Sequence[Step]) -> str:
    return next((step.text for step in reversed(steps) if step.kind is StepKind.NOTICE), "")
