"""Runs rounds of critique and revision."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from functools import partial

from pathfinder.answering.modes.rag import says_it_does_not_know
from pathfinder.answering.modes.self_feedback.critique import MOST_POINTS, Point, criticise
from pathfinder.answering.modes.self_feedback.difference import share_kept
from pathfinder.answering.session.answer_session import AnswerSession
from pathfinder.answering.session.relevant_papers import relevant
from pathfinder.answering.session.side_by_side import side_by_side, time_call
from pathfinder.grounding.citations import CheckedReply, check_citations
from pathfinder.grounding.material import each_once, escape
from pathfinder.grounding.registry import CitationRegistry
from pathfinder.llm.prompts import render
from pathfinder.retrieval.strategies import decomposition
from pathfinder.types import Ended, Paper, SearchResult, StepKind, StepTaken, Version

ROUNDS = 2
"""Number of critiques: the second sees the edits made after the first."""

SMALLEST_OVERLAP = 0.5
"""Minimum share of the words that an edit must keep, in the same order: an edit of the same length may still say
something else.
"""


@dataclass(slots=True)
class Revisions:
    """The versions of one answer so far, and the points that led to them."""

    session: AnswerSession
    text: str = ""
    """The latest version, with the keys cited by the model."""
    points: list[Point] = field(default_factory=list)
    papers_by_question: dict[str, tuple[Paper, ...]] = field(default_factory=dict)
    """Relevant papers found by each search so far, by question."""
    versions: list[Version] = field(default_factory=list)

    @property
    def checked_reply(self) -> CheckedReply:
        """The latest version, with citation numbers in place of keys."""
        return check_citations(self.text, self.session.registry)

    def add(self, text: str, label: str, because: str = "") -> None:
        """Make `text` the latest version."""
        self.text = text
        self.versions.append(Version(label, self.checked_reply.text, because))


def improve(revisions: Revisions) -> Generator[StepTaken, None, None]:
    """Criticise and revise the text until nothing is missing or the step budget is spent; each point costs one step.

    Raises whatever `AnswerSession.ask` raises, and any error raised by a search.
    """
    session = revisions.session
    for _ in range(ROUNDS):
        if session.steps_left == 0:
            yield session.log.notice(f"{Ended.STEPS}: no further critique was asked for", Ended.STEPS)
            return
        points = yield from _criticise(revisions)
        yield from _look_up(revisions, [point.question for point in points if point.question is not None])
        for n, point in enumerate(points, start=len(revisions.points) - len(points) + 1):
            yield from _revise(revisions, point, n)
        if not points or session.log.end_reason is not None:
            return


def _criticise(revisions: Revisions) -> Generator[StepTaken, None, Sequence[Point]]:
    """Return at most `MOST_POINTS` points, or as many as the step budget allows."""
    session = revisions.session
    sources = session.sources(each_once(*_cited_papers(revisions), *session.registry.papers)).text
    critique = partial(criticise, session, revisions.text, sources, revisions.points)
    remarks, seconds = time_call(session.clock, critique)
    points, n_left = remarks[:MOST_POINTS], session.steps_left
    if len(remarks) > MOST_POINTS:
        yield session.log.notice(f"the critique made {len(remarks)} points: only the first {MOST_POINTS} are addressed")
    if len(points) > n_left:
        yield session.log.notice(f"the step budget allows only {n_left} of {len(points)} points", Ended.STEPS)
        points = points[:n_left]
    for point in points:
        yield session.log.add(StepKind.CRITIQUE, point.description, seconds=seconds)
    if not points:
        yield session.log.add(StepKind.CRITIQUE, "There is nothing to improve.", seconds=seconds)
    revisions.points.extend(points)
    session.n_steps += len(points)
    return points


def _look_up(revisions: Revisions, questions: Sequence[str]) -> Generator[StepTaken, None, None]:
    """Search for the questions that have not been searched for yet, all at the same time, and record the results."""
    session = revisions.session
    for question in questions:
        if decomposition.normalise_question(question) in revisions.papers_by_question:
            yield session.log.notice(
                f"“{question}” has already been searched for: the papers found then are read again"
            )
    new = decomposition.distinct(questions, but=revisions.papers_by_question)
    if not new:
        return
    with side_by_side(len(new), session.chat.tracker) as pool:
        searches = [pool.submit(time_call, session.clock, partial(session.search, question)) for question in new]
        for question in new:
            yield session.log.searching(question)
        for question, search in zip(new, searches, strict=True):
            yield _record(revisions, question, *search.result())


def _record(revisions: Revisions, question: str, result: SearchResult, seconds: float) -> StepTaken:
    revisions.papers_by_question[decomposition.normalise_question(question)] = relevant(result)
    return revisions.session.observe(result, seconds)


def _revise(revisions: Revisions, point: Point, n: int) -> Generator[StepTaken, None, None]:
    """Edit the latest version in response to point `n`, unless a search for it found nothing."""
    session = revisions.session
    papers: Sequence[Paper] = ()
    if point.question is not None:
        papers = revisions.papers_by_question[decomposition.normalise_question(point.question)]
        if not papers:
            yield session.log.notice(
                f"nothing relevant was found on “{point.question}”: the text is not edited for point {n}"
            )
            return
    sources = session.sources(each_once(*papers, *_cited_papers(revisions))).text
    new, seconds = time_call(session.clock, partial(edit_text, session, revisions.text, point, sources))
    if why := why_refused(revisions.text, new, session.registry):
        yield session.log.notice(f"the edit for point {n} was not kept: {why}")
        return
    revisions.add(new, f"after point {n}", point.description)
    yield session.log.add(StepKind.REVISION, revisions.checked_reply.text, seconds=seconds)


def _cited_papers(revisions: Revisions) -> tuple[Paper, ...]:
    """Return the papers that the latest version cites, or those of the hits if it cites none."""
    session = revisions.session
    cited_ids = {paper_id for claim in revisions.checked_reply.claims for paper_id in claim.citations}
    papers = tuple(paper for paper in session.registry.papers if paper.paper_id in cited_ids)
    return papers or tuple(hit.paper for hit in session.result.hits)


SHORTEST = 0.9
"""Minimum length of an edited text relative to the previous text, in characters, as in OpenScholar's own code."""


def edit_text(session: AnswerSession, text: str, point: Point, sources: str) -> str:
    """Return `text` as edited by the model in response to `point`. Raises whatever `AnswerSession.ask` raises."""
    prompt = render(
        "feedback_edit",
        sources=sources,
        question=escape(session.question),
        draft=escape(text),
        point=escape(point.feedback),
    )
    return session.ask(render("feedback_edit_system"), prompt)


def why_refused(old: str, new: str, registry: CitationRegistry) -> str | None:
    """Explain why the edit from `old` to `new` is rejected, naming the rule; `None` if it is accepted."""
    if new == old:
        return "it changed nothing"
    if says_it_does_not_know(old):
        return None
    length, overlap = len(new) / len(old), share_kept(old, new)
    if length < SHORTEST:
        return f"it is only {length:.0%} as long as the text it edits; the minimum is {SHORTEST:.0%}"
    if overlap < SMALLEST_OVERLAP:
        return f"it keeps only {overlap:.0%} of the words in the text it edits; the minimum is {SMALLEST_OVERLAP:.0%}"
    if _cites(old, registry) and not _cites(new, registry):
        return "it cites nothing, although the text it edits has citations; an edit must not drop all citations"
    return None


def _cites(text: str, registry: CitationRegistry) -> bool:
    return any(claim.citations for claim in check_citations(text, registry).claims)
