"""Answers from the chat model's memory, with every sentence tagged, if no paper has the answer and the reader allows
it.
"""

import re
from collections.abc import Generator, Iterable, Iterator

from pathfinder.grounding.citations import without_citations
from pathfinder.llm.prompts import render
from pathfinder.models.ports import ChatModel
from pathfinder.text.sentences import sentence_spans
from pathfinder.types import TextDelta

TAG = "[from memory]"
"""Tag placed in front of every sentence."""

CAUTION = "text tagged [from memory] is the chat model's own: it is not based on any paper, and none of it was checked"

_BULLET = re.compile(r"^(?:[-*•#>]+|\d+[.)])\s+")


def stream_memory(question: str, chat: ChatModel) -> Generator[TextDelta, None, str]:
    """Yield what `chat` remembers, sentence by sentence, each tagged and without citations; return the whole text.

    May raise a `ProviderError` midway; the text yielded up to then must not be used as an answer.
    """
    sentences: list[str] = []
    for sentence in _sentences(chat.stream(render("rag_memory_system"), render("rag_memory", question=question))):
        tagged_sentence = f"{' ' if sentences else ''}{TAG} {sentence}"
        sentences.append(tagged_sentence)
        yield TextDelta(tagged_sentence)
    return "".join(sentences)


def _sentences(chunks: Iterable[str]) -> Iterator[str]:
    """Yield whole sentences as they arrive, each on one line, without bullets or citation marks."""
    waiting = ""
    for chunk in chunks:
        waiting += chunk
        *whole, _ = sentence_spans(waiting) or [(0, 0)]
        for start, end in whole:
            yield from _bare(waiting[start:end])
        waiting = waiting[whole[-1][1] :] if whole else waiting
    for start, end in sentence_spans(waiting):
        yield from _bare(waiting[start:end])


def _bare(sentence: str) -> Iterator[str]:
    bare = _BULLET.sub("", without_citations(" ".join(sentence.split())))
    if re.search(r"\w", bare):
        yield bare
