"""The command that finds papers like others."""

from typing import Annotated

import typer

from pathfinder.cli_options import CorpusFolder, JsonFlag, RegionText, TopK, YearFrom, YearTo, region_of
from pathfinder.cli_output import write_json, write_lines, write_notes
from pathfinder.cli_settings import corpus_folder
from pathfinder.settings import read_settings
from pathfinder.types import DEFAULT_TOP_K


def similar(
    papers: Annotated[list[str] | None, typer.Argument(metavar="PAPER_ID...", help="Papers to be like.")] = None,
    less: Annotated[
        list[str] | None, typer.Option("--less", metavar="PAPER_ID", help="A paper to be unlike; may be repeated.")
    ] = None,
    text: Annotated[str | None, typer.Option("--text", help="A text to be like, such as an abstract.")] = None,
    place: Annotated[
        tuple[float, float] | None, typer.Option("--place", metavar="X Y", help="A point of the map to be near.")
    ] = None,
    corpus: CorpusFolder = None,
    top_k: TopK = DEFAULT_TOP_K,
    year_from: YearFrom = None,
    year_to: YearTo = None,
    region: RegionText = None,
    as_json: JsonFlag = False,
) -> None:
    """Find papers like others, like a text, or near a point of the map."""
    from pathfinder.cli_text import result_lines
    from pathfinder.explorer import Pathfinder
    from pathfinder.export.records import search_record

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
