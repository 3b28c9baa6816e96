"""`pathfinder timeline`: a topic year by year."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from pathfinder.cli.options import SearchCommand
from pathfinder.cli.output import write_json, write_lines, write_notes
from pathfinder.cli.settings import open_for_question
from pathfinder.text.files import write_file
from pathfinder.types import SearchRequest, Timeline, without_control_characters

OPTIONS = {
    "n_papers": (
        Annotated[int, typer.Option("--papers", metavar="N", help="Number of best matches to use, 2 to 500.")],
        100,
    ),
    "with_consensus": (
        Annotated[bool, typer.Option("--consensus", help="Add the consensus year by year; needs a chat model.")],
        False,
    ),
    "out": (
        Annotated[Path | None, typer.Option("--out", metavar="FILE.html", help="Write a figure that works offline.")],
        None,
    ),
}


def _timeline(
    request: SearchRequest, folder: Path | None, as_json: bool, n_papers: int, with_consensus: bool, out: Path | None
) -> None:
    """Put papers, values, the consensus and the first mentions of terms on one timeline."""
    from pathfinder.export.timeline import timeline_record

    pf = open_for_question(folder)
    result = pf.search(request)
    history = pf.consensus_over_time(result) if with_consensus else None
    report = pf.timeline(result, n_papers, history)
    write_notes((*result.notes, *report.notes))
    if out is not None:
        from pathfinder.figures.timeline import TIMELINE_CONFIG, timeline_figure

        write_file(out, timeline_figure(report).to_html(include_plotlyjs=True, config=TIMELINE_CONFIG))
    write_json(timeline_record(report)) if as_json else write_lines(map(without_control_characters, _lines(report)))


timeline = SearchCommand(_timeline, OPTIONS)


def _lines(report: Timeline) -> Iterator[str]:
    from pathfinder.figures.timeline import describe_timeline

    yield describe_timeline(report)
    yield from (f"{year}: {n}" for year, n in report.years if n)
