"""What is said of what was found."""

from dataclasses import dataclass

from pathfinder.types.results import Stage


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence of an answer and the papers that it cites."""

    text: str
    """Without its [n] marks."""
    citations: tuple[str, ...]
    """Paper ids, all of them hits of the result that was answered from."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Words for a question, each sentence with its papers."""

    question: str
    text: str
    """With [n] marks; n is the rank of a hit."""
    claims: tuple[Claim, ...]
    abstained: bool
    stages: tuple[Stage, ...]
    notes: tuple[str, ...] = ()
    """What went wrong or was refused on the way: a provider's failure, an invented citation."""
