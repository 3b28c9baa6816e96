"""Settings of an answer, each declared once: page, link, command line and docs read this table."""

from dataclasses import dataclass
from typing import Any

from pathfinder.answering.modes.registry import MODES, mode_name_of, mode_names
from pathfinder.errors import UsageError
from pathfinder.types import AnswerRequest, Budget, DigestForm, Exchange, ModeName, Specialisation
from pathfinder.types.setting_kinds import Alternatives, WholeNumber
from pathfinder.types.settings import declare_answer

MAX_STEPS, MAX_SECONDS, MAX_TOKENS = 20, 900, 500_000
"""Upper limits for one answer requested from a page: a link may come from a stranger, and the owner of the key pays."""


STYLE_LABELS = {
    None: "whatever suits the question",
    Specialisation.SINGLE_PAPER: "one fact with its source",
    Specialisation.MULTI_PAPER: "what several papers say",
    Specialisation.BIBLIOMETRIC: "a query that counts papers",
    Specialisation.BROAD: "broad but nuanced",
}


@dataclass(frozen=True, slots=True)
class ModeKind:
    """The name of an answer mode that can be chosen, whether it is part of Pathfinder or of another package."""

    def check(self, name: str, value: Any) -> None:
        if value not in mode_names():
            raise UsageError(f"{name} must be one of {', '.join(mode_names())}, got {value!r}")
        MODES.get(value)  # raises an error for a plug-in that cannot be loaded

    def read(self, text: str) -> ModeName | str:
        self.check("the answer mode", text)
        return mode_name_of(text)

    def write(self, value: ModeName | str) -> str:
        return str(value)

    @property
    def values(self) -> str:
        return ", ".join(mode_names())


@dataclass(frozen=True, slots=True)
class AnswerSettings:
    """Settings of the answer. The fields are those of `AnswerRequest` that a reader sets, together with those of
    `Budget`.
    """

    generation: ModeName | str = declare_answer(
        ModeName.RAG,
        ModeKind(),
        label="Mode",
        help="How the answer is produced.",
        link="answer",
        option="--mode --generation",
    )
    specialisation: Specialisation | None = declare_answer(
        None,
        Alternatives(Specialisation, STYLE_LABELS, is_optional=True),
        label="Style",
        help="Style of the answer, if the mode supports it.",
        link="as",
        option="--style --specialisation",
    )
    """`None` for the style that suits the kind of question."""
    steps: int = declare_answer(
        Budget().steps,
        WholeNumber(1, MAX_STEPS),
        label="Maximum steps",
        help="Maximum number of actions, sub-questions or rounds.",
        link="steps",
        applies=lambda settings: MODES.get(settings.generation).is_stepwise,
    )
    seconds: int = declare_answer(
        180,
        WholeNumber(1, MAX_SECONDS, step=10),
        label="Maximum seconds",
        help="Time limit for the question, in seconds.",
        link="seconds",
        applies=lambda settings: MODES.get(settings.generation).is_stepwise,
    )
    tokens: int = declare_answer(
        Budget().tokens,
        WholeNumber(1, MAX_TOKENS, step=1000),
        label="Maximum tokens",
        help="Maximum number of tokens, input and output, over all calls.",
        link="tokens",
    )
    second_judge: bool = declare_answer(
        False,
        label="Second judge",
        help="The chat model gives a second judgement of the evidence.",
        link="judge",
        option="--second-judge",
    )
    from_memory: bool = declare_answer(
        False,
        label="From memory, if no paper answers",
        help="If no paper answers the question, add what the chat model remembers, marked sentence by sentence, "
        "without citations.",
        link="memory",
        option="--from-memory",
    )
    form: DigestForm | None = declare_answer(
        None,
        Alternatives(DigestForm, is_optional=True),
        label="Form of the answer",
        help="Form of an answer that is quoted from the papers; values are also shown alongside a written answer.",
        link="form",
    )
    """`None` for the form that suits the question."""

    @property
    def budget(self) -> Budget:
        """Budget for everything that the page does with the question. Raises `UsageError` for a budget below 1."""
        return Budget(self.steps, self.seconds, self.tokens)

    def request(self, advised_style: Specialisation | None, earlier: tuple[Exchange, ...] = ()) -> AnswerRequest:
        """Build the request for an answer; `advised_style` suits the kind of question, and is used if the reader has
        chosen no style; if both are `None`, the mode's default is used.

        Raises `UsageError` for a budget below 1.
        """
        return AnswerRequest(
            self.generation,
            self.specialisation or advised_style,
            self.budget,
            earlier,
            self.second_judge,
            self.from_memory,
            self.form,
        )
