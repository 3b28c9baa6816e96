"""Measures the share of right cells in comparison tables that are made without a chat model.

    python -m benchmarks.comparison ASTRO.jsonl.gz [--marks FILE] [--json FILE]

ASTRO.jsonl.gz holds the papers of `benchmarks/answers/comparison_cells.jsonl`: abstracts drawn with a seed, with the
numbers of the sentences that suit the columns sample, method, result and limitation. They were marked before the method
was run on them. A cell is right if it holds one of those sentences. An empty cell is right where nothing suits the
column, or where it is open to debate whether anything does.
"""

import argparse
import gzip
import json
import time
from collections import Counter
from pathlib import Path

from benchmarks.report import Figure, machine, print_figures
from pathfinder.answering.comparison import DEFAULT_COLUMNS, cells_of, read_columns
from pathfinder.models.minilm import MiniLM
from pathfinder.text.sentences import split_sentences
from pathfinder.types import Paper

MARKS = Path(__file__).parent / "answers" / "comparison_cells.jsonl"


def main() -> None:
    """Print the share of right cells by column."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("papers", type=Path)
    parser.add_argument("--marks", type=Path, default=MARKS)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    marks = [json.loads(line) for line in options.marks.read_text(encoding="utf-8").splitlines()]
    paper_ids = {mark["paper_id"] for mark in marks}
    with gzip.open(options.papers, "rt", encoding="utf-8") as lines:
        records = [record for record in map(json.loads, lines) if record["id"] in paper_ids]
    papers = {record["id"]: Paper(record["id"], record["title"], record["abstract"]) for record in records}
    embedder, columns = MiniLM(), read_columns(DEFAULT_COLUMNS)
    start = time.perf_counter()
    cells = {
        key: dict(zip(DEFAULT_COLUMNS, cells_of(paper, columns, embedder), strict=True))
        for key, paper in papers.items()
    }
    seconds = time.perf_counter() - start
    right: Counter[str] = Counter()
    for mark in marks:
        cell = cells[mark["paper_id"]][mark["column"]]
        sentences = split_sentences(papers[mark["paper_id"]].abstract)
        if cell is None:
            is_right = mark["may_be_empty"]
        else:
            is_right = any(sentences[place] in cell.quotation for place in mark["sentences"])
        right[mark["column"]] += is_right
        if not is_right:
            print(f"{mark['paper_id']} {mark['column']}: {cell.quotation[:150] if cell else 'empty'}")
    counts = Counter(mark["column"] for mark in marks)
    print(machine())
    figures = [Figure(f"right cells, {name}", right[name] / counts[name], "") for name in DEFAULT_COLUMNS]
    figures.append(Figure("right cells, all", right.total() / counts.total(), ""))
    figures.append(Figure("seconds a paper", seconds / len(papers), "s"))
    print_figures(figures, options.json)


if __name__ == "__main__":
    main()
