"""From a result to its answer: which way it is made, what stands in, and when there is none."""

from collections.abc import Generator

from pathfinder.answering.advice import nothing_found, nothing_relevant
from pathfinder.answering.extractive import extract
from pathfinder.answering.rag import Reply, stream_reply
from pathfinder.errors import MissingDependency, ProviderError
from pathfinder.models.ports import ChatModel, Embedder
from pathfinder.retrieval.question import in_words
from pathfinder.retrieval.stages import RunningStage, StageLog
from pathfinder.types import Answer, SearchResult


def answer(result: SearchResult, embedder: Embedder, chat: ChatModel | None) -> Answer:
    """Answer the question of `result` from its hits, each sentence with its papers.

    Without a chat model, and when it fails, the hits' own sentences answer. With no hit, or none that is
    relevant enough, the answer is "I don't know" with advice, and the chat model is not asked.
    """
    stream = stream_answer(result, embedder, chat)
    while True:
        try:
            next(stream)
        except StopIteration as end:
            whole: Answer = end.value
            return whole


def stream_answer(result: SearchResult, embedder: Embedder, chat: ChatModel | None) -> Generator[str, None, Answer]:
    """Like `answer`, yielding the text as it comes; the generator's return value is the checked answer.

    The answer replaces what was yielded: its citations are checked, and when a chat model fails, it is the
    extractive one, of which nothing was yielded, and holds nothing of the words that had come.
    """
    log = StageLog()
    with log.stage("answer") as stage:
        reply = yield from _reply(result, embedder, chat, log, stage)
    notes = tuple(dict.fromkeys([*log.notes, *reply.notes]))
    return Answer(result.request.query, reply.text, reply.claims, reply.abstained, log.stages, notes)


def _reply(
    result: SearchResult, embedder: Embedder, chat: ChatModel | None, log: StageLog, stage: RunningStage
) -> Generator[str, None, Reply]:
    if not result.hits:
        stage.ran = "none: no paper was found"
        return (yield from _whole(Reply(nothing_found(result), (), True, ())))
    if result.assessment is not None and not result.assessment.is_relevant:
        stage.ran = "none: nothing relevant enough"
        return (yield from _whole(Reply(nothing_relevant(result), (), True, ())))
    if chat is None:
        stage.ran = "extractive, no chat model set"
        return (yield from _whole(_extractive(result, embedder)))
    stage.ran = f"RAG, {in_words(chat.name)}"
    try:
        return (yield from stream_reply(result.request.query, result.hits, chat))
    except (ProviderError, MissingDependency) as error:
        stage.ran = "extractive (the chat model failed)"
        log.note(str(error))
        return _extractive(result, embedder)


def _extractive(result: SearchResult, embedder: Embedder) -> Reply:
    text, claims = extract(result.request.query, result.hits, embedder)
    return Reply(text, claims, False, ())


def _whole(reply: Reply) -> Generator[str, None, Reply]:
    yield reply.text
    return reply
