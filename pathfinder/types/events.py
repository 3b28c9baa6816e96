"""Events of an answer in progress: text, steps, notes, and the finished answer."""

from dataclasses import dataclass

from pathfinder.types.answers import Answer
from pathfinder.types.traces import Step


@dataclass(frozen=True, slots=True)
class TextDelta:
    """The next words of the answer, with [n] marks. They are replaced by the checked text in `Done`."""

    text: str


@dataclass(frozen=True, slots=True)
class StepTaken:
    """A step towards the answer: a thought, an action, an observation or a version."""

    step: Step


@dataclass(frozen=True, slots=True)
class Note:
    """Something that the reader should know about the answer, as in `Answer.notes`."""

    text: str


@dataclass(frozen=True, slots=True)
class Done:
    """The finished and checked answer; it is always the last event and occurs exactly once."""

    answer: Answer


AnswerEvent = TextDelta | StepTaken | Note | Done
"""All events that may be streamed while a question is answered."""
