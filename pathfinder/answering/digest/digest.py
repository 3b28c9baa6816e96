"""Makes the digest of a question from its hits."""

from collections.abc import Sequence

from pathfinder.answering.digest.best_sentences import best_sentences
from pathfinder.answering.digest.form import choose_form
from pathfinder.models.ports import Embedder
from pathfinder.types import Digest, DigestForm, Finding, Hit

MAX_LINES = 8
"""Maximum number of lines before "more"."""


def make_digest(
    question: str, hits: Sequence[Hit], embedder: Embedder, requested_form: DigestForm | None = None
) -> Digest:
    """Make the digest of `question` from `hits`, which must not be empty, without a chat model."""
    choice = choose_form(question, requested_form)
    findings = []
    for sentence in best_sentences(question, hits, embedder):
        start = sentence.paper.abstract.index(sentence.text)
        findings.append(Finding(sentence.paper.paper_id, sentence.text, start, start + len(sentence.text)))
    return Digest(choice.form, choice.reason, tuple(findings))
