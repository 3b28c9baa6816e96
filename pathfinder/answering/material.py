"""What a chat model wrote, handed back to one as quoted material."""

import re
from collections.abc import Generator, Iterable, Iterator, Sequence

from pathfinder.answering.citations import Checked, numbered
from pathfinder.answering.conversation import as_conversation
from pathfinder.answering.shelf import Shelf
from pathfinder.types import Claim, Exchange, Paper

_OPENS_TAG = re.compile(r"<(?=\s*[/!?a-zA-Z])")
"""Not the sign of "z < 2": a model that copies a text would copy `&lt;` with it."""


def escaped(text: str) -> str:
    """`text` with nothing in it that could open or close a part of a prompt; its marks stay."""
    return _OPENS_TAG.sub("&lt;", text)


def with_keys(claims: Sequence[Claim], shelf: Shelf) -> str:
    """`claims` in one paragraph, each with the keys of the papers that it cites; invented ones are gone."""
    return " ".join(_with_keys(claim, shelf) for claim in claims)


def conversation(shelf: Shelf, earlier: Sequence[Exchange]) -> str:
    """What was asked and answered before as a part of a prompt that others follow; nothing where there is none."""
    told = as_conversation(shelf, earlier)
    return f"{told}\n\n" if told else ""


def each_once(*papers: Paper) -> tuple[Paper, ...]:
    """`papers` in their order, none of them twice."""
    return tuple({paper.paper_id: paper for paper in papers}.values())


def without_room(left_out: Sequence[Paper], shelf: Shelf) -> str:
    """The places of the papers that a prompt had no room for: "[4], [7]"."""
    return ", ".join(f"[{shelf.papers.index(paper) + 1}]" for paper in left_out)


def shown(pieces: Iterable[str], shelf: Shelf) -> Generator[str, None, str]:
    """Yield a reply as it comes, with places for keys; return it as it was written."""
    received: list[str] = []

    def kept() -> Iterator[str]:
        for piece in pieces:
            received.append(piece)
            yield piece

    yield from numbered(kept(), shelf)
    return "".join(received).strip()


def notes_on_marks(checked: Checked) -> tuple[str, ...]:
    """What the reader should know of the citations of a text."""
    if checked.claims and not any(claim.citations for claim in checked.claims):
        return (*checked.complaints, "no sentence of this answer cites a paper: check it against the papers yourself")
    return checked.complaints


def _with_keys(claim: Claim, shelf: Shelf) -> str:
    keys = ", ".join(shelf.key(paper_id) for paper_id in claim.citations)
    return escaped(claim.text) + (f" [{keys}]" if keys else "")
