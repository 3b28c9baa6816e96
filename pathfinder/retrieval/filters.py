"""Filters: years, authors and other properties of papers, excluded words, and a region of the map."""

import datetime
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathfinder.corpus.as_of import describe_as_of
from pathfinder.corpus.coordinates import inside
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.store import Corpus
from pathfinder.errors import UsageError
from pathfinder.index.predicate import EVERY_PAPER, Predicate
from pathfinder.profile import Profile
from pathfinder.retrieval.authors.author_filter import of_authors, read_authors
from pathfinder.retrieval.exclusions import read_exclusions, without_excluded
from pathfinder.retrieval.known_items.titles import is_title
from pathfinder.retrieval.stages import StageLog, StageReport
from pathfinder.retrieval.years.in_questions import YearsNamed, years_named
from pathfinder.types import Refereed, Region, SearchRequest

MAX_SUGGESTIONS = 4
_BY_REVIEW = {Refereed.ANY: None, Refereed.YES: True, Refereed.NO: False}


@dataclass(frozen=True, slots=True)
class Property:
    """A property that a search can be filtered by."""

    name: str
    """Name of the setting, of the condition in a predicate, and of the stage."""
    noun: str
    record: str
    """Clause, used after "no paper", that describes a paper with the property."""
    remedy: str
    """Advice on how to get a corpus with the property."""


PROPERTIES = (
    Property("authors", "authors", "lists its authors", "build the corpus from a source that does"),
    Property("categories", "categories", "has an arXiv category", "build the corpus from arXiv's metadata"),
    Property("venues", "venues", "names its journal or venue", "build the corpus from a source that does"),
    Property("sources", "sources", "records its source", "build the corpus again with this version"),
    Property(
        "refereed",
        "peer review",
        "says whether it is refereed",
        "build the corpus from a source that does, such as ADS",
    ),
)


def with_properties(request: SearchRequest, predicate: Predicate, papers: PaperTable, log: StageLog) -> Predicate:
    """Narrow `predicate` to the requested properties, each in a separate stage; notes say what the corpus lacks."""
    for criterion in PROPERTIES:
        value = _value(request, criterion.name)
        if value != getattr(EVERY_PAPER, criterion.name):
            with log.stage(criterion.name) as stage:
                changes: dict[str, Any] = {criterion.name: value}
                narrower = replace(predicate, **changes)
                n_papers = _count(replace(EVERY_PAPER, **changes), papers)
                stage.ran = f"{_describe(value)}: {n_papers:,} of {len(papers):,} papers"
            _note_missing(criterion, value, n_papers, papers, log)
            if n_papers and _count(predicate, papers) and not _count(narrower, papers):
                log.note(
                    f"no paper that passes the filter for {criterion.noun} also passes the others: widen the others"
                )
            predicate = narrower
    return predicate


def _value(request: SearchRequest, name: str) -> Any:
    value = getattr(request, name)
    return _BY_REVIEW[value] if isinstance(value, Refereed) else value


def _describe(value: tuple[str, ...] | bool) -> str:
    if isinstance(value, bool):
        return "refereed" if value else "not refereed"
    return ", ".join(value)


def _note_missing(
    criterion: Property, value: tuple[str, ...] | bool, n_papers: int, papers: PaperTable, log: StageLog
) -> None:
    """Add a note that says why no paper passes: the corpus lacks the property, or has it only with other values."""
    counts = papers.property_counts(criterion.name)
    if not counts:
        log.note(f"no paper in this corpus {criterion.record}, so this filter finds none: {criterion.remedy}")
    elif not n_papers and isinstance(value, tuple) and criterion.name != "authors":
        near = get_close_matches(value[0], counts, MAX_SUGGESTIONS, cutoff=0.4) or list(counts)[:MAX_SUGGESTIONS]
        log.note(f"no paper in this corpus has {', '.join(value)} among its {criterion.noun}: try {'; '.join(near)}")
    elif not n_papers:
        log.note(f"no paper in this corpus passes the filter {_describe(value)}")
    if criterion.name in ("authors", "refereed") and 0 < (n_known := counts.get(criterion.name, 0)) < len(papers):
        n_unknown = len(papers) - n_known
        log.note(f"{criterion.noun} unknown for {n_unknown:,} {'paper' if n_unknown == 1 else 'papers'}, left out here")


def _count(predicate: Predicate, papers: PaperTable) -> int:
    mask = predicate.mask(len(papers), papers)
    return len(papers) if mask is None else int(mask.sum())


def years_read(
    request: SearchRequest, today: datetime.date | None, papers: PaperTable, profile: Profile | None = None
) -> YearsNamed | None:
    """Return the years named in the question, if `reads_years` is on and the reader has set no years; otherwise `None`.
    Also `None` if the question is the title of a paper, which a filter by year might exclude.
    """
    if not request.reads_years or (request.year_from, request.year_to) != (None, None):
        return None
    years = years_named(request.query, today, profile)
    return None if years is not None and is_title(request.query, papers) else years


def with_years_named(
    request: SearchRequest, today: datetime.date | None, papers: PaperTable, profile: Profile | None = None
) -> tuple[SearchRequest, str | None]:
    """Add the years named in the question to `request`, and return a note that quotes them; leave the request unchanged
    if there are none.
    """
    question_years = years_read(request, today, papers, profile)
    if question_years is None:
        return request, None
    years = f'years {question_years.description}, from "{question_years.words}" in the question'
    note = f"{years}: turn reads_years off to search all years"
    return replace(request, year_from=question_years.first, year_to=question_years.last), note


def read_years(request: SearchRequest, papers: PaperTable, log: StageLog, profile: Profile) -> SearchRequest:
    """Add the years named in the question to `request`, with a note; leave it unchanged if no paper has a year."""
    with_years, note = with_years_named(request, request.today, papers, profile)
    if note is None:
        return request
    if np.isnan(papers.years()).all():
        log.note("the question names years, but no paper in this corpus is dated, so all papers are searched")
        return request
    log.note(note, says_filter=True)
    return with_years


def filter_papers(request: SearchRequest, corpus: Corpus, log: StageLog) -> tuple[SearchRequest, Predicate]:
    """Return the filter of a search, and the request with the years, authors and exclusions named in its question."""
    if corpus.as_of is not None:
        with log.stage("as of") as stage:
            stage.ran = f"{corpus.as_of.year}: {describe_as_of(corpus)}"
    set_authors = request.authors
    if request.likeness is None:
        request = read_exclusions(request, corpus, log)
        request = read_authors(request, corpus.papers, log, corpus.profile)
    with log.stage("years") as stage:
        if request.likeness is None:
            request = read_years(request, corpus.papers, log, corpus.profile)
            request = of_authors(request, corpus.papers, corpus.profile) if request.authors != set_authors else request
        predicate, stage.report = year_predicate(request, corpus.papers, log)
    predicate = with_abstract(request, predicate, corpus.papers, log)
    predicate = reviews_only(request, predicate, corpus.papers, log)
    predicate = with_properties(request, predicate, corpus.papers, log).without(request.excluded_ids)
    predicate = without_excluded(request, predicate, corpus, log)
    predicate = within_papers(request, predicate, corpus.papers, log)
    return request, within_region(request, predicate, corpus, log)


def year_predicate(request: SearchRequest, papers: PaperTable, log: StageLog) -> tuple[Predicate, StageReport]:
    """Return the predicate for the requested years, and its description. A note counts the undated papers that the
    predicate excludes.
    """
    first, last = request.year_from, request.year_to
    if first is None and last is None:
        return EVERY_PAPER, StageReport("all years")
    predicate = Predicate(year_from=first, year_to=last)
    years = papers.years()
    if n_undated := int(np.isnan(years).sum()):
        papers_are = "1 paper without a year is" if n_undated == 1 else f"{n_undated:,} papers without a year are"
        log.note(f"{papers_are} left out by the year filter")
    if not _any_meets(predicate, papers):
        log.note(f"no papers in this corpus are from {_describe_years(first, last)}: widen the years")
    return predicate, StageReport(_describe_years(first, last))


def with_abstract(request: SearchRequest, predicate: Predicate, papers: PaperTable, log: StageLog) -> Predicate:
    """Narrow `predicate` to papers with an abstract, if requested; a note counts the papers excluded."""
    if not request.needs_abstract:
        return predicate
    if n_without := int((~papers.has_abstract()).sum()):
        log.note(f"{n_without:,} {'paper' if n_without == 1 else 'papers'} without an abstract left out")
    return replace(predicate, has_abstract=True)


def reviews_only(request: SearchRequest, predicate: Predicate, papers: PaperTable, log: StageLog) -> Predicate:
    """Narrow `predicate` to reviews, if requested; a note counts them."""
    if not request.only_reviews:
        return predicate
    reviews = papers.take(np.flatnonzero(papers.column("is_review").to_numpy(zero_copy_only=False)))
    log.note(f"only reviews: {len(reviews):,} of {len(papers):,} papers", says_filter=True)
    return predicate.within(paper.paper_id for paper in reviews)


def in_region(region: Region, corpus: Corpus) -> tuple[NDArray[np.bool_], str]:
    """Return a mask of the papers in `region`, shape (n_papers,), and a phrase that states their number.

    Raises `UsageError` for a corpus without a map.
    """
    if corpus.coordinates is None:
        why = corpus.absent.get("landscape", "none was built")
        raise UsageError(f"this corpus has no map, so it has no regions ({why}): search without a region")
    mask = inside(corpus.coordinates, region)
    n = int(mask.sum())
    return mask, f"{n:,} of {len(mask):,} papers {'lies' if n == 1 else 'lie'} in the region of the map being searched"


def within_region(request: SearchRequest, predicate: Predicate, corpus: Corpus, log: StageLog) -> Predicate:
    """Narrow `predicate` to the requested region, in a separate stage; leave it unchanged if no region is requested."""
    if request.region is None:
        return predicate
    with log.stage("region") as stage:
        mask, note = in_region(request.region, corpus)
        narrower = predicate.within(corpus.papers.take(np.flatnonzero(mask)).paper_ids())
        stage.ran = f"{int(mask.sum()):,} papers"
        log.note(note, says_filter=True)
        if not mask.any():
            log.note("no papers in this corpus lie in that region: draw another, or search the whole map")
        elif _any_meets(predicate, corpus.papers) and not _any_meets(narrower, corpus.papers):
            log.note("no papers in that region are from these years: widen the years or the region")
    return narrower


def within_papers(request: SearchRequest, predicate: Predicate, papers: PaperTable, log: StageLog) -> Predicate:
    """Narrow `predicate` to the requested papers, in a separate stage; leave it unchanged if none are named."""
    if not request.within:
        return predicate
    with log.stage("within") as stage:
        n_papers = int((papers.rows_of(request.within) >= 0).sum())
        narrower = predicate.within(request.within)
        stage.ran = f"{n_papers:,} papers"
        log.note(
            f"only {n_papers:,} of {len(papers):,} papers are searched (those on a shelf, for example)",
            says_filter=True,
        )
        if n_lost := len(set(request.within)) - n_papers:
            log.note(f"{n_lost:,} of the papers to search {'is' if n_lost == 1 else 'are'} not in this corpus")
        if n_papers and _any_meets(predicate, papers) and not _any_meets(narrower, papers):
            log.note("none of the papers to search passes the other filters: widen them")
    return narrower


def _any_meets(predicate: Predicate, papers: PaperTable) -> bool:
    mask = predicate.mask(len(papers), papers)
    return len(papers) > 0 if mask is None else bool(mask.any())


def _describe_years(first: int | None, last: int | None) -> str:
    if first is None:
        return f"{last} and before"
    if last is None:
        return f"{first} and after"
    return f"{first} to {last}"
