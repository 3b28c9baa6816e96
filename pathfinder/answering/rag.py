"""An answer by a chat model that is given the hits, with every citation checked afterwards."""

from collections.abc import Iterator

from pathfinder.answering.advice import DONT_KNOW
from pathfinder.answering.citations import check_citations, numbered
from pathfinder.answering.reply import Means, Reply, Replying
from pathfinder.answering.shelf import Shelf
from pathfinder.answering.sources import Sources, as_sources
from pathfinder.errors import ProviderError
from pathfinder.prompts import render
from pathfinder.retrieval.question import in_words
from pathfinder.types import AnswerRequest, SearchResult


def stream_rag(result: SearchResult, _request: AnswerRequest, means: Means) -> Replying:
    """Yield the model's words as they come; return them checked. Raises a `ProviderError`, also midway."""
    if (chat := means.chat) is None:
        raise ProviderError("no chat model is set")
    papers = tuple(hit.paper for hit in result.hits)
    shelf = Shelf(result.request.query).with_papers(papers)
    sources = as_sources(shelf, papers)
    question = " ".join(result.request.query.split())
    n_sources = str(len(papers) - len(sources.left_out))
    prompt = render("rag_question", sources=sources.text, n_sources=n_sources, question=question)
    received: list[str] = []
    yield from numbered(_kept(chat.stream(render("rag_system"), prompt), received), shelf)
    reply = "".join(received).strip()
    if not reply:
        raise ProviderError(f"{chat.name} gave an empty reply: ask again, or choose another model")
    return _checked(reply, sources, shelf, f"RAG, {in_words(chat.name)}")


def says_it_does_not_know(reply: str) -> bool:
    """Whether `reply` begins as the prompt asks a reply without an answer to begin."""
    opening = reply.replace("’", "'").lstrip(" \n\"'*_>").casefold()
    return opening.startswith((DONT_KNOW.casefold(), "i do not know"))


def _kept(pieces: Iterator[str], received: list[str]) -> Iterator[str]:
    for piece in pieces:
        received.append(piece)
        yield piece


def _checked(reply: str, sources: Sources, shelf: Shelf, ran: str) -> Reply:
    checked = check_citations(reply, shelf)
    notes = []
    if sources.left_out:
        places = ", ".join(f"[{shelf.papers.index(paper) + 1}]" for paper in sources.left_out)
        notes.append(f"the prompt had no room for {places}: the answer does not draw on them")
    notes += checked.complaints
    knows = not says_it_does_not_know(reply)
    if knows and not any(claim.citations for claim in checked.claims):
        notes.append("no sentence of this answer cites a paper: check it against the papers yourself")
    return Reply(checked.text, checked.claims, ran, abstained=not knows, notes=tuple(notes), sources=shelf.papers)
