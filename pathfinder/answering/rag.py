"""An answer by a chat model that is given the hits, with every citation checked afterwards."""

from pathfinder.answering.advice import DONT_KNOW
from pathfinder.answering.citations import check_citations
from pathfinder.answering.reply import Means, Reply, Replying
from pathfinder.answering.sources import Sources, as_sources
from pathfinder.errors import ProviderError
from pathfinder.prompts import render
from pathfinder.retrieval.question import in_words
from pathfinder.types import AnswerRequest, SearchResult


def stream_rag(result: SearchResult, _request: AnswerRequest, means: Means) -> Replying:
    """Yield the model's words as they come; return them checked. Raises a `ProviderError`, also midway."""
    if (chat := means.chat) is None:
        raise ProviderError("no chat model is set")
    sources = as_sources(result.hits)
    question = " ".join(result.request.query.split())
    prompt = render("rag_question", sources=sources.text, n_sources=str(len(sources.paper_ids)), question=question)
    pieces = []
    for piece in chat.stream(render("rag_system"), prompt):
        pieces.append(piece)
        yield piece
    reply = "".join(pieces).strip()
    if not reply:
        raise ProviderError(f"{chat.name} gave an empty reply: ask again, or choose another model")
    return _checked(reply, sources, result, f"RAG, {in_words(chat.name)}")


def says_it_does_not_know(reply: str) -> bool:
    """Whether `reply` begins as the prompt asks a reply without an answer to begin."""
    opening = reply.replace("’", "'").lstrip(" \n\"'*_>").casefold()
    return opening.startswith((DONT_KNOW.casefold(), "i do not know"))


def _checked(reply: str, sources: Sources, result: SearchResult, ran: str) -> Reply:
    checked = check_citations(reply, sources.paper_ids)
    notes = []
    if sources.left_out:
        ranks = ", ".join(f"[{rank}]" for rank in sources.left_out)
        notes.append(f"the prompt had no room for {ranks}: the answer does not draw on them")
    if checked.invented:
        marks = ", ".join(f"[{number}]" for number in checked.invented)
        notes.append(f"the model cited {marks}, which it was not given: marked with ? and not counted as citations")
    knows = not says_it_does_not_know(reply)
    if knows and not any(claim.citations for claim in checked.claims):
        notes.append("no sentence of this answer cites a paper: check it against the papers yourself")
    papers = tuple(hit.paper for hit in result.hits)
    return Reply(checked.text, checked.claims, ran, abstained=not knows, notes=tuple(notes), sources=papers)
