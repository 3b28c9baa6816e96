"""Checks a draft: looks up the evidence for it, replaces it if it is not an answer, and adds values from papers."""

from dataclasses import dataclass, replace

from pathfinder.answering.digest.quotation import in_place
from pathfinder.answering.digest.values import values_beside
from pathfinder.answering.folding import why_no_answer
from pathfinder.answering.session.advice import nothing_found
from pathfinder.answering.session.answer_session import MOST_READ, AnswerSession
from pathfinder.answering.session.draft import DraftAnswer
from pathfinder.assessment.evidence.ledger import ledger_of
from pathfinder.assessment.evidence.second_judge import judge_again
from pathfinder.grounding.citations import without_unseen_signs
from pathfinder.llm.replies import REFUSALS, in_brief
from pathfinder.retrieval.lookup.question import describe_model
from pathfinder.retrieval.stages import StageLog, StageReport
from pathfinder.settings import LOCAL_EMBEDDER
from pathfinder.types import Claim, Evidence, FoldedReply, Ledger, StageOutcome

NO_CHAT = "no chat model is set"


@dataclass(frozen=True, slots=True)
class CheckedDraft:
    """A draft with the evidence for its claims."""

    draft: DraftAnswer
    ledger: Ledger | None
    """Evidence for each claim; `None` if the draft makes none."""
    folded_reply: FoldedReply | None = None
    """The chat model's reply, if it was not an answer and `draft` replaces it."""


def check_draft(draft: DraftAnswer, session: AnswerSession) -> CheckedDraft:
    """Check the claims of `draft`, replace it with sentences from the hits if it is not an answer, and add values that
    papers state.
    """
    ledger = _evidence(draft, session)
    folded_reply = _folded_reply(draft, ledger, session)
    if folded_reply is not None:
        draft = _in_place_of(folded_reply, draft, session)
        ledger = _evidence(draft, session)
    return CheckedDraft(_with_values(draft, session), ledger, folded_reply)


def no_answer(text: str, reason: str) -> DraftAnswer:
    """Make a draft that abstains, with `reason` on its badge."""
    return DraftAnswer(text, (), f"none: {reason}", abstained=True, outcome=StageOutcome.SKIPPED, reason=reason)


def _claims_to_check(draft: DraftAnswer) -> tuple[Claim, ...]:
    """Return the claims to look up in the papers; for an abstention, only those that cite something."""
    return tuple(claim for claim in draft.claims if claim.citations or not draft.abstained)


def _evidence(draft: DraftAnswer, session: AnswerSession) -> Ledger | None:
    """Check the claims of `draft` locally; `None` if it makes none."""
    claims, embedder = _claims_to_check(draft), session.context.embedder
    if not claims:
        return None
    # The checker's cut-offs are valid only for the local embedder; besides, a remote one would be sent more text.
    sources = [session.readings.read(paper) for paper in draft.sources]
    return _in_place(ledger_of(claims, sources, embedder if embedder.name == LOCAL_EMBEDDER else None), draft, session)


def _in_place(ledger: Ledger, draft: DraftAnswer, session: AnswerSession) -> Ledger:
    """Name the full-text passage of each piece of evidence that is not from an abstract."""
    if not session.readings.passages:
        return ledger
    papers = {paper.paper_id: paper for paper in draft.sources}

    def locate(evidence: Evidence) -> Evidence:
        if (paper := papers.get(evidence.source_id)) is None:
            return evidence
        return replace(evidence, passage=session.readings.passage_with(paper, evidence.sentence))

    sentences = (replace(each, evidence=tuple(map(locate, each.evidence))) for each in ledger.sentences)
    return replace(ledger, sentences=tuple(sentences))


def _folded_reply(draft: DraftAnswer, ledger: Ledger | None, session: AnswerSession) -> FoldedReply | None:
    """Return the chat model's reply if it claims to be an answer but is not one; otherwise `None`."""
    if draft.model is None or not _claims_to_answer(draft):
        return None
    reason = why_no_answer(session.question, draft.text, ledger)
    if reason is None:
        return None
    return FoldedReply(without_unseen_signs(draft.text), reason, draft.model, draft.notes, ledger)


def _in_place_of(folded_reply: FoldedReply, draft: DraftAnswer, session: AnswerSession) -> DraftAnswer:
    """Answer from the hits in place of `draft`, keeping the steps and versions that led to it."""
    session.chat.reject_all()
    reason = f"what {folded_reply.model} wrote is not an answer: {folded_reply.reason}"
    if session.result.hits:
        replacement = session.quote_hits(f"extractive (instead of: {draft.ran})", reason, (reason,))
    else:
        replacement = no_answer(nothing_found(session.result), reason)
    return replace(replacement, trace=draft.trace, versions=draft.versions)


def _with_values(draft: DraftAnswer, session: AnswerSession) -> DraftAnswer:
    """Add the values stated in papers to a chat model's draft if it is about a quantity; the papers that state them
    become sources.
    """
    if not _claims_to_answer(draft):
        return draft
    further = session.result.candidates.papers[:MOST_READ]
    profile = session.context.profile
    sources = [session.readings.read(paper) for paper in draft.sources]
    digest = values_beside(session.question, draft.text, sources, further, session.request.form, profile)
    if digest is None:
        return draft
    papers_by_id = {paper.paper_id: paper for paper in (*further, *draft.sources)}
    digest = in_place(digest, papers_by_id, session.readings)
    stating = [papers_by_id[value.paper_id] for value in digest.values]
    return replace(draft, digest=digest, sources=tuple(dict.fromkeys([*draft.sources, *stating])))


def _claims_to_answer(draft: DraftAnswer) -> bool:
    """Return whether a chat model wrote the draft as an answer, rather than as an abstention or a query."""
    is_exempt = draft.abstained or draft.redirect is not None or draft.ads_query is not None
    return draft.model is not None and not is_exempt


def second_opinion(ledger: Ledger, session: AnswerSession, log: StageLog) -> Ledger:
    """Have the chat model, if there is one, judge the evidence too."""
    if session.context.chat is None or session.failure is not None:
        why = NO_CHAT if session.context.chat is None else "the chat model failed"
        log.note(f"the evidence was not judged a second time: {why}")
        return ledger
    return _judge_again(ledger, session, log)


def _judge_again(ledger: Ledger, session: AnswerSession, log: StageLog) -> Ledger:
    chat = session.chat
    with log.stage("second judge") as stage:
        try:
            ledger = judge_again(ledger, chat)
            stage.report = StageReport(describe_model(chat.name), chat.name)
        except REFUSALS as error:
            log.note(f"the evidence was not judged a second time: {error}")
            stage.report = StageReport(
                f"none: {in_brief(error, chat.name)}", chat.name, StageOutcome.FAILED, str(error)
            )
    return ledger
