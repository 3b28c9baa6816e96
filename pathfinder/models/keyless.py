"""An embedder whose key is missing: it knows enough about the model to open a corpus made with it."""

from collections.abc import Sequence
from dataclasses import dataclass

from pathfinder.errors import MissingKey
from pathfinder.models.ports import Kind, Vectors


@dataclass(frozen=True, slots=True)
class KeylessEmbedder:
    """Stand-in for an embedder whose key is missing; it embeds nothing."""

    name: str
    dimension: int
    max_tokens: int
    problem: str
    """Error message, which names the missing key and says what to do."""

    def is_cut(self, text: str) -> bool:
        """Return false, because nothing is embedded."""
        return False

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """Raise `MissingKey`."""
        raise MissingKey(self.problem)
