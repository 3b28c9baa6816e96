"""Contents of a capsule: a question with its settings, candidates, hits, answer and consensus."""

import datetime
from dataclasses import dataclass, fields
from typing import Final, Literal

from pydantic import TypeAdapter

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
    Hit,
    Keyword,
    Round,
    SearchRequest,
    SearchResult,
    Stage,
    StageStatus,
)

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
