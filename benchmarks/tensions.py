"""Precision and recall of tensions on synthetic pairs, and a list of those among real papers, to be marked.

    python -m benchmarks.tensions ASTRO.jsonl.gz [--seed N] [--json FILE]
    python -m benchmarks.tensions ASTRO.jsonl.gz --real CORPUS QUESTIONS.txt --list FILE [--after MARKS.jsonl]

ASTRO.jsonl.gz holds the papers from which `tension_pairs` makes 400 pairs, 40 of which are tensions. Targets: precision
0.9, recall 0.8. With --real, the tensions among the best matches of each question are written to FILE, with both
sentences and a field "is_right" to fill in: the first 50 pairs, one per line, in the order of the questions and, for
each question, in the order in which they are listed. --after leaves out the pairs of an earlier list.
"""

import argparse
import gzip
import json
from collections import Counter
from pathlib import Path

from benchmarks.report import Figure, machine, print_figures
from benchmarks.tension_pairs import made_pairs
from pathfinder.assessment.tensions import find_tensions
from pathfinder.session import Pathfinder
from pathfinder.types import Paper

N_LISTED = 50


def on_made_pairs(papers: list[Paper], seed: int) -> list[Figure]:
    """Return precision and recall, and print the counts of right and wrong decisions by kind of pair."""
    counts: Counter[tuple[str, str]] = Counter()
    n_right = n_found = n_tensions = 0
    for pair in made_pairs(papers, seed):
        is_found = bool(find_tensions("", (pair.first, pair.second)).tensions)
        n_tensions += pair.is_tension
        n_found += is_found
        n_right += is_found and pair.is_tension
        counts[pair.kind, "right" if is_found == pair.is_tension else "wrong"] += 1
    for (kind, outcome), n in sorted(counts.items()):
        print(f"{kind}: {n} {outcome}")
    return [
        Figure("precision, made pairs", n_right / max(1, n_found), "", "at least", 0.9),
        Figure("recall, made pairs", n_right / n_tensions, "", "at least", 0.8),
    ]


def list_real(corpus: Path, questions: Path, file: Path, after: Path | None, n_papers: int) -> None:
    """Write the first tensions among the matches of each question."""
    pf = Pathfinder.open(corpus)
    earlier = after.read_text(encoding="utf-8").splitlines() if after is not None else ()
    earlier_pairs = {frozenset(json.loads(line)["ids"]) for line in earlier}
    n_most = len(earlier_pairs) + N_LISTED
    with file.open("w", encoding="utf-8") as lines:
        for question in questions.read_text(encoding="utf-8").splitlines():
            for tension in pf.tensions(pf.search(question), n_papers).tensions:
                pair = frozenset(side.paper.paper_id for side in tension.sides)
                if pair in earlier_pairs:
                    continue
                earlier_pairs.add(pair)
                ids = [side.paper.paper_id for side in tension.sides]
                record = {"kind": str(tension.kind), "subject": tension.subject, "reason": tension.reason, "ids": ids}
                record["sentences"] = [side.quotation for side in tension.sides]
                lines.write(json.dumps({"question": question} | record | {"is_right": None}) + "\n")
                lines.flush()
                if len(earlier_pairs) == n_most:
                    return


def main() -> None:
    """Measure precision and recall on synthetic pairs, or list tensions between real papers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("papers", type=Path)
    parser.add_argument("--seed", type=int, default=31)
    parser.add_argument("--real", type=Path, nargs=2, metavar=("CORPUS", "QUESTIONS"))
    parser.add_argument("--matches", type=int, default=30)
    parser.add_argument("--after", type=Path, metavar="MARKS")
    parser.add_argument("--list", type=Path, default=Path("tensions.jsonl"))
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if options.real:
        list_real(*options.real, options.list, options.after, options.matches)
        return
    with gzip.open(options.papers, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    papers = [Paper(r["id"], r["title"], r["abstract"], year=int(r["date"][:4])) for r in records]
    print(machine())
    print_figures(on_made_pairs(papers, options.seed), options.json)


if __name__ == "__main__":
    main()
