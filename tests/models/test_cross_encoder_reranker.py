import numpy as np
import pytest

from pathfinder.errors import ModelError
from pathfinder.models.ports import Reranker
from pathfinder.models.sentence_transformers_models import CrossEncoderReranker


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
    with pytest.raises(ModelError, match=r"cross-encoder:me/letters returned scores of shape .* trained to rerank"):
        reranker.rerank("abc", ["a", "b", "c"])


@pytest.mark.parametrize("spoilt", [np.nan, np.inf])
def test_a_score_that_is_no_number_is_an_error(spoilt):
    with pytest.raises(ModelError, match="returned a score that is not a number for 'dwarfs'"):
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
