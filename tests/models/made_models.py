"""Folders of models as their makers publish them: small networks that nobody trained, with a tokenizer of letters."""

import json

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save_model
from tokenizers import Regex, Tokenizer, models, pre_tokenizers, processors

LETTERS = "abcdefghijklmnopqrstuvwxyz :"
VOCABULARY = {"[CLS]": 0, "[SEP]": 1, "[UNK]": 2} | {letter: 3 + n for n, letter in enumerate(LETTERS)}
WIDTH = 4
TABLE = np.random.default_rng(0).standard_normal((len(VOCABULARY), WIDTH)).astype(np.float32)
"""The vector of each token, which is all that the network knows."""


def write_safetensors(path, tensors, metadata=None):
    """By hand: a length, a header, the bytes."""
    header, body = {} if metadata is None else {"__metadata__": metadata}, b""
    for name, (dtype, array) in tensors.items():
        offsets = [len(body), len(body) + array.nbytes]
        header[name] = {"dtype": dtype, "shape": list(array.shape), "data_offsets": offsets}
        body += array.tobytes()
    head = json.dumps(header).encode()
    path.write_bytes(len(head).to_bytes(8, "little") + head + body)


def write_json(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


def tokenizer():
    """One token for each letter, between [CLS] and [SEP]."""
    made = Tokenizer(models.WordLevel(VOCABULARY, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Split(Regex("."), "isolated")
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 0), ("[SEP]", 1)]
    )
    return made


def graph(nodes, inputs=("input_ids", "attention_mask"), outputs=None, initializers=(), opset=("ai.onnx.ml", 3)):
    """A model of `nodes`; `outputs` gives the number of dimensions of each output."""
    ints = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in inputs]
    floats = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [f"{name}{n}" for n in range(n_dimensions)])
        for name, n_dimensions in (outputs or {"last_hidden_state": 3}).items()
    ]
    body = helper.make_graph(nodes, "made", ints, floats, initializers)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(*opset)]
    return helper.make_model(body, opset_imports=opsets, ir_version=8)


def embedding_model():
    return graph(
        [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])],
        initializers=[numpy_helper.from_array(TABLE, "table")],
    )


def write_embedder(folder, pooling="mean", modules=("Normalize",), own=None, limit=64, model=None):
    """A sentence-transformers model in `folder`; `modules` are those after the pooling."""
    kinds = ("Transformer", "Pooling", *modules)
    entries = [
        {"idx": n, "name": str(n), "path": f"{n}_{kind}" if n else "", "type": f"sentence_transformers.models.{kind}"}
        for n, kind in enumerate(kinds)
    ]
    write_json(folder / "modules.json", entries)
    flags = {"cls": "cls_token", "lasttoken": "lasttoken"}.get(pooling, f"{pooling.removesuffix('_tokens')}_tokens")
    write_json(folder / "1_Pooling/config.json", {"word_embedding_dimension": WIDTH, f"pooling_mode_{flags}": True})
    write_json(folder / "config.json", {"model_type": "made", "hidden_size": WIDTH})
    write_json(folder / "sentence_bert_config.json", {"max_seq_length": limit, "do_lower_case": True})
    if own is not None:
        write_json(folder / "config_sentence_transformers.json", own)
    tokenizer().save(str(folder / "tokenizer.json"))
    (folder / "onnx").mkdir(exist_ok=True)
    save_model(model or embedding_model(), folder / "onnx/model.onnx")
    return folder


def write_reranker(folder, activation=None):
    """A cross-encoder in `folder` whose score is the number of tokens of the second text, less a fourth of all."""
    nodes = [
        helper.make_node("ReduceSum", ["token_type_ids", "axis"], ["second"], keepdims=1),
        helper.make_node("ReduceSum", ["attention_mask", "axis"], ["all"], keepdims=1),
        helper.make_node("Cast", ["second"], ["a"], to=TensorProto.FLOAT),
        helper.make_node("Cast", ["all"], ["b"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["b", "fourth"], ["c"]),
        helper.make_node("Sub", ["a", "c"], ["logits"]),
    ]
    constants = {"axis": np.array([1]), "fourth": np.array([0.25], np.float32)}
    model = graph(
        nodes,
        ("input_ids", "attention_mask", "token_type_ids"),
        {"logits": 2},
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    write_json(folder / "config.json", {"model_type": "made", "max_position_embeddings": 32} | (activation or {}))
    tokenizer().save(str(folder / "tokenizer.json"))
    save_model(model, folder / "model.onnx")
    return folder
