"""The hits of a search as a CSV table: what they are, and every factor of their score."""

import csv
import io
import re
from dataclasses import fields

from pathfinder.export.latex import readable
from pathfinder.export.links import paper_link
from pathfinder.types import Hit, Score, SearchResult

SCORE_COLUMNS = tuple(field.name for field in fields(Score))
"""The factors of a score, in its own order."""
COLUMNS = (
    "rank", "id", "title", "authors", "n_authors", "year", "date", "journal", "citation_count", "outlier",
    *SCORE_COLUMNS, "keywords", "bibcode", "arxiv_id", "doi", "url", "abstract", "is_summary",
)  # fmt: skip
_FORMULA = re.compile(r"[=+\-@＝＋－＠\t\r]")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?", re.ASCII)


def hits_csv(result: SearchResult) -> str:
    """One line a hit, best first, under `COLUMNS`; what is not known is an empty cell.

    A text that a spreadsheet would run as a formula begins with an apostrophe. Encode as "utf-8-sig"
    for Excel, which takes UTF-8 without a byte order mark for another encoding.
    """
    table = io.StringIO()
    writer = csv.writer(table)
    writer.writerow(COLUMNS)
    writer.writerows(_row(rank, hit) for rank, hit in enumerate(result.hits, start=1))
    return table.getvalue()


def _row(rank: int, hit: Hit) -> list[str]:
    paper = hit.paper
    values: tuple[object, ...] = (
        rank, paper.paper_id, readable(paper.title), "; ".join(map(readable, paper.authors)), paper.n_authors,
        paper.year, paper.date, paper.journal, paper.citation_count, hit.outlier,
        *(getattr(hit.score, name) for name in SCORE_COLUMNS), "; ".join(paper.keywords), paper.bibcode,
        paper.arxiv_id, paper.doi, paper_link(paper).url, readable(paper.abstract), paper.is_summary,
    )  # fmt: skip
    return [_cell(value) for value in values]


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    text = str(value)
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text
