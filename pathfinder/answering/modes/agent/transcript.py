"""Writes the conversation that the model is shown, using only the steps of the run so far."""

from collections.abc import Sequence

from pathfinder.answering.modes.agent.tools import READ, SEARCH
from pathfinder.answering.modes.agent.wording import GO_ON
from pathfinder.llm.prompts import render
from pathfinder.models.ports import ToolCall, Turn
from pathfinder.types import Step, StepKind


def transcript(question: str, earlier: str, n_steps: int, steps: Sequence[Step]) -> tuple[Turn, ...]:
    """Write the conversation up to the model's next turn; `earlier` holds the earlier questions and answers, with keys.

    Each call gets a turn of its own, even if the model requested several at once.
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
            turn, called = _action_turn(place, step, thought)
            turns.append(turn)
            thought = ""
        else:
            turns.append(Turn("human", step.text) if called is None else Turn("tool", step.text, call_id=called))
            called = None
    turns += [Turn("assistant", thought), Turn("human", GO_ON)] if thought else []
    return tuple(turns)


def _action_turn(place: int, step: Step, thought: str) -> tuple[Turn, str | None]:
    """Create the turn that requested an action; return it with the name of the call that the next turn answers.

    A tool that does not exist is only mentioned in the text: providers reject a conversation that calls it.
    """
    if step.tool not in (SEARCH, READ):
        return Turn("assistant", f"{thought}\n{step.text}".strip()), None
    # Nine letters and digits, the only form of a call's name that the strictest provider accepts.
    call_id = f"call{place:05d}"
    return Turn("assistant", thought, calls=(ToolCall(call_id, step.tool, dict(step.arguments)),)), call_id
