"""Check the landmark records against lists of facts: that each paper exists, and that each summary is our own.

    python data/check_landmarks.py data/landmarks.jsonl --titles TITLES.jsonl.gz --reviews REVIEWS.jsonl \\
        --corpus CORPUS.jsonl.gz --corpus CORPUS.jsonl.gz --thesaurus UAT.jsonl

TITLES holds title, first_author, year and rank_in_year of papers up to 2016; REVIEWS and each CORPUS hold
title and identifiers, a CORPUS also abstracts; the thesaurus holds names. Prints what is wrong, then the
counts; the exit status is 1 when anything is wrong.
"""

import argparse
import gzip
import json
import re
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

Record = dict[str, Any]

LAST_YEAR_OF_TITLES = 2016
SHARED_WORDS = 8
"""A run of as many words that stands twice is copied, from somewhere."""
FRAME_LIMIT = 3
"""In how many summaries the same sentence, less its names and figures, may occur."""
WORDS_IN_SUMMARY = range(90, 151)
N_KEYWORDS = range(5, 9)
NEAR_EQUAL = 0.9
KEYS = (
    "id", "title", "authors", "n_authors", "year", "date", "journal", "volume", "page", "bibcode", "arxiv_id", "doi",
    "identifier_source", "citation_count", "citation_rank_in_year", "topic", "fields", "keywords", "missions",
    "is_review", "summary", "verified", "checked", "licence",
)  # fmt: skip
BIBLIOGRAPHIES = "public bibliographies"
"""Source of identifiers, authors, volumes and pages on which two independent bibliographies agree."""
GREEK = {"α": "alpha", "β": "beta", "γ": "gamma", "Λ": "lambda", "λ": "lambda", "Ω": "omega", "ω": "omega", "π": "pi"}


@dataclass(frozen=True)
class Facts:
    """What the lists hold, by folded title."""

    titles: dict[str, list[Record]]
    by_author: dict[tuple[str, int], list[str]]
    """Folded titles of each surname and year."""
    shared: dict[str, list[Record]]
    abstract_runs: set[tuple[str, ...]]
    thesaurus: set[str]


def words(text: str) -> list[str]:
    """Lower-cased words without accents or punctuation; Greek letters by their names."""
    for letter, name in GREEK.items():
        text = text.replace(letter, f" {name} ")
    plain = "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(c))
    return re.findall(r"[a-z0-9]+", re.sub(r"['’.]", "", plain))


def fold(text: str) -> str:
    """`text` as one run of letters and digits, so that spaces and hyphens do not tell titles apart."""
    return "".join(words(text))


def family(name: str) -> str:
    """The folded family name of "Family, G."; lists write "ö" as "o" or as "oe"."""
    return fold(name.split(",", maxsplit=1)[0]).replace("oe", "o")


def runs(text: str) -> Iterator[tuple[str, ...]]:
    """Every eight words in a row."""
    found = words(text)
    return (tuple(found[i : i + SHARED_WORDS]) for i in range(len(found) - SHARED_WORDS + 1))


def frames(summary: str) -> set[str]:
    """The sentences of a summary, less their names and figures."""
    return {_frame(sentence.split()) for sentence in re.split(r"(?<=[.?!])\s+", summary)}


def _frame(sentence: list[str]) -> str:
    """A word that begins with a capital within a sentence is a name."""
    capital = (place > 0 and word[:1].isupper() for place, word in enumerate(sentence))
    figure = (any(c.isdigit() for c in word) for word in sentence)
    return " ".join("_" if c or f else w.lower() for w, c, f in zip(sentence, capital, figure, strict=True))


def read(path: Path) -> Iterator[Record]:
    """The records of JSON lines, packed or not."""
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def gather(arguments: argparse.Namespace) -> Facts:
    """Read the lists of facts."""
    titles, by_author, shared = defaultdict(list), defaultdict(list), defaultdict(list)
    for row in read(arguments.titles):
        titles[fold(row["title"])].append(row)
        by_author[family(row["first_author"]), row["year"]].append(fold(row["title"]))
    abstract_runs: set[tuple[str, ...]] = set()
    for path in arguments.corpus:
        for row in read(path):
            shared[fold(row["title"])].append(row)
            abstract_runs.update(runs(row["abstract"]))
    for row in read(arguments.reviews):
        shared[fold(row["title"])].append(row)
    return Facts(titles, by_author, shared, abstract_runs, {row["name"].strip() for row in read(arguments.thesaurus)})


def is_found(record: Record, facts: Facts) -> bool:
    """Whether a list holds this title, of the same year within one and the same first author."""
    title, surname = fold(record["title"]), family(record["authors"][0])
    if title in facts.shared:
        return True
    same = (row for row in facts.titles.get(title, ()) if abs(row["year"] - record["year"]) <= 1)
    if any(family(row["first_author"]) in {surname, ""} for row in same):
        return True
    near = (other for year in (-1, 0, 1) for other in facts.by_author.get((surname, record["year"] + year), ()))
    return any(SequenceMatcher(None, title, other).ratio() >= NEAR_EQUAL for other in near)


def faults_of(record: Record, facts: Facts) -> Iterator[str]:
    """What is wrong with one record."""
    if tuple(record) != KEYS:
        yield f"keys are {tuple(record)}"
    n_words = len(record["summary"].split())
    if n_words not in WORDS_IN_SUMMARY:
        yield f"the summary has {n_words} words"
    if len({keyword.casefold() for keyword in record["keywords"]}) not in N_KEYWORDS:
        yield f"the keywords are {record['keywords']}"
    if strange := [name for name in record["fields"] if name not in facts.thesaurus]:
        yield f"not in the thesaurus: {strange}"
    if (found := is_found(record, facts)) != record["verified"]:
        yield f"verified is {record['verified']}, and the lists say {found}"
    held = facts.shared.get(fold(record["title"]), ())
    known = {
        str(value)
        for row in held
        for value in (row.get("bibcode"), row.get("doi"), row.get("arxiv_id"), *row.get("identifier", ()))
    }
    if record["identifier_source"] == BIBLIOGRAPHIES:
        yield from _faults_of_bibcode(record)
    else:
        for name in ("bibcode", "arxiv_id", "doi"):
            if record[name] and not any(record[name] in value for value in known):
                yield f"{name} {record[name]} is in no list"
    if record["citation_count"] not in {None, *(row.get("citation_count") for row in held)}:
        yield "the citation count is in no list"
    for run in runs(record["summary"]):
        if run in facts.abstract_runs:
            yield f"shares with an abstract: {' '.join(run)}"


def _faults_of_bibcode(record: Record) -> Iterator[str]:
    """What a bibcode and the fields beside it say otherwise: a bibcode holds year, volume and page."""
    bibcode, page = record["bibcode"], re.match(r"[A-Z]?\d+", record["page"] or "")
    if not bibcode:
        return
    if abs(int(bibcode[:4]) - record["year"]) > 1:
        yield f"the bibcode {bibcode} is of another year than {record['year']}"
    if record["volume"] and record["volume"] not in bibcode[9:13]:
        yield f"the bibcode {bibcode} has another volume than {record['volume']}"
    if page and page[0].lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")[-4:] not in bibcode:
        yield f"the bibcode {bibcode} has another page than {record['page']}"


def faults_between(records: list[Record]) -> Iterator[str]:
    """What is wrong between records."""
    for name in ("id", "title"):
        for value, n in Counter(fold(record[name]) for record in records).items():
            if n > 1:
                yield f"{name} {value} stands {n} times"
    seen: dict[tuple[str, ...], str] = {}
    for record in records:
        for run in set(runs(record["summary"])):
            if seen.setdefault(run, record["id"]) != record["id"]:
                yield f"{seen[run]} and {record['id']} share: {' '.join(run)}"
    for frame, n in Counter(frame for record in records for frame in frames(record["summary"])).items():
        if n > FRAME_LIMIT:
            yield f"{n} summaries have the sentence frame: {frame}"


def counts(records: list[Record]) -> Iterator[str]:
    """The shares that the choice is held to."""
    old = [record for record in records if record["year"] <= LAST_YEAR_OF_TITLES]
    new = sum(record["year"] >= 2015 for record in records)
    yield f"{len(records)} records, {new} since 2015 ({new / len(records):.0%})"
    yield f"up to {LAST_YEAR_OF_TITLES}: {sum(r['verified'] for r in old)} of {len(old)} verified"
    yield f"decades: {dict(sorted(Counter(record['year'] // 10 * 10 for record in records).items()))}"
    yield f"topics: {dict(Counter(record['topic'] for record in records).most_common())}"


def main(arguments: Iterable[str] | None = None) -> int:
    """Check the file that the arguments name."""
    parser = argparse.ArgumentParser(description="Check the landmark records against lists of facts.")
    parser.add_argument("landmarks", type=Path)
    for name in ("titles", "reviews", "thesaurus"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, action="append", required=True)
    parsed = parser.parse_args(arguments if arguments is None else list(arguments))
    facts, records = gather(parsed), list(read(parsed.landmarks))
    faults = [f"{record['id']}: {fault}" for record in records for fault in faults_of(record, facts)]
    faults += faults_between(records)
    print("\n".join((*faults, *counts(records), f"{len(faults)} faults")))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
