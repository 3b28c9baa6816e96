"""Finds the points on which two records of the same paper disagree, so that no merge settles them silently."""

from dataclasses import dataclass

from pathfinder.corpus.merging.identifiers import SINGLE_KINDS, identifier_keys
from pathfinder.corpus.merging.title_key import name_key, title_key
from pathfinder.types import Paper

_YEARS_APART = 1
"""Maximum number of years between a preprint and its publication in a journal."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """A field on which a record disagrees with the paper that it became part of."""

    field: str
    """"title", "first author", "year", "arxiv", "doi", "pmid", "refereed" or "status"."""
    value: str
    """Value in the corpus."""
    other: str
    """Value in the record."""


def conflicts(paper: Paper, record: Paper) -> tuple[Conflict, ...]:
    """Return the disagreements between a merged paper and one of its records.

    Titles are compared by their letters, names by the surname of the first author, years with an allowance for the time
    from preprint to journal. Abstracts, numbers of citations and spellings are expected to differ.
    """
    disagreements: list[Conflict] = []
    if title_key(paper.title).letters != title_key(record.title).letters:
        disagreements.append(Conflict("title", paper.title, record.title))
    if paper.authors and record.authors and name_key(paper.authors[0]) != name_key(record.authors[0]):
        disagreements.append(Conflict("first author", paper.authors[0], record.authors[0]))
    years = paper.published, record.published
    if years[0] and years[1] and abs(years[0].year - years[1].year) > _YEARS_APART:
        disagreements.append(Conflict("year", str(years[0].year), str(years[1].year)))
    # Kinds of which a paper has only one; identifiers that it obtained in a merge do not count.
    own = {"arxiv": paper.arxiv_id, "doi": paper.doi, "pmid": paper.pmid}
    bare = Paper(paper.paper_id, "", "", arxiv_id=paper.arxiv_id, doi=paper.doi, pmid=paper.pmid)
    keys, others = identifier_keys(bare), identifier_keys(record)
    disagreements += [
        Conflict(kind, own[kind] or min(keys[kind]), min(others[kind]))
        for kind in sorted(SINGLE_KINDS & keys.keys() & others.keys())
        if keys[kind].isdisjoint(others[kind])
    ]
    for field in ("refereed", "status"):
        values = getattr(paper, field), getattr(record, field)
        if None not in values and values[0] != values[1]:
            disagreements.append(Conflict(field, *(str(value).lower() for value in values)))
    return tuple(disagreements)
