"""The gaps of a line, where a page shows a piece of it beside its meaning."""

from pathfinder.landscape.layer import Dash


def gaps(dash: Dash) -> str:
    """CSS that cuts the gaps of `dash` out of whatever is drawn; "" for a solid line."""
    if not dash.pixels:
        return ""
    drawn, left_out = dash.pixels
    return f";mask:repeating-linear-gradient(90deg,#000 0 {drawn:g}px,#0000 0 {drawn + left_out:g}px)"
