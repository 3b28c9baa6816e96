"""List every string that a person reads, and draw a sample for readers to mark.

    python -m benchmarks.english [--kind message|label|...]   # the list, tab-separated
    python -m benchmarks.english --draw 300 --seed 2026 > sample.tsv
    python -m benchmarks.english --score docs/english/marks_2030_1.tsv docs/english/marks_2030_2.tsv

A row is a place, a kind and a text on one line: messages (literals with prose in the package, its pages, scripts and
profiles, with `{...}` for what is filled in), labels (one or a few words, as on a button), docstrings, comments, and
paragraphs and table rows of Markdown documents. Prompts are left out because models read them; so are word lists,
patterns, styles and SQL. A draw depends on the seed and on the texts alone. Readers add a mark at the end of each row
of a sample: "ok", or how a native speaker would say it. `--score` counts the rows that each reader would word
differently, and those on which they agree. `benchmarks/strings.py` finds the texts.
"""

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.strings import Text, texts

KINDS = ("message", "label", "docstring", "comment", "document")
MARK = "ok"


def score(files: list[Path]) -> Iterator[str]:
    """Count the rows that each reader would word differently, and those on which they agree."""
    marks = [[line.split("\t") for line in file.read_text(encoding="utf-8").splitlines() if line] for file in files]
    otherwise = [{row[0] for row in rows if row[-1].strip() != MARK} for rows in marks]
    for file, rows, rejected_rows in zip(files, marks, otherwise, strict=True):
        yield f"{file}: {len(rejected_rows)} of {len(rows)} would be said otherwise"
    if len(files) > 1:
        yield f"by all: {len(set.intersection(*otherwise))}; by any: {len(set.union(*otherwise))}"


def draw(text_list: Sequence[Text], n: int, seed: int) -> list[Text]:
    """Draw `n` texts at random; the same texts give the same draw on every machine."""
    return random.Random(seed).sample(text_list, n)  # noqa: S311  # a drawing by lot, no secret


def main() -> None:
    """List, draw or score, according to the arguments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", choices=KINDS)
    parser.add_argument("--draw", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--score", type=Path, nargs="+", metavar="MARKS")
    arguments = parser.parse_args()
    if arguments.score:
        print("\n".join(score(arguments.score)))
        return
    all_texts = [text for text in texts() if arguments.kind in (None, text.kind)]
    if arguments.draw:
        all_texts = draw(all_texts, arguments.draw, arguments.seed)
    for text in all_texts:
        sys.stdout.write(f"{text.place}\t{text.kind}\t{text.text}\n")


if __name__ == "__main__":
    main()
