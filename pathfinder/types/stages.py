"""Stages of a search, an answer or a build: what ran, and how it ended."""

from dataclasses import dataclass
from enum import StrEnum

_LABELS = {
    "imagine": "query expansion",
    "expansion": "synonyms",
    "decomposition": "sub-questions",
    "rerank": "reranker",
}
"""Labels of the stages whose names, which date from 0.1.0, differ from the words used for their settings."""


@dataclass(frozen=True, slots=True)
class Stage:
    """Record of the model or method that ran in one stage of a search or an answer, and of the time it took."""

    name: str
    ran: str
    """Badge text, such as "all-MiniLM-L6-v2, local"."""
    seconds: float | None = None

    @property
    def label(self) -> str:
        """The stage's label on a page and in a command's text output; JSON contains its `name` instead."""
        return _LABELS.get(self.name, self.name)


class StageOutcome(StrEnum):
    """Outcome of one stage of a search or an answer."""

    RAN = "ran"
    """Ran as requested."""
    SUBSTITUTED = "substituted"
    """Replaced by something simpler; `reason` explains why."""
    SKIPPED = "skipped"
    """Not requested, or had nothing to work on."""
    FAILED = "failed"
    """Requested, but gave no result; `reason` explains why."""


@dataclass(frozen=True, slots=True)
class StageStatus:
    """The model that ran in a stage, and the outcome: the facts that a `Stage` describes in words."""

    name: str
    """Name of the stage, as in `Stage.name`."""
    model: str | None
    """Model that ran, as `vendor:model` or a local model's name; `None` if no model ran."""
    status: StageOutcome
    reason: str | None = None
    """Reason why the stage was substituted, skipped or failed, in a sentence; `None` if it ran as requested."""
