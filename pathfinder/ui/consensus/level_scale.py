"""The seven levels as a strip: the level that was found is filled in, and a bracket marks the bootstrap interval."""

from pathfinder.types import ConsensusLevel

_COLOURS = ("#D55E00", "#E08B45", "#EBBE96", "#999999", "#99C7E0", "#4D9CC9", "#0072B2")
"""Colours from disagreement to agreement, vermillion to blue (Okabe & Ito), distinguishable with any colour vision."""
_ENDS = ("disagree", "agree")


def scale_html(level: ConsensusLevel, interval: tuple[ConsensusLevel, ConsensusLevel]) -> str:
    """Return the HTML of the strip; it contains only fixed words, so nothing needs escaping."""
    order = list(ConsensusLevel)[::-1]
    low, high = sorted(order.index(end) for end in interval)
    cells = "".join(_cell(place, order[place] is level, low <= place <= high) for place in range(len(order)))
    label = f"{level}; 95% of draws between {order[high]} and {order[low]}"
    ends = "".join(f"<span>{end}</span>" for end in _ENDS)
    return (
        f'<div role="img" aria-label="{label}" style="max-width:28rem;font-size:.75rem">'
        f'<div style="display:flex;gap:3px">{cells}</div>'
        f'<div style="display:flex;justify-content:space-between;opacity:.75">{ends}</div></div>'
    )


def _cell(place: int, is_level: bool, is_inside: bool) -> str:
    border = "currentColor" if is_inside else "transparent"
    height = 16 if is_level else 6
    frame = f"flex:1;display:flex;align-items:center;height:26px;padding-top:3px;border-top:2px solid {border}"
    bar = f"width:100%;height:{height}px;border-radius:3px;background:{_COLOURS[place]}"
    return f'<div style="{frame}"><div style="{bar}"></div></div>'
