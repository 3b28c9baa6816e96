"""Score bar under a paper: the exact parts of its final score, in colours."""

from html import escape

from pathfinder.retrieval.explanation.score_parts import bar_parts, describe_parts
from pathfinder.retrieval.factors import FACTORS
from pathfinder.retrieval.factors.registry import MATCH
from pathfinder.types import Score, Weighting
from pathfinder.types.steers import feature_of

_MATCH_COLOUR = "#0072B2"
_MORE, _LESS = "#44AA99", "#AA4499"
_COLOURS = ("#009E73", "#E69F00", "#CC79A7", "#56B4E9", "#F0E442", "#888888", "#882255", "#D55E00", "#332288")
"""Colours of Okabe & Ito, distinguishable with any colour vision, plus grey and P. Tol's wine and indigo for the three
remaining factors.
"""


def score_bar(score: Score, weighting: Weighting) -> str:
    """Return the HTML for the bar and its caption."""
    words = escape(describe_parts(score, weighting))
    segments = "".join(
        f'<div style="width:{100 * part.length:.2f}%;background:{colour_of(part.factor)}"></div>'
        for part in bar_parts(score, weighting)
    )
    return (
        f'<div role="img" aria-label="{words}">'
        '<div style="display:flex;height:8px;border-radius:4px;overflow:hidden;background:rgba(128,128,128,.2)">'
        f"{segments}</div>"
        f'<div style="font-size:.8rem;opacity:.75;margin-top:2px">{words}</div></div>'
    )


def colour_of(factor: str) -> str:
    """Return the colour of a factor's part, according to its position in the registry; plug-ins reuse the colours in
    turn. All steers towards features share one colour, and all steers away from features share another.
    """
    if (steer := feature_of(factor)) is not None:
        return _MORE if steer[1] > 0 else _LESS
    return _MATCH_COLOUR if factor == MATCH else _COLOURS[FACTORS.names().index(factor) % len(_COLOURS)]
