import datetime
from pathlib import Path

import pytest

from pathfinder.building import build
from pathfinder.explorer import Pathfinder
from pathfinder.models.minilm import MiniLM
from pathfinder.settings import Settings
from tests import golden

N_OTHER = 33


@pytest.fixture(scope="session")
def other_pf(tmp_path_factory: pytest.TempPathFactory) -> Pathfinder:
    """A corpus of as many papers as the golden one, and none of them in it."""
    folder = tmp_path_factory.mktemp("other")
    lines = golden.LANDMARKS.read_text(encoding="utf-8").splitlines()[golden.N_LANDMARKS :][:N_OTHER]
    source: Path = folder / "other.jsonl"
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")
    build([source], folder / "corpus", MiniLM(), snapshot=datetime.date(2025, 1, 1))
    return Pathfinder.open(folder / "corpus", settings=Settings(_env_file=None))
