"""The settings of this server as seen by one run of a page: read only once, when first used."""

from contextvars import ContextVar

from streamlit.runtime.scriptrunner import get_script_run_ctx

from pathfinder.settings import Settings, read_settings

_OF_RUN: ContextVar[Settings | None] = ContextVar("settings_of_run", default=None)
"""Settings of the run in this thread. Streamlit may use a thread for several runs in succession, never for two at a
time.
"""


def begin_run() -> None:
    """Forget the settings of the previous run, because the operator may have changed them; app.py begins with this."""
    _OF_RUN.set(None)


def settings_of_run() -> Settings:
    """Return the settings of this server, reading them at most once in each run of a page.

    Reading them takes a millisecond, and every link to a paper needs them. Raises `UsageError` if one of them is
    invalid.
    """
    settings = _OF_RUN.get()
    if settings is None:
        settings = read_settings()
        if get_script_run_ctx(suppress_warning=True) is not None:
            _OF_RUN.set(settings)
    return settings
