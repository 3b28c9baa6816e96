"""HyDE (arXiv:2212.10496): a chat model writes abstracts of hypothetical papers that answer the question."""

from pathfinder.llm.prompts import render
from pathfinder.llm.replies import complete, unreadable
from pathfinder.llm.stopping import StoppablePool
from pathfinder.models.ports import ChatModel

TEMPERATURE = 0.5
"""Temperature above 0, so that several abstracts for one question differ."""

MAX_TOKENS = 250
"""Approximate length of an abstract. Both values are those of pathfinder (arXiv:2408.01556)."""


def write_hypothetical_abstracts(question: str, n: int, chat: ChatModel) -> tuple[str, ...]:
    """Return `n` abstracts that might answer `question`, written in parallel.

    If any of the calls fails, raises the model's error instead of returning fewer than `n`.
    """
    system, prompt = render("hyde_system"), render("hyde", question=question)

    def write(_: int) -> str:
        document = complete(chat, system, prompt, temperature=TEMPERATURE, max_tokens=MAX_TOKENS)
        if not document:
            raise unreadable(document, "no abstract", chat)
        return document

    with StoppablePool(n) as pool:
        return tuple(pool.map(write, range(n)))
