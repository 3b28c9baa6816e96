"""Reports every call, answered or refused, to watchers that count or log calls."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pathfinder.serving.errors import PREFIX

PAPERS = f"{PREFIX}/papers"
OTHER = "other"
"""Name that all calls to unknown addresses share: a stranger must not be able to create names."""

QUESTION = "question"
"""Name under which a call leaves its question in the state of the request."""


@dataclass(frozen=True, slots=True)
class FinishedCall:
    """A call whose reply has ended. It holds no id, no key and no caller's address."""

    call: str
    status: int
    seconds: float
    question: str | None = None
    """The question, if the call had one and was not refused."""


Watcher = Callable[[FinishedCall], None]


class Watching:
    """Notifies the watchers of every call, including refused ones. `calls` are the addresses that have names of
    their own.
    """

    def __init__(self, app: ASGIApp, watchers: Sequence[Watcher], calls: frozenset[str]) -> None:
        self._app, self._watchers, self._calls = app, watchers, calls

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the call on, and notify the watchers when its reply has ended."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start, statuses = perf_counter(), []

        async def noting(message: Message) -> None:
            if message["type"] == "http.response.start":
                statuses.append(message["status"])
            await send(message)

        try:
            await self._app(scope, receive, noting)
        finally:  # even if the caller disconnects
            question = scope.get("state", {}).get(QUESTION)
            for status in statuses:
                finished_call = FinishedCall(self._name(scope["path"]), status, perf_counter() - start, question)
                for watcher in self._watchers:
                    watcher(finished_call)

    def _name(self, path: str) -> str:
        """Return the name of the call to `path`; a paper's id is left out of it."""
        path = PAPERS if path.startswith(f"{PAPERS}/") else path
        return path.removeprefix(f"{PREFIX}/") if path in self._calls else OTHER
