"""An answer by a chat model that is given the hits, with every citation checked afterwards."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace

from pathfinder.answering.advice import DONT_KNOW
from pathfinder.answering.broad import Said, kept, stream_broad
from pathfinder.answering.citations import check_citations, numbered
from pathfinder.answering.conversation import as_conversation, earlier_papers
from pathfinder.answering.extractive import extract
from pathfinder.answering.reply import Means, Reply, Replying
from pathfinder.answering.shelf import Shelf
from pathfinder.answering.sources import BUDGET_TOKENS, Sources, as_sources
from pathfinder.answering.spending import Spending, Spent
from pathfinder.errors import ProviderError
from pathfinder.prompts import render
from pathfinder.retrieval.question import in_words
from pathfinder.types import AnswerRequest, Ended, SearchResult, Specialisation, Step

MANNERS = {
    Specialisation.SINGLE_PAPER: "rag_single_paper",
    Specialisation.MULTI_PAPER: "rag_multi_paper",
    Specialisation.BROAD: "rag_broad",
}
"""The prompt that says what the answer should be like. A bibliometric question is answered with a query instead."""

SOURCES_SHARE = 0.5
"""Of the token budget, at most: the rest is for the orders, the conversation and the answer."""


@dataclass(frozen=True, slots=True)
class _Material:
    shelf: Shelf
    sources: Sources
    prompt: str


def stream_rag(result: SearchResult, request: AnswerRequest, means: Means) -> Replying:
    """Yield the model's words as they come; return them checked. Raises a `ProviderError`, also midway.

    At the end of the budget, the answer is what was said by then; where nothing was, sentences of the hits.
    """
    if (chat := means.chat) is None:
        raise ProviderError("no chat model is set: name one, or ask for an extractive answer")
    material = _material(result, request)
    system = render("rag_system", manner=render(MANNERS[request.specialisation]))
    stream = stream_broad if request.specialisation is Specialisation.BROAD else _stream_plain
    cut: list[Ended] = []
    pieces = _until_spent(Spending(request.budget, means.clock).stream(chat, system, material.prompt), cut)
    said = yield from stream(pieces, material.shelf)
    if cut and not said.text:
        return _from_the_hits(result, means, material.shelf, cut[0])
    if not said.text:
        raise ProviderError(f"{chat.name} gave an empty reply: ask again, or choose another model")
    ran = f"RAG, {request.specialisation.value}, {in_words(chat.name)}"
    if not cut:
        return _checked(said, material, ran)
    # What is cut off follows no orders on its form.
    said = replace(said, notes=(f"{cut[0].value}: the answer was cut off there",))
    return _checked(said, material, f"{ran}, cut off")


def says_it_does_not_know(reply: str) -> bool:
    """Whether `reply` begins as the prompt asks a reply without an answer to begin."""
    opening = reply.replace("’", "'").lstrip(" \n\"'*_>").casefold()
    return opening.startswith((DONT_KNOW.casefold(), "i do not know"))


def _material(result: SearchResult, request: AnswerRequest) -> _Material:
    """The hits' papers, then those that earlier answers cite."""
    hits = tuple(hit.paper for hit in result.hits)
    shelf = Shelf(result.request.query).with_papers(hits).with_papers(earlier_papers(request.earlier))
    budget = min(BUDGET_TOKENS, int(request.budget.tokens * SOURCES_SHARE))
    passages = {hit.paper.paper_id: hit.passages for hit in result.hits}
    sources = as_sources(shelf, shelf.papers, budget, passages)
    earlier = as_conversation(shelf, request.earlier, budget // 4)
    prompt = render(
        "rag_question",
        sources=sources.text,
        n_sources=str(len(shelf.papers) - len(sources.left_out)),
        earlier=f"{earlier}\n\n" if earlier else "",
        question=" ".join(result.request.query.split()),
    )
    return _Material(shelf, sources, prompt)


def _until_spent(pieces: Iterator[str], cut: list[Ended]) -> Iterator[str]:
    """`pieces` up to the end of the budget, which is then noted in `cut`."""
    try:
        yield from pieces
    except Spent as spent:
        cut.append(spent.ended)


def _from_the_hits(result: SearchResult, means: Means, shelf: Shelf, ended: Ended) -> Reply:
    """Where the budget ended before anything was said: sentences of the hits."""
    text, claims = extract(result.request.query, result.hits, means.embedder)
    note = f"{ended.value} before the chat model said anything"
    return Reply(text, claims, "extractive (budget spent)", notes=(note,), sources=shelf.papers)


def _stream_plain(pieces: Iterator[str], shelf: Shelf) -> Generator[str | Step, None, Said]:
    received: list[str] = []
    yield from numbered(kept(pieces, received), shelf)
    return Said("".join(received).strip())


def _checked(said: Said, material: _Material, ran: str) -> Reply:
    shelf = material.shelf
    checked = check_citations(said.text, shelf)
    knows = not says_it_does_not_know(said.text)
    notes = [*_of_sources(material.sources, shelf), *said.notes, *checked.complaints]
    if knows and not any(claim.citations for claim in checked.claims):
        notes.append("no sentence of this answer cites a paper: check it against the papers yourself")
    return Reply(
        checked.text,
        checked.claims,
        ran,
        abstained=not knows,
        notes=tuple(notes),
        sources=shelf.papers,
        trace=said.trace,
        versions=said.versions,
    )


def _of_sources(sources: Sources, shelf: Shelf) -> Iterator[str]:
    if sources.shortened:
        places = ", ".join(f"[{shelf.papers.index(paper) + 1}]" for paper in sources.shortened)
        yield f"the prompt had room for passages only of {places}: the answer does not draw on the rest of them"
    if sources.left_out:
        places = ", ".join(f"[{shelf.papers.index(paper) + 1}]" for paper in sources.left_out)
        yield f"the prompt had no room for {places}: the answer does not draw on them"
