"""Measures how many planted faults the check of rewrites catches, and how many untouched texts raise a false alarm.

    python -m benchmarks.fidelity [PAPERS.jsonl] [--papers 2000]

Texts of three sentences, each from a different paper and with its citation mark, are composed from the abstracts in a
JSON lines file, by default the landmark papers. Every fault is planted by a simple rule that is independent of the
check: a number changed, a unit replaced, a "not" removed or inserted, a name replaced, marks swapped, dropped or
invented.
"""

import argparse
import gzip
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from pathfinder.assessment.fidelity import check_fidelity
from pathfinder.text.sentences import split_sentences

SEED = 0
UNITS = ("kpc", "Myr", "GeV", "days", "mag")

_NUMBER = re.compile(r"(?<![\w.\[^{-])\d+(?:\.\d+)?(?![\w\]])")
_UNIT = re.compile(
    r"(?<=\d)([\s~\\,$]*)(km|pc|kpc|Mpc|Gpc|Gyr|Myr|yr|keV|GeV|MeV|GHz|MHz|K|days|years|percent|mag|au)\b"
)
_NOT = re.compile(r"\b(?:not|no|never)\b(?! only| longer| just)")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][A-Za-z]{3,}\b")
_VERB = re.compile(r"\b(?:is|are|was|were|can)\b(?! just| only)")

Plant = Callable[[str, random.Random], str | None]


def _plant_of(pattern: re.Pattern[str], put: Callable[[re.Match[str], random.Random], str]) -> Plant:
    def plant(text: str, chance: random.Random) -> str | None:
        matches = [match for match in pattern.finditer(text) if pattern is not _NAME or text.count(match[0]) == 1]
        if not matches:
            return None
        match = chance.choice(matches)
        return f"{text[: match.start()]}{put(match, chance)}{text[match.end() :]}"

    return plant


def _other_number(match: re.Match[str], chance: random.Random) -> str:
    digit = (int(match[0][-1]) + chance.randint(1, 9)) % 10
    return f"{match[0][:-1]}{digit}"


def _other_unit(match: re.Match[str], chance: random.Random) -> str:
    return match[1] + chance.choice([unit for unit in UNITS if unit != match[2]])


def _swap(text: str, _chance: random.Random) -> str:
    return text.replace("[1]", "[0]").replace("[2]", "[1]").replace("[0]", "[2]")


PLANTS: dict[str, Plant] = {
    "number": _plant_of(_NUMBER, _other_number),
    "unit": _plant_of(_UNIT, _other_unit),
    "negation taken out": _plant_of(_NOT, lambda *_: ""),
    "negation put in": _plant_of(_VERB, lambda match, _: f"{match[0]} not"),
    "name": _plant_of(_NAME, lambda *_: "Zorblax"),
    "citations swapped": _swap,
    "citation dropped": lambda text, _: text.replace(" [2]", ""),
    "citation invented": lambda text, _: text.replace("[3]", "[5]"),
}


def texts(papers: Iterator[str], chance: random.Random) -> Iterator[str]:
    """Yield texts of three sentences from three papers, each with its citation mark."""
    sentences = []
    for abstract in papers:
        whole = [
            sentence
            for sentence in split_sentences(abstract)
            if 40 < len(sentence) < 350 and sentence.count("$") % 2 == 0
        ]
        sentences += [chance.choice(whole).rstrip(".")] if whole else []
    for place in range(0, len(sentences) - 2, 3):
        yield " ".join(f"{sentence} [{n}]." for n, sentence in enumerate(sentences[place : place + 3], start=1))


def abstracts(path: Path) -> Iterator[str]:
    """Yield the abstract or summary in each line."""
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            yield record.get("abstract") or record["summary"]


def main() -> None:
    """Plant a fault of each kind in every text, and count those that are caught."""
    parser = argparse.ArgumentParser(description="Planted losses that are caught.")
    parser.add_argument("source", type=Path, nargs="?", default=Path("data/landmarks.jsonl"))
    parser.add_argument("--papers", type=int, default=2000)
    arguments = parser.parse_args()
    chance = random.Random(SEED)  # noqa: S311 # drawn to be repeated, not to be secret
    n_planted, n_caught, alarms, n_texts = Counter[str](), Counter[str](), 0, 0
    for text in texts(islice(abstracts(arguments.source), arguments.papers), chance):
        n_texts += 1
        alarms += not check_fidelity(text, text).is_faithful
        for kind, plant in PLANTS.items():
            faulty = plant(text, chance)
            if faulty is not None and faulty != text:
                n_planted[kind] += 1
                n_caught[kind] += not check_fidelity(text, faulty).is_faithful
    for kind in PLANTS:
        print(f"{kind:<20}{n_caught[kind]:>6} of {n_planted[kind]:>5}{n_caught[kind] / max(n_planted[kind], 1):>9.1%}")
    print(json.dumps({"texts": n_texts, "alarms_on_untouched": alarms, "planted": n_planted, "caught": n_caught}))


if __name__ == "__main__":
    main()
