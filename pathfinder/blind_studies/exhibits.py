"""Makes exhibits from answers and rankings, both sides in the same layout, and reads pairs from a file."""

from pathlib import Path

from pydantic import TypeAdapter

from pathfinder.blind_studies.study import BlindPair, Exhibit
from pathfinder.errors import UsageError
from pathfinder.grounding.marks import renumber, shown_numbers
from pathfinder.text.author_names import parse_name
from pathfinder.text.strict_json import parse_as
from pathfinder.types import Answer, Paper, SearchResult

_PAIR = TypeAdapter(BlindPair)


def ranking_exhibit(result: SearchResult) -> Exhibit:
    """Return the papers in a ranking, without scores."""
    return Exhibit("", tuple(_line(hit.paper) for hit in result.hits))


def answer_exhibit(answer: Answer) -> Exhibit:
    """Return the text of an answer and the papers that it cites, numbered in the order of citation, without badges,
    counts or advice.
    """
    n_sources = len(answer.sources)
    cited_numbers = [n for n in dict.fromkeys(shown_numbers(answer.text, answer.quotations)) if 1 <= n <= n_sources]
    text = renumber(answer.text, {n: place for place, n in enumerate(cited_numbers, start=1)}, answer.quotations)
    return Exhibit(text.strip(), tuple(_line(answer.sources[n - 1]) for n in cited_numbers))


def _line(paper: Paper) -> str:
    first = parse_name(paper.authors[0]).last if paper.authors else "no author"
    others = " et al." if len(paper.authors) > 1 else ""
    return f"{paper.title} ({first}{others}, {paper.year or 'no year'})"


def read_pairs(path: Path) -> tuple[BlindPair, ...]:
    """Read pairs, one per line: {"question", "first": {"text", "papers": [...]}, "second": ...}.

    Raises `UsageError`, which names the line, if a line cannot be read.
    """
    pairs = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.strip():
            try:
                pairs.append(parse_as(_PAIR, line))
            except ValueError as error:
                raise UsageError(
                    f'{path}:{number} is not a pair ({error}): write {{"question": ..., "first": {{"text": ..., '
                    '"papers": [...]}, "second": ...}}'
                ) from error
    return tuple(pairs)


def read_questions(path: Path) -> tuple[str, ...]:
    """Read questions, one per line; empty lines and those that begin with # are left out."""
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return tuple(line for line in lines if line and not line.startswith("#"))
