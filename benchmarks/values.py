"""Measure the values that are read from abstracts: precision and recall on marked questions.

    python -m benchmarks.values tests/golden_landmarks.jsonl PATH/astroph_2025_2026.jsonl.gz [--split dev|test] [--show]

A value counts as right if a mark for the same paper has the same value in the same unit, to within 0.5%. Values with
an optional mark are not counted, whether found or missed. Marked values are in `benchmarks/answers/values.jsonl`;
the README next to it explains them.
"""

import argparse
import gzip
import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from scipy.stats import binomtest

from pathfinder.answering.assessment.values.candidate import LOG_MASS, Candidate, plausible
from pathfinder.answering.assessment.values.stated_values import values_in
from pathfinder.answering.assessment.values.target import target_quantity
from pathfinder.text.quantities.units import unit_at
from pathfinder.text.quantities.written_numbers import RANGE

MARKS = Path(__file__).parent / "answers" / "values.jsonl"
SAME = 0.005
"""Maximum relative difference between a value and its mark."""


@dataclass(frozen=True)
class Paper:
    """Title, authors and abstract of a paper."""

    title: str
    authors: tuple[str, ...]
    text: str


@dataclass
class Counts:
    """Counts over all questions."""

    n_listed: int = 0
    right: int = 0
    marked: int = 0
    n_found: int = 0
    with_error: int = 0
    error_right: int = 0
    limits: int = 0
    limit_right: int = 0


def papers(paths: Iterable[Path], paper_ids: set[str]) -> dict[str, Paper]:
    """Read the requested papers from JSON Lines files, gzip-compressed or not."""
    papers = {}
    for path in paths:
        opener = gzip.open if path.suffix == ".gz" else open
        with opener(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                if row["id"] in paper_ids:
                    papers[row["id"]] = Paper(
                        row["title"], tuple(row["authors"]), row.get("abstract") or row.get("summary") or ""
                    )
    return papers


def size(value: float, unit: str) -> tuple[tuple[tuple[str, int], ...], float]:
    """Return the dimensions of a marked value and its size in base units."""
    if unit.startswith("log "):
        return size(10.0**value, unit.removeprefix("log "))
    known_unit, _ = unit_at(unit, 0) if unit else (None, 0)
    if unit and known_unit is None:
        raise ValueError(f"the unit {unit!r} of a mark is not known")
    return (known_unit.dimensions, value * known_unit.size) if known_unit else ((), value)


def ends_of(candidate: Candidate) -> Iterator[Candidate]:
    """Yield a value, or the two ends of a range: they are marked as a lower and an upper limit."""
    value = candidate.stated_value
    if value.limit != RANGE:
        yield candidate
        return
    for sign, limit in ((-1, "lower"), (1, "upper")):
        end = value.value + sign * value.plus
        bound = replace(value, value=end, plus=None, minus=None, limit=limit)
        yield replace(candidate, stated_value=bound, size=candidate.size * end / value.value)


def is_same(candidate: Candidate, mark: dict) -> bool:
    """Return whether a value agrees with the marked one."""
    dimensions, marked_size = size(mark["value"], mark["unit"])
    return (
        mark["paper_id"] == candidate.stated_value.paper_id
        and dimensions == candidate.dimensions
        and math.isclose(candidate.size, marked_size, rel_tol=SAME)
    )


def same_errors(candidate: Candidate, mark: dict) -> bool:
    """Return whether all stated uncertainties of a value agree with the marked ones."""
    value = candidate.stated_value
    scale = 1.0
    if value.unit != LOG_MASS and value.value:
        scale = size(mark["value"], mark["unit"])[1] / mark["value"] / (candidate.size / value.value)
    pairs = (
        (value.plus, mark["plus"]),
        (value.minus, mark["minus"]),
        (value.plus_systematic, mark.get("plus_systematic")),
        (value.minus_systematic, mark.get("minus_systematic")),
    )
    return all(
        (own is None) == (other is None) and (own is None or math.isclose(own, other * scale, rel_tol=0.02))
        for own, other in pairs
    )


def measure(questions: Iterable[dict], texts: dict[str, Paper], show: bool) -> Counts:
    """Count right, wrong and missed values."""
    counts = Counts()
    for question in questions:
        for line in compare(question, texts, counts):
            if show:
                print(f"{question['id']}: {line}")
    return counts


def compare(question: dict, texts: dict[str, Paper], counts: Counts) -> Iterator[str]:
    """Compare the values of one question with its marks, count them, and yield the differences."""
    target = target_quantity(question["question"])
    candidates: tuple[Candidate, ...] = ()
    if target is None:
        yield f"no quantity is recognised in {question['question']!r}"
    else:
        every = [
            candidate
            for p in question["papers"]
            for candidate in values_in(target, p, texts[p].title, texts[p].text, authors=texts[p].authors)
        ]
        candidates = tuple(end for candidate in plausible(every) for end in ends_of(candidate))
    open_marks = list(question["values"])
    for candidate in candidates:
        mark = next((mark for mark in open_marks if is_same(candidate, mark)), None)
        value = candidate.stated_value
        text = f"{value.paper_id}: {value.value} +{value.plus} -{value.minus} {value.unit} {value.limit}"
        counts.n_listed += mark is None or not mark.get("optional")
        if mark is None:
            yield f"WRONG {text} | {texts[value.paper_id].text[max(0, value.start - 70) : value.end + 25]!r}"
            continue
        open_marks.remove(mark)
        if mark.get("optional"):
            continue
        counts.right += 1
        if mark["plus"] is not None:
            counts.with_error += 1
            counts.error_right += same_errors(candidate, mark)
            if not same_errors(candidate, mark):
                yield f"ERROR {text}, sys {value.plus_systematic}, marked {mark['plus']} {mark['minus']}"
        if mark["limit"] in {"upper", "lower"}:
            counts.limits += 1
            counts.limit_right += value.limit == mark["limit"]
            if value.limit != mark["limit"]:
                yield f"LIMIT {text}, marked {mark['limit']}"
    needed_marks = [mark for mark in question["values"] if not mark.get("optional")]
    missed_marks = [mark for mark in open_marks if not mark.get("optional")]
    counts.marked += len(needed_marks)
    counts.n_found += len(needed_marks) - len(missed_marks)
    for mark in missed_marks:
        yield f"MISSED {mark['paper_id']}: {mark['value']:g} {mark['unit']} in {question['question']!r}"


def figure(right: int, total: int) -> dict[str, float]:
    """Return a share with its 95% interval (Wilson)."""
    if not total:
        return {"n": 0}
    interval = binomtest(right, total).proportion_ci(method="wilson")
    low, high = round(float(interval.low), 3), round(float(interval.high), 3)
    return {"value": round(right / total, 3), "low": low, "high": high, "n": total}


def main() -> None:
    """Print the figures as JSON, for each corpus and overall."""
    parser = argparse.ArgumentParser(description="precision and recall of the values read from abstracts")
    parser.add_argument("papers", nargs="+", type=Path, help="JSON Lines files with the papers")
    parser.add_argument("--split", choices=("dev", "test"), help="questions with odd (dev) or even (test) numbers only")
    parser.add_argument("--show", action="store_true", help="print every wrong and missed value")
    options = parser.parse_args()
    questions = [json.loads(line) for line in MARKS.read_text(encoding="utf-8").splitlines()]
    if options.split:
        remainder = options.split == "dev"
        questions = [question for question in questions if int(question["id"][-2:]) % 2 == remainder]
    texts = papers(options.papers, {paper for question in questions for paper in question["papers"]})
    for corpus in ("landmarks", "astro", "all"):
        own_questions = [question for question in questions if corpus in {question["corpus"], "all"}]
        counts = measure(own_questions, texts, options.show and corpus != "all")
        print(
            json.dumps(
                {
                    "corpus": corpus,
                    "questions": len(own_questions),
                    "precision": figure(counts.right, counts.n_listed),
                    "recall": figure(counts.n_found, counts.marked),
                    "uncertainty": figure(counts.error_right, counts.with_error),
                    "limits": figure(counts.limit_right, counts.limits),
                }
            )
        )


if __name__ == "__main__":
    main()
