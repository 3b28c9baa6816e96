"""A reader's own papers on the map: what a question found, with those that lie apart, and a shelf of chosen ones."""

from collections.abc import Sequence

from pathfinder.errors import UsageError
from pathfinder.export.latex import readable
from pathfinder.landscape.layer import Column, Layer, Mark, Offer, Table
from pathfinder.landscape.layers.colours import HIT, OUTLIER
from pathfinder.landscape.survey import Survey
from pathfinder.types import Paper, SearchResult

FOUND, SHELF = "found", "shelf"
SHELF_TITLE, SHELF_GROUP = "Shelf", "Your papers"


def found_layer(survey: Survey, result: SearchResult) -> Layer:
    """The hits of a result of this corpus, each with its rank, and whether it lies apart from the others."""
    marks, lines = [], []
    for rank, hit in enumerate(result.hits, start=1):
        x, y = map(float, survey.coordinates[hit.row])
        colour, title = (OUTLIER, "found, lies apart") if hit.outlier else (HIT, "found")
        marks.append(Mark(x, y, _in_words(hit.paper), colour, title, str(rank), hit.row))
        apart = None if hit.outlier is None else "yes" if hit.outlier else "no"
        lines.append((rank, readable(hit.paper.title), _year(hit.paper), apart, x, y))
    columns = (
        Column("rank", "1 is the best"),
        Column("title"),
        Column("year"),
        Column("apart", "whether it lies apart from the others; empty where that cannot be said"),
        Column("x"),
        Column("y"),
    )
    n_apart = sum(hit.outlier is True for hit in result.hits)
    notes = ["which of them lie apart cannot be said"] if any(hit.outlier is None for hit in result.hits) else []
    notes += [] if marks else ["no paper was found"]
    n_found = "One paper was" if len(marks) == 1 else f"{len(marks)} papers were"
    lie_apart = "1 lies" if n_apart == 1 else f"{n_apart} lie"
    says = f"{n_found} found for {result.request.query!r}; of these, {lie_apart} apart."
    return Layer(FOUND, "Found", says, marks=tuple(marks), table=Table(columns, tuple(lines)), notes=tuple(notes))


def shelf_offers(survey: Survey) -> tuple[Offer, ...]:
    """A shelf of whatever papers a reader names."""
    needs = f"ids of papers, such as {survey.papers[0].paper_id}; several with semicolons between them"
    return (Offer(SHELF, SHELF_TITLE, "Papers of your own choice.", SHELF_GROUP, None, needs),)


def shelf_layer(survey: Survey, paper_ids: str) -> Layer:
    """Chosen papers by their ids, parted by semicolons, in their order.

    Raises `UsageError` where none is named.
    """
    wanted = tuple(dict.fromkeys(one.strip() for one in paper_ids.split(";") if one.strip()))
    if not wanted:
        raise UsageError("a shelf needs the id of a paper, or several with semicolons between them")
    return shelf_of(survey, wanted)


def shelf_of(survey: Survey, paper_ids: Sequence[str]) -> Layer:
    """Like `shelf_layer`, for ids that are apart already; those that are not in this corpus are noted."""
    rows = survey.papers.rows_of(paper_ids)
    marks, lines = [], []
    for row in rows[rows >= 0].tolist():
        paper = survey.papers[row]
        x, y = map(float, survey.coordinates[row])
        marks.append(Mark(x, y, _in_words(paper), HIT, "on the shelf", "", row))
        lines.append((readable(paper.title), _year(paper), x, y))
    missing = [paper_id for paper_id, row in zip(paper_ids, rows, strict=True) if row < 0]
    notes = (f"not in this corpus: {', '.join(missing)}",) if missing else ()
    says = "1 paper that was chosen." if len(marks) == 1 else f"{len(marks)} papers that were chosen."
    columns = (Column("title"), Column("year"), Column("x"), Column("y"))
    slug = f"{SHELF}:{';'.join(paper_ids)}"
    return Layer(slug, SHELF_TITLE, says, marks=tuple(marks), table=Table(columns, tuple(lines)), notes=notes)


def _year(paper: Paper) -> int | None:
    return paper.published.year if paper.published else None


def _in_words(paper: Paper) -> str:
    year = _year(paper)
    title = readable(paper.title)
    return f"{title} ({year})" if year else title
