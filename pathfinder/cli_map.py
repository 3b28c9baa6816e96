"""The command that draws the map of a corpus into a file."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from pathfinder.cli_options import CorpusFolder, TopK, region_of
from pathfinder.cli_output import write_lines, write_notes
from pathfinder.cli_settings import corpus_folder
from pathfinder.errors import UsageError
from pathfinder.landscape.scene import MAX_ZOOM, Ground, Palette, View
from pathfinder.settings import read_settings
from pathfinder.types import DEFAULT_TOP_K, Region

if TYPE_CHECKING:
    from pathfinder.explorer import Pathfinder
    from pathfinder.landscape.chart import Chart
    from pathfinder.landscape.layer import Layer
    from pathfinder.landscape.scene import Dot, Scene
    from pathfinder.types import Hit

Writer: TypeAlias = Callable[["Scene", "Chart", int, int, str], bytes]

SUFFIXES = (".png", ".svg", ".html")


_Out: TypeAlias = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help="A .png, .svg or .html file; the last opens offline.")
]
_Layers: TypeAlias = Annotated[
    list[str] | None, typer.Option("--layer", metavar="SLUG", help="A layer, such as growth; may be repeated.")
]
_Lists: TypeAlias = Annotated[bool, typer.Option("--list", help="Say which layers there are, and draw nothing.")]
_Ground: TypeAlias = Annotated[Ground, typer.Option("--ground", help="Night sky, or a world with mountains.")]
_Palette: TypeAlias = Annotated[Palette, typer.Option("--palette", help="The colours.")]
_View: TypeAlias = Annotated[
    str | None,
    typer.Option("--view", metavar="X,Y,ZOOM", help="The middle, and how often the map is halved to it."),
]
_Region: TypeAlias = Annotated[
    str | None,
    typer.Option("--region", metavar="X,Y;X,Y;...", help="A part to outline and to search in; by itself, the view."),
]
_Years: TypeAlias = Annotated[
    str | None,
    typer.Option("--years", metavar="FROM-TO", help="Draw, and find, the papers of these years, or of one."),
]
_Question: TypeAlias = Annotated[
    str | None, typer.Option("--question", metavar="Q", help="Put the papers found for it on the map.")
]
_Names: TypeAlias = Annotated[bool, typer.Option("--names/--no-names", help="Whether names are written.")]
_Width: TypeAlias = Annotated[int, typer.Option("--width", help="In pixels; a page is as wide as its window.")]
_Height: TypeAlias = Annotated[int, typer.Option("--height", help="In pixels.")]
_Title: TypeAlias = Annotated[str, typer.Option("--title", help="The heading of an .html file.")]


def draw_map(
    out: _Out = None,
    layer: _Layers = None,
    lists: _Lists = False,
    ground: _Ground = Ground.DENSITY,
    palette: _Palette = Palette.STANDARD,
    view: _View = None,
    region: _Region = None,
    years: _Years = None,
    question: _Question = None,
    top_k: TopK = DEFAULT_TOP_K,
    names: _Names = True,
    width: _Width = 1600,
    height: _Height = 1000,
    title: _Title = "Map of the literature",
    corpus: CorpusFolder = None,
) -> None:
    """Draw the map of a corpus into a file, with layers, a region, years or the papers found for a question."""
    # What is wrong with the request is told before the corpus is opened.
    write = None if lists else _writer(out)
    seen = None if view is None else View.read(view)
    drawn, span = region_of(region), _years(years)

    from pathfinder.explorer import Pathfinder
    from pathfinder.landscape.frame import around, frame_of
    from pathfinder.landscape.scene import Scene
    from pathfinder.landscape.summary import summary

    settings = read_settings()
    pf = Pathfinder.open(corpus_folder(corpus, settings), settings=settings)
    if write is None or out is None:
        write_lines(_layer_lines(pf))
        return
    chart = pf.chart
    if seen is None and drawn is not None:
        seen = around(chart.extent, drawn, MAX_ZOOM)
    # Each once, however often and by whatever name it is asked for.
    layers = tuple({one.slug: one for one in (_layer(pf, slug, span) for slug in layer or ())}.values())
    dots = _found(pf, question, top_k, drawn, span) if question is not None else ()
    scene = Scene(ground, palette, seen, layers, dots, drawn, span, names)
    out.write_bytes(write(scene, chart, width, height, title))
    write_notes(note for one in layers for note in one.notes)
    write_lines((str(out), summary(scene, chart, frame_of(chart.extent, seen, width, height))))


def _writer(out: Path | None) -> Writer:
    """What writes a file of that name."""
    if out is None:
        raise UsageError("no file is named: add --out FILE with a name that ends in .png, .svg or .html")
    if out.suffix.lower() not in SUFFIXES:
        raise UsageError(f"the map is drawn as {', '.join(SUFFIXES)}, and {out.name!r} ends in none of them")
    return {".png": _png, ".svg": _svg, ".html": _html}[out.suffix.lower()]


def _png(scene: "Scene", chart: "Chart", width: int, height: int, _: str) -> bytes:
    from pathfinder.landscape.pictures import png

    return png(scene, chart, width, height)


def _svg(scene: "Scene", chart: "Chart", width: int, height: int, _: str) -> bytes:
    from pathfinder.landscape.pictures import svg

    return svg(scene, chart, width, height).encode()


def _html(scene: "Scene", chart: "Chart", _width: int, _height: int, title: str) -> bytes:
    from pathfinder.landscape.standalone import standalone

    return standalone(scene, chart, title).encode()


def _years(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    first, dash, last = text.partition("-")
    try:
        span = int(first), int(last if dash else first)
    except ValueError:
        raise UsageError(f"years are such as 2015 or 2010-2020, got {text!r}") from None
    if span[0] > span[1]:
        raise UsageError(f"the years are upside down: from {span[0]} to {span[1]}")
    return span


def _layer(pf: "Pathfinder", slug: str, years: tuple[int, int] | None) -> "Layer":
    from pathfinder.landscape.layer import Absent

    found = pf.layer(slug, years)
    if isinstance(found, Absent):
        raise UsageError(f"{found.title}: {found.why}")
    return found


def _found(
    pf: "Pathfinder", question: str, top_k: int, region: Region | None, years: tuple[int, int] | None
) -> tuple["Dot", ...]:
    first, last = years or (None, None)
    result = pf.search(question, top_k=top_k, region=region, year_from=first, year_to=last)
    write_notes(result.notes)
    return tuple(_dot(pf, hit, rank) for rank, hit in enumerate(result.hits, start=1))


def _dot(pf: "Pathfinder", hit: "Hit", rank: int) -> "Dot":
    from pathfinder.export.latex import readable
    from pathfinder.landscape.scene import Dot

    x, y = pf.chart.coordinates[hit.row].tolist()
    return Dot(hit.row, x, y, readable(hit.paper.title), hit.paper.year, rank, hit.outlier)


def _layer_lines(pf: "Pathfinder") -> list[str]:
    from pathfinder.landscape.layer import Absent

    lines = []
    for one in pf.layers():
        if isinstance(one, Absent):
            lines.append(f"{one.slug}: not here: {one.why}")
        else:
            of = "" if one.n_papers is None else f", {one.n_papers:,} papers"
            lines.append(f"{one.slug}{f':... ({one.needs})' if one.needs else ''}: {one.title}{of}")
    return lines
