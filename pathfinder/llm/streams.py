"""Reads generators as streams, which record the items and the return value; the stream of a reply also stops when the
budget is spent.
"""

from collections.abc import Generator, Iterator
from types import TracebackType
from typing import Generic, Self, TypeVar

from pathfinder.errors import BudgetExhausted
from pathfinder.llm.budget_tracker import ended_by
from pathfinder.types import Ended, Usage

Item = TypeVar("Item")
Result = TypeVar("Result")


class RecordedStream(Iterator[Item], Generic[Item, Result]):
    """A generator whose items are recorded as they pass, and whose return value is `result` once it has ended.

    At the end of a `with` block, the generator is closed, so that the provider's connection is released when a reader
    stops.

    >>> stream = RecordedStream(chat.stream(system, prompt))
    >>> for chunk in stream: ...
    >>> "".join(stream.items), stream.result
    """

    result: Result

    def __init__(self, generator: Generator[Item, None, Result]) -> None:
        self._generator = generator
        self.items: list[Item] = []

    def __next__(self) -> Item:
        try:
            item = next(self._generator)
        except StopIteration as end:
            self.result = end.value
            raise
        self.items.append(item)
        return item

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._generator.close()


def drain(generator: Generator[object, None, Result]) -> Result:
    """Run `generator` to the end and return its result; the items are discarded."""
    stream = RecordedStream(generator)
    for _ in stream:
        pass
    return stream.result


class BudgetedReply(RecordedStream[str, Usage | None]):
    """A reply in chunks that stops when the budget is spent; `cut_reason` says why it stopped early."""

    cut_reason: Ended | None = None

    def __next__(self) -> str:
        try:
            return super().__next__()
        except BudgetExhausted as error:
            self.cut_reason = ended_by(error)
            raise StopIteration from None

    @property
    def text(self) -> str:
        """The text so far, without white space at the ends."""
        return "".join(self.items).strip()
