import numpy as np
import pytest

from pathfinder.errors import ModelError
from pathfinder.models.bert_graph import BertShape, build_graph
from pathfinder.models.embedding_recipe import POOLING, normalise
from pathfinder.models.model_folder import ModelFolder
from pathfinder.models.onnx_network import start_session
from tests.models import bert
from tests.models.made_models import write_safetensors

N_WORDS, N_POSITIONS, DIMENSION = 50, 20, 384
SHAPE = BertShape(bert.N_LAYERS, bert.N_HEADS, 1e-12)


def random_weights():
    """A BERT of the right shape that nobody trained, every bias and scale included."""
    random = np.random.default_rng(0)

    def draw(*shape, around=0.0, width=0.05):
        return (around + width * random.standard_normal(shape)).astype(np.float32)

    def linear(name, n_in, n_out):
        return {f"{name}.weight": draw(n_out, n_in), f"{name}.bias": draw(n_out)}

    def norm(name):
        return {f"{name}.weight": draw(DIMENSION, around=1.0, width=0.2), f"{name}.bias": draw(DIMENSION)}

    weights = norm("embeddings.LayerNorm")
    for part, n_rows in {"word": N_WORDS, "position": N_POSITIONS, "token_type": 2}.items():
        weights[f"embeddings.{part}_embeddings.weight"] = draw(n_rows, DIMENSION, width=1.0)
    for layer in (f"encoder.layer.{number}" for number in range(bert.N_LAYERS)):
        for part in ("query", "key", "value"):
            weights |= linear(f"{layer}.attention.self.{part}", DIMENSION, DIMENSION)
        weights |= linear(f"{layer}.attention.output.dense", DIMENSION, DIMENSION)
        weights |= linear(f"{layer}.intermediate.dense", DIMENSION, 4 * DIMENSION)
        weights |= linear(f"{layer}.output.dense", 4 * DIMENSION, DIMENSION)
        weights |= norm(f"{layer}.attention.output.LayerNorm") | norm(f"{layer}.output.LayerNorm")
    return weights


@pytest.fixture(scope="module")
def weights():
    return random_weights()


@pytest.fixture(scope="module")
def run(weights):
    session = start_session(build_graph(weights, SHAPE))

    def embed(token_ids, mask):
        inputs = {"input_ids": np.array(token_ids), "attention_mask": np.array(mask)}
        (hidden_states,) = session.run(None, inputs)
        return normalise(POOLING["mean"](hidden_states, np.array(mask)))

    return embed


@pytest.mark.parametrize("n_tokens", [1, 2, 7, N_POSITIONS])
def test_the_graph_is_bert(run, weights, n_tokens):
    token_ids = [(7 * position + 3) % N_WORDS for position in range(n_tokens)]
    (vector,) = run([token_ids], [[1] * n_tokens])
    assert vector == pytest.approx(bert.embed(weights, token_ids), abs=1e-5)


def test_padding_and_neighbours_change_nothing(run, weights):
    token_ids = [[5, 6, 7, 8, 9], [3, 4, 0, 0, 0], [3, 4, 11, 12, 13]]
    vectors = run(token_ids, [[1, 1, 1, 1, 1], [1, 1, 0, 0, 0], [1, 1, 0, 0, 0]])
    expected = [bert.embed(weights, row) for row in ([5, 6, 7, 8, 9], [3, 4], [3, 4])]
    assert vectors == pytest.approx(np.array(expected), abs=1e-5)


def test_a_broken_graph_would_be_seen(run, weights):
    """The check above has teeth: leave one bias out, and the vector is another."""
    without = weights | {"encoder.layer.3.attention.self.value.bias": np.zeros(DIMENSION, dtype=np.float32)}
    (vector,) = run([[5, 6, 7]], [[1, 1, 1]])
    assert np.abs(vector - bert.embed(without, [5, 6, 7])).max() > 1e-3


def test_tensors_are_read_as_they_were_written(tmp_path):
    first, two = np.arange(6, dtype=np.float32).reshape(2, 3), np.array([[-1.5]], dtype=np.float32)
    written = {"one": ("F32", first), "ids": ("I64", np.arange(3)), "two": ("F32", two)}
    write_safetensors(tmp_path / "w.safetensors", written, metadata={"format": "pt"})
    tensors = ModelFolder(tmp_path).tensors("w.safetensors")
    assert list(tensors) == ["one", "two"]  # those that are no float32 are left out
    assert np.array_equal(tensors["one"], first)
    assert np.array_equal(tensors["two"], two)


def test_without_a_cuda_device_that_was_asked_for_it_says_how_to_get_one(weights):
    with pytest.raises(ModelError, match=r"CUDAExecutionProvider.*PATHFINDER_DEVICE=cpu"):
        start_session(build_graph(weights, SHAPE), "cuda")
