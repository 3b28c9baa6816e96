"""Time from the hits for a question to its digest, on any corpus.

    python -m benchmarks.digest_time CORPUS QUESTIONS [--top-k 10] [--json FILE]

QUESTIONS holds a question on each line, or a JSON object with `question` or `text`; lines that begin with # are
skipped. The search is not timed. "Digest" is the choice of the lines; "answer" adds the check of the quotations, and
reuses what the digest has cached. The target is 0.5 s for the digest on two quiet cores and 16,659 papers, with token
vectors in the corpus. Questions that the corpus does not answer have no digest and are only counted. The first question
is a warm-up.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

from benchmarks.report import Figure, machine, print_figures
from pathfinder.answering.digest.digest import quote
from pathfinder.answering.session.answer_session import MOST_READ
from pathfinder.facade import Pathfinder
from pathfinder.settings import Settings
from pathfinder.types import DEFAULT_TOP_K, ModeName, SearchResult

TARGET = 0.5
"""Maximum number of seconds for a digest."""


@dataclass(frozen=True, slots=True)
class Times:
    """Times for one question, in seconds."""

    form: str
    digest: float
    digest_of_processor: float
    """Processor time of all threads, which does not grow on a busy machine."""
    answer: float


def measure(pf: Pathfinder, questions: Sequence[str], top_k: int) -> list[Times]:
    """Time the questions that have a digest."""
    results = [pf.search(question, top_k=top_k) for question in questions]
    _times(pf, results[0])
    return [times for result in results[1:] if (times := _times(pf, result)) is not None]


def _times(pf: Pathfinder, result: SearchResult) -> Times | None:
    if not result.hits:
        return None
    further = result.candidates.papers[:MOST_READ]
    start, processor = perf_counter(), process_time()
    quote(result.request.query, result.hits, pf.embedder, None, further, pf.corpus.tokens)
    digest, of_processor = perf_counter() - start, process_time() - processor
    start = perf_counter()
    answer = pf.answer(result, generation=ModeName.EXTRACTIVE)
    seconds = perf_counter() - start
    return None if answer.digest is None else Times(answer.digest.form.value, digest, of_processor, seconds)


def figures(times: Sequence[Times]) -> list[Figure]:
    """Summarise the times, overall and for each form."""
    by_form: dict[str, list[float]] = defaultdict(list)
    for entry in times:
        by_form[entry.form].append(entry.digest)
    digest, processor, answer = (
        [getattr(entry, name) for entry in times] for name in ("digest", "digest_of_processor", "answer")
    )
    return [
        Figure("digest, median", float(np.median(digest)), "s", "at most", TARGET),
        Figure("digest, 95th percentile", float(np.percentile(digest, 95)), "s", "at most", TARGET),
        Figure("digest, processor time, median", float(np.median(processor)), "s"),
        Figure("answer, median", float(np.median(answer)), "s"),
        Figure("answer, 95th percentile", float(np.percentile(answer, 95)), "s"),
        *(
            Figure(f"digest, form {form}, median of {len(own)}", float(np.median(own)), "s")
            for form, own in sorted(by_form.items())
        ),
    ]


def read_questions(path: Path) -> list[str]:
    """Read questions from plain lines or JSON lines."""
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines() if line.strip() and line[0] != "#"]
    records = [json.loads(line) if line.startswith("{") else {"question": line} for line in lines]
    return [record.get("question") or record["text"] for record in records]


def main() -> None:
    """Measure the corpus given by the arguments."""
    parser = argparse.ArgumentParser(description="How long a digest takes after the hits.")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--top-k", type=int, default=DEFAULT_TOP_K)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    pf = Pathfinder.open(arguments.corpus, settings=Settings(_env_file=None)).with_chat(None)
    questions = read_questions(arguments.questions)
    tokens = "stored token vectors" if pf.corpus.tokens is not None else "no token vectors"
    print(f"{arguments.corpus.name}, {len(pf.corpus.papers):,} papers, {tokens}; {machine()}")
    times = measure(pf, questions, arguments.top_k)
    print(f"{len(times)} of {len(questions) - 1} questions have a digest")
    print_figures(figures(times), arguments.json)


if __name__ == "__main__":
    main()
