"""Where a run of the agent stands, and what it works with."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from threading import Event

from pathfinder.answering.agent.recording import Recording
from pathfinder.answering.shelf import Shelf
from pathfinder.models.ports import Embedder, ToolCall, ToolChat
from pathfinder.types import AnswerRequest, Claim, Ended, SearchRequest, SearchResult, Step, StepKind

CHARACTERS_PER_TOKEN = 4
"""Of English, about; what a provider counts is taken where it says so."""

Say = Callable[[str | Step], None]
"""Words of the answer and steps, as they happen."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run so far. What the model is told is made of `steps` alone: what a trace holds is all there was."""

    shelf: Shelf
    steps: tuple[Step, ...] = ()
    n_actions: int = 0
    """Those that the model asked for, refused ones too."""
    n_replies: int = 0
    tokens: int = 0
    done: tuple[tuple[tuple[object, ...], int], ...] = ()
    """What was looked up or refused, and at which place of `steps`."""
    calls: tuple[ToolCall, ...] = ()
    """Asked for and not yet done."""
    was_told: bool = False
    """Whether the model was told that it repeats itself."""
    ended: Ended | None = None
    reply: str | None = None
    """The answer with its keys, as the model gave it."""
    quoted: tuple[str, tuple[Claim, ...]] | None = None
    """The answer in the papers' own words, where the model gave none."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Bench:
    """What a run works with."""

    result: SearchResult
    reader: SearchRequest
    """The reader's settings, as every search has them."""
    request: AnswerRequest
    chat: ToolChat
    embedder: Embedder
    search: Callable[[SearchRequest], SearchResult]
    clock: Callable[[], float]
    start: float
    """When it began, by `clock`."""
    kept: tuple[Step, ...] = ()
    """Steps of an earlier run, which this one takes again before it goes on by itself."""
    recording: Recording = field(default_factory=Recording)
    """What the model said in them."""
    ends_as: Ended | None = None
    """Which budget was spent behind the last kept step, where this run is a replay."""
    stop: Event = field(default_factory=Event)
    """Set once nobody listens any more."""

    @property
    def question(self) -> str:
        return " ".join(self.result.request.query.split())

    def seconds(self) -> float:
        """Since the beginning."""
        return self.clock() - self.start


def taken(run: Run, step: Step, bench: Bench, say: Say) -> Run:
    """`run` with one step more, which is said.

    A step that was kept has its seconds from then, and the words of the reader where the reader wrote them.
    """
    place = len(run.steps)
    if place < len(bench.kept):
        kept = bench.kept[place]
        step = replace(step, seconds=kept.seconds)
        if kept.is_edited and kept.kind is step.kind:
            text = kept.text if kept.kind is StepKind.OBSERVATION else step.text
            step = replace(step, text=text, is_edited=True)
    say(step)
    return replace(run, steps=(*run.steps, step))


def noticed(run: Run, text: str, bench: Bench, say: Say) -> Run:
    """`run` with a word of Pathfinder's own."""
    return taken(run, Step(StepKind.NOTICE, text), bench, say)


def spent(run: Run, bench: Bench, next_tokens: int) -> Ended | None:
    """Which budget has no room for another call of `next_tokens`, and for the last one, which is about as long."""
    if run.n_replies < len(bench.recording.turns):
        return None
    if bench.ends_as is not None:
        return bench.ends_as
    budget = bench.request.budget
    if run.n_actions >= budget.steps:
        return Ended.STEPS
    if bench.seconds() >= budget.seconds:
        return Ended.SECONDS
    return Ended.TOKENS if run.tokens + 2 * next_tokens > budget.tokens else None


def has_room(run: Run, bench: Bench) -> bool:
    """Whether the budget of steps has room for another action. What was done in an earlier run is done again."""
    return run.n_actions < bench.request.budget.steps or run.n_replies <= len(bench.recording.turns)


def in_tokens(*texts: str) -> int:
    """About how many tokens `texts` have."""
    return -(-sum(map(len, texts)) // CHARACTERS_PER_TOKEN)
