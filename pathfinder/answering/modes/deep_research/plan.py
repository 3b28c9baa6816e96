"""Plans the sub-questions: first those of the initial plan, then those still left open by the findings so far."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from pathfinder.answering.modes.deep_research.finding import SubAnswer, as_findings
from pathfinder.answering.session.answer_session import AnswerSession
from pathfinder.grounding.material import escape
from pathfinder.grounding.sources import source_text
from pathfinder.llm.prompts import render
from pathfinder.llm.replies import parse_json, unreadable
from pathfinder.retrieval.strategies.decomposition import distinct

MOST = 5
"""Maximum number of sub-questions in the first plan."""
MOST_NEXT = 3
"""Maximum number of sub-questions in a later round."""
LONGEST = 500
"""Maximum length of a sub-question in characters; anything longer is not a question."""
RESEARCH_SHARE = 0.75
"""Share of the budget's seconds and tokens that research may use; the rest is for the synthesis."""
TEMPERATURE = 0.0
MAX_TOKENS = 600

Question = Annotated[str, Field(min_length=1, max_length=LONGEST)]


@dataclass(frozen=True, slots=True)
class ResearchPlan:
    """A chat model's reply: its thought and its sub-questions."""

    thought: str
    sub_questions: tuple[Question, ...]


def first_plan(session: AnswerSession) -> ResearchPlan:
    """Show the chat model the titles found so far, and have it ask between one and `MOST` sub-questions.

    Raises a `ProviderError` for a reply that is not in the expected form, and whatever `AnswerSession.ask` raises.
    """
    titles = "\n".join(source_text(paper.title) for paper in session.registry.papers)
    prompt = render("deep_plan", question=escape(session.question), titles=titles, earlier=session.earlier)
    plan, reply = _plan(session, "deep_plan_system", MOST, prompt)
    if not plan.sub_questions:
        raise unreadable(reply, "no sub-question", session.chat)
    return plan


def next_plan(session: AnswerSession, findings: Sequence[SubAnswer]) -> ResearchPlan:
    """Show the chat model the `findings`, and have it ask at most `MOST_NEXT` further sub-questions, possibly none.

    Raises the same errors as `first_plan`. The caller checks for repeated questions.
    """
    findings_text = as_findings(findings, session.registry)
    prompt = render("deep_next", question=escape(session.question), findings=findings_text)
    return _plan(session, "deep_next_system", MOST_NEXT, prompt)[0]


def _plan(session: AnswerSession, system: str, most: int, prompt: str) -> tuple[ResearchPlan, str]:
    """Return the plan, and the reply from which it was read."""
    instructions = render(system, most=str(most))
    settings = {"temperature": TEMPERATURE, "max_tokens": MAX_TOKENS}
    reply = session.ask(instructions, prompt, share=RESEARCH_SHARE, form=ResearchPlan, **settings)
    plan = parse_json(reply, ResearchPlan, session.chat)
    n_asked = len(plan.sub_questions)
    if n_asked > most:
        raise unreadable(reply, f"{n_asked} sub-questions, but at most {most} were requested", session.chat)
    return ResearchPlan(" ".join(plan.thought.split()), distinct(plan.sub_questions)), reply
