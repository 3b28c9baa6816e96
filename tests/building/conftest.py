"""A few papers, ways to write them to files, and a build of them that needs no model."""

import json
import re
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pathfinder.building import BuildReport, build
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
    them.
    """

    def __init__(self, max_tokens: int = 256, dimension: int = 384) -> None:
        super().__init__(dimension)
        self.max_tokens = max_tokens
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


def content(folder: Path) -> dict[str, bytes]:
    """Return the content of every file in a folder, by name."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
