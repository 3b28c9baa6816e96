"""Runs of standing questions, made by hand."""

import datetime
from dataclasses import replace

from pathfinder.addons.standing.question import (
    AgreementBasis,
    AgreementState,
    Contest,
    ContestKind,
    PaperStance,
    QuotedPaper,
    RankedPaper,
    StandingQuestion,
    StandingRun,
    prefix_digests,
)
from pathfinder.types import StanceLabel

NOON = datetime.datetime(2026, 1, 1, 12, tzinfo=datetime.UTC)
H0 = StandingQuestion("abc123", "H0", {"query": "How fast does it expand?", "top_k": 4}, NOON)


def day(n: int) -> datetime.datetime:
    """Noon of the nth day."""
    return NOON + datetime.timedelta(days=n)


def run_on(n: int, letters: str, corpus: str, *earlier: StandingRun, **fields: object) -> StandingRun:
    """The run on day `n`; each letter of `listed` and `corpus` is a paper, best first and in the order of the rows."""
    lengths = {len(corpus), *(run.n_papers for run in earlier)}
    digests = prefix_digests(corpus, lengths)
    papers = tuple(
        RankedPaper(each, f"Title of {each}", 2000, 1.0 - rank / 10, corpus.find(each) if each in corpus else None)
        for rank, each in enumerate(letters)
    )
    known_ids = {paper.paper_id for run in earlier for paper in run.papers if paper.row is not None}
    run = StandingRun(
        day(n),
        f"version {n}",
        len(corpus),
        digests[len(corpus)],
        papers,
        AgreementState(AgreementBasis.TENSIONS, len(letters), ()),
        absent=tuple(sorted(known_ids - set(corpus))),
        extends=tuple(run.at for run in earlier if digests.get(run.n_papers) == run.ids_digest),
    )
    return replace(run, **fields)  # type: ignore[arg-type]


def quoted_paper(paper_id: str) -> QuotedPaper:
    return QuotedPaper(paper_id, f"Title of {paper_id}", 2000, f"{paper_id} says so.", is_summary=False)


def tension(first: str, second: str) -> Contest:
    sides = (quoted_paper(first), quoted_paper(second))
    return Contest(ContestKind.VALUES, "Hubble constant", "4.9 standard deviations apart", sides)


def stances(basis: AgreementBasis, **labels: StanceLabel) -> AgreementState:
    """The state in which each paper, by its id, has a stance on one statement."""
    paper_stances = tuple(PaperStance(label, quoted_paper(paper_id)) for paper_id, label in labels.items())
    return AgreementState(basis, len(labels), (), paper_stances, "It expands.")
