"""Costs and benefits of eight-bit weights: speed, cosines with the exact vectors, and ranking.

    python -m benchmarks.precision DATA [--collections cisi,cacm,scholarqa_multi_closed,scifact] [--cache DIR]
    python -m benchmarks.precision DATA --cuda

Papers are embedded in int8 when a corpus is built, questions in float32. Here every collection is searched with both in
float32, with only the papers in int8, and with both in int8. The speed is measured on 192 texts of the first
collection, in CPU time, taking the fastest of three runs for each setting, so that other work on the machine matters
less. With `--cuda`, a CUDA device is compared with the CPU instead, by the clock.
"""

import argparse
import time
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Self

import numpy as np

from benchmarks.report import machine
from pathfinder.cli.progress import build_progress
from pathfinder.corpus.readers import read_papers
from pathfinder.evaluation.run import evaluate_collection
from pathfinder.models.minilm import MiniLM
from pathfinder.models.ports import Vectors
from pathfinder.types import Paper

METHODS = ("dense", "hybrid", "default")
QRELS = {"scifact": "qrels_beir_test.tsv"}
N_TEXTS, N_TURNS = 192, 3
N_TEXTS_CUDA = 1024


class Exact(MiniLM):
    """The model in float32, for papers too."""

    def for_building(self) -> Self:
        return self


MODELS = {
    "papers float32, questions float32": Exact,
    "papers int8, questions float32": MiniLM,
    "papers int8, questions int8": lambda: MiniLM(precision="int8"),
}


def main() -> None:
    """Measure the collections in the folder given as an argument."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path, help="folder with retrieval/")
    parser.add_argument("--collections", default="cisi,cacm,scholarqa_multi_closed,scifact")
    parser.add_argument("--cache", type=Path, help="keeps the vectors of the documents")
    parser.add_argument("--cuda", action="store_true", help="compare a CUDA device with the processor, and end")
    arguments = parser.parse_args()
    print(machine())
    folders = [arguments.data / "retrieval" / name for name in arguments.collections.split(",")]
    if arguments.cuda:
        print_cuda(MiniLM(device="cuda"), _texts(folders[0], N_TEXTS_CUDA))
        return
    _print_speed(folders[0])
    for folder in folders:
        for name, make in MODELS.items():
            scores = _scores(folder, make(), arguments.cache)
            print(f"{folder.name}, {name}: " + ", ".join(f"{method} {value:.4f}" for method, value in scores.items()))


def print_cuda(model: MiniLM, texts: list[str]) -> None:
    """Print how many texts a CUDA device embeds per second, and how well its vectors agree with the CPU's."""
    rounds = []
    for _ in range(N_TURNS):
        start = time.monotonic()
        vectors = model.embed_with_tokens(texts, "document")[0]
        rounds.append(time.monotonic() - start)
    print(f"{model.precision}: {len(texts) / min(rounds):.1f} texts a second, with the tokens")
    _print_cosines(Exact().embed(texts, "document"), vectors)


def _texts(folder: Path, n_texts: int) -> list[str]:
    papers = (paper for paper in read_papers(folder / "corpus.jsonl") if isinstance(paper, Paper))
    return [paper.text for paper in islice(papers, n_texts)]


def _print_speed(folder: Path) -> None:
    texts = _texts(folder, N_TEXTS)
    models = {"float32": Exact(), "int8": MiniLM(precision="int8")}
    seconds = {name: [_seconds(model, texts) for _ in range(N_TURNS)] for name, model in models.items()}
    for name, turns in seconds.items():
        print(f"{name}: {len(texts) / min(turns):.1f} texts a second of processor time")
    exact, rounded_vectors = (model.embed(texts, "document") for model in models.values())
    _print_cosines(exact, rounded_vectors)


def _print_cosines(exact: Vectors, others: Vectors) -> None:
    cosines = (exact * others).sum(axis=1)
    print(f"cosines of the two: at least {cosines.min():.4f}, mean {np.mean(cosines):.4f}")


def _seconds(model: MiniLM, texts: list[str]) -> float:
    start = time.process_time()
    model.embed(texts, "document")
    return time.process_time() - start


def _scores(folder: Path, model: MiniLM, cache: Path | None) -> Mapping[str, float]:
    qrels = QRELS.get(folder.name)
    with build_progress() as progress:
        report = evaluate_collection(
            folder,
            model,
            judgements=folder / qrels if qrels else None,
            methods=METHODS,
            cache=cache,
            progress=progress,
        )
    return {method: scores["ndcg@10"] for method, scores in report.record()["methods"].items()}


if __name__ == "__main__":
    main()
