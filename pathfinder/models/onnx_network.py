"""Neural networks run by onnxruntime: a file from outside is checked before onnxruntime sees it, and a batch of texts
goes through at a time.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from threading import Lock
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import numpy as np
import onnx
from google.protobuf.message import DecodeError
from numpy.typing import NDArray
from onnx import TensorProto
from tokenizers import Encoding

from pathfinder.errors import ModelError
from pathfinder.models.bert_graph import CONTRIB, BertShape, Graph, build_graph
from pathfinder.models.model_folder import MB, ModelFolder
from pathfinder.models.model_spec import TENSORS, ModelSpec, choose_weights, no_weights
from pathfinder.settings import Device
from pathfinder.types.texts import one_line

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

TOKENS_PER_BATCH = 1024
"""Number of tokens, including padding, in one pass through the network: four long abstracts or thirty sentences.

Larger batches do not fit in the cache.
"""

MAX_GRAPH = 2_147 * MB
"""Maximum size in bytes of an .onnx file (protobuf's limit); larger weights are in files beside it."""

OPERATORS = frozenset({"", "ai.onnx", "ai.onnx.ml", CONTRIB})
"""Domains whose operators are part of onnxruntime; any other needs code from elsewhere."""

ROUNDING = frozenset({"DynamicQuantizeLinear", "DynamicQuantizeMatMul", "DynamicQuantizeLSTM", "MatMulIntegerToFloat"})
"""Operators that round all texts in a batch on one scale."""

PROVIDERS: Mapping[Device, str] = {"cpu": "CPUExecutionProvider", "cuda": "CUDAExecutionProvider"}
CUDA_REMEDY = (
    "replace onnxruntime (`pip install 'pathfinder[gpu]'`, `pip uninstall onnxruntime`, then `pip install "
    "--force-reinstall --no-deps onnxruntime-gpu`) on a machine with a CUDA driver, or set PATHFINDER_DEVICE=cpu"
)

_OTHER = "name another file of this model, or choose another model"

Mask = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """The outputs of the network for some of the texts."""

    rows: list[int]
    """Positions of the texts, shape (b,)."""
    mask: Mask
    """1 for tokens and 0 for padding, which is on the right, shape (b, t)."""
    outputs: dict[str, NDArray[np.float32]]
    """Outputs by name, the first dimension of each being the texts."""


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """A network that maps the tokens of texts to arrays of floats."""

    session: "InferenceSession"
    name: str
    """Name of the model, for messages."""
    each_alone: bool
    """True if it rounds, so that a text's output would depend on the other texts in its batch: each needs its own pass.
    """
    device: Device = "cpu"

    @property
    def precision(self) -> str:
        """Number format in which it computes, and the device if that is not the CPU."""
        return f"{'int8' if self.each_alone else 'float32'}{' on CUDA' if self.device == 'cuda' else ''}"

    def run(self, encodings: Sequence[Encoding]) -> Iterator[Batch]:
        """Yield the outputs for texts, in batches of similar length. Raises `ModelError` if the network fails."""
        inputs = {entry.name: entry.type for entry in self.session.get_inputs()}
        names = [entry.name for entry in self.session.get_outputs()]
        for rows in [[row] for row in range(len(encodings))] if self.each_alone else _batches(encodings):
            shape = (len(rows), max(1, *(len(encodings[row]) for row in rows)))
            ids, types, mask = (np.zeros(shape, dtype=np.int64) for _ in range(3))
            for place, encoding in enumerate(encodings[row] for row in rows):
                ids[place, : len(encoding)] = encoding.ids
                types[place, : len(encoding)] = encoding.type_ids
                mask[place, : len(encoding)] = 1
            arrays = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
            arrays["position_ids"] = np.maximum(np.cumsum(mask, axis=1) - 1, 0)
            given = {name: arrays[name].astype(_INTEGERS[kind]) for name, kind in inputs.items()}
            try:
                outputs = self.session.run(names, given)
            except _failures() as error:
                raise ModelError(
                    f"{self.name} failed on {len(rows)} texts of {shape[1]} tokens ({one_line(str(error))}): check its "
                    "max_seq_length, or choose another model"
                ) from error
            arrays_by_name = {name: np.asarray(output) for name, output in zip(names, outputs, strict=True)}
            floats = {name: array for name, array in arrays_by_name.items() if array.dtype.kind == "f"}
            yield Batch(rows, mask, {name: array.astype(np.float32, copy=False) for name, array in floats.items()})


_INTEGERS = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}


def _batches(encodings: Sequence[Encoding]) -> Iterator[list[int]]:
    """Yield rows in batches of similar length, longest first, so that there is little padding."""
    batch: list[int] = []
    for row in sorted(range(len(encodings)), key=lambda row: -len(encodings[row])):
        if batch and (len(batch) + 1) * len(encodings[batch[0]]) > TOKENS_PER_BATCH:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


def open_network(folder: ModelFolder, spec: ModelSpec, config: Mapping[str, object], device: Device = "cpu") -> Network:
    """Open the network in the folder of a model. Raises `ModelError` if it cannot be used."""
    names = [path.relative_to(folder.path).as_posix() for path in folder.path.rglob("*")]
    chosen = choose_weights(names, spec.weights, config.get("model_type"))
    if chosen is None:
        raise ModelError(f"{folder.path} {no_weights(names, spec.weights)}")
    if chosen == TENSORS:
        graph = bert_graph(folder, config)
        return Network(shared_session(tuple(folder.files.values()), lambda: graph, device), spec.name, False, device)
    operators = check_graph(folder, chosen)
    try:
        session = shared_session(tuple(folder.files.values()), lambda: folder.path / chosen, device)
    except _failures() as error:
        raise folder.fault(chosen, f"cannot be loaded by onnxruntime ({one_line(str(error))})", _OTHER) from error
    known = ("input_ids", "attention_mask", "token_type_ids", "position_ids")
    for entry in session.get_inputs():
        if entry.name not in known or entry.type not in _INTEGERS:
            raise folder.fault(
                chosen, f"needs the input {entry.name} ({entry.type}); {', '.join(known)} are known", _OTHER
            )
    return Network(session, spec.name, bool(operators & ROUNDING), device)


def bert_graph(folder: ModelFolder, config: Mapping[str, object]) -> Graph:
    """Return the graph of the BERT whose weights are in a folder. Raises `ModelError` if they are not BERT's."""
    tensors = {name.removeprefix("bert."): tensor for name, tensor in folder.tensors(TENSORS).items()}
    try:
        return build_graph(tensors, BertShape.read(folder, config))
    except (KeyError, ValueError) as error:
        raise folder.fault(TENSORS, f"does not hold the weights that config.json promises ({error})") from error


def check_graph(folder: ModelFolder, name: str) -> frozenset[str]:
    """Check an ONNX file and the files of weights that it refers to, and return the names of its operators.

    Raises `ModelError` for operators that onnxruntime does not have itself, and for weights outside the folder.
    """
    path = folder.file(name, MAX_GRAPH)
    try:
        model = onnx.load_model(path, load_external_data=False)
    except (DecodeError, ValueError) as error:
        raise folder.fault(name, f"is not an ONNX file ({error})") from error
    own = {function.domain for function in model.functions}
    operators, locations = set(), set()
    stack: list[object] = [model.graph, *model.functions]
    while stack:
        part = stack.pop()
        if isinstance(part, onnx.TensorProto):
            if part.data_location == TensorProto.EXTERNAL:
                locations |= {entry.value for entry in part.external_data if entry.key == "location"}
            continue
        if isinstance(part, onnx.SparseTensorProto):
            stack += (part.values, part.indices)
            continue
        if isinstance(part, onnx.GraphProto):
            stack += (*part.initializer, *part.sparse_initializer)
        for node in part.node:  # type: ignore[attr-defined]  # a graph or a function
            if node.domain not in OPERATORS | own:
                raise folder.fault(
                    name, f"uses {node.domain}::{node.op_type}, an operator that is not part of onnxruntime", _OTHER
                )
            operators.add(node.op_type)
            for attribute in node.attribute:
                stack += (*attribute.graphs, *attribute.tensors, *attribute.sparse_tensors)
                stack += [
                    getattr(attribute, field) for field in ("g", "t", "sparse_tensor") if attribute.HasField(field)
                ]
    for location in sorted(locations):
        folder.file((PurePosixPath(name).parent / location).as_posix())
    return frozenset(operators)


_SESSIONS: "WeakValueDictionary[tuple[object, str], InferenceSession]" = WeakValueDictionary()
_LOADING = Lock()


def shared_session(key: tuple[str, ...], source: Callable[[], Graph | Path], device: Device) -> "InferenceSession":
    """Return a session for the weights whose hashes are in `key`. All models in this process share it, because weights
    take a second to load and occupy much memory. It ends with the last model that uses it.

    Raises `ModelError` if `device` cannot be used.
    """
    with _LOADING:
        session = _SESSIONS.get((key, device))
        if session is None:
            _SESSIONS[key, device] = session = start_session(source(), device)
        return session


def start_session(source: Graph | Path, device: Device = "cpu") -> "InferenceSession":
    """Start an onnxruntime session with a graph, or with a file that has been checked. Raises `ModelError` if `device`
    cannot be used.
    """
    # From 1.29 on, onnxruntime reports to its maker over the network unless this is set before its first import.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    # Threads that wait by spinning cost more CPU time than the rest of a search.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    if isinstance(source, Graph):
        values = [onnxruntime.OrtValue.ortvalue_from_numpy(weight) for weight in source.weights.values()]
        options.add_external_initializers(list(source.weights), values)
    provider = PROVIDERS[device]
    if provider not in onnxruntime.get_available_providers():
        raise ModelError(f"PATHFINDER_DEVICE is {device}, but this onnxruntime has no {provider}: {CUDA_REMEDY}")
    content = source.model.SerializeToString() if isinstance(source, Graph) else str(source)
    session = onnxruntime.InferenceSession(content, options, providers=[provider])
    # Without a driver, onnxruntime would continue on the CPU.
    if session.get_providers()[0] != provider:
        raise ModelError(f"PATHFINDER_DEVICE is {device}, but {provider} does not start here: {CUDA_REMEDY}")
    return session


def _failures() -> tuple[type[Exception], ...]:
    """Return the errors of onnxruntime, which have no common base but `Exception`."""
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    return tuple(each for each in vars(state).values() if isinstance(each, type) and issubclass(each, Exception))
