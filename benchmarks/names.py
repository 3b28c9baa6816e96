"""Measure the accuracy of the names listed for questions such as "Which codes ...?", on all papers in a file.

    python -m benchmarks.names tests/golden_landmarks.jsonl [--write | --show]

`benchmarks/answers/names.jsonl` holds, for each question and each name that was listed, a mark made by hand: true if it
is of the right kind and fits the question. `--write` adds the names that have no mark yet, with `null`; `--show` prints
them with the words around them. Recall is not measured, because nobody has listed every name in the corpus.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from pathfinder.answering.digest.named_things import LEAST_FIT, LEAST_FIT_OF_SUBJECT
from pathfinder.assessment.target_names.kinds import named_target
from pathfinder.assessment.target_names.name_in_text import key_of
from pathfinder.assessment.target_names.reading import names_in

MARKS = Path(__file__).parent / "answers" / "names.jsonl"
QUESTIONS = (
    "Which radiative transfer codes are used in astronomy?",
    "Which codes simulate the evolution of stars?",
    "Which hydrodynamics codes are there?",
    "Which programs find or measure stars and galaxies in images?",
    "Which surveys map galaxies?",
    "Which surveys cover the sky at radio wavelengths?",
    "Which satellites observe X-rays?",
    "Which satellites measured the cosmic microwave background?",
    "Which telescopes look for exoplanets?",
    "Which spectrographs measure radial velocities?",
    "Which instruments detect gravitational waves?",
    "Which experiments search for dark matter?",
    "Which missions visited planets?",
    "Which cosmological simulations are there?",
    "Which exoplanets transit their stars?",
    "Which pulsars are in binaries?",
    "Which dwarf galaxies are satellites of the Milky Way?",
    "Which quasars are at high redshift?",
)


def listed_names(question: str, rows: list[dict]) -> Iterator[tuple[str, str, str]]:
    """Yield each name listed for a question once, with its paper and the words around it."""
    target = named_target(question)
    names: set[str] = set()
    for row in rows if target else ():
        text = row.get("abstract") or row.get("summary") or ""
        for name in names_in(target, row["title"], text):
            least = LEAST_FIT_OF_SUBJECT if name.is_subject else LEAST_FIT
            if name.fit >= least and key_of(name.name, target.facilities) not in names:
                names.add(key_of(name.name, target.facilities))
                yield name.name, row["id"], text[max(0, name.start - 60) : name.end + 60]


def main() -> None:
    """Print how many of the marked names are right."""
    parser = argparse.ArgumentParser(description="precision of the names listed for a question")
    parser.add_argument("papers", type=Path, help="JSON Lines file with the papers")
    parser.add_argument("--write", action="store_true", help="add the names that have no mark")
    parser.add_argument("--show", action="store_true", help="print the names that have no mark")
    options = parser.parse_args()
    rows = [json.loads(line) for line in options.papers.read_text(encoding="utf-8").splitlines()]
    lines = MARKS.read_text(encoding="utf-8").splitlines() if MARKS.exists() else []
    marks = {(row["question"], row["name"]): row for row in map(json.loads, lines)}
    counts = {True: 0, False: 0, None: 0}
    for question in QUESTIONS:
        for name, paper_id, words in listed_names(question, rows):
            row = {"question": question, "name": name, "paper_id": paper_id, "is_right": None}
            mark = marks.setdefault((question, name), row)["is_right"]
            counts[mark] += 1
            if options.show and mark is None:
                print(f"{question}\t{name}\t{paper_id}\t{words}".replace("\n", " "))
    if options.write:
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in marks.values())
        MARKS.write_text(text, encoding="utf-8")
    print(
        json.dumps({"questions": len(QUESTIONS), "right": counts[True], "wrong": counts[False], "open": counts[None]})
    )


if __name__ == "__main__":
    main()
