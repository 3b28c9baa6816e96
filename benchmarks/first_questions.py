"""First questions of visitors to the demo corpus: is a paper that answers among the first?

    python -m benchmarks.first_questions build/landmarks [QUESTIONS] [--json FILE] [--show]

The 80 questions (`first_questions.jsonl`: who, what, why, how, names, three words, colloquial, Spanish) were made from
titles and years alone; whoever writes or changes the texts of the corpus does not read them. `best` are the papers that
answer, `also` others that belong within ten. Reported, in all and for each kind: a paper of `best` is among the first
three; all of `best` and `also` are within ten; the first paper cited by the answer without a chat model is one of them.
"""

import argparse
import json
from collections import defaultdict
from pathlib import Path

from pathfinder import AnswerRequest, Pathfinder

QUESTIONS = Path(__file__).with_name("first_questions.jsonl")
FIGURES = ("among three", "all within ten", "first line")


def main() -> None:
    """Ask every question, and print the shares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("questions", type=Path, nargs="?", default=QUESTIONS)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--show", action="store_true", help="print the questions that fail")
    given = parser.parse_args()
    pf = Pathfinder.open(given.corpus)
    marks: dict[str, list[tuple[bool, bool, bool]]] = defaultdict(list)
    for line in given.questions.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        result = pf.search(row["question"], top_k=10)
        ids = [hit.paper.paper_id for hit in result.hits]
        answer = pf.answer(result, AnswerRequest(generation="extractive"))
        cited = [paper_id for claim in answer.claims for paper_id in claim.citations]
        right = {*row["best"], *row["also"]}
        mark = (not set(row["best"]).isdisjoint(ids[:3]), right <= set(ids), bool(cited) and cited[0] in right)
        for kind in ("all", row["kind"]):
            marks[kind].append(mark)
        if given.show and not all(mark):
            failed = [name for name, is_right in zip(FIGURES, mark, strict=True) if not is_right]
            print(f"{row['question']}: {', '.join(failed)}; {ids[:3]}, cited {cited[:1]}, wanted {row['best']}")
    report = {
        kind: {name: round(sum(mark[n] for mark in rows) / len(rows), 3) for n, name in enumerate(FIGURES)}
        | {"questions": len(rows)}
        for kind, rows in marks.items()
    }
    for kind, figures in report.items():
        print(f"{kind:12}", figures)
    if given.json:
        given.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
