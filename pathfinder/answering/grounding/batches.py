"""Lets a chat model read papers in batches: calls run in parallel, and each reply must cover each key exactly once."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from pathfinder.answering.grounding.sources import room_for_sources
from pathfinder.llm.chat import Chat
from pathfinder.llm.stopping import StoppablePool
from pathfinder.models.ports import ChatModel
from pathfinder.types import Paper

Result = TypeVar("Result")
AT_ONCE = 4
"""Maximum number of concurrent calls."""
BUDGET_TOKENS = 1_000_000
"""Prompt budget in tokens, so large that no paper in a batch is left out; a model whose context is too short reports an
error instead.
"""
MAX_REPLY_TOKENS = 4_000
MOST_NAMED = 5
"""Maximum number of keys listed for each kind of fault in an error message."""


def read_in_batches(
    papers: Sequence[Paper], read: Callable[[Sequence[Paper]], Result], chat: ChatModel, most: int, tokens_a_paper: int
) -> Iterator[Result]:
    """Yield the result of `read` for each batch of at most `most` papers, in order; four batches are read at once.

    A model with a short context gets smaller batches, so that every paper fits.
    """
    size = max(1, min(most, prompt_room(chat) // tokens_a_paper))
    batches = [papers[start : start + size] for start in range(0, len(papers), size)]
    pool = StoppablePool(AT_ONCE)
    try:
        yield from pool.map(read, batches)
    finally:
        # If a call fails, or the caller stops waiting, calls that have not begun are cancelled.
        pool.shutdown(cancel_futures=True)


def prompt_room(chat: ChatModel) -> int:
    """Return the number of tokens that a prompt for `chat` can spare for sources."""
    return room_for_sources(BUDGET_TOKENS, Chat.of(chat).context_tokens)


def key_faults(reply_keys: Sequence[str], expected_keys: Sequence[str], noun: str) -> str:
    """Describe what is wrong with the keys of a reply; empty if they are those of `expected_keys`, each exactly once.

    `noun` names what the reply gives for each key and ends with a preposition, such as "stance for".
    """
    counts = Counter(reply_keys)
    faults = (
        (f"no {noun}", [key for key in expected_keys if key not in counts]),
        ("an unknown key:", sorted(key[:20] for key in counts.keys() - set(expected_keys))),
        (f"more than one {noun}", [key for key in expected_keys if counts[key] > 1]),
    )
    return "; ".join(f"{words} {_first(keys)}" for words, keys in faults if keys)


def _first(keys: Sequence[str]) -> str:
    more = len(keys) - MOST_NAMED
    return ", ".join(keys[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
