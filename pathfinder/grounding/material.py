"""Prepares text written by a chat model for use in a later prompt."""

import re
from collections.abc import Sequence

from pathfinder.grounding.citations import CheckedReply
from pathfinder.grounding.conversation import as_conversation
from pathfinder.grounding.registry import CitationRegistry
from pathfinder.types import Claim, Exchange, Paper

_OPENS_TAG = re.compile(r"<(?=\s*[/!?a-zA-Z])")
"""The "<" that opens a tag, but not the sign in "z < 2": if that were escaped, a model that copies the text would copy
`&lt;` too.
"""


def escape(text: str) -> str:
    """Escape everything in `text` that could open or close a part of a prompt; keep its citation marks."""
    return _OPENS_TAG.sub("&lt;", text)


def with_keys(claims: Sequence[Claim], registry: CitationRegistry) -> str:
    """Write `claims` as one paragraph, each with the keys of the papers that it cites; invented keys are left out."""
    return " ".join(_with_keys(claim, registry) for claim in claims)


def conversation(registry: CitationRegistry, earlier: Sequence[Exchange]) -> str:
    """Write the earlier questions and answers as the beginning of a prompt; empty if there are none."""
    text = as_conversation(registry, earlier)
    return f"{text}\n\n" if text else ""


def each_once(*papers: Paper) -> tuple[Paper, ...]:
    """List `papers` in order without duplicates."""
    return tuple({paper.paper_id: paper for paper in papers}.values())


def without_room(left_out: Sequence[Paper], registry: CitationRegistry) -> str:
    """List the numbers of papers that did not fit into a prompt: "[4], [7]"."""
    return ", ".join(f"[{registry.papers.index(paper) + 1}]" for paper in left_out)


def notes_on_marks(checked_reply: CheckedReply) -> tuple[str, ...]:
    """List what the reader should know about the citations in a text."""
    if checked_reply.claims and not any(claim.citations for claim in checked_reply.claims):
        return (
            *checked_reply.complaints,
            "no sentence in this answer cites a paper: check it against the papers yourself",
        )
    return checked_reply.complaints


def _with_keys(claim: Claim, registry: CitationRegistry) -> str:
    keys = ", ".join(registry.key(paper_id) for paper_id in claim.citations)
    return escape(claim.text) + (f" [{keys}]" if keys else "")
