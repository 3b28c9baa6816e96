"""What a chat model wrote, handed back to one as quoted material."""

import re
from collections.abc import Sequence

from pathfinder.answering.citations import Checked
from pathfinder.answering.shelf import Shelf
from pathfinder.types import Claim

_OPENS_TAG = re.compile(r"<(?=\s*[/!?a-zA-Z])")
"""Not the sign of "z < 2": a model that copies a text would copy `&lt;` with it."""


def escaped(text: str) -> str:
    """`text` with nothing in it that could open or close a part of a prompt; its marks stay."""
    return _OPENS_TAG.sub("&lt;", text)


def with_keys(claims: Sequence[Claim], shelf: Shelf) -> str:
    """`claims` in one paragraph, each with the keys of the papers that it cites; invented ones are gone."""
    return " ".join(_with_keys(claim, shelf) for claim in claims)


def notes_on_marks(checked: Checked) -> tuple[str, ...]:
    """What the reader should know of the citations of a text."""
    if checked.invented:
        marks = ", ".join(f"[{name}]" for name in checked.invented)
        return (f"the model cited {marks}, which it was not given: marked with ? and not counted as citations",)
    if checked.claims and not any(claim.citations for claim in checked.claims):
        return ("no sentence of this answer cites a paper: check it against the papers yourself",)
    return ()


def _with_keys(claim: Claim, shelf: Shelf) -> str:
    keys = ", ".join(shelf.key(paper_id) for paper_id in claim.citations)
    return escaped(claim.text) + (f" [{keys}]" if keys else "")
