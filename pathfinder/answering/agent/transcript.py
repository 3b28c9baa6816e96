"""What the model is told of a run so far: the turns of a conversation, made of the steps alone."""

from collections.abc import Sequence

from pathfinder.answering.agent.tools import READ, SEARCH
from pathfinder.answering.agent.words import GO_ON
from pathfinder.models.ports import ToolCall, Turn
from pathfinder.prompts import render
from pathfinder.types import Step, StepKind


def transcript(question: str, earlier: str, n_steps: int, steps: Sequence[Step]) -> tuple[Turn, ...]:
    """The conversation up to the model's next turn; `earlier` is what was asked and answered before, in keys.

    Each call stands in a turn of its own, also where the model asked for several at once.
    """
    turns = [
        Turn("system", render("agent_system", n_steps=str(n_steps))),
        Turn("human", render("agent_question", earlier=f"{earlier}\n\n" if earlier else "", question=question)),
    ]
    thought, called = "", None
    for place, step in enumerate(steps):
        if step.kind is StepKind.THOUGHT:
            turns += [Turn("assistant", thought)] if thought else []
            thought, called = step.text, None
        elif step.kind is StepKind.ACTION:
            turn, called = _asked(place, step, thought)
            turns.append(turn)
            thought = ""
        else:
            turns.append(Turn("human", step.text) if called is None else Turn("tool", step.text, call_id=called))
            called = None
    turns += [Turn("assistant", thought), Turn("human", GO_ON)] if thought else []
    return tuple(turns)


def _asked(place: int, step: Step, thought: str) -> tuple[Turn, str | None]:
    """The turn that asked for an action, and the name of the call that what follows answers.

    A tool that does not exist is spoken of in words: providers refuse a conversation that calls it.
    """
    if step.tool not in (SEARCH, READ):
        return Turn("assistant", f"{thought}\n{step.text}".strip()), None
    # Nine letters and digits: what the strictest provider takes for the name of a call.
    call_id = f"call{place:05d}"
    return Turn("assistant", thought, calls=(ToolCall(call_id, step.tool, dict(step.arguments)),)), call_id
