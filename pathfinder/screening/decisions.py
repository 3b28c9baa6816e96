"""A screening under way: its pool, its settings and all decisions, in the order in which they were made."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from pydantic import TypeAdapter

from pathfinder.errors import UsageError
from pathfinder.screening.choices import CONTROL_EVERY, Promise, ScreeningVerdict, Strategy
from pathfinder.screening.pool import control_order, is_control_turn
from pathfinder.screening.stopping import (
    Control,
    RecallEstimate,
    control_sample,
    estimate_recall,
    may_stop,
    papers_to_go,
)
from pathfinder.text.files import write_file
from pathfinder.text.own_files import OwnFile


@dataclass(frozen=True, slots=True)
class Decision:
    """A verdict on a paper, with its time and reason."""

    paper_id: str
    verdict: ScreeningVerdict
    time: datetime
    reason: str | None = None
    is_control: bool = False
    """True if the paper was drawn at random."""


@dataclass(frozen=True, slots=True)
class Screening:
    """A screening under way, as a frozen value: each decision returns a new one."""

    question: str
    paper_ids: tuple[str, ...]
    """The papers in the pool in the order of the question's ranking, best first."""
    n_identified: int
    """Number of papers from which the pool was taken."""
    n_merged: int = 0
    """Number of records that had previously been merged with another record of the same paper."""
    strategy: Strategy = Strategy.CERTAINTY
    promise: Promise = field(default_factory=Promise)
    control_every: int = CONTROL_EVERY
    """One paper in this many is drawn at random; 0 for none."""
    seed: int = 0
    decisions: tuple[Decision, ...] = ()
    """Every decision, including those replaced by a later one on the same paper."""

    def __post_init__(self) -> None:
        if len(self.paper_ids) < 2:
            raise UsageError(f"a screening needs at least 2 papers, got {len(self.paper_ids)}: widen the search")
        if len(set(self.paper_ids)) < len(self.paper_ids):
            raise UsageError("a screening lists each paper once, but an id occurs twice among its papers")
        paper_ids = set(self.paper_ids)
        if stranger := next((each.paper_id for each in self.decisions if each.paper_id not in paper_ids), None):
            raise UsageError(f"there is a decision on {stranger}, which is not among the papers in the screening")
        if self.control_every < 0 or self.seed < 0:
            raise UsageError(f"control_every and seed must be 0 or more, got {self.control_every} and {self.seed}")

    def latest(self) -> Mapping[str, Decision]:
        """Return the decision in force on each paper, by id, in the order in which the papers were read; a paper that
        was put off counts as read when it is decided on again.
        """
        latest: dict[str, Decision] = {}
        for decision in self.decisions:
            earlier = latest.get(decision.paper_id)
            if earlier is not None and earlier.verdict is ScreeningVerdict.LATER:
                del latest[decision.paper_id]  # it was put off, so it takes its place now
            latest[decision.paper_id] = decision
        return latest

    def with_verdict(self, verdict: ScreeningVerdict) -> tuple[str, ...]:
        """Return the ids of the papers with this verdict in force."""
        return tuple(name for name, decision in self.latest().items() if decision.verdict is verdict)

    def decide(
        self, paper_id: str, verdict: ScreeningVerdict, time: datetime, reason: str | None = None
    ) -> "Screening":
        """Return the screening with another decision. Raises `UsageError` for a paper that is not in its pool."""
        if paper_id not in self.paper_ids:
            raise UsageError(f"{paper_id} is not among the {len(self.paper_ids)} papers in this screening")
        decision = Decision(paper_id, verdict, time, reason, is_control=paper_id == self.control_paper())
        return replace(self, decisions=(*self.decisions, decision))

    def undo(self) -> "Screening":
        """Return the screening without its last decision. Raises `UsageError` if there is none."""
        if not self.decisions:
            raise UsageError("nothing has been decided yet, so there is nothing to undo")
        return replace(self, decisions=self.decisions[:-1])

    def relevant(self) -> tuple[bool, ...]:
        """Return True for each paper that is in, False for each that is out, in the order in which they were read."""
        return tuple(
            each.verdict is ScreeningVerdict.IN
            for each in self.latest().values()
            if each.verdict is not ScreeningVerdict.LATER
        )

    def control_paper(self) -> str | None:
        """Return the randomly drawn paper that is to be read next; `None` if none is due."""
        latest = self.latest()
        n_decided = sum(decision.verdict is not ScreeningVerdict.LATER for decision in latest.values())
        if not is_control_turn(n_decided, self.control_every):
            return None
        controls = (self.paper_ids[row] for row in control_order(len(self.paper_ids), self.seed))
        return next((paper_id for paper_id in controls if paper_id not in latest), None)

    def estimate(self) -> RecallEstimate:
        """Estimate the recall reached so far."""
        return estimate_recall(self.relevant(), len(self.paper_ids), self.promise)

    def may_stop(self) -> bool:
        """Return whether the stopping rule says that enough papers have been read."""
        return may_stop(self.relevant(), len(self.paper_ids), self.promise)

    def papers_to_go(self) -> int:
        """Return how many more papers must be read before the rule says to stop if none of them is in."""
        return papers_to_go(self.relevant(), len(self.paper_ids), self.promise)

    def control(self) -> Control:
        """Describe the control sample: the papers that come first in a random order, up to the first undecided one.

        Those that were read because the model put them forward belong to it too, so that it is a plain random sample of
        the pool.
        """
        latest = self.latest()
        verdicts = []
        for row in control_order(len(self.paper_ids), self.seed) if self.control_every else ():
            decision = latest.get(self.paper_ids[row])
            if decision is None or decision.verdict is ScreeningVerdict.LATER:
                break
            verdicts.append(decision.verdict is ScreeningVerdict.IN)
        return control_sample(verdicts)


@dataclass(frozen=True, slots=True)
class PrismaCounts:
    """Numbers for the PRISMA 2020 flow diagram (Page et al. 2021, doi:10.1136/bmj.n71), up to the screening of titles
    and abstracts.
    """

    identified: int
    """Records in the corpus, including those that were merged."""
    duplicates: int
    """Records that were merged with another record of the same paper."""
    not_in_pool: int
    """Papers outside the pool: from other years, or too far down the question's ranking."""
    screened: int
    excluded: int
    excluded_by_reason: Mapping[str, int]
    """Excluded papers by the reason that was stated, most frequent first; "" if no reason was stated."""
    included: int
    undecided: int
    """Papers put off until later."""
    not_screened: int
    """Papers in the pool that nobody has looked at."""


def prisma_counts(screening: Screening) -> PrismaCounts:
    """Count the papers at each step of a screening."""
    latest = screening.latest().values()
    by_verdict = Counter(decision.verdict for decision in latest)
    reasons = Counter(decision.reason or "" for decision in latest if decision.verdict is ScreeningVerdict.OUT)
    return PrismaCounts(
        identified=screening.n_identified + screening.n_merged,
        duplicates=screening.n_merged,
        not_in_pool=screening.n_identified - len(screening.paper_ids),
        screened=by_verdict[ScreeningVerdict.IN] + by_verdict[ScreeningVerdict.OUT],
        excluded=by_verdict[ScreeningVerdict.OUT],
        excluded_by_reason=dict(reasons.most_common()),
        included=by_verdict[ScreeningVerdict.IN],
        undecided=by_verdict[ScreeningVerdict.LATER],
        not_screened=len(screening.paper_ids) - len(latest),
    )


# A screening's file: JSON, replaced as a whole after each decision, so that a crash loses none.

_FORMAT = "pathfinder screening 1"


@dataclass(frozen=True, slots=True)
class SessionFile:
    """Contents of the file."""

    format: str
    corpus: str
    """Folder of the corpus."""
    screening: Screening


_FILE = OwnFile(
    TypeAdapter(SessionFile), _FORMAT, "screening", "name a file that the Screen page or `pathfinder screen start` made"
)


def create_session(path: Path, corpus: Path, screening: Screening) -> None:
    """Write the file of a new screening. Raises `UsageError` if there is already a file at `path`."""
    if path.exists():
        raise UsageError(f"{path} already exists: name a new file, or continue with `pathfinder screen next {path}`")
    write_session(path, corpus, screening)


def write_session(path: Path, corpus: Path, screening: Screening) -> None:
    """Write a screening's file in place of the earlier one. Raises `StoreError` if it cannot be written; the
    earlier file is then unchanged.
    """
    write_file(path, session_text(corpus, screening), private=True)


def session_text(corpus: Path, screening: Screening) -> str:
    """Return the contents of a screening's file."""
    return _FILE.text(SessionFile(_FORMAT, str(corpus), screening))


def read_session(path: Path) -> tuple[Path, Screening]:
    """Read a screening, and the folder of its corpus, from its file. Raises `UsageError` for any other file."""
    session = _FILE.read(path)
    return Path(session.corpus), session.screening


def parse_session(text: bytes, name: str) -> tuple[Path, Screening]:
    """Parse the contents of the file called `name`, as `read_session` does."""
    session = _FILE.parse(text, name)
    return Path(session.corpus), session.screening
