"""From a result to its answer: which way it is made, what stands in, and when there is none."""

from collections.abc import Callable, Generator
from dataclasses import replace

from pathfinder.answering.advice import nothing_found, nothing_relevant
from pathfinder.answering.agent.react import stream_agent
from pathfinder.answering.citations import without_unseen_signs
from pathfinder.answering.deep_research.research import stream_deep_research
from pathfinder.answering.extractive import extract
from pathfinder.answering.memory import CAUTION, stream_memory
from pathfinder.answering.patience import overrun, patient
from pathfinder.answering.rag import stream_rag
from pathfinder.answering.redirects import elsewhere
from pathfinder.answering.reply import Means, Reply, Replying, finished
from pathfinder.answering.self_feedback.feedback import stream_self_feedback
from pathfinder.assessment.evidence.ledger import ledger_of
from pathfinder.assessment.evidence.second_judge import judged_again
from pathfinder.errors import MissingDependency, ProviderError
from pathfinder.models.ports import ChatModel
from pathfinder.retrieval.question import in_words
from pathfinder.retrieval.replies import in_brief
from pathfinder.retrieval.stages import StageLog
from pathfinder.settings import LOCAL_EMBEDDER
from pathfinder.types import Answer, AnswerRequest, Claim, Generation, Ledger, SearchResult, Step

WAYS: dict[Generation, Callable[[SearchResult, AnswerRequest, Means], Replying]] = {
    Generation.RAG: stream_rag,
    Generation.AGENT: stream_agent,
    Generation.DEEP_RESEARCH: stream_deep_research,
    Generation.SELF_FEEDBACK: stream_self_feedback,
}
"""The ways that a chat model answers."""

CHAT_FAILED = "extractive (the chat model failed)"


def answer(result: SearchResult, request: AnswerRequest, means: Means) -> Answer:
    """Answer the question of `result` from its hits, each sentence with its papers.

    Without a chat model, and when it fails, the hits' own sentences answer. With no hit, or none that is
    relevant enough, the answer is "I don't know" with advice, and the chat model is not asked.
    """
    return finished(stream_answer(result, request, means))


def stream_answer(result: SearchResult, request: AnswerRequest, means: Means) -> Generator[str | Step, None, Answer]:
    """Like `answer`, yielding words and steps as they come; the generator's return value is the checked answer.

    The answer replaces what was yielded: its citations are checked, and when a chat model fails, it is the
    extractive one, of which nothing was yielded, and holds nothing of the words that had come.
    """
    log = StageLog()
    # Every call, also those that no budget of a run counts, such as that of the second judge.
    chat = means.chat and patient(means.chat, lambda: request.budget.seconds, overrun(request.budget))
    means = replace(means, chat=chat)
    with log.stage("answer") as stage:
        reply = yield from elsewhere(result, request, means) or _reply(result, request, means, log)
        if request.from_memory and _found_nothing(reply):
            reply = yield from _with_memory(reply, result.request.query, means.chat, log)
        stage.ran = reply.ran
    claims = _to_check(reply)
    ledger = _evidence(replace(reply, claims=claims), request, means, log) if claims else None
    notes = tuple(dict.fromkeys([*log.notes, *reply.notes]))
    return Answer(
        result.request.query,
        without_unseen_signs(reply.text),
        reply.claims,
        reply.abstained,
        log.stages,
        notes,
        sources=reply.sources,
        ledger=ledger,
        trace=reply.trace,
        versions=reply.versions,
        ads_query=reply.ads_query,
        redirect=reply.redirect,
    )


def _reply(result: SearchResult, request: AnswerRequest, means: Means, log: StageLog) -> Replying:
    if not result.hits:
        return (yield from _whole(Reply(nothing_found(result), (), "none: no paper was found", abstained=True)))
    if result.assessment is not None and not result.assessment.is_relevant:
        return (yield from _whole(Reply(nothing_relevant(result), (), "none: nothing relevant enough", abstained=True)))
    if request.generation is Generation.EXTRACTIVE:
        return (yield from _whole(_extractive(result, means, "extractive")))
    if means.chat is None:
        return (yield from _whole(_extractive(result, means, "extractive, no chat model set")))
    try:
        return (yield from WAYS[request.generation](result, request, means))
    except (ProviderError, MissingDependency) as error:
        log.note(str(error))
        return _extractive(result, means, CHAT_FAILED)


def _to_check(reply: Reply) -> tuple[Claim, ...]:
    """The claims that stand on papers, or should: not to know is none, and of what comes with it, what is cited is."""
    return tuple(claim for claim in reply.claims if claim.citations or not reply.abstained)


def _evidence(reply: Reply, request: AnswerRequest, means: Means, log: StageLog) -> Ledger:
    """The claims of `reply`, checked here, and by the chat model where that is asked for."""
    # The cut-offs of the checker belong to this model, and nothing more is sent to a remote one.
    embedder = means.embedder if means.embedder.name == LOCAL_EMBEDDER else None
    ledger = ledger_of(reply.claims, reply.sources, embedder)
    if not request.second_judge:
        return ledger
    if means.chat is None or reply.ran == CHAT_FAILED:
        why = "no chat model is set" if means.chat is None else "the chat model failed"
        log.note(f"the evidence has no second judge: {why}")
        return ledger
    with log.stage("second judge") as stage:
        try:
            ledger = judged_again(ledger, means.chat)
            stage.ran = in_words(means.chat.name)
        except (ProviderError, MissingDependency) as error:
            log.note(f"the evidence has no second judge: {error}")
            stage.ran = f"none: {in_brief(error, means.chat.name)}"
    return ledger


def _found_nothing(reply: Reply) -> bool:
    """Whether it does not know; a question that was led elsewhere is none that a memory should answer."""
    return reply.abstained and reply.redirect is None and reply.ads_query is None


def _with_memory(reply: Reply, question: str, chat: ChatModel | None, log: StageLog) -> Replying:
    """`reply`, which does not know, and behind it what the chat model remembers."""
    if chat is None:
        log.note("nothing is said from memory: no chat model is set")
        return reply
    yield "\n\n"
    try:
        remembered = yield from stream_memory(question, chat)
    except (ProviderError, MissingDependency) as error:
        log.note(f"nothing is said from memory: {error}")
        return reply
    if not remembered:
        return reply
    text, ran = f"{reply.text}\n\n{remembered}", f"{reply.ran}; then from the memory of {in_words(chat.name)}"
    return replace(reply, text=text, ran=ran, notes=(*reply.notes, CAUTION))


def _extractive(result: SearchResult, means: Means, ran: str) -> Reply:
    text, claims = extract(result.request.query, result.hits, means.embedder)
    return Reply(text, claims, ran, sources=tuple(hit.paper for hit in result.hits))


def _whole(reply: Reply) -> Replying:
    yield reply.text
    return reply
