"""Writes papers as a CSV table: the hits of a search with every factor of their scores, or just the papers."""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import fields

from pathfinder.corpus.links import may_be_passed_on, paper_address, terms
from pathfinder.retrieval.factors import FACTORS
from pathfinder.retrieval.factors.registry import steering_factors
from pathfinder.text.latex.display import readable
from pathfinder.types import Hit, Paper, Score, SearchResult, StatedValue

SCORE_COLUMNS = tuple(field.name for field in fields(Score) if field.name != "extra")
"""The fields of `Score`, in order, without `extra`."""
PAPER_COLUMNS = (
    "id", "title", "authors", "n_authors", "year", "date", "journal", "citation_count",
    "keywords", "bibcode", "arxiv_id", "doi", "pmid", "openalex_id", "url", "abstract", "is_summary",
    "status", "status_from", "terms",
)  # fmt: skip
_N_BEFORE_SCORE = PAPER_COLUMNS.index("keywords")
HIT_COLUMNS = (
    "rank", *PAPER_COLUMNS[:_N_BEFORE_SCORE], "outlier", *SCORE_COLUMNS, *PAPER_COLUMNS[_N_BEFORE_SCORE:],
    "live",
)  # fmt: skip
VALUE_COLUMNS = (
    "id", "first_author", "year", "title", "quantity", "value", "plus", "minus", "plus_systematic", "minus_systematic",
    "unit", "limit", "of", "sentence", "url", "interval",
)  # fmt: skip


def hits_csv(result: SearchResult, hits: Sequence[Hit] | None = None) -> str:
    """Write a line for each hit in the result, or only for those in `hits`, best first; unknown values are empty cells.

    The columns are `HIT_COLUMNS`, followed by a column `score_NAME` for each ranking factor, including those of
    plug-ins and, as `score_more:FEATURE` or `score_less:FEATURE`, those that steer by features. The column `live` names
    the live sources of a paper that is not in the corpus. An abstract is left out if the paper comes only from sources
    that state no licence for it, such as ADS and Semantic Scholar; the column `terms` then says so, and otherwise names
    the licences stated by the sources. An apostrophe is put before text that a spreadsheet would run as a formula.
    Encode the result as "utf-8-sig" for Excel, which misreads UTF-8 without a byte order mark.
    """
    factors = (*FACTORS.names(), *(factor.name for factor in steering_factors(result.request.weighting)))
    columns = (*HIT_COLUMNS, *(f"score_{name}" for name in factors))
    rows = {hit.row for hit in (result.hits if hits is None else hits)}
    lines = (_hit_values(rank, hit, factors) for rank, hit in enumerate(result.hits, start=1) if hit.row in rows)
    return table(columns, lines)


def papers_csv(papers: Iterable[Paper]) -> str:
    """Write a line for each paper, in order, with `PAPER_COLUMNS`, formatted as in `hits_csv`."""
    return table(PAPER_COLUMNS, map(_paper_values, papers))


def values_csv(values: Sequence[StatedValue], sentences: Sequence[str], papers: Iterable[Paper]) -> str:
    """Write a line for each value that a paper states, in order, with `VALUE_COLUMNS`, formatted as in `hits_csv`.

    `sentences` holds the sentence that states each value; `papers` must include the paper of every value.
    """
    papers_by_id = {paper.paper_id: paper for paper in papers}
    rows = []
    for value, sentence in zip(values, sentences, strict=True):
        paper = papers_by_id[value.paper_id]
        numbers = (value.value, value.plus, value.minus, value.plus_systematic, value.minus_systematic)
        rows.append((
            paper.paper_id, readable(paper.authors[0]) if paper.authors else None, paper.year, readable(paper.title),
            value.quantity, *(None if number is None else f"{number:.12g}" for number in numbers),
            value.unit, value.limit, value.of, readable(sentence), paper_address(paper),
            value.interval,
        ))  # fmt: skip
    return table(VALUE_COLUMNS, rows)


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a CSV table; an apostrophe is put before text that a spreadsheet would run as a formula."""
    lines = io.StringIO()
    writer = csv.writer(lines)
    writer.writerow(map(_cell, columns))
    writer.writerows([_cell(value) for value in row] for row in rows)
    return lines.getvalue()


def _hit_values(rank: int, hit: Hit, factors: Sequence[str]) -> tuple[object, ...]:
    values = _paper_values(hit.paper)
    scores = (getattr(hit.score, name) for name in SCORE_COLUMNS)
    weights = (hit.score.weight(name) for name in factors)
    return rank, *values[:_N_BEFORE_SCORE], hit.outlier, *scores, *values[_N_BEFORE_SCORE:], hit.live, *weights


def _paper_values(paper: Paper) -> tuple[object, ...]:
    return (
        paper.paper_id, readable(paper.title), listed_authors(paper), paper.n_authors,
        paper.year, paper.date, paper.journal, paper.citation_count, "; ".join(paper.keywords), paper.bibcode,
        paper.arxiv_id, paper.doi, paper.pmid, paper.openalex_id, paper_address(paper),
        readable(paper.abstract) if may_be_passed_on(paper) else None, paper.is_summary,
        paper.status, paper.status_from, terms(paper),
    )  # fmt: skip


def listed_authors(paper: Paper) -> str:
    """Write the authors in one cell; "et al." ends the list if there are more, and nobody says how many."""
    return "; ".join((*map(readable, paper.authors), *(("et al.",) if paper.n_all_authors is None else ())))


def _cell(value: object) -> str:
    from pathfinder.corpus.readers.csv_table import with_guard

    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    return with_guard(str(value))
