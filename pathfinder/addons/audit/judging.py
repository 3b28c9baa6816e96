"""The verdict on each citing sentence, from the works that it cites."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathfinder.addons.audit.claims import Citing, Claim
from pathfinder.addons.audit.library import TITLE, Library
from pathfinder.addons.audit.outcome import CitingSentence, SentenceVerdict, SourceSentence
from pathfinder.assessment.evidence.claim_check import (
    EvidenceCheck,
    SentenceVectors,
    as_written,
    check_claim,
    conflicting_names,
    conflicting_numbers,
    is_year,
    missing_numbers,
    nearest,
    with_counterparts,
)
from pathfinder.assessment.evidence.parsed_sentences import ParsedSentence, ParsedSource, lacks
from pathfinder.models.ports import Embedder
from pathfinder.text.latex.display import readable
from pathfinder.types import Paper, Verdict

_VERDICTS = {
    Verdict.SUPPORTED: SentenceVerdict.SUPPORTED,
    Verdict.PARTLY: SentenceVerdict.PARTLY,
    Verdict.NOT_FOUND: SentenceVerdict.NOT_FOUND,
    Verdict.CONTRADICTED: SentenceVerdict.CONTRADICTED,
}
_WORST_FIRST = (
    SentenceVerdict.CONTRADICTED,
    SentenceVerdict.NOT_FOUND,
    SentenceVerdict.NO_SOURCE,
    SentenceVerdict.PARTLY,
    SentenceVerdict.SUPPORTED,
)
MOST_EVIDENCE = 3
FITS_BETTER = 0.6
"""Amount by which another work of the bibliography must be closer to a claim than those cited for it, for these to
count as the wrong ones; closeness is the weighted share of words and the cosine, added. On five of the papers of
benchmarks/AUDIT.md, one claim in ten exceeds it by chance, and three wrong sources in four do.
"""
SAME_WORDS = 0.6
"""Share of a claim's words from which a sentence of the source is taken to be what the claim repeats."""
SAME_MATTER = 0.25
"""Minimum share of a claim's words in a sentence of the source for a number in it to count as the right one."""
MOST_ALIKE = 5
"""Number of sentences of the source that are searched for it."""


@dataclass(frozen=True, slots=True)
class WorkVectors:
    """Unit vectors of the works of a draft, and the embedder that made them."""

    embedder: Embedder
    of: Mapping[str, NDArray[np.float32]]
    """Vectors by paper id."""

    def cosines(self, text: str) -> dict[str, float]:
        """Return the cosine of each work with a text."""
        (vector,) = self.embedder.embed([text], "document")
        return {paper_id: float(own @ vector) for paper_id, own in self.of.items()}


@dataclass(frozen=True, slots=True)
class _Finding:
    """The verdict on a claim."""

    verdict: SentenceVerdict
    reasons: tuple[str, ...]
    evidence: Sequence[SourceSentence] = ()
    is_fault: bool = False


class Judge:
    """Compares what a draft says with what the works that it cites say."""

    def __init__(
        self,
        library: Library,
        records: Mapping[str, Paper],
        sentences: SentenceVectors | None,
        works: WorkVectors | None,
    ) -> None:
        self._library = library
        self._records = records
        self._sentences = sentences
        self._works = works

    def judge(self, number: int, citing: Citing, heading: str, paragraph: int) -> CitingSentence:
        """Return the verdict on a sentence: the worst of those on its claims."""
        context = ParsedSentence(f"{citing.before} {citing.plain}").stems
        findings = [self._of_claim(claim, context) for claim in citing.claims]
        evidence = sorted((each for finding in findings for each in finding.evidence), key=lambda each: -each.score)
        return CitingSentence(
            number,
            citing.text,
            heading,
            paragraph,
            citing.keys,
            min((finding.verdict for finding in findings), key=_WORST_FIRST.index),
            any(finding.is_fault for finding in findings),
            tuple(dict.fromkeys(reason for finding in findings for reason in finding.reasons)),
            tuple(dict.fromkeys(evidence))[:MOST_EVIDENCE],
        )

    def _of_claim(self, claim: Claim, context: frozenset[str]) -> _Finding:
        papers = {self._records[key].paper_id: self._records[key] for key in claim.keys if key in self._records}
        unread = [paper.paper_id for paper in papers.values() if self._library.source_of(paper) == TITLE]
        reasons = [f"{key} is not in the corpus" for key in claim.keys if key not in self._records]
        reasons += [f"only the title of {paper_id} is here" for paper_id in unread]
        if not papers:
            return _Finding(SentenceVerdict.NO_SOURCE, tuple(reasons))
        parsed = ParsedSentence(claim.text)
        sources = [self._library.read(parsed, paper) for paper in papers.values()]
        check = check_claim(parsed, sources, (), context, self._sentences)
        verdict, evidence = _VERDICTS[check.verdict], self._evidence(check, papers)
        if verdict is SentenceVerdict.SUPPORTED:
            return _Finding(verdict, (), evidence)
        if reasons and verdict is not SentenceVerdict.CONTRADICTED:
            return _Finding(SentenceVerdict.NO_SOURCE, tuple(reasons), evidence)
        faults = [*_other_numbers(parsed, sources), *self._better(claim, parsed, papers)]
        is_fault = bool(faults) or verdict is SentenceVerdict.CONTRADICTED
        return _Finding(verdict, (*check.reasons, *faults, *reasons), evidence, is_fault)

    def _better(self, claim: Claim, parsed: ParsedSentence, cited: Mapping[str, Paper]) -> list[str]:
        """Name the work of the bibliography that is far closer to a claim than those cited for it, if there is one."""
        if self._works is None:
            return []
        closeness = {
            paper_id: cosine
            + max(self._library.closeness(parsed.stems, each) for each in self._library.passages[paper_id])
            for paper_id, cosine in self._works.cosines(claim.text).items()
        }
        best = max(closeness, key=lambda paper_id: closeness[paper_id])
        if closeness[best] - max(closeness[paper_id] for paper_id in cited) < FITS_BETTER:
            return []
        paper = self._library.passages[best][0].paper
        return [f"{best}, which is not cited here, comes much closer: “{readable(paper.title)}”"]

    def _evidence(self, check: EvidenceCheck, papers: Mapping[str, Paper]) -> list[SourceSentence]:
        found = ((papers[each.source_id], each) for each in check.evidence)
        return [
            SourceSentence(paper, each.sentence, self._library.place_of(paper, each.sentence), each.score)
            for paper, each in found
        ]


def _other_numbers(claim: ParsedSentence, sources: Sequence[ParsedSource]) -> Iterator[str]:
    """Describe the numbers in a claim that its sources lack, where a sentence about the same matter has another; where
    a sentence has nearly the same words, its numbers of any kind and its catalogue names too.
    """
    near = nearest(claim, sources)
    alike = [match for match in near[:MOST_ALIKE] if match.share >= SAME_MATTER]
    missing = missing_numbers(claim.quantities, sources)
    of_a_kind = [each for each in missing if (each.unit or each.counts) and not is_year(each)]
    for each in with_counterparts(of_a_kind, claim, alike):
        yield f"{as_written(each)} is not in the source, which has other numbers of its kind"
    if near and near[0].share >= SAME_WORDS:
        lacking = [name for name in claim.names if all(lacks(name, source.lowercase_text) for source in sources)]
        yield from conflicting_numbers(claim, missing, near[:1])
        yield from conflicting_names(claim, lacking, near[:1])
