"""Rerankers that onnxruntime runs: any cross-encoder with ONNX weights, without torch."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from tokenizers import Tokenizer

from pathfinder.errors import ModelError
from pathfinder.models.embedding_recipe import activation_called, read_max_tokens
from pathfinder.models.model_folder import ModelFolder
from pathfinder.models.model_spec import ModelSpec
from pathfinder.models.onnx_embedder import read_tokenizer
from pathfinder.models.onnx_network import Network, open_network
from pathfinder.settings import Settings

Scores = NDArray[np.float64]

ACTIVATIONS: Mapping[str, Callable[[Scores], Scores]] = {"Sigmoid": expit, "Identity": lambda scores: scores}
OUTPUT = "logits"


class OnnxReranker:
    """A reranker from a folder with a network that gives one score for a question and a document."""

    def __init__(
        self, name: str, network: Network, tokenizer: Tokenizer, activation: Callable[[Scores], Scores]
    ) -> None:
        """Use `network` under the name by which requests refer to it; `activation` scales its scores."""
        self.name = name
        self._network, self._tokenizer, self._activation = network, tokenizer, activation

    @classmethod
    def from_settings(cls, model: str, settings: Settings) -> Self:
        """Load the model called `model`, ORG/NAME on the Hugging Face hub or a folder; if it is not on this machine, it
        is fetched. Raises `ModelError` or `ProviderError`.
        """
        spec = ModelSpec.parse("onnx", model)
        folder = ModelFolder(spec.fetched(settings))
        config = folder.settings("config.json", required=True)
        network = open_network(folder, spec, config)
        if OUTPUT not in [entry.name for entry in network.session.get_outputs()]:
            raise ModelError(
                f"{spec.name} has no output {OUTPUT}: choose a cross-encoder (other models are for --embedder)"
            )
        return cls(
            spec.name, network, read_tokenizer(folder, read_max_tokens(folder, config)), _activation(folder, config)
        )

    def rerank(self, query: str, documents: Sequence[str]) -> Scores:
        """Return one score for each document, on the scale that the model's files name; higher is better.

        Raises `ModelError` if the network fails, gives several scores for a pair, or one that is not a number.
        """
        scores = np.empty(len(documents))
        encodings = self._tokenizer.encode_batch([(query, document) for document in documents])
        for batch in self._network.run(encodings):
            logits = batch.outputs[OUTPUT]
            if logits.shape != (len(batch.rows), 1):
                raise ModelError(
                    f"{self.name} gave scores of shape {logits.shape} for {len(batch.rows)} documents, but each needs "
                    "exactly one: choose a cross-encoder that was trained to rerank"
                )
            scores[batch.rows] = self._activation(logits[:, 0].astype(np.float64))
        if not np.isfinite(scores).all():
            text = documents[int(np.argmin(np.isfinite(scores)))]
            raise ModelError(f"{self.name} gave a score that is not a number for {text[:60]!r}: choose another model")
        return scores


def _activation(folder: ModelFolder, config: Mapping[str, Any]) -> Callable[[Scores], Scores]:
    """Return the activation that config.json names, in the form of today's sentence-transformers or in that of versions
    before 4; the default is theirs.
    """
    own = config.get("sentence_transformers")
    named = own.get("activation_fn") if isinstance(own, dict) else None
    name = str(named or config.get("sbert_ce_default_activation_function") or "torch.nn.modules.activation.Sigmoid")
    return activation_called(name, ACTIVATIONS, folder, "config.json")
