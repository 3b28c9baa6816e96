"""Response times of the page with many visitors at once, compared with those for a single visitor.

    python -m benchmarks.page_load CORPUS QUESTIONS [--people 50] [--minutes 10] [--json FILE]

starts the page, and lets visitors ask distinct questions, one per line of QUESTIONS (or JSON lines with `question` or
`text`), over the protocol that browsers speak (`benchmarks.visitor`). A visitor thinks for 5 to 15 s before each
action; every other action changes a weight of the ranking. A tenth of the visitors ask an agent, whose chat model
is a script that takes 2 s for each call. Every result is compared with that of the library.
"""

import argparse
import asyncio
import random
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.app import running_page
from benchmarks.digest_time import read_questions
from benchmarks.report import Figure, machine, print_figures
from benchmarks.visitor import Seen, Visitor
from pathfinder.facade import Pathfinder
from pathfinder.text.latex.display import readable
from pathfinder.types import SearchResult, Weighting
from pathfinder.ui.settings.controls import SWITCHED_ON
from tests.wire import Act, Answers, Says, Wire
from tests_wire.scripted_model import say

SECONDS_A_CALL = 2.0
THINKING_SECONDS = (5.0, 15.0)
ALONE = 12
"""Number of questions that the single visitor asks."""

AGENT_SHARE = 10
"""One visitor in this many asks an agent."""

SAMPLED_EVERY = 5.0
SETTLED_SECONDS = 120.0
"""Time after which memory may grow by no more than 5%."""

QUESTION, REWEIGHING, AGENT = "question", "re-weighing", "question to an agent"
AT_MOST_TIMES = {"demo": 5, "other": 10}


@dataclass(frozen=True, slots=True)
class Action:
    """An action of a visitor, and its outcome."""

    kind: str
    seconds: float
    is_right: bool
    errors: tuple[str, ...]


class Measured:
    """Actions of visitors to one page, whose questions come from one list."""

    def __init__(self, address: str, model: str, first_titles: dict[str, tuple[str, str]]) -> None:
        self.address, self.model = address, model
        self._titles = iter(first_titles.items())
        self.actions: list[Action] = []

    async def visit(self, *, asks_agent: bool, until: float, pause: random.Random | None, most: int = 10**6) -> None:
        """Ask and re-weigh in turn until a given time, up to a maximum number of questions, with or without pauses for
        thought.
        """
        query = "answer=agent" if asks_agent else ""
        async with Visitor(self.address, query) as visitor:
            await visitor.open()
            if asks_agent:
                await visitor.act(How_to_search_and_answer=True)
                await visitor.act(Model="openai:scripted", Key="k", Address=self.model, Use_for_this_visit=True)
            is_on = False
            for _ in range(most):
                await _think(pause)
                title = next(self._titles, None)
                if title is None or time.perf_counter() > until:
                    return
                question, titles = title
                await self._ask(visitor, question, titles[is_on], asks_agent=asks_agent)
                await _think(pause)
                is_on = not is_on
                view = await visitor.act(Recent_papers=is_on)
                self._note(REWEIGHING, view, is_right=_holds(view, titles[is_on]))
                if asks_agent:
                    await visitor.wait()

    async def _ask(self, visitor: Visitor, question: str, title: str, *, asks_agent: bool) -> None:
        view = await visitor.ask(question)
        is_right = _holds(view, title)
        if asks_agent:
            later_view = await visitor.wait()
            view.seconds += later_view.seconds
            view.errors += later_view.errors
        self._note(AGENT if asks_agent else QUESTION, view, is_right=is_right)

    def _note(self, kind: str, view: Seen, *, is_right: bool) -> None:
        self.actions.append(Action(kind, view.seconds, is_right, tuple(view.errors)))

    def seconds(self, kind: str) -> list[float]:
        """Return how long each action of a kind took [s]."""
        return [action.seconds for action in self.actions if action.kind == kind]


async def _think(pause: random.Random | None) -> None:
    if pause is not None:
        await asyncio.sleep(pause.uniform(*THINKING_SECONDS))


def _holds(view: Seen, text: str) -> bool:
    return any(text in words for words in view.texts)


async def crowd(measurement: Measured, people: int, seconds: float) -> None:
    """Let visitors arrive one after another within the longest pause for thought, and stay until the time is up."""
    until = time.perf_counter() + seconds

    async def come(n: int) -> None:
        await asyncio.sleep(n / people * THINKING_SECONDS[1])
        await measurement.visit(asks_agent=n % AGENT_SHARE == 0, until=until, pause=random.Random(n))  # noqa: S311

    await asyncio.gather(*map(come, range(people)))


async def _sample_load(process_id: int, samples: list[tuple[float, float]]) -> None:
    started = time.perf_counter()
    while True:
        (line,) = (
            line for line in Path(f"/proc/{process_id}/status").read_text().splitlines() if line.startswith("VmRSS:")
        )
        samples.append((time.perf_counter() - started, int(line.split()[1]) / 1024))
        await asyncio.sleep(SAMPLED_EVERY)


async def measure(
    address: str, model: str, process_id: int, titles: dict[str, tuple[str, str]], args: argparse.Namespace
) -> None:
    """Measure a visitor alone, then the crowd, and print both."""
    questions = list(titles.items())
    n_alone = 3 * ALONE
    alone = Measured(address, model, dict(questions[:n_alone]))
    # the first visit loads everything that is loaded on first use
    await alone.visit(asks_agent=False, until=np.inf, pause=None, most=2)
    alone.actions.clear()
    await alone.visit(asks_agent=False, until=np.inf, pause=None, most=ALONE)
    await alone.visit(asks_agent=True, until=np.inf, pause=None, most=ALONE // 4)
    together = Measured(address, model, dict(questions[n_alone:]))
    samples: list[tuple[float, float]] = []
    sampling = asyncio.create_task(_sample_load(process_id, samples))
    await crowd(together, args.people, 60 * args.minutes)
    sampling.cancel()
    print_figures(_figures(alone, together, samples, args), args.json)
    for action in together.actions:
        for error in action.errors[:1]:
            print(f"{action.kind}: {error}")


def _figures(
    alone: Measured, together: Measured, samples: list[tuple[float, float]], args: argparse.Namespace
) -> list[Figure]:
    figures = []
    times = AT_MOST_TIMES["demo" if args.is_demo else "other"]
    for kind in (QUESTION, REWEIGHING, AGENT):
        single, in_crowd = np.median(alone.seconds(kind)), together.seconds(kind)
        late = float(np.percentile(in_crowd, 95))
        figures += [
            Figure(f"{kind}: one visitor, median", float(single), "s"),
            Figure(f"{kind}: {args.people} visitors, {len(in_crowd)} times, median", float(np.median(in_crowd)), "s"),
            Figure(f"{kind}: {args.people} visitors, 95th percentile", late, "s"),
            Figure(f"{kind}: 95th percentile over one visitor's median", late / single, "x", "at most", times),
        ]
    steady = [megabytes for second, megabytes in samples if second <= SETTLED_SECONDS][-1]
    return [
        *figures,
        Figure("actions a second", len(together.actions) / (60 * args.minutes), "1/s"),
        Figure("errors", sum(bool(action.errors) for action in together.actions), "", "at most", 0),
        Figure(
            "results of another question", sum(not action.is_right for action in together.actions), "", "at most", 0
        ),
        Figure("memory at the end", samples[-1][1], "MB"),
        Figure("growth of memory after two minutes", samples[-1][1] / steady - 1, "", "at most", 0.05),
    ]


def _first_titles(corpus: Path, questions: list[str]) -> dict[str, tuple[str, str]]:
    """Return, for each question, the titles of the first papers that the library finds with no weights and with the
    recency weight of the page's toggle, each written as on its card.
    """
    pf = Pathfinder.open(corpus)
    results = {question: pf.search(question) for question in dict.fromkeys(questions)}
    return {
        question: (_first(result), _first(pf.reweigh(result, Weighting(recency=SWITCHED_ON))))
        for question, result in results.items()
        if result.hits
    }


def _first(result: SearchResult) -> str:
    return readable(result.hits[0].paper.title)


def _slow(body: dict[str, object]) -> Act:
    text, call = say(body["messages"], body.get("tools") or [])  # type: ignore[arg-type]
    calls = []
    if call is not None:
        function = {"name": call.name, "arguments": call.arguments}
        calls = [{"index": 0, "id": call.call_id, "type": "function", "function": function}]
    finish = "tool_calls" if calls else "stop"
    return Says(text, pause=SECONDS_A_CALL, calls=calls, finish_reason=finish, usage=(900, 60))


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--is-demo", action="store_true")
    parser.add_argument("--most-questions", type=int, default=2500)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    titles = _first_titles(args.corpus, read_questions(args.questions)[: args.most_questions])
    print(f"{args.corpus.name}: {machine()}, {len(titles)} questions")
    with Wire(Answers(_slow)) as wire, running_page(args.corpus, PATHFINDER_VISITORS_CHOOSE_ADDRESSES="true") as page:
        address, process_id = page
        asyncio.run(measure(address, wire.url, process_id, titles, args))


if __name__ == "__main__":
    main()
