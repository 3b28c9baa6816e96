import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
EMBED = "from pathfinder.models.minilm import MiniLM; MiniLM().embed(['a galaxy'], 'query')"


def test_embedding_reports_to_nobody(tmp_path: Path) -> None:
    # onnxruntime keeps what it is about to send in the home folder; it holds still where CI is set, so it is not here.
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", EMBED], env=environment, check=True)
    assert list(tmp_path.iterdir()) == []
