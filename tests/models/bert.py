"""BERT's encoder in plain NumPy and double precision, one text at a time, as the papers describe it.

Written apart from `pathfinder.models.minilm`, so that one can be checked against the other: no ONNX, no fused
attention, no padding. Devlin et al. 2019 (arXiv:1810.04805), Vaswani et al. 2017 (arXiv:1706.03762).
"""

import json

import numpy as np
from scipy.special import erf

N_LAYERS, N_HEADS = 6, 12


def load_weights(path):
    """The tensors of a safetensors file, in double precision."""
    content = path.read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:start])
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        first, last = (start + offset for offset in entry["data_offsets"])
        if entry["dtype"] == "F32":
            values = np.frombuffer(content[first:last], dtype="<f4")
            tensors[name] = values.astype(np.float64).reshape(entry["shape"])
    return tensors


def embed(weights, token_ids):
    """The mean of the last layer's token vectors, of length 1: shape (384,)."""
    embedding = {part: weights[f"embeddings.{part}_embeddings.weight"] for part in ("word", "position", "token_type")}
    x = embedding["word"][token_ids] + embedding["position"][: len(token_ids)] + embedding["token_type"][0]
    x = normalise(weights, "embeddings.LayerNorm", x)
    for layer in range(N_LAYERS):
        x = encode(weights, f"encoder.layer.{layer}", x)
    mean = x.mean(axis=0)
    return mean / np.sqrt((mean**2).sum())


def encode(weights, layer, x):
    attended = linear(weights, f"{layer}.attention.output.dense", attend(weights, f"{layer}.attention.self", x))
    x = normalise(weights, f"{layer}.attention.output.LayerNorm", x + attended)
    inner = linear(weights, f"{layer}.intermediate.dense", x)
    inner = inner * (1 + erf(inner / np.sqrt(2))) / 2
    return normalise(weights, f"{layer}.output.LayerNorm", x + linear(weights, f"{layer}.output.dense", inner))


def attend(weights, name, x):
    query, key, value = (linear(weights, f"{name}.{part}", x) for part in ("query", "key", "value"))
    width = x.shape[1] // N_HEADS
    heads = []
    for start in range(0, x.shape[1], width):
        head = slice(start, start + width)
        likeness = query[:, head] @ key[:, head].T / np.sqrt(width)
        share = np.exp(likeness - likeness.max(axis=1, keepdims=True))
        heads.append(share / share.sum(axis=1, keepdims=True) @ value[:, head])
    return np.concatenate(heads, axis=1)


def linear(weights, name, x):
    return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def normalise(weights, name, x):
    centred = x - x.mean(axis=1, keepdims=True)
    scaled = centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-12)
    return scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"]
