import pytest

from pathfinder.building import build
from pathfinder.facade import Pathfinder
from pathfinder.models.minilm import MiniLM
from tests.building.conftest import GALAXIES, PLANETS, PULSARS, write


@pytest.fixture
def undated(tmp_path):
    """Three papers of which no one knows when they appeared."""
    timeless = ("year", "date", "published")
    papers = [{k: v for k, v in paper.items() if k not in timeless} for paper in (GALAXIES, PLANETS, PULSARS)]
    source = write(tmp_path / "papers.jsonl", *papers)
    build([source], tmp_path / "corpus", MiniLM())
    return Pathfinder.open(tmp_path / "corpus")
