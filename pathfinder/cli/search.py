"""`pathfinder search` and `pathfinder similar`: find papers that bear on a question, or that resemble others."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from pathfinder.cli.options import (
    AsOfYear,
    CorpusFolder,
    JsonFlag,
    RegionText,
    SearchCommand,
    TopK,
    YearFrom,
    YearTo,
    region_of,
)
from pathfinder.cli.output import write_json, write_lines, write_notes
from pathfinder.cli.settings import open_pathfinder
from pathfinder.types import DEFAULT_TOP_K, SearchRequest

_Papers: TypeAlias = Annotated[
    list[str] | None, typer.Argument(metavar="PAPER_ID...", help="Papers that the results should resemble.")
]
_Less: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--less", metavar="PAPER_ID", help="A paper that the results should not resemble. May be repeated."),
]
_Text: TypeAlias = Annotated[
    str | None, typer.Option("--text", help="A text that the results should resemble, such as an abstract.")
]
_Place: TypeAlias = Annotated[
    tuple[float, float] | None,
    typer.Option("--place", metavar="X Y", help="A point on the map; results come from its surroundings."),
]


def _search(request: SearchRequest, folder: Path | None, as_json: bool) -> None:
    """Find the papers that bear on a question, best first."""
    from pathfinder.cli.text import result_lines
    from pathfinder.export.records import search_record
    from pathfinder.retrieval.advice import weighting_advice

    result = open_pathfinder(folder).search(request)
    write_notes((*result.notes, *weighting_advice(result.candidates, request.weighting)))
    write_json(search_record(result)) if as_json else write_lines(result_lines(result))


search = SearchCommand(_search)


def similar(
    papers: _Papers = None,
    less: _Less = None,
    text: _Text = None,
    place: _Place = None,
    corpus: CorpusFolder = None,
    top_k: TopK = DEFAULT_TOP_K,
    year_from: YearFrom = None,
    year_to: YearTo = None,
    region: RegionText = None,
    as_of: AsOfYear = None,
    as_json: JsonFlag = False,
) -> None:
    """Find papers similar to others or to a text, or near a point on the map."""
    from pathfinder.cli.text import result_lines
    from pathfinder.export.records import search_record

    pf = open_pathfinder(corpus).as_of(as_of)
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
