"""The caller of a call, and the work that ends if they leave before the reply."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import wraps
from typing import ParamSpec, TypeVar

from anyio import CancelScope, CapacityLimiter, to_thread
from starlette.types import Message, Receive

from pathfinder.llm.stopping import STOP, ReaderStopped, StopSignal, stop_signal

DISCONNECT = "http.disconnect"
"""Message in which the server says that the caller has closed the connection, or has received the whole reply."""


Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class CallerLeft(Exception):
    """Raised in work whose caller has left."""


class Caller:
    """The caller of a call."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._messages: asyncio.Queue[Message] = asyncio.Queue()
        self.stop_signal = StopSignal()
        """Set if the caller leaves."""

    async def receive(self) -> Message:
        """Return the next message from the server; once there are no more, return the last one again."""
        message = await self._messages.get()
        if message["type"] == DISCONNECT:
            self._messages.put_nowait(message)
        return message

    async def watch(self) -> None:
        """Read all messages from the server, so that the caller's departure is noticed even if nothing asks for a
        message.
        """
        while not self.stop_signal.is_set:
            message = await self._receive()
            self._messages.put_nowait(message)
            if message["type"] == DISCONNECT:
                self.stop_signal.set()

    async def has_turn(self, places: CapacityLimiter) -> bool:
        """Wait for one of the `places`, and return True; return False without a place if the caller leaves first."""
        with CancelScope() as waiting:
            self.stop_signal.listen(waiting.cancel)
            try:
                await places.acquire()
            finally:
                self.stop_signal.ignore(waiting.cancel)
        return not waiting.cancelled_caught


@asynccontextmanager
async def watched_caller(receive: Receive) -> AsyncIterator[Caller]:
    """Yield the caller of a call: if they leave, work in this context stops waiting for a chat model."""
    caller = Caller(receive)
    watcher = asyncio.ensure_future(caller.watch())
    earlier = STOP.set(caller.stop_signal)
    try:
        yield caller
    finally:
        STOP.reset(earlier)
        watcher.cancel()


def unless_left(work: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Let work in a thread raise `CallerLeft` when it is stopped: a coroutine would take `ReaderStopped` for its own
    end, and not pass it on.
    """

    @wraps(work)
    def unless_left(*arguments: Arguments.args, **options: Arguments.kwargs) -> Result:
        try:
            return work(*arguments, **options)
        except ReaderStopped as error:
            raise CallerLeft from error

    return unless_left


async def in_thread(work: Callable[[], Result], places: CapacityLimiter) -> Result:
    """Do `work` in a thread, which keeps one of the `places` until it ends.

    If this task is cancelled, or the caller leaves, the work stops waiting for a chat model and makes no further call;
    the cancellation waits until the work has ended.
    """
    async with places:
        with stop_signal() as stop:
            own_place = CapacityLimiter(1)
            thread = asyncio.ensure_future(to_thread.run_sync(unless_left(work), limiter=own_place))
            try:
                return await asyncio.shield(thread)
            except asyncio.CancelledError:
                stop.set()
                with CancelScope(shield=True):
                    await asyncio.gather(thread, return_exceptions=True)
                raise
