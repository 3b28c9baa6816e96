"""Turns a digest into the text and the claims of an answer."""

from collections.abc import Sequence
from dataclasses import dataclass

from pathfinder.answering.digest.digest import make_digest
from pathfinder.models.ports import Embedder
from pathfinder.types import Claim, Digest, DigestForm, Hit

NOTHING_TO_QUOTE = "Only the titles of the matching papers are available, so there is no sentence to quote."


@dataclass(frozen=True, slots=True)
class Quotation:
    """An answer that is quoted from papers: its text with [n] marks, its claims, and the digest it was made from."""

    text: str
    claims: tuple[Claim, ...]
    digest: Digest | None
    """`None` if there was no paper to quote."""


def quote(question: str, hits: Sequence[Hit], embedder: Embedder, form: DigestForm | None = None) -> Quotation:
    """Answer `question` with quotations from `hits`, which must not be empty."""
    digest = make_digest(question, hits, embedder, form)
    ranks = {hit.paper.paper_id: rank for rank, hit in enumerate(hits, start=1)}
    text = " ".join(f"{finding.sentence} [{ranks[finding.paper_id]}]" for finding in digest.findings)
    claims = tuple(Claim(finding.sentence, (finding.paper_id,)) for finding in digest.findings)
    return Quotation(text or NOTHING_TO_QUOTE, claims, digest)
