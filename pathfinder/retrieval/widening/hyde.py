"""Hypothetical abstracts: a chat model writes the paper that answers the question (HyDE, arXiv:2212.10496)."""

from concurrent.futures import ThreadPoolExecutor

from pathfinder.models.ports import ChatModel
from pathfinder.prompts import render
from pathfinder.retrieval.replies import complete, unreadable

TEMPERATURE = 0.5
"""So that several abstracts of one question differ."""

MAX_TOKENS = 250
"""About the length of an abstract (both as in pathfinder, arXiv:2408.01556)."""


def hypothetical_documents(question: str, n: int, chat: ChatModel) -> tuple[str, ...]:
    """`n` abstracts that might answer `question`, written at the same time; the prompt of each holds the question.

    Raises what the model raises for any of them: fewer than were asked for are none.
    """
    system, prompt = render("hyde_system"), render("hyde", question=question)

    def write(_: int) -> str:
        document = complete(chat, system, prompt, temperature=TEMPERATURE, max_tokens=MAX_TOKENS)
        if not document:
            raise unreadable(document, "no abstract", chat.name)
        return document

    with ThreadPoolExecutor(n) as pool:
        return tuple(pool.map(write, range(n)))
