"""What a chat model remembers, where no paper answers and the reader wants to see it: every sentence tagged."""

import re
from collections.abc import Generator, Iterable, Iterator

from pathfinder.answering.citations import uncited
from pathfinder.corpus.sentences import sentence_spans
from pathfinder.models.ports import ChatModel
from pathfinder.prompts import render
from pathfinder.types import Step

TAG = "[from memory]"
"""In front of every sentence."""

CAUTION = (
    "what is tagged [from memory] is the chat model's own: no paper was read for it, and nothing of it was checked"
)

_BULLET = re.compile(r"^(?:[-*•#>]+|\d+[.)])\s+")


def stream_memory(question: str, chat: ChatModel) -> Generator[str | Step, None, str]:
    """Yield what `chat` remembers sentence by sentence, each tagged and without citations; return it whole.

    Raises a `ProviderError`, also midway: then what was yielded is no answer.
    """
    told: list[str] = []
    for sentence in _sentences(chat.stream(render("rag_memory_system"), render("rag_memory", question=question))):
        tagged = f"{' ' if told else ''}{TAG} {sentence}"
        told.append(tagged)
        yield tagged
    return "".join(told)


def _sentences(pieces: Iterable[str]) -> Iterator[str]:
    """Whole sentences as they come, on one line each, without bullets and marks."""
    waiting = ""
    for piece in pieces:
        waiting += piece
        *whole, _ = sentence_spans(waiting) or [(0, 0)]
        for start, end in whole:
            yield from _bare(waiting[start:end])
        waiting = waiting[whole[-1][1] :] if whole else waiting
    for start, end in sentence_spans(waiting):
        yield from _bare(waiting[start:end])


def _bare(sentence: str) -> Iterator[str]:
    bare = _BULLET.sub("", uncited(" ".join(sentence.split())))
    if re.search(r"\w", bare):
        yield bare
