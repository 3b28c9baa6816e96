"""Makes a comparison table with the chat model or, if there is none or it fails, from the papers' own sentences."""

from collections.abc import Generator, Sequence

from pathfinder.answering.comparison.by_model import Cells, cells_by_model
from pathfinder.answering.comparison.columns import ComparisonColumn
from pathfinder.answering.comparison.from_sentences import cells_of
from pathfinder.errors import PathfinderError, UsageError
from pathfinder.llm.replies import REFUSALS, in_brief
from pathfinder.models.ports import ChatModel, Embedder
from pathfinder.types import ComparisonRow, ComparisonTable, Paper, StageOutcome, StageStatus

MAX_PAPERS = 100


def stream_table(
    papers: Sequence[Paper], columns: Sequence[ComparisonColumn], chat: ChatModel | None, embedder: Embedder
) -> Generator[str, None, ComparisonTable]:
    """Yield progress messages, and return the table: a row for each of `papers`, in order, and a column for each of
    `columns`.

    If the chat model fails, all cells are filled from the papers' own sentences; if its budget is spent, only those
    that it has not written. A note gives the reason.
    Raises `UsageError` if there are no papers, or more than `MAX_PAPERS`.
    """
    if not 1 <= len(papers) <= MAX_PAPERS:
        raise UsageError(f"a comparison table has 1 to {MAX_PAPERS} papers, not {len(papers)}: choose some of them")
    cells: list[Cells] = []
    status = StageStatus("table", None, StageOutcome.SUBSTITUTED, "no chat model is set")
    notes: list[str] = []
    if chat is not None:
        cells, status, notes = yield from _by_model(papers, columns, chat, embedder)
    cells += [cells_of(paper, columns, embedder) for paper in papers[len(cells) :]]
    if n_titles := sum(not paper.has_abstract for paper in papers):
        notes.append(f"{n_titles} of the papers have no abstract in this corpus, so their rows are empty")
    rows = tuple(ComparisonRow(paper, row) for paper, row in zip(papers, cells, strict=True))
    return ComparisonTable(tuple(column.name for column in columns), rows, status.model, tuple(notes), status=status)


def _by_model(
    papers: Sequence[Paper], columns: Sequence[ComparisonColumn], chat: ChatModel, embedder: Embedder
) -> Generator[str, None, tuple[list[Cells], StageStatus, list[str]]]:
    """Return the cells, the outcome and notes; cells for which the chat model had no budget left hold sentences."""
    cells: list[Cells] = []
    n_written = 0
    failure: PathfinderError | None = None
    try:
        for batch in cells_by_model(papers, columns, chat, embedder):
            cells += batch.rows or [cells_of(paper, columns, embedder) for paper in batch.papers]
            n_written, failure = n_written + len(batch.rows), failure or batch.failure
            yield f"{len(cells)} of {len(papers)} papers"
    except REFUSALS as error:
        cells, n_written, failure = [], 0, error
    if failure is None:
        return cells, StageStatus("table", chat.name, StageOutcome.RAN), []
    model, note = None, f"no cell was written by the chat model: {failure}"
    if n_written:
        model = chat.name
        note = (
            f"the chat model wrote the cells of {n_written} of {len(papers)} papers; the other cells hold sentences: "
            f"{failure}"
        )
    return cells, StageStatus("table", model, StageOutcome.SUBSTITUTED, in_brief(failure, chat.name)), [note]
