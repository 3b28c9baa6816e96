"""The verdict on each citing sentence, from the works that it cites."""

from collections.abc import Mapping

from pathfinder.addons.audit.claims import Citing, Claim
from pathfinder.addons.audit.library import TITLE, Library
from pathfinder.addons.audit.outcome import CitingSentence, SentenceVerdict, SourceSentence
from pathfinder.assessment.evidence.claim_check import EvidenceCheck, SentenceVectors, check_claim
from pathfinder.assessment.evidence.parsed_sentences import ParsedSentence
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


class Judge:
    """Compares what a draft says with what the works that it cites say."""

    def __init__(self, library: Library, records: Mapping[str, Paper], vectors: SentenceVectors | None) -> None:
        self._library = library
        self._records = records
        self._vectors = vectors

    def judge(self, number: int, citing: Citing, heading: str, paragraph: int) -> CitingSentence:
        """Return the verdict on a sentence: the worst of those on its claims."""
        context = ParsedSentence(f"{citing.before} {citing.plain}").stems
        verdicts = [self._of_claim(claim, context) for claim in citing.claims]
        verdict = min((each[0] for each in verdicts), key=_WORST_FIRST.index)
        reasons = dict.fromkeys(reason for each in verdicts for reason in each[1])
        evidence = sorted((each for _, _, own in verdicts for each in own), key=lambda each: -each.score)
        return CitingSentence(
            number,
            citing.text,
            heading,
            paragraph,
            citing.keys,
            verdict,
            verdict is SentenceVerdict.CONTRADICTED,
            tuple(reasons),
            tuple(dict.fromkeys(evidence))[:MOST_EVIDENCE],
        )

    def _of_claim(
        self, claim: Claim, context: frozenset[str]
    ) -> tuple[SentenceVerdict, tuple[str, ...], list[SourceSentence]]:
        papers = {self._records[key].paper_id: self._records[key] for key in claim.keys if key in self._records}
        missing = [key for key in claim.keys if key not in self._records]
        unread = [paper for paper in papers.values() if self._library.source_of(paper) == TITLE]
        reasons = [f"{key} is not in the corpus" for key in missing]
        reasons += [f"only the title of {paper.paper_id} is here" for paper in unread]
        if not papers:
            return SentenceVerdict.NO_SOURCE, tuple(reasons), []
        parsed = ParsedSentence(claim.text)
        sources = [self._library.read(parsed, paper) for paper in papers.values()]
        check = check_claim(parsed, sources, (), context, self._vectors)
        verdict = _VERDICTS[check.verdict]
        if (missing or unread) and verdict is not SentenceVerdict.SUPPORTED:
            return SentenceVerdict.NO_SOURCE, tuple(reasons), self._evidence(check, papers)
        return verdict, check.reasons, self._evidence(check, papers)

    def _evidence(self, check: EvidenceCheck, papers: Mapping[str, Paper]) -> list[SourceSentence]:
        found = ((papers[each.source_id], each) for each in check.evidence)
        return [
            SourceSentence(paper, each.sentence, self._library.place_of(paper, each.sentence), each.score)
            for paper, each in found
        ]
