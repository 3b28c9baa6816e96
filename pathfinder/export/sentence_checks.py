"""Writes a checked text as JSON for programs, and counts its verdicts for readers."""

from collections.abc import Mapping, Sequence

from pathfinder.export.plain_json import JsonObject, same_names, select
from pathfinder.types import CheckedSentence, Ledger, StatedValue, Verdict

_VALUE = same_names("quantity value plus minus plus_systematic minus_systematic unit limit of start end")
_EVIDENCE = {"id": "source_id", **same_names("sentence score")}


def check_record(ledger: Ledger, values: Sequence[StatedValue]) -> JsonObject:
    """Write `ledger` in the format of `pathfinder check --json`: every sentence with its verdict and evidence, the
    totals, and the `values` that the text claims, with their positions in it.

    A total is null if there is nothing to count.
    """
    sentences = [_sentence(sentence) for sentence in ledger.sentences]
    value_records = [select(value, _VALUE) for value in values]
    return {"sentences": sentences, **select(ledger, same_names("precision recall f1")), "values": value_records}


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


def _sentence(sentence: CheckedSentence) -> JsonObject:
    evidence = [select(evidence, _EVIDENCE) for evidence in sentence.evidence]
    return {**select(sentence, same_names("text citations verdict")), "evidence": evidence}
