"""The steps of one answer, written down while they are taken, and what a reader sees of a search."""

from collections.abc import Sequence

from pathfinder.answering.shelf import Shelf
from pathfinder.types import Ended, Paper, Step, StepKind, Trace

SEARCH = "search"
"""The tool of an action that searches."""


class StepLog:
    """Steps in their order, what the reader should know, and why the run came to its end."""

    def __init__(self, question: str, generation: str) -> None:
        self._question, self._generation = question, generation
        self._steps: list[Step] = []
        self.notes: list[str] = []
        self.ended: Ended | None = None
        """The last reason that was given; `None` for a run that answered."""

    def add(self, kind: StepKind, text: str, paper_ids: tuple[str, ...] = (), *, seconds: float | None = None) -> Step:
        """One step more, to be yielded; `seconds` is what it took."""
        return self._added(Step(kind, text, paper_ids=paper_ids, seconds=seconds))

    def searching(self, query: str) -> Step:
        """A search that begins."""
        return self._added(Step(StepKind.ACTION, query, tool=SEARCH, arguments=(("query", query),)))

    def found(self, shelf: Shelf, papers: Sequence[Paper], remark: str, seconds: float) -> Step:
        """What a search found: `remark`, and the papers, all of them on `shelf`, under their places."""
        places = {paper.paper_id: place for place, paper in enumerate(shelf.papers, start=1)}
        lines = [remark, *(f"[{places[paper.paper_id]}] {_named(paper)}" for paper in papers)]
        return self.add(
            StepKind.OBSERVATION, "\n".join(lines), tuple(paper.paper_id for paper in papers), seconds=seconds
        )

    def notice(self, text: str, ended: Ended | None = None) -> Step:
        """Something that the reader should know, as a step and as a note, and whether it ends the run."""
        self.notes.append(text)
        self.ended = ended or self.ended
        return self.add(StepKind.NOTICE, text)

    @property
    def trace(self) -> Trace:
        return Trace(self._question, self._generation, tuple(self._steps), self.ended or Ended.ANSWERED)

    def _added(self, step: Step) -> Step:
        self._steps.append(step)
        return step


def _named(paper: Paper) -> str:
    published = paper.published
    title = " ".join(paper.title.split())
    return title if published is None else f"{title} ({published.year})"
