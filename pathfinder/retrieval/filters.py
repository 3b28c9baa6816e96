"""Which papers may be found at all."""

import datetime
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pathfinder.corpus.coordinates import inside
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.store import Corpus
from pathfinder.errors import UsageError
from pathfinder.index.ports import Allowed
from pathfinder.retrieval.stages import StageLog
from pathfinder.retrieval.years.named import YearsNamed, years_named
from pathfinder.types import Region, SearchRequest

IN_REGION = "in the region of the map that is searched"
"""How the note ends that counts the papers there."""


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


def in_region(region: Region, corpus: Corpus) -> tuple[NDArray[np.bool_], str]:
    """Which papers lie in `region`, shape (n_papers,), and how many that are, in words.

    Raises `UsageError` for a corpus without a map.
    """
    if corpus.coordinates is None:
        why = corpus.absent.get("landscape", "none was built")
        raise UsageError(f"this corpus has no map that a region could be of ({why}): ask without a region")
    found = inside(corpus.coordinates, region)
    n = int(found.sum())
    return found, f"{n:,} of {len(found):,} papers {'lies' if n == 1 else 'lie'} {IN_REGION}"


def allowed_by_region(request: SearchRequest, allowed: Allowed, corpus: Corpus, log: StageLog) -> Allowed:
    """Of the papers `allowed` so far those in the region asked for, which is a stage of its own; else all of them."""
    if request.region is None:
        return allowed
    with log.stage("region") as stage:
        found, note = in_region(request.region, corpus)
        stage.ran = f"{int(found.sum()):,} papers"
        log.note(note)
        if not found.any():
            log.note("no paper of this corpus lies in that region: draw another, or search the whole map")
        elif allowed is not None and allowed.any() and not (allowed & found).any():
            log.note("no paper in that region is from these years: widen the years or the region")
    return found if allowed is None else allowed & found


def _in_words(first: int | None, last: int | None) -> str:
    if first is None:
        return f"{last} and before"
    if last is None:
        return f"{first} and after"
    return f"{first} to {last}"
