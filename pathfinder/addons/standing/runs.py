"""Runs standing questions on an open corpus, and the methods of one for them."""

import datetime
import json
import secrets
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pathfinder.addons.standing.changes import StandingChanges
from pathfinder.addons.standing.log import StandingLog, StandingStore, feed
from pathfinder.addons.standing.question import (
    AgreementBasis,
    AgreementState,
    FailedRun,
    PaperStance,
    RankedPaper,
    StandingQuestion,
    StandingRun,
    contests_of,
    default_name,
    prefix_digests,
    quote,
    stances_of,
    storable_record,
)
from pathfinder.corpus.links import paper_address
from pathfinder.errors import ModelError, PathfinderError, ProviderError, UsageError
from pathfinder.facade import Pathfinder
from pathfinder.facade.pathfinder import request_of_fields
from pathfinder.settings import read_settings
from pathfinder.types import Hit, SearchRequest, SearchResult
from pathfinder.user_data import data_folder

N_COMPARED = 30
"""Number of best matches that are compared for tensions, whether or not they are listed."""


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """The outcome of one run of a standing question: its result, or the failure."""

    question: StandingQuestion
    run: StandingRun | FailedRun

    def added_to(self, log: StandingLog) -> StandingLog:
        """Return the log with this outcome added, or unchanged if the question has since been removed or the log
        already has the outcome.
        """
        if self.question.id not in [question.id for question in log.questions()]:
            return log
        if isinstance(self.run, FailedRun):
            return log if log.failure(self.question) == self.run else log.add_failure(self.question, self.run)
        return log if self.run in log.runs(self.question) else log.add_run(self.question, self.run)


def new_question(
    request: SearchRequest, name: str | None, statement: str = "", *, uses_chat: bool = False
) -> StandingQuestion:
    """Return a standing question with a new id. Raises `UsageError` for a name, a statement or a search that cannot be
    stored.
    """
    record = storable_record(request)
    name = default_name(request.query) if name is None else name
    return StandingQuestion(secrets.token_hex(6), name, record, _now(), statement, uses_chat)


def stream_runs(
    pf: Pathfinder, log: StandingLog, questions: Sequence[StandingQuestion] | None = None
) -> Generator[RunOutcome, None, None]:
    """Run `questions`, by default those whose last run was on another version of the corpus, and yield each outcome."""
    for question in stale_questions(pf.corpus.name.version, log) if questions is None else questions:
        at = _now()
        try:
            yield RunOutcome(question, run_question(pf, question, log.runs(question), at))
        except PathfinderError as error:
            yield RunOutcome(question, FailedRun(at, pf.corpus.name.version, str(error)))


def stale_questions(version: str, log: StandingLog) -> tuple[StandingQuestion, ...]:
    """Return the questions whose last run was on another version of the corpus, or that have no run."""
    return tuple(
        question for question in log.questions() if [run.version for run in log.runs(question)][-1:] != [version]
    )


def run_question(
    pf: Pathfinder, question: StandingQuestion, earlier: Sequence[StandingRun], at: datetime.datetime
) -> StandingRun:
    """Run a question; `earlier` holds its previous runs. Raises the errors of its search."""
    request, notes = question.request()
    own = pf.for_question(pf.policy.budget)
    return run_of(own, question, own.search(request), earlier, at, notes)


def run_of(
    pf: Pathfinder,
    question: StandingQuestion,
    result: SearchResult,
    earlier: Sequence[StandingRun],
    at: datetime.datetime | None = None,
    notes: Sequence[str] = (),
) -> StandingRun:
    """Return `result` as a run; `earlier` holds the question's previous runs."""
    ids = pf.corpus.papers.paper_ids()
    n = len(ids)
    digests = prefix_digests(ids, {n, *(run.n_papers for run in earlier)})
    paper_ids = {paper.paper_id for run in earlier for paper in run.papers if paper.row is not None}
    rows = dict(zip(sorted(paper_ids), pf.corpus.papers.rows_of(sorted(paper_ids)).tolist(), strict=True))
    papers = {paper_id: pf.corpus.papers[row] for paper_id, row in rows.items() if row >= 0}
    agreement, agreement_notes = _agreement(pf, question, result)
    return StandingRun(
        at=at or _now(),
        version=pf.corpus.name.version,
        n_papers=n,
        ids_digest=digests[n],
        papers=tuple(_ranked_paper(hit, n) for hit in result.hits),
        agreement=agreement,
        absent=tuple(paper_id for paper_id, row in rows.items() if row < 0),
        marked=tuple((paper_id, paper.status) for paper_id, paper in papers.items() if paper.status),
        extends=tuple(run.at for run in earlier if digests.get(run.n_papers) == run.ids_digest),
        notes=(*notes, *result.notes, *agreement_notes),
    )


def _ranked_paper(hit: Hit, n_papers: int) -> RankedPaper:
    paper = hit.paper
    url = paper_address(paper)
    row = hit.row if hit.row < n_papers else None  # papers from live sources come after those in the corpus
    return RankedPaper(paper.paper_id, paper.title, paper.year, hit.score.final, row, url, paper.status)


def _agreement(
    pf: Pathfinder, question: StandingQuestion, result: SearchResult
) -> tuple[AgreementState, tuple[str, ...]]:
    """Return the state of agreement, with notes, as measured by the best requested method that works."""
    state = AgreementState(AgreementBasis.TENSIONS, 0, ())
    notes: tuple[str, ...] = ()
    if (find := getattr(pf, "tensions", None)) is None:
        notes = ("tensions were not looked for, because the add-on tensions is not in use",)
    else:
        tensions = find(result, N_COMPARED)
        state = replace(state, n_compared=tensions.n_papers, contests=tuple(contests_of(tensions)))
    if question.uses_chat:
        try:
            consensus = pf.consensus(result)
        except (ProviderError, ModelError) as error:
            notes = (f"the chat model could not measure the consensus: {error}",)
        else:
            basis, stances = AgreementBasis.CONSENSUS, stances_of(consensus)
            return replace(
                state, basis=basis, stances=stances, statement=consensus.statement, level=consensus.level
            ), ()
    if question.statement:
        try:
            guesses = pf.guess_stances(result, question.statement)
        except UsageError as error:
            return state, (*notes, str(error))
        stances = tuple(PaperStance(guess.label, quote(guess.paper, guess.sentence)) for guess in guesses)
        return replace(state, basis=AgreementBasis.GUESSED, stances=stances, statement=question.statement), notes
    return state, notes


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


# What an open corpus has for its owner's standing questions.


def store_of(pf: Pathfinder) -> StandingStore:
    """Return the standing questions of this corpus, in the folder `PATHFINDER_DATA`."""
    return StandingStore(data_folder(read_settings()), pf.corpus.name)


standing_store = property(store_of)


def watch(
    pf: Pathfinder,
    question: str | SearchRequest,
    name: str | None = None,
    *,
    statement: str = "",
    uses_chat: bool = False,
    **fields: Any,
) -> StandingQuestion:
    """Store a standing question with its settings, and run it; `fields` are those of `SearchRequest`.

    It is stored in the folder `PATHFINDER_DATA`; by default, its own words serve as its name. With `uses_chat`,
    each run measures the consensus; otherwise, or if that fails, it guesses the stances of papers on the
    `statement`, if there is one. Raises `UsageError`, and stores nothing, if the name is taken.
    """
    standing_question = new_question(request_of_fields(question, fields), name, statement, uses_chat=uses_chat)
    store_of(pf).change(lambda log: log.add(standing_question))
    run_standing(pf, standing_question.name)
    return standing_question


def run_standing(pf: Pathfinder, *names: str) -> tuple[RunOutcome, ...]:
    """Run the standing questions with these names, by default those whose last run was on another version of this
    corpus, and store the results; a question that fails keeps its earlier result.
    """
    return tuple(stream_standing(pf, *names))


def stream_standing(pf: Pathfinder, *names: str) -> Iterator[RunOutcome]:
    """Like `run_standing`, but yield each outcome once it is stored."""
    store = store_of(pf)
    log = store.log()
    for outcome in stream_runs(pf.as_of(None), log, [log.question(name) for name in names] or None):
        store.change(outcome.added_to)
        yield outcome


def standing_changes(pf: Pathfinder, name: str) -> StandingChanges:
    """Compare the last run of a standing question with the last one seen or, if none has been seen, with the first.

    Nothing is marked as seen. Raises `UsageError` if there is no such question, or if it has never been run.
    """
    log = store_of(pf).log()
    return log.changes(log.question(name))


def mark_seen(pf: Pathfinder, name: str, changes: StandingChanges) -> None:
    """Record that a reader has seen `changes`, the differences up to a certain run; later runs remain unseen."""
    store_of(pf).change(lambda log: log.mark_seen(log.question(name), changes.now.at))


def unwatch(pf: Pathfinder, name: str) -> None:
    """Remove a standing question with its runs; `standing_store.change(StandingLog.bring_back)` undoes that.

    Raises `UsageError` if there is none with this name.
    """
    store_of(pf).change(lambda log: log.remove(name))


def standing_feed(pf: Pathfinder) -> dict[str, Any]:
    """Return the changes between the runs of all standing questions as a JSON Feed; nothing is marked as seen."""
    return feed(store_of(pf).log(), pf.corpus.name.name)


def feed_text(pf: Pathfinder) -> str:
    """Write what `pathfinder standing feed` writes: the changes between runs. Nothing is marked as seen."""
    return json.dumps(standing_feed(pf), ensure_ascii=False)
