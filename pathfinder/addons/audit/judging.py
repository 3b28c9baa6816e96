"""The verdict on each citing sentence, from the works that it cites."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isclose, log10

import numpy as np
from numpy.typing import NDArray

from pathfinder.addons.audit.claims import Citing, Claim
from pathfinder.addons.audit.library import TITLE, Library
from pathfinder.addons.audit.outcome import CitingSentence, SentenceVerdict, SourceSentence
from pathfinder.answering.assessment.evidence.claim_check import (
    EvidenceCheck,
    SentenceVectors,
    as_written,
    check_claim,
    is_year,
    missing_numbers,
    nearest,
)
from pathfinder.answering.assessment.evidence.parsed_sentences import (
    ClaimName,
    ParsedSentence,
    ParsedSource,
    SentenceMatch,
    agrees,
    lacks,
    same_dimensions,
    siblings,
)
from pathfinder.models.ports import Embedder
from pathfinder.text.latex.display import readable
from pathfinder.text.quantities.written_numbers import Quantity
from pathfinder.types import Paper

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
count as the wrong ones; closeness is the weighted share of words and the cosine, added.
"""
CLOSE_ITSELF = 1.0
"""Closeness that such a work must have."""
TELLING = 6
"""Number of words that a claim must have, without stop words, for such a work to be looked for. Without these two, four
times as many of the untouched claims of benchmarks/AUDIT.md would be marked.
"""
SAME_QUANTITY = 2.25
"""Likeness from which two numbers that differ by a slip are taken to stand for the same quantity. On fifteen papers of
benchmarks/AUDIT.md, 2 finds no more of 70 numbers whose digit was changed and makes half as many false marks again; 3
finds a fifth fewer.
"""
AROUND = 65
"""Number of characters on either side of a number whose words tell what it stands for."""
_LINKS = re.compile(r"[\s_–-]+")


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
        verdict, evidence = SentenceVerdict(check.verdict), self._evidence(check, papers)
        if verdict is SentenceVerdict.SUPPORTED:
            return _Finding(verdict, (), evidence)
        if reasons and verdict is not SentenceVerdict.CONTRADICTED:
            return _Finding(SentenceVerdict.NO_SOURCE, tuple(reasons), evidence)
        faults = [*_slips(parsed, sources), *self._better(claim, parsed, papers)]
        is_fault = bool(faults) or verdict is SentenceVerdict.CONTRADICTED
        return _Finding(verdict, (*check.reasons, *faults, *reasons), evidence, is_fault)

    def _better(self, claim: Claim, parsed: ParsedSentence, cited: Mapping[str, Paper]) -> list[str]:
        """Name the work of the bibliography that is far closer to a claim than those cited for it, if there is one."""
        if self._works is None or len(parsed.stems) < TELLING:
            return []
        closeness = {
            paper_id: cosine
            + max(self._library.closeness(parsed.stems, each) for each in self._library.passages[paper_id])
            for paper_id, cosine in self._works.cosines(claim.text).items()
        }
        best = max(closeness, key=lambda paper_id: closeness[paper_id])
        of_cited = max(closeness[paper_id] for paper_id in cited)
        if closeness[best] < max(CLOSE_ITSELF, of_cited + FITS_BETTER):
            return []
        paper = self._library.passages[best][0].paper
        return [f"{best}, which is not cited here, comes much closer: “{readable(paper.title)}”"]

    def _evidence(self, check: EvidenceCheck, papers: Mapping[str, Paper]) -> list[SourceSentence]:
        found = ((papers[each.source_id], each) for each in check.evidence)
        return [
            SourceSentence(paper, each.sentence, self._library.place_of(paper, each.sentence), each.score)
            for paper, each in found
        ]


# Finds slips of the pen: numbers and names that the sources lack, but for a digit, the unit or the power of ten.


def _slips(claim: ParsedSentence, sources: Sequence[ParsedSource]) -> Iterator[str]:
    """Describe the numbers and names in a claim that the sources have with a single difference."""
    near = nearest(claim, sources)
    missing = [number for number in missing_numbers(claim.quantities, sources) if not is_year(number)]
    own = (*claim.quantities, *claim.amounts_in_words) if missing else ()
    for number in missing:
        rivals = ((match, rival) for match in near for rival in match.reading.quantities if _is_slip(number, rival))
        for match, rival in rivals:
            if _likeness(claim, number, match, rival) >= SAME_QUANTITY and not any(agrees(each, rival) for each in own):
                yield f"{as_written(number)} in the text, {as_written(rival)} in the source"
                break
    claim_text = claim.plain.lower()
    for name in claim.names:
        if sum(map(str.isdigit, name.text)) > 1 and all(lacks(name, source.lowercase_text) for source in sources):
            others = [
                each for match in near for each in siblings(name, match.reading.names) if _is_misspelt(name, each)
            ]
            if others and all(lacks(each, claim_text) for each in others):
                yield f"{name.text} in the text, {others[0].text} in the source"


def _is_misspelt(name: ClaimName, other: ClaimName) -> bool:
    return _differ_once(*(_LINKS.sub("", each.text.lower()) for each in (name, other)))


def _is_slip(number: Quantity, rival: Quantity) -> bool:
    """Return whether two numbers of a kind differ in one digit, or have the same digits: in the unit, power or sign."""
    is_only_an_error = rival.is_error is True and number.is_error is not True
    if not same_dimensions(number, rival) or is_year(rival) or is_only_an_error:
        return False
    steps = [each.step * (each.unit.size if each.unit else 1.0) for each in (number, rival)]
    digits, others = _digits(number), _digits(rival)
    return digits == others or (isclose(*steps) and _differ_once(digits, others))


def _digits(number: Quantity) -> str:
    """Return the digits of a number, with the zero before its decimal point."""
    return str(round(abs(number.value) / number.step)).zfill(1 + max(0, round(-log10(number.step))))


def _differ_once(text: str, other: str) -> bool:
    """Return whether a single character is another one, or two neighbours are exchanged."""
    places = [place for place in range(len(text)) if len(text) == len(other) and text[place] != other[place]]
    first, last = (places[0], places[-1]) if places else (0, 0)
    is_exchanged = last == first + 1 and text[first] == other[last] and text[last] == other[first]
    return len(places) == 1 or is_exchanged


def _likeness(claim: ParsedSentence, number: Quantity, match: SentenceMatch, rival: Quantity) -> float:
    """Return how much speaks for two numbers standing for the same quantity: the words around them, that they have a
    unit, the length of the number, and the words of their sentences.
    """
    n_words = len(_around(claim.plain, number) & _around(match.reading.plain, rival))
    n_digits = len(_digits(number).strip("0"))
    return n_words + (number.unit is not None) + max(0, n_digits - 1) + 2 * match.share


def _around(plain: str, number: Quantity) -> frozenset[str]:
    before, behind = plain[: number.start][-AROUND:], plain[number.end :][:AROUND]
    return frozenset(stem for stem in ParsedSentence(f"{before} {behind}").stems if not stem.isdigit())
