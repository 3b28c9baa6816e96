"""What every step of one build works with."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pathfinder.building.pieces import PieceMaker
from pathfinder.building.progress import Progress
from pathfinder.building.workplace import Workplace
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.corpus.parts import Part, place_part
from pathfinder.models.ports import Embedder


@dataclass(frozen=True, slots=True)
class Tools:
    """The place, the models, and whoever is told how far it is."""

    place: Workplace
    embedder: Embedder
    extractor: KeywordExtractor
    progress: Progress
    pieces: PieceMaker | None = None
    """`None`: papers are not cut into passages."""

    def make_part(self, role: str, name: str, write: Callable[[Path], None]) -> Part:
        """Let `write` write a file or a folder called `name`, and place it in the corpus as the part `role`."""
        staged = self.place.staging / name
        write(staged)
        return place_part(staged, role, self.place.corpus)
