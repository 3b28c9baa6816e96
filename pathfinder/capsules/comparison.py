"""Compares two runs of a question: settings, corpus, models and ranks."""

from collections.abc import Iterator
from dataclasses import dataclass

from pathfinder.retrieval.explanation.comparison import Comparison, compare_by_id
from pathfinder.retrieval.factors import factor_settings
from pathfinder.types import CorpusName, SearchRequest, SearchResult, Weighting
from pathfinder.types.settings import settings_of


@dataclass(frozen=True, slots=True)
class SettingDifference:
    """A setting or a model that differs between the two runs."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class RunComparison:
    """Differences between two runs; the first run is called "before", or stands on the left."""

    questions: tuple[str, str]
    corpora: tuple[CorpusName, CorpusName]
    settings: tuple[SettingDifference, ...]
    models: tuple[SettingDifference, ...]
    """Stages for which the two runs used different models, or only one of them used a model."""
    papers: Comparison


def compare(before: SearchResult, after: SearchResult) -> RunComparison:
    """Compare two results, from two capsules or from a capsule and a new run."""
    return RunComparison(
        (before.request.query, after.request.query),
        (before.corpus, after.corpus),
        tuple(_settings(before.request, after.request)),
        tuple(_models(before, after)),
        compare_by_id(before, after),
    )


def _settings(before: SearchRequest, after: SearchRequest) -> Iterator[SettingDifference]:
    for setting in settings_of(SearchRequest):
        yield from _difference(setting.label, getattr(before, setting.name), getattr(after, setting.name))
    for setting in settings_of(Weighting):
        pair = getattr(before.weighting, setting.name), getattr(after.weighting, setting.name)
        yield from _difference(setting.label, *pair)
    strengths = before.weighting.strengths, after.weighting.strengths
    for setting in factor_settings():
        pair = tuple(each.get(setting.name, setting.default) for each in strengths)
        yield from _difference(setting.label, *pair)


def _difference(name: str, before: object, after: object) -> Iterator[SettingDifference]:
    if before != after:
        yield SettingDifference(name, _words(before), _words(after))


def _words(value: object) -> str:
    return "none" if value is None or value == () else str(value)


def _models(before: SearchResult, after: SearchResult) -> Iterator[SettingDifference]:
    earlier = {entry.name: entry.model for entry in before.stage_status}
    later = {entry.name: entry.model for entry in after.stage_status}
    for name in {**earlier, **later}:
        yield from _difference(name, earlier.get(name), later.get(name))
