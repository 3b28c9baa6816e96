"""Vectors are computed only once, however often the build is stopped."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from pathfinder.building.embedding import TEXTS_PER_BATCH, describe_cost, embed, without_keywords, write_vectors
from pathfinder.building.progress import Silent
from pathfinder.corpus.journal import Journal
from pathfinder.errors import ModelError, RateLimited
from pathfinder.models.fake import HashEmbedder
from pathfinder.models.ports import CostEstimate
from pathfinder.types import Paper
from tests.building.conftest import CountingEmbedder, WordsAsKeywords

N_PAPERS = 2 * TEXTS_PER_BATCH + 10
PAPERS = [Paper(f"id{i}", f"Title {i}", f"An abstract about matter {i % 50} and {i}.") for i in range(N_PAPERS)]


def embed_papers(path: Path, embedder: HashEmbedder, papers: Sequence[Paper] = PAPERS) -> list[bytes]:
    with Journal(path) as journal:
        return [batch.tobytes() for batch in embed(papers, embedder, journal, Silent())]


def test_vectors_come_in_the_order_of_the_papers(tmp_path):
    with Journal(tmp_path / "journal") as journal:
        vectors = np.concatenate(list(embed(PAPERS, HashEmbedder(8), journal, Silent())))
    np.testing.assert_array_equal(vectors, HashEmbedder(8).embed([paper.text for paper in PAPERS], "document"))


def test_what_was_paid_for_before_an_error_is_kept_and_nothing_is_embedded_twice(tmp_path):
    with pytest.raises(RateLimited):
        embed_papers(tmp_path / "journal", CountingEmbedder(8, fails_at=2))
    for n_left in (N_PAPERS - 2 * TEXTS_PER_BATCH, 0):
        rest = CountingEmbedder(8)
        assert embed_papers(tmp_path / "journal", rest) == embed_papers(tmp_path / "undisturbed", HashEmbedder(8))
        assert rest.n_texts == n_left


def test_a_batch_of_which_something_is_missing_is_embedded_whole(tmp_path):
    # The other texts in a batch may change the last bits of a vector.
    embed_papers(tmp_path / "journal", HashEmbedder(8), PAPERS[: TEXTS_PER_BATCH - 1])
    embedder = CountingEmbedder(8)
    embed_papers(tmp_path / "journal", embedder, PAPERS[:TEXTS_PER_BATCH])
    assert embedder.n_texts == TEXTS_PER_BATCH


def test_another_embedder_finds_nothing_in_the_journal(tmp_path):
    embed_papers(tmp_path / "journal", HashEmbedder(16))
    embedder = CountingEmbedder(8)
    embed_papers(tmp_path / "journal", embedder)
    assert embedder.n_texts == N_PAPERS


@pytest.mark.parametrize("spoil", [lambda v: v * np.nan, lambda v: v[:, 1:], lambda v: v[1:]])
def test_what_is_no_vector_is_refused_and_not_kept(tmp_path, spoil):
    class Spoilt(HashEmbedder):
        def embed(self, texts, kind):
            return spoil(super().embed(texts, kind))

    with pytest.raises(ModelError, match="fake:hash-8"):
        embed_papers(tmp_path / "journal", Spoilt(8))
    with Journal(tmp_path / "journal") as journal:
        assert len(journal) == 0


def test_vectors_are_rounded_as_the_index_rounds_them(tmp_path):
    vectors = HashEmbedder(8).embed(["a", "b", "c"], "document")
    vector_file = write_vectors([vectors[:2], vectors[2:]], 3, 8, tmp_path / "vectors")
    np.testing.assert_array_equal(vector_file, vectors.astype(np.float16).astype(np.float32))
    assert write_vectors([], 0, 8, tmp_path / "none").shape == (0, 8)


def test_the_cost_is_told_for_what_is_not_embedded_yet(tmp_path):
    class Paid(HashEmbedder):
        def estimate(self, texts):
            n_tokens = sum(1 for _ in texts) * 1000
            return CostEstimate(n_tokens, n_tokens * 2e-5, "July 2026")

    with Journal(tmp_path / "journal") as journal:
        list(embed(PAPERS[:10], Paid(8), journal, Silent()))
        assert describe_cost(PAPERS[:30], Paid(8), journal) == (
            "embedding with fake:hash-8 will cost about $0.40 (20,000 tokens, at the price of July 2026)"
        )
        assert describe_cost(PAPERS, HashEmbedder(8), journal) is None


def test_keywords_are_extracted_batch_by_batch_beside_the_vectors(tmp_path):
    extractor = WordsAsKeywords()
    with Journal(tmp_path / "journal") as journal:
        with pytest.raises(RateLimited):
            list(embed(PAPERS, CountingEmbedder(8, fails_at=1), journal, Silent(), extractor=extractor))
        # The first batch was stored with its keywords; the second failed, so its keywords are extracted again.
        assert without_keywords(PAPERS[:TEXTS_PER_BATCH], extractor, journal) == {}
        assert len(without_keywords(PAPERS, extractor, journal)) == N_PAPERS - TEXTS_PER_BATCH
        list(embed(PAPERS, HashEmbedder(8), journal, Silent(), extractor=extractor))
        assert without_keywords(PAPERS, extractor, journal) == {}
        n_extracted = extractor.n_asked
        list(embed(PAPERS, HashEmbedder(8), journal, Silent(), extractor=extractor))
        assert extractor.n_asked == n_extracted
