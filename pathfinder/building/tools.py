"""Tools shared by the steps of one build."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pathfinder.building.directory import BuildDirectory
from pathfinder.building.passage_maker import PassageMaker
from pathfinder.building.progress import Progress
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.corpus.parts import CorpusFile, place_part
from pathfinder.index.milvus import CollectionName
from pathfinder.models.ports import Embedder


@dataclass(frozen=True, slots=True)
class Tools:
    """The build directory, the models, and the progress display."""

    place: BuildDirectory
    embedder: Embedder
    """Embedder for questions and other short texts."""
    paper_embedder: Embedder
    """The same model in the form that embeds papers."""
    extractor: KeywordExtractor
    progress: Progress
    passage_maker: PassageMaker | None = None
    """Passage maker; if `None`, papers are not divided into passages."""
    vector_limit: float | None = None
    """Largest coordinate of vectors that are stored with one byte per coordinate; `None` for 16-bit floats."""

    collection: CollectionName | None = None
    """Collection on a Milvus server that holds the papers' vectors; `None` if a file holds them."""

    def make_part(self, role: str, name: str, write: Callable[[Path], None]) -> CorpusFile:
        """Have `write` create a file or folder called `name`, and move it into the corpus as the part `role`."""
        staging_path = self.place.staging / name
        write(staging_path)
        return place_part(staging_path, role, self.place.corpus)
