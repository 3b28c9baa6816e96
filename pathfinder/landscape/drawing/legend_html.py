"""The legend as HTML, for pages and for files that open offline: a sample of each symbol with its meaning."""

from collections.abc import Iterable
from html import escape

from pathfinder.landscape.data.layer import Dash
from pathfinder.landscape.drawing.legend import LegendEntry, Sign

_EDGE = "outline:1px solid rgb(128 128 128 / 60%)"
_LINE = "width:22px;height:3px;background:{}"
_STYLES = {
    Sign.GROUND: "width:22px;height:14px;background:{};" + _EDGE,
    Sign.HEATMAP: "width:22px;height:14px;background:linear-gradient(90deg,transparent,{});" + _EDGE,
    Sign.LINE: _LINE,
    Sign.REGION: _LINE,
    Sign.PATH: "width:22px;height:11px;background:{};"
    "clip-path:polygon(0 36%,65% 36%,65% 0,100% 50%,65% 100%,65% 64%,0 64%)",
    Sign.MARK: "width:12px;height:11px;margin:0 5px;background:{};clip-path:polygon(50% 0,100% 100%,0 100%)",
    Sign.OUTLIER: "width:10px;height:10px;margin:0 6px;rotate:45deg;background:{}",
    Sign.LIVE: "width:11px;height:11px;margin:0 5px;background:{}",
    Sign.DOT: "width:12px;height:12px;margin:0 5px;border-radius:6px;background:{}",
}


def legend_html(entries: Iterable[LegendEntry]) -> str:
    """Write a line for each entry, with its text escaped."""
    return "".join(
        '<div style="display:flex;align-items:center;gap:8px;font-size:.9rem;padding:2px 0">'
        f'<span style="{escape(sample_style(entry))}"></span><span>{escape(entry.text)}</span></div>'
        for entry in entries
    )


def sample_style(entry: LegendEntry) -> str:
    """Write CSS that draws the symbol of an entry in an empty element of a flex line."""
    opacity = "" if entry.strength == 1 else f";opacity:{entry.strength:g}"
    return f"flex:none;{_STYLES[entry.sign].format(entry.colour)}{opacity}{_gaps(entry.dash)}"


def _gaps(dash: Dash) -> str:
    """Write CSS that cuts the gaps of `dash` out of a line; "" for a solid line."""
    if not dash.pixels:
        return ""
    dash_length, gap = dash.pixels
    return f";mask:repeating-linear-gradient(90deg,#000 0 {dash_length:g}px,#0000 0 {dash_length + gap:g}px)"
