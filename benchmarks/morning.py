"""Backtest of the morning: does closeness to a reader's earlier papers find what they publish next?

    python -m benchmarks.morning CORPUS.jsonl.gz [--readers 200] [--window 2000] [--vectors FILE] [--json FILE]
    python -m benchmarks.morning CORPUS.jsonl.gz --show 30

CORPUS has one line per paper with `title`, `abstract`, `authors`, `date` and `arxiv_id`. The protocol, written before
the first run:

- Only papers whose arXiv id is of the month of their date count: for others, the date is that of a later version.
- A reader is an author with a first name of three letters or more and at least eight papers with at most 20 authors,
  which coauthors show to be one person: linked by shared coauthors, the papers hang together in one piece.
- The window is the last days of the file that have `--window` papers together. A reader's papers before it, at
  least five, are their shelf, earliest first. What they publish in the window is sought among all papers of it; so are,
  apart, the papers of their coauthors that are not theirs. Authors are never read by a ranking.
- Recall at 20 and at 50 is the share of the sought papers among the first 20 and 50 of all papers in the window.
- Baselines: recency (latest first), keywords (BM25 of the whole shelf, all words of all papers as one question), and
  the nearest paper (largest cosine with any paper on the shelf).
- The readers are drawn with a fixed seed and split in two halves: parameters are chosen on the first, by the mean of
  both recalls of the readers' own papers, and the second is reported. Intervals are 95% percentile intervals from 2,000
  bootstrap resamples of the readers.

"Close to N papers" is said of a paper whose cosine with one on the shelf is above `CLOSE_SHARE` of those among papers
from before the window. Reported for the second half: how often it is said of the readers' own papers, of those of their
coauthors, and of all others, and what share of the first 20 by keywords is sought, with that sentence and without it.
"""

import argparse
import datetime
import gzip
import json
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

from benchmarks.report import machine
from pathfinder.addons.standing.morning import CLOSE_SHARE, N_SAMPLED
from pathfinder.index.sparse import SparseIndex, write_sparse
from pathfinder.models.minilm import MiniLM
from pathfinder.types import Floats
from pathfinder.types.papers import text_of

FEWEST, FEWEST_BEFORE, MOST_AUTHORS, SEED, N_RESAMPLES = 8, 5, 20, 20261129, 2_000
CUTS = (20, 50)


@dataclass(frozen=True, slots=True)
class Blend:
    """How closeness to several papers becomes one number."""

    nearest: int = 3
    """Number of kept papers whose cosines are averaged: those that are closest to the new paper."""
    words: float = 0.4
    """Share of the words, 0 to 1, whose scores (BM25) are added over all kept papers; the rest is the cosines."""
    half_life: float | None = None
    """Number of kept papers after which one counts half as much as the latest; `None` if all count alike."""


def closeness(cosines: Floats, words: Floats, blend: Blend = Blend()) -> Floats:
    """Return how close each new paper is to the kept papers, 0 to 1 over the new papers, shape (new,).

    `cosines` and `words` (BM25 scores), shape (kept, new), compare each kept paper, the earliest first, with each new
    one.
    """
    age = np.arange(len(cosines) - 1, -1, -1)
    weights = np.ones(len(cosines)) if blend.half_life is None else 0.5 ** (age / blend.half_life)
    nearest = np.sort(cosines * weights[:, None], axis=0)[-blend.nearest :].mean(axis=0)
    return (1 - blend.words) * _spread(nearest) + blend.words * _spread(weights @ words)


def _spread(scores: Floats) -> Floats:
    """Stretch scores to 0 to 1, as the fusion of a search does; all 0 if they are the same."""
    low, high = scores.min(initial=np.inf), scores.max(initial=-np.inf)
    return (scores - low) / (high - low) if high > low else np.zeros_like(scores)


BLENDS = [
    Blend(nearest, words, half_life)
    for nearest, words, half_life in product((1, 3, 5, 1_000), (0.4, 0.6, 0.7, 0.8, 0.9, 1.0), (None, 4.0, 8.0))
]


@dataclass(frozen=True)
class Reader:
    """An author: the rows of their shelf, of what they publish in the window, and of their coauthors' papers there."""

    name: str
    shelf: tuple[int, ...]
    own: frozenset[int]
    coauthors: frozenset[int]


@dataclass(frozen=True)
class Rows:
    """The papers of the file that count, by date."""

    texts: list[str]
    authors: list[tuple[str, ...]]
    days: list[datetime.date]
    titles: list[str]


def read(path: Path) -> Rows:
    """Read the papers whose date is that of their first version."""
    records = []
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            number, day = record.get("arxiv_id") or "", record.get("date") or ""
            if number[:4] == day[2:4] + day[5:7] and record["authors"] and record["abstract"]:
                records.append((day, number, record))
    records.sort(key=lambda each: each[:2])
    return Rows(
        [text_of(record["title"], record["abstract"]) for *_, record in records],
        [tuple(record["authors"]) for *_, record in records],
        [datetime.date.fromisoformat(day[:10]) for day, *_ in records],
        [record["title"] for *_, record in records],
    )


def is_one_person(name: str, papers: Sequence[int], authors: Sequence[tuple[str, ...]]) -> bool:
    """Return whether shared coauthors link all of an author's papers."""
    linked, coauthors, waiting = {papers[0]}, {*authors[papers[0]]} - {name}, True
    while waiting:
        joining = [row for row in papers if row not in linked and coauthors & {*authors[row]}]
        linked.update(joining)
        coauthors.update(*(authors[row] for row in joining))
        coauthors.discard(name)
        waiting = bool(joining)
    return len(linked) == len(papers)


def readers_of(rows: Rows, start: int, n: int) -> list[Reader]:
    """Draw `n` readers; the window begins at row `start`."""
    papers_of: dict[str, list[int]] = defaultdict(list)
    for row, names in enumerate(rows.authors):
        if len(names) <= MOST_AUTHORS:
            for name in dict.fromkeys(names):
                papers_of[name].append(row)
    found = []
    for name in sorted(papers_of):
        papers, first = papers_of[name], name.split()[0].rstrip(".")
        shelf, own = tuple(row for row in papers if row < start), frozenset(row for row in papers if row >= start)
        if len(first) < 3 or len(papers) < FEWEST or len(shelf) < FEWEST_BEFORE or not own:
            continue
        if is_one_person(name, papers, rows.authors):
            others = {each for row in shelf for each in rows.authors[row]} - {name}
            theirs = frozenset(row for each in others for row in papers_of[each] if row >= start) - own
            found.append(Reader(name, shelf, own, theirs))
    drawn = np.random.default_rng(SEED).permutation(len(found))[:n]
    print(f"{len(found)} readers, {len(drawn)} drawn")
    return [found[place] for place in drawn]


def recalls(scores: Floats, sought: frozenset[int], start: int) -> list[float]:
    """Return the recall of `sought` among the first papers of the window, for each of `CUTS`."""
    order = np.argsort(-scores, kind="stable") + start
    return [len(sought & {*order[:cut].tolist()}) / len(sought) for cut in CUTS]


def main() -> None:
    """Judge the rankings."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--readers", type=int, default=200)
    parser.add_argument("--window", type=int, default=2_000, help="least number of papers in the window")
    parser.add_argument("--show", type=int, default=0, help="print so many readers, to be checked by hand, and end")
    parser.add_argument("--vectors", type=Path, help="file that keeps the vectors for the next run (.npy)")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    rows = read(arguments.corpus)
    first_day = rows.days[-arguments.window]
    start = rows.days.index(first_day)
    readers = readers_of(rows, start, arguments.readers)
    if arguments.show:
        for reader in readers[: arguments.show]:
            print(f"\n{reader.name}")
            for row in (*reader.shelf, *sorted(reader.own)):
                others = ", ".join(each for each in rows.authors[row] if each != reader.name)
                print(f"  {rows.titles[row][:90]} | {others[:120]}")
        return
    library = np.unique(np.linspace(0, start - 1, min(start, N_SAMPLED)).astype(int)).tolist()
    needed = sorted({row for reader in readers for row in reader.shelf} | {*library} | {*range(start, len(rows.texts))})
    place = {row: n for n, row in enumerate(needed)}
    print(f"{len(rows.texts)} papers, {len(rows.texts) - start} in the window from {first_day}, {len(needed)} embedded")
    if arguments.vectors and arguments.vectors.exists():
        vectors = np.load(arguments.vectors)
    else:
        model = MiniLM().for_building()
        texts = [rows.texts[row] for row in needed]
        vectors = np.vstack([model.embed(texts[n : n + 256], "document") for n in range(0, len(texts), 256)])
        if arguments.vectors:
            np.save(arguments.vectors, vectors)
    window = vectors[[place[row] for row in range(start, len(rows.texts))]]
    with tempfile.TemporaryDirectory() as folder:
        write_sparse(rows.texts[start:], Path(folder, "words"))
        index = SparseIndex.open(Path(folder, "words"))
        results = [_judged(reader, rows, vectors[[place[row] for row in reader.shelf]], window, index, start)
                   for reader in readers]  # fmt: skip
    half = len(readers) // 2
    known = vectors[[place[row] for row in library]]
    close = float(np.quantile((known @ known.T)[np.triu_indices(len(known), 1)], CLOSE_SHARE))
    print(f"close: a cosine of {close:.3f}")
    said = np.array([
        _closeness_said(reader, vectors[[place[row] for row in reader.shelf]] @ window.T >= close,
                        _scores(index, "\n".join(rows.texts[row] for row in reader.shelf)), start)
        for reader in readers[half:]
    ])  # fmt: skip
    names = ("own", "coauthors'", "others'", "first 20", "first 20 that are sought, with it", "without it")
    for name, column in zip(names, said.T, strict=True):
        print(f"  said of {name:34}", _text(_interval(column[~np.isnan(column)])))
    mean = {blend: np.mean([each[blend]["own"] for each in results[:half]]) for blend in BLENDS}
    best = max(BLENDS, key=mean.__getitem__)
    print("chosen", best, f"{mean[best]:.3f}")
    for blend in sorted(BLENDS, key=mean.__getitem__)[::-1][:8]:
        print("   ", blend, f"{mean[blend]:.3f}")
    report = {"corpus": arguments.corpus.name, "chosen": str(best), "n_window": len(window), "machine": machine()}
    default = Blend()
    for sought in ("own", "coauthors"):
        judged = [each for each in results[half:] if each[best][sought] is not None]
        print(f"{sought}: {len(judged)} readers")
        for name in ("recency", "keywords", "nearest", best, default):
            values = np.array([each[name][sought] for each in judged])
            report[f"{sought} {name}"] = [_interval(column) for column in values.T]
            print(f"  {name!s:56}", *map(_text, report[f"{sought} {name}"]))
            for other in ("keywords", "nearest"):
                gains = values - np.array([each[other][sought] for each in judged])
                print(f"      minus {other:46}", *(_text(_interval(column)) for column in gains.T))
    if arguments.json:
        arguments.json.write_text(json.dumps(report, indent=1, default=str), encoding="utf-8")


def _judged(reader: Reader, rows: Rows, shelf: Floats, window: Floats, index: SparseIndex, start: int) -> dict:
    """Return the recalls of every ranking by what is sought; `None` if nothing is."""
    cosines = shelf @ window.T
    words = np.array([_scores(index, rows.texts[row]) for row in reader.shelf])
    scores = {
        "recency": np.arange(len(window), dtype=float),
        "keywords": _scores(index, "\n".join(rows.texts[row] for row in reader.shelf)),
        "nearest": cosines.max(axis=0),
        **{blend: closeness(cosines, words, blend) for blend in {*BLENDS, Blend()}},
    }
    sought = {"own": reader.own, "coauthors": reader.coauthors}
    return {
        name: {what: recalls(each, rows_, start) if rows_ else None for what, rows_ in sought.items()}
        for name, each in scores.items()
    }


def _closeness_said(reader: Reader, is_close: Floats, scores: Floats, start: int) -> list[float]:
    """Return how often closeness is said of some papers of the window, and of what share of the first 20 rightly."""
    said = is_close.any(axis=0)
    own, theirs = (np.isin(np.arange(start, start + len(said)), [*rows]) for rows in (reader.own, reader.coauthors))
    first = np.zeros(len(said), dtype=bool)
    first[np.argsort(-scores, kind="stable")[: CUTS[0]]] = True
    shares = ((said, own), (said, theirs), (said, ~own & ~theirs), (said, first), (own | theirs, first & said),
              (own | theirs, first & ~said))  # fmt: skip
    return [float(what[among].mean()) if among.any() else float("nan") for what, among in shares]


def _scores(index: SparseIndex, text: str) -> Floats:
    ranking = index.search(text, len(index))
    scores = np.zeros(len(index))
    scores[ranking.rows] = ranking.scores
    return scores


def _interval(values: Floats) -> tuple[float, float, float]:
    draws = np.random.default_rng(SEED).integers(len(values), size=(N_RESAMPLES, len(values)))
    low, high = np.percentile(values[draws].mean(axis=1), [2.5, 97.5])
    return float(values.mean()), float(low), float(high)


def _text(interval: tuple[float, float, float]) -> str:
    return "{:.3f} ({:.3f} to {:.3f})".format(*interval)


if __name__ == "__main__":
    main()
