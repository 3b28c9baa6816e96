"""Logs the steps of one answer as they are taken, and what each search found."""

from collections.abc import Sequence

from pathfinder.grounding.registry import CitationRegistry
from pathfinder.types import Ended, Paper, Step, StepKind, StepTaken, Trace

SEARCH = "search"
"""Name of the tool in an action that searches."""


class StepLog:
    """A log of steps in order, notes for the reader, and the reason why the run ended."""

    def __init__(self, question: str, generation: str) -> None:
        self._question, self._generation = question, generation
        self._steps: list[Step] = []
        self.notes: list[str] = []
        self.end_reason: Ended | None = None
        """The latest reason for ending the run; `None` for a run that gave an answer."""

    def add(
        self, kind: StepKind, text: str, paper_ids: tuple[str, ...] = (), *, seconds: float | None = None
    ) -> StepTaken:
        """Add a step and return it, to be yielded; `seconds` is the time it took."""
        return self._add(Step(kind, text, paper_ids=paper_ids, seconds=seconds))

    def searching(self, query: str) -> StepTaken:
        """Log that a search has begun."""
        return self._add(Step(StepKind.ACTION, query, tool=SEARCH, arguments=(("query", query),)))

    def record_search(
        self, registry: CitationRegistry, papers: Sequence[Paper], remark: str, seconds: float
    ) -> StepTaken:
        """Log a `remark` and the papers that a search found, each with its position in `registry`."""
        places = {paper.paper_id: place for place, paper in enumerate(registry.papers, start=1)}
        lines = [remark, *(f"[{places[paper.paper_id]}] {_title_and_year(paper)}" for paper in papers)]
        return self.add(
            StepKind.OBSERVATION, "\n".join(lines), tuple(paper.paper_id for paper in papers), seconds=seconds
        )

    def notice(self, text: str, end_reason: Ended | None = None) -> StepTaken:
        """Log something that the reader should know, as a step and a note; `end_reason` is set if it ends the run."""
        self.notes.append(text)
        self.end_reason = end_reason or self.end_reason
        return self.add(StepKind.NOTICE, text)

    @property
    def trace(self) -> Trace:
        return Trace(self._question, self._generation, tuple(self._steps), self.end_reason or Ended.ANSWERED)

    def _add(self, step: Step) -> StepTaken:
        self._steps.append(step)
        return StepTaken(step)


def _title_and_year(paper: Paper) -> str:
    date = paper.published
    title = " ".join(paper.title.split())
    return title if date is None else f"{title} ({date.year})"
