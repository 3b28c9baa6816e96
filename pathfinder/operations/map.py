"""The map of a corpus drawn to a file, with layers, a region, years or the hits of a question."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from pydantic import Field

from pathfinder.errors import UsageError
from pathfinder.landscape.drawing.scene import MAX_ZOOM, Dot, Ground, MapView, Palette, Scene, hit_dots
from pathfinder.operations.export.plain_json import JsonObject
from pathfinder.operations.fields import settings_given
from pathfinder.operations.operation import LinkTo, Operation, Options, QuotedPaper, Shell, declare, only, result_of
from pathfinder.operations.search import title_and_year
from pathfinder.text.files import write_file
from pathfinder.types import Paper, Region

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder
    from pathfinder.landscape.data.layer import Layer, LayerInfo, UnavailableLayer
    from pathfinder.landscape.data.map_data import MapData
    from pathfinder.landscape.naming.regions import RegionKeyword, RegionReport


Drawer = Callable[["Scene", "MapData", "MapOptions"], str | bytes]


class MapOptions(Options):
    """What is drawn, and the file."""

    out: Annotated[Path | None, Shell("--out FILE", "A .png, .svg or .html file; the HTML file works offline.")] = None
    layer: Annotated[list[str], Shell("--layer SLUG", "A layer, such as growth.")] = Field(default=[])
    lists: Annotated[bool, Shell("--list", "List the available layers and exit.")] = False
    ground: Ground = Field(default=Ground.DENSITY, description="Night sky, or a world map with mountains.")
    palette: Palette = Field(default=Palette.STANDARD, description="Colours of the map.")
    view: Annotated[
        str | None, Shell("--view X,Y,ZOOM", "Centre and zoom of the view; each zoom level halves the width in view.")
    ] = None
    region: Annotated[
        str | None,
        Shell("--region X,Y;X,Y;...", "Region to outline and search in; also sets the view if --view is not given."),
    ] = None
    years: Annotated[
        str | None, Shell("--years FROM-TO", "Draw and search only papers from these years, or from a single year.")
    ] = None
    question: Annotated[str | None, Shell("--question Q", "Question whose hits are shown on the map.")] = None
    names: Annotated[bool, Shell("--names/--no-names", "Show the names of places.")] = True
    width: int = Field(default=1600, description="Width of a picture in pixels.")
    height: int = Field(default=1000, description="Height of a picture in pixels.")
    title: str = Field(default="Map of the literature", description="Heading of an .html file.")


class Drawing(NamedTuple):
    """A file with a map, or, without one, the layers that it can have."""

    out: Path | None
    summary: str
    layers: "Sequence[LayerInfo | UnavailableLayer]"
    notes: Sequence[str] = ()


def _check(options: MapOptions) -> None:
    """Refuse what cannot be drawn before the corpus is opened."""
    if not options.lists:
        _drawer(options.out)
    if options.view:
        MapView.read(options.view)
    _region(options)
    _years(options.years)


def _run(pf: "Pathfinder", _: None, options: MapOptions) -> Drawing:
    from pathfinder.landscape.drawing.viewport import fit_viewport, view_of_region
    from pathfinder.landscape.naming.descriptions import summary

    given = settings_given(options)
    pf = pf.as_of(given.get("as_of"))
    if options.lists or options.out is None:
        return Drawing(None, "", pf.layers())
    view, outline, years = MapView.read(options.view) if options.view else None, _region(options), _years(options.years)
    map_data = pf.drawn_map
    if view is None and outline is not None:
        view = view_of_region(map_data.extent, outline, MAX_ZOOM)
    # Each layer once, even if it was requested twice or under two names.
    layers = tuple({layer.slug: layer for layer in (_layer(pf, slug, years) for slug in options.layer)}.values())
    notes = [*pf.notes_on_year, *(note for layer in layers for note in layer.notes)]
    dots: tuple[Dot, ...] = ()
    if options.question is not None:
        first, last = years or (None, None)
        within = {"region": outline, "year_from": first, "year_to": last}
        result = pf.search(options.question, **{**given, **within, "as_of": pf.year})
        notes, dots = [*result.notes, *notes], hit_dots(result.hits, map_data.coordinates)
    scene = Scene(options.ground, options.palette, view, layers, dots, outline, years, options.names)
    write_file(options.out, _drawer(options.out)(scene, map_data, options))
    viewport = fit_viewport(map_data.extent, view, options.width, options.height)
    return Drawing(options.out, summary(scene, map_data, viewport), (), notes)


def _drawer(out: Path | None) -> Drawer:
    from pathfinder.landscape.canvas.standalone import standalone
    from pathfinder.landscape.picture_files.pictures import draw_png, draw_svg

    drawers: dict[str, Drawer] = {
        ".png": lambda scene, map_data, options: draw_png(scene, map_data, options.width, options.height),
        ".svg": lambda scene, map_data, options: draw_svg(scene, map_data, options.width, options.height),
        ".html": lambda scene, map_data, options: standalone(scene, map_data, options.title),
    }
    if out is None:
        raise UsageError("no file given: add --out FILE with a name that ends in .png, .svg or .html")
    if out.suffix.lower() not in drawers:
        raise UsageError(f"a map is saved as a {', '.join(drawers)} file, but {out.name!r} has none of these suffixes")
    return drawers[out.suffix.lower()]


def _region(options: MapOptions) -> Region | None:
    return None if options.region is None else Region.read(options.region)


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


def _layer(pf: "Pathfinder", slug: str, years: tuple[int, int] | None) -> "Layer":
    from pathfinder.landscape.data.layer import UnavailableLayer

    layer = pf.layer(slug, years)
    if isinstance(layer, UnavailableLayer):
        raise UsageError(f"{layer.title}: {layer.reason}")
    return layer


def _lines(drawing: Drawing) -> Iterator[str]:
    from pathfinder.landscape.data.layer import UnavailableLayer

    if drawing.out is not None:
        yield str(drawing.out)
        yield drawing.summary
    for info in drawing.layers:
        if isinstance(info, UnavailableLayer):
            yield f"{info.slug}: not here: {info.reason}"
        else:
            n_papers = "" if info.n_papers is None else f", {info.n_papers:,} papers"
            choice = f":... ({info.choice})" if info.choice else ""
            yield f"{info.slug}{choice}: {info.title}{n_papers}"


OPERATION: Operation[MapOptions, Drawing] = Operation(
    name="map",
    help="Draw the map of a corpus to a file, with layers, a region, years or the hits of a question.",
    options=MapOptions,
    settings=("top_k", "as_of"),
    check=_check,
    run=_run,
    result=lambda: result_of(Drawing, "notes"),
    lines=_lines,
)


# What is studied in a region of the map.


MOST_KEYWORDS, MOST_CITED, MOST_IN_BRIEF = 20, 10, 5


class RegionPapers(NamedTuple):
    """What is studied in a region, with its most cited papers."""

    report: "RegionReport"
    top: tuple[Paper, ...]

    @property
    def keywords(self) -> "Sequence[RegionKeyword]":
        """The most distinctive keywords, at most 20."""
        return self.report.keywords[:MOST_KEYWORDS]


def _region_result() -> Any:
    from pathfinder.landscape.naming.regions import RegionKeyword

    keyword = result_of(RegionKeyword, "lift")
    return result_of(
        RegionPapers,
        "rows",
        flat="report",
        n_papers="report.n_papers",
        keywords=([keyword], "keywords"),
        top=[QuotedPaper],
    )


def _region_lines(found: RegionPapers) -> Iterator[str]:
    yield f"{found.report.n_papers:,} of {found.report.n_anywhere:,} papers"
    yield f"keywords: {', '.join(keyword.text for keyword in found.keywords)}"
    yield from (f"{title_and_year(paper)} {paper.paper_id}" for paper in found.top)


def _region_brief(_: RegionPapers, record: JsonObject, linked: LinkTo) -> JsonObject:
    return {**only(record, ("n_papers", "keywords", "notes")), "top": list(map(linked, record["top"][:MOST_IN_BRIEF]))}


@declare(
    "region",
    settings=("as_of",),
    result=_region_result,
    lines=_region_lines,
    notes=lambda found: found.report.notes,
    address="map/region",
    tool="map_region",
    brief=_region_brief,
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
