"""One answer out of the findings: written by the chat model, or the findings as they stand where it cannot."""

from collections.abc import Generator, Sequence

from pathfinder.answering.advice import DONT_KNOW
from pathfinder.answering.citations import Checked, check_citations
from pathfinder.answering.deep_research.finding import Finding, as_findings
from pathfinder.answering.material import escaped, shown
from pathfinder.answering.shelf import Shelf
from pathfinder.answering.sources import as_sources
from pathfinder.answering.spending import Spending
from pathfinder.models.ports import ChatModel
from pathfinder.prompts import render
from pathfinder.types import Paper


def stream_synthesis(
    question: str, findings: Sequence[Finding], shelf: Shelf, earlier: str, chat: ChatModel, spending: Spending
) -> Generator[str, None, Checked]:
    """Yield the words as they come; return them checked. Raises what `Spending.stream` raises, also midway."""
    prompt = render(
        "deep_synthesis",
        sources=as_sources(shelf, cited(findings, shelf)).text,
        findings=as_findings(findings, shelf),
        earlier=earlier,
        question=escaped(question),
    )
    reply = yield from shown(spending.stream(chat, render("deep_synthesis_system"), prompt), shelf)
    return check_citations(reply, shelf)


def cited(findings: Sequence[Finding], shelf: Shelf) -> tuple[Paper, ...]:
    """The papers that `findings` cite, in the order they were cited; those first that more of them cite."""
    counts: dict[str, int] = {}
    for finding in findings:
        for paper_id in dict.fromkeys(paper_id for claim in finding.claims for paper_id in claim.citations):
            counts[paper_id] = counts.get(paper_id, 0) + 1
    papers = {paper.paper_id: paper for paper in shelf.papers}
    return tuple(papers[paper_id] for paper_id in sorted(counts, key=lambda paper_id: -counts[paper_id]))


def as_they_stand(findings: Sequence[Finding]) -> Checked:
    """The findings one under another, each with its sub-question; nothing is put together that a model did not."""
    blocks = [f"{finding.question}\n{finding.text}" for finding in findings]
    text = "\n\n".join(["No synthesis was written. The findings, each under its sub-question:", *blocks])
    return Checked(text, tuple(claim for finding in findings for claim in finding.claims), ())


def nothing_found(findings: Sequence[Finding]) -> str:
    """For a research whose every sub-question came back empty."""
    asked = "\n".join(f"- {finding.question}" for finding in findings)
    return (
        f"{DONT_KNOW}: none of these sub-questions found a paper that answers it. Rephrase the question in the words "
        f"that papers on it would use, or widen the years.\n\n{asked}"
    )
