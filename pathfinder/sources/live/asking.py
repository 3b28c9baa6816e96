"""Queries live sources in parallel, and waits for all of them together for a limited time."""

import datetime
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from dataclasses import replace
from threading import Thread
from time import monotonic, perf_counter
from typing import Any

from pathfinder.corpus.schemas.fields import Unusable
from pathfinder.errors import (
    MissingKey,
    PathfinderError,
    ProviderError,
    RateLimited,
    RejectedKey,
    UnusableReply,
)
from pathfinder.llm.stopping import STOP, StopSignal, check_stop
from pathfinder.sources.http.failures import LeftAlone
from pathfinder.sources.http.pace import Clock
from pathfinder.sources.http.web import Web, surroundings_of
from pathfinder.sources.listing import dated_paper
from pathfinder.sources.live.access import LiveAccess, LiveReply
from pathfinder.sources.live.hosts import ADS, ARXIV, OPENALEX, SEMANTIC_SCHOLAR, WEB, LiveSearch
from pathfinder.types import LiveSource, Paper

N_PAPERS = 10
"""Number of papers requested from each source (OpenScholar, arXiv:2411.14199, section 3)."""

_SEARCHES = {search.name: search for search in (SEMANTIC_SCHOLAR, OPENALEX, ARXIV, ADS, WEB)}


class MustWait(ProviderError):
    """The pace of a host does not allow another request in time."""


def ask_side_by_side(question: str, sources: Sequence[LiveSource], access: LiveAccess) -> tuple[LiveReply, ...]:
    """Query `sources` at the same time and return their replies in the same order; none takes longer than the limit. In
    an answer, the limit applies to all its searches together, and a source that has already replied to `question` is
    not asked again. A request that is still under way at the limit ends by itself, and its reply is dropped. Raises
    `ReaderStopped` as soon as nobody waits for the search any more.
    """
    if access.allowance is None:
        return _ask_all(question, sources, access)
    allowance = access.allowance
    replies = {
        source: replace(reply, seconds=0.0) for source, reply in allowance.known_replies(question, sources).items()
    }
    if new := [source for source in sources if source not in replies]:
        with allowance.waiting() as seconds_left:
            seconds = round(seconds_left, 2)
            if seconds > 0:
                new_replies = _ask_all(question, new, access.within(seconds))
            else:
                spent = (
                    "was not asked, because the searches for this answer have used up the "
                    f"{allowance.seconds:g} s allowed for live sources"
                )
                new_replies = tuple(LiveReply(source, problem=spent) for source in new)
        allowance.keep(question, new_replies)
        replies |= {reply.source: reply for reply in new_replies}
    return tuple(replies[source] for source in sources)


def _ask_all(question: str, sources: Sequence[LiveSource], access: LiveAccess) -> tuple[LiveReply, ...]:
    deadline = access.clock.now() + access.settings.live_seconds
    futures = [_begin(lambda source=source: _reply(question, source, access, deadline)) for source in sources]  # type: ignore[misc]
    start = monotonic()
    _wait(futures, access.settings.live_seconds)
    waiting_time, late = monotonic() - start, f"did not answer within {access.settings.live_seconds:g} s"
    return tuple(
        future.result() if future.done() else LiveReply(source, problem=late, seconds=waiting_time)
        for source, future in zip(sources, futures, strict=True)
    )


def _wait(futures: Sequence["Future[LiveReply]"], seconds: float) -> None:
    """Wait for all replies, but no longer than `seconds`. Raises `ReaderStopped` once nobody waits for the search."""
    stop, left = STOP.get() or StopSignal(), Future[None]()
    deadline = monotonic() + seconds

    def leave() -> None:
        left.set_result(None)

    stop.listen(leave)
    waiting = set[Future[Any]](futures)
    while waiting and not left.done() and (seconds_left := deadline - monotonic()) > 0:
        waiting -= wait({*waiting, left}, seconds_left, FIRST_COMPLETED).done
    stop.ignore(leave)
    check_stop()


def _begin(call: Callable[[], LiveReply]) -> "Future[LiveReply]":
    """Run `call` in a thread that does not keep the process alive."""
    future: Future[LiveReply] = Future()
    Thread(target=lambda: future.set_result(call()), name="live source", daemon=True).start()
    return future


def _reply(question: str, source: LiveSource, access: LiveAccess, deadline: float) -> LiveReply:
    start = perf_counter()
    if source not in access.allowed_sources:
        return LiveReply(source, problem="is not allowed by whoever runs this server (PATHFINDER_LIVE)")
    try:
        papers, n_rejected = _ask(question, _SEARCHES[source], access, deadline)
    except PathfinderError as error:
        return LiveReply(source, problem=_why(error, source, access), seconds=perf_counter() - start)
    return LiveReply(source, papers, n_rejected, seconds=perf_counter() - start)


def _ask(question: str, search: LiveSearch, access: LiveAccess, deadline: float) -> tuple[tuple[Paper, ...], int]:
    """Return the papers that a source finds, and the number of its records that are not papers. Raises
    `PathfinderError` if the source returns nothing that can be used.
    """
    settings = access.settings
    # One attempt, and nothing stored: the reply must be new, and ADS allows no copies.
    host = replace(search.host(settings), attempts=1, timeout_seconds=settings.live_seconds, cache_seconds=None)
    around = surroundings_of(settings, impatient(access.clock, deadline), lambda _: None)
    path, parameters = search.request(question, N_PAPERS, settings)
    with Web(host, replace(around, breakers=access.breakers)) as web:
        records = web.get(path, parameters, lambda reply: search.read(reply.content, settings))
    today = datetime.datetime.fromtimestamp(access.clock.now(), datetime.UTC).date()
    papers = []
    for record in records[:N_PAPERS]:
        with suppress(Unusable):
            # As nothing is stored, the day of the count is not noted.
            papers.append(replace(dated_paper(record, search.to_paper, today), citations_on=None))
    return tuple(papers), len(records[:N_PAPERS]) - len(papers)


def impatient(clock: Clock, deadline: float) -> Clock:
    """Return a clock that refuses, with `MustWait`, to wait beyond the deadline."""

    def sleep(seconds: float) -> None:
        if clock.now() + seconds > deadline:
            raise MustWait(f"must not be asked again for {seconds:.1f} s")
        clock.sleep(seconds)

    return Clock(clock.now, sleep)


def _why(error: PathfinderError, source: LiveSource, access: LiveAccess) -> str:
    """Return the reason why the source returned nothing, in a few words that follow its name."""
    if not isinstance(error, ProviderError) or isinstance(error, MustWait):
        return str(error)
    words = {
        MissingKey: f"needs your own key: set {_SEARCHES[source].key}",
        RejectedKey: f"does not accept the key (HTTP {error.status})",
        RateLimited: f"was asked too often, or its budget is used up (HTTP {error.status})",
        LeftAlone: "has been failing and will be sent no requests for a few minutes",
        UnusableReply: "sent something other than a list of papers, such as a web page",
    }
    no_reply = f"did not answer ({access.settings.live_seconds:g} s)"
    return words.get(type(error), f"answered HTTP {error.status}" if error.status else no_reply)
