"""Filters by the properties of papers: author, category, venue, source and peer review."""

from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from pathfinder.corpus.papers import PaperTable
from pathfinder.index.predicate import EVERY_PAPER, Predicate
from pathfinder.retrieval.stages import StageLog
from pathfinder.types import Refereed, SearchRequest

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
