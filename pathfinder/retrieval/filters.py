"""Which papers may be found at all."""

import datetime
from dataclasses import replace

import numpy as np

from pathfinder.corpus.papers import PaperTable
from pathfinder.index.ports import Allowed
from pathfinder.retrieval.stages import StageLog
from pathfinder.retrieval.years.named import YearsNamed, years_named
from pathfinder.types import SearchRequest


def years_read(request: SearchRequest, today: datetime.date | None) -> YearsNamed | None:
    """The years named in the question, where it is read for them and the reader has set none."""
    is_open = request.year_from is None and request.year_to is None
    return years_named(request.query, today) if request.reads_years and is_open else None


def with_years_named(request: SearchRequest, today: datetime.date | None) -> tuple[SearchRequest, str | None]:
    """`request` with the years that its question names, and a note of which words say so; else as it is."""
    named = years_read(request, today)
    if named is None:
        return request, None
    note = f'years {named.in_words}, from "{named.words}" in the question: set reads_years off to search all years'
    return replace(request, year_from=named.first, year_to=named.last), note


def read_years(request: SearchRequest, papers: PaperTable, log: StageLog) -> SearchRequest:
    """`request` with the years that its question names, said in a note; as it is where no paper has a year."""
    with_years, note = with_years_named(request, request.today)
    if note is None:
        return request
    if np.isnan(papers.years()).all():
        log.note("the question names years, but no paper of this corpus has one: all are searched")
        return request
    log.note(note)
    return with_years


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
