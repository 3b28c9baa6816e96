"""Pathfinder: ask the literature a question, and get ranked papers, a cited answer and a map.

Everything in `__all__` is loaded when it is first used (PEP 562), so that `import pathfinder` takes almost no time.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathfinder.errors import (
        BrokenStream,
        BudgetExhausted,
        BudgetSpent,
        CorpusDamaged,
        CorpusError,
        EngineError,
        MissingDependency,
        MissingKey,
        ModelError,
        PathfinderError,
        PluginFailed,
        ProviderError,
        RateLimited,
        RejectedKey,
        StoreError,
        TimeSpent,
        Unreachable,
        UnusableReply,
        UsageError,
    )
    from pathfinder.facade import Pathfinder
    from pathfinder.profile import Profile
    from pathfinder.settings import Settings
    from pathfinder.types import (
        Answer,
        AnswerRequest,
        Audience,
        Budget,
        CitationProfile,
        Claim,
        Consensus,
        ConsensusHistory,
        Exchange,
        Fusion,
        Generation,
        Hit,
        Likeness,
        ModeName,
        Paper,
        Preset,
        QueryExpansion,
        Region,
        RetrievalMode,
        Rewrite,
        Score,
        SearchRequest,
        SearchResult,
        Specialisation,
        Stage,
        StageStatus,
        Step,
        Trace,
        Weighting,
    )

__all__ = [
    "Answer",
    "AnswerRequest",
    "Audience",
    "BrokenStream",
    "Budget",
    "BudgetExhausted",
    "BudgetSpent",
    "CitationProfile",
    "Claim",
    "Consensus",
    "ConsensusHistory",
    "CorpusDamaged",
    "CorpusError",
    "EngineError",
    "Exchange",
    "Fusion",
    "Generation",
    "Hit",
    "Likeness",
    "MissingDependency",
    "MissingKey",
    "ModeName",
    "ModelError",
    "Paper",
    "Pathfinder",
    "PathfinderError",
    "PluginFailed",
    "Preset",
    "Profile",
    "ProviderError",
    "QueryExpansion",
    "RateLimited",
    "Region",
    "RejectedKey",
    "RetrievalMode",
    "Rewrite",
    "Score",
    "SearchRequest",
    "SearchResult",
    "Settings",
    "Specialisation",
    "Stage",
    "StageStatus",
    "Step",
    "StoreError",
    "TimeSpent",
    "Trace",
    "Unreachable",
    "UnusableReply",
    "UsageError",
    "Weighting",
]

_ELSEWHERE = {"Pathfinder": "pathfinder.facade", "Profile": "pathfinder.profile", "Settings": "pathfinder.settings"}
"""Module that defines a public name which is in neither `pathfinder.errors` nor `pathfinder.types`."""


def __getattr__(name: str) -> object:
    """Import a public name from its module, and cache it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(_ELSEWHERE.get(name, "pathfinder.errors"))
    value: object = getattr(module, name, None) or getattr(import_module("pathfinder.types"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
