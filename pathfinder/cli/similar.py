"""`pathfinder similar`: finds papers similar to others."""

from typing import Annotated

import typer

from pathfinder.cli.options import CorpusFolder, JsonFlag, RegionText, TopK, YearFrom, YearTo, region_of
from pathfinder.cli.output import write_json, write_lines, write_notes
from pathfinder.cli.settings import corpus_folder
from pathfinder.settings import read_settings
from pathfinder.types import DEFAULT_TOP_K


def similar(
    papers: Annotated[
        list[str] | None, typer.Argument(metavar="PAPER_ID...", help="Papers that the results should resemble.")
    ] = None,
    less: Annotated[
        list[str] | None,
        typer.Option(
            "--less", metavar="PAPER_ID", help="A paper that the results should not resemble. May be repeated."
        ),
    ] = None,
    text: Annotated[
        str | None, typer.Option("--text", help="A text that the results should resemble, such as an abstract.")
    ] = None,
    place: Annotated[
        tuple[float, float] | None,
        typer.Option("--place", metavar="X Y", help="A point on the map; results come from around it."),
    ] = None,
    corpus: CorpusFolder = None,
    top_k: TopK = DEFAULT_TOP_K,
    year_from: YearFrom = None,
    year_to: YearTo = None,
    region: RegionText = None,
    as_json: JsonFlag = False,
) -> None:
    """Find papers similar to others or to a text, or near a point on the map."""
    from pathfinder.cli.text import result_lines
    from pathfinder.export.records import search_record
    from pathfinder.session import Pathfinder

    settings = read_settings()
    pf = Pathfinder.open(corpus_folder(corpus, settings), settings=settings)
    result = pf.similar(
        *(papers or ()),
        less=less or (),
        text=text,
        place=place,
        top_k=top_k,
        year_from=year_from,
        year_to=year_to,
        region=region_of(region),
    )
    write_notes(result.notes)
    write_json(search_record(result)) if as_json else write_lines(result_lines(result))
