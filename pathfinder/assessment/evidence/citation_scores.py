"""Citation precision, recall and F1 of a checked text.

Defined as in ScholarQABench (arXiv:2411.14199, after ALCE, arXiv:2305.14627): recall is the share of sentences that are
supported by all their citations together, precision is the share of citations that are needed, and F1 is their harmonic
mean. Here the local checker judges instead of an entailment model, and every citation of a sentence counts, not just
three.
"""

from collections.abc import Sequence

from pathfinder.types import CheckedSentence, Ledger, Verdict


def ledger_from(sentences: Sequence[CheckedSentence], notes: tuple[str, ...] = ()) -> Ledger:
    """Return the ledger of `sentences`; sentences without a citation do not count towards recall."""
    needed = [is_needed for sentence in sentences for is_needed in sentence.needed]
    recalled = [bool(s.citations) and s.verdict is Verdict.SUPPORTED for s in sentences]
    precision = sum(needed) / len(needed) if needed else None
    recall = sum(recalled) / len(recalled) if recalled else None
    return Ledger(tuple(sentences), precision, recall, _harmonic(precision, recall), notes)


def _harmonic(precision: float | None, recall: float | None) -> float | None:
    if precision is None or recall is None:
        return None
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
