"""What one answer has taken of its budget, and the calls of the chat model that it is taken by."""

from collections.abc import Callable, Generator
from threading import Event, Lock
from typing import TypeVar

from pathfinder.answering.patience import patient
from pathfinder.errors import BudgetSpent, ProviderError, TimeSpent
from pathfinder.models.ports import ChatModel
from pathfinder.types import Budget, Ended, Usage

Done = TypeVar("Done")

CHARACTERS_OF_A_TOKEN = 4
"""Of English, about; where a provider says what it counted, that is taken."""


class Spent(Exception):
    """A budget is at its end: what is there has to do."""

    def __init__(self, ended: Ended) -> None:
        super().__init__(ended.value)
        self.ended = ended


def timed(clock: Callable[[], float], call: Callable[[], Done]) -> tuple[Done, float]:
    """What `call` returns, and its seconds by `clock`."""
    start = clock()
    done = call()
    return done, clock() - start


class Spending:
    """Steps, seconds and tokens that one answer has taken so far; threads may share it."""

    def __init__(self, budget: Budget, clock: Callable[[], float]) -> None:
        """`clock` tells seconds; time is counted from now on."""
        self.budget = budget
        self.tokens = 0
        """Read and written by the chat model, all calls together."""
        self.steps = 0
        self.clock = clock
        self._start = clock()
        self._lock, self._is_stopped = Lock(), Event()

    @property
    def seconds(self) -> float:
        """Since the beginning."""
        return self.clock() - self._start

    @property
    def steps_left(self) -> int:
        return self.budget.steps - self.steps

    def stop(self) -> None:
        """The reader wants no more: replies under way end with their next piece, and no call is made."""
        self._is_stopped.set()

    def at_end(self, share: float = 1.0, tokens_more: int = 0) -> Ended | None:
        """What is at its end once `share` of the budget may be used, and `tokens_more` are about to be; or nothing."""
        if self._is_stopped.is_set():
            return Ended.STOPPED
        if self.seconds >= share * self.budget.seconds:
            return Ended.SECONDS
        return Ended.TOKENS if self.tokens + tokens_more > share * self.budget.tokens else None

    def ask(
        self,
        chat: ChatModel,
        system: str,
        prompt: str,
        *,
        share: float = 1.0,
        temperature: float | None = None,
        max_tokens: int | None = None,
    ) -> str:
        """The whole reply, white space at its ends left out; raises what `stream` raises."""
        pieces = self.stream(chat, system, prompt, share=share, temperature=temperature, max_tokens=max_tokens)
        return "".join(pieces).strip()

    def stream(
        self,
        chat: ChatModel,
        system: str,
        prompt: str,
        *,
        share: float = 1.0,
        temperature: float | None = None,
        max_tokens: int | None = None,
    ) -> Generator[str, None, None]:
        """The reply as it comes, counted.

        Raises `Spent` before the call where `share` of the budget has no room for its prompt, and midway once the
        whole budget is spent; a `ProviderError` where the model fails or says nothing.
        """
        read = -(-len(system + prompt) // CHARACTERS_OF_A_TOKEN)
        if (ended := self.at_end(share, read)) is not None:
            raise Spent(ended)
        self._add(read)
        waited_for = patient(chat, lambda: self.budget.seconds - self.seconds)
        pieces = waited_for.stream(system, prompt, temperature=temperature, max_tokens=max_tokens)
        try:
            text = yield from self._counted(pieces, read)
        finally:
            pieces.close()
        if not text.strip():
            raise ProviderError(f"{chat.name} gave an empty reply: ask again, or choose another model")

    def _counted(self, pieces: Generator[str, None, Usage | None], read: int) -> Generator[str, None, str]:
        """`pieces` as they come, after a prompt of `read` tokens; returns them in one."""
        counted, text = read, ""
        while True:
            try:
                piece = next(pieces)
            except StopIteration as end:
                self._correct(end.value, counted)
                return text
            except BudgetSpent:
                # Others may draw on the same tokens, such as the searches.
                raise Spent(Ended.TOKENS) from None
            except TimeSpent:
                raise Spent(Ended.SECONDS) from None
            # Looked at before it is counted: a reply that is whole stays whole.
            if (ended := self.at_end()) is not None:
                raise Spent(ended)
            text += piece
            total = read + len(text) // CHARACTERS_OF_A_TOKEN
            self._add(total - counted)
            counted = total
            yield piece

    def _add(self, tokens: int) -> None:
        with self._lock:
            self.tokens += tokens

    def _correct(self, usage: Usage | None, counted: int) -> None:
        if usage is not None:
            self._add(usage.tokens_in + usage.tokens_out - counted)
