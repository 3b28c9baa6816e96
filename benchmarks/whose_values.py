"""Measure whether values are rightly taken for a paper's own: precision and recall on marked sentences.

    python -m benchmarks.whose_values PATH/astroph_2025_2026.jsonl.gz [--show]

`benchmarks/answers/whose_values.jsonl` holds the values in sentences drawn by seed that contain such words as
"previous", "Planck", "than the" or "compared to", with the place of the sentence in the abstract and a mark: "own",
"quoted", "neither" (what was observed, selected or assumed) or "unclear". Only "own" and "quoted" count.
"""

import argparse
import json
from collections import Counter, defaultdict
from pathlib import Path

from benchmarks.values import papers
from pathfinder.assessment.values.kinds import field_kinds
from pathfinder.assessment.values.measured_sentence import MeasuredSentence, is_quoted
from pathfinder.text.quantities.written_numbers import with_decimal_points
from pathfinder.text.sentences import sentence_spans

MARKS = Path(__file__).parent / "answers" / "whose_values.jsonl"


def main() -> None:
    """Print, for each draw, the figures as JSON."""
    parser = argparse.ArgumentParser(description="values that are a paper's own, and values that it quotes")
    parser.add_argument("papers", type=Path, help="JSON Lines file with the papers")
    parser.add_argument("--show", action="store_true", help="print every value that is taken for the wrong one")
    options = parser.parse_args()
    marks = [json.loads(line) for line in MARKS.read_text(encoding="utf-8").splitlines()]
    texts = papers([options.papers], {mark["paper_id"] for mark in marks})
    kinds, counts = field_kinds(), defaultdict[str, Counter[tuple[str, bool]]](Counter)
    for mark in marks:
        text = with_decimal_points(texts[mark["paper_id"]].text)
        end = next(end for start, end in sentence_spans(text) if start == mark["sentence"])
        sentence = MeasuredSentence(text[mark["sentence"] : end], mark["sentence"], kinds)
        starts = [sentence.start + number.start for number in sentence.measurements]
        is_read = mark["start"] in starts  # a confidence level was once read as a value
        is_own = is_read and not is_quoted(sentence, starts.index(mark["start"]))
        counts[mark["draw"]][mark["mark"], is_own] += 1
        if options.show and is_read and (mark["mark"], is_own) in {("own", False), ("quoted", True)}:
            print(f"{mark['mark']}: {text[mark['sentence'] : mark['start'] + 20][-150:]!r}")
    for draw, of_draw in counts.items():
        right, wrong, missed = of_draw["own", True], of_draw["quoted", True], of_draw["own", False]
        precision, recall = right / (right + wrong), right / (right + missed)
        found = f"{of_draw['quoted', False]} of {of_draw['quoted', False] + wrong}"
        print(json.dumps({"draw": draw, "precision": round(precision, 3), "recall": round(recall, 3), "quoted": found}))


if __name__ == "__main__":
    main()
