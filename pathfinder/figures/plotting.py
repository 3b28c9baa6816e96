"""Colours of the figures, and a function that loads pandas before Plotly needs it."""

BLUE, VERMILLION, GREY = "#0072b2", "#d55e00", "#888888"
"""Blue and vermillion from Okabe & Ito (2008), which can be told apart with every kind of colour vision; the grey is
visible on any background.
"""


def load_pandas() -> None:
    """Load pandas, or wait until another thread has loaded it: call this before drawing a figure.

    Plotly uses pandas as it finds it in `sys.modules`, even while another thread is still loading it, and then fails.
    This module does not load pandas on import, because that takes half a second and the first page does not need it.
    """
    import pandas  # noqa: F401
