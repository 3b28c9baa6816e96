"""Shows two versions of an answer side by side without their names, and scores the marks of readers who compared them.

    python -P benchmarks/blind.py answers QUESTIONS --corpus DIR --out ANSWERS.json
    python -m benchmarks.blind sheet NEW.json OLD.json --sheet SHEET.md --key KEY.json [--seed N]
    python -m benchmarks.blind score KEY.json MARKS.tsv ...

`answers` runs with whichever Pathfinder PYTHONPATH names, today's or a checkout of an earlier version, and needs no
chat model. `sheet` prints both answers to each question as A and B, in an order drawn with the seed, and the key says
which is which. Both are laid out alike: a line for each citation, papers numbered from 1 in the order of citation, and
no badges, evidence counts, scores or advice. Cluster headings are kept, so some of the digests can be recognised by
them.

A marks file has a line for each question: its number, the preferred answer (A, B or same), the misleading ones (A, B,
both or none) and a reason, separated by tabs. An answer misleads if somebody who reads only it would come away
believing something false, or mistaking a true statement that does not answer the question for the answer.
"""

import argparse
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

FIRST_SEED = 20261123
PREFERENCES, MISLEADING = ("A", "B", "same"), ("A", "B", "both", "none")
AFTER_MARK = re.compile(r"(?<=\d\])[ ]+")


@dataclass(frozen=True, slots=True)
class Mark:
    """A reader's judgement of the two answers to a question."""

    preferred: str
    misleading: str
    reason: str


def read_questions(path: Path) -> list[str]:
    """Return the questions of a file, one per line; lines that begin with # are headings."""
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def answers(questions: Sequence[str], corpus: Path) -> list[dict[str, Any]]:
    """Return the extractive answer to each question, with the papers to which its citation numbers refer."""
    from pathfinder import Pathfinder
    from pathfinder.types import ModeName

    pf = Pathfinder.open(corpus)
    rows = []
    for question in questions:
        answer = pf.answer(pf.search(question), generation=ModeName.EXTRACTIVE)
        papers = [
            {"author": paper.authors[0] if paper.authors else "", "year": paper.year, "title": paper.title}
            for paper in answer.sources
        ]
        rows.append({"question": question, "text": answer.text, "papers": papers})
    return rows


def is_new_first(n_questions: int, seed: int) -> list[bool]:
    """Return, for each question, whether the new answer is A; this is so for half of the questions, rounded up."""
    order = [place % 2 == 0 for place in range(n_questions)]
    Random(seed).shuffle(order)  # noqa: S311 - no secret depends on it
    return order


def sheet_lines(
    new: Sequence[Mapping[str, Any]], old: Sequence[Mapping[str, Any]], order: Sequence[bool]
) -> Iterator[str]:
    """Yield the lines of the sheet; `order` says for which questions the new answer is A.

    Raise `ValueError` if the two files answer different questions.
    """
    yield "# Two answers to each question"
    for number, (first, second, is_swapped) in enumerate(zip(new, old, order, strict=True), start=1):
        if first["question"] != second["question"]:
            raise ValueError(f"question {number} differs: {first['question']!r} and {second['question']!r}")
        yield from ("", f"## {number}. {first['question']}")
        for name, answer in zip("AB", (first, second) if is_swapped else (second, first), strict=True):
            yield from ("", f"### {number} {name}", "", "```text", *_answer_lines(answer), "```")


def _answer_lines(answer: Mapping[str, Any]) -> Iterator[str]:
    # Imported here because earlier versions, with which `answers` may run, lack these functions.
    from pathfinder.grounding.marks import renumber, shown_numbers

    cited_numbers = list(dict.fromkeys(shown_numbers(answer["text"])))
    text = renumber(answer["text"], {n: place for place, n in enumerate(cited_numbers, start=1)})
    yield AFTER_MARK.sub("\n", text).strip()
    if cited_numbers:
        yield ""
    for place, n in enumerate(cited_numbers, start=1):
        paper = answer["papers"][n - 1]
        yield f"{place}: {paper['author'].split(',')[0]} {paper['year']}, {paper['title']}"


def read_marks(path: Path) -> dict[int, Mark]:
    """Return the marks in a file, by question. Raise `ValueError` for a mark that is not allowed."""
    marks = {}
    for place, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        number, preference, misleading, reason = [*line.split("\t"), "", "", ""][:4]
        if not number.strip().isdigit():  # a heading or an empty line
            continue
        if preference not in PREFERENCES or misleading not in MISLEADING:
            raise ValueError(
                f"{path}:{place}: {preference!r}, {misleading!r}; write one of {', '.join(PREFERENCES)}, a tab and "
                f"one of {', '.join(MISLEADING)}"
            )
        marks[int(number)] = Mark(preference, misleading, reason)
    return marks


def score(marks: Mapping[int, Mark], names: Mapping[int, Mapping[str, str]]) -> dict[str, Any]:
    """Return how often the new answer is preferred, and which answers are misleading.

    `names` maps A and B to "new" and "old" for each question. Raise `ValueError` if a question has no mark.
    """
    if missing := sorted(set(names) - set(marks)):
        raise ValueError(f"no mark for question {', '.join(map(str, missing))}; mark every question of the key")
    preferences = {n: names[n].get(marks[n].preferred, "same") for n in names}
    misleading = {
        side: [n for n in names if any(names[n][letter] == side for letter in _letters(marks[n].misleading))]
        for side in ("new", "old")
    }
    counts = {side: sum(value == side for value in preferences.values()) for side in ("new", "old", "same")}
    low, high = wilson(counts["new"], len(names))
    return {
        "n_questions": len(names),
        "preferred": counts,
        "new_preferred": {"value": counts["new"] / len(names), "low": low, "high": high},
        "misleading": misleading,
        "old_preferred_at": [n for n in names if preferences[n] == "old"],
    }


def _letters(misleading: str) -> str:
    return {"both": "AB", "none": ""}.get(misleading, misleading)


def wilson(n_hits: int, n: int, z: float = 1.96) -> tuple[float, float]:
    """Return the 95% interval of a share (Wilson 1927)."""
    share = n_hits / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return centre - half, centre + half


def _write_json(path: Path, record: object) -> None:
    path.write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def main() -> None:
    """Run one of the three steps."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    answering = commands.add_parser("answers")
    answering.add_argument("questions", type=Path)
    answering.add_argument("--corpus", type=Path, required=True)
    answering.add_argument("--out", type=Path, required=True)
    printing = commands.add_parser("sheet")
    printing.add_argument("new", type=Path)
    printing.add_argument("old", type=Path)
    printing.add_argument("--sheet", type=Path, required=True)
    printing.add_argument("--key", type=Path, required=True)
    printing.add_argument("--seed", type=int, default=FIRST_SEED)
    scoring = commands.add_parser("score")
    scoring.add_argument("key", type=Path)
    scoring.add_argument("marks", type=Path, nargs="+")
    args = parser.parse_args()
    if args.command == "answers":
        _write_json(args.out, answers(read_questions(args.questions), args.corpus))
    elif args.command == "sheet":
        new, old = _read_json(args.new), _read_json(args.old)
        order = is_new_first(len(new), args.seed)
        args.sheet.write_text("\n".join(sheet_lines(new, old, order)) + "\n", encoding="utf-8")
        names = {str(n): {"A": "new", "B": "old"} if a else {"A": "old", "B": "new"} for n, a in enumerate(order, 1)}
        _write_json(args.key, {"seed": args.seed, "names": names})
    else:
        names = {int(n): sides for n, sides in _read_json(args.key)["names"].items()}
        print(json.dumps({str(path): score(read_marks(path), names) for path in args.marks}, indent=1))


if __name__ == "__main__":
    main()
