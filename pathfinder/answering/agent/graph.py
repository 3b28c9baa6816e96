"""The agent as a graph: ask, act, ask again; finish where the model does not end by itself.

    start -> ask -> act -> ask ...
              |      |
              |      +---> finish (it repeats itself)
              +---> finish (a budget is spent, the model fails) -> end
              +---> end (it answers)

Nothing is kept on disk, and nothing is told to anyone: the graph has no checkpointer, and its callbacks are none,
whatever tracing the environment asks for.
"""

from collections.abc import Generator
from dataclasses import replace
from functools import cache
from typing import Any, Literal, TypedDict, cast

from langchain_core.callbacks import CallbackManager
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from pathfinder.answering.agent.asking import Stopped, asked
from pathfinder.answering.agent.doing import done
from pathfinder.answering.agent.finishing import finished
from pathfinder.answering.agent.run import Bench, Run, has_room
from pathfinder.types import Ended, Step

MAX_TURNS = 10
"""Turns of the graph beyond two for each action, which no run needs."""


class State(TypedDict):
    """What the graph hands from node to node."""

    run: Run


def walk(run: Run, bench: Bench) -> Generator[str | Step, None, Run]:
    """Go on from `run` to its end; yields words and steps as they come, and returns the ended run.

    Raises a `ProviderError` where the model fails before it has said anything.
    """
    last = run
    n_turns = 2 * (bench.request.budget.steps + len(bench.recording.turns)) + MAX_TURNS
    config = RunnableConfig(recursion_limit=n_turns, callbacks=CallbackManager([]))
    pieces = _graph().stream(State(run=run), config, context=bench, stream_mode=["custom", "values"])
    stream = cast("Generator[tuple[str, Any], None, None]", pieces)
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


@cache
def _graph() -> CompiledStateGraph[State, Bench, State, State]:
    graph = StateGraph(State, context_schema=Bench)
    graph.add_node("ask", _ask)
    graph.add_node("act", _act)
    graph.add_node("finish", _finish)
    graph.add_edge(START, "ask")
    graph.add_conditional_edges("ask", _behind_ask, {"act": "act", "finish": "finish", "end": END})
    graph.add_conditional_edges("act", _behind_act, {"ask": "ask", "finish": "finish"})
    graph.add_edge("finish", END)
    return graph.compile(name="agent")


def _ask(state: State, runtime: Runtime[Bench]) -> State:
    return State(run=asked(state["run"], runtime.context, runtime.stream_writer))


def _act(state: State, runtime: Runtime[Bench]) -> State:
    """Do what was asked for, one action after the other, as far as the budget of steps goes."""
    run, bench = state["run"], runtime.context
    for call in run.calls:
        if run.ended is not None or not has_room(run, bench):
            break
        if bench.stop.is_set():
            raise Stopped
        run = done(run, call, bench, runtime.stream_writer)
    return State(run=replace(run, calls=()))


def _finish(state: State, runtime: Runtime[Bench]) -> State:
    return State(run=finished(state["run"], runtime.context, runtime.stream_writer))


def _behind_ask(state: State) -> Literal["act", "finish", "end"]:
    run = state["run"]
    if run.calls:
        return "act"
    return "end" if run.ended is Ended.ANSWERED else "finish"


def _behind_act(state: State) -> Literal["ask", "finish"]:
    return "ask" if state["run"].ended is None else "finish"
