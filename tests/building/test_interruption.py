"""A build that is killed leaves the corpus as it was, and the next one ends as if nothing had happened."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pathfinder.building import build
from pathfinder.building.progress import Silent
from pathfinder.corpus.store import open_corpus, verify_corpus
from pathfinder.errors import CorpusError, RateLimited
from pathfinder.models.fake import HashEmbedder
from tests.building.conftest import GALAXIES, PLANETS, PULSARS, WordsAsKeywords, content, write

pytestmark = pytest.mark.build

ROOT = Path(__file__).parents[2]

KILLED_PROGRAM = """
import os, signal, sys
from pathlib import Path
from pathfinder.building import Silent, build
from pathfinder.models.fake import HashEmbedder
from tests.building.conftest import WordsAsKeywords
class Killer(Silent):
    def start(self, stage, total):
        if stage == sys.argv[1]:
            os.kill(os.getpid(), signal.SIGKILL)
build([Path(sys.argv[2])], Path(sys.argv[3]), HashEmbedder(16), extractor=WordsAsKeywords(), progress=Killer())
"""


def kill(stage: str, source: Path, corpus: Path) -> None:
    run = subprocess.run([sys.executable, "-c", KILLED_PROGRAM, stage, source, corpus], cwd=ROOT, check=False)
    assert run.returncode == -signal.SIGKILL


class CountingEmbedder(HashEmbedder):
    n_documents = 0

    def embed(self, texts, kind):
        self.n_documents += len(texts) if kind == "document" else 0
        return super().embed(texts, kind)


@pytest.mark.parametrize(
    "stage", ["embedding", *(pytest.param(stage, marks=pytest.mark.soak) for stage in ("keywords", "checking"))]
)
def test_a_killed_first_build_is_no_corpus_and_the_next_one_ends_in_the_same_bytes(make, tmp_path, stage):
    kill(stage, write(tmp_path / "papers.jsonl", GALAXIES, PLANETS), tmp_path / "corpus")
    with pytest.raises(CorpusError, match="a stopped build resumes where it left off"):
        open_corpus(tmp_path / "corpus")
    embedder, extractor = CountingEmbedder(16), WordsAsKeywords()
    make(GALAXIES, PLANETS, embedder=embedder, extractor=extractor)
    # Two papers and their titles; their keywords are extracted at the same time.
    assert embedder.n_documents == (2 + 2 if stage == "embedding" else 0)
    assert extractor.n_asked == (2 if stage == "embedding" else 0)
    make(GALAXIES, PLANETS, out="undisturbed")
    assert content(tmp_path / "corpus") == content(tmp_path / "undisturbed")


def test_a_build_that_is_killed_while_it_adds_leaves_the_corpus_as_it_was(make, tmp_path):
    make(GALAXIES)
    manifest = (tmp_path / "corpus" / "manifest.json").read_bytes()
    kill("checking", write(tmp_path / "more.jsonl", PLANETS), tmp_path / "corpus")
    assert (tmp_path / "corpus" / "manifest.json").read_bytes() == manifest
    assert verify_corpus(tmp_path / "corpus").papers.paper_ids() == ("galaxies",)
    assert make(PLANETS).n_new == 1
    assert verify_corpus(tmp_path / "corpus").papers.paper_ids() == ("galaxies", "planets")


def test_what_a_killed_build_left_lying_is_cleared_away(make, tmp_path):
    make(GALAXIES)
    kill("checking", write(tmp_path / "more.jsonl", PLANETS), tmp_path / "corpus")
    # These are not the papers of the killed build, so nothing will ever refer to its parts.
    make(PULSARS)
    make(GALAXIES, out="undisturbed")
    make(PULSARS, out="undisturbed")
    assert content(tmp_path / "corpus") == content(tmp_path / "undisturbed")


def test_a_build_that_ends_in_an_error_keeps_what_was_embedded_until_the_manifest_is_there(tmp_path):
    class Failing(Silent):
        def start(self, stage: str, total: int | None) -> None:
            if stage == "indexing words":
                raise RateLimited("slow down")

    source, corpus = write(tmp_path / "papers.jsonl", GALAXIES, PLANETS), tmp_path / "corpus"
    with pytest.raises(RateLimited):
        build([source], corpus, HashEmbedder(16), extractor=WordsAsKeywords(), progress=Failing())
    assert (corpus / ".journal").exists()
    embedder = CountingEmbedder(16)
    build([source], corpus, embedder, extractor=WordsAsKeywords())
    assert embedder.n_documents == 0
    assert not (corpus / ".journal").exists()


def test_a_journal_that_is_another_file_is_not_overwritten(make, tmp_path):
    make(GALAXIES)
    (tmp_path / "corpus" / ".journal").write_bytes(b"not ours")
    with pytest.raises(CorpusError, match="is not a journal"):
        make(PLANETS)
