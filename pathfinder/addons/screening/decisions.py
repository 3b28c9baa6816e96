"""A screening under way: its pool from an open corpus, its settings, and all decisions in the order in which they were
made; and how it is written, as JSON or as a CSV table.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from pydantic import TypeAdapter

from pathfinder.addons.screening.pool import (
    CONTROL_EVERY,
    FittedModel,
    ScreeningPool,
    Strategy,
    complete_ranking,
    control_order,
    fit,
    is_control_turn,
    make_pool,
    reading_order,
)
from pathfinder.addons.screening.stopping import (
    Control,
    Promise,
    RecallEstimate,
    control_sample,
    estimate_recall,
    may_stop,
    papers_to_go,
)
from pathfinder.corpus.history.merges import open_list
from pathfinder.errors import UsageError
from pathfinder.operations.export.tables import table
from pathfinder.retrieval.weighting import final_scores, ranking
from pathfinder.shelves.shelf import Shelf, State
from pathfinder.text.files import OwnFile, write_file
from pathfinder.text.latex.display import readable
from pathfinder.types import Paper, Rows, SearchRequest

if TYPE_CHECKING:
    from pathfinder.facade.pathfinder import Pathfinder


class ScreeningVerdict(StrEnum):
    """Decision on a paper."""

    IN = "in"
    OUT = "out"
    LATER = "later"
    """Undecided: the paper comes back after all others."""


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
class PrismaCounts:
    """Numbers for the PRISMA 2020 flow diagram (Page et al. 2021, doi:10.1136/bmj.n71), up to the screening of titles
    and abstracts.
    """

    identified: int
    """Records that the search returned for the pool; of a pool of all papers, those that were merged, too."""
    duplicates: int | None
    """Records that were merged with another record of the same paper; `None` unless the pool is all papers, because
    nobody counted those of others.
    """
    not_in_pool: int
    """Papers of the corpus that were not identified: from other years, or too far down the question's ranking."""
    screened: int
    excluded: int
    excluded_by_reason: Mapping[str, int]
    """Excluded papers by the reason that was stated, most frequent first; "" if no reason was stated."""
    included: int
    undecided: int
    """Papers put off until later."""
    not_screened: int
    """Papers in the pool that nobody has looked at."""


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
        earlier = self.latest().get(paper_id)
        is_control = paper_id == self.control_paper() or (earlier is not None and earlier.is_control)
        decision = Decision(paper_id, verdict, time, reason, is_control=is_control)
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

    @property
    def progress(self) -> str:
        """How far the screening is, in words."""
        relevant = self.relevant()
        return f"{len(relevant):,} of {len(self.paper_ids):,} read, {sum(relevant):,} in"

    def control_paper(self) -> str | None:
        """Return the randomly drawn paper that is to be read next; `None` if none is due."""
        latest = self.latest()
        n_decided = sum(decision.verdict is not ScreeningVerdict.LATER for decision in latest.values())
        if not is_control_turn(n_decided, self.control_every):
            return None
        controls = (self.paper_ids[row] for row in control_order(len(self.paper_ids), self.seed))
        return next((paper_id for paper_id in controls if paper_id not in latest), None)

    @property
    def n_read(self) -> int:
        """Number of papers that are in or out."""
        return len(self.relevant())

    @property
    def estimate(self) -> RecallEstimate:
        """The recall reached so far, as estimated."""
        return estimate_recall(self.relevant(), len(self.paper_ids), self.promise)

    @property
    def may_stop(self) -> bool:
        """True if the stopping rule says that enough papers have been read."""
        return may_stop(self.relevant(), len(self.paper_ids), self.promise)

    @property
    def papers_to_go(self) -> int:
        """Number of papers that must still be read before the rule says to stop if none of them is in."""
        return papers_to_go(self.relevant(), len(self.paper_ids), self.promise)

    @property
    def control(self) -> Control:
        """The control sample: the papers that come first in a random order, up to the first undecided one.

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
        return control_sample(verdicts, len(self.paper_ids))

    @property
    def prisma(self) -> PrismaCounts:
        """The number of papers at each step."""
        latest = self.latest().values()
        by_verdict = Counter(decision.verdict for decision in latest)
        reasons = Counter(decision.reason or "" for decision in latest if decision.verdict is ScreeningVerdict.OUT)
        not_in_pool = self.n_identified - len(self.paper_ids)
        duplicates = None if not_in_pool else self.n_merged
        return PrismaCounts(
            identified=len(self.paper_ids) + (duplicates or 0),
            duplicates=duplicates,
            not_in_pool=not_in_pool,
            screened=by_verdict[ScreeningVerdict.IN] + by_verdict[ScreeningVerdict.OUT],
            excluded=by_verdict[ScreeningVerdict.OUT],
            excluded_by_reason=dict(reasons.most_common()),
            included=by_verdict[ScreeningVerdict.IN],
            undecided=by_verdict[ScreeningVerdict.LATER],
            not_screened=len(self.paper_ids) - len(latest),
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


def decided_papers(pf: "Pathfinder", screening: Screening) -> dict[str, Paper]:
    """Return the papers that have been decided on, by id. Raises `UsageError` if the corpus no longer has one."""
    ids = list(dict.fromkeys(decision.paper_id for decision in screening.decisions))
    rows = pf.corpus.papers.rows_of(ids)
    if (rows < 0).any():
        raise UsageError(
            f"the corpus no longer has the paper {ids[int(rows.argmin())]}, which was decided on: open an earlier "
            "version"
        )
    return {paper.paper_id: paper for paper in pf.corpus.papers.take(rows)}


class DecisionRow(NamedTuple):
    """A decision with its paper."""

    order: int
    """Number of the decision, counted from 1."""
    id: str
    title: str
    year: int | None
    doi: str | None
    verdict: ScreeningVerdict
    in_force: bool
    """False if a later decision on the paper replaced it."""
    time: str
    reason: str | None
    is_control: bool
    """True if the paper was drawn at random."""


def decision_rows(screening: Screening, papers: Mapping[str, Paper]) -> list[DecisionRow]:
    """Return every decision, in order; `papers` holds the papers decided on, by id."""
    latest = screening.latest()
    return [
        DecisionRow(
            order,
            decision.paper_id,
            readable(papers[decision.paper_id].title),
            papers[decision.paper_id].year,
            papers[decision.paper_id].doi,
            decision.verdict,
            latest[decision.paper_id] is decision,
            decision.time.isoformat(timespec="seconds"),
            decision.reason,
            decision.is_control,
        )
        for order, decision in enumerate(screening.decisions, start=1)
    ]


def decisions_csv(decisions: Sequence[DecisionRow]) -> str:
    """Write a line for each decision."""
    return table(DecisionRow._fields, decisions)


N_PAPERS = 1000
"""Number of papers that are screened by default, counted from the top of a question's ranking."""
_STATES = {ScreeningVerdict.IN: State.IN, ScreeningVerdict.OUT: State.OUT, ScreeningVerdict.LATER: State.TO_READ}


def start_screening(
    pf: "Pathfinder", request: SearchRequest, n_papers: int | None = None, only: Sequence[str] | None = None
) -> Screening:
    """Start a screening of the first `n_papers` of the question's ranking, which contains only papers within the years
    of `request` and, if `only` is given, only papers with these ids. By default, all papers in `only` are screened or,
    without `only`, the first `N_PAPERS`.

    Years and authors that the question names do not act as filters here, so that no paper is left out unseen. Raises
    `UsageError` if fewer than two papers are left, or for an id that is not in the corpus.
    """
    rows = _ranked_rows(pf, request.without_reading())
    ids = pf.corpus.papers.paper_ids()
    if only is not None:
        if missing := min(set(only) - set(ids), default=None):
            raise UsageError(f"{missing} is not among the papers in {pf.corpus.folder}: correct the list")
        rows = rows[np.isin(rows, pf.corpus.papers.rows_of(only))]
    elif n_papers is None:
        n_papers = N_PAPERS
    rows = rows[:n_papers]
    n_merged = len(open_list(pf.corpus.path("merges")))
    names = tuple(ids[row] for row in rows)
    return Screening(request.query, names, len(ids), n_merged)


def _ranked_rows(pf: "Pathfinder", request: SearchRequest) -> Rows:
    """Rank the papers within the years of `request`: first the search's candidates, then the others by their cosine
    with the question.
    """
    result = pf.search(request)
    candidates = result.candidates.rows[ranking(final_scores(result.candidates, request.weighting))]
    years = pf.corpus.papers.years()
    is_admitted = np.ones(len(years), dtype=np.bool_)
    if request.year_from is not None:
        is_admitted &= years >= request.year_from
    if request.year_to is not None:
        is_admitted &= years <= request.year_to
    is_admitted[candidates] = True
    rows = np.flatnonzero(is_admitted)
    vectors, vector = pf.corpus.dense.vectors(rows), pf.embedder.embed([request.query], "query")[0]
    return rows[complete_ranking(np.searchsorted(rows, candidates), vectors, vector)]


def with_decisions(shelf: Shelf, screening: Screening) -> Shelf:
    """Return the shelf with the papers decided on in a screening: in, out or, if put off, to read, each with the
    reason. A paper that is put off keeps its state if that is "read", "in" or "out"; a decision without a reason keeps
    the reason already given for the same state.
    """
    for paper_id, decision in screening.latest().items():
        shelf = shelf.add([paper_id])
        before, state = shelf.paper(paper_id), _STATES[decision.verdict]
        if state is State.TO_READ and before.state is not State.TO_READ:
            continue
        why = decision.reason or (before.why if before.state is state else "")
        shelf = shelf.set_state(paper_id, state, why)
    return shelf


def pool_of(pf: "Pathfinder", screening: Screening) -> ScreeningPool:
    """Return the pool of a screening, row i being paper i of its list.

    Raises `UsageError` if the corpus lacks a paper in the screening.
    """
    corpus_ids = set(pf.corpus.papers.paper_ids())
    if missing := next((name for name in screening.paper_ids if name not in corpus_ids), None):
        way_out = "open the earlier corpus" if pf.year is None else f"it is open as of {pf.year}, so go back to today"
        raise UsageError(f"{pf.corpus.folder} has no paper {missing}, which is to be screened: {way_out}")
    rows = pf.corpus.papers.rows_of(screening.paper_ids)
    texts = [paper.text for paper in pf.corpus.papers.take(rows)]
    vector = pf.embedder.embed([screening.question], "query")[0]
    order = np.arange(len(rows))
    return make_pool(screening.paper_ids, texts, pf.corpus.dense.vectors(rows), screening.question, vector, order)


def fit_model(pool: ScreeningPool, screening: Screening) -> FittedModel | None:
    """Fit the model to the decisions; return `None` until at least one paper is in and one is out."""
    places = {name: row for row, name in enumerate(screening.paper_ids)}
    in_rows, out_rows = (
        np.array([places[name] for name in screening.with_verdict(verdict)], dtype=np.int64)
        for verdict in (ScreeningVerdict.IN, ScreeningVerdict.OUT)
    )
    return fit(pool, in_rows, out_rows, screening.seed) if len(in_rows) and len(out_rows) else None


def next_papers(pool: ScreeningPool, screening: Screening, model: FittedModel | None, n: int = 1) -> tuple[str, ...]:
    """Return the ids of the next `n` papers: the control paper if one is due, then those chosen by the model; papers
    put off come last.
    """
    latest = screening.latest()
    unread = np.array([row for row, name in enumerate(screening.paper_ids) if name not in latest], dtype=np.int64)
    order = reading_order(pool, model, unread, len(screening.with_verdict(ScreeningVerdict.IN)), screening.strategy)
    names = [screening.paper_ids[row] for row in order] + list(screening.with_verdict(ScreeningVerdict.LATER))
    if (control := screening.control_paper()) is not None:
        names = [control, *(name for name in names if name != control)]
    return tuple(names[:n])
