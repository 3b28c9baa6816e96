"""A chat model whose calls are counted."""

from collections.abc import Generator
from threading import Lock

from pathfinder.evaluation.judges import about_tokens
from pathfinder.models.ports import ChatModel
from pathfinder.types import Usage


class MeteredChat:
    """Passes everything on to another chat model, and counts. Threads may share it."""

    def __init__(self, chat: ChatModel) -> None:
        self._chat, self._lock = chat, Lock()
        self.n_calls = 0
        """Replies that were asked for, those that failed included."""
        self.tokens_in = 0
        """About: characters by 4."""
        self.tokens_out = 0
        """About."""

    @property
    def name(self) -> str:
        return self._chat.name

    def stream(
        self, system: str, prompt: str, *, temperature: float | None = None, max_tokens: int | None = None
    ) -> Generator[str, None, Usage | None]:
        """What the other model says."""
        with self._lock:
            self.n_calls += 1
            self.tokens_in += about_tokens(system + prompt)
        said = ""
        try:
            reply = self._chat.stream(system, prompt, temperature=temperature, max_tokens=max_tokens)
            while True:
                try:
                    piece = next(reply)
                except StopIteration as end:
                    usage: Usage | None = end.value
                    return usage
                said += piece
                yield piece
        finally:
            with self._lock:
                self.tokens_out += about_tokens(said)
