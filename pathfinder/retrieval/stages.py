"""The stages of a search: their log, written while they run, and the models that they may use."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from time import perf_counter

from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.llm.chat import Chat
from pathfinder.llm.stopping import check_stop
from pathfinder.llm.usage import BudgetTracker, CallLog
from pathfinder.models.ports import ChatModel, Embedder, Reranker
from pathfinder.types import SearchResult, Stage, StageOutcome, StageStatus


@dataclass(frozen=True, slots=True)
class StageReport:
    """Report of a stage: its badge text, and the same information as data."""

    words: str
    model: str | None = None
    """Model that ran; `None` if the stage uses none."""
    status: StageOutcome = StageOutcome.RAN
    reason: str | None = None
    """Reason why the stage did not run as requested, if it did not."""

    def as_status(self, name: str) -> StageStatus:
        """Return the report, without its badge text, as the status of the stage `name`."""
        return StageStatus(name, self.model, self.status, self.reason)


def skipped_stage(reason: str) -> StageReport:
    """Report a stage that the request leaves out."""
    return StageReport(f"not used: {reason}", status=StageOutcome.SKIPPED, reason=reason)


def unusable_stage(reason: str) -> StageReport:
    """Report a stage that was requested but had nothing to do for this question."""
    return StageReport(f"not used: {reason}", status=StageOutcome.FAILED, reason=reason)


def failed_stage(reason: str) -> StageReport:
    """Report a stage that was requested but failed."""
    return StageReport(f"not run: {reason}", status=StageOutcome.FAILED, reason=reason)


def substituted_stage(words: str, reason: str, model: str | None = None) -> StageReport:
    """Report a stage that was replaced by a simpler one."""
    return StageReport(words, model, StageOutcome.SUBSTITUTED, reason)


class RunningStage:
    """A running stage; the caller sets `report`, or just `ran` if the badge text says everything."""

    def __init__(self) -> None:
        self.report = StageReport("")

    @property
    def ran(self) -> str:
        """Badge text."""
        return self.report.words

    @ran.setter
    def ran(self, words: str) -> None:
        self.report = StageReport(words)


class StageLog:
    """Stages in the order in which they ran, with their times in seconds, and notes to the reader."""

    def __init__(self) -> None:
        self._stages: list[Stage] = []
        self._status: list[StageStatus] = []
        self._notes: dict[str, bool] = {}

    @contextmanager
    def stage(self, name: str, *, is_optional: bool = False) -> Iterator[RunningStage]:
        """Time the enclosed block; the caller sets the report. A stage that `is_optional` is recorded only if it
        reports something. Raises `ReaderStopped`, without beginning the stage, if nobody waits for the search any more.
        """
        check_stop()
        running, start = RunningStage(), perf_counter()
        yield running
        report = running.report
        if is_optional and not report.words:
            return
        self.record(name, report, perf_counter() - start)

    def record(self, name: str, report: StageReport, seconds: float) -> None:
        """Add a stage that has ended."""
        self._stages.append(Stage(name, report.words, seconds))
        self._status.append(report.as_status(name))

    def note(self, text: str, *, says_filter: bool = False) -> None:
        """Add a note to the reader, unless it is already there; `says_filter` is true if the note only says which
        words are searched, or which papers the question or the reader limits the search to.
        """
        self._notes.setdefault(text, says_filter)

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The stages so far, in order."""
        return tuple(self._stages)

    @property
    def stage_status(self) -> tuple[StageStatus, ...]:
        """The status of each stage so far, in the same order."""
        return tuple(self._status)

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes so far, without duplicates."""
        return tuple(self._notes)

    @property
    def filter_notes(self) -> tuple[str, ...]:
        """The notes that only say which papers are searched."""
        return tuple(text for text, says_filter in self._notes.items() if says_filter)


def with_stages(result: SearchResult, log: StageLog) -> SearchResult:
    """Replace the stages of `result` that are also in `log` by those of `log`, and append its other stages."""
    names = {stage.name for stage in log.stages}
    return replace(
        result,
        stages=(*(stage for stage in result.stages if stage.name not in names), *log.stages),
        stage_status=(*(status for status in result.stage_status if status.name not in names), *log.stage_status),
    )


@dataclass(frozen=True, slots=True)
class Models:
    """Embedder and keyword extractor, and optionally a chat model and a loader of rerankers."""

    embedder: Embedder
    extractor: KeywordExtractor
    chat: ChatModel | None = None
    load_reranker: Callable[[str], Reranker] | None = None
    """Function that loads a reranker by its name, `vendor:model`; raises `UsageError` for an unknown name."""

    def for_search(self, calls: CallLog | None = None) -> "Models":
        """Return the same models for a single search, whose calls to the chat model share one budget; `calls` collects
        them.
        """
        if self.chat is None:
            return self
        return replace(self, chat=Chat.of(self.chat).metered("search", BudgetTracker(log=calls)))
