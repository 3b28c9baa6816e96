"""What the reader has typed and switched, before it is a request: how papers are found and answered from."""

from dataclasses import dataclass, field, fields

from pathfinder.types import (
    DEFAULT_RERANKER,
    DEFAULT_TOP_K,
    AnswerRequest,
    Budget,
    Exchange,
    Generation,
    Imagine,
    Region,
    SearchRequest,
    Specialisation,
    Weighting,
)


@dataclass(frozen=True, slots=True)
class Answering:
    """How the question is answered. Its fields are those of `AnswerRequest` that a reader sets, and of `Budget`."""

    generation: Generation = Generation.RAG
    specialisation: Specialisation | None = None
    """`None`: the one that goes with the kind of the question."""
    steps: int = Budget().steps
    seconds: int = 180
    tokens: int = Budget().tokens
    second_judge: bool = False
    from_memory: bool = False

    def request(self, advised: Specialisation, earlier: tuple[Exchange, ...] = ()) -> AnswerRequest:
        """What is asked of an answer; `advised` goes with the kind of the question, where the reader left it open.

        Raises `UsageError` for a budget of nothing.
        """
        return AnswerRequest(
            self.generation,
            self.specialisation or advised,
            Budget(self.steps, self.seconds, self.tokens),
            earlier,
            self.second_judge,
            self.from_memory,
        )


@dataclass(frozen=True, slots=True)
class Form:
    """The whole of it. Its fields are those of `SearchRequest`, and `answering`."""

    question: str = ""
    top_k: int = DEFAULT_TOP_K
    year_from: int | None = None
    year_to: int | None = None
    extra_keywords: tuple[str, ...] = ()
    dropped_keywords: tuple[str, ...] = ()
    weighting: Weighting = field(default_factory=Weighting)
    reads_years: bool = True
    imagine: Imagine = Imagine.OFF
    n_hypothetical: int = 1
    expands: bool = False
    own_expansions: tuple[tuple[str, tuple[str, ...]], ...] = ()
    decomposes: bool = False
    depth: int = 0
    page_size: int = 5
    passages: bool = False
    titles: bool = False
    reranker: str = DEFAULT_RERANKER
    region: Region | None = None
    answering: Answering = field(default_factory=Answering)

    def request(self) -> SearchRequest:
        """What is asked of a search. Raises `UsageError` for an empty question or years upside down."""
        of_search = [entry.name for entry in fields(self) if entry.name not in ("question", "answering")]
        return SearchRequest(self.question, **{name: getattr(self, name) for name in of_search})
