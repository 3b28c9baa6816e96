"""The agent as a graph: ask, act, ask again; finish where the model does not end by itself.

    start -> ask -> act -> ask ...
              |      |
              |      +---> finish (it repeats itself)
              +---> finish (a budget is spent, the model fails) -> end
              +---> end (it answers)

Nothing is kept on disk, and nothing is told to anyone: the graph has no checkpointer, and its callbacks are none,
whatever tracing the environment asks for.
"""

from collections.abc import Callable, Generator
from dataclasses import replace
from typing import Literal, TypedDict

from langchain_core.callbacks import CallbackManager
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from pathfinder.answering.agent.asking import asked
from pathfinder.answering.agent.doing import done
from pathfinder.answering.agent.finishing import finished
from pathfinder.answering.agent.run import Bench, Run
from pathfinder.types import Ended, Step

MAX_TURNS = 10
"""Turns of the graph beyond two for each action, which is what a run takes at most."""


class State(TypedDict):
    """What the graph hands from node to node."""

    run: Run


def walk(run: Run, bench: Bench) -> Generator[str | Step, None, Run]:
    """Go on from `run` to its end; yields words and steps as they come, and returns the ended run.

    Raises a `ProviderError` where the model fails before it has said anything.
    """
    last = run
    stream = _graph().stream(
        State(run=run),
        {"recursion_limit": 2 * bench.request.budget.steps + MAX_TURNS, "callbacks": CallbackManager([])},
        context=bench,
        stream_mode=["custom", "values"],
    )
    try:
        for mode, piece in stream:
            if mode == "custom":
                yield piece
            else:
                last = piece["run"]
    finally:
        # Before the graph is closed, which waits for what it is at.
        bench.stop.set()
        stream.close()
    return last
