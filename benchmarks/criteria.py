"""Criteria that papers meet or fail: how often the marks without a chat model are right, beside those of two judges.

    python -m benchmarks.criteria CORPUS [--questions 31-60]

CORPUS is a corpus with the papers in `answers/criteria_cells.tsv`, such as one built from `astroph_2025_2026.jsonl.gz`.
Two judges marked every cell y, n or u (cannot be told) from title and abstract; the cells that count are those on which
they agree. A mark "yes" or "no" is right if both say so. Questions from 81 on have one judge.
"""

import argparse
import csv
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from scipy.stats import binomtest

from pathfinder.addons.comparison.comparison import cells_of, read_columns
from pathfinder.addons.comparison.criteria import Criterion, read_criterion
from pathfinder.addons.comparison.marking import PaperReader, criterion_cell
from pathfinder.facade import Pathfinder

HERE = Path(__file__).parent / "answers"


@dataclass(frozen=True)
class Cell:
    """A paper and a criterion, with the marks of both judges."""

    question: int
    paper_id: str
    criterion: Criterion
    marks: tuple[str, str]

    @property
    def agreed(self) -> str | None:
        """The mark of both judges; `None` if they differ."""
        return self.marks[0] if self.marks[0] == self.marks[1] else None


def cells(pf: Pathfinder, questions: Iterable[int]) -> Iterator[Cell]:
    """Yield the judged cells of some questions."""
    asked = json.loads((HERE / "criteria_questions.json").read_text(encoding="utf-8"))
    abbreviations = pf.corpus.papers.wording.abbreviations
    read = {
        (number, place): read_criterion(text, pf.profile, abbreviations)
        for number in questions
        for place, text in enumerate(asked[number - 1]["criteria"], start=1)
    }
    with (HERE / "criteria_cells.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            key = int(row["question"]), int(row["criterion"])
            if key in read:
                yield Cell(key[0], row["paper"], read[key], (row["a"], row["b"] or row["a"]))


def share(right: int, n: int) -> str:
    """Write a share with its Wilson interval of 95%."""
    if not n:
        return "none"
    interval = binomtest(right, n).proportion_ci(method="wilson")
    return f"{right / n:.2f} ({right} of {n}; {interval.low:.2f} to {interval.high:.2f})"


def report(judged: Sequence[Cell], marks: Sequence[str]) -> dict[str, str]:
    """Return the figures of marks "y", "n" and "u", one for each cell."""
    pairs = [(cell, mark) for cell, mark in zip(judged, marks, strict=True) if cell.agreed]
    decided = [(cell, mark) for cell, mark in pairs if cell.agreed != "u"]
    said = [(cell, mark) for cell, mark in pairs if mark != "u"]
    figures = {
        f"precision of {name}": share(
            sum(cell.agreed == sign for cell, mark in said if mark == sign), sum(mark == sign for _, mark in said)
        )
        for name, sign in (("yes", "y"), ("no", "n"))
    }
    figures["decided, of the cells that both judges decided"] = share(
        sum(mark != "u" for _, mark in decided), len(decided)
    )
    excluding = [(cell, mark) for cell, mark in said if cell.criterion.is_exclusion]
    figures["exclusions right, of those decided"] = share(
        sum(cell.agreed == mark for cell, mark in excluding), len(excluding)
    )
    met = [(cell, mark) for cell, mark in excluding if mark == "y"]
    figures["exclusions shown as met that are"] = share(sum(cell.agreed == "y" for cell, _ in met), len(met))
    for name, is_own in (
        ("numbers", lambda c: c.bounds is not None),
        ("words", lambda c: c.bounds is None and not c.is_exclusion),
    ):
        own = [(cell, mark) for cell, mark in said if is_own(cell.criterion)]
        figures[f"right: {name}"] = share(sum(cell.agreed == mark for cell, mark in own), len(own))
    return figures


def kappa(judged: Sequence[Cell]) -> float:
    """Return Cohen's kappa of the two judges."""
    n, observed = len(judged), sum(cell.agreed is not None for cell in judged) / len(judged)
    first, second = (Counter(cell.marks[judge] for cell in judged) for judge in (0, 1))
    chance = sum(first[mark] * second[mark] for mark in "ynu") / n**2
    return (observed - chance) / (1 - chance)


def reader(pf: Pathfinder, paper_id: str) -> PaperReader:
    """Return a paper of the corpus as criteria see it."""
    (row,) = pf.corpus.papers.rows_of([paper_id])
    return PaperReader(pf.corpus.papers[int(row)], (), pf.sentence_embedder)


def main() -> None:
    """Measure the marks, plain search (all that is listed meets all) and the table's columns of the same names."""
    parser = argparse.ArgumentParser(description="How often marks for criteria are right.")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--questions", default="31-60")
    arguments = parser.parse_args()
    pf = Pathfinder.open(arguments.corpus)
    first, last = map(int, arguments.questions.split("-"))
    judged = list(cells(pf, range(first, last + 1)))
    n_agreed = sum(cell.agreed is not None for cell in judged)
    print(f"{len(judged)} cells; the judges agree on {share(n_agreed, len(judged))}, kappa {kappa(judged):.2f}")
    readers = {cell.paper_id: reader(pf, cell.paper_id) for cell in judged}
    papers = {cell.paper_id: pf.corpus.papers[int(pf.corpus.papers.rows_of([cell.paper_id])[0])] for cell in judged}
    own = [criterion_cell(cell.criterion, readers[cell.paper_id]).text[0] for cell in judged]
    table = []
    for cell in judged:
        columns = read_columns([cell.criterion.phrase], pf.profile)
        (filled,) = cells_of(papers[cell.paper_id], columns, pf.sentence_embedder)
        table.append("u" if filled is None else "n" if cell.criterion.is_exclusion else "y")
    for name, marks in (("criteria", own), ("plain search", ["y"] * len(judged)), ("table of columns", table)):
        print(name, json.dumps(report(judged, marks), indent=1))


if __name__ == "__main__":
    main()
