"""Draw sentences with digits at random, list the numbers that are read as values, and count those that are not values.

    python -m benchmarks.value_sentences tests/golden_landmarks.jsonl PATH/astroph_2025_2026.jsonl.gz [--write | --show]

The sentences stay with their corpora: `benchmarks/answers/value_sentences.jsonl` stores, for each number that was read
as a value, the paper, the place in the abstract, the number, and a mark: "value", or what it is instead ("year",
"name", "version", "page", "count", "formula"). `--write` adds the numbers that have no mark yet, with the mark `null`;
`--show` prints those without a mark, with the words around them.
"""

import argparse
import gzip
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from pathfinder.answering.assessment.values.stated_values import claimed_values
from pathfinder.text.sentences import sentence_spans

MARKS = Path(__file__).parent / "answers" / "value_sentences.jsonl"
N_SENTENCES = 2000
SEED = 13


def sentences(paths: list[Path]) -> list[tuple[str, int, str]]:
    """Return the drawn sentences, the same number from each file: paper, position in the abstract, text."""
    sample: list[tuple[str, int, str]] = []
    for n_left, path in zip(range(len(paths), 0, -1), paths, strict=True):
        opener = gzip.open if path.suffix == ".gz" else open
        with opener(path, "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        every = [
            (row["id"], start, text[start:end])
            for row in rows
            for text in [row.get("abstract") or row.get("summary") or ""]
            for start, end in sentence_spans(text)
            if any(map(str.isdigit, text[start:end]))
        ]
        n_drawn = min((N_SENTENCES - len(sample)) // n_left, len(every))
        sample += random.Random(SEED).sample(sorted(every), n_drawn)  # noqa: S311 - a draw, not a secret
    return sample


def numbers(sample: list[tuple[str, int, str]]) -> Iterator[tuple[dict, str]]:
    """Yield each number that is read as a value, and the words around it."""
    for paper_id, start, sentence in sample:
        for value in claimed_values(sentence):
            first, last = value.start, value.end
            row = {"paper_id": paper_id, "start": start + first, "value": value.value}
            yield row, f"{sentence[max(0, first - 50) : first]}[[{sentence[first:last]}]]{sentence[last : last + 30]}"


def main() -> None:
    """Print the counts of the marks as JSON."""
    parser = argparse.ArgumentParser(description="values read from sentences drawn by seed")
    parser.add_argument("papers", nargs="+", type=Path, help="JSON Lines files with the papers")
    parser.add_argument("--write", action="store_true", help="add the numbers that have no mark")
    parser.add_argument("--show", action="store_true", help="print the numbers that have no mark")
    options = parser.parse_args()
    lines = MARKS.read_text(encoding="utf-8").splitlines() if MARKS.exists() else []
    marks = {(row["paper_id"], row["start"]): row for row in map(json.loads, lines)}
    sample = sentences(options.papers)
    counts: Counter[str] = Counter()
    for row, words in numbers(sample):
        mark = marks.setdefault((row["paper_id"], row["start"]), row | {"mark": None})["mark"]
        counts[mark or "unmarked"] += 1
        if options.show and mark is None:
            print(f"{row['paper_id']}\t{row['start']}\t{words}".replace("\n", " "))
    if options.write:
        MARKS.write_text("".join(json.dumps(row) + "\n" for row in marks.values()), encoding="utf-8")
    print(json.dumps({"sentences": len(sample), **counts}))


if __name__ == "__main__":
    main()
