"""Counts the verdicts on a checked text for readers."""

from collections.abc import Mapping

from pathfinder.types import Ledger, Verdict


def verdict_counts(ledger: Ledger) -> Mapping[Verdict, str]:
    """Say in words how many sentences have each verdict, such as "2 supported (1 cites nothing)": a sentence without a
    citation is judged against all sources, and must not look as if it cited one.
    """
    counts = {}
    for verdict in Verdict:
        sentences = [sentence for sentence in ledger.sentences if sentence.verdict is verdict]
        n_uncited = sum(not sentence.citations for sentence in sentences)
        without_citation = f" ({n_uncited} {'cites' if n_uncited == 1 else 'cite'} nothing)" if n_uncited else ""
        if sentences:
            counts[verdict] = f"{len(sentences)} {verdict.value}{without_citation}"
    return counts
