"""The model's turn: what it thinks, what it asks for, or its answer."""

import re
from collections.abc import Generator, Iterable, Iterator
from dataclasses import replace

from pathfinder.answering.agent.run import Bench, Run, Say, in_tokens, noticed, spent, taken
from pathfinder.answering.agent.tools import tools
from pathfinder.answering.agent.transcript import transcript
from pathfinder.answering.agent.words import EMPTY, FAILED, WHY
from pathfinder.answering.citations import numbered
from pathfinder.answering.conversation import as_conversation
from pathfinder.answering.patience import overrun, patient
from pathfinder.answering.shelf import Shelf
from pathfinder.errors import BudgetSpent, ProviderError, TimeSpent
from pathfinder.models.ports import Said, Turn
from pathfinder.types import Ended, Step, StepKind

_ANSWER = re.compile(r"\s*(?:#+\s*)?\*{0,2}(?:final\s+)?answer\s*:\s*\*{0,2}\s*", re.IGNORECASE)
LONGEST_OPENING = 40
"""Characters behind which no "Answer:" is waited for."""


class OutOfTime(Exception):
    """A call went on for too long behind the end of the time budget."""


class Stopped(Exception):
    """Nobody listens any more."""


def asked(run: Run, bench: Bench, say: Say) -> Run:
    """`run` after the model's next turn: with a thought and the calls that it asks for, with its answer, or ended."""
    run = _own_thought(run, bench, say)
    turns = transcript(bench.question, _earlier(run, bench), bench.request.budget.steps, run.steps)
    told = in_tokens(*(turn.text for turn in turns))
    if (ended := spent(run, bench, told)) is not None:
        return replace(noticed(run, WHY[ended], bench, say), ended=ended)
    start = bench.clock()
    try:
        said = _said(run, turns, bench, say)
    except (OutOfTime, TimeSpent):
        return replace(noticed(run, WHY[Ended.SECONDS], bench, say), ended=Ended.SECONDS)
    except ProviderError as error:
        return _failed(run, error, bench, say)
    used = said.usage.tokens_in + said.usage.tokens_out if said.usage else told + in_tokens(said.text)
    run = replace(run, n_replies=run.n_replies + 1, tokens=run.tokens + used)
    return _heard(run, said, bench.clock() - start, bench, say)


def listened(pieces: Iterable[str], bench: Bench, deadline: float) -> Iterator[str]:
    """`pieces` until nobody listens or `deadline` is over. Raises `Stopped` or `OutOfTime`."""
    for piece in pieces:
        if bench.stop.is_set():
            raise Stopped
        if bench.seconds() > deadline:
            raise OutOfTime
        yield piece


def without_opening(text: str) -> str:
    """An answer without the "Answer:" before it."""
    return text[opening.end() :] if (opening := _ANSWER.match(text)) else text


def _earlier(run: Run, bench: Bench) -> str:
    return as_conversation(run.shelf, bench.request.earlier)


def _own_thought(run: Run, bench: Bench, say: Say) -> Run:
    """A last kept thought that led to no action is the reader's own: the model goes on from it."""
    place = len(run.steps)
    if place == len(bench.kept) - 1 and bench.kept[place].kind is StepKind.THOUGHT:
        return taken(run, bench.kept[place], bench, say)
    return run


def _said(run: Run, turns: tuple[Turn, ...], bench: Bench, say: Say) -> Said:
    """The next turn: the recorded one, or a new one, whose answer is said while it comes."""
    if run.n_replies < len(bench.recording.turns):
        said = bench.recording.turns[run.n_replies]
        if isinstance(said, ProviderError):
            raise said
        if said.text and not said.calls:
            _say_whole(said.text, run.shelf, say)
        return said
    budget = bench.request.budget
    chat = patient(bench.chat, lambda: budget.seconds - bench.seconds(), overrun(budget))
    heard = _Heard(chat.converse(turns, tools(bench.reader)))
    deadline = budget.seconds + overrun(budget)
    try:
        n_words = 0
        for words in numbered(_behind_opening(listened(heard.pieces(), bench, deadline)), run.shelf):
            n_words += len(words)
            say(words)
    finally:
        heard.close()
    if not n_words and not heard.said.calls:
        _say_whole(without_opening(heard.said.text), run.shelf, say)
    # An answer that asks for more is an answer: its words have been said.
    return replace(heard.said, calls=()) if n_words else heard.said


def _say_whole(text: str, shelf: Shelf, say: Say) -> None:
    for words in numbered([text], shelf):
        say(words)


def _failed(run: Run, error: ProviderError, bench: Bench, say: Say) -> Run:
    if not run.n_replies and not bench.recording.turns:
        raise error
    ended = Ended.TOKENS if isinstance(error, BudgetSpent) else Ended.FAILED
    text = WHY[ended] if ended is Ended.TOKENS else f"{FAILED}{error}"
    run = replace(run, n_replies=run.n_replies + 1)
    return replace(noticed(run, text, bench, say), ended=ended)


def _heard(run: Run, said: Said, seconds: float, bench: Bench, say: Say) -> Run:
    # Lone surrogates can be written into no file.
    text = without_opening(said.text).strip().encode("utf-8", "replace").decode()
    if said.calls:
        if text:
            run = taken(run, Step(StepKind.THOUGHT, text, seconds=seconds), bench, say)
        return replace(run, calls=said.calls)
    if text:
        step = Step(StepKind.FINAL, text, seconds=seconds)
        return replace(taken(run, step, bench, say), reply=text, ended=Ended.ANSWERED)
    return replace(noticed(run, EMPTY, bench, say), ended=Ended.FAILED)


class _Heard:
    """A turn while it is spoken, and as a whole afterwards."""

    said: Said

    def __init__(self, speech: Generator[str, None, Said]) -> None:
        self._speech = speech

    def pieces(self) -> Iterator[str]:
        self.said = yield from self._speech

    def close(self) -> None:
        self._speech.close()


def _behind_opening(pieces: Iterable[str]) -> Iterator[str]:
    """What comes behind "Answer:" at the beginning of a turn, as it comes; nothing of a turn that begins otherwise."""
    text, is_open = "", False
    for piece in pieces:
        if is_open:
            yield piece
            continue
        if len(text) > LONGEST_OPENING:
            continue
        text += piece
        rest = without_opening(text)
        # What ends with the opening's white space or stars may have more of them to come.
        if rest != text and rest:
            is_open = True
            yield rest
