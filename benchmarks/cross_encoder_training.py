"""Train a small cross-encoder: python -m benchmarks.cross_encoder_training PAPERS OUT.npz --without FOLDER ...

It needs JAX (`pip install jax`), which is not needed for anything else here. The network consists of MiniLM's word
vectors, which are frozen, and its first layers; it reads "[CLS] question [SEP] paper [SEP]", and its score is a
linear function of the mean of the last layer. Questions are titles (the paper is then the abstract alone) and sentences
of abstracts (the paper is then the title and the other sentences). For each question, the network has to tell the
paper from which it was made from a few others, which are drawn from those with the most similar words (by TF-IDF, so
that rare words count most) and from all papers. Papers that share a title with a document in the folders after
`--without` are left out.
"""

import argparse
import random
import re
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer

from benchmarks.cross_encoder import PairReader
from pathfinder.corpus.readers import read_papers
from pathfinder.models.minilm import DIMENSION, LAYER_NORM_EPSILON, N_HEADS, read_safetensors, weights_folder
from pathfinder.text.sentences import sentence_spans
from pathfinder.types import Paper

SEED = 14
N_TOKENS = 96
"""Number of tokens read from a pair in training."""
N_NEAR, N_RANDOM, DEPTH = 4, 1, 25
"""Numbers of wrong papers alongside the right one: `N_NEAR` drawn from the `DEPTH` papers with the most words in
common, and `N_RANDOM` drawn from all papers.
"""
MIN_SENTENCES, MIN_WORDS = 4, 8
HIGHEST_RATE, WARM_UP = 3e-4, 0.08
DECAYS = (0.9, 0.98)

Params = dict[str, Any]
Group = list[tuple[str, str]]
"""Pairs of a question and a paper, the right paper first."""


def main() -> None:
    """Make the questions, train for the requested number of steps or seconds, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--without", type=Path, nargs="*", default=[])
    parser.add_argument("--n-papers", type=int, default=8000)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--questions", type=int, default=8, help="in a step")
    parser.add_argument("--steps", type=int, default=240)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop earlier, after this time")
    options = parser.parse_args()
    groups = made_groups(papers_of(options.papers, options.without, options.n_papers))
    print(f"{len(groups)} questions", flush=True)
    frozen_weights, params = starting_weights(options.layers)
    params = train(
        frozen_weights, params, batches(groups, options.questions), options.layers, options.steps, options.seconds
    )
    np.savez(options.out, **{name: np.asarray(value, dtype=np.float16) for name, value in params.items()})


def papers_of(source: Path, without: Sequence[Path], n_papers: int) -> list[Paper]:
    """Draw papers that have an abstract, and whose titles are in none of the folders or files in `without`."""
    titles = {_plain(paper.title) for path in without for paper in read_papers(path) if isinstance(paper, Paper)}
    papers = [paper for paper in read_papers(source) if isinstance(paper, Paper) and paper.has_abstract]
    papers = [paper for paper in papers if _plain(paper.title) not in titles]
    random.Random(SEED).shuffle(papers)  # noqa: S311  a sample, not a secret
    return papers[:n_papers]


def _plain(title: str) -> str:
    return re.sub(r"\W+", " ", title.lower()).strip()


def made_groups(papers: Sequence[Paper]) -> list[Group]:
    """Return a group for each paper; the questions are titles and sentences in turn."""
    chance = random.Random(SEED)  # noqa: S311  a sample, not a secret
    questions = [group for row, paper in enumerate(papers) if (group := _example(row, paper, chance))]
    vectors = TfidfVectorizer(sublinear_tf=True, stop_words="english", min_df=2, max_df=0.1, dtype=np.float32)
    term_matrix = vectors.fit_transform([paper.text for paper in papers]).T.tocsr()
    groups = []
    for first in range(0, len(questions), 500):
        batch = questions[first : first + 500]
        similar = (vectors.transform([question for _, question, _ in batch]) @ term_matrix).toarray()
        nearest = np.argpartition(-similar, DEPTH, axis=1)[:, :DEPTH]
        for (row, question, right), near in zip(batch, nearest, strict=True):
            others = [int(other) for other in near if other != row]
            negatives = chance.sample(others, N_NEAR) + [chance.randrange(len(papers)) for _ in range(N_RANDOM)]
            texts = [papers[other].abstract if row % 2 else papers[other].text for other in negatives]
            groups.append([(question, text) for text in (right, *texts)])
    chance.shuffle(groups)
    return groups


def _example(row: int, paper: Paper, chance: random.Random) -> tuple[int, str, str] | None:
    """Return the row of a paper, a question made from it, and the rest of the paper."""
    if row % 2:
        return row, paper.title, paper.abstract
    spans = sentence_spans(paper.abstract)
    long = [(start, end) for start, end in spans if len(paper.abstract[start:end].split()) >= MIN_WORDS]
    if len(spans) < MIN_SENTENCES or not long:
        return None
    start, end = chance.choice(long)
    return row, paper.abstract[start:end], f"{paper.title}. {paper.abstract[:start]}{paper.abstract[end:]}"


def batches(groups: Sequence[Group], n_questions: int) -> Iterator[NDArray[np.int32]]:
    """Yield token ids of shape (questions, papers, tokens), endlessly; 0 is padding."""
    reader, chance = PairReader(N_TOKENS), random.Random(SEED)  # noqa: S311  a sample, not a secret
    while True:
        for first in range(0, len(groups) - n_questions + 1, n_questions):
            batch = groups[first : first + n_questions]
            ids = reader.ids([pair for group in batch for pair in group])
            yield ids.reshape(n_questions, -1, ids.shape[1]).astype(np.int32)
        groups = chance.sample(groups, len(groups))


def starting_weights(n_layers: int) -> tuple[Params, Params]:
    """Return MiniLM's embeddings, and the weights to train: its first layers and a new last one."""
    weights = read_safetensors(weights_folder() / "model.safetensors")
    prefixes = tuple(f"encoder.layer.{layer}." for layer in range(n_layers))
    params = {name: jnp.asarray(value) for name, value in weights.items() if name.startswith(prefixes)}
    params["head"] = jnp.asarray(np.random.default_rng(SEED).normal(size=DIMENSION).astype(np.float32))
    words, segments = (weights[f"embeddings.{kind}_embeddings.weight"] for kind in ("word", "token_type"))
    frozen_weights = {name: jnp.asarray(value) for name, value in weights.items() if name.startswith("embeddings.")}
    return frozen_weights | {"words": jnp.asarray(np.concatenate([words + segments[0], words + segments[1]]))}, params


def scores_of(frozen_weights: Params, params: Params, ids: jax.Array, n_layers: int) -> jax.Array:
    """Return the score of each pair, shape (pairs,)."""
    mask = ids != 0
    states = frozen_weights["words"][ids] + frozen_weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
    states = _normalise(frozen_weights, "embeddings.LayerNorm", states)
    for layer in range(n_layers):
        states = _layer(params, f"encoder.layer.{layer}.", states, mask)
    mean = (states * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
    return mean / jnp.linalg.norm(mean, axis=1, keepdims=True) @ params["head"]


def _layer(params: Params, name: str, states: jax.Array, mask: jax.Array) -> jax.Array:
    shape = (*states.shape[:2], N_HEADS, DIMENSION // N_HEADS)
    parts = (f"{name}attention.self.{part}" for part in ("query", "key", "value"))
    query, key, value = (_linear(params, part, states).reshape(shape) for part in parts)
    closeness = jnp.einsum("bqhd,bkhd->bhqk", query, key) / np.sqrt(shape[-1])
    shares = jax.nn.softmax(jnp.where(mask[:, None, None, :], closeness, -1e9))
    attention = jnp.einsum("bhqk,bkhd->bqhd", shares, value).reshape(states.shape)
    attention = _linear(params, f"{name}attention.output.dense", attention)
    states = _normalise(params, f"{name}attention.output.LayerNorm", states + attention)
    inner = jax.nn.gelu(_linear(params, f"{name}intermediate.dense", states), approximate=False)
    return _normalise(params, f"{name}output.LayerNorm", states + _linear(params, f"{name}output.dense", inner))


def _linear(params: Params, name: str, x: jax.Array) -> jax.Array:
    return x @ params[f"{name}.weight"].T + params[f"{name}.bias"]


def _normalise(params: Params, name: str, x: jax.Array) -> jax.Array:
    x = x - x.mean(axis=-1, keepdims=True)
    spread = jnp.sqrt((x * x).mean(axis=-1, keepdims=True) + LAYER_NORM_EPSILON)
    return x / spread * params[f"{name}.weight"] + params[f"{name}.bias"]


def train(
    frozen_weights: Params,
    params: Params,
    data: Iterator[NDArray[np.int32]],
    n_layers: int,
    n_steps: int,
    seconds: float,
) -> Params:
    """Return the weights after `n_steps` steps of Adam (Kingma & Ba 2015, arXiv:1412.6980); the loss is the negative
    log-likelihood of the right paper under a softmax over its group. The learning rate falls linearly to 0 with the
    steps or with the time, whichever has progressed further.
    """
    step = _step_function(frozen_weights, n_layers)
    means = jax.tree.map(jnp.zeros_like, params), jax.tree.map(jnp.zeros_like, params)
    start, losses = time.monotonic(), []
    for n_done, ids in zip(range(n_steps), data, strict=False):
        share = max(n_done / n_steps, (time.monotonic() - start) / seconds)
        if share >= 1:
            break
        rate = HIGHEST_RATE * min(share / WARM_UP + 0.01, (1 - share) / (1 - WARM_UP))
        params, means, loss, hit = step(params, means, jnp.asarray(ids), rate, n_done + 1.0)
        losses.append((float(loss), float(hit)))
        if n_done % 25 == 0:
            loss, hit = np.mean(losses[-25:], axis=0)
            print(f"step {n_done}: loss {loss:.3f}, right {hit:.3f}, {time.monotonic() - start:.0f} s", flush=True)
    return params


def _step_function(frozen_weights: Params, n_layers: int) -> Callable[..., Any]:
    def loss_of(params: Params, ids: jax.Array) -> tuple[jax.Array, jax.Array]:
        scores = scores_of(frozen_weights, params, ids.reshape(-1, ids.shape[2]), n_layers).reshape(ids.shape[:2])
        return -jax.nn.log_softmax(scores)[:, 0].mean(), (scores.argmax(axis=1) == 0).mean()

    @jax.jit
    def step(params: Params, means: tuple[Params, Params], ids: jax.Array, rate: float, n: float) -> Any:
        (loss, hit), slope = jax.value_and_grad(loss_of, has_aux=True)(params, ids)
        first = jax.tree.map(lambda mean, g: DECAYS[0] * mean + (1 - DECAYS[0]) * g, means[0], slope)
        second = jax.tree.map(lambda mean, g: DECAYS[1] * mean + (1 - DECAYS[1]) * g * g, means[1], slope)
        scale = rate * jnp.sqrt(1 - DECAYS[1] ** n) / (1 - DECAYS[0] ** n)
        params = jax.tree.map(lambda p, m, v: p - scale * m / (jnp.sqrt(v) + 1e-8), params, first, second)
        return params, (first, second), loss, hit

    return step


if __name__ == "__main__":
    main()
