"""Comparison of literature searches in the manner of Lumina: one judge rates the relevance of each search's results."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import SecretStr

from pathfinder.addons.evaluation.judged import (
    Mean,
    context_precision,
    context_relevancy,
    cost_record,
    failure_notes,
    mean_over,
)
from pathfinder.addons.evaluation.judges import Cost, Judge
from pathfinder.addons.evaluation.providers.exa import Exa
from pathfinder.addons.evaluation.providers.openalex import OpenAlex
from pathfinder.addons.evaluation.providers.ports import OwnSearch, ProviderHit, SearchProvider
from pathfinder.addons.evaluation.providers.semantic_scholar import SemanticScholar
from pathfinder.building.progress import Progress, Silent
from pathfinder.errors import MissingKey, ProviderError, RejectedKey, UsageError
from pathfinder.export.plain_json import JsonObject, same_names, select
from pathfinder.settings import Settings
from pathfinder.types import SearchRequest, SearchResult

MAX_FAILURES_IN_A_ROW = 3
"""Number of consecutive failures after which a provider is not called again."""

N_CALLS_PER_RESULT = 2


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

    def record(self) -> JsonObject:
        """Return the results as JSON: each mean with the number of questions over which it is taken, and the counts."""
        counts = {"searches": "n_searches", "failed_searches": "n_failed", "results": "n_results"}
        return {
            "context_relevancy": self.relevancy.value,
            "context_precision": self.precision.value,
            "n_relevancy": self.relevancy.n,
            "n_precision": self.precision.n,
            **select(self, {**counts, "results_without_text": "n_without_text"}),
        }


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

    def record(self) -> JsonObject:
        """Return the comparison as JSON."""
        return {
            **select(self, same_names("judge n_questions top_k notes")),
            "providers": {name: report.record() for name, report in self.providers.items()},
            "cost": cost_record(self.cost),
        }


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


# Providers by name, each with its key from the settings.

OWN = "pathfinder"

REMOTE_PROVIDERS: dict[str, Callable[[Settings], SearchProvider]] = {
    "semantic-scholar": lambda settings: SemanticScholar(_plain(settings.semantic_scholar_api_key)),
    "openalex": lambda settings: OpenAlex(_plain(settings.openalex_api_key)),
    "openalex-semantic": lambda settings: OpenAlex(_plain(settings.openalex_api_key), by="meaning"),
    "exa": lambda settings: Exa(_plain(settings.exa_api_key)),
}
"""Providers that are called over the network."""


def check_providers(names: Sequence[str]) -> None:
    """Raise `UsageError` if a name is not a provider's."""
    providers = (OWN, *REMOTE_PROVIDERS)
    if unknown_names := [name for name in names if name not in providers]:
        raise UsageError(f"unknown provider {unknown_names[0]!r}: choose from {', '.join(providers)}")


def load_providers(names: Sequence[str], settings: Settings) -> tuple[SearchProvider, ...]:
    """Load the remote providers among `names`, in order. Raises `MissingKey` for one whose key is missing."""
    check_providers(names)
    return tuple(REMOTE_PROVIDERS[name](settings) for name in dict.fromkeys(names) if name != OWN)


def own_searches(
    search: Callable[[SearchRequest], SearchResult], depths: Sequence[int], page_sizes: Sequence[int]
) -> tuple[OwnSearch, ...]:
    """Create Pathfinder's own search for every combination of depth and page size, but only once for depth 0, at which
    the page size has no effect.

    Raises `UsageError` for a depth or a page size that is out of range.
    """
    grid = dict.fromkeys((depth, page_size if depth else page_sizes[0]) for depth in depths for page_size in page_sizes)
    return tuple(OwnSearch(search, depth, page_size) for depth, page_size in grid)


def _plain(key: SecretStr | None) -> str | None:
    return key.get_secret_value() if key else None
