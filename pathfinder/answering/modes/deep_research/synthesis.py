"""Combines the findings into one answer written by the chat model, or lists them if the model cannot."""

from collections.abc import Generator, Sequence

from pathfinder.answering.modes.deep_research.finding import SubAnswer, as_findings
from pathfinder.answering.session.advice import DONT_KNOW
from pathfinder.answering.session.answer_session import AnswerSession
from pathfinder.grounding.citations import CheckedReply, check_citations
from pathfinder.grounding.material import escaped
from pathfinder.grounding.registry import CitationRegistry
from pathfinder.llm.prompts import render
from pathfinder.types import Paper, TextDelta


def stream_synthesis(session: AnswerSession, findings: Sequence[SubAnswer]) -> Generator[TextDelta, None, CheckedReply]:
    """Yield the synthesis as it arrives; return it with its citations checked.

    Raises whatever `AnswerSession.write` raises, possibly midway.
    """
    registry = session.registry
    prompt = render(
        "deep_synthesis",
        sources=session.sources(cited(findings, registry)).text,
        findings=as_findings(findings, registry),
        earlier=session.earlier,
        question=escaped(session.question),
    )
    reply = yield from session.write(render("deep_synthesis_system"), prompt)
    return check_citations(reply, registry)


def cited(findings: Sequence[SubAnswer], registry: CitationRegistry) -> tuple[Paper, ...]:
    """Return the papers that `findings` cite: those cited most first, otherwise in order of citation."""
    counts: dict[str, int] = {}
    for finding in findings:
        for paper_id in dict.fromkeys(paper_id for claim in finding.claims for paper_id in claim.citations):
            counts[paper_id] = counts.get(paper_id, 0) + 1
    papers = {paper.paper_id: paper for paper in registry.papers}
    return tuple(papers[paper_id] for paper_id in sorted(counts, key=lambda paper_id: -counts[paper_id]))


def as_they_stand(findings: Sequence[SubAnswer]) -> CheckedReply:
    """List the findings, each under its sub-question; without a model, they are not combined."""
    blocks = [f"{finding.question}\n{finding.text}" for finding in findings]
    text = "\n\n".join(["No synthesis was written. The findings, each under its sub-question:", *blocks])
    return CheckedReply(text, tuple(claim for finding in findings for claim in finding.claims), ())


def nothing_found(findings: Sequence[SubAnswer]) -> str:
    """Write the reply for research that found nothing on any sub-question."""
    sub_questions = "\n".join(f"- {finding.question}" for finding in findings)
    return (
        f"{DONT_KNOW}: no papers were found that answer any of these sub-questions. Rephrase the question in the words "
        f"that papers on the subject would use, or widen the range of years.\n\n{sub_questions}"
    )
