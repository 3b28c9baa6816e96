import importlib.util

import numpy as np
import pytest

from pathfinder.errors import MissingDependency, ModelError
from pathfinder.models.loading import load_embedder, load_reranker
from pathfinder.models.ports import Embedder, Reranker
from pathfinder.models.sentence_transformers_models import CrossEncoderReranker, SentenceTransformersEmbedder
from pathfinder.settings import Settings


class PlainEncoder:
    """Counts a's, b's and c's; every letter is a token."""

    max_seq_length = 4

    def encode(self, inputs, **options):
        assert options == {"convert_to_numpy": True, "show_progress_bar": False}
        return np.array([[text.count(letter) for letter in "abc"] for text in inputs], dtype=np.float16)

    def tokenizer(self, text, *, truncation):
        assert not truncation
        return {"input_ids": list(text)}


class TwoSidedEncoder(PlainEncoder):
    """Puts "a" before a query and "b" before a document."""

    def encode_query(self, inputs, **options):
        return self.encode([f"a{text}" for text in inputs], **options)

    def encode_document(self, inputs, **options):
        return self.encode([f"b{text}" for text in inputs], **options)


@pytest.mark.skipif(importlib.util.find_spec("sentence_transformers") is not None, reason="the extra is installed")
def test_without_the_extra_its_name_is_told():
    models = ((load_embedder, "sentence-transformers:all-mpnet-base-v2"), (load_reranker, "cross-encoder:me/letters"))
    for load, name in models:
        with pytest.raises(MissingDependency, match=r"pip install 'pathfinder\[sentence-transformers\]'"):
            load(name, Settings(_env_file=None))


@pytest.mark.parametrize("text", ["", "xyz"])
def test_a_vector_without_a_direction_is_an_error(text):
    embedder = SentenceTransformersEmbedder("letters", PlainEncoder())
    with pytest.raises(ModelError, match="sentence-transformers:letters returned a vector without a direction"):
        embedder.embed(["abc", text], "query")


def test_an_encoder_with_two_sides_is_told_which_it_has_and_one_with_one_side_is_asked_the_same_for_both():
    embedder = SentenceTransformersEmbedder("letters", TwoSidedEncoder())
    assert embedder.embed(["a"], "query").tolist() == [[1, 0, 0]]
    assert embedder.embed(["a"], "document") == pytest.approx(np.array([[1, 1, 0]]) / np.sqrt(2))
    embedder = SentenceTransformersEmbedder("letters", PlainEncoder())
    assert embedder.embed(["ab"], "query").tolist() == embedder.embed(["ab"], "document").tolist()


def test_vectors_are_float32_unit_vectors_in_the_order_of_their_texts():
    embedder = SentenceTransformersEmbedder("letters", PlainEncoder())
    vectors = embedder.embed(["c", "aaab", "a"], "document")
    assert vectors == pytest.approx(np.array([[0, 0, 1], np.array([3, 1, 0]) / np.sqrt(10), [1, 0, 0]]))
    assert vectors.dtype == np.float32
    assert embedder.embed([], "document").shape == (0, 3)
    assert isinstance(embedder, Embedder)
    assert (embedder.name, embedder.dimension, embedder.max_tokens) == ("sentence-transformers:letters", 3, 4)


def test_a_text_is_cut_after_the_last_token_that_the_model_takes_if_it_has_a_limit():
    embedder = SentenceTransformersEmbedder("letters", TwoSidedEncoder())
    assert [embedder.is_cut(text) for text in ("", "abca", "abcab")] == [False, False, True]
    for limit in (None, float("inf")):
        encoder = TwoSidedEncoder()
        encoder.max_seq_length = limit
        assert not SentenceTransformersEmbedder("letters", encoder).is_cut("abc" * 1000)


# Rerankers ------------------------------------------------------------------------------------------


class LetterEncoder:
    """Scores a pair by the letters that both texts have; `shape` and `spoilt` make it another model than we want."""

    def __init__(self, shape=None, spoilt=None):
        self._shape, self._spoilt, self.n_calls = shape, spoilt, 0

    def predict(self, inputs, **options):
        assert options == {"show_progress_bar": False}
        self.n_calls += 1
        scores = np.array([len(set(query) & set(text)) for query, text in inputs], dtype=np.float32)
        if self._spoilt is not None:
            scores[-1] = self._spoilt
        return scores if self._shape is None else np.resize(scores, self._shape)


@pytest.mark.parametrize("shape", [(3, 2), (2,), (3, 3), ()])
def test_a_model_that_gives_a_pair_several_scores_is_an_error(shape):
    reranker = CrossEncoderReranker("me/letters", LetterEncoder(shape))
    with pytest.raises(ModelError, match=r"cross-encoder:me/letters.*shape"):
        reranker.rerank("abc", ["a", "b", "c"])


@pytest.mark.parametrize("spoilt", [np.nan, np.inf])
def test_a_score_that_is_no_number_is_an_error(spoilt):
    with pytest.raises(ModelError, match="'dwarfs'"):
        CrossEncoderReranker("me/letters", LetterEncoder(spoilt=spoilt)).rerank("abc", ["a", "dwarfs"])


@pytest.mark.parametrize("shape", [None, (3, 1)])
def test_scores_are_float64_in_the_order_of_their_documents(shape):
    encoder = LetterEncoder(shape)
    reranker = CrossEncoderReranker("me/letters", encoder)
    assert isinstance(reranker, Reranker)
    assert reranker.name == "cross-encoder:me/letters"
    scores = reranker.rerank("abc", ["xyz", "cab", "axe"])
    assert (scores.tolist(), scores.dtype) == ([0, 3, 1], np.float64)
    assert reranker.rerank("abc", []).shape == (0,)
    assert encoder.n_calls == 1
