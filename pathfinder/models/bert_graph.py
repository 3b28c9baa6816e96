"""BERT as an ONNX graph, written node by node from weights in a safetensors file.

For the many models that are BERT (Devlin et al. 2019, arXiv:1810.04805) and come without a graph, such as
all-MiniLM-L6-v2. It is built by hand because exporters depend on torch, and one of them writes a graph that runs but is
wrong.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from pathfinder.models.model_folder import ModelFolder, Tensors

Precision = Literal["float32", "int8"]
"""Number format in which the large matrices are stored and multiplied; all other numbers have 32 bits."""

OPSET = 20
CONTRIB = "com.microsoft"
"""Domain of onnxruntime's own operators: a single fused node computes a whole attention block."""

INT8_LIMIT = 127
"""Largest number in a rounded matrix; -128 is not used, so that the range is symmetric."""

SMALL_BYTES = 1024
"""Constants up to this size are part of the graph. Larger ones are passed to onnxruntime separately: if they were
written into the graph, 90 MB would be copied four times whenever a corpus is opened.
"""


class Graph(NamedTuple):
    """A graph, and the weights that it refers to but does not contain."""

    model: onnx.ModelProto
    weights: dict[str, NDArray[np.float32] | NDArray[np.int8]]


@dataclass(frozen=True, slots=True)
class BertShape:
    """What the weights alone do not say."""

    n_layers: int
    n_heads: int
    epsilon: float
    """Added to the variance in each normalisation of a layer."""

    @classmethod
    def read(cls, folder: ModelFolder, config: Mapping[str, Any]) -> "BertShape":
        """Read the shape from `config`, the content of config.json. Raises `ModelError` for a variant of BERT."""
        known = {"hidden_act": "gelu", "position_embedding_type": "absolute", "model_type": "bert"}
        for name, value in known.items():
            if config.get(name, value) != value:
                raise folder.fault(
                    "config.json",
                    f"says {name} = {config[name]!r}, but without ONNX weights only {value!r} is known",
                    "take a model with a file onnx/model.onnx",
                )
        try:
            n_layers, n_heads = int(config["num_hidden_layers"]), int(config["num_attention_heads"])
            return cls(n_layers, n_heads, float(config["layer_norm_eps"]))
        except (KeyError, TypeError, ValueError) as error:
            raise folder.fault("config.json", f"does not give BERT's shape ({error})") from error


def build_graph(
    weights: Tensors, shape: BertShape, precision: Precision = "float32", never_rounded: Collection[str] = ()
) -> Graph:
    """Return the model, which maps `input_ids` and `attention_mask` (both int64, batch x tokens) to
    `last_hidden_state`: the vectors of the last layer, which are not normalised, float32 of shape (batch, tokens,
    dimension).

    With `int8`, each matrix has one scale per output, and its inputs share one scale per pass through the network: a
    text's vector then depends on the other texts in its batch, so each text needs its own pass. Matrices in
    `never_rounded` stay in `float32`. Raises `KeyError` for weights that are not BERT's.
    """
    graph = _Graph(weights, shape, precision, never_rounded)
    words = graph.node("Gather", graph.weight("embeddings.word_embeddings.weight"), "input_ids")
    n_tokens = graph.node("Shape", "input_ids", start=1, end=2)
    zero, last = graph.constant("zero", np.array([0])), graph.constant("axis_0", np.array([0]))
    positions = graph.node("Slice", graph.weight("embeddings.position_embeddings.weight"), zero, n_tokens, last)
    segment = graph.constant("segment", graph.weights["embeddings.token_type_embeddings.weight"][0])
    embeddings = graph.node("Add", graph.node("Add", words, positions), segment)
    hidden_states = graph.normalise(embeddings, "embeddings.LayerNorm")
    for layer in range(shape.n_layers):
        hidden_states = _encode(graph, hidden_states, f"encoder.layer.{layer}.")
    graph.node("Identity", hidden_states, output="last_hidden_state")
    names = ("input_ids", "attention_mask")
    ints = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in names]
    dimension = len(weights["embeddings.LayerNorm.weight"])
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", dimension])
    body = helper.make_graph(graph.nodes, "BERT", ints, [output], graph.initializers)
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(CONTRIB, 1)]
    return Graph(helper.make_model(body, opset_imports=opsets, ir_version=10), graph.beside)


class _Graph:
    """Nodes and weights of a graph under construction; each method returns the name of its result."""

    def __init__(
        self, weights: Tensors, shape: BertShape, precision: Precision, never_rounded: Collection[str]
    ) -> None:
        self.weights, self.shape = weights, shape
        self.precision, self.never_rounded = precision, never_rounded
        self.nodes: list[onnx.NodeProto] = []
        self.initializers: list[onnx.TensorProto] = []
        self.beside: dict[str, NDArray[np.float32] | NDArray[np.int8]] = {}

    def constant(self, name: str, value: NDArray[np.generic]) -> str:
        array = np.ascontiguousarray(value)
        if array.nbytes <= SMALL_BYTES:
            self.initializers.append(numpy_helper.from_array(array, name))
            return name
        self.beside[name] = array if array.dtype == np.int8 else array.astype(np.float32, copy=False)
        kind = helper.np_dtype_to_tensor_dtype(self.beside[name].dtype)
        tensor = TensorProto(name=name, data_type=kind, dims=array.shape, data_location=TensorProto.EXTERNAL)
        tensor.external_data.add(key="location", value="beside the graph")
        self.initializers.append(tensor)
        return name

    def weight(self, name: str, *, transpose: bool = False) -> str:
        value = self.weights[name]
        return self.constant(name, value.T if transpose else value)

    def node(self, operator: str, *inputs: str, output: str | None = None, domain: str = "", **attributes: Any) -> str:
        output = output or f"{operator.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [output], domain=domain, **attributes))
        return output

    def normalise(self, x: str, name: str) -> str:
        scale, bias = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        return self.node("LayerNormalization", x, scale, bias, axis=-1, epsilon=self.shape.epsilon)

    def linear(self, x: str, name: str) -> str:
        return self.product(x, self.weights[f"{name}.weight"].T, self.weights[f"{name}.bias"], name)

    def product(self, x: str, matrix: NDArray[np.float32], bias: NDArray[np.float32], name: str) -> str:
        """Add `x @ matrix + bias`; the names of its constants begin with `name`."""
        offset = self.constant(f"{name}.bias", bias)
        if self.precision == "float32" or name in self.never_rounded:
            return self.node("Add", self.node("MatMul", x, self.constant(f"{name}.weight", matrix)), offset)
        scales = np.maximum(np.abs(matrix).max(axis=0), np.finfo(np.float32).tiny) / np.float32(INT8_LIMIT)
        rounded_weights = self.constant(f"{name}.weight", np.round(matrix / scales).astype(np.int8))
        scale = self.constant(f"{name}.scale", scales.astype(np.float32))
        zero = self.constant(f"{name}.zero", np.zeros(len(scales), dtype=np.int8))
        return self.node("DynamicQuantizeMatMul", x, rounded_weights, scale, zero, offset, domain=CONTRIB)


def _encode(graph: _Graph, hidden_states: str, prefix: str) -> str:
    projections = [f"{prefix}attention.self.{part}" for part in ("query", "key", "value")]
    projection_matrix = np.concatenate([graph.weights[f"{p}.weight"].T for p in projections], axis=1)
    bias = np.concatenate([graph.weights[f"{p}.bias"] for p in projections])
    attention = _attend(graph, hidden_states, projection_matrix, bias, f"{prefix}qkv")
    projection = graph.linear(attention, f"{prefix}attention.output.dense")
    hidden_states = graph.normalise(graph.node("Add", projection, hidden_states), f"{prefix}attention.output.LayerNorm")
    inner = graph.node("Gelu", graph.linear(hidden_states, f"{prefix}intermediate.dense"))
    outer = graph.linear(inner, f"{prefix}output.dense")
    return graph.normalise(graph.node("Add", outer, hidden_states), f"{prefix}output.LayerNorm")


def _attend(
    graph: _Graph, hidden_states: str, matrix: NDArray[np.float32], bias: NDArray[np.float32], name: str
) -> str:
    """Add an attention block; `matrix` computes queries, keys and values, side by side."""
    if graph.precision == "float32":
        inputs = (
            hidden_states,
            graph.constant(f"{name}.weight", matrix),
            graph.constant(f"{name}.bias", bias),
            _mask(graph),
        )
        return graph.node("Attention", *inputs, domain=CONTRIB, num_heads=graph.shape.n_heads)
    thirds = [f"{name}.query", f"{name}.key", f"{name}.value"]
    graph.nodes.append(
        helper.make_node("Split", [graph.product(hidden_states, matrix, bias, name)], thirds, axis=2, num_outputs=3)
    )
    return graph.node("MultiHeadAttention", *thirds, "", _mask(graph), domain=CONTRIB, num_heads=graph.shape.n_heads)


def _mask(graph: _Graph) -> str:
    """Add the attention mask as int32; it is created once and shared by the layers."""
    if not any("mask" in node.output for node in graph.nodes):
        graph.node("Cast", "attention_mask", output="mask", to=TensorProto.INT32)
    return "mask"
