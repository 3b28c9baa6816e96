"""Checks a draft: looks up the evidence for it, replaces it if it is not an answer, and adds values from papers."""

import re
from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from pathfinder.answering.digest.quotation import in_place
from pathfinder.answering.digest.values import values_beside
from pathfinder.answering.session.answer_session import MOST_READ, AnswerSession
from pathfinder.answering.session.draft import DraftAnswer, nothing_found
from pathfinder.assessment.evidence.ledger import ledger_of
from pathfinder.assessment.evidence.second_judge import judge_again
from pathfinder.grounding.citations import without_citations, without_unseen_signs
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.llm.chat import REFUSALS, in_brief
from pathfinder.retrieval.lookup.question import describe_model
from pathfinder.retrieval.stages import StageLog, StageReport
from pathfinder.settings import LOCAL_EMBEDDER
from pathfinder.text.sentences import split_sentences
from pathfinder.types import CheckedSentence, Evidence, FoldedReply, Ledger, StageOutcome, Verdict

NO_CHAT = "no chat model is set"


def check_draft(draft: DraftAnswer, session: AnswerSession) -> DraftAnswer:
    """Check the claims of `draft`, replace it with sentences from the hits if it is not an answer, and add values that
    papers state.
    """
    ledger = _evidence(draft, session)
    folded = _folded_reply(draft, ledger, session)
    if folded is not None:
        # Answer from the hits instead, keeping the steps and versions that led to the draft.
        session.chat.reject_all()
        reason = f"what {folded.model} wrote is not an answer: {folded.reason}"
        if session.result.hits:
            replacement = session.quote_hits(f"extractive (instead of: {draft.ran})", reason, (reason,))
        else:
            replacement = no_answer(nothing_found(session.result), reason)
        draft = replace(replacement, trace=draft.trace, versions=draft.versions)
        ledger = _evidence(draft, session)
    return replace(_with_values(draft, session), ledger=ledger, folded=folded)


def no_answer(text: str, reason: str) -> DraftAnswer:
    """Make a draft that abstains, with `reason` on its badge."""
    return DraftAnswer(text, (), f"none: {reason}", abstained=True, outcome=StageOutcome.SKIPPED, reason=reason)


def _evidence(draft: DraftAnswer, session: AnswerSession) -> Ledger | None:
    """Check the claims of `draft` locally; `None` if it makes none."""
    # An abstention claims nothing, except in sentences that cite something.
    claims = tuple(claim for claim in draft.claims if claim.citations or not draft.abstained)
    embedder = session.context.embedder
    if not claims:
        return None
    # The checker's cut-offs are valid only for the local embedder; besides, a remote one would be sent more text.
    sources = [session.readings.read(paper) for paper in draft.sources]
    ledger = ledger_of(claims, sources, embedder if embedder.name == LOCAL_EMBEDDER else None)
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


def _with_values(draft: DraftAnswer, session: AnswerSession) -> DraftAnswer:
    """Add the values stated in papers to a chat model's draft if it is about a quantity; the papers that state them
    become sources.
    """
    if not _claims_to_answer(draft):
        return draft
    further = session.result.candidates.papers[:MOST_READ]
    profile = session.context.profile
    read = [session.readings.read(paper) for paper in draft.sources]
    digest = values_beside(session.question, draft.text, read, further, session.request.form, profile)
    if digest is None:
        return draft
    papers = {paper.paper_id: paper for paper in (*further, *draft.sources)}
    digest = in_place(digest, papers, session.readings)
    sources = dict.fromkeys([*draft.sources, *(papers[value.paper_id] for value in digest.values)])
    return replace(draft, digest=digest, sources=tuple(sources))


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


# Recognises a chat model's reply that is not an answer, by rules and by the evidence for its sentences.
#
# A reply is not an answer if it only repeats the question or asks other questions, or if most of its sentences are
# contradicted by the papers or not found in them. If two or more sentences have citations, they are also counted on
# their own, because a sentence that cites nothing is looked up in all papers and is found too easily. Of the 108
# expert answers of ScholarQABench (benchmarks/EVIDENCE.md), none is folded with its own sources. With the sources of
# another question, 100 to 107 are folded if meanings are compared too, and 93 to 101 if only words are.

REPETITION = 0.9
"""Minimum similarity, taking the order of words into account, at which a sentence counts as repeating the question."""
FEWEST_CITING = 2
"""Minimum number of sentences with citations for them to be counted separately."""
UNFOUNDED_VERDICTS = (Verdict.NOT_FOUND, Verdict.CONTRADICTED)

ECHO = "it only repeats the question or asks another"

_LEAD = re.compile(r"^\W*(?:question|answer|q|a)\s*:\s*", re.IGNORECASE)
_OPEN_QUESTION = re.compile(r"^\W*(?:what|which|who|whose|when|where|why|how)\b", re.IGNORECASE)
_ALTERNATIVE = re.compile(r"\bor\b", re.IGNORECASE)
_QUESTION = re.compile(r"\?[\"'”’)\]*_\s]*$")


def why_no_answer(question: str, text: str, ledger: Ledger | None) -> str | None:
    """Return the reason why `text`, a chat model's reply, is not an answer to `question`, given the evidence in
    `ledger`; `None` if it is an answer.
    """
    if is_echo(question, text):
        return ECHO
    sentences = ledger.sentences if ledger else ()
    citing = [sentence for sentence in sentences if sentence.citations]
    if len(citing) >= FEWEST_CITING and _are_mostly_unfounded(citing):
        return _count_verdicts(citing, "of its {n} sentences that cite papers")
    return _count_verdicts(sentences, "of its {n} sentences") if _are_mostly_unfounded(sentences) else None


def is_echo(question: str, text: str) -> bool:
    """Return whether `text` says nothing: each sentence is a question, or repeats the reader's question in the same
    words.
    """
    sentences = [
        sentence for line in without_citations(text).splitlines() for sentence in split_sentences(_LEAD.sub("", line))
    ]
    sentences = [sentence for sentence in sentences if words(sentence)]
    return bool(sentences) and all(_QUESTION.search(text) or _repeats(question, text) for text in sentences)


def _repeats(question: str, sentence: str) -> bool:
    if SequenceMatcher(None, words(question), words(sentence), autojunk=False).ratio() >= REPETITION:
        return True
    # "Is the sheet flat?" may be answered in its own words, and so may "Is it A or B?"; "What is it?" cannot.
    if not _OPEN_QUESTION.match(question) or _ALTERNATIVE.search(question):
        return False
    return set(stems(words(sentence), QUESTION_STOP_WORDS)) <= set(stems(words(question), QUESTION_STOP_WORDS))


def _are_mostly_unfounded(sentences: Sequence[CheckedSentence]) -> bool:
    return 2 * sum(sentence.verdict in UNFOUNDED_VERDICTS for sentence in sentences) > len(sentences)


def _count_verdicts(sentences: Sequence[CheckedSentence], of: str) -> str:
    if len(sentences) == 1:
        return f"its only sentence is {sentences[0].verdict.value}"
    n = {verdict: sum(sentence.verdict is verdict for sentence in sentences) for verdict in UNFOUNDED_VERDICTS}
    counts = " and ".join(f"{n[verdict]} {verdict.value}" for verdict in UNFOUNDED_VERDICTS if n[verdict])
    return f"{of.format(n=len(sentences))}, {counts}"
