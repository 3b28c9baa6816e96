"""Which sub-questions are researched: a first plan, and what the findings so far leave to be asked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from pathfinder.answering.deep_research.finding import Finding, as_findings
from pathfinder.answering.material import escaped
from pathfinder.answering.shelf import Shelf
from pathfinder.answering.sources import quoted
from pathfinder.answering.spending import Spending
from pathfinder.models.ports import ChatModel
from pathfinder.prompts import render
from pathfinder.retrieval.replies import parse_json, unreadable
from pathfinder.retrieval.strategies.decomposition import distinct
from pathfinder.types import Paper

MOST = 5
"""Sub-questions of a plan."""
MOST_NEXT = 3
"""Of a later round."""
LONGEST = 500
"""Characters of a sub-question: a longer one is no question."""
RESEARCH_SHARE = 0.75
"""Of the seconds and tokens; the rest is the synthesis's."""
TEMPERATURE = 0.0
MAX_TOKENS = 600

Question = Annotated[str, Field(min_length=1, max_length=LONGEST)]


@dataclass(frozen=True, slots=True)
class Plan:
    """A chat model's reply."""

    thought: str
    sub_questions: tuple[Question, ...]


def first_plan(question: str, papers: Sequence[Paper], earlier: str, chat: ChatModel, spending: Spending) -> Plan:
    """One to `MOST` sub-questions, by a model that sees the titles of `papers`, which a first search found.

    Raises a `ProviderError` for a reply in another form, and what `Spending.stream` raises.
    """
    titles = "\n".join(quoted(paper.title) for paper in papers)
    prompt = render("deep_plan", question=escaped(question), titles=titles, earlier=earlier)
    plan = _asked("deep_plan_system", MOST, prompt, chat, spending)
    if not plan.sub_questions:
        raise unreadable(str(plan), "no sub-question", chat.name)
    return plan


def next_plan(question: str, findings: Sequence[Finding], shelf: Shelf, chat: ChatModel, spending: Spending) -> Plan:
    """At most `MOST_NEXT` sub-questions after `findings`, none where there is enough. Raises like the first.

    Whether one was asked before is for the caller to see.
    """
    prompt = render("deep_next", question=escaped(question), findings=as_findings(findings, shelf))
    return _asked("deep_next_system", MOST_NEXT, prompt, chat, spending)


def _asked(system: str, most: int, prompt: str, chat: ChatModel, spending: Spending) -> Plan:
    reply = spending.ask(
        chat,
        render(system, most=str(most)),
        prompt,
        share=RESEARCH_SHARE,
        temperature=TEMPERATURE,
        max_tokens=MAX_TOKENS,
    )
    plan = parse_json(reply, Plan, chat.name)
    if len(plan.sub_questions) > most:
        raise unreadable(reply, f"{len(plan.sub_questions)} sub-questions, at most {most} were asked for", chat.name)
    return Plan(" ".join(plan.thought.split()), distinct(plan.sub_questions))
