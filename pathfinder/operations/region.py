"""What is studied in a region of the map."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, NamedTuple

from pathfinder.errors import UsageError
from pathfinder.export.plain_json import JsonObject, same_names, select
from pathfinder.export.records import paper_record
from pathfinder.operations.fields import settings_given
from pathfinder.operations.operation import LinkTo, Options, Shell, declare
from pathfinder.operations.results import only
from pathfinder.operations.search import title_and_year
from pathfinder.types import Paper, Region

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder
    from pathfinder.landscape.naming.regions import RegionReport

MOST_KEYWORDS, MOST_CITED, MOST_IN_BRIEF = 20, 10, 5
_REPORT = same_names("n_papers n_anywhere years n_undated n_uncounted growth notes")


class RegionPapers(NamedTuple):
    """What is studied in a region, with its most cited papers."""

    report: "RegionReport"
    top: tuple[Paper, ...]


def _record(found: RegionPapers) -> JsonObject:
    keywords = found.report.keywords[:MOST_KEYWORDS]
    return {
        **select(found.report, _REPORT),
        "keywords": [{"text": keyword.text, "n_papers": keyword.n_papers} for keyword in keywords],
        "top": [paper_record(paper) for paper in found.top],
    }


def _lines(found: RegionPapers) -> Iterator[str]:
    yield f"{found.report.n_papers:,} of {found.report.n_anywhere:,} papers"
    yield f"keywords: {', '.join(keyword.text for keyword in found.report.keywords[:MOST_KEYWORDS])}"
    yield from (f"{title_and_year(paper)} {paper.paper_id}" for paper in found.top)


def _brief(_: RegionPapers, record: JsonObject, linked: LinkTo) -> JsonObject:
    """Keep the keywords and the most cited papers."""
    return {**only(record, ("n_papers", "keywords", "notes")), "top": list(map(linked, record["top"][:MOST_IN_BRIEF]))}


@declare(
    "region",
    settings=("as_of",),
    record=_record,
    lines=_lines,
    notes=lambda found: found.report.notes,
    address="map/region",
    tool="map_region",
    brief=_brief,
)
def region(
    pf: "Pathfinder",
    body: Options,
    region: Annotated[
        str, Shell("X,Y;X,Y;...", "The corners of the region, as X,Y;X,Y;... in the coordinates of the map.")
    ],
) -> RegionPapers:
    """Say what is studied in a region of the map: number of papers, distinctive keywords, most cited papers."""
    from pathfinder.landscape.naming.regions import report_region

    then = pf.as_of(settings_given(body).get("as_of"))
    if then.map_data is None:
        raise UsageError("this corpus has no map: `pathfinder build --out DIR` draws one")
    report = report_region(then.map_data, Region.read(region))
    return RegionPapers(report, tuple(then.corpus.papers[row] for row in report.top[:MOST_CITED]))
