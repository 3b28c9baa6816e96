"""A folder to run in: the corpora that 0.1.0 built, their sources, and the files that the commands are given."""

import os
import shutil
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

HERE = Path(__file__).parent
CORPORA = ("landmarks", "bees")


def fill(folder: Path) -> Path:
    """Put copies of the corpora and of all input files into `folder`; nothing is written into the fixtures."""
    for name in CORPORA:
        with tarfile.open(HERE / "corpora" / f"{name}.tar.gz") as archive:
            archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Python before 3.11.4 has none
            archive.extractall(folder)
    for source in (HERE / "corpora").glob("*.json*"):
        shutil.copy(source, folder / source.name)
    shutil.copytree(HERE / "inputs", folder, dirs_exist_ok=True)
    return folder


@contextmanager
def shared_models() -> Iterator[None]:
    """Load the local embedder and the keyword extractor once for all that is run inside.

    The names below are the only ones of Pathfinder's inside that are known here, and only for speed.
    """
    from pathfinder.corpus.keywords import KeywordExtractor
    from pathfinder.models.minilm import MiniLM
    from pathfinder.settings import Settings

    embedder: Any = cache(lambda model: make_embedder(model, Settings(_env_file=None)))
    make_embedder = MiniLM.from_settings
    with (
        patch.object(MiniLM, "from_settings", lambda model, _settings: embedder(model)),
        patch.object(KeywordExtractor, "load", cache(KeywordExtractor.load)),
    ):
        yield


def run(arguments: list[str]) -> tuple[int, str, str]:
    """Run `pathfinder ARGUMENTS...` in this process and folder: its exit status, and what it wrote to out and err.

    What readers store, such as shelves, is in the folder `data`.
    """
    from pathfinder.cli import main

    out, err = StringIO(), StringIO()
    data = patch.dict(os.environ, PATHFINDER_DATA=str(Path("data").resolve()))
    with data, redirect_stdout(out), redirect_stderr(err):
        status = main(arguments)
    return status, out.getvalue(), err.getvalue()
