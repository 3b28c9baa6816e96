"""Checks a capsule: finds what can be confirmed without the corpus and the models, and what cannot be checked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from pathfinder.addons.capsules.contents import Capsule
from pathfinder.answering.grounding.marks import shown_numbers
from pathfinder.corpus.as_of import corpus_as_of
from pathfinder.corpus.store import Corpus
from pathfinder.retrieval.explanation.comparison import Comparison, compare_by_id
from pathfinder.retrieval.factors import factor_settings, factors_of
from pathfinder.retrieval.weighting import weigh
from pathfinder.shelves.shelf import Shelf
from pathfinder.types import Answer, CorpusName, Ledger, Paper, SearchRequest, SearchResult, Weighting
from pathfinder.types.settings import settings_of

TOLERANCE = 1e-9
"""Largest acceptable difference between a score and the score recomputed from the candidates."""


class Outcome(StrEnum):
    """Outcome of one check."""

    HOLDS = "holds"
    FAILS = "fails"
    UNCHECKED = "cannot be checked"


@dataclass(frozen=True, slots=True)
class CapsuleCheck:
    """A check and its outcome."""

    name: str
    outcome: Outcome
    detail: str


def check(capsule: Capsule) -> tuple[CapsuleCheck, ...]:
    """Check the files, the order and the scores of the hits, the quotations and the citations of a capsule.

    The hashes reveal accidental changes; whoever changes a capsule on purpose can change them too.
    """
    return (
        _files(capsule),
        *_order(capsule),
        *([] if capsule.answer is None else _answer(capsule, capsule.answer)),
        *_parts_without_check(capsule),
    )


def check_against(capsule: Capsule, corpus: Corpus) -> tuple[CapsuleCheck, ...]:
    """Compare the papers in a capsule with those in a corpus that is open here."""
    year = capsule.result.request.as_of
    corpus = corpus if year is None or corpus.as_of else corpus_as_of(corpus, year)
    was = capsule.card.corpus
    is_same = was.version == corpus.name.version
    version = f"the capsule has {was.name}, version {was.version}; this is {corpus.name.name}, {corpus.name.version}"
    return (
        CapsuleCheck("corpus version", Outcome.HOLDS if is_same else Outcome.FAILS, version),
        _papers(capsule, corpus),
        *([] if capsule.shelf is None else [_shelf(capsule.shelf, corpus)]),
    )


def _files(capsule: Capsule) -> CapsuleCheck:
    if capsule.altered_files:
        return CapsuleCheck(
            "files", Outcome.FAILS, f"altered since the capsule was saved: {', '.join(capsule.altered_files)}"
        )
    return CapsuleCheck("files", Outcome.HOLDS, f"{len(capsule.card.files)} files are as they were when saved")


def _order(capsule: Capsule) -> Iterator[CapsuleCheck]:
    """Derive the hits again from the candidates, and compare their order and their scores."""
    result = capsule.result
    names = {factor.setting for factor in factors_of(result.request.weighting)}
    unknown_factors = [name for name, on in result.request.weighting.strengths.items() if on and name not in names]
    if unknown_factors:
        reason = f"the ranking factor {unknown_factors[0]}, which comes from a plug-in, is not installed here"
        yield CapsuleCheck("order", Outcome.UNCHECKED, reason)
        return
    again = weigh(result.candidates, result.request.weighting, result.request.top_k)
    is_equal = [hit.row for hit in again] == [hit.row for hit in result.hits]
    count = f"{len(result.hits)} hits, from {len(result.candidates)} candidates"
    yield CapsuleCheck("order", Outcome.HOLDS if is_equal else Outcome.FAILS, count)
    now = {hit.row: hit.score.final for hit in again}
    differences = [abs(now.get(hit.row, np.inf) - hit.score.final) for hit in result.hits]
    largest = max(differences, default=0.0)
    outcome = Outcome.HOLDS if largest <= TOLERANCE else Outcome.FAILS
    yield CapsuleCheck("scores", outcome, f"largest difference {largest:.1e}")


def _answer(capsule: Capsule, answer: Answer) -> Iterator[CapsuleCheck]:
    papers = {paper.paper_id: paper for paper in (*(hit.paper for hit in capsule.result.hits), *answer.sources)}
    if answer.digest is not None:
        quotations = [
            _quotation(finding.sentence, finding.start, finding.end, finding.passage, papers.get(finding.paper_id))
            for finding in answer.digest.findings
        ]
        yield _count_outcomes("quotations", quotations, "are where the answer says")
    if answer.ledger is not None:
        yield _count_outcomes("evidence", [*_evidence(answer.ledger, answer, papers)], "occur in their papers")
    yield _citations(answer)


def _quotation(sentence: str, start: int, end: int, passage: object, paper: Paper | None) -> Outcome:
    text = getattr(passage, "text", None) if passage is not None else (paper.abstract if paper else None)
    if not text:
        return Outcome.UNCHECKED
    return Outcome.HOLDS if text[start:end] == sentence else Outcome.FAILS


def _evidence(ledger: Ledger, answer: Answer, papers: Mapping[str, Paper]) -> Iterator[Outcome]:
    papers_by_number = {str(n): paper for n, paper in enumerate(answer.sources, start=1)}
    for sentence in ledger.sentences:
        for evidence in sentence.evidence:
            paper = papers_by_number.get(evidence.source_id) or papers.get(evidence.source_id)
            text = evidence.passage.text if evidence.passage else (paper.text if paper and paper.abstract else "")
            if not text:
                yield Outcome.UNCHECKED
            else:
                yield Outcome.HOLDS if _plain(evidence.sentence) in _plain(text) else Outcome.FAILS


def _plain(text: str) -> str:
    return " ".join(text.split())


def _count_outcomes(name: str, outcomes: Sequence[Outcome], words: str) -> CapsuleCheck:
    n_failed, n_unchecked = outcomes.count(Outcome.FAILS), outcomes.count(Outcome.UNCHECKED)
    detail = f"{outcomes.count(Outcome.HOLDS)} of {len(outcomes)} {words}"
    if n_unchecked:
        detail += f"; the text for {n_unchecked} is not in the capsule"
    if n_failed:
        return CapsuleCheck(name, Outcome.FAILS, detail)
    is_unchecked = bool(outcomes) and n_unchecked == len(outcomes)
    return CapsuleCheck(name, Outcome.UNCHECKED if is_unchecked else Outcome.HOLDS, detail)


def _citations(answer: Answer) -> CapsuleCheck:
    source_ids = {paper.paper_id for paper in answer.sources}
    foreign = sorted({paper_id for claim in answer.claims for paper_id in claim.citations} - source_ids)
    beyond = sorted(set(shown_numbers(answer.text, answer.quotations)) - set(range(1, len(answer.sources) + 1)))
    if foreign or beyond:
        source = foreign[0] if foreign else f"[{beyond[0]}]"
        return CapsuleCheck("citations", Outcome.FAILS, f"{source} is not among the {len(source_ids)} sources")
    return CapsuleCheck("citations", Outcome.HOLDS, f"all are among the {len(source_ids)} sources")


def _parts_without_check(capsule: Capsule) -> Iterator[CapsuleCheck]:
    if (capsule.answer is not None and capsule.answer.is_written) or capsule.consensus is not None:
        yield CapsuleCheck(
            "chat model", Outcome.UNCHECKED, "its replies are shown as they were; it is not called again"
        )
    if n := len(capsule.card.left_out):
        yield CapsuleCheck("texts", Outcome.UNCHECKED, f"{n} texts must not be shared, and are left out")
    yield CapsuleCheck(
        "candidates",
        Outcome.UNCHECKED,
        "compare the capsule with a new search to see whether a corpus still finds these papers",
    )


def _papers(capsule: Capsule, corpus: Corpus) -> CapsuleCheck:
    missing_ids, changed_ids = [], []
    hits = [hit for hit in capsule.result.hits if hit.live is None]
    rows = corpus.papers.rows_of([hit.paper.paper_id for hit in hits])
    for hit, row in zip(hits, rows.tolist(), strict=True):
        if row < 0:
            missing_ids.append(hit.paper.paper_id)
        elif hit.paper.abstract and corpus.papers[row].text != hit.paper.text:
            changed_ids.append(hit.paper.paper_id)
    if not missing_ids and not changed_ids:
        return CapsuleCheck("papers", Outcome.HOLDS, f"all {len(hits)} hits are in the corpus, with the same texts")
    parts = [
        f"{len(ids)} {word} ({ids[0]})"
        for word, ids in (("not in the corpus", missing_ids), ("changed", changed_ids))
        if ids
    ]
    return CapsuleCheck("papers", Outcome.FAILS, ", ".join(parts))


def _shelf(shelf: Shelf, corpus: Corpus) -> CapsuleCheck:
    rows = corpus.papers.rows_of(shelf.paper_ids).tolist()
    missing_ids = [paper_id for paper_id, row in zip(shelf.paper_ids, rows, strict=True) if row < 0]
    if not missing_ids:
        return CapsuleCheck("shelf", Outcome.HOLDS, f"all {len(rows)} papers on the shelf are in the corpus")
    return CapsuleCheck(
        "shelf", Outcome.FAILS, f"{len(missing_ids)} of {len(rows)} not in the corpus ({missing_ids[0]})"
    )


# Compares two runs of a question: settings, corpus, models and ranks.


@dataclass(frozen=True, slots=True)
class SettingDifference:
    """A setting or a model that differs between the two runs."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class RunComparison:
    """Differences between two runs; the first run is called "before", or stands on the left."""

    questions: tuple[str, str]
    corpora: tuple[CorpusName, CorpusName]
    settings: tuple[SettingDifference, ...]
    models: tuple[SettingDifference, ...]
    """Stages for which the two runs used different models, or only one of them used a model."""
    papers: Comparison


def compare(before: SearchResult, after: SearchResult) -> RunComparison:
    """Compare two results, from two capsules or from a capsule and a new run."""
    return RunComparison(
        (before.request.query, after.request.query),
        (before.corpus, after.corpus),
        tuple(_settings(before.request, after.request)),
        tuple(_models(before, after)),
        compare_by_id(before, after),
    )


def _settings(before: SearchRequest, after: SearchRequest) -> Iterator[SettingDifference]:
    for setting in settings_of(SearchRequest):
        yield from _difference(setting.label, getattr(before, setting.name), getattr(after, setting.name))
    for setting in settings_of(Weighting):
        pair = getattr(before.weighting, setting.name), getattr(after.weighting, setting.name)
        yield from _difference(setting.label, *pair)
    strengths = before.weighting.strengths, after.weighting.strengths
    for setting in factor_settings():
        pair = tuple(each.get(setting.name, setting.default) for each in strengths)
        yield from _difference(setting.label, *pair)


def _difference(name: str, before: object, after: object) -> Iterator[SettingDifference]:
    if before != after:
        yield SettingDifference(name, _words(before), _words(after))


def _words(value: object) -> str:
    return "none" if value is None or value == () else str(value)


def _models(before: SearchResult, after: SearchResult) -> Iterator[SettingDifference]:
    earlier = {entry.name: entry.model for entry in before.stage_status}
    later = {entry.name: entry.model for entry in after.stage_status}
    for name in {**earlier, **later}:
        yield from _difference(name, earlier.get(name), later.get(name))
