"""Looks up the records of papers at arXiv, OpenAlex, Crossref and Semantic Scholar: by identifiers, many at a time, or
one by one by title, first author and year.

papers -> names at a host -> requests -> records -> each with the paper whose name it bears
"""

import datetime
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

from pathfinder.corpus.merging import identifier_keys, same_paper
from pathfinder.corpus.merging.identifiers import name_key
from pathfinder.corpus.merging.rule import conflicts
from pathfinder.corpus.schemas.arxiv import arxiv_xml_paper
from pathfinder.corpus.schemas.crossref import crossref_paper
from pathfinder.corpus.schemas.fields import Record, Unusable
from pathfinder.corpus.schemas.openalex import openalex_paper
from pathfinder.corpus.schemas.semantic_scholar import FIELDS as SEMANTIC_SCHOLAR_FIELDS
from pathfinder.corpus.schemas.semantic_scholar import REFERENCES, semantic_scholar_paper
from pathfinder.errors import ProviderError
from pathfinder.settings import Settings
from pathfinder.sources.http.host import Host
from pathfinder.sources.http.pace import host_day
from pathfinder.sources.http.web import FetchReply, JsonBody, Web, WebSurroundings
from pathfinder.sources.json_pages import json_object, list_of, object_of
from pathfinder.sources.kinds import openalex
from pathfinder.sources.kinds.arxiv import arxiv_host, read_feed
from pathfinder.sources.kinds.crossref import crossref_host
from pathfinder.sources.kinds.semantic_scholar import BATCH, PER_BATCH, read_batch, semantic_scholar_host
from pathfinder.sources.listing import dated_paper
from pathfinder.text.identifiers import arxiv_id_of_doi, doi_of_arxiv
from pathfinder.text.latex.display import readable
from pathfinder.types import Paper

_KEPT_SECONDS = 86_400.0
"""Time for which the replies are kept: a run that is stopped asks nothing twice on that day."""
_CANDIDATES = 5
"""Number of records that are compared with a paper that is looked up by its title."""
_MOST_WORKS = 100
"""Number of works on a page of OpenAlex, which lists some papers twice."""
_WORD = re.compile(r"\w+")
_SEPARATORS = re.compile(r"[\s,|]")
"""Characters at which a host would end a name in a list of names."""

_Request: TypeAlias = tuple[str, Mapping[str, str | int], JsonBody | None]
"""Path, parameters, and body of a request by POST."""


@dataclass(frozen=True, slots=True)
class RecordHost:
    """A host that has records of single papers."""

    source: str
    """Scheme of the source, as in the provenance of papers."""
    gives: frozenset[str]
    """Fields of a paper for which the host is asked."""
    host: Callable[[Settings], Host]
    names_of: Callable[[Paper], Sequence[str]]
    """Function that returns the names by which the host may know a paper, the best first."""
    n_together: int
    by_names: Callable[[Sequence[str]], _Request]
    by_title: Callable[[Paper], _Request | None] | None
    """Function that returns the request for a paper without such a name; `None` if its title is too short."""
    read: Callable[[FetchReply, int], Sequence[Any]]
    """Function of a reply and of the number of papers asked for. Raises `ValueError` for a page that is of no use."""
    to_paper: Callable[[Record], Paper]
    """Function that turns a record into a paper. Raises `Unusable` with the reason."""
    needs: Callable[[Settings], str | None] = lambda _: None
    """Function that returns what is missing so that the host can be asked."""
    is_optional: bool = False
    """True if it is asked only by those who have their own key."""
    kind_of: Callable[[str], str] = lambda _: ""
    """Function that returns the kind of a name; one request holds names of one kind."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """What a host says about a paper."""

    paper_id: str
    record: Paper | None = None
    """Its record, with the day; `None` if the host has none, or was not asked."""
    other: Paper | None = None
    """The record of another paper, which the host has under an identifier of this one."""
    under: str | None = None
    """That identifier, as `kind:id`."""
    not_asked: str | None = None
    """Why the host was not asked, or did not answer; `None` if it answered."""
    refused: str | None = None
    """How the host refused the question about this paper alone; it answers others."""


def look_up_records(
    at: RecordHost, papers: Sequence[Paper], settings: Settings, around: WebSurroundings, today: datetime.date
) -> Iterator[Lookup]:
    """Ask a host for the records of papers by their identifiers, and yield what it says about each that has one.

    Once the host fails, or lacks a key, it is not asked about the others.
    """
    named = [(paper, names) for paper in papers if (names := at.names_of(paper))]
    of_kind = defaultdict(list)
    for paper, names in named:
        of_kind[at.kind_of(names[0])].append((paper, names))
    batches = [those[i : i + at.n_together] for those in of_kind.values() for i in range(0, len(those), at.n_together)]
    yield from _until_failure(at, batches, settings, around, lambda web, batch: _of_batch(at, web, batch, today))


def search_records(
    at: RecordHost,
    papers: Sequence[Paper],
    settings: Settings,
    around: WebSurroundings,
    today: datetime.date,
    is_same: Callable[[Paper, Paper], object] = same_paper,
) -> Iterator[Lookup]:
    """Ask a host for the records of papers by their titles, and yield what it says about each whose title is long
    enough; only a record counts of which `is_same`, by default the rule for merging, says that it is of the paper.
    """
    requests = [(paper, at.by_title(paper)) for paper in papers] if at.by_title is not None else []
    batches = [[(paper, request)] for paper, request in requests if request is not None]

    def of_title(web: Web, batch: Sequence[tuple[Paper, _Request]]) -> Iterator[Lookup]:
        ((paper, request),) = batch
        records = _fetch(at, web, request, _CANDIDATES, today)
        yield Lookup(paper.paper_id, next((record for record in records if is_same(paper, record)), None))

    yield from _until_failure(at, batches, settings, around, of_title)


def _until_failure(
    at: RecordHost,
    batches: Sequence[Sequence[Any]],
    settings: Settings,
    around: WebSurroundings,
    ask: Callable[[Web, Sequence[Any]], Iterator[Lookup]],
) -> Iterator[Lookup]:
    """Yield what the host says about the papers of each batch, whose items are tuples that begin with a paper."""
    fault = at.needs(settings)
    with Web(replace(at.host(settings), cache_seconds=_KEPT_SECONDS), around) as web:
        for batch in batches:
            if fault is None:
                try:
                    yield from _halved(batch, partial(ask, web))
                    continue
                except ProviderError as error:
                    fault = str(error)
            yield from (Lookup(paper.paper_id, not_asked=fault) for paper, _ in batch)


def _halved(batch: Sequence[Any], ask: Callable[[Sequence[Any]], Iterator[Lookup]]) -> list[Lookup]:
    """Return what the host says about each paper; a batch that it refuses is halved until the paper that it refuses
    stands alone. Raises a `ProviderError` if it is out of reach or of patience, or closed to us.
    """
    try:
        return list(ask(batch))
    except ProviderError as error:
        if type(error) is not ProviderError or error.status in (401, 403):
            raise
        if len(batch) == 1:
            return [Lookup(batch[0][0].paper_id, refused=str(error))]
    middle = len(batch) // 2
    return [*_halved(batch[:middle], ask), *_halved(batch[middle:], ask)]


def _of_batch(
    at: RecordHost, web: Web, batch: Sequence[tuple[Paper, Sequence[str]]], today: datetime.date
) -> Iterator[Lookup]:
    records = _fetch(at, web, at.by_names([name for _, names in batch for name in names]), len(batch), today)
    by_name = {name: record for record in reversed(records) for name in _keys(record)}
    for paper, _ in batch:
        name = next((name for name in _keys(paper) if name in by_name), None)
        record = by_name[name] if name is not None else None
        # Where an identifier was mistyped, the record has another title and another first author or year.
        fields = {conflict.field for conflict in conflicts(paper, record)} if record else set()
        if "title" in fields and fields & {"first author", "year"}:
            yield Lookup(paper.paper_id, other=record, under=name)
        else:
            yield Lookup(paper.paper_id, record)


def _keys(paper: Paper) -> Iterator[str]:
    return (f"{kind}:{name}" for kind, names in identifier_keys(paper).items() for name in sorted(names))


def _fetch(at: RecordHost, web: Web, request: _Request, n: int, today: datetime.date) -> list[Paper]:
    """Return the records in a reply that are papers, each under the name of its source and dated as the reply is."""
    path, parameters, body = request

    def read(reply: FetchReply) -> tuple[Sequence[Any], datetime.date]:
        return at.read(reply, n), host_day(reply.headers, today) if "date" in reply.headers else today

    records, day = web.get(path, parameters, read) if body is None else web.post(path, parameters, body, read)
    papers = []
    for record in records:
        with suppress(Unusable):
            paper = dated_paper(record, at.to_paper, day)
            papers.append(replace(paper, paper_id=f"{at.source}:{paper.provenance[0].record_id}"))
    return papers


# The hosts, in the order in which they are asked: the first has most fields, and what it says (a DOI, an arXiv id) lets
# the others be asked.


def _dois(paper: Paper) -> tuple[str, ...]:
    keys = identifier_keys(paper)
    published = sorted(name for name in keys.get("doi", ()) if not _SEPARATORS.search(name))
    return (*published, *map(doi_of_arxiv, sorted(keys.get("arxiv", ()))))


def _plain_title(paper: Paper) -> str | None:
    words = _WORD.findall(readable(paper.title))
    return " ".join(words) if len(words) > 1 else None


def _openalex_by_title(paper: Paper) -> _Request | None:
    title, year = _plain_title(paper), paper.known_year
    if title is None:
        return None
    years = f",publication_year:{year - 1}-{year + 1}" if year else ""
    return "works", {"filter": f"title.search:{title}{years}", "select": openalex.FIELDS, "per_page": _CANDIDATES}, None


def _arxiv_by_title(paper: Paper) -> _Request | None:
    title, surname = _plain_title(paper), name_key(paper.authors[0]) if paper.authors else ""
    if title is None or not surname:
        return None
    query = f'ti:"{title}" AND au:{surname}'
    return "api/query", {"search_query": query, "start": 0, "max_results": _CANDIDATES}, None


def _arxiv_entries(reply: FetchReply, n: int) -> Sequence[Any]:
    page = read_feed(reply.content, 0, n)
    if page.next is not None and len(page.records) < n:
        raise ValueError(f"a page with {len(page.records)} of {page.total} entries")
    return page.records


def _crossref_by_title(paper: Paper) -> _Request | None:
    if _plain_title(paper) is None:
        return None
    surname = name_key(paper.authors[0]) if paper.authors else ""
    words = " ".join(filter(None, (readable(paper.title), surname, str(paper.known_year or ""))))
    return "v1/works", {"query.bibliographic": words, "rows": _CANDIDATES}, None


def _crossref_works(reply: FetchReply, _: int) -> Sequence[Any]:
    return list_of(object_of(json_object(reply.content), "message"), "items")


def _semantic_scholar_names(paper: Paper) -> tuple[str, ...]:
    keys = identifier_keys(paper)
    kinds = ("arxiv", "ARXIV"), ("doi", "DOI"), ("pmid", "PMID")
    return tuple(f"{prefix}:{min(keys[kind])}" for kind, prefix in kinds if kind in keys)[:1]


def _openalex_names(paper: Paper) -> tuple[str, ...]:
    dois, pmids = _dois(paper), identifier_keys(paper).get("pmid", ())
    return (*(f"doi:{name}" for name in dois), *(f"ids.pmid:{name}" for name in sorted(pmids)))[:1]


def _kind_at_openalex(name: str) -> str:
    return name.partition(":")[0]


def _openalex_by_names(names: Sequence[str]) -> _Request:
    kind = _kind_at_openalex(names[0])
    values = "|".join(name.removeprefix(f"{kind}:") for name in names)
    return "works", {"filter": f"{kind}:{values}", "select": openalex.FIELDS, "per_page": _MOST_WORKS}, None


_NEEDS_OWN_KEY = "Semantic Scholar is asked with your own key only: set SEMANTIC_SCHOLAR_API_KEY"
_OF_PREPRINTS = frozenset({"abstract", "authors", "date", "identifiers"})
_OF_INDEXES = _OF_PREPRINTS | {"references", "citation_count"}

OPENALEX = RecordHost(
    "openalex",
    _OF_INDEXES | {"keywords"},
    openalex.openalex_host,
    _openalex_names,
    50,
    _openalex_by_names,
    _openalex_by_title,
    lambda reply, _: list_of(json_object(reply.content), "results"),
    openalex_paper,
    kind_of=_kind_at_openalex,
)
ARXIV = RecordHost(
    "arxiv",
    _OF_PREPRINTS,
    arxiv_host,
    lambda paper: tuple(sorted(identifier_keys(paper).get("arxiv", ())))[:1],
    100,
    lambda names: ("api/query", {"id_list": ",".join(names), "start": 0, "max_results": len(names)}, None),
    _arxiv_by_title,
    _arxiv_entries,
    arxiv_xml_paper,
)
CROSSREF = RecordHost(
    "crossref",
    _OF_INDEXES,
    crossref_host,
    lambda paper: tuple(name for name in _dois(paper) if arxiv_id_of_doi(name) is None)[:1],
    40,
    lambda names: ("v1/works", {"filter": ",".join(f"doi:{name}" for name in names), "rows": len(names)}, None),
    _crossref_by_title,
    _crossref_works,
    crossref_paper,
)
SEMANTIC_SCHOLAR = RecordHost(
    "semanticscholar",
    _OF_INDEXES,
    semantic_scholar_host,
    _semantic_scholar_names,
    PER_BATCH,
    lambda names: (BATCH, {"fields": f"{SEMANTIC_SCHOLAR_FIELDS},{REFERENCES}"}, {"ids": list(names)}),
    None,
    read_batch,
    semantic_scholar_paper,
    lambda settings: None if settings.semantic_scholar_api_key else _NEEDS_OWN_KEY,
    is_optional=True,
)
HOSTS = (OPENALEX, ARXIV, CROSSREF, SEMANTIC_SCHOLAR)
OPTIONAL = frozenset(host.source for host in HOSTS if host.is_optional)
"""Sources of the hosts that are asked only by those who have their own key."""
