"""Form: the settings of search and answer before they become a request."""

from dataclasses import dataclass, field, replace
from typing import Any

from pathfinder.answering.modes.registry import MODES, generation_of, offered
from pathfinder.errors import UsageError
from pathfinder.types import (
    AnswerRequest,
    Budget,
    DigestForm,
    Exchange,
    Generation,
    SearchRequest,
    Specialisation,
    Weighting,
)
from pathfinder.types.setting_kinds import Choice, Switch, WholeNumber
from pathfinder.types.settings import declare

MAX_STEPS, MAX_SECONDS, MAX_TOKENS = 20, 900, 500_000
"""Upper limits for one answer requested from a page: a link may come from a stranger, and the owner of the key pays."""


@dataclass(frozen=True, slots=True)
class ModeName:
    """The name of an answer mode that can be chosen, whether it is part of Pathfinder or of another package."""

    def check(self, name: str, value: Any) -> None:
        if value not in offered():
            raise UsageError(f"{name} must be one of {', '.join(offered())}, got {value!r}")
        MODES.get(value)  # raises an error for a plug-in that cannot be loaded

    def read(self, text: str) -> Generation | str:
        self.check("the answer mode", text)
        return generation_of(text)

    def write(self, value: Generation | str) -> str:
        return str(value)

    @property
    def values(self) -> str:
        return ", ".join(offered())


@dataclass(frozen=True, slots=True)
class Answering:
    """Settings of the answer. Its fields are the fields of `AnswerRequest` that a reader sets, together with those of
    `Budget`.
    """

    generation: Generation | str = declare(Generation.RAG, ModeName(), label="Mode", help="", link="answer")
    specialisation: Specialisation | None = declare(
        None, Choice(Specialisation, is_optional=True), label="Style", help="", link="as"
    )
    """`None` for the style that suits the kind of question."""
    steps: int = declare(Budget().steps, WholeNumber(1, MAX_STEPS), label="Maximum steps", help="", link="steps")
    seconds: int = declare(180, WholeNumber(1, MAX_SECONDS), label="Maximum seconds", help="", link="seconds")
    tokens: int = declare(Budget().tokens, WholeNumber(1, MAX_TOKENS), label="Maximum tokens", help="", link="tokens")
    second_judge: bool = declare(False, Switch(), label="Second judge", help="", link="judge")
    from_memory: bool = declare(False, Switch(), label="From memory", help="", link="memory")

    form: DigestForm | None = declare(
        None, Choice(DigestForm, is_optional=True), label="Form of a digest", help="", link="form"
    )
    """`None` for the form that suits the question."""

    @property
    def budget(self) -> Budget:
        """Budget of the question, for all that the page does with it. Raises `UsageError` for a budget below 1."""
        return Budget(self.steps, self.seconds, self.tokens)

    def request(self, advised: Specialisation, earlier: tuple[Exchange, ...] = ()) -> AnswerRequest:
        """Build the request for an answer; `advised` is the style that suits the kind of question, used if the reader
        has not chosen one.

        Raises `UsageError` for a budget below 1.
        """
        return AnswerRequest(
            self.generation,
            self.specialisation or advised,
            self.budget,
            earlier,
            self.second_judge,
            self.from_memory,
            self.form,
        )


_NO_QUESTION = SearchRequest("no question yet")


@dataclass(frozen=True, slots=True)
class Form:
    """All settings of the page. The question may be empty."""

    question: str = ""
    search: SearchRequest = _NO_QUESTION
    """Settings of the search; the `query` in it is ignored."""
    answering: Answering = field(default_factory=Answering)

    @property
    def weighting(self) -> Weighting:
        """Weights of the search."""
        return self.search.weighting

    def with_search(self, **settings: Any) -> "Form":
        """Change settings of the search. Raises `UsageError` for invalid values."""
        return replace(self, search=replace(self.search, **settings))

    def request(self) -> SearchRequest:
        """Make the request. Raises `UsageError` for an empty question."""
        return replace(self.search, query=self.question)
