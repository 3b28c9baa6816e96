"""Papers as a CSV table: the hits of a search with every factor of their score, or papers alone."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import fields

from pathfinder.export.latex import readable
from pathfinder.export.links import paper_link
from pathfinder.types import Hit, Paper, Score, SearchResult

SCORE_COLUMNS = tuple(field.name for field in fields(Score))
"""The factors of a score, in its own order."""
PAPER_COLUMNS = (
    "id", "title", "authors", "n_authors", "year", "date", "journal", "citation_count",
    "keywords", "bibcode", "arxiv_id", "doi", "url", "abstract", "is_summary",
)  # fmt: skip
_N_BEFORE_SCORE = PAPER_COLUMNS.index("keywords")
COLUMNS = (
    "rank", *PAPER_COLUMNS[:_N_BEFORE_SCORE], "outlier", *SCORE_COLUMNS, *PAPER_COLUMNS[_N_BEFORE_SCORE:],
)  # fmt: skip
_FORMULA = re.compile(r"[=+\-@＝＋－＠\t\r]")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?", re.ASCII)


def hits_csv(result: SearchResult) -> str:
    """One line a hit, best first, under `COLUMNS`; what is not known is an empty cell.

    A text that a spreadsheet would run as a formula begins with an apostrophe. Encode as "utf-8-sig"
    for Excel, which takes UTF-8 without a byte order mark for another encoding.
    """
    return _table(COLUMNS, (_hit_values(rank, hit) for rank, hit in enumerate(result.hits, start=1)))


def papers_csv(papers: Iterable[Paper]) -> str:
    """One line a paper, in order, under `PAPER_COLUMNS`; as `hits_csv` in all else."""
    return _table(PAPER_COLUMNS, map(_paper_values, papers))


def _table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    table = io.StringIO()
    writer = csv.writer(table)
    writer.writerow(columns)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return table.getvalue()


def _hit_values(rank: int, hit: Hit) -> tuple[object, ...]:
    values = _paper_values(hit.paper)
    factors = (getattr(hit.score, name) for name in SCORE_COLUMNS)
    return rank, *values[:_N_BEFORE_SCORE], hit.outlier, *factors, *values[_N_BEFORE_SCORE:]


def _paper_values(paper: Paper) -> tuple[object, ...]:
    return (
        paper.paper_id, readable(paper.title), "; ".join(map(readable, paper.authors)), paper.n_authors,
        paper.year, paper.date, paper.journal, paper.citation_count, "; ".join(paper.keywords), paper.bibcode,
        paper.arxiv_id, paper.doi, paper_link(paper).url, readable(paper.abstract), paper.is_summary,
    )  # fmt: skip


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    text = str(value)
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text
