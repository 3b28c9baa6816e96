"""The morning as an operation: new papers close to given ones, or to a whole library."""

import datetime
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from pathfinder.addons.standing.morning import MAX_DAYS, KeptPaper, Morning, Taste, morning_of
from pathfinder.addons.standing.morning_files import (
    atom_feed,
    json_feed,
    morning_lines,
    morning_markdown,
    outage_lines,
)
from pathfinder.errors import UsageError
from pathfinder.operations.operation import Operation, Options, Shell, result_of
from pathfinder.types import LiveSource

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder

CATEGORIES_HELP = "arXiv category whose new papers are read, such as astro-ph.GA."
DAYS_HELP = f"Number of days to cover, 1 to {MAX_DAYS}; arXiv announces nothing on Saturday and Sunday."
UNTIL_HELP = "Last day to cover, such as 2026-01-31. Default: today."
_CATEGORY = re.compile(r"[a-z]+(-[a-z]+)?(\.[A-Za-z]+(-[a-z]+)?)?")
_PHYSICS = {
    *("astro-ph", "cond-mat", "gr-qc", "hep-ex", "hep-lat", "hep-ph", "hep-th", "math-ph", "nlin", "nucl-ex"),
    *("nucl-th", "physics", "quant-ph"),
}
"""Archives of arXiv's group physics; every other archive is a group of its own."""


class MorningOptions(Options):
    """What a reader keeps, and where new papers are looked for."""

    papers: Annotated[
        list[str],
        Shell(
            "--paper PAPER_ID",
            "Id of a paper that you keep, the earliest first; without any, the whole library counts.",
        ),
    ] = Field(default=[])
    less: Annotated[list[str], Shell("--less PAPER_ID", "Id of a paper that you do not want more of.")] = Field(
        default=[]
    )
    categories: Annotated[list[str], Shell("--category NAME")] = Field(
        default=[], max_length=20, description=CATEGORIES_HELP
    )
    days: int = Field(default=1, ge=1, le=MAX_DAYS, description=DAYS_HELP)
    until: str | None = Field(default=None, description=UNTIL_HELP)
    most: int = Field(default=20, ge=1, le=200, description="Number of papers to list, 1 to 200.")


def sources_of(categories: Sequence[str]) -> list[str]:
    """Return the sources of new papers. Raises `UsageError` for a category that cannot be one of arXiv, or if none is
    named.
    """
    sources = []
    for name in categories:
        if not _CATEGORY.fullmatch(name):
            raise UsageError(f"{name!r} is no category of arXiv: write one such as astro-ph.GA or hep-th")
        archive, _, subject = name.partition(".")
        group = "physics" if archive in _PHYSICS else archive
        sources.append(":".join(("oai", group, archive, *([subject] if subject else []))))
    if not sources:
        raise UsageError("no source of new papers is named: name a category of arXiv")
    return sources


def days_of(days: int, until: str | None) -> tuple[datetime.date, datetime.date]:
    """Return the first and the last day. Raises `UsageError` for a text that is no day, or a day too early."""
    try:
        last = datetime.date.fromisoformat(until) if until else datetime.datetime.now(datetime.UTC).date()
        return last - datetime.timedelta(days=days - 1), last
    except (ValueError, OverflowError) as error:
        raise UsageError(f"{until!r} is no day that {days} days can end on: write one such as 2026-01-31") from error


def _run(pf: "Pathfinder", _: None, options: MorningOptions) -> Morning:
    since, until = days_of(options.days, options.until)
    sources = sources_of(options.categories)
    allowed = pf.live.allowed_sources if pf.live is not None else frozenset()
    if LiveSource.ARXIV not in allowed:
        raise UsageError("this server does not ask arXiv: run `pathfinder morning` on your own machine")
    from pathfinder.facade.shelves import check_ids

    check_ids(pf, (*options.papers, *options.less))
    papers = pf.corpus.papers
    kept, less = (
        tuple(KeptPaper(papers[int(row)]) for row in papers.rows_of(ids)) for ids in (options.papers, options.less)
    )
    if not options.papers:  # the latest papers of the library stand for it
        whole = sorted(papers, key=lambda paper: paper.published or datetime.date.min)
        kept = tuple(KeptPaper(paper) for paper in whole if paper.paper_id not in options.less)
    return morning_of(pf, Taste(pf.corpus.name.name, kept, less), sources, since, until, options.most)


OPERATION = Operation(
    name="morning",
    address="morning",
    help="Rank the papers of the last days by how close they are to papers that you keep, with a reason each; list new "
    "versions and withdrawals of papers in the library. Whether a version is new is known only where the library's own "
    "record numbers versions, as one read from arXiv does; the notes count the others.",
    options=MorningOptions,
    settings=(),
    run=_run,
    result=result_of(Morning),
    lines=morning_lines,
    failures=outage_lines,
    forms={
        "markdown": morning_markdown,
        "json-feed": lambda morning: json_feed([morning]) + "\n",
        "atom": lambda morning: atom_feed([morning]) + "\n",
    },
    tool="morning",
    may_wait=True,
)
