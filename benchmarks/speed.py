"""Response times (opening a corpus, searching, reweighing), and resident memory.

    python -m benchmarks.speed CORPUS QUESTIONS.jsonl [--json FILE]

QUESTIONS has one JSON object per line, with a `text`. Targets, on 2 quiet cores: without the reranker, and at 108,000
papers, a search takes at most 40 ms (median) and 80 ms (95th percentile), including embedding the question; with the
reranker, at most 80 ms (median), and 0.12 s of processor time at 16,659 papers; `reweigh` takes at most 10 ms, and
opening at most 1 s; resident memory is at most 900 MB after 100 searches. A corpus without tokens is measured without
the reranker.
"""

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.report import Figure, machine, own_megabytes, print_figures, resident_megabytes
from pathfinder.facade import Pathfinder
from pathfinder.settings import Settings
from pathfinder.types import SearchRequest, Weighting
from pathfinder.types.alternatives import NO_RERANKER

N_QUESTIONS = 100
EVERYTHING_ON = Weighting(keywords=1, recency=1, citations=1)


def measure(corpus: Path, questions: list[str]) -> list[Figure]:
    """Make the measurements for one corpus."""
    pf = Pathfinder.open(corpus, settings=Settings())
    pf.search(questions[0])
    requests = [SearchRequest(question) for question in questions]
    plain = [SearchRequest(question, reranker=NO_RERANKER) for question in questions]
    reranking_figures = _reranking(pf, requests) if pf.corpus.path("tokens") else []
    searching = [_time(lambda request=request: pf.search(request)) for request in plain]
    # Measured before anything is opened a second time, because a server opens everything only once.
    memory, own = resident_megabytes(), own_megabytes()
    result = pf.search(requests[0])
    weighing = [_time(lambda: pf.reweigh(result, EVERYTHING_ON)) for _ in range(N_QUESTIONS)]
    filtered_seconds = [_time(lambda q=q: pf.search(q, year_from=2015, weighting=EVERYTHING_ON)) for q in questions]
    opening = [_time(lambda: Pathfinder.open(corpus, settings=Settings())) for _ in range(5)]
    return [
        Figure("open, median", 1e3 * np.median(opening), "ms", "at most", 1000),
        Figure("search without the reranker, median", 1e3 * np.median(searching), "ms", "at most", 40),
        Figure("search without the reranker, 95th percentile", 1e3 * np.percentile(searching, 95), "ms", "at most", 80),
        *reranking_figures,
        Figure("search since 2015 with every weight, median", 1e3 * np.median(filtered_seconds), "ms"),
        Figure("reweigh, median", 1e3 * np.median(weighing), "ms", "at most", 10),
        Figure(f"resident after {len(requests)} searches", memory, "MB", "at most", 900),
        Figure("of which not mapped from files", own, "MB"),
    ]


def _reranking(pf: Pathfinder, requests: list[SearchRequest]) -> list[Figure]:
    processor = time.process_time()
    seconds = [_time(lambda request=request: pf.search(request)) for request in requests]
    processor = (time.process_time() - processor) / len(requests)
    return [
        Figure("search with the reranker, median", 1e3 * np.median(seconds), "ms", "at most", 80),
        Figure("search with the reranker, processor time, mean", processor, "s", "at most", 0.12),
    ]


def _time(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def main() -> None:
    """Measure the corpus named in the arguments."""
    parser = argparse.ArgumentParser(description="How long a question takes.")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    with arguments.questions.open(encoding="utf-8") as lines:
        questions = [json.loads(line)["text"] for line in lines][:N_QUESTIONS]
    print(f"{arguments.corpus.name}: {machine()}")
    print_figures(measure(arguments.corpus, questions), arguments.json)


if __name__ == "__main__":
    main()
