"""Chat models that are scripted by what they are asked to do, and corpora that are made up for a question."""

from pathfinder.answering.session.answer_session import AnswerSession
from pathfinder.answering.session.context import AnswerContext
from pathfinder.llm.streams import RecordedStream
from pathfinder.models.fake import HashEmbedder, ScriptedChat
from pathfinder.types import Paper, StepKind, TextDelta
from tests.answering.results import result

EMBEDDER = HashEmbedder(256)

SPARE = Paper("spare", "A ladder of distances", "The ladder of distances leans on Cepheids. Its zero point is 0.05.")
"""A paper that the first search does not find."""


class Library:
    """A search that finds what it is told to for a part of the query, `SPARE` for any other, and keeps the requests."""

    def __init__(self, found=None, default=(SPARE,)):
        self.found, self.default = found or {}, default
        self.requests = []

    def __call__(self, request):
        self.requests.append(request)
        papers = next((papers for part, papers in self.found.items() if part in request.query), self.default)
        if isinstance(papers, Exception):
            raise papers
        return result(papers, query=request.query, relevant=bool(papers))

    @property
    def queries(self):
        return sorted(request.query for request in self.requests)


def keys_in(prompt):
    """The keys of the sources of a prompt, in their order."""
    return [part.partition('"')[0] for part in prompt.split('<source key="')[1:]]


def chat_of(kind_of, replies):
    """A model that says `replies[kind]`: a text, a `Reply`, a function of the prompt, or a list of them, in order."""
    waiting = {kind: list(reply) for kind, reply in replies.items() if isinstance(reply, list)}

    def reply_to(prompt):
        kind = kind_of(prompt)
        reply = waiting[kind].pop(0) if kind in waiting else replies[kind]
        return reply(prompt) if callable(reply) else reply

    return ScriptedChat(reply_to)


def drained(stream):
    """What a stream yields, and what it returns."""
    recorded = RecordedStream(stream)
    return list(recorded), recorded.result


def streamed(mode, found, request, context):
    """The words and steps of an answer by `mode`, whose draft is returned."""
    with RecordedStream(mode(AnswerSession.begin(found, request, context))) as events:
        for event in events:
            yield event.text if isinstance(event, TextDelta) else event.step
    return events.result


def context_of(chat, library, clock=lambda: 0.0):
    return AnswerContext(EMBEDDER, chat, library, clock)


def of_kind(steps, kind: StepKind):
    return [step.text for step in steps if step.kind is kind]
