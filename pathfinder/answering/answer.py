"""Answers a question from its search result: runs the mode or a simpler one, and decides when there is no answer."""

from collections.abc import Generator
from contextlib import closing
from dataclasses import replace

from pathfinder.answering.advice import nothing_found, nothing_relevant
from pathfinder.answering.context import AnswerContext
from pathfinder.answering.digest.beside import values_beside
from pathfinder.answering.draft import AnswerStream, DraftAnswer
from pathfinder.answering.folding import why_no_answer
from pathfinder.answering.memory import CAUTION, stream_memory
from pathfinder.answering.modes.base import AnswerMode, Need
from pathfinder.answering.modes.bibliometric import COUNTING
from pathfinder.answering.modes.registry import mode_of
from pathfinder.answering.redirects import redirect
from pathfinder.answering.session import MOST_READ, AnswerSession
from pathfinder.assessment.evidence.ledger import ledger_of
from pathfinder.assessment.evidence.second_judge import judge_again
from pathfinder.grounding.citations import without_unseen_signs
from pathfinder.llm.replies import REFUSALS, in_brief
from pathfinder.llm.streams import drain
from pathfinder.retrieval.question import describe_model
from pathfinder.retrieval.stages import StageLog, StageReport
from pathfinder.settings import LOCAL_EMBEDDER
from pathfinder.types import (
    Answer,
    AnswerEvent,
    AnswerRequest,
    Claim,
    Done,
    FoldedReply,
    Ledger,
    Note,
    SearchResult,
    Specialisation,
    StageOutcome,
    Step,
    StepTaken,
    TextDelta,
)

CUT_TO_FIT = "{model} reads {n:,} tokens at once: papers were cut or left out to fit"
CUT_REPLY = "a reply from {model} reached its length limit and was cut off there"
NO_CHAT = "no chat model is set"
STYLE_NOT_USED = f"the style {{style}} was not used: {NO_CHAT}, so the papers' own sentences answer"
FORM_NOT_USED = "the form {form} was not used: the form applies to answers quoted from papers"
FORGED = (
    "the chat model wrote sources of its own, which were taken out ({n} {blocks}): papers come only from the corpus"
)


def answer(result: SearchResult, request: AnswerRequest, context: AnswerContext) -> Answer:
    """Answer the question of `result` from its hits, citing papers for each sentence.

    Without a chat model, or if it fails, the answer consists of sentences taken from the hits. If there are no hits, or
    none is relevant enough, the answer is "I don't know" with advice, and the chat model is not asked. Raises
    `UsageError` for a mode that is unknown or does not support the requested style.
    """
    return drain(stream_answer(result, request, context))


def stream_answer(
    result: SearchResult, request: AnswerRequest, context: AnswerContext
) -> Generator[str | Step, None, Answer]:
    """Like `answer`, but yield words and steps as they arrive; the generator's return value is the checked answer."""
    return words_and_steps(stream_events(result, request, context))


def words_and_steps(events: Generator[AnswerEvent, None, None]) -> Generator[str | Step, None, Answer]:
    """Reduce `events` to words and steps, and return the finished answer."""
    with closing(events):
        for event in events:
            match event:
                case TextDelta(text):
                    yield text
                case StepTaken(step):
                    yield step
                case Done(finished):
                    return finished
    raise RuntimeError("the events of the answer ended without Done")


def stream_events(
    result: SearchResult, request: AnswerRequest, context: AnswerContext
) -> Generator[AnswerEvent, None, None]:
    """Yield all events of an answer, ending with `Done`, which holds the checked answer.

    That answer replaces the text yielded before it, because citations are checked only at the end. If a chat model
    fails, the answer is extractive, and its text appears only in `Done`.
    """
    session = AnswerSession.begin(result, request, context)
    log = StageLog()
    with log.stage("answer") as stage:
        draft = yield from _draft(session, mode_of(request), log)
        if request.from_memory and _knows_nothing(draft):
            draft = yield from _with_memory(draft, session, log)
        ledger = _evidence(draft, session)
        folded = _folded(draft, ledger, session)
        if folded is not None:
            draft = _in_place_of(folded, draft, session)
            ledger = _evidence(draft, session)
        draft = _with_values(draft, session)
        stage.report = StageReport(draft.ran, draft.model, draft.outcome, draft.reason)
    if ledger is not None and request.second_judge:
        ledger = _second_opinion(ledger, session, log)
    if session.is_cut_to_fit:
        log.note(CUT_TO_FIT.format(model=session.chat.name, n=session.context_tokens))
    if any(call.usage is not None and call.usage.is_cut for call in session.calls):
        log.note(CUT_REPLY.format(model=session.chat.name))
    if n_forged := session.n_forged:
        log.note(FORGED.format(n=n_forged, blocks="block" if n_forged == 1 else "blocks"))
    if request.form is not None and draft.digest is None and draft.outcome is not StageOutcome.SKIPPED:
        log.note(FORM_NOT_USED.format(form=request.form.value))
    notes = tuple(dict.fromkeys([*log.notes, *draft.notes]))
    yield from map(Note, notes)
    yield Done(
        Answer(
            session.question,
            without_unseen_signs(draft.text),
            draft.claims,
            draft.abstained,
            log.stages,
            notes,
            sources=draft.sources,
            ledger=ledger,
            trace=draft.trace,
            versions=draft.versions,
            ads_query=draft.ads_query,
            redirect=draft.redirect,
            digest=draft.digest,
            folded=folded,
            stage_status=log.stage_status,
            is_written=draft.model is not None,
        )
    )


def _draft(session: AnswerSession, mode: AnswerMode, log: StageLog) -> AnswerStream:
    """Answer in the requested `mode`, or in a simpler one that replaces it."""
    without_mode = _abstention(session, mode)
    if without_mode is None and Need.CHAT in mode.needs and session.context.chat is None:
        without_mode = _extractive(session, "extractive, no chat model set", NO_CHAT)
        if (style := session.request.specialisation) is not Specialisation.MULTI_PAPER:
            log.note(STYLE_NOT_USED.format(style=style.value))
    if without_mode is not None:
        yield TextDelta(without_mode.text)
        return without_mode
    try:
        return (yield from mode.stream(session))
    except REFUSALS as error:
        log.note(str(error))
        session.failure = error
        return _extractive(session, "extractive (the chat model failed)", str(error))


def _abstention(session: AnswerSession, mode: AnswerMode) -> DraftAnswer | None:
    """Return the reply given instead of an answer if the question is out of scope or no paper is relevant to it."""
    result = session.result
    out_of_scope = redirect(result, session.context.profile)
    if out_of_scope is not None and not (Need.HITS not in mode.needs and out_of_scope.redirect == COUNTING):
        return out_of_scope
    if Need.HITS not in mode.needs:
        return None
    if not result.hits:
        return _none(nothing_found(result), "no papers were found")
    if result.assessment is not None and not result.assessment.is_relevant:
        return _none(nothing_relevant(result), "nothing relevant enough")
    return None


def _none(text: str, reason: str) -> DraftAnswer:
    return DraftAnswer(text, (), f"none: {reason}", abstained=True, outcome=StageOutcome.SKIPPED, reason=reason)


def _extractive(session: AnswerSession, ran: str, reason: str) -> DraftAnswer:
    quotation = session.quotation()
    return DraftAnswer(
        quotation.text,
        quotation.claims,
        ran,
        abstained=not quotation.claims,
        sources=quotation.sources,
        outcome=StageOutcome.SUBSTITUTED,
        reason=reason,
        digest=quotation.digest,
    )


def _claims_to_check(draft: DraftAnswer) -> tuple[Claim, ...]:
    """Return the claims to look up in the papers. Abstentions are skipped unless they cite something."""
    return tuple(claim for claim in draft.claims if claim.citations or not draft.abstained)


def _evidence(draft: DraftAnswer, session: AnswerSession) -> Ledger | None:
    """Check the claims of `draft` locally; `None` if it makes none."""
    claims, embedder = _claims_to_check(draft), session.context.embedder
    if not claims:
        return None
    # The checker's cut-offs are valid only for this model, and no further text is sent to a remote model.
    return ledger_of(claims, draft.sources, embedder if embedder.name == LOCAL_EMBEDDER else None)


def _folded(draft: DraftAnswer, ledger: Ledger | None, session: AnswerSession) -> FoldedReply | None:
    """Return the chat model's reply if it is not an answer. A reply that does not claim to be one is left as it is."""
    if draft.model is None or not _claims_to_answer(draft):
        return None
    reason = why_no_answer(session.question, draft.text, ledger)
    if reason is None:
        return None
    return FoldedReply(without_unseen_signs(draft.text), reason, draft.model, draft.notes, ledger)


def _in_place_of(folded: FoldedReply, draft: DraftAnswer, session: AnswerSession) -> DraftAnswer:
    """Answer from the hits in place of `draft`, keeping the steps and versions that led to it."""
    session.chat.reject_all()
    reason = f"what {folded.model} wrote is not an answer: {folded.reason}"
    if session.result.hits:
        replacement = session.quote_hits(f"extractive (instead of: {draft.ran})", reason, (reason,))
    else:
        replacement = _none(nothing_found(session.result), reason)
    return replace(replacement, trace=draft.trace, versions=draft.versions)


def _with_values(draft: DraftAnswer, session: AnswerSession) -> DraftAnswer:
    """Put the values that papers state beside the draft of a chat model, if it is about a quantity; their papers become
    sources.
    """
    if not _claims_to_answer(draft):
        return draft
    further = session.result.candidates.papers[:MOST_READ]
    digest = values_beside(session.question, draft.text, draft.sources, further, session.request.form)
    if digest is None:
        return draft
    known = {paper.paper_id: paper for paper in (*further, *draft.sources)}
    stating = [known[value.paper_id] for value in digest.values]
    return replace(draft, digest=digest, sources=tuple(dict.fromkeys([*draft.sources, *stating])))


def _claims_to_answer(draft: DraftAnswer) -> bool:
    """Return whether a chat model wrote the draft as an answer, rather than an abstention or a query."""
    is_exempt = draft.abstained or draft.redirect is not None or draft.ads_query is not None
    return draft.model is not None and not is_exempt


def _second_opinion(ledger: Ledger, session: AnswerSession, log: StageLog) -> Ledger:
    """Have the chat model judge the evidence too, if there is one."""
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


def _knows_nothing(draft: DraftAnswer) -> bool:
    """Return whether the draft abstains for lack of papers, rather than because the question is out of scope."""
    return draft.abstained and draft.redirect is None and draft.ads_query is None


def _with_memory(draft: DraftAnswer, session: AnswerSession, log: StageLog) -> AnswerStream:
    """Append what the chat model remembers to `draft`, which abstains."""
    if session.context.chat is None:
        log.note(f"no answer was given from memory: {NO_CHAT}")
        return draft
    yield TextDelta("\n\n")
    try:
        remembered = yield from stream_memory(session.question, session.chat)
    except REFUSALS as error:
        log.note(f"no answer was given from memory: {error}")
        return draft
    if not remembered:
        return draft
    model = session.chat.name
    ran = f"{draft.ran}; then from the memory of {describe_model(model)}"
    return replace(draft, text=f"{draft.text}\n\n{remembered}", ran=ran, notes=(*draft.notes, CAUTION), model=model)
