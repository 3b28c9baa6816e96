"""The self-feedback mode: draft, critique, search, revise; then add citations to sentences without one.

draft -> at most three points -> a search for each with a question -> an edit for each -> critique again -> ...
      -> citations after the fact
"""

import re
from collections.abc import Generator, Sequence
from dataclasses import replace

from pathfinder.answering.modes.base import AnswerMode
from pathfinder.answering.modes.rag import says_it_does_not_know
from pathfinder.answering.modes.self_feedback.rounds import Revisions, improve
from pathfinder.answering.session.answer_session import AnswerSession
from pathfinder.answering.session.draft import AnswerStream, DraftAnswer
from pathfinder.answering.session.relevant_papers import passages_of
from pathfinder.assessment.evidence.ledger import best_evidence, source_of
from pathfinder.errors import BudgetExhausted
from pathfinder.grounding.citations import CheckedReply
from pathfinder.grounding.material import escape, notes_on_marks, without_room
from pathfinder.llm.prompts import render
from pathfinder.llm.replies import REFUSALS
from pathfinder.llm.usage import ended_by
from pathfinder.retrieval.lookup.question import describe_model
from pathfinder.retrieval.strategies.decomposition import normalise_question
from pathfinder.types import Claim, Ended, Paper, Source, StepKind, StepTaken, TextDelta, Verdict, Version

CITED_AFTERWARDS = "Uncited sentences that are supported by a passage now cite it."

_CLOSING = re.compile(r"(?<![.!])[.!]+[\"'”’)\]]*$")
"""End of a statement; headings lack it, and questions cannot be supported by a source."""


def stream_self_feedback(session: AnswerSession) -> AnswerStream:
    """Answer with the last version of a text that the chat model drafts, criticises and revises.

    Questions raised by the critique are searched for in the same way as the reader's question, with the same years,
    weights and stages. When the budget is spent, or the model fails after the draft, the answer is the latest version.
    Raises a `ProviderError` if the draft fails.
    """
    revisions = Revisions(session)
    revisions.papers_by_question[normalise_question(session.question)] = tuple(hit.paper for hit in session.result.hits)
    try:
        yield from _draft(revisions)
    except BudgetExhausted as error:
        end_reason = ended_by(error)
        yield session.log.notice(f"{end_reason.value} before the draft was complete", end_reason)
        return (yield from _from_the_hits(session, end_reason))
    try:
        yield from improve(revisions)
    except BudgetExhausted as error:
        end_reason = ended_by(error)
        yield session.log.notice(f"{end_reason.value}: the answer shown is the last revision", end_reason)
    except REFUSALS as error:
        text = f"the chat model failed, so the answer shown is the last revision: {error}"
        yield session.log.notice(text, Ended.FAILED)
    return (yield from _conclude(revisions))


def _draft(revisions: Revisions) -> Generator[TextDelta | StepTaken, None, None]:
    session, registry = revisions.session, revisions.session.registry
    start = session.clock()
    sources = session.sources(registry.papers, passages=passages_of(session.result))
    prompt = render("feedback_draft", sources=sources.text, earlier=session.earlier, question=escape(session.question))
    if sources.left_out:
        places = without_room(sources.left_out, registry)
        yield session.log.notice(f"the prompt had no room for {places}: the draft does not draw on them")
    revisions.add((yield from session.write(render("feedback_draft_system"), prompt)), "draft")
    yield session.log.add(StepKind.DRAFT, revisions.checked_reply.text, seconds=session.clock() - start)


def _conclude(revisions: Revisions) -> AnswerStream:
    session, checked_reply = revisions.session, revisions.checked_reply
    abstained = says_it_does_not_know(checked_reply.text)
    cited_reply = checked_reply if abstained else cite_after_the_fact(checked_reply, session.registry.papers)
    if cited_reply != checked_reply:
        revisions.versions.append(Version("cited after the fact", cited_reply.text, CITED_AFTERWARDS))
        yield session.log.add(StepKind.REVISION, cited_reply.text)
    yield session.log.add(StepKind.FINAL, cited_reply.text)
    versions = tuple(revisions.versions) if len(revisions.versions) > 1 else ()
    draft = DraftAnswer(
        cited_reply.text, cited_reply.claims, _ran(revisions), abstained, versions=versions, model=session.chat.name
    )
    return session.with_log(draft, notes_on_marks(cited_reply))


def _ran(revisions: Revisions) -> str:
    n = len(revisions.points)
    return f"self-feedback, {n} point{'' if n == 1 else 's'}, {describe_model(revisions.session.chat.name)}"


def _from_the_hits(session: AnswerSession, end_reason: Ended) -> AnswerStream:
    """Answer with sentences from the reader's own hits if the budget was spent before anything was written."""
    draft = session.quote_hits("extractive (budget spent)", end_reason.value)
    yield session.log.add(StepKind.FINAL, draft.text)
    return session.with_log(draft)


MODE = AnswerMode(
    name="self-feedback",
    label="Self-feedback: draft, critique, revision",
    help="A chat model drafts an answer, criticises it, looks up what is missing and revises it.",
    icon="rate_review",
    stream=stream_self_feedback,
    is_stepwise=True,
)


def cite_after_the_fact(checked_reply: CheckedReply, papers: Sequence[Paper]) -> CheckedReply:
    """Add a citation mark to each sentence in `checked_reply` that cites nothing but is supported by a paper.

    `papers` are in the order of their citation numbers. A sentence that is only partly supported gets no mark.
    """
    sources = [source_of(paper) for paper in papers]
    places = {paper.paper_id: place for place, paper in enumerate(papers, start=1)}
    text, claims, position = checked_reply.text, list(checked_reply.claims), 0
    for i, claim in enumerate(claims):
        start = text.find(claim.text, position)
        if start < 0:
            continue  # A mark inside the sentence makes its text differ from the claim's.
        position = start + len(claim.text)
        supporting = () if claim.citations else _supporting(claim, sources)
        if supporting:
            closing = start + len(_CLOSING.sub("", claim.text))
            mark = f" [{', '.join(str(places[paper_id]) for paper_id in supporting)}]"
            text, position = text[:closing] + mark + text[closing:], position + len(mark)
            claims[i] = Claim(claim.text, supporting)
    return replace(checked_reply, text=text, claims=tuple(claims))


def _supporting(claim: Claim, sources: Sequence[Source]) -> tuple[str, ...]:
    """Return the papers that support a claim, best first; none for a sentence that makes no statement."""
    if not _CLOSING.search(claim.text) or not sources:
        return ()
    checked_sentence = best_evidence(claim.text, sources)
    return checked_sentence.citations if checked_sentence.verdict is Verdict.SUPPORTED else ()
