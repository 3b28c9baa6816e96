import importlib.util

import numpy as np
import pytest

from pathfinder.errors import MissingDependency, ModelError
from pathfinder.models.loading import load_reranker
from pathfinder.models.ports import Reranker
from pathfinder.models.sentence_transformers_models import CrossEncoderReranker
from pathfinder.settings import Settings


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


@pytest.mark.skipif(importlib.util.find_spec("sentence_transformers") is not None, reason="the extra is installed")
def test_without_the_extra_its_name_is_told():
    with pytest.raises(MissingDependency, match=r"pip install 'pathfinder\[sentence-transformers\]'"):
        load_reranker("cross-encoder:BAAI/bge-reranker-base", Settings(_env_file=None))


@pytest.mark.parametrize("shape", [(3, 2), (2,), (3, 3), ()])
def test_a_model_that_gives_a_pair_several_scores_is_an_error(shape):
    reranker = CrossEncoderReranker("me/letters", LetterEncoder(shape))
    with pytest.raises(ModelError, match=r"cross-encoder:me/letters returned scores of shape .* trained to rerank"):
        reranker.rerank("abc", ["a", "b", "c"])


@pytest.mark.parametrize("spoilt", [np.nan, np.inf])
def test_a_score_that_is_no_number_is_an_error(spoilt):
    with pytest.raises(ModelError, match="returned a score that is not a number for 'dwarfs'"):
        CrossEncoderReranker("me/letters", LetterEncoder(spoilt=spoilt)).rerank("abc", ["a", "dwarfs"])


def test_scores_are_float64_in_the_order_of_their_documents():
    reranker = CrossEncoderReranker("me/letters", LetterEncoder())
    scores = reranker.rerank("abc", ["xyz", "cab", "axe"])
    assert (scores.tolist(), scores.dtype) == ([0, 3, 1], np.float64)


def test_a_column_of_scores_is_one_score_each():
    reranker = CrossEncoderReranker("me/letters", LetterEncoder(shape=(2, 1)))
    assert reranker.rerank("abc", ["xyz", "cab"]).tolist() == [0, 3]


def test_no_documents_are_no_call():
    encoder = LetterEncoder()
    assert CrossEncoderReranker("me/letters", encoder).rerank("abc", []).shape == (0,)
    assert encoder.n_calls == 0


def test_it_says_what_it_is():
    reranker = CrossEncoderReranker("me/letters", LetterEncoder())
    assert isinstance(reranker, Reranker)
    assert reranker.name == "cross-encoder:me/letters"
