"""An answer by a chat model that is given the hits, with every citation checked afterwards."""

from collections.abc import Generator
from dataclasses import dataclass

from pathfinder.answering.advice import DONT_KNOW
from pathfinder.answering.citations import check_citations
from pathfinder.answering.sources import Sources, as_sources
from pathfinder.errors import ProviderError
from pathfinder.models.ports import ChatModel
from pathfinder.prompts import render
from pathfinder.types import Claim, Hit


@dataclass(frozen=True, slots=True)
class Reply:
    """What a chat model made of the hits, checked."""

    text: str
    claims: tuple[Claim, ...]
    abstained: bool
    notes: tuple[str, ...]


def stream_reply(question: str, hits: tuple[Hit, ...], chat: ChatModel) -> Generator[str, None, Reply]:
    """Yield the model's words as they come; return them checked. Raises a `ProviderError`, also midway."""
    sources = as_sources(hits)
    prompt = render(
        "rag_question", sources=sources.text, n_sources=str(len(sources.paper_ids)), question=" ".join(question.split())
    )
    pieces = []
    for piece in chat.stream(render("rag_system"), prompt):
        pieces.append(piece)
        yield piece
    reply = "".join(pieces).strip()
    if not reply:
        raise ProviderError(f"{chat.name} gave an empty reply: ask again, or choose another model")
    return _checked(reply, sources)


def says_it_does_not_know(reply: str) -> bool:
    """Whether `reply` begins as the prompt asks a reply without an answer to begin."""
    opening = reply.replace("’", "'").lstrip(" \n\"'*_>").casefold()
    return opening.startswith((DONT_KNOW.casefold(), "i do not know"))


def _checked(reply: str, sources: Sources) -> Reply:
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
    return Reply(checked.text, checked.claims, not knows, tuple(notes))
