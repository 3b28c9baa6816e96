"""Writes the rows of tables as sentences that can be found and read on their own."""

from collections.abc import Sequence
from itertools import groupby

from pathfinder.fulltext.document import Figure
from pathfinder.text.sentences import ROW, sentence_spans, split_sentences

MOST_ROWS, MOST_COLUMNS = 100, 12
"""Maximum numbers of rows and columns of a table that is read."""


def with_caption(label: str, caption: str) -> str:
    """Return the label of a table's rows: its own label and the first sentence of its caption."""
    return ". ".join(filter(None, (label, *split_sentences(caption)[:1]))).rstrip(".")


def rows_of(label: str, caption: str, heads: Sequence[Sequence[str]], rows: Sequence[Sequence[str]]) -> list[Figure]:
    """Return the rows of a table, under its label and caption, as a list of one figure; an empty list if it has no rows
    that are read (`as_sentences`).
    """
    text = as_sentences(heads, rows)
    return [Figure(with_caption(label, caption), text, is_table=True)] if text else []


def as_sentences(heads: Sequence[Sequence[str]], rows: Sequence[Sequence[str]]) -> str:
    """Write each row of a table as one sentence, "| Star HD 1 | Mass 1.0.": each cell with the heads of its column, so
    that it can be read on its own; the signs | keep it apart from the paper's own words.

    `heads` holds the rows of the head; a row may lack its last cells. A row with nothing but its first cell stands
    above those that follow and is repeated in each; a cell that is empty at the beginning of a row repeats the one
    above it. Nothing is written of a table with more than `MOST_ROWS` rows, in its head or below it, or `MOST_COLUMNS`
    columns, which nobody reads in sentences.
    """
    n_columns = max(map(len, (*heads, *rows)), default=0)
    if max(len(heads), len(rows)) > MOST_ROWS or n_columns > MOST_COLUMNS:
        return ""
    columns = ([_in_one_line(row[n]).rstrip("?! ") for row in heads if n < len(row)] for n in range(n_columns))
    names = [" ".join(filter(None, (name for name, _ in groupby(column)))) for column in columns]
    sentences, above, group = [], [""] * n_columns, ""
    for row in rows:
        cells = [*map(_in_one_line, row), *[""] * (n_columns - len(row))]
        if not any(cells):
            continue
        if n_columns > 1 and not any(cells[1:]):
            group, above = cells[0], [""] * n_columns
            continue
        n_empty = next(n for n, cell in enumerate(cells) if cell)
        above = [*above[:n_empty], *cells[n_empty:]]
        named = (f"{name} {cell}".strip() for name, cell in zip(names, above, strict=True) if cell)
        sentences.append(" | ".join(filter(None, (group, *named))))
    return " ".join(f"{ROW}{sentence}." for sentence in sentences)


def _in_one_line(cell: str) -> str:
    """Return a cell without what would end the sentence of its row."""
    line = " ".join(cell.replace("~", " ").split())
    return "; ".join(line[start:end].rstrip(".") for start, end in sentence_spans(line))
