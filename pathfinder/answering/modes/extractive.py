"""The mode that answers without a chat model: the best sentences of the hits, verbatim."""

from pathfinder.answering.extractive import extract
from pathfinder.answering.modes.base import AnswerMode, Need
from pathfinder.answering.session import AnswerSession, AnswerStream, DraftAnswer
from pathfinder.types import TextDelta


def stream_extractive(session: AnswerSession) -> AnswerStream:
    """Answer with two to six sentences from the hits, each citing its paper."""
    text, claims = extract(session.question, session.result.hits, session.context.embedder)
    yield TextDelta(text)
    return DraftAnswer(
        text, claims, "extractive", abstained=not claims, sources=tuple(hit.paper for hit in session.result.hits)
    )


MODE = AnswerMode(
    name="extractive",
    label="Sentences of the papers, verbatim",
    help="Quotes the sentences of the papers that answer best; uses no chat model.",
    icon="format_quote",
    stream=stream_extractive,
    needs=(Need.HITS,),
)
