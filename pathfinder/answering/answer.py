"""Answers a question from its search result: runs the mode or a simpler one, decides when not to answer, and checks the
draft.
"""

import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from difflib import SequenceMatcher
from types import GeneratorType
from typing import TypeVar

from pathfinder.answering.assessment.evidence.ledger import judge_again, ledger_of
from pathfinder.answering.digest.digest import in_place
from pathfinder.answering.digest.judgement import words_lacking
from pathfinder.answering.digest.values import values_beside
from pathfinder.answering.grounding.citations import without_citations, without_unseen_signs
from pathfinder.answering.modes.ads_query import COUNTING
from pathfinder.answering.modes.base import AnswerMode, Need
from pathfinder.answering.modes.registry import MODES, mode_of
from pathfinder.answering.redirects import redirect
from pathfinder.answering.session.answer_session import MOST_READ, AnswerContext, AnswerSession, of_person
from pathfinder.answering.session.draft import AnswerStream, DraftAnswer, not_in_corpus, nothing_found, nothing_relevant
from pathfinder.errors import PluginFailed
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.llm.chat import REFUSALS, in_brief
from pathfinder.llm.prompts import render
from pathfinder.models.ports import ChatModel
from pathfinder.retrieval.known_items.in_questions import ABSENT, absent_identifiers
from pathfinder.retrieval.lookup.question import describe_model
from pathfinder.retrieval.stages import StageLog, StageReport
from pathfinder.settings import LOCAL_EMBEDDER
from pathfinder.text.sentences import sentence_spans, split_sentences
from pathfinder.types import (
    Answer,
    AnswerEvent,
    AnswerRequest,
    CheckedSentence,
    Done,
    Evidence,
    FoldedReply,
    Ledger,
    ModeName,
    Note,
    SearchResult,
    Specialisation,
    StageOutcome,
    TextDelta,
    Verdict,
)

T = TypeVar("T")

NO_CHAT = "no chat model is set"
CHAT_FAILED = "extractive (the chat model failed)"
MODE_FAILED = "extractive (the answer mode failed)"
NOTHING_WRITTEN = "none: the answer failed"
PAPERS_ONLY = "No answer could be made from the papers found, which are listed below: {reason}"
DOUBT = "these papers may not be about the question: few of them are near it"
LACKING = "none of the sentences quoted has {words}"
CUT_TO_FIT = "{model} reads at most {n:,} tokens at once: papers were shortened or left out to fit"
CUT_REPLY = "a reply from {model} reached its length limit and was cut off there"
STYLE_NOT_USED = f"the style {{style}} was not used: {NO_CHAT}, so the answer quotes the papers instead"
LIVE_FAILED = "a further search continued without a live source: {reason}"
WARNING_NOTE = "[{n}] was {warning}"
FORM_NOT_USED = "the form {form} was not used: forms apply only to answers quoted from papers"
FORGERY_NOTE = (
    "the chat model made up its own sources, which were removed ({n} {blocks}): papers come only from the corpus"
)


def stream_events(
    result: SearchResult, request: AnswerRequest, context: AnswerContext
) -> Generator[AnswerEvent, None, None]:
    """Answer the question of `result` from its hits, with citations for each sentence: yield all events of the answer,
    ending with `Done`, which holds the checked answer.

    That answer replaces the text yielded before it, because citations are checked only at the end. Without a chat
    model, or if it fails, the answer consists of sentences taken from the hits, and its text appears only in `Done`; if
    that fails too, it says why, and its sources are the papers of the hits. If there are no hits, or none is relevant
    enough, the answer is "I don't know" with advice, and the chat model is not called. Raises `UsageError` for a mode
    that is unknown or does not support the requested style.
    """
    session = AnswerSession.begin(of_person(result), request, context)
    log = StageLog()
    with log.stage("answer") as stage:
        mode = mode_of(request)
        try:
            draft = yield from _draft(session, mode, log)
            # A draft may also abstain because the question is out of scope.
            if request.from_memory and draft.abstained and draft.redirect is None and draft.ads_query is None:
                draft = yield from _with_memory(draft, session, log)
            with MODES.contain(mode.name):
                draft = check_draft(draft, session)
        except (PluginFailed, *REFUSALS) as error:
            draft = _papers_only(session, str(error))
        stage.report = StageReport(draft.ran, draft.model, draft.outcome, draft.reason)
    if draft.ledger is not None and request.second_judge:
        draft = replace(draft, ledger=second_opinion(draft.ledger, session, log))
    for note in _notes_on_replies(draft, session):
        log.note(note)
    answer = _answer_of(session, draft, log)
    yield from map(Note, answer.notes)
    yield Done(answer)


def _answer_of(session: AnswerSession, draft: DraftAnswer, log: StageLog) -> Answer:
    """Turn a checked draft into an answer, with its own notes and those of its stages."""
    return Answer(
        session.question,
        without_unseen_signs(draft.text),
        draft.claims,
        draft.abstained,
        log.stages,
        tuple(dict.fromkeys([*log.notes, *draft.notes])),
        sources=draft.sources,
        ledger=draft.ledger,
        trace=draft.trace,
        versions=draft.versions,
        ads_query=draft.ads_query,
        redirect=draft.redirect,
        digest=draft.digest,
        folded=draft.folded,
        stage_status=log.stage_status,
        is_written=draft.model is not None,
    )


def _notes_on_replies(draft: DraftAnswer, session: AnswerSession) -> Iterator[str]:
    """Yield notes on withdrawn papers, on papers that may be about something else, on live sources that failed, on
    papers and replies that were cut off, on invented sources, and on a requested form that was not used.
    """
    cited_ids = {paper_id for claim in draft.claims for paper_id in claim.citations}
    for n, paper in enumerate(draft.sources, start=1):
        if paper.warning and paper.paper_id in cited_ids:
            yield WARNING_NOTE.format(n=n, warning=paper.warning)
    assessment = session.result.assessment
    if draft.claims and assessment is not None and assessment.is_doubtful:
        yield DOUBT
    yield from _what_lines_lack(draft, session.result)
    if session.is_cut_to_fit:
        yield CUT_TO_FIT.format(model=session.chat.name, n=session.context_tokens)
    for reason in dict.fromkeys(session.live_failures):
        yield LIVE_FAILED.format(reason=reason)
    if any(call.usage is not None and call.usage.is_cut for call in session.calls):
        yield CUT_REPLY.format(model=session.chat.name)
    if n_forged := session.n_forged:
        yield FORGERY_NOTE.format(n=n_forged, blocks="block" if n_forged == 1 else "blocks")
    form = session.request.form
    if form is not None and draft.digest is None and draft.outcome is not StageOutcome.SKIPPED:
        yield FORM_NOT_USED.format(form=form.value)


def _what_lines_lack(draft: DraftAnswer, result: SearchResult) -> Iterator[str]:
    """Yield a note with the sides or words of the question that neither the lines of a weak digest nor the titles of
    their papers have, not even by another name that was searched for.
    """
    digest = draft.digest
    if digest is None or not digest.is_weak or not digest.findings:
        return
    titles = {paper.paper_id: paper.title for paper in draft.sources}
    texts = [f"{titles[each.paper_id]}. {each.sentence}" for each in digest.findings]
    said, question = " ".join(texts), result.words
    for expansion in result.expansions:
        if any(_as_a_whole(name).search(said) for name in expansion.names):
            question = _as_a_whole(expansion.term).sub(" ", question)
    lacking = words_lacking(question, texts)
    if lacking:
        yield LACKING.format(words=" or ".join(f"“{word}”" for word in lacking))


def _as_a_whole(name: str) -> re.Pattern[str]:
    """Return a pattern of `name` in any case, not within a longer word: "ESO" is not in "resonance"."""
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)


def _draft(session: AnswerSession, mode: AnswerMode, log: StageLog) -> AnswerStream:
    """Answer in the requested `mode`, or in a simpler one that replaces it."""
    without_mode = _abstention(session, mode)
    if without_mode is None and Need.CHAT in mode.needs and session.context.chat is None:
        without_mode = _extractive(session, "extractive, no chat model set", NO_CHAT)
        if (style := session.request.specialisation) not in (None, Specialisation.MULTI_PAPER):
            log.note(STYLE_NOT_USED.format(style=style.value))
    if without_mode is not None:
        yield TextDelta(without_mode.text)
        return without_mode
    try:
        return (yield from _stream_of(mode, session))
    except PluginFailed as error:
        log.note(str(error))
        return _no_papers(session.result) or _extractive(session, MODE_FAILED, str(error))
    except REFUSALS as error:
        log.note(str(error))
        session.failure = error
        return _no_papers(session.result) or _extractive(session, CHAT_FAILED, str(error))


def _stream_of(mode: AnswerMode, session: AnswerSession) -> AnswerStream:
    """Stream the answer from a mode. Raises `PluginFailed` if the mode fails midway."""
    with MODES.contain(mode.name):
        stream = _of_type(GeneratorType, mode.stream(session))
    with closing(stream):
        while True:
            with MODES.contain(mode.name):
                try:
                    event = next(stream)
                except StopIteration as end:
                    return _of_type(DraftAnswer, end.value)
            yield event


def _of_type(kind: type[T], value: object) -> T:
    if not isinstance(value, kind):
        raise TypeError(f"its stream returned a {type(value).__name__} instead of a {kind.__name__}")
    return value


def _abstention(session: AnswerSession, mode: AnswerMode) -> DraftAnswer | None:
    """Return the reply given instead of an answer if the question is out of scope or no paper is relevant to it."""
    if Need.HITS in mode.needs and (absent := absent_identifiers(session.result)):
        return no_answer(not_in_corpus(session.result, absent), ABSENT)
    out_of_scope = redirect(session.result, session.context.profile)
    if out_of_scope is not None and not (Need.HITS not in mode.needs and out_of_scope.redirect == COUNTING):
        return out_of_scope
    return _no_papers(session.result) if Need.HITS in mode.needs else None


def _no_papers(result: SearchResult) -> DraftAnswer | None:
    """Return the reply given instead of an answer if no paper is relevant to the question."""
    if not result.hits:
        return no_answer(nothing_found(result), "no papers were found")
    if result.assessment is not None and not result.assessment.is_relevant:
        return no_answer(nothing_relevant(result), "nothing relevant enough")
    return None


def _extractive(session: AnswerSession, ran: str, reason: str) -> DraftAnswer:
    with MODES.contain(ModeName.EXTRACTIVE):
        return DraftAnswer.quoting(session.quotation(), ran, reason)


def _papers_only(session: AnswerSession, reason: str) -> DraftAnswer:
    """Return the reply given if not even sentences could be quoted: it has the papers, and says what failed."""
    return DraftAnswer(
        PAPERS_ONLY.format(reason=reason),
        (),
        NOTHING_WRITTEN,
        abstained=True,
        notes=(reason,),
        sources=tuple(hit.paper for hit in session.result.hits),
        outcome=StageOutcome.FAILED,
        reason=reason,
    )


def _with_memory(draft: DraftAnswer, session: AnswerSession, log: StageLog) -> AnswerStream:
    """Append to `draft`, which abstains, an answer that the chat model gives from memory."""
    if session.context.chat is None:
        log.note(f"no answer was given from memory: {NO_CHAT}")
        return draft
    yield TextDelta("\n\n")
    try:
        memory_text = yield from stream_memory(session.question, session.chat)
    except REFUSALS as error:
        log.note(f"no answer was given from memory: {error}")
        return draft
    if not memory_text:
        return draft
    model = session.chat.name
    ran = f"{draft.ran}; then from the memory of {describe_model(model)}"
    return replace(draft, text=f"{draft.text}\n\n{memory_text}", ran=ran, notes=(*draft.notes, CAUTION), model=model)


# Answers from the chat model's memory, with every sentence tagged, if no paper has the answer and the reader allows
# it.

TAG = "[from memory]"
"""Tag placed in front of every sentence."""

CAUTION = "text tagged [from memory] is the chat model's own: it is not based on any paper, and none of it was checked"

_BULLET = re.compile(r"^(?:[-*•#>]+|\d+[.)])\s+")


def stream_memory(question: str, chat: ChatModel) -> Generator[TextDelta, None, str]:
    """Yield what `chat` remembers, sentence by sentence, each tagged and without citations; return the whole text.

    May raise a `ProviderError` midway; the text yielded up to then must not be used as an answer.
    """
    sentences: list[str] = []
    for sentence in _sentences(chat.stream(render("rag_memory_system"), render("rag_memory", question=question))):
        tagged_sentence = f"{' ' if sentences else ''}{TAG} {sentence}"
        sentences.append(tagged_sentence)
        yield TextDelta(tagged_sentence)
    return "".join(sentences)


def _sentences(chunks: Iterable[str]) -> Iterator[str]:
    """Yield whole sentences as they arrive, each on one line, without bullets or citation marks."""
    waiting = ""
    for chunk in chunks:
        waiting += chunk
        *whole, _ = sentence_spans(waiting) or [(0, 0)]
        for start, end in whole:
            yield from _bare(waiting[start:end])
        waiting = waiting[whole[-1][1] :] if whole else waiting
    for start, end in sentence_spans(waiting):
        yield from _bare(waiting[start:end])


def _bare(sentence: str) -> Iterator[str]:
    bare = _BULLET.sub("", without_citations(" ".join(sentence.split())))
    if re.search(r"\w", bare):
        yield bare


# Checks a draft: looks up the evidence for it, replaces it if it is not an answer, and adds values from papers.


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
