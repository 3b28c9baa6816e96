"""Reads the rows of all sources in order, tells different papers with the same id apart, and reports sources that
fail.
"""

import dataclasses
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pathfinder.corpus.merging.local_ids import LocalIds, letters_of
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.readers import RejectedRow
from pathfinder.errors import CorpusError, ProviderError, UsageError
from pathfinder.sources import SOURCES, OpenSource, Row
from pathfinder.text.identifiers import bare_doi
from pathfinder.types import Paper

SourceRow: TypeAlias = tuple[int, str, int, Paper | RejectedRow]
"""A row with the number and name of its source, and its line there."""
PRIVATE = frozenset(kind.scheme for kind in SOURCES.all() if not kind.may_be_shared)
"""Sources whose records must stay with whoever fetched them, even if they are read from a file."""
UNREADABLE = (UsageError, CorpusError, ProviderError)
"""Errors that make a single source unreadable."""


@dataclass(frozen=True, slots=True)
class FailedSource:
    """A source that an update could not read to the end."""

    source: str
    """The source as the manifest lists it."""
    error: str
    """Name of the error's class, such as "CorpusError" or "RateLimited"."""
    reason: str


def source_rows(
    sources: Sequence[OpenSource],
    previous_papers: PaperTable | None,
    read_before: Container[str],
    failed_sources: list[FailedSource] | None,
    private: set[str],
    renamed: list[str],
) -> Iterator[SourceRow]:
    """Yield every row with the number and name of its source, and its line there; a paper to which its source gives the
    id of another paper gets an id of its own, which is added to `renamed`.

    A source that fails is added to `failed_sources`; without that list, or if all fail, its error is raised. A source
    with records that may not be shared, such as a file that ADS exported, is added to `private`.
    """
    places = places_of(previous_papers)

    def title_of(paper_id: str) -> str | None:
        return (
            None if previous_papers is None or (place := places.get(paper_id)) is None else previous_papers[place].title
        )

    ids, ids_by_doi = LocalIds(title_of), _ids_by_doi(places)
    for group, source in enumerate(sources):
        is_known = str(source.spec) in read_before
        for line, row in _rows_of(source, failed_sources, len(sources)):
            if not isinstance(row, Paper):
                yield group, source.name, line, row
                continue
            is_new = is_known and row.paper_id not in places
            paper = _with_known_id(row, title_of, ids_by_doi) if is_new else row
            if any(record.source in PRIVATE for record in paper.provenance):
                private.add(str(source.spec))
            is_alone = not (source.beside_unread or failed_sources)
            paper_id = ids.id_of(paper, group, source.name, was_read_before=is_known, is_alone=is_alone)
            if paper_id != paper.paper_id:
                renamed.append(paper_id)
                paper = dataclasses.replace(paper, paper_id=paper_id)
            yield group, source.name, line, paper


def _ids_by_doi(places: Mapping[str, int]) -> dict[str, str]:
    """Return the ids in a corpus that are DOIs in another spelling than that in which papers are stored today."""
    dois = ((bare_doi(paper_id), paper_id) for paper_id in places if "10." in paper_id)
    return {doi.lower(): paper_id for doi, paper_id in dois if doi and doi.lower() != paper_id}


def _with_known_id(paper: Paper, title_of: Callable[[str], str | None], ids_by_doi: Mapping[str, str]) -> Paper:
    """Return a paper under the id that it has in the corpus, although its record would now give it another: an entry
    may have gained a DOI, and earlier versions spelled DOIs as they found them.
    """
    key = next((record.record_id for record in paper.provenance), "")
    known_id, known_title = ids_by_doi.get(paper.paper_id), title_of(key)
    if known_id is None and known_title is not None and letters_of(known_title) == letters_of(paper.title):
        known_id = key
    return dataclasses.replace(paper, paper_id=known_id) if known_id else paper


def _rows_of(source: OpenSource, failed_sources: list[FailedSource] | None, n_sources: int) -> Iterator[Row]:
    try:
        yield from source.rows
    except UNREADABLE as error:
        if failed_sources is None or len(failed_sources) + 1 == n_sources:
            raise
        failed_sources.append(failure(str(source.spec), error))


def failure(source: str, error: Exception) -> FailedSource:
    """Return the report on a source that could not be read because of `error`."""
    return FailedSource(source, type(error).__name__, str(error))


def places_of(previous_papers: PaperTable | None) -> dict[str, int]:
    """Return the row of each paper in the corpus by its id."""
    return (
        {} if previous_papers is None else {paper_id: row for row, paper_id in enumerate(previous_papers.paper_ids())}
    )
