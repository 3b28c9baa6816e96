"""The command that draws the map of a corpus to a file."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from pathfinder.cli.options import AsOfYear, CorpusFolder, TopK, region_of
from pathfinder.cli.output import write_lines, write_notes
from pathfinder.cli.settings import open_pathfinder
from pathfinder.errors import UsageError
from pathfinder.landscape.drawing.scene import MAX_ZOOM, Ground, MapView, Palette
from pathfinder.text.files import write_file
from pathfinder.types import DEFAULT_TOP_K, Region

if TYPE_CHECKING:
    from pathfinder.landscape.data.layer import Layer
    from pathfinder.landscape.data.map_data import MapData
    from pathfinder.landscape.drawing.scene import Dot, Scene
    from pathfinder.session import Pathfinder

Writer: TypeAlias = Callable[["Scene", "MapData", int, int, str], bytes]

SUFFIXES = (".png", ".svg", ".html")


_Out: TypeAlias = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help="A .png, .svg or .html file; the HTML file works offline.")
]
_Layers: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--layer", metavar="SLUG", help="A layer, such as growth; repeat the option to add more."),
]
_Lists: TypeAlias = Annotated[bool, typer.Option("--list", help="List the available layers and exit.")]
_Ground: TypeAlias = Annotated[Ground, typer.Option("--ground", help="Night sky, or a world map with mountains.")]
_Palette: TypeAlias = Annotated[Palette, typer.Option("--palette", help="Colours of the map.")]
_View: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--view", metavar="X,Y,ZOOM", help="Centre and zoom of the view; each zoom level halves the width in view."
    ),
]
_Region: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--region",
        metavar="X,Y;X,Y;...",
        help="Region to outline and search in; also sets the view if --view is not given.",
    ),
]
_Years: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--years", metavar="FROM-TO", help="Draw and search only papers from these years, or from a single year."
    ),
]
_Question: TypeAlias = Annotated[
    str | None, typer.Option("--question", metavar="Q", help="Question whose hits are shown on the map.")
]
_Names: TypeAlias = Annotated[bool, typer.Option("--names/--no-names", help="Show the names of places.")]
_Width: TypeAlias = Annotated[int, typer.Option("--width", help="Width of a picture in pixels.")]
_Height: TypeAlias = Annotated[int, typer.Option("--height", help="Height of a picture in pixels.")]
_Title: TypeAlias = Annotated[str, typer.Option("--title", help="Heading of an .html file.")]


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
    as_of: AsOfYear = None,
    corpus: CorpusFolder = None,
) -> None:
    """Draw the map of a corpus to a file, with layers, a region, years or the hits of a question."""
    # Invalid requests are rejected before the corpus is opened.
    write = None if lists else _writer(out)
    shown_view, outline, span = MapView.read(view) if view else None, region_of(region), _years(years)

    from pathfinder.landscape.drawing.scene import Scene
    from pathfinder.landscape.drawing.viewport import fit_viewport, view_of_region
    from pathfinder.landscape.naming.descriptions import summary

    pf = open_pathfinder(corpus).as_of(as_of)
    if write is None or out is None:
        write_lines(_layer_lines(pf))
        return
    map_data = pf.drawn_map
    if shown_view is None and outline is not None:
        shown_view = view_of_region(map_data.extent, outline, MAX_ZOOM)
    layers = _layers(pf, layer or (), span)
    dots = _hit_dots(pf, question, top_k, outline, span) if question is not None else ()
    scene = Scene(ground, palette, shown_view, layers, dots, outline, span, names)
    write_file(out, write(scene, map_data, width, height, title))
    write_notes((*pf.notes_on_year, *(note for read_layer in layers for note in read_layer.notes)))
    write_lines((str(out), summary(scene, map_data, fit_viewport(map_data.extent, shown_view, width, height))))


def _writer(out: Path | None) -> Writer:
    """Return the function that writes files with the suffix of `out`."""
    if out is None:
        raise UsageError("no file given: add --out FILE with a name that ends in .png, .svg or .html")
    if out.suffix.lower() not in SUFFIXES:
        raise UsageError(f"a map is saved as a {', '.join(SUFFIXES)} file, but {out.name!r} has none of these suffixes")
    return {".png": _png, ".svg": _svg, ".html": _html}[out.suffix.lower()]


def _png(scene: "Scene", map_data: "MapData", width: int, height: int, _: str) -> bytes:
    from pathfinder.landscape.picture_files.pictures import draw_png

    return draw_png(scene, map_data, width, height)


def _svg(scene: "Scene", map_data: "MapData", width: int, height: int, _: str) -> bytes:
    from pathfinder.landscape.picture_files.pictures import draw_svg

    return draw_svg(scene, map_data, width, height).encode()


def _html(scene: "Scene", map_data: "MapData", _width: int, _height: int, title: str) -> bytes:
    from pathfinder.landscape.canvas.standalone import standalone

    return standalone(scene, map_data, title).encode()


def _years(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    first, dash, last = text.partition("-")
    try:
        span = int(first), int(last if dash else first)
    except ValueError:
        raise UsageError(f"years must look like 2015 or 2010-2020, got {text!r}") from None
    if span[0] > span[1]:
        raise UsageError(f"the first year is after the last, got {span[0]}-{span[1]}")
    return span


def _layers(pf: "Pathfinder", slugs: Sequence[str], years: tuple[int, int] | None) -> tuple["Layer", ...]:
    """Return each layer once, even if it was requested twice or under two names."""
    return tuple({layer.slug: layer for layer in (_layer(pf, slug, years) for slug in slugs)}.values())


def _layer(pf: "Pathfinder", slug: str, years: tuple[int, int] | None) -> "Layer":
    from pathfinder.landscape.data.layer import UnavailableLayer

    layer = pf.layer(slug, years)
    if isinstance(layer, UnavailableLayer):
        raise UsageError(f"{layer.title}: {layer.reason}")
    return layer


def _hit_dots(
    pf: "Pathfinder", question: str, top_k: int, region: Region | None, years: tuple[int, int] | None
) -> tuple["Dot", ...]:
    from pathfinder.landscape.drawing.scene import hit_dots

    first, last = years or (None, None)
    result = pf.search(question, top_k=top_k, region=region, year_from=first, year_to=last)
    write_notes(result.notes)
    return hit_dots(result.hits, pf.drawn_map.coordinates)


def _layer_lines(pf: "Pathfinder") -> list[str]:
    from pathfinder.landscape.data.layer import UnavailableLayer

    lines = []
    for info in pf.layers():
        if isinstance(info, UnavailableLayer):
            lines.append(f"{info.slug}: not here: {info.reason}")
        else:
            n_papers = "" if info.n_papers is None else f", {info.n_papers:,} papers"
            choice = f":... ({info.choice})" if info.choice else ""
            lines.append(f"{info.slug}{choice}: {info.title}{n_papers}")
    return lines
