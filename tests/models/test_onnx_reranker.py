import numpy as np
import pytest

from pathfinder.errors import ModelError
from pathfinder.models.loading import load_reranker
from pathfinder.models.ports import Reranker
from pathfinder.settings import Settings
from tests.models.made_models import write_embedder, write_reranker

IDENTITY = {"sbert_ce_default_activation_function": "torch.nn.modules.linear.Identity"}


def load(folder):
    return load_reranker(f"onnx:{folder}", Settings(_env_file=None))


def test_a_pair_is_scored_with_its_two_texts_apart_whatever_else_is_asked(tmp_path):
    reranker = load(write_reranker(tmp_path, IDENTITY))
    assert isinstance(reranker, Reranker)
    # "ab": [CLS] a b [SEP]; "xyz": x y z [SEP], 4 of 8 tokens; "q": 2 of 6.
    assert reranker.rerank("ab", ["xyz", "q"]).tolist() == [4 - 8 / 4, 2 - 6 / 4]
    assert reranker.rerank("ab", []).shape == (0,)


@pytest.mark.parametrize(
    "config", [{}, {"sentence_transformers": {"activation_fn": "torch.nn.modules.activation.Sigmoid"}}]
)
def test_a_score_is_squeezed_as_the_models_files_say_and_by_default(tmp_path, config):
    assert load(write_reranker(tmp_path, config)).rerank("ab", ["xyz"]) == pytest.approx(1 / (1 + np.exp(-2)))


def test_the_longer_text_of_a_pair_is_cut(tmp_path):
    # 32 tokens: [CLS] a b [SEP], 27 of the document, [SEP].
    assert load(write_reranker(tmp_path, IDENTITY)).rerank("ab", ["x" * 100]).tolist() == [28 - 32 / 4]


def test_another_activation_and_another_kind_of_model_are_refused(tmp_path):
    folder = write_reranker(tmp_path, {"sbert_ce_default_activation_function": "evil.Function"})
    with pytest.raises(ModelError, match=r"names the activation evil.Function; known are Sigmoid, Identity"):
        load(folder)
    with pytest.raises(ModelError, match="choose a cross-encoder"):
        load(write_embedder(tmp_path / "embedder"))
