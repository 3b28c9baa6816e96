"""Broad but nuanced: a first response, a check of it, and the refined answer, in one reply of three blocks."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from itertools import chain

from pathfinder.answering.blocks import in_blocks
from pathfinder.answering.citations import check_citations, numbered
from pathfinder.answering.shelf import Shelf
from pathfinder.types import Ended, Generation, Step, StepKind, Trace, Version

FIRST, CHECK, REFINED = "first", "check", "refined"

NOT_IN_BLOCKS = "the model did not check and refine a first response, as it was asked to: what it said is shown"


@dataclass(frozen=True, slots=True)
class Said:
    """A reply before its citations are checked, and the way to it."""

    text: str
    trace: Trace | None = None
    versions: tuple[Version, ...] = ()
    notes: tuple[str, ...] = ()


def stream_broad(pieces: Iterator[str], shelf: Shelf) -> Generator[str | Step, None, Said]:
    """Yield the first response and its check as steps when they are whole, then the refined answer as it comes.

    A reply that has no such blocks is the answer as it is, and a first response that nothing follows, too.
    """
    blocks = in_blocks(pieces, (FIRST, CHECK, REFINED))
    told: dict[str | None, str] = {}
    opening = None
    for block, piece in blocks:
        if block == REFINED:
            opening = piece
            break
        told[block] = told.get(block, "") + piece
    first, check = (told.get(name, "").strip() for name in (FIRST, CHECK))
    if opening is None:
        return (yield from _as_it_is(first or told.get(None, ""), shelf))
    steps = [Step(StepKind.DRAFT, _shown(first, shelf)), Step(StepKind.CRITIQUE, _shown(check, shelf))]
    yield from (steps := [step for step in steps if step.text])
    received: list[str] = []
    rest = (piece for block, piece in blocks if block == REFINED)
    yield from numbered(kept(chain([opening], rest), received), shelf)
    refined = "".join(received).strip()
    if not refined:
        return (yield from _as_it_is(first, shelf))
    steps.append(Step(StepKind.REVISION, _shown(refined, shelf)))
    return Said(refined, _trace(steps, shelf), _versions(steps, _shown(check, shelf)))


def kept(pieces: Iterator[str], received: list[str]) -> Iterator[str]:
    """`pieces` as they come, each of them added to `received` too."""
    for piece in pieces:
        received.append(piece)
        yield piece


def _as_it_is(reply: str, shelf: Shelf) -> Generator[str | Step, None, Said]:
    yield from numbered([reply.strip()], shelf)
    return Said(reply.strip(), notes=(NOT_IN_BLOCKS,))


def _shown(text: str, shelf: Shelf) -> str:
    return check_citations(text, shelf).text


def _trace(steps: list[Step], shelf: Shelf) -> Trace:
    return Trace(shelf.question, Generation.RAG.value, tuple(steps), Ended.ANSWERED)


def _versions(steps: list[Step], check: str) -> tuple[Version, ...]:
    """Two, where there was a first response."""
    texts = {step.kind: step.text for step in steps}
    if StepKind.DRAFT not in texts:
        return ()
    refined = Version("refined answer", texts[StepKind.REVISION], because=check)
    return Version("first response", texts[StepKind.DRAFT]), refined
