"""Which papers may be found at all."""

import numpy as np

from pathfinder.corpus.papers import PaperTable
from pathfinder.index.ports import Allowed
from pathfinder.retrieval.stages import StageLog
from pathfinder.types import SearchRequest


def allowed_by_year(request: SearchRequest, papers: PaperTable, log: StageLog) -> tuple[Allowed, str]:
    """The papers of the years asked for, and the filter in words. Undated papers are left out, and counted."""
    first, last = request.year_from, request.year_to
    if first is None and last is None:
        return None, "all years"
    years = papers.years()
    allowed = np.ones(len(years), dtype=np.bool_) if first is None else years >= first
    if last is not None:
        allowed = allowed & (years <= last)
    if undated := int(np.isnan(years).sum()):
        papers_are = "1 paper without a year is" if undated == 1 else f"{undated:,} papers without a year are"
        log.note(f"{papers_are} left out by the year filter")
    if not allowed.any():
        log.note(f"no paper of this corpus is from {_in_words(first, last)}: widen the years")
    return allowed, _in_words(first, last)


def _in_words(first: int | None, last: int | None) -> str:
    if first is None:
        return f"{last} and before"
    if last is None:
        return f"{first} and after"
    return f"{first} to {last}"
