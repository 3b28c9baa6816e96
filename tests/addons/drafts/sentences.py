"""Papers, sentences and drafts made by hand."""

from pathfinder.addons.drafts.draft import DraftSentence, ReviewDraft, SectionText, SentenceOrigin
from pathfinder.types import CheckedSentence, Paper, Verdict

DUST = Paper(
    "dust", "Dust in dwarf galaxies", "Dust is cold. It is clumpy. Nobody knows why.", authors=("One, A.",), year=2001
)
MASERS = Paper(
    "masers", "Masers of $10 & water", "Masers are bright.", authors=("Two, B.", "Three, C."), year=1999, journal="A&A"
)
STARS = Paper("stars", "Stars", "Stars form in clouds.", year=2020)
PAPERS = {paper.paper_id: paper for paper in (DUST, MASERS, STARS)}


def sentence(
    text: str,
    *citations: str,
    origin: SentenceOrigin = SentenceOrigin.MODEL,
    verdict: Verdict = Verdict.SUPPORTED,
    begins: bool = False,
) -> DraftSentence:
    return DraftSentence(CheckedSentence(text, citations, verdict, ()), origin, begins)


def draft_of(*sentences: DraftSentence, title: str = "A review") -> ReviewDraft:
    text = SectionText("What is dust?", ("dust",), "extractive", sentences)
    return ReviewDraft(title).add("Dust", "What is dust?", ["dust"]).with_text("1", text)
