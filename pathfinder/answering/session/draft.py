"""Draft of an answer, and the stream in which an answer mode writes it."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import TypeAlias

from pathfinder.types import AdsQuery, Claim, Digest, Note, Paper, StageOutcome, StepTaken, TextDelta, Trace, Version


@dataclass(frozen=True, slots=True)
class DraftAnswer:
    """An answer before its evidence is checked. Fields shared with `Answer` have the same meaning."""

    text: str
    claims: tuple[Claim, ...]
    ran: str
    """Badge text that names the mode and model that answered."""
    abstained: bool = False
    notes: tuple[str, ...] = ()
    sources: tuple[Paper, ...] = ()
    trace: Trace | None = None
    versions: tuple[Version, ...] = ()
    ads_query: AdsQuery | None = None
    redirect: str | None = None
    outcome: StageOutcome = StageOutcome.RAN
    """Outcome: the requested mode ran, or a simpler one took its place."""
    reason: str | None = None
    """Reason why something simpler ran; `None` if the requested mode ran."""
    model: str | None = None
    """Name of the chat model that wrote the answer; `None` if none did."""
    digest: Digest | None = None


ModeEvent: TypeAlias = TextDelta | StepTaken | Note
AnswerStream: TypeAlias = Generator[ModeEvent, None, DraftAnswer]
"""Stream of an answer mode: yields events while the answer is written, and returns the draft."""
