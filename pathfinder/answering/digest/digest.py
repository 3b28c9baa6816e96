"""Makes the digest of a question from its hits."""

from collections.abc import Sequence
from dataclasses import replace

from pathfinder.answering.digest.clusters import grouped, headings_of
from pathfinder.answering.digest.cues import ASKS_FOR_TODAY
from pathfinder.answering.digest.form import choose_form
from pathfinder.answering.digest.insertions import insertions_for
from pathfinder.answering.digest.lines import Line, choose_lines
from pathfinder.answering.digest.named import named_lines
from pathfinder.answering.digest.notes import notes_on
from pathfinder.answering.digest.values import value_lines
from pathfinder.index.ports import TokenSource
from pathfinder.models.ports import Embedder
from pathfinder.types import Digest, DigestForm, Finding, Hit, Paper

MAX_LINES = 8
"""Maximum number of lines before "more"."""

NOT_ANSWERED = "No sentence of the papers found answers the question well enough; these are the nearest."


def make_digest(
    question: str,
    hits: Sequence[Hit],
    embedder: Embedder,
    requested_form: DigestForm | None = None,
    further: Sequence[Paper] = (),
    tokens: TokenSource | None = None,
) -> Digest:
    """Make the digest of `question` from `hits`, which must not be empty, without a chat model.

    `further` are papers that the search ranks behind the hits; values are read from them too. `tokens` are those of the
    corpus, in which the rows of `hits` count.
    """
    choice = choose_form(question, requested_form)
    if choice.form is DigestForm.VALUES and (stated := value_lines(question, hits, further)):
        findings = tuple(_completed(finding, hits, further) for finding in stated.findings)
        return Digest(choice.form, choice.reason, findings, values=stated.values, notes=stated.notes)
    if choice.form is DigestForm.LIST and (names := named_lines(question, hits, further)):
        findings = tuple(_completed(finding, hits, further) for finding in names.findings)
        return Digest(choice.form, choice.reason, findings, named=names.named, notes=names.notes)
    lines = choose_lines(question, hits, embedder, tokens)
    is_weak = bool(lines) and not any(line.answers for line in lines)
    notes = ((NOT_ANSWERED,) if is_weak else ()) + notes_on(question, hits, [line.paper for line in lines])
    return Digest(choice.form, choice.reason, _findings(question, choice.form, lines), is_weak=is_weak, notes=notes)


def _findings(question: str, form: DigestForm, lines: Sequence[Line]) -> tuple[Finding, ...]:
    """Return the lines in the order in which they are shown."""
    if form is DigestForm.FACT:
        lines = sorted(lines, key=lambda line: -line.probability * line.token_match)
    if ASKS_FOR_TODAY.search(question):
        lines = sorted(lines, key=lambda line: -(line.paper.year or 0))
    headings = headings_of(question, lines) if form is DigestForm.FINDINGS else [None] * len(lines)
    return tuple(_finding(lines[place], headings[place]) for place in grouped(headings))


def _finding(line: Line, heading: str | None) -> Finding:
    return Finding(
        line.paper.paper_id,
        line.sentence,
        line.start,
        line.end,
        insertions_for(line.paper, line.start, line.end),
        heading,
        line.probability,
    )


def _completed(finding: Finding, hits: Sequence[Hit], further: Sequence[Paper]) -> Finding:
    """Add insertions to a finding that has none."""
    papers = {paper.paper_id: paper for paper in (*further, *(hit.paper for hit in hits))}
    inserted = insertions_for(papers[finding.paper_id], finding.start, finding.end)
    return finding if finding.inserted else replace(finding, inserted=inserted)
