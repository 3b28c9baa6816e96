"""Colours, axes and buttons of the figures, and a function that loads pandas before Plotly needs it."""

from collections.abc import Sequence
from typing import Any, Final

BLUE, VERMILLION, GREY = "#0072b2", "#d55e00", "#888888"
"""Blue and vermillion from Okabe & Ito (2008), which can be told apart with every kind of colour vision; the grey is
visible on any background.
"""

PLOT_CONFIG: Final[dict[str, Any]] = {
    "scrollZoom": False,
    "displaylogo": False,
    "showSendToCloud": False,
    "modeBarButtons": [["toImage"]],
    "toImageButtonOptions": {"format": "svg"},
}
"""Plotly's configuration for a figure: it is downloaded as SVG, and nothing is sent to a server of Plotly's."""


def load_pandas() -> None:
    """Load pandas, or wait until another thread has loaded it: call this before drawing a figure.

    Plotly uses pandas as it finds it in `sys.modules`, even while another thread is still loading it, and then fails.
    This module does not load pandas on import, because that takes half a second and the first page does not need it.
    """
    import pandas  # noqa: F401


MOST_YEARLY_TICKS = 8
"""Longest span, in years, in which every year has a tick: Plotly would otherwise place ticks within a year."""


def axis_of_years(years: Sequence[int]) -> dict[str, object]:
    """Return the settings of an axis on which each year is written once."""
    is_short = bool(years) and max(years) - min(years) < MOST_YEARLY_TICKS
    return {"fixedrange": True, "tickformat": "d", "dtick": 1 if is_short else None}
