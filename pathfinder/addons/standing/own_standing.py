"""A visitor's standing questions: in the data folder for the owner of this machine, otherwise in their browser."""

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from pathfinder.addons.standing.log import StandingLog, StandingStore, log_text, parse_log, unite
from pathfinder.corpus.manifest import corpus_name
from pathfinder.errors import PathfinderError, UsageError
from pathfinder.settings import read_settings
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import CorpusName
from pathfinder.ui.shared.own_machine import is_visited_here
from pathfinder.ui.stars.own_shelves import corpus_of_visit
from pathfinder.user_data import data_folder

_LOGS = "visit-standing"


class VisitStanding:
    """Standing questions in the session, which the browser stores."""

    def __init__(self, corpus: str) -> None:
        """`corpus` is the id of the corpus."""
        self.corpus = corpus

    def log(self) -> StandingLog:
        """Return all entries."""
        logs: dict[str, StandingLog] = st.session_state.get(_LOGS, {})
        return logs.get(self.corpus, StandingLog())

    def change(self, change: Callable[[StandingLog], StandingLog]) -> StandingLog:
        """Change the log and return it; nothing is stored if `change` raises."""
        after = change(self.log())
        self._store(after)
        return after

    def text(self) -> str:
        """Return the log as text. Raises `UsageError` if it does not fit into a browser."""
        return log_text(self.log())

    def take(self, text: str, *, unites: bool) -> None:
        """Take over the log that the browser has stored, in place of this one or, if `unites`, in addition to it.
        Raises `UsageError` for text that is not such a log.
        """
        log = parse_log(text)
        self._store(unite(log, self.log()) if unites else log)

    def _store(self, log: StandingLog) -> None:
        st.session_state[_LOGS] = {**st.session_state.get(_LOGS, {}), self.corpus: log}

    def is_begun(self) -> bool:
        """Return whether this session has had standing questions about the corpus."""
        return self.corpus in st.session_state.get(_LOGS, {})


def own_standing() -> StandingStore | VisitStanding:
    """Return the standing questions of this visitor and the open corpus. Raises `UsageError` if no corpus is open."""
    corpus = corpus_of_visit()
    if corpus is None:
        raise UsageError("no library is open: open one first")
    return _standing_of(corpus)


def n_standing(folder: Path) -> int:
    """Return the number of this visitor's standing questions about the corpus in `folder`; 0 if they cannot be read,
    which *What is new* reports.
    """
    try:
        return len(_standing_of(corpus_name(folder)).log().questions())
    except PathfinderError:
        return 0


def _standing_of(corpus: CorpusName) -> StandingStore | VisitStanding:
    return StandingStore(data_folder(read_settings()), corpus) if is_visited_here() else VisitStanding(corpus.ids[0])


def change(changes: Callable[[StandingLog], StandingLog]) -> None:
    """Change the log; if it could not be stored, say why."""
    try:
        own_standing().change(changes)
    except PathfinderError as error:
        st.error(for_markdown(f"This was not stored: {error}"))
