"""Contents of a capsule: a question with its settings, candidates, hits, answer and consensus."""

import csv
import datetime
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, Literal

import numpy as np
from pydantic import TypeAdapter

from pathfinder.retrieval.factors import weights_of
from pathfinder.retrieval.factors.registry import steering_factors
from pathfinder.retrieval.weighting import final_scores, known_first, ranking
from pathfinder.shelves.shelf import Shelf
from pathfinder.types import (
    Answer,
    Assessment,
    Call,
    CallText,
    Candidates,
    Consensus,
    CorpusName,
    Expansion,
    Floats,
    Hit,
    Keyword,
    Paper,
    Round,
    SearchRequest,
    SearchResult,
    Stage,
    StageStatus,
    Weighting,
)
from pathfinder.types.results import OPTIONAL_VALUE_FIELDS, VALUE_FIELDS

FORMAT: Final = "pathfinder capsule"
VERSION: Final = 1
SUFFIX: Final = ".pfz"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A text that was left out of the capsule."""

    paper_id: str
    text: str
    """Kind of text: "abstract", "full text" or "prompts"."""
    reason: str


@dataclass(frozen=True, slots=True)
class FileHash:
    """A file in the capsule, with its SHA-256 in hex digits."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class CapsuleCard:
    """Description of a capsule and of its files."""

    format: Literal["pathfinder capsule"]
    version: Literal[1]
    written_by: str
    """Version of Pathfinder that wrote the capsule."""
    written_on: datetime.date
    question: str
    corpus: CorpusName
    embedder: str
    left_out: tuple[LeftOut, ...]
    files: tuple[FileHash, ...]


_FIELD_OF_KEY = {"searched": "search_words"}
"""Keys in a capsule that differ from the current names of the fields of `SearchResult`, with the current names."""


@dataclass(frozen=True, slots=True)
class SavedSearch:
    """A search result without its candidates; the fields are those of `SearchResult`, some under earlier names."""

    request: SearchRequest
    corpus: CorpusName
    hits: tuple[Hit, ...]
    keywords: tuple[Keyword, ...]
    stages: tuple[Stage, ...]
    notes: tuple[str, ...] = ()
    hypothetical: tuple[str, ...] = ()
    expansions: tuple[Expansion, ...] = ()
    sub_questions: tuple[str, ...] = ()
    rounds: tuple[Round, ...] = ()
    assessment: Assessment | None = None
    calls: tuple[Call, ...] = ()
    stage_status: tuple[StageStatus, ...] = ()
    searched: str | None = None
    filter_notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, result: SearchResult) -> "SavedSearch":
        """Take the fields from `result`."""
        return cls(**{entry.name: getattr(result, _FIELD_OF_KEY.get(entry.name, entry.name)) for entry in fields(cls)})

    def with_candidates(self, candidates: Candidates) -> SearchResult:
        """Return the search result with its candidates."""
        values = {_FIELD_OF_KEY.get(entry.name, entry.name): getattr(self, entry.name) for entry in fields(self)}
        return SearchResult(candidates=candidates, **values)


@dataclass(frozen=True, slots=True)
class MapPlace:
    """Place of a candidate on the corpus's map."""

    paper_id: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class ListedCandidate:
    """A candidate: a paper that has a line of measured values in the table."""

    paper_id: str
    title: str
    year: int | None
    known_as: str | None = None
    """Name by which the question refers to the paper; `None` if the paper is not named."""
    live: str | None = None
    """Live sources that found the paper; `None` for a paper in the corpus."""


@dataclass(frozen=True, slots=True, eq=False)
class Capsule:
    """A question with everything that led to its answer."""

    card: CapsuleCard
    result: SearchResult
    """The result as it was; candidates that are not hits have only an id, a title and a year, and none has a vector."""
    answer: Answer | None = None
    consensus: Consensus | None = None
    texts: tuple[CallText, ...] = ()
    """Prompts and replies of the chat model."""
    places: tuple[MapPlace, ...] = ()
    """Places of the candidates on the map, in the order of the candidates; empty if there is no map."""
    shelf: Shelf | None = None
    """The shelf that was saved with the question, if any."""
    altered_files: tuple[str, ...] = ()
    """Files whose content has changed since the capsule was saved."""


CARD = TypeAdapter(CapsuleCard)
SEARCH = TypeAdapter(SavedSearch)
CANDIDATES = TypeAdapter(tuple[ListedCandidate, ...])
ANSWER = TypeAdapter(Answer)
CONSENSUS = TypeAdapter(Consensus)
TEXTS = TypeAdapter(tuple[CallText, ...])
PLACES = TypeAdapter(tuple[MapPlace, ...])
SHELF = TypeAdapter(Shelf)

CARD_FILE, TABLE_FILE = "capsule.json", "candidates.csv"
FILES = {
    "search": "search.json",
    "listed": "candidates.json",
    "answer": "answer.json",
    "consensus": "consensus.json",
    "texts": "model.json",
    "places": "map.json",
    "shelf": "shelf.json",
}
"""Names of the files in the zip besides the card and the table."""

# The candidates of a search as a CSV table of numbers: a line for each, with every measured value.
#
# An empty cell stands for an unknown value. A column that is missing belongs to a stage that did not run. Numbers are
# written with all their digits, so that scores can be computed again exactly. The table has no text: the papers are
# listed in a JSON file, in the same order.

_FACTOR = "factor:"
"""Prefix of the columns for factors from plug-ins, and for features by which the search was steered."""
_HIT_COLUMNS = ("rank", "row", "final")


def write_table(result: SearchResult) -> str:
    """Write a line for each candidate: its rank (counted from 1) and score under the weighting of the result, its row
    in the corpus, and its measured values.
    """
    candidates = result.candidates
    scores = final_scores(candidates, result.request.weighting)
    ranks = np.empty(len(scores), dtype=np.int64)
    ranks[ranking(scores)] = np.arange(1, len(scores) + 1)
    final = scores - known_first(np.zeros(len(scores)), candidates)
    columns = _columns(candidates, result.request.weighting)
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow((*_HIT_COLUMNS, *columns))
    for place, row in enumerate(candidates.rows.tolist()):
        values = (float(final[place]), *(float(column[place]) for column in columns.values()))
        writer.writerow((int(ranks[place]), row, *("" if math.isnan(value) else repr(value) for value in values)))
    return table.getvalue()


def _columns(candidates: Candidates, weighting: Weighting) -> dict[str, Floats]:
    own = {name: getattr(candidates, name) for name in (*VALUE_FIELDS, *OPTIONAL_VALUE_FIELDS)}
    extra = {_FACTOR + name: values for name, values in candidates.extra.items()}
    steers = {_FACTOR + each.name: weights_of(each, candidates, weighting) for each in steering_factors(weighting)}
    return {name: values for name, values in (own | extra | steers).items() if isinstance(values, np.ndarray)}


def read_table(text: str, listed_candidates: Sequence[ListedCandidate], hits: Sequence[Hit]) -> Candidates:
    """Read the candidates; `listed_candidates` holds the paper for each line, and `hits` the candidates whose papers
    are known in full.

    Raises `ValueError`, with the place and the fault, for a table that was not written by `write_table`.
    """
    lines = _lines(text)
    if not lines or tuple(lines[0][: len(_HIT_COLUMNS)]) != _HIT_COLUMNS or len({*lines[0]}) != len(lines[0]):
        raise ValueError(f"its first line must begin with {', '.join(_HIT_COLUMNS)} and name each column once")
    names = lines[0][len(_HIT_COLUMNS) :]
    missing = [name for name in VALUE_FIELDS if name not in names]
    unknown_names = [
        name for name in names if name not in (*VALUE_FIELDS, *OPTIONAL_VALUE_FIELDS) and not name.startswith(_FACTOR)
    ]
    if missing or unknown_names:
        raise ValueError(f"its columns are wrong: {', '.join([*missing, *unknown_names])[:200]}")
    if len(lines) - 1 != len(listed_candidates):
        raise ValueError(f"it has {len(lines) - 1} candidates, but {len(listed_candidates)} papers are listed")
    rows = np.array([_row(line, place, len(lines[0])) for place, line in enumerate(lines[1:], start=2)], dtype=np.int64)
    values = np.array([_numbers(line[2:], place) for place, line in enumerate(lines[1:], start=2)], dtype=np.float64)
    columns = dict(zip(names, values.reshape(len(rows), len(names) + 1).T[1:], strict=True))
    return _candidates(rows, columns, listed_candidates, hits)


def _lines(text: str) -> list[list[str]]:
    try:
        return list(csv.reader(io.StringIO(text), strict=True))
    except csv.Error as error:
        raise ValueError(f"it is not CSV ({error})") from error


def _row(line: Sequence[str], place: int, n_columns: int) -> int:
    if len(line) != n_columns:
        raise ValueError(f"line {place} has {len(line)} cells instead of {n_columns}")
    if not (line[1].isascii() and line[1].isdigit() and len(line[1]) < 12):
        raise ValueError(f"line {place}: {line[1][:40]!r} is not a row")
    return int(line[1])


def _numbers(cells: Sequence[str], place: int) -> list[float]:
    try:
        numbers = [float(cell) if cell else math.nan for cell in cells]
    except ValueError:
        raise ValueError(f"line {place} has a cell that is not a number") from None
    if any(math.isinf(number) for number in numbers) or any(cell.lower() == "nan" for cell in cells):
        raise ValueError(f"line {place} has a cell that is not a finite number")
    return numbers


def _candidates(
    rows: np.ndarray[tuple[int], np.dtype[np.int64]],
    columns: Mapping[str, Floats],
    listed_candidates: Sequence[ListedCandidate],
    hits: Sequence[Hit],
) -> Candidates:
    if len({*rows.tolist()}) != len(rows):
        raise ValueError("two of its lines give the same row number")
    in_full = {hit.row: hit.paper for hit in hits}
    keys = rows.tolist()
    papers = [
        in_full.get(row) or Paper(each.paper_id, each.title, "", year=each.year)
        for row, each in zip(keys, listed_candidates, strict=True)
    ]
    own_values: dict[str, Any] = {
        name: columns[name] for name in (*VALUE_FIELDS, *OPTIONAL_VALUE_FIELDS) if name in columns
    }
    return Candidates(
        papers=papers,
        rows=rows,
        vectors=np.zeros((len(rows), 0), dtype=np.float32),
        **own_values,
        extra={name.removeprefix(_FACTOR): values for name, values in columns.items() if name.startswith(_FACTOR)},
        named_rows={
            row: each.known_as for row, each in zip(keys, listed_candidates, strict=True) if each.known_as is not None
        },
        live={row: each.live for row, each in zip(keys, listed_candidates, strict=True) if each.live is not None},
    )


def listed_papers(candidates: Candidates) -> tuple[ListedCandidate, ...]:
    """List the papers of the candidates, in order."""
    return tuple(
        ListedCandidate(
            paper.paper_id, paper.title, paper.year, candidates.named_rows.get(row), candidates.live.get(row)
        )
        for paper, row in zip(candidates.papers, candidates.rows.tolist(), strict=True)
    )
