"""Measures the precision and recall of the rule that decides whether two records without a common identifier are the
same paper.

    python -m benchmarks.merging PAPERS.jsonl.gz TITLES.jsonl.gz [--seed N] [--show N]

PAPERS (JSON lines, as for a build) gives 5,000 pairs of the same paper: a record, and the same record as another source
might write it. TITLES (JSON lines with title, first_author and year) gives real titles for most of the 5,000 pairs of
different papers that look alike. The perturbations below were written before the rule. Targets: precision at least
0.995 and recall at least 0.97, by the lower bounds of their 95% intervals (Wilson).
"""

import argparse
import gzip
import json
import random
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import combinations
from pathlib import Path
from typing import TypeAlias

from benchmarks.report import Figure, print_figures
from pathfinder.corpus.merging import same_paper
from pathfinder.corpus.readers import read_papers
from pathfinder.text.author_names import parse_name
from pathfinder.text.inflection import base_form
from pathfinder.text.latex.display import inert_tex, readable
from pathfinder.types import Paper

N_PAIRS = 5000
Z = 1.96
SUBTITLES = ("first results", "a case study", "implications for theory", "evidence from new observations")
SPELLINGS = (("colour", "color"), ("behaviour", "behavior"), ("modelling", "modeling"), ("ionis", "ioniz"))
RARE = 20
"""Number of titles below which a word counts as rare, so that it may be a misspelling."""
PREFIXES = ("Erratum: ", "Comment on: ", "Reply to: ", "Corrigendum to ")


def bare(paper: Paper) -> Paper:
    """Return a paper without identifiers, so that only title, year and authors identify it."""
    return replace(
        paper,
        arxiv_id=None,
        doi=None,
        bibcode=None,
        openalex_id=None,
        pmid=None,
        other_ids=(),
        date=None,
        year=paper.year or (paper.date.year if paper.date else None),
    )


# The same paper in another source ---------------------------------------------------------------------


def in_capitals(paper: Paper, _: random.Random) -> Paper:
    """Write the title in capitals."""
    return replace(paper, title=paper.title.upper() if "$" not in paper.title else readable(paper.title).upper())


def in_title_case(paper: Paper, _: random.Random) -> Paper:
    """Begin each word of the title with a capital."""
    return replace(paper, title=readable(paper.title).title())


def as_latex(paper: Paper, _: random.Random) -> Paper:
    """Write the title as in BibTeX."""
    return replace(paper, title=f"{{{inert_tex(paper.title)}}}")


def as_plain_text(paper: Paper, _: random.Random) -> Paper:
    """Write the title in ASCII."""
    plain = unicodedata.normalize("NFKD", readable(paper.title)).encode("ascii", "ignore").decode()
    return replace(paper, title=plain) if len(plain) > 0.9 * len(readable(paper.title)) else paper


def without_punctuation(paper: Paper, _: random.Random) -> Paper:
    """Remove the punctuation from the title."""
    return replace(paper, title=re.sub(r"[-,.:;'\"()]", " ", readable(paper.title)))


def without_subtitle(paper: Paper, draw: random.Random) -> Paper:
    """Leave out the subtitle, or add one."""
    main, colon, _ = paper.title.partition(": ")
    return replace(paper, title=main if colon else f"{paper.title}: {draw.choice(SUBTITLES)}")


def a_year_off(paper: Paper, draw: random.Random) -> Paper:
    """Change the year by one."""
    return replace(paper, year=paper.year + draw.choice((-1, 1))) if paper.year else paper


def with_initials(paper: Paper, _: random.Random) -> Paper:
    """Write the first names as initials."""
    names = [parse_name(author) for author in paper.authors]
    return replace(
        paper, authors=tuple(f"{name.first[:1]}. {name.last}" if name.first else name.last for name in names)
    )


def last_name_first(paper: Paper, _: random.Random) -> Paper:
    """Put the surnames first."""
    names = [parse_name(author) for author in paper.authors]
    return replace(paper, authors=tuple(f"{name.last}, {name.first}" if name.first else name.last for name in names))


def without_accents(paper: Paper, _: random.Random) -> Paper:
    """Write the names in ASCII."""
    names = [unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode() for name in paper.authors]
    return replace(paper, authors=tuple(names))


def without_authors(paper: Paper, _: random.Random) -> Paper:
    """Leave out the authors."""
    return replace(paper, authors=())


def without_year(paper: Paper, _: random.Random) -> Paper:
    """Leave out the year."""
    return replace(paper, year=None)


def first_author_only(paper: Paper, _: random.Random) -> Paper:
    """Leave out all authors but the first."""
    return replace(paper, authors=paper.authors[:1])


def misspell(paper: Paper, draw: random.Random) -> Paper:
    """Leave out a letter of a long word."""
    words = paper.title.split()
    long = [place for place, word in enumerate(words) if len(word) > 7 and word.isalpha()]
    if not long or len(words) < 8:
        return paper
    place = draw.choice(long)
    place_of_slip = draw.randrange(2, len(words[place]) - 2)
    words[place] = words[place][:place_of_slip] + words[place][place_of_slip + 1 :]
    return replace(paper, title=" ".join(words))


def in_other_english(paper: Paper, _: random.Random) -> Paper:
    """Turn British spelling into American, and vice versa."""
    title = paper.title
    for british, american in SPELLINGS:
        title = title.replace(british, american) if british in title else title.replace(american, british)
    return replace(paper, title=title)


Pair: TypeAlias = tuple[str, Paper, Paper]
"""Kind of the pair, and its two records."""

CHANGES: tuple[Callable[[Paper, random.Random], Paper], ...] = (
    in_capitals, in_title_case, as_latex, as_plain_text, without_punctuation, without_subtitle, a_year_off,
    with_initials, last_name_first, without_accents, without_authors, without_year, first_author_only, misspell,
    in_other_english,
)  # fmt: skip


def same_pairs(papers: list[Paper], draw: random.Random) -> Iterator[Pair]:
    """Yield pairs of records of the same paper, with one to three changes each, of which at most one leaves out the
    authors, the year or the subtitle.
    """
    while True:
        paper = bare(draw.choice(papers))
        changes = draw.sample(CHANGES, draw.choice((1, 1, 2, 3)))
        if sum(change in (without_authors, without_year, without_subtitle) for change in changes) > 1:
            continue
        other = paper
        for change in changes:
            other = change(other, draw)
        yield "+".join(change.__name__ for change in changes), paper, other


# Different papers that look alike ---------------------------------------------------------------------


def made_pairs(papers: list[Paper], draw: random.Random) -> Iterator[Pair]:
    """Yield pairs of papers by the same authors, made up from real titles: companions, corrections, yearly catalogues
    and parts of a series.
    """
    while True:
        paper = bare(draw.choice(papers))
        title, year = readable(paper.title), paper.year or 2025
        kind = draw.randrange(4)
        if kind == 0:
            part = draw.choice((("I", "II"), ("II", "III"), ("1", "2"), ("Part A", "Part B")))
            yield "companion", replace(paper, title=f"{title}. {part[0]}"), replace(paper, title=f"{title}. {part[1]}")
        elif kind == 1:
            yield "correction", paper, replace(paper, title=f"{draw.choice(PREFIXES)}{title}")
        elif kind == 2:
            first, second = replace(paper, title=f"{title} in {year}"), replace(paper, title=f"{title} in {year + 1}")
            yield "catalogue", first, replace(second, year=year + 1)
        else:
            numerals = draw.choice((("I.", "II."), ("III.", "IV."), ("Paper 1:", "Paper 2:")))
            topic = draw.choice(SUBTITLES)
            yield (
                "series",
                replace(paper, title=f"{title} {numerals[0]} {topic}"),
                replace(paper, title=f"{title} {numerals[1]} {draw.choice(SUBTITLES)}"),
            )


def are_variants(first: str, second: str, frequencies: Counter[str]) -> bool:
    """Return whether two titles are spellings of the same title.

    This has to be known because the list of real titles contains many papers twice. Two titles count as such if their
    letters are the same, or if the words that differ are spelled nearly alike and one of them is rare; pairs such as
    "isotropic" and "anisotropic", which are both common, do not count. British and American spellings and plurals
    count as the same word.
    """
    words, other = (re.findall(r"[a-z]+|\d+", title.lower()) for title in (first, second))
    if "".join(words) == "".join(other):
        return True
    if len(words) != len(other):
        return SequenceMatcher(None, "".join(words), "".join(other)).ratio() > 0.97
    differing = [(a, b) for a, b in zip(words, other, strict=True) if a != b]
    return all(base_form(a) == base_form(b) or is_misspelled(a, b, frequencies) for a, b in differing)


def is_misspelled(word: str, other: str, frequencies: Counter[str]) -> bool:
    """Return whether two words are nearly the same and one of them is rare."""
    is_near = not word.isdigit() and SequenceMatcher(None, word, other).ratio() >= 0.75
    return is_near and min(frequencies[word], frequencies[other]) < RARE


def real_pairs(titles: list[Paper], draw: random.Random) -> Iterator[Pair]:
    """Yield pairs of real papers by authors of the same name, at most a year apart, whose titles share most words."""
    by_author: dict[tuple[str, int], list[Paper]] = defaultdict(list)
    for paper in titles:
        for year in (paper.year or 0, (paper.year or 0) + 1):
            by_author[(paper.authors[0], year)].append(paper)
    frequencies = Counter(word for paper in titles for word in set(re.findall(r"[a-z]+", paper.title.lower())))
    groups = [group for group in by_author.values() if len(group) > 1]
    draw.shuffle(groups)
    for group in groups:
        for first, second in combinations(group[:40], 2):
            words, other = (set(re.findall(r"\w+", paper.title.lower())) for paper in (first, second))
            is_alike = words != other and len(words & other) / len(words | other) >= 0.6
            if is_alike and not are_variants(first.title, second.title, frequencies):
                yield "real", first, second


def lower_bound(n_right: int, n: int) -> float:
    """Return the lower bound of Wilson's 95% interval of a share."""
    share = n_right / n
    centre = share + Z * Z / (2 * n)
    spread = Z * ((share * (1 - share) + Z * Z / (4 * n)) / n) ** 0.5
    return (centre - spread) / (1 + Z * Z / n)


def measure(
    pairs: list[tuple[str, Paper, Paper]], others: list[tuple[str, Paper, Paper]], n_shown: int
) -> list[Figure]:
    """Apply the rule to pairs of the same paper and to `others`, and show its errors."""
    misses = [pair for pair in pairs if same_paper(pair[1], pair[2]) is None]
    wrong = [pair for pair in others if same_paper(pair[1], pair[2]) is not None]
    for label, failures in (("missed", misses), ("wrong", wrong)):
        for kind, first, second in failures[:n_shown]:
            print(
                f"{label} ({kind}): {first.title!r} {first.year} {first.authors[:1]} / {second.title!r} {second.year}"
            )
    n_right = len(pairs) - len(misses)
    n_called = n_right + len(wrong)
    return [
        Figure(f"precision ({len(wrong)} of {len(others)} different pairs merged)", n_right / n_called, ""),
        Figure("precision, lower bound", lower_bound(n_right, n_called), "", "at least", 0.995),
        Figure(f"recall ({len(misses)} of {len(pairs)} same pairs missed)", n_right / len(pairs), ""),
        Figure("recall, lower bound", lower_bound(n_right, len(pairs)), "", "at least", 0.97),
    ]


def read_titles(path: Path) -> list[Paper]:
    """Read real titles as papers; only the first author's surname is known."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [
        Paper(row["id"], row["title"], "", authors=(row["first_author"],), year=row["year"])
        for row in rows
        if row.get("first_author") and row.get("year")
    ]


def main() -> None:
    """Draw the pairs, and evaluate the rule on them."""
    parser = argparse.ArgumentParser(description="Whether the same papers are recognised.")
    parser.add_argument("papers", type=Path)
    parser.add_argument("titles", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0)
    arguments = parser.parse_args()
    draw = random.Random(arguments.seed)  # noqa: S311  a seeded draw, no secret
    papers = [row for row in read_papers(arguments.papers) if isinstance(row, Paper) and row.authors]
    pairs = [pair for pair, _ in zip(same_pairs(papers, draw), range(N_PAIRS), strict=False)]
    variants = [pair for pair, _ in zip(made_pairs(papers, draw), range(N_PAIRS // 2), strict=False)]
    real = [pair for pair, _ in zip(real_pairs(read_titles(arguments.titles), draw), range(N_PAIRS // 2), strict=False)]
    print_figures(measure(pairs, variants + real, arguments.show))


if __name__ == "__main__":
    main()
