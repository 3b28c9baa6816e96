"""Makes a comparison table with the chat model or, if there is none or it fails, from the papers' own sentences."""

from collections.abc import Generator, Sequence

from pathfinder.answering.comparison.by_model import cells_by_model
from pathfinder.answering.comparison.columns import ComparisonColumn
from pathfinder.answering.comparison.from_sentences import cells_of
from pathfinder.errors import UsageError
from pathfinder.llm.replies import REFUSALS
from pathfinder.models.ports import ChatModel, Embedder
from pathfinder.types import ComparisonCell, ComparisonRow, ComparisonTable, Paper

MAX_PAPERS = 100
Cells = tuple[ComparisonCell | None, ...]


def stream_table(
    papers: Sequence[Paper], columns: Sequence[ComparisonColumn], chat: ChatModel | None, embedder: Embedder
) -> Generator[str, None, ComparisonTable]:
    """Yield progress messages, and return the table: a row for each of `papers`, in order, and a column for each of
    `columns`.

    If the chat model fails, all cells are filled from the papers' own sentences, and a note gives the reason.
    Raises `UsageError` if there are no papers, or more than `MAX_PAPERS`.
    """
    if not 1 <= len(papers) <= MAX_PAPERS:
        raise UsageError(f"a comparison table has 1 to {MAX_PAPERS} papers, not {len(papers)}: choose some of them")
    notes: list[str] = []
    cells: list[Cells] = []
    if chat is not None:
        try:
            for batch in cells_by_model(papers, columns, chat, embedder):
                cells += batch
                yield f"{len(cells)} of {len(papers)} papers"
        except REFUSALS as error:
            notes.append(f"no cell was written by the chat model: {error}")
            cells, chat = [], None
    if chat is None:
        cells = [cells_of(paper, columns, embedder) for paper in papers]
    if n_titles := sum(not paper.has_abstract for paper in papers):
        notes.append(f"{n_titles} of the papers have no abstract in this corpus, so their rows are empty")
    rows = tuple(ComparisonRow(paper, row) for paper, row in zip(papers, cells, strict=True))
    return ComparisonTable(
        tuple(column.name for column in columns), rows, None if chat is None else chat.name, tuple(notes)
    )
