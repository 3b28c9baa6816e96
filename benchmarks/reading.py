"""Measure the CPU time, in seconds, needed to read bibliographies of 10,000 papers.

    python -m benchmarks.reading PAPERS.jsonl.gz [--json FILE]

The papers of PAPERS (JSON lines, as for a build) are written as BibTeX with abstracts, as RIS and as a table, and read
back. Target, on 2 quiet cores: BibTeX in at most 40 s.
"""

import argparse
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from benchmarks.report import Figure, machine, print_figures
from pathfinder.corpus.readers import read_papers
from pathfinder.export.bibtex import bibtex
from pathfinder.export.tables import papers_csv
from pathfinder.types import Paper

N_PAPERS = 10_000
TARGETS = {"bib": ("at most", 40)}


def ris_lines(papers: list[Paper]) -> Iterator[str]:
    """Write the papers as RIS."""
    for paper in papers:
        yield f"TY  - JOUR\nTI  - {paper.title}\nAB  - {paper.abstract}\nPY  - {paper.year or ''}"
        yield from (f"AU  - {author}" for author in paper.authors)
        yield f"UR  - https://arxiv.org/abs/{paper.arxiv_id}\nER  - \n"


def measure(source: Path) -> list[Figure]:
    """Write the files and read each of them."""
    papers = [row for row in islice(read_papers(source), N_PAPERS) if isinstance(row, Paper)]
    contents = {"bib": bibtex(papers), "ris": "\n".join(ris_lines(papers)), "csv": papers_csv(papers)}
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        for suffix, content in contents.items():
            path = Path(folder) / f"papers.{suffix}"
            path.write_text(content, encoding="utf-8")
            start = time.process_time()
            n_read = sum(isinstance(row, Paper) for row in read_papers(path))
            seconds = time.process_time() - start
            name = f"{suffix}: {len(content) / 1e6:.0f} MB, {n_read} of {len(papers)} papers"
            figures.append(Figure(name, seconds, "s", *TARGETS.get(suffix, ())))
    return figures


def main() -> None:
    """Measure the papers given by the arguments."""
    parser = argparse.ArgumentParser(description="How long bibliographies take to read.")
    parser.add_argument("papers", type=Path)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    print(machine())
    print_figures(measure(arguments.papers), arguments.json)


if __name__ == "__main__":
    main()
