"""Measure how often a title or an identifier, typed as the question, finds its own paper first.

    python -m benchmarks.known_items CORPUS [--n 300] [--seed 14] [--questions FILE ...] [--others FILE]

Titles and identifiers are drawn from the corpus with a seed and changed in the ways below, which were written before
the rule that recognises them. `--questions` are ordinary questions (one per line, or JSON Lines with "text" or
"question"), none of which names a paper; `--others` is a file of papers (JSON Lines): titles of papers that the corpus
lacks must not be taken for titles of papers that it has.
"""

import argparse
import gzip
import json
import random
import re
import string
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from pathfinder.session import Pathfinder
from pathfinder.settings import Settings
from pathfinder.text.latex.search_text import plain_text
from pathfinder.types import Paper, SearchResult

Change = Callable[[Paper, random.Random], str | None]
"""Function that turns a paper into a question; it returns `None` for a paper where this is impossible."""


def _typing_error(text: str, rng: random.Random) -> str:
    """Make one typing error in a word of at least five letters: a letter left out, doubled or replaced, or two letters
    swapped.
    """
    places = [match.span() for match in re.finditer(r"[A-Za-z]{5,}", text)]
    if not places:
        return text
    start, end = rng.choice(places)
    at = rng.randrange(start + 1, end - 1)
    kind = rng.randrange(4)
    if kind == 0:
        return text[:at] + text[at + 1 :]
    if kind == 1:
        return text[:at] + text[at] + text[at:]
    if kind == 2:
        return text[:at] + rng.choice(string.ascii_lowercase) + text[at + 1 :]
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


def _without_word(text: str) -> str | None:
    left = re.sub(r"\b(?:the|a|an)\b\s+", "", text, count=1, flags=re.IGNORECASE)
    return left if left != text else None


def _before_subtitle(paper: Paper) -> str | None:
    main, colon, _ = paper.title.partition(": ")
    return main if colon and len(main.split()) >= 4 else None


def _as(text: str) -> Change:
    """Insert a paper's arXiv number into `text`."""
    return lambda paper, _rng: text.format(paper.arxiv_id) if paper.arxiv_id else None


CHANGES: dict[str, Change] = {
    "title as it is": lambda paper, _rng: paper.title,
    "lower case": lambda paper, _rng: paper.title.lower(),
    "capitals": lambda paper, _rng: plain_text(paper.title).upper(),
    "without punctuation": lambda paper, _rng: re.sub(r"[^\w\s]", " ", plain_text(paper.title)),
    "LaTeX as plain text": lambda paper, _rng: (
        plain_text(paper.title) if plain_text(paper.title) != paper.title else None
    ),
    "without its subtitle": lambda paper, _rng: _before_subtitle(paper),
    "without an article": lambda paper, _rng: _without_word(paper.title),
    "one typing error": lambda paper, rng: _typing_error(paper.title, rng),
    "two typing errors": lambda paper, rng: _typing_error(_typing_error(paper.title, rng), rng),
    "in quotation marks": lambda paper, _rng: f'"{paper.title}"',
    "arXiv id": _as("{}"),
    "arXiv: before it": _as("arXiv:{}"),
    "arXiv id with version": _as("{}v2"),
    "arXiv address": _as("https://arxiv.org/abs/{}v1"),
    "address of the PDF": _as("https://arxiv.org/pdf/{}.pdf"),
    "DOI of arXiv": _as("https://doi.org/10.48550/arXiv.{}"),
    "arXiv id in a sentence": _as("what followed {}?"),
    "bibcode": lambda paper, _rng: paper.bibcode,
    "ADS address": lambda paper, _rng: (
        f"https://ui.adsabs.harvard.edu/abs/{paper.bibcode.replace('&', '%26')}/abstract" if paper.bibcode else None
    ),
    "DOI": lambda paper, _rng: paper.doi,
    "DOI address in a sentence": lambda paper, _rng: f"who cites https://doi.org/{paper.doi}?" if paper.doi else None,
    "id of the corpus": lambda paper, _rng: paper.paper_id,
}


def _first_by_match(pf: Pathfinder, result: SearchResult) -> str:
    """Return the title that would come first if the question named no paper."""
    plain = replace(result, candidates=replace(result.candidates, named_rows={}))
    return pf.reweigh(plain, result.request.weighting).hits[0].paper.title


def named_ids(result: SearchResult) -> tuple[str, ...]:
    """Return the ids of the papers that the question of `result` was taken to name."""
    return tuple(hit.paper.paper_id for hit in result.hits if hit.known_as)


def rows(pf: Pathfinder, n: int, seed: int) -> Iterator[tuple[str, int, int, int, int, list[str]]]:
    """Yield the name of each change, the number of questions tried, how many of their papers match best, come first and
    are recognised, and the misses.
    """
    for name, change in CHANGES.items():
        rng = random.Random(seed)  # noqa: S311  a draw of papers
        rows = rng.sample(range(len(pf.corpus.papers)), len(pf.corpus.papers))
        n_tries = before = first = n_named = 0
        misses = []
        for row in rows:
            paper = pf.corpus.papers[row]
            question = change(paper, rng)
            if not question:
                continue
            result = pf.search(question, reranker="off")
            is_first = bool(result.hits) and _are_same(result.hits[0].paper.title, paper.title)
            n_tries, first, n_named = n_tries + 1, first + is_first, n_named + (paper.paper_id in named_ids(result))
            before += bool(result.hits) and _are_same(_first_by_match(pf, result), paper.title)
            if not is_first:
                misses.append(question)
            if n_tries == n:
                break
        yield name, n_tries, before, first, n_named, misses


def _are_same(title: str, other: str) -> bool:
    return title.casefold() == other.casefold()


def texts(path: Path) -> Iterator[str]:
    """Yield the questions in a file: its lines, or the text of its records."""
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        for line in file:
            if line.startswith("{"):
                record = json.loads(line)
                yield record.get("text") or record.get("question") or record["title"]
            elif line.strip() and not line.startswith("#"):
                yield line.strip()


def main() -> None:
    """Print a table of the changes, and how ordinary questions and titles of other papers were interpreted."""
    parser = argparse.ArgumentParser(description="known items found first")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--n", type=int, default=300, help="papers drawn for each change")
    parser.add_argument("--seed", type=int, default=14)
    parser.add_argument("--questions", type=Path, nargs="*", default=[], help="files of ordinary questions")
    parser.add_argument("--others", type=Path, help="file of papers, most of them not in the corpus")
    parser.add_argument("--misses", action="store_true", help="print what was missed")
    options = parser.parse_args()
    pf = Pathfinder.open(options.corpus, settings=Settings(_env_file=None))
    print("| question | tried | best match | first | said to be known |\n|---|---|---|---|---|")
    for name, n_tries, before, first, n_named, misses in rows(pf, options.n, options.seed):
        print(f"| {name} | {n_tries} | {before} | {first} | {n_named} |", flush=True)
        for question in misses if options.misses else ():
            print(f"    missed: {question}")
    for path in options.questions:
        questions = list(texts(path))
        wrong = [
            (question, named_ids(result))
            for question in questions
            if named_ids(result := pf.search(question, reranker="off"))
        ]
        print(f"\n{path.name}: {len(wrong)} of {len(questions)} taken to name a paper")
        for question, papers in wrong:
            print(f"    {question} -> {papers}")
    if options.others:
        own = {title.casefold() for title in pf.corpus.papers.titles()}
        others = [title for title in texts(options.others) if title.casefold() not in own]
        rng = random.Random(options.seed)  # noqa: S311  a draw of papers
        titles = rng.sample(others, min(10 * options.n, len(others)))
        wrong = [
            (title, named_ids(result)) for title in titles if named_ids(result := pf.search(title, reranker="off"))
        ]
        print(f"\ntitles of papers that the corpus lacks: {len(wrong)} of {len(titles)} taken for another's")
        for title, papers in wrong:
            print(f"    {title} -> {papers}")


if __name__ == "__main__":
    main()
