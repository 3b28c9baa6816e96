"""A reader's own papers on the map: the hits for a question, including outliers, and those that the reader marked."""

from pathfinder.errors import UsageError
from pathfinder.landscape.data.layer import HIT, LIVE, OUTLIER, Column, Layer, Mark, Table
from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.layers.base import LayerKind, Listing
from pathfinder.landscape.statistics.dates import YearSpan
from pathfinder.text.latex.display import readable
from pathfinder.types import Paper, SearchResult

HITS, MARKED_PAPERS = "found", "shelf"
"""Slugs of the layers, as they appear in links from Pathfinder 0.1.0."""
LIVE_TITLE = "found by a live source"


def found_layer(map_data: MapData, result: SearchResult) -> Layer:
    """Show the hits in a result, each with its rank and its live sources, and say which are outliers."""
    marks, lines = [], []
    for rank, hit in enumerate(result.hits, start=1):
        place = map_data.coordinates[hit.row] if hit.live is None else hit.place
        if place is None:
            continue
        x, y = map(float, place)
        colour, title = (OUTLIER, "found, outlier") if hit.outlier else (HIT, "found")
        marks.append(
            Mark(x, y, _label(hit.paper), colour, title, str(rank), hit.row)
            if hit.live is None
            else Mark(x, y, _label(hit.paper), LIVE, LIVE_TITLE, str(rank))
        )
        outlier = None if hit.outlier is None else "yes" if hit.outlier else "no"
        lines.append((rank, readable(hit.paper.title), _year(hit.paper), outlier, x, y, hit.live))
    columns = (
        Column("rank", "1 is the best"),
        Column("title"),
        Column("year"),
        Column("outlier", "far from the other hits in subject; empty if unknown"),
        Column("x"),
        Column("y"),
        Column("live", "the live sources of a paper that is not in the corpus"),
    )
    n_outliers = sum(hit.outlier is True for hit in result.hits)
    notes = ["which of them are outliers is unknown"] if any(hit.outlier is None for hit in result.hits) else []
    notes += [] if marks else ["no papers were found"]
    n_live = sum(hit.live is not None for hit in result.hits)
    notes += [f"papers from live sources, placed near similar papers: {n_live}"] if n_live else []
    n_found = "One paper was" if len(marks) == 1 else f"{len(marks)} papers were"
    outliers = "1 is an outlier" if n_outliers == 1 else f"{n_outliers} are outliers"
    description = f"{n_found} found for {result.request.query!r}; of these, {outliers}."
    return Layer(HITS, "Found", description, marks=tuple(marks), table=Table(columns, tuple(lines)), notes=tuple(notes))


def _list(map_data: MapData) -> Listing:
    choice = f"paper ids, such as {map_data.papers[0].paper_id}, separated by semicolons"
    return (MARKED_PAPERS_KIND.info(choice=choice),)


def marked_papers_layer(map_data: MapData, paper_ids: str, _years: YearSpan | None = None) -> Layer:
    """Show the papers with these ids, separated by semicolons, in the given order and from any year.

    Raises `UsageError` if there is no id.
    """
    ids = tuple(dict.fromkeys(paper_id.strip() for paper_id in paper_ids.split(";") if paper_id.strip()))
    if not ids:
        raise UsageError(
            f"'{MARKED_PAPERS}:' names no paper: add at least one id, and separate several with semicolons"
        )
    rows = map_data.papers.rows_of(ids)
    marks, lines = [], []
    for row in rows[rows >= 0].tolist():
        paper = map_data.papers[row]
        x, y = map(float, map_data.coordinates[row])
        marks.append(Mark(x, y, _label(paper), HIT, "marked paper", "", row))
        lines.append((readable(paper.title), _year(paper), x, y))
    missing = [paper_id for paper_id, row in zip(ids, rows, strict=True) if row < 0]
    notes = (f"not in this corpus: {', '.join(missing)}",) if missing else ()
    description = "One paper of your choice." if len(marks) == 1 else f"{len(marks)} papers of your choice."
    columns = (Column("title"), Column("year"), Column("x"), Column("y"))
    slug = f"{MARKED_PAPERS}:{';'.join(ids)}"
    return Layer(
        slug, MARKED_PAPERS_KIND.title, description, marks=tuple(marks), table=Table(columns, tuple(lines)), notes=notes
    )


def _year(paper: Paper) -> int | None:
    return paper.published.year if paper.published else None


def _label(paper: Paper) -> str:
    year = _year(paper)
    title = readable(paper.title)
    return f"{title} ({year})" if year else title


MARKED_PAPERS_KIND = LayerKind(
    slug=MARKED_PAPERS,
    title="Marked papers",
    help="Papers of your choice.",
    group="Your papers",
    order=110,
    inputs=("papers", "landscape"),
    list_layers=_list,
    compute_choice=marked_papers_layer,
)
