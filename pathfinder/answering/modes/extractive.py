"""The mode that answers without a chat model: the best sentences from the hits, verbatim."""

from pathfinder.answering.modes.base import AnswerMode, Need
from pathfinder.answering.session.answer_session import AnswerSession
from pathfinder.answering.session.draft import AnswerStream, DraftAnswer
from pathfinder.types import TextDelta


def stream_extractive(session: AnswerSession) -> AnswerStream:
    """Answer with a digest of the hits, as any mode does where there is no chat model (`answering/answer.py`)."""
    quotation = session.quotation()
    yield TextDelta(quotation.text)
    return DraftAnswer.quoting(quotation, "extractive")


MODE = AnswerMode(
    name="extractive",
    label="Sentences from the papers, verbatim",
    help="Quotes the sentences from the papers that best answer the question; uses no chat model.",
    icon="format_quote",
    stream=stream_extractive,
    needs=(Need.HITS,),
)
