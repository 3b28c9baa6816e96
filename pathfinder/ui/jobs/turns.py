"""Turns at drawing pages: a few at once in the whole process, in the order in which their visitors arrived.

A page keeps a processor busy while it searches, answers and draws. Fifty pages drawn at once would alternate a hundred
times a second, each waiting for all the others at each of its elements; drawn one after the other, each is finished
sooner. A page that only draws what was found before, such as the same papers in another order, takes less than half the
time and goes first.

Waiting for a chat model takes no turn, because a page waits for it between its runs. Pages that do more than search and
draw, such as an evaluation, take no turns: they would hold up everybody.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Condition

AT_ONCE = 2
"""Number of pages drawn at the same time: while one waits for its search, which runs outside Python's lock, another
draws.
"""

SHORT_PAGES = frozenset({"", "compare", "similar"})
"""Addresses of the pages that have to wait for their turn."""

TELL_SECONDS = 1.0
"""Interval in seconds at which waiting callers are told how many are ahead of them."""


class Turns:
    """A queue of callers who wait; any number of threads may share it."""

    def __init__(self, at_once: int = AT_ONCE, tell_seconds: float = TELL_SECONDS) -> None:
        self._free, self._tell_seconds = at_once, tell_seconds
        self._line: list[_Place] = []
        self._change = Condition()

    @contextmanager
    def turn(self, tell: Callable[[int], None], *, is_short: bool = False) -> Iterator[None]:
        """Wait for a turn, and hold it during the block; short turns go before the others.

        `tell` is called now and then with the number of callers ahead in the queue; if it raises an exception, the
        place in the queue is given up.
        """
        place = _Place(is_short)
        with self._change:
            n_before = sum(other.is_short for other in self._line) if is_short else len(self._line)
            self._line.insert(n_before, place)
        try:
            self._wait(place, tell)
        finally:
            with self._change:
                self._line.remove(place)
                self._change.notify_all()
        try:
            yield
        finally:
            with self._change:
                self._free += 1
                self._change.notify_all()

    def _wait(self, place: "_Place", tell: Callable[[int], None]) -> None:
        while True:
            with self._change:
                if self._change.wait_for(lambda: self._free > 0 and self._line[0] is place, self._tell_seconds):
                    self._free -= 1
                    return
                n_before = self._line.index(place)
            tell(n_before)


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """Place of a waiting caller; no two are equal."""

    is_short: bool


TURNS = Turns()
"""The queue of this process."""
