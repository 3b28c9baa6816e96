"""The mode in which a chat model writes an answer from the hits; every citation is checked afterwards."""

from collections.abc import Iterator
from dataclasses import dataclass

from pathfinder.answering.grounding.citations import check_citations
from pathfinder.answering.grounding.sources import (
    BUDGET_TOKENS,
    CitationRegistry,
    Sources,
    as_conversation,
    room_for_sources,
    without_room,
)
from pathfinder.answering.modes.base import AnswerMode
from pathfinder.answering.session.answer_session import AnswerSession, passages_of
from pathfinder.answering.session.draft import DONT_KNOW, AnswerStream, DraftAnswer
from pathfinder.llm.chat import empty_reply
from pathfinder.llm.prompts import render
from pathfinder.llm.stopping import BudgetedReply
from pathfinder.retrieval.lookup.question import describe_model
from pathfinder.types import Ended, Specialisation, Trace, Version

STYLE_PROMPTS = {
    Specialisation.SINGLE_PAPER: "rag_single_paper",
    Specialisation.MULTI_PAPER: "rag_multi_paper",
}
"""The prompt that describes each style."""

SOURCES_SHARE = 0.5
"""Maximum share of the token budget for sources; the rest is for instructions, conversation and answer."""


@dataclass(frozen=True, slots=True)
class Material:
    """Sources and conversation for the chat model."""

    sources: Sources
    prompt: str


@dataclass(frozen=True, slots=True)
class WrittenText:
    """The chat model's text before its citations are checked."""

    text: str
    cut_reason: Ended | None = None
    """Resource that ran out and so cut off the text; `None` if none did."""
    trace: Trace | None = None
    versions: tuple[Version, ...] = ()
    notes: tuple[str, ...] = ()


def stream_rag(session: AnswerSession) -> AnswerStream:
    """Answer in the chat model's words. Raises a `ProviderError`, possibly midway.

    When the budget is spent, the answer is the text so far or, if there is none, sentences from the hits.
    """
    material = material_of(session)
    style = MODE.style_in(session.request)
    with begin_reply(session, material, STYLE_PROMPTS[style]) as reply:
        yield from session.deltas(reply)
    return draft_of(session, material, WrittenText(reply.text, reply.cut_reason), style)


def material_of(session: AnswerSession) -> Material:
    """Collect the papers of the hits and those cited in earlier answers, as many as the budget allows."""
    request, registry = session.request, session.registry
    budget = min(BUDGET_TOKENS, int(request.budget.tokens * SOURCES_SHARE))
    sources = session.sources(registry.papers, budget, passages_of(session.result))
    earlier = as_conversation(registry, request.earlier, room_for_sources(budget, session.context_tokens) // 4)
    prompt = render(
        "rag_question",
        sources=sources.text,
        n_sources=str(len(registry.papers) - len(sources.left_out)),
        earlier=f"{earlier}\n\n" if earlier else "",
        question=" ".join(session.question.split()),
    )
    return Material(sources, prompt)


def begin_reply(session: AnswerSession, material: Material, style_prompt: str) -> BudgetedReply:
    """Ask the chat model for an answer in the style described by `style_prompt`."""
    system = render("rag_system", manner=render(style_prompt))
    return BudgetedReply(session.chat.stream(system, material.prompt))


def draft_of(
    session: AnswerSession, material: Material, written_text: WrittenText, style: Specialisation
) -> DraftAnswer:
    """Check the citations of the text, which is written in `style`. Raises `ProviderError` if nothing was written."""
    name, cut_reason = session.chat.name, written_text.cut_reason
    if not written_text.text:
        if cut_reason is None:
            raise empty_reply(name)
        note = f"{cut_reason.value} before the chat model said anything"
        return session.quote_hits("extractive (budget spent)", note, (note,))
    ran = f"RAG, {style.value}, {describe_model(name)}"
    # A reply that was cut off cannot be expected to have the requested form.
    notes = written_text.notes if cut_reason is None else (f"{cut_reason.value}: the answer was cut off there",)
    checked_reply = check_citations(written_text.text, session.registry)
    knows = not says_it_does_not_know(written_text.text)
    return DraftAnswer(
        checked_reply.text,
        checked_reply.claims,
        ran if cut_reason is None else f"{ran}, cut off",
        abstained=not knows,
        notes=(
            *_notes_on_sources(material.sources, session.registry),
            *notes,
            *(checked_reply.notes if knows else checked_reply.complaints),
        ),
        sources=session.registry.papers,
        trace=written_text.trace,
        versions=written_text.versions,
        model=name,
    )


def says_it_does_not_know(reply: str) -> bool:
    """Return whether `reply` begins with the words that the prompt prescribes when there is no answer."""
    opening = reply.replace("’", "'").lstrip(" \n\"'*_>").casefold()
    return opening.startswith((DONT_KNOW.casefold(), "i do not know"))


def _notes_on_sources(sources: Sources, registry: CitationRegistry) -> Iterator[str]:
    if sources.shortened_papers:
        places = without_room(sources.shortened_papers, registry)
        yield f"the prompt had room for only some passages of {places}: the answer does not draw on the rest of them"
    if sources.left_out:
        places = without_room(sources.left_out, registry)
        yield f"the prompt had no room for {places}: the answer does not draw on them"


MODE = AnswerMode(
    name="rag",
    label="Written from the papers found",
    help="A chat model writes the answer from the papers found.",
    icon="edit_note",
    stream=stream_rag,
    styles=(Specialisation.MULTI_PAPER, Specialisation.SINGLE_PAPER),
)
