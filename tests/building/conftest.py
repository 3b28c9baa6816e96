"""A few papers, ways to write them to files, and a build of them that needs no model."""

import contextlib
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pathfinder.building import BuildReport, Silent, build
from pathfinder.corpus.manifest import read_manifest, write_manifest
from pathfinder.errors import RateLimited
from pathfinder.models.fake import HashEmbedder
from pathfinder.models.ports import TokenVectors
from pathfinder.types import Keyword

Record = dict[str, object]

GALAXIES: Record = {
    "id": "galaxies",
    "title": "Young galaxies",
    "abstract": "Star formation in young galaxies at high redshift.",
    "date": "2024-03-01",
    "citation_count": 10,
    "authors": ["A. Author"],
}
PLANETS: Record = {
    "id": "planets",
    "title": "Hot planets",
    "abstract": "Atmospheres of hot planets in transit.",
    "year": 2024,
    "citation_count": 30,
}
PULSARS: Record = {"id": "pulsars", "title": "Pulsar timing", "abstract": "Timing noise of millisecond pulsars."}
QUASARS: Record = {
    "id": "quasars",
    "title": "Quasars",
    "abstract": "Black holes that grow in the early universe.",
    "date": "2025-01-31",
}


_TOKEN = re.compile(r"\w+|[^\w\s]")


class WordByWord(HashEmbedder):
    """A `HashEmbedder` that returns its tokens, which are words and punctuation marks, and reads only the first of
    them; kills the process at the document `killed_at`.
    """

    def __init__(self, max_tokens: int = 256, dimension: int = 384, killed_at: float = math.inf) -> None:
        super().__init__(dimension)
        self.max_tokens, self.killed_at = max_tokens, killed_at
        self.n_documents = 0

    @property
    def name(self):
        return f"fake:words-{self.dimension}"

    def is_cut(self, text):
        return len(_TOKEN.findall(text)) > self.max_tokens

    def embed(self, texts, kind):
        return self.embed_with_tokens(texts, kind)[0]

    def embed_tokens(self, texts):
        return self.embed_with_tokens(texts, "document")[1]

    def embed_with_tokens(self, texts, kind):
        if self.n_documents >= self.killed_at:
            os.kill(os.getpid(), signal.SIGKILL)
        self.n_documents += len(texts) if kind == "document" else 0
        tokens = [self._tokens(text) for text in texts]
        sums = [tokens_.vectors.sum(axis=0) for tokens_ in tokens]
        return np.array([summed / np.linalg.norm(summed) for summed in sums], np.float32), tokens

    def _tokens(self, text: str) -> TokenVectors:
        words = list(_TOKEN.finditer(text))[: self.max_tokens]
        # A token in front, as in BERT, so that a text without words has a vector too.
        vectors = [np.full(self.dimension, 1e-3), *(self._direction(word[0].lower()) for word in words)]
        spans = [(0, 0), *(word.span() for word in words)]
        ids = [101, *(2000 + zlib.crc32(word[0].lower().encode()) % 28000 for word in words)]
        return TokenVectors(np.array(vectors, np.float32), np.array(ids, np.int32), np.array(spans, np.int32))


BOTANY = """
name = "botany"
title = "Plants"
icon = "🌱"
examples = ["How do orchids find their fungi?"]
[field]
names = ["botany"]
adjective = "botanical"
experts = ["botanist"]
[abstention]
own_fields = ["biology"]
"""


class WordsAsKeywords:
    """Returns the long words of a text as its keywords; counts its calls."""

    name = "long words"

    def __init__(self) -> None:
        self.n_asked = 0

    def phrases(self, text: str, limit: int = 20) -> tuple[str, ...]:
        self.n_asked += 1
        return tuple(dict.fromkeys(word.strip(".").lower() for word in text.split() if len(word) > 6))[:limit]

    def question_keywords(self, question: str) -> tuple[Keyword, ...]:
        return tuple(map(Keyword, self.phrases(question)))


class CountingEmbedder(HashEmbedder):
    """Counts its texts and batches, and fails at the batch `fails_at`."""

    def __init__(self, dimension: int = 16, fails_at: int | None = None) -> None:
        super().__init__(dimension)
        self.n_texts, self.n_batches, self.fails_at = 0, 0, fails_at

    def embed(self, texts, kind):
        if self.n_batches == self.fails_at:
            raise RateLimited("the provider asked us to slow down: try again later")
        if kind == "document":
            self.n_batches, self.n_texts = self.n_batches + 1, self.n_texts + len(texts)
        return super().embed(texts, kind)


class Recorder(Silent):
    """Remembers what a build says, and its stages, each with its number of steps, planned and completed. Where the
    stage `stops_at` begins, given by its name or number, the disk is full.
    """

    def __init__(self, stops_at: str | int | None = None) -> None:
        self.stops_at = stops_at
        self.messages: list[str] = []
        self.stages: list[list] = []

    def start(self, stage: str, total: int | None) -> None:
        if self.stops_at in (stage, len(self.stages)):
            raise OSError("disk full")
        self.stages.append([stage, total, 0])

    def advance(self, n: int = 1) -> None:
        self.stages[-1][2] += n

    def say(self, text: str) -> None:
        self.messages.append(text)


class Killer(Silent):
    """Kills the process where a stage begins."""

    def __init__(self, stage: str) -> None:
        self.stage = stage

    def start(self, stage: str, total: int | None) -> None:
        if stage == self.stage:
            os.kill(os.getpid(), signal.SIGKILL)


def kill(program: str, *arguments: object) -> None:
    """Run a program that is killed before it ends."""
    run = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)], cwd=Path(__file__).parents[2], check=False
    )
    assert run.returncode == -signal.SIGKILL


def kill_build(stage: str, source: Path, corpus: Path, embedder: str = "HashEmbedder(16)") -> None:
    """Build a corpus, and kill that where a stage begins."""
    program = f"""
import sys
from pathlib import Path
from tests.building.conftest import *
build([Path(sys.argv[2])], Path(sys.argv[3]), {embedder}, extractor=WordsAsKeywords(), progress=Killer(sys.argv[1]))
"""
    kill(program, stage, source, corpus)


def write(path: Path, *records: Record | str) -> Path:
    lines = (record if isinstance(record, str) else json.dumps(record) for record in records)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., BuildReport]:
    """Build a corpus in `tmp_path / "corpus"`, or in the folder `out`, from records in a single source,
    `papers.jsonl`.
    """

    def build_records(*records: Record | str, out: str = "corpus", source: str = "papers.jsonl", **options):
        options.setdefault("extractor", WordsAsKeywords())
        path = write(tmp_path / source, *records)
        return build([path], tmp_path / out, options.pop("embedder", HashEmbedder(16)), **options)

    return build_records


def build_in(folder: Path, records: Iterable[Record], **options) -> BuildReport:
    """Build a corpus whose manifest names its source by the same name wherever its folder is."""
    with contextlib.chdir(folder.parent):
        path = write(Path("papers.jsonl"), *records)
        return build([path], folder, HashEmbedder(16), extractor=WordsAsKeywords(), **options)


def without_parts(folder: Path, *roles: str) -> None:
    """Turn a corpus into one from before there were such parts."""
    manifest, _ = read_manifest(folder)
    for path in (folder / manifest.parts[role].name for role in roles):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    parts = {role: part for role, part in manifest.parts.items() if role not in roles}
    write_manifest(folder, replace(manifest, parts=parts))


def content(folder: Path) -> dict[str, bytes]:
    """Return the content of every file in a folder, by name."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
