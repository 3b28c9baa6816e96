"""Makes the digest of a question from its hits."""

from collections.abc import Sequence

from pathfinder.answering.digest.best_sentences import best_sentences
from pathfinder.answering.digest.form import choose_form
from pathfinder.answering.digest.named import named_lines
from pathfinder.answering.digest.values import value_lines
from pathfinder.models.ports import Embedder
from pathfinder.types import Digest, DigestForm, Finding, Hit, Paper

MAX_LINES = 8
"""Maximum number of lines before "more"."""


def make_digest(
    question: str,
    hits: Sequence[Hit],
    embedder: Embedder,
    requested_form: DigestForm | None = None,
    further: Sequence[Paper] = (),
) -> Digest:
    """Make the digest of `question` from `hits`, which must not be empty, without a chat model.

    `further` are papers that the search ranks behind the hits; values are read from them too.
    """
    choice = choose_form(question, requested_form)
    if choice.form is DigestForm.VALUES and (lines := value_lines(question, hits, further)):
        return Digest(choice.form, choice.reason, lines.findings, values=lines.values, notes=lines.notes)
    if choice.form is DigestForm.LIST and (names := named_lines(question, hits, further)):
        return Digest(choice.form, choice.reason, names.findings, named=names.named, notes=names.notes)
    findings = []
    for sentence in best_sentences(question, hits, embedder):
        start = sentence.paper.abstract.index(sentence.text)
        findings.append(Finding(sentence.paper.paper_id, sentence.text, start, start + len(sentence.text)))
    return Digest(choice.form, choice.reason, tuple(findings))
