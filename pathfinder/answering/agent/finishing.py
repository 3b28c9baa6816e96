"""The end of a run that did not answer by itself: one last call without tools, else the papers' own sentences."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from pathfinder.answering.advice import nothing_found
from pathfinder.answering.agent.asking import OutOfTime, listened, without_opening
from pathfinder.answering.agent.run import Bench, Run, Say, noticed, taken
from pathfinder.answering.agent.words import LAST_FAILED
from pathfinder.answering.citations import numbered
from pathfinder.answering.extractive import extract
from pathfinder.answering.patience import overrun, patient
from pathfinder.answering.sources import Sources, as_sources
from pathfinder.errors import ProviderError
from pathfinder.prompts import render
from pathfinder.types import Claim, Hit, Paper, Score, Step, StepKind

FINISH_TOKENS = 8_000
"""Of what the last call reads: about thirty abstracts."""

TOO_LATE = "it did not end in time"


def finished(run: Run, bench: Bench, say: Say) -> Run:
    """`run` with an answer from what was found, by the model if it can, else in the papers' own words."""
    if not run.shelf.papers:
        return _quoted(run, bench, say)
    start = bench.clock()
    try:
        text = _last_words(run, bench, say)
    except ProviderError as error:
        return _quoted(noticed(run, f"{LAST_FAILED}{error}", bench, say), bench, say)
    run = replace(run, reply=text, notes=(*run.notes, *_left_out(run)))
    return taken(run, Step(StepKind.FINAL, text, seconds=bench.clock() - start), bench, say)


def _last_words(run: Run, bench: Bench, say: Say) -> str:
    """The reply of the last call; a `ProviderError` where there is none."""
    budget = bench.request.budget
    deadline = max(bench.seconds(), budget.seconds) + overrun(budget)
    if isinstance(bench.recording.last, ProviderError):
        raise bench.recording.last
    if bench.recording.last is not None:
        pieces: Iterator[str] = iter([bench.recording.last.text])
    else:
        sources = _sources(run)
        prompt = render(
            "agent_finish",
            sources=sources.text,
            n_sources=str(len(run.shelf.papers) - len(sources.left_out)),
            why=_why(run),
            question=bench.question,
        )
        pieces = patient(bench.chat, lambda: deadline - bench.seconds()).stream(render("agent_finish_system"), prompt)
    received: list[str] = []
    try:
        for words in numbered(_kept(listened(pieces, bench, deadline), received), run.shelf):
            say(words)
    except OutOfTime:
        raise ProviderError(TOO_LATE) from None
    if not (text := without_opening("".join(received)).strip()):
        raise ProviderError("it said nothing")
    return text


def _kept(pieces: Iterator[str], received: list[str]) -> Iterator[str]:
    for piece in pieces:
        received.append(piece)
        yield piece


def _why(run: Run) -> str:
    """The last word of Pathfinder, which said why."""
    return next(step.text for step in reversed(run.steps) if step.kind is StepKind.NOTICE)


def _sources(run: Run) -> Sources:
    """The papers that were found, those that most searches found first."""
    times = Counter(paper_id for step in run.steps for paper_id in step.paper_ids)
    papers = sorted(run.shelf.papers, key=lambda paper: -times[paper.paper_id])
    return as_sources(run.shelf, papers, FINISH_TOKENS)


def _left_out(run: Run) -> tuple[str, ...]:
    if not (left_out := _sources(run).left_out):
        return ()
    places = ", ".join(f"[{run.shelf.place(run.shelf.key(paper.paper_id))}]" for paper in left_out)
    return (f"the last prompt had no room for {places}",)


def _quoted(run: Run, bench: Bench, say: Say) -> Run:
    """Sentences of the papers; advice where there is no paper."""
    papers, quotation = run.shelf.papers, (nothing_found(bench.result), tuple[Claim, ...]())
    if papers:
        quotation = extract(bench.question, _hits(papers), bench.embedder)
    text, _ = quotation
    say(text)
    return replace(taken(run, Step(StepKind.FINAL, text), bench, say), quoted=quotation)


def _hits(papers: tuple[Paper, ...]) -> tuple[Hit, ...]:
    """Papers to quote from, without a score: those of different questions do not compare."""
    return tuple(Hit(paper, row, Score(0.0)) for row, paper in enumerate(papers))
