"""Rounds of critique and revision."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from functools import partial

from pathfinder.answering.citations import Checked, check_citations
from pathfinder.answering.material import each_once
from pathfinder.answering.run import Run, side_by_side
from pathfinder.answering.searching import relevant
from pathfinder.answering.self_feedback.critique import MOST_POINTS, Point, criticise
from pathfinder.answering.self_feedback.revision import edited, why_refused
from pathfinder.answering.sources import as_sources
from pathfinder.answering.spending import timed
from pathfinder.retrieval.strategies import decomposition
from pathfinder.types import Ended, Paper, SearchResult, Step, StepKind, Version

ROUNDS = 2
"""Critiques: the second sees what the edits made of the first."""


@dataclass(slots=True)
class Revising(Run):
    """A run, and the versions that it has made so far."""

    text: str = ""
    """The latest version, with the keys that the model cites."""
    raised: list[Point] = field(default_factory=list)
    found: dict[str, tuple[Paper, ...]] = field(default_factory=dict)
    """The relevant papers of each search so far, by what was asked."""
    versions: list[Version] = field(default_factory=list)

    @property
    def checked(self) -> Checked:
        """The latest version with places for keys."""
        return check_citations(self.text, self.shelf)

    def keep(self, text: str, label: str, because: str = "") -> None:
        """Make `text` the latest version."""
        self.text = text
        self.versions.append(Version(label, self.checked.text, because))


def improve(run: Revising) -> Generator[Step, None, None]:
    """Critique and revise `run.text`, until nothing is wanting or the step budget, one step a point, is spent.

    Raises what `Spending.stream` raises, and what a search raises.
    """
    for _ in range(ROUNDS):
        if run.spending.steps_left == 0:
            yield run.log.notice(f"{Ended.STEPS}: no further critique was asked for", Ended.STEPS)
            return
        points = yield from _criticised(run)
        yield from _look_up(run, [point.question for point in points if point.question is not None])
        for n, point in enumerate(points, start=len(run.raised) - len(points) + 1):
            yield from _revise(run, point, n)
        if not points or run.log.ended is not None:
            return


def _criticised(run: Revising) -> Generator[Step, None, Sequence[Point]]:
    """At most `MOST_POINTS` points, as many as the step budget has room for."""
    sources = as_sources(run.shelf, each_once(*_cited(run), *run.shelf.papers)).text
    asked = partial(criticise, run.question, run.text, sources, run.raised, run.chat, run.spending)
    made, seconds = timed(run.means.clock, asked)
    points, left = made[:MOST_POINTS], run.spending.steps_left
    if len(made) > MOST_POINTS:
        yield run.log.notice(f"the critique made {len(made)} points: the first {MOST_POINTS} are taken up")
    if len(points) > left:
        yield run.log.notice(f"the step budget has room for {left} of {len(points)} points", Ended.STEPS)
        points = points[:left]
    for point in points:
        yield run.log.add(StepKind.CRITIQUE, point.in_words, seconds=seconds)
    if not points:
        yield run.log.add(StepKind.CRITIQUE, "Nothing that would improve it.", seconds=seconds)
    run.raised.extend(points)
    run.spending.steps += len(points)
    return points


def _look_up(run: Revising, questions: Sequence[str]) -> Generator[Step, None, None]:
    """Search what has not been searched yet, all at once, and note what is found."""
    for question in questions:
        if decomposition.asked_as(question) in run.found:
            yield run.log.notice(f"“{question}” was searched before: what it found is read again")
    new = decomposition.distinct(questions, but=run.found)
    if not new:
        return
    with side_by_side(len(new), run.spending) as pool:
        searches = [pool.submit(timed, run.means.clock, partial(run.search, one)) for one in new]
        for question in new:
            yield run.log.searching(question)
        for question, searching in zip(new, searches, strict=True):
            yield _noted(run, question, *searching.result())


def _noted(run: Revising, question: str, result: SearchResult, seconds: float) -> Step:
    run.found[decomposition.asked_as(question)] = relevant(result)
    return run.observed(result, seconds)


def _revise(run: Revising, point: Point, n: int) -> Generator[Step, None, None]:
    """Edit the latest version after point `n`, unless what it wants looked up was not found."""
    found: Sequence[Paper] = ()
    if point.question is not None:
        found = run.found[decomposition.asked_as(point.question)]
        if not found:
            yield run.log.notice(f"nothing relevant was found on “{point.question}”: point {n} is left as it is")
            return
    sources = as_sources(run.shelf, each_once(*found, *_cited(run))).text
    asked = partial(edited, run.question, run.text, point, sources, run.chat, run.spending)
    new, seconds = timed(run.means.clock, asked)
    if why := why_refused(run.text, new, run.shelf):
        yield run.log.notice(f"the edit after point {n} was not kept: {why}")
        return
    run.keep(new, f"after point {n}", point.in_words)
    yield run.log.add(StepKind.REVISION, run.checked.text, seconds=seconds)


def _cited(run: Revising) -> tuple[Paper, ...]:
    """The papers that the latest version cites; those of the hits where it cites none."""
    cited = {paper_id for claim in run.checked.claims for paper_id in claim.citations}
    papers = tuple(paper for paper in run.shelf.papers if paper.paper_id in cited)
    return papers or tuple(hit.paper for hit in run.result.hits)
