"""Draws the legend of a picture file in the lower left corner of the map, or below the map if the picture is narrow."""

from typing import Any

from matplotlib.artist import Artist
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from pathfinder.landscape.data.layer import Dash
from pathfinder.landscape.drawing.legend import NOTE, LegendEntry, Sign, legend_of
from pathfinder.landscape.drawing.palettes import Colours
from pathfinder.landscape.drawing.scene import Scene
from pathfinder.landscape.picture_files.figure_text import printable, wrap

SIZE, SMALL_SIZE = 13.0, 11.0
"""Font sizes in pixels."""
NARROW = 700
"""Pictures narrower than this, in pixels, have their legend below the map, in the smaller font."""
PADDING, SAMPLE_WIDTH, SAMPLE_GAP, MAX_WIDTH = 10.0, 16.0, 8.0, 380.0
OPACITY = 0.88
MARKERS = {Sign.MARK: "^", Sign.OUTLIER: "D", Sign.DOT: "o", Sign.LIVE: "s"}


def draw_legend(figure: Figure, scene: Scene, n_papers: int, colours: Colours, width: int) -> Legend:
    """Add the scene's legend, the number of papers and the note about distances, laid out for the picture's width."""
    is_narrow = width < NARROW
    size = SMALL_SIZE if is_narrow else SIZE
    widest = (width if is_narrow else min(MAX_WIDTH, 0.6 * width)) - 2 * PADDING - SAMPLE_WIDTH - SAMPLE_GAP
    entries = legend_of(scene)
    texts = [*(entry.text for entry in entries), f"{n_papers:,} papers", NOTE]
    return figure.legend(
        [*(_sample(entry, colours) for entry in entries), _nothing(), _nothing()],
        ["\n".join(wrap(printable(text), size, widest)) for text in texts],
        loc="lower left",
        fontsize=size,
        labelcolor=colours.ink,
        facecolor=colours.halo,
        framealpha=OPACITY,
        edgecolor="none",
        fancybox=False,
        # Lengths are in units of the font size.
        borderaxespad=0.0 if is_narrow else PADDING / size,
        borderpad=PADDING / size,
        labelspacing=0.3,
        handlelength=SAMPLE_WIDTH / size,
        handletextpad=SAMPLE_GAP / size,
    )


def _sample(entry: LegendEntry, colours: Colours) -> Artist:
    if entry.sign in {Sign.GROUND, Sign.HEATMAP}:
        # The edge keeps a colour visible even if it resembles the legend's own background.
        return Patch(facecolor=to_rgba(entry.colour, entry.strength), edgecolor=to_rgba(colours.ink, 0.5), linewidth=1)
    if entry.sign in MARKERS:
        look: dict[str, Any] = {"markerfacecolor": entry.colour, "markeredgecolor": colours.ink, "markersize": 10.0}
        return Line2D([], [], linestyle="none", marker=MARKERS[entry.sign], markeredgewidth=1.0, **look)
    marker = ">" if entry.sign is Sign.PATH else "none"
    line = Line2D([], [], color=entry.colour, linewidth=2.5, marker=marker)
    line.set_linestyle(line_style(entry.dash))
    return line


def line_style(dash: Dash) -> Any:
    """Translate `dash` into a matplotlib line style."""
    return (0, dash.pixels) if dash.pixels else "solid"


def _nothing() -> Artist:
    """An empty sample, for a line of text without a symbol."""
    return Line2D([], [], linestyle="none")
