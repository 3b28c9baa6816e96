"""Searches per second through the API with 16 callers, compared with the processor time of a single search.

    python -m benchmarks.api_load CORPUS QUESTIONS [--callers 16] [--seconds 30] [--processes 2]

starts `pathfinder serve` on a free port and sends it distinct questions, one per line of QUESTIONS (or JSON lines with
`question` or `text`). This is done once with the local reranker and once without. Each caller keeps its connection, and
sends its next question as soon as the last is answered. Target: at least 0.8 times the number of processors divided by
the processor seconds that one search takes; callers for whom there is no room in the queue get a 503.
"""

import argparse
import http.client
import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from urllib.parse import urlsplit

import numpy as np

from benchmarks.digest_time import read_questions
from pathfinder.session import Pathfinder
from tests.serving import free_port

PROCESSORS = len(os.sched_getaffinity(0))
SHARE = 0.8
MEASURED_ALONE = 40
WARMING_UP = 33
"""Number of searches to run before the measurement, because each process loads its models on first use."""
TICKS = os.sysconf("SC_CLK_TCK")
SETTINGS: dict[str, dict[str, object]] = {"reranker": {}, "no reranker": {"reranker": "off"}}
COMMAND = "import sys; from pathfinder.cli import main; sys.exit(main(sys.argv[1:]))"


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply from the server."""

    status: int
    seconds: float


@contextmanager
def serving(corpus: Path, *options: str) -> Iterator[tuple[str, int]]:
    """Start the API, wait until it answers, and yield its address and the id of its process."""
    port = free_port()
    command = [sys.executable, "-c", COMMAND, "serve", "--corpus", str(corpus), "--port", str(port), *options]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:  # noqa: S603 - our own program
        address = f"http://127.0.0.1:{port}/api/v1"
        try:
            while not _answers(f"{address}/health"):
                time.sleep(0.2)
            yield address, process.pid
        finally:
            process.terminate()


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5):  # noqa: S310 - loopback
            return True
    except urllib.error.URLError:
        return False


def used_by(process_id: int) -> float:
    """Return the processor seconds used so far by a process and the processes that it has started."""
    total = 0.0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # the process has ended
            fields = stat.read_text().rpartition(")")[2].split()
            if int(stat.parent.name) == process_id or int(fields[1]) == process_id:
                total += (int(fields[11]) + int(fields[12])) / TICKS
    return total


def processor_seconds(corpus: Path, questions: list[str], settings: dict[str, object]) -> float:
    """Return the median processor seconds of a search; no question is asked twice."""
    pf = Pathfinder.open(corpus)
    pf.search(questions[0], **settings)
    seconds = []
    for question in questions[1 : MEASURED_ALONE + 1]:
        before = time.process_time()
        pf.search(question, **settings)
        seconds.append(time.process_time() - before)
    return float(np.median(seconds))


def load(
    address: str, questions: list[str], settings: dict[str, object], callers: int, seconds: float
) -> tuple[list[Reply], float]:
    """Let `callers` search concurrently for `seconds`; return the replies and the number of seconds that this actually
    took.
    """
    turn, lock, start = iter(questions), Lock(), time.perf_counter()
    replies: list[Reply] = []

    def call() -> None:
        with closing(http.client.HTTPConnection(urlsplit(address).netloc, timeout=120)) as connection:
            while time.perf_counter() - start < seconds:
                with lock:
                    question = next(turn, None)
                if question is None:
                    return
                replies.append(_search(connection, f"{urlsplit(address).path}/search", {"query": question} | settings))

    with ThreadPoolExecutor(callers) as pool:
        for task in [pool.submit(call) for _ in range(callers)]:
            task.result()
    return replies, time.perf_counter() - start


def _search(connection: http.client.HTTPConnection, path: str, body: dict[str, object]) -> Reply:
    before = time.perf_counter()
    connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
    reply = connection.getresponse()
    reply.read()
    return Reply(reply.status, time.perf_counter() - before)


def main() -> None:
    """Measure with and without the reranker, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--callers", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--processes", default="1", help="option of `pathfinder serve`")
    args = parser.parse_args()
    questions = read_questions(args.questions)
    for name, settings in SETTINGS.items():
        alone = processor_seconds(args.corpus, questions, settings)
        with serving(args.corpus, "--processes", args.processes) as (address, process_id):
            load(address, questions[:WARMING_UP], settings, args.callers, args.seconds)
            before = used_by(process_id)
            replies, took = load(address, questions[WARMING_UP:], settings, args.callers, args.seconds)
            cores = (used_by(process_id) - before) / len(replies)
        good = [reply.seconds for reply in replies if reply.status == 200]
        target = SHARE * PROCESSORS / alone
        print(
            f"{name}: processor {alone:.4f} s a search alone, {cores:.4f} s served; "
            f"{len(good) / took:.1f} searches a second (target {target:.1f}), "
            f"median {np.median(good):.2f} s, 95% {np.percentile(good, 95):.2f} s; "
            f"{len(replies)} replies: {sum(reply.status == 503 for reply in replies)} with 503, "
            f"{sum(reply.status not in (200, 503) for reply in replies)} with other errors"
        )


if __name__ == "__main__":
    main()
