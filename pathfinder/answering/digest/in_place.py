"""Locates each line of a digest in its paper's abstract, or in a passage from the paper's full text."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from pathfinder.grounding.readings import Readings
from pathfinder.types import Digest, Finding, NamedThing, Paper, StatedValue

_Line = TypeVar("_Line", Finding, StatedValue, NamedThing)


def in_place(digest: Digest, papers: Mapping[str, Paper], readings: Readings) -> Digest:
    """Return `digest` with positions in abstracts or full-text passages, instead of positions in papers' readings.

    `papers` holds the papers of the corpus, by id.
    """
    if not readings.passages:
        return digest
    return replace(
        digest,
        findings=tuple(_finding(each, papers[each.paper_id], readings) for each in digest.findings),
        values=tuple(_place(each, papers[each.paper_id], readings) for each in digest.values),
        named=tuple(_place(each, papers[each.paper_id], readings) for each in digest.named),
    )


def _finding(finding: Finding, paper: Paper, readings: Readings) -> Finding:
    """Locate a line; a line that crosses the boundary of a passage loses its shorter part and any insertions in it."""
    finding_in_place = _place(finding, paper, readings)
    if finding_in_place.passage is None and finding_in_place.end == finding.end:
        return finding
    text = finding_in_place.passage.text if finding_in_place.passage else paper.abstract
    sentence = text[finding_in_place.start : finding_in_place.end]
    return replace(
        finding_in_place, sentence=sentence, inserted=finding.inserted if sentence == finding.sentence else ()
    )


def _place(line: _Line, paper: Paper, readings: Readings) -> _Line:
    place = readings.place(paper, line.start, line.end)
    return replace(line, start=place.start, end=place.end, passage=place.passage)
