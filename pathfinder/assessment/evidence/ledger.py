"""Every sentence of a text with the sentences of its sources: local, deterministic, no model and no network."""

from collections.abc import Mapping, Sequence

from pathfinder.assessment.evidence.judging import Judgement, judge
from pathfinder.assessment.evidence.overlap import Reading, ReadSource
from pathfinder.assessment.evidence.reading import cited_sentences
from pathfinder.assessment.evidence.sums import summed
from pathfinder.errors import UsageError
from pathfinder.types import CheckedSentence, Claim, Ledger, Paper, Source, Verdict

CITES_NOTHING = "it cites nothing"
MOST_TO_CITE = 3
"""Sources that `best_evidence` names for one sentence."""


def check_text(text: str, sources: Sequence[Source]) -> Ledger:
    """Check every sentence of `text` against the `sources` that its marks name by their ids: "... [1] ... [2, 3]."

    Raises `UsageError` for two sources of one id.
    """
    return check_sentences(cited_sentences(text, {source.source_id for source in sources}), sources)


def check_sentences(sentences: Sequence[tuple[str, tuple[str, ...]]], sources: Sequence[Source]) -> Ledger:
    """Check sentences, each with the ids that it cites, against `sources`.

    A sentence that cites nothing is judged by all of them, and does not count as recalled. An id that no source has
    bears nothing out. Raises `UsageError` for two sources of one id.
    """
    return _checked(sentences, _by_id([ReadSource(source) for source in sources]))


def ledger_of(claims: Sequence[Claim], papers: Sequence[Paper]) -> Ledger:
    """Check the claims of an answer against the titles and abstracts of the papers that it was made from.

    Their authors and years count as said by them, so that "Smith et al. (2021)" is found.
    """
    read = [ReadSource(source_of(paper), _byline(paper)) for paper in papers]
    return _checked([(claim.text, claim.citations) for claim in claims], _by_id(read))


def best_evidence(sentence: str, sources: Sequence[Source]) -> CheckedSentence:
    """What of all `sources` bears `sentence` out: it cites those that do so alone, the best three first, or none."""
    claim = Reading(sentence)
    read = _by_id([ReadSource(source) for source in sources])
    judged = [(source_id, judge(claim, [source])) for source_id, source in read.items()]
    alone = sorted((one for one in judged if one[1].is_borne_out), key=lambda one: -one[1].support)[:MOST_TO_CITE]
    cited = tuple(source_id for source_id, _ in alone)
    judgement = judge(claim, [read[source_id] for source_id in cited] or list(read.values()))
    if not cited and judgement.is_borne_out:
        # Only several sources together hold its words, and none of them says it.
        judgement = Judgement(Verdict.PARTLY, judgement.support, judgement.evidence, ("no one source says all of it",))
    return CheckedSentence(
        sentence, cited, judgement.verdict, judgement.evidence, judgement.reasons, needed=(True,) * len(cited)
    )


def source_of(paper: Paper) -> Source:
    """A paper as a source under its own id."""
    return Source(paper.paper_id, paper.title, paper.abstract)


def _byline(paper: Paper) -> str:
    return ", ".join([*paper.authors, *([str(paper.year)] if paper.year is not None else [])])


def _by_id(sources: Sequence[ReadSource]) -> dict[str, ReadSource]:
    found = {source.source.source_id: source for source in sources}
    if len(found) < len(sources):
        ids = [source.source.source_id for source in sources]
        twice = next(one for one in ids if ids.count(one) > 1)
        raise UsageError(f"two sources have the id {twice!r}: a mark must lead to one source, so give each its own id")
    return found


def _checked(sentences: Sequence[tuple[str, tuple[str, ...]]], sources: Mapping[str, ReadSource]) -> Ledger:
    claims = [Reading(text) for text, _ in sentences]
    stems = [frozenset[str](), *(claim.stems for claim in claims), frozenset[str]()]
    return summed(
        [
            _check(claim, citations, sources, before | behind)
            for claim, (_, citations), before, behind in zip(claims, sentences, stems, stems[2:], strict=False)
        ]
    )


def _check(
    claim: Reading, citations: tuple[str, ...], sources: Mapping[str, ReadSource], around: frozenset[str]
) -> CheckedSentence:
    cited = [one for one in citations if one in sources]
    unknown = tuple(f"[{one}] is not among the sources" for one in citations if one not in sources)
    others = [source for one, source in sources.items() if one not in cited] if cited else []
    asked = [sources[one] for one in cited] if citations else list(sources.values())
    judgement = judge(claim, asked, others, around)
    reasons = (*unknown, *judgement.reasons) if citations else (CITES_NOTHING, *judgement.reasons)
    needed = tuple(one in sources and _is_needed(claim, one, cited, judgement, sources) for one in citations)
    return CheckedSentence(claim.text, citations, judgement.verdict, judgement.evidence, reasons, needed=needed)


def _is_needed(
    claim: Reading, one: str, cited: Sequence[str], together: Judgement, sources: Mapping[str, ReadSource]
) -> bool:
    """Whether a citation counts for precision: the whole is borne out, and by it alone or not without it."""
    if not together.is_borne_out:
        return False
    others = [sources[other] for other in cited if other != one]
    return judge(claim, [sources[one]]).is_borne_out or not judge(claim, others).is_borne_out
