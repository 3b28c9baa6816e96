"""Shifts in rank that papers show merely because a corpus grows: the noise in standing questions.

    python -m benchmarks.standing BEFORE AFTER [--questions N] [--seed N] [--json FILE]

BEFORE is a corpus of some of the papers of AFTER, chosen at random, so that no paper became more relevant in between.
The questions are the titles of N papers of BEFORE. The places of papers that are found in both corpora are compared,
counting only such papers: the shares that have shifted by at least 1, 2, 3 ... places show how large a shift must be
before a standing question may call a paper moved (`MOVED_PLACES`).
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from pathfinder.session import Pathfinder
from pathfinder.standing.changes import MOVED_PLACES

MOST = 5
"""Largest shift that is listed on its own."""


def shifts(before: Sequence[str], after: Sequence[str]) -> Iterator[int]:
    """Yield, for each paper on both lists, its shift in rank among the papers on both."""
    first = [each for each in before if each in after]
    second = [each for each in after if each in before]
    return (abs(first.index(each) - second.index(each)) for each in second)


def measure(before: Pathfinder, after: Pathfinder, n_questions: int, seed: int) -> tuple[Counter[int], int]:
    """Return how often each shift occurs, and the number of questions with a paper that has moved."""
    chance = random.Random(seed)  # noqa: S311  a sample, not a secret
    titles = chance.sample(before.corpus.papers.titles(), n_questions)
    counts: Counter[int] = Counter()
    n_moved = 0
    for title in titles:
        lists = ([hit.paper.paper_id for hit in pf.search(title).hits] for pf in (before, after))
        of_question = list(shifts(*lists))
        counts.update(of_question)
        n_moved += any(shift >= MOVED_PLACES for shift in of_question)
    return counts, n_moved


def main() -> None:
    """Print the shares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    before, after = (Pathfinder.open(folder) for folder in (options.before, options.after))
    counts, n_moved = measure(before, after, options.questions, options.seed)
    total = counts.total()
    shares = {n: sum(count for shift, count in counts.items() if shift >= n) / total for n in range(1, MOST + 1)}
    print(f"{len(before.corpus.papers):,} and {len(after.corpus.papers):,} papers, {total} papers in both lists")
    for n, share in shares.items():
        print(f"{n} places or more: {share:.1%}")
    print(f"questions with a moved paper: {n_moved} of {options.questions}")
    if options.json:
        options.json.write_text(json.dumps({"shares": shares, "n_moved": n_moved}), encoding="utf-8")


if __name__ == "__main__":
    main()
