"""Chat models scripted by the task in the prompt, and libraries made up for a question."""

from pathfinder.answering.session.answer_session import AnswerContext, AnswerSession
from pathfinder.llm.stopping import RecordedStream
from pathfinder.models.fake import HashEmbedder, ScriptedChat
from pathfinder.types import Paper, StepKind, TextDelta
from tests.answering.results import result

EMBEDDER = HashEmbedder(256)

SPARE = Paper("spare", "A ladder of distances", "The ladder of distances leans on Cepheids. Its zero point is 0.05.")
"""Paper that the first search does not find."""


class Library:
    """A search that finds prescribed papers for queries that contain certain words, and `SPARE` for any other; it
    records the requests.
    """

    def __init__(self, papers=None, default=(SPARE,)):
        self.papers, self.default = papers or {}, default
        self.requests = []

    def __call__(self, request):
        self.requests.append(request)
        papers = next((papers for part, papers in self.papers.items() if part in request.query), self.default)
        if isinstance(papers, Exception):
            raise papers
        return result(papers, query=request.query, relevant=bool(papers))

    @property
    def queries(self):
        return sorted(request.query for request in self.requests)


def keys_in(prompt):
    """Return the keys of the sources in a prompt, in their order."""
    return [part.partition('"')[0] for part in prompt.split('<source key="')[1:]]


def chat_of(kind_of, replies):
    """Make a model that says `replies[kind]`: a text, a `Reply`, a function of the prompt, or a list of these, used in
    order.
    """
    waiting = {kind: list(reply) for kind, reply in replies.items() if isinstance(reply, list)}

    def reply_to(prompt):
        kind = kind_of(prompt)
        reply = waiting[kind].pop(0) if kind in waiting else replies[kind]
        return reply(prompt) if callable(reply) else reply

    return ScriptedChat(reply_to)


def drain(stream):
    """Return the items of a stream, and its return value."""
    stream_ = RecordedStream(stream)
    return list(stream_), stream_.result


def stream_mode(mode, search_result, request, context):
    """Yield the words and steps of an answer by `mode`; return its draft."""
    with RecordedStream(mode(AnswerSession.begin(search_result, request, context))) as events:
        for event in events:
            yield event.text if isinstance(event, TextDelta) else event.step
    return events.result


def context_of(chat, library, clock=lambda: 0.0):
    return AnswerContext(EMBEDDER, chat, library, clock)


def of_kind(steps, kind: StepKind):
    return [step.text for step in steps if step.kind is kind]
