"""Comparison of literature searches in the manner of Lumina: one judge rates the relevance of each search's results.

The searches are Pathfinder's own, and those of Semantic Scholar, OpenAlex and Exa.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from pathfinder.addons.evaluation.judged import (
    Mean,
    context_precision,
    context_relevancy,
    failure_notes,
    mean_over,
)
from pathfinder.addons.evaluation.judges import Context, Cost, Judge
from pathfinder.building.progress import Progress, Silent
from pathfinder.corpus.schemas.fields import Record, Unusable, text_field
from pathfinder.corpus.schemas.openalex import openalex_paper
from pathfinder.corpus.schemas.semantic_scholar import FIELDS as SEMANTIC_SCHOLAR_FIELDS
from pathfinder.corpus.schemas.semantic_scholar import semantic_scholar_paper
from pathfinder.errors import MissingKey, ProviderError, RejectedKey, UsageError
from pathfinder.settings import EnvironmentSettings, Settings, read_settings
from pathfinder.sources.http.host import Credential, Host
from pathfinder.sources.http.pace import Clock
from pathfinder.sources.http.web import FetchReply, JsonBody, Web, WebSurroundings, surroundings_of
from pathfinder.sources.json_pages import json_object, list_of
from pathfinder.sources.kinds import openalex
from pathfinder.sources.kinds.semantic_scholar import semantic_scholar_host
from pathfinder.text.identifiers import doi_key
from pathfinder.types import Paper, SearchRequest, SearchResult

MAX_HITS = 30
"""Maximum number of results of one search, which every provider can return on one page."""

MAX_FAILURES_IN_A_ROW = 3
"""Number of consecutive failures after which a provider is not called again."""

N_CALLS_PER_RESULT = 2


@dataclass(frozen=True, slots=True)
class ProviderHit:
    """A result as described by its provider. `None` or an empty value means that the provider did not supply it."""

    title: str
    text: str = ""
    """Abstract, or the beginning of the text."""
    doi: str | None = None
    """DOI without `https://doi.org/`."""

    @property
    def context(self) -> Context:
        """Return the part of the result that a judge reads."""
        return Context(self.title, self.text, self.doi)


class SearchProvider(Protocol):
    """Searches the literature."""

    @property
    def name(self) -> str:
        """Name in the table, such as `openalex`."""

    def search(self, question: str, n: int) -> tuple[ProviderHit, ...]:
        """Return at most `n` results, 1 to 30, best first. Raises a `ProviderError` rather than making up a result.

        An empty tuple means that the provider found nothing.
        """


@dataclass(frozen=True, slots=True)
class ProviderReport:
    """Results of one provider."""

    relevancy: Mean
    precision: Mean
    n_searches: int
    """Number of searches, including failures."""
    n_failed: int
    """Number of failed searches; their questions are left out of every mean."""
    n_results: int
    n_without_text: int
    """Number of results without text, which count as irrelevant."""
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ComparisonReport:
    """Results of several providers."""

    judge: str
    n_questions: int
    top_k: int
    providers: Mapping[str, ProviderReport]
    cost: Cost
    """Cost of the judge."""
    notes: tuple[str, ...]


def compare_providers(
    questions: Sequence[str],
    providers: Sequence[SearchProvider],
    judge: Judge,
    *,
    top_k: int,
    progress: Progress | None = None,
) -> ComparisonReport:
    """Send each question to each provider, and have its first `top_k` results judged.

    A search that fails is left out of every mean; a provider that rejects its key, or fails three times in a row, is
    not called again. Raises the judge's errors.
    """
    progress = progress or Silent()
    n_calls = len(questions) * len(providers) * top_k * N_CALLS_PER_RESULT
    progress.say(f"at most {n_calls} calls to {judge.name}: earlier judgements are reused")
    reports = {}
    for provider in providers:
        progress.start(provider.name, len(questions))
        reports[provider.name] = _measure(provider, questions, judge, top_k, progress)
        progress.finish()
    provider_notes = tuple(note for report in reports.values() for note in report.notes)
    notes = (*provider_notes, *failure_notes(judge))
    return ComparisonReport(judge.name, len(questions), top_k, reports, judge.cost, notes)


def _measure(
    provider: SearchProvider, questions: Sequence[str], judge: Judge, top_k: int, progress: Progress
) -> ProviderReport:
    relevancy, precision, failures, n_results, n_without_text = [], [], list[str](), 0, 0
    for question, hits in _searches(provider, questions, top_k, failures):
        contexts = [hit.context for hit in hits]
        relevancy.append(context_relevancy([judge.is_relevant(question, context) for context in contexts]))
        precision.append(context_precision([judge.critical_sentences(question, context) for context in contexts]))
        n_results += len(hits)
        n_without_text += sum(not context.read for context in contexts)
        progress.advance(1)
    return ProviderReport(
        mean_over(relevancy),
        mean_over(precision),
        n_searches=len(relevancy) + len(failures),
        n_failed=len(failures),
        n_results=n_results,
        n_without_text=n_without_text,
        notes=_notes(provider, failures, len(questions) - len(relevancy) - len(failures)),
    )


def _searches(
    provider: SearchProvider, questions: Sequence[str], top_k: int, failures: list[str]
) -> Iterator[tuple[str, tuple[ProviderHit, ...]]]:
    """Yield each question with its results, until the provider stops answering; errors are collected in `failures`."""
    n_in_a_row = 0
    for question in questions:
        try:
            hits = provider.search(question, top_k)
        except ProviderError as error:
            failures.append(str(error))
            n_in_a_row += 1
            if isinstance(error, MissingKey | RejectedKey) or n_in_a_row == MAX_FAILURES_IN_A_ROW:
                return
            continue
        n_in_a_row = 0
        yield question, hits


def _notes(provider: SearchProvider, failures: Sequence[str], n_not_asked: int) -> tuple[str, ...]:
    if not failures:
        return ()
    rest = f"; {n_not_asked} more not tried" if n_not_asked else ""
    return (f"{provider.name}: {len(failures)} searches failed{rest}. The first: {failures[0]}",)


def check_n(n: int) -> None:
    """Raise `UsageError` for a number of results that no provider can return."""
    if not 1 <= n <= MAX_HITS:
        raise UsageError(f"the number of results must lie in 1..{MAX_HITS}, got {n}")


class OwnSearch:
    """Pathfinder's own search, with default settings except for `depth` and `page_size`."""

    def __init__(self, search: Callable[[SearchRequest], SearchResult], depth: int, page_size: int) -> None:
        """After the first search, run `depth` rounds of refined questions, each reading `page_size` hits of the
        previous round; `page_size` has no effect if `depth` is 0.

        Raises `UsageError` if either is out of range.
        """
        self.name = f"pathfinder depth {depth}" + (f" page {page_size}" if depth else "")
        self._search = search
        self._request = SearchRequest("any question", depth=depth, page_size=page_size)

    def search(self, question: str, n: int) -> tuple[ProviderHit, ...]:
        """Find the first `n` papers."""
        check_n(n)
        return tuple(_hit(hit.paper) for hit in self._search(replace(self._request, query=question, top_k=n)).hits)


def _hit(paper: Paper) -> ProviderHit:
    return ProviderHit(paper.title, paper.abstract, paper.doi)


def own_searches(
    search: Callable[[SearchRequest], SearchResult], depths: Sequence[int], page_sizes: Sequence[int]
) -> tuple[OwnSearch, ...]:
    """Create Pathfinder's own search for every combination of depth and page size, but only once for depth 0, at which
    the page size has no effect.

    Raises `UsageError` for a depth or a page size that is out of range.
    """
    grid = dict.fromkeys((depth, page_size if depth else page_sizes[0]) for depth in depths for page_size in page_sizes)
    return tuple(OwnSearch(search, depth, page_size) for depth, page_size in grid)


# Searches through the web API of a host, by name.

OWN = "pathfinder"

TEXT_CHARACTERS = 3_000
"""Number of characters read from the start of each page that Exa finds: about as many as in a title and an abstract, so
that texts from all providers are of similar length.
"""

MAX_CHARACTERS = 2_000
"""Number of characters of a question that OpenAlex's search by meaning uses; it ignores the rest."""

_OPERATORS = re.compile(r'[?*~"()]|\b(?:AND|OR|NOT)\b')


@dataclass(frozen=True, slots=True)
class RemoteSearch:
    """The search of a host."""

    name: str
    host: Host
    request: Callable[[str, int], tuple[str, Mapping[str, str | int], JsonBody | None]]
    """Returns the path, the parameters and the body, if it is sent by POST, for a question and a number of results."""
    results: str
    """Name of the list of results in the reply."""
    read: Callable[[Record], ProviderHit]
    around: WebSurroundings

    def search(self, question: str, n: int) -> tuple[ProviderHit, ...]:
        """Find the first `n` results. A result that the provider does not describe has no text."""
        check_n(n)
        path, parameters, body = self.request(question, n)
        with Web(self.host, self.around) as web:
            if body is None:
                return web.get(path, parameters, self._read)[:n]
            return web.post(path, parameters, body, self._read)[:n]

    def _read(self, reply: FetchReply) -> tuple[ProviderHit, ...]:
        page = json_object(reply.content)
        # If Semantic Scholar finds nothing, its reply may have no list.
        records = [] if page.get("total") == 0 else list_of(page, self.results)
        hits = []
        for record in records:
            if not isinstance(record, Mapping):
                raise ValueError("a result that is not an object")
            try:
                hits.append(self.read(record))
            except Unusable:
                hits.append(ProviderHit(text_field(record, "title", "display_name") or ""))
        return tuple(hits)


def _semantic_scholar(settings: Settings, around: WebSurroundings) -> RemoteSearch:
    # Semantic Scholar finds nothing for a hyphenated term.
    return RemoteSearch(
        "semantic-scholar",
        semantic_scholar_host(settings),
        lambda question, n: (
            "graph/v1/paper/search",
            {"query": question.replace("-", " "), "limit": n, "fields": SEMANTIC_SCHOLAR_FIELDS},
            None,
        ),
        "data",
        lambda record: _hit(semantic_scholar_paper(record)),
        around,
    )


def _openalex(settings: Settings, around: WebSurroundings) -> RemoteSearch:
    """Search by words, all of which must occur; OpenAlex's operators, such as `?`, are removed from the question."""
    return RemoteSearch(
        "openalex",
        openalex.openalex_host(settings),
        lambda question, n: (
            "works",
            {"search": " ".join(_OPERATORS.sub(" ", question).split()), "per_page": n, "select": openalex.FIELDS},
            None,
        ),
        "results",
        lambda record: _hit(openalex_paper(record)),
        around,
    )


def _openalex_semantic(settings: Settings, around: WebSurroundings) -> RemoteSearch:
    """Search by meaning, which costs ten times as much."""
    return replace(
        _openalex(settings, around),
        name="openalex-semantic",
        request=lambda question, n: (
            "works",
            {"search.semantic": question[:MAX_CHARACTERS], "per_page": n, "select": openalex.FIELDS},
            None,
        ),
    )


class ProviderSettings(EnvironmentSettings):
    """Where a provider is that nothing but a comparison asks."""

    exa_url: str | None = None


def _exa(settings: Settings, around: WebSurroundings) -> RemoteSearch:
    """Search the web pages that Exa classifies as research papers. Every search is billed."""
    if not settings.exa_api_key or not settings.exa_api_key.get_secret_value():
        raise MissingKey("no key is set for exa: set EXA_API_KEY, or leave this provider out")
    url = read_settings(ProviderSettings).exa_url
    credential = Credential("EXA_API_KEY", settings.exa_api_key, header="x-api-key")
    return RemoteSearch(
        "exa",
        Host("Exa", url or "https://api.exa.ai", "PATHFINDER_EXA_URL", 0.1, credential=credential),
        lambda question, n: (
            "search",
            {},
            {
                "query": question,
                "type": "auto",
                "category": "research paper",
                "numResults": n,
                "contents": {"text": {"maxCharacters": TEXT_CHARACTERS}},
            },
        ),
        "results",
        _web_page,
        around,
    )


def _web_page(record: Record) -> ProviderHit:
    doi = doi_key(text_field(record, "url"))
    return ProviderHit(
        text_field(record, "title") or "",
        (text_field(record, "text") or "").strip(),
        doi if doi and doi.startswith("10.") else None,
    )


REMOTE_PROVIDERS: dict[str, Callable[[Settings, WebSurroundings], RemoteSearch]] = {
    "semantic-scholar": _semantic_scholar,
    "openalex": _openalex,
    "openalex-semantic": _openalex_semantic,
    "exa": _exa,
}
"""Providers that are called over the network."""


def load_providers(
    names: Sequence[str], settings: Settings, progress: Progress | None = None, clock: Clock | None = None
) -> tuple[SearchProvider, ...]:
    """Load the remote providers among `names`, in order; `progress` tells when one makes us wait. Raises `MissingKey`
    for one whose key is missing, and `UsageError` if a name is not a provider's.
    """
    providers = (OWN, *REMOTE_PROVIDERS)
    if unknown_names := [name for name in names if name not in providers]:
        raise UsageError(f"unknown provider {unknown_names[0]!r}: choose from {', '.join(providers)}")
    around = surroundings_of(settings, clock or Clock(), (progress or Silent()).say)
    return tuple(REMOTE_PROVIDERS[name](settings, around) for name in dict.fromkeys(names) if name != OWN)
