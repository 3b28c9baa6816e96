"""Closeness of sentences to a question, from stored tokens, tokens computed on the spot, or vectors."""

import numpy as np
import pytest

from pathfinder.answering.digest.scoring import MAX_READ, Abstract, closeness_of
from pathfinder.index.ports import Tokens
from pathfinder.models.fake import HashEmbedder
from tests.building.conftest import WordByWord

DUST = Abstract(0, "Dust", ("Dust is cold.", "The rate of expansion is high."))


class TokensOnDisk:
    """Tokens of one paper with two sentences, in two dimensions: the first lies along x, the second along y."""

    def gather(self, rows):
        vectors = np.array([[1, 0], [1, 0], [0, 1]], dtype=np.float32)
        return Tokens(vectors, np.array([7, 8, 9]), np.array([0, 1, 2]), np.array([0, 3]))

    def project(self, vectors):
        return np.tile(np.array([0.6, 0.8], dtype=np.float32), (len(vectors), 1))


def test_stored_tokens_are_compared_sentence_by_sentence():
    (close,) = closeness_of("rate", [DUST], WordByWord(), TokensOnDisk())
    assert close.meaning == pytest.approx([0.6, 0.8])  # the title, sentence 0, does not count
    assert close.token_match == pytest.approx([0.6, 0.8])


def test_abstracts_are_read_where_no_tokens_are_stored():
    (close,) = closeness_of("rate of expansion", [DUST], WordByWord())
    assert close.token_match[1] == pytest.approx(1, abs=1e-3)  # all three words occur
    assert close.token_match[0] < 0.5


def test_an_embedder_without_tokens_compares_vectors():
    (close,) = closeness_of("the rate of expansion is high", [DUST], HashEmbedder(1024))
    assert close.meaning[1] == pytest.approx(1, abs=1e-5)
    assert (close.meaning == close.token_match).all()


def test_only_as_much_is_read_as_half_a_second_allows():
    long = Abstract(0, "Long", ("x" * (MAX_READ - 1),))
    assert len(closeness_of("rate", [long, DUST, DUST], HashEmbedder())) == 1
    assert len(closeness_of("rate", [DUST, DUST, DUST], HashEmbedder())) == 3


def test_a_full_text_of_which_nothing_is_left_to_read_takes_nothing_from_the_next_paper():
    read = Abstract(0, "Dust", DUST.sentences, has_full_text=True)
    unread = Abstract(0, "Dust", (*DUST.sentences, "It glows.", "It drifts."), has_full_text=True)
    tokens = TokensOnDisk()
    tokens.gather = lambda rows: Tokens(
        np.array([[1, 0], [0, 1]] * len(rows), dtype=np.float32),
        np.array([7, 8] * len(rows)),
        np.array([1, 2] * len(rows)),
        np.arange(len(rows) + 1) * 2,
    )
    sizes = [len(close.meaning) for close in closeness_of("rate", [read, unread, DUST], WordByWord(), tokens)]
    assert sizes == [2, 4, 2]
