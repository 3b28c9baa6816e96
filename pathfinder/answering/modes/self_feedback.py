"""The self-feedback mode: draft, critique, search, revise; then add citations to sentences without one.

draft -> at most three points -> a search for each with a question -> an edit for each -> critique again -> ...
      -> citations after the fact
"""

import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from enum import StrEnum
from functools import partial

from pydantic import ConfigDict

from pathfinder.answering.assessment.evidence.ledger import best_evidence, source_of
from pathfinder.answering.grounding.citations import CheckedReply, check_citations
from pathfinder.answering.grounding.sources import CitationRegistry, escape, without_room
from pathfinder.answering.modes.base import AnswerMode
from pathfinder.answering.modes.rag import says_it_does_not_know
from pathfinder.answering.session.answer_session import AnswerSession, passages_of, relevant, side_by_side, time_call
from pathfinder.answering.session.draft import AnswerStream, DraftAnswer
from pathfinder.errors import BudgetExhausted
from pathfinder.llm.chat import REFUSALS, json_or_none, unreadable
from pathfinder.llm.prompts import render
from pathfinder.llm.usage import ended_by
from pathfinder.models.ports import ChatModel
from pathfinder.retrieval.lookup.question import describe_model
from pathfinder.retrieval.strategies import decomposition
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
        return (yield from session.spent(end_reason))
    try:
        yield from improve(revisions)
    except BudgetExhausted as error:
        end_reason = ended_by(error)
        yield session.log.notice(f"{end_reason.value}: the answer shown is the last revision", end_reason)
    except REFUSALS as error:
        text = f"the chat model failed, so the answer shown is the last revision: {error}"
        yield session.log.notice(text, Ended.FAILED)
    return (yield from _conclude(revisions))


# A chat model's critique of a draft, in the form used by OpenScholar (arXiv:2411.14199): feedback and a question.

MOST_POINTS = 3
"""Maximum number of points in a critique, as in OpenScholar's own code."""
LONGEST_QUESTION = 500
"""Maximum length of a question in characters; anything longer is not a question."""
MAX_TOKENS = 600

_POINT = re.compile(
    r"^[ \t>*_#\d.)-]*feedback[ \t]*+\d?[*_ \t]*:(?P<feedback>.*?)"
    r"(?:^[ \t>*_#\d.)-]*question[ \t]*+\d?[*_ \t]*:(?P<question>.*?))?"
    r"(?=^[ \t>*_#\d.)-]*feedback[ \t]*+\d?[*_ \t]*:|\Z)",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)
_NONE = re.compile(r"(?:none|no|n/?a|nothing|-*)[.!]?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Point:
    """One thing to improve."""

    feedback: str
    question: str | None = None
    """Question to search for before the text is edited; `None` if the sources at hand are enough."""

    @property
    def description(self) -> str:
        return self.feedback if self.question is None else f"{self.feedback} To look up: {self.question}"


@dataclass(frozen=True)
class _Point:
    __pydantic_config__ = ConfigDict(extra="forbid")

    feedback: str
    question: str | None


@dataclass(frozen=True)
class _Critique:
    __pydantic_config__ = ConfigDict(extra="forbid")

    points: tuple[_Point, ...]


def criticise(session: AnswerSession, draft: str, sources: str, earlier: Sequence[Point]) -> tuple[Point, ...]:
    """Return the points that the model makes, or none if nothing needs work; `earlier` holds the points made before.

    Raises a `ProviderError` for a reply that is not in the expected form, and whatever `AnswerSession.ask` raises.
    """
    prompt = render(
        "feedback_critique",
        sources=sources,
        question=escape(session.question),
        draft=escape(draft),
        raised="\n".join(f"- {escape(point.description)}" for point in earlier) or "none",
    )
    reply = session.ask(render("feedback_critique_system"), prompt, max_tokens=MAX_TOKENS, form=_Critique)
    return read_points(reply, session.chat)


def read_points(reply: str, chat: ChatModel) -> tuple[Point, ...]:
    """Read the points in a reply from `chat`, in order, from JSON or from lines that begin with "Feedback:".

    Raises `ProviderError` for a reply that is in neither form.
    """
    parsed_reply = json_or_none(reply, _Critique)
    if parsed_reply is not None:
        matches = [(_clean(point.feedback), _clean(point.question or "")) for point in parsed_reply.points]
    else:
        matches = [(_clean(match["feedback"]), _clean(match["question"] or "")) for match in _POINT.finditer(reply)]
        if not matches:
            raise unreadable(reply, "no line begins with “Feedback:”", chat)
    return tuple(
        Point(feedback, question if not _NONE.fullmatch(question) and len(question) <= LONGEST_QUESTION else None)
        for feedback, question in matches
        if not _NONE.fullmatch(feedback)
    )


def _clean(text: str) -> str:
    return " ".join(text.replace("**", " ").split())


# Runs rounds of critique and revision.

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


def _criticise(revisions: Revisions) -> Generator[StepTaken, None, Sequence[Point]]:
    """Return at most `MOST_POINTS` points, or as many as the step budget allows."""
    session = revisions.session
    sources = session.sources(tuple(dict.fromkeys((*_cited_papers(revisions), *session.registry.papers)))).text
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
            result, seconds = search.result()
            revisions.papers_by_question[decomposition.normalise_question(question)] = relevant(result)
            yield session.observe(result, seconds)


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
    sources = session.sources(tuple(dict.fromkeys((*papers, *_cited_papers(revisions))))).text
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


_WORD = re.compile(r"\S+")

LARGE = 9_000_000
"""Number of word pairs beyond which frequent words are skipped: every old word is compared with every new one."""


def share_kept(old: str, new: str) -> float:
    """Compute the share of the words in `old` that `new` contains in the same order, in [0, 1]; 1 if `old` has no
    words.
    """
    before, after = _WORD.findall(old), _WORD.findall(new)
    n_same = sum(block.size for block in _matcher(before, after).get_matching_blocks())
    return n_same / len(before) if before else 1.0


def _matcher(before: list[str], after: list[str]) -> SequenceMatcher[str]:
    return SequenceMatcher(None, before, after, autojunk=len(before) * len(after) > LARGE)


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
    n, name = len(revisions.points), session.chat.name
    ran = f"self-feedback, {n} point{'' if n == 1 else 's'}, {describe_model(name)}"
    draft = DraftAnswer(cited_reply.text, cited_reply.claims, ran, abstained, versions=versions, model=name)
    return session.with_log(draft, cited_reply.notes)


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


MODE = AnswerMode(
    name="self-feedback",
    label="Self-feedback: draft, critique, revision",
    help="A chat model drafts an answer, criticises it, looks up what is missing and revises it.",
    icon="rate_review",
    stream=stream_self_feedback,
    is_stepwise=True,
)

# Compares two versions of a text word by word.

_PIECE = re.compile(r"\s+|(?:[^\s,.;:!?]|[,.;:!?](?=\S))+|[,.;:!?]")
"""White space, a word or number, or the punctuation after it, each on its own, so that "73." and "73," have "73" in
common.
"""


class Fate(StrEnum):
    """Outcome of the comparison for a stretch of text."""

    SAME = "same"
    GONE = "gone"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class Stretch:
    """A run of words and white space that is entirely unchanged, deleted or new."""

    fate: Fate
    text: str


def difference(old: str, new: str) -> tuple[Stretch, ...]:
    """Compare `old` with `new`: unchanged and new stretches make up `new`, unchanged and deleted ones `old`.

    Between unchanged words, deleted text comes before new text; white space within a change belongs to it.
    """
    before, after = _PIECE.findall(old), _PIECE.findall(new)
    stretches: list[Stretch] = []
    old_text = new_text = ""
    for kind, i, j, k, m in _matcher(before, after).get_opcodes():
        was, now = "".join(before[i:j]), "".join(after[k:m])
        is_gap = not was.strip() and (old_text or new_text) and j < len(before) and m < len(after)
        if kind == "equal" and not is_gap:
            stretches += [*_change_stretches(old_text, new_text), Stretch(Fate.SAME, now)]
            old_text = new_text = ""
        else:
            old_text, new_text = old_text + was, new_text + now
    return (*stretches, *_change_stretches(old_text, new_text))


def _change_stretches(old_text: str, new_text: str) -> list[Stretch]:
    return [Stretch(fate, text) for fate, text in ((Fate.GONE, old_text), (Fate.NEW, new_text)) if text]
