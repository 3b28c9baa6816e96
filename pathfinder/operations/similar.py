"""Papers that resemble others, a text or a place on the map."""

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from pathfinder.operations.fields import settings_given
from pathfinder.operations.operation import Operation, Options, PaperIds, Shell
from pathfinder.operations.search import OPERATION as SEARCH
from pathfinder.types import SearchResult

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder


class SimilarOptions(Options):
    """Papers, a text or a place that the results should resemble."""

    papers: Annotated[PaperIds, Shell("PAPER_ID...", "Ids of papers that the results should resemble.")] = Field(
        default=[]
    )
    less: Annotated[PaperIds, Shell("--less PAPER_ID", "Ids of papers that the results should not resemble.")] = Field(
        default=[]
    )
    text: str | None = Field(default=None, description="A text that the results should resemble, such as an abstract.")
    place: Annotated[list[float] | None, Shell("--place X Y"), Field(min_length=2, max_length=2)] = Field(
        default=None, description="A point on the map, x and y; results come from its surroundings."
    )


def _run(pf: "Pathfinder", _: None, options: SimilarOptions) -> SearchResult:
    place = (options.place[0], options.place[1]) if options.place else None
    settings = settings_given(options)
    return pf.similar(*options.papers, less=options.less, text=options.text, place=place, **settings)


OPERATION: Operation[SimilarOptions, SearchResult] = Operation(
    name="similar",
    address="similar",
    help="Find papers similar to others or to a text, or near a point on the map.",
    options=SimilarOptions,
    settings=("top_k", "year_from", "year_to", "region", "as_of"),
    run=_run,
    result=SEARCH.result,
    lines=SEARCH.lines,
    tool="similar_papers",
    arguments={"top_k": 5},
    brief=SEARCH.brief,
)
