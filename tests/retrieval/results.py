"""What the tests of a search look at in its result."""

from pathfinder.types import SearchResult


def ids(result: SearchResult) -> list[str]:
    """The papers found, best first."""
    return [hit.paper.paper_id for hit in result.hits]


def ran(result: SearchResult) -> dict[str, str]:
    """What each stage of the search says that it did."""
    return {stage.name: stage.ran for stage in result.stages}
