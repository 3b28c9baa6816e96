"""Writes a checked text as JSON for programs."""

from collections.abc import Sequence

from pathfinder.export.plain_json import JsonObject, same_names, select
from pathfinder.types import CheckedSentence, Ledger, StatedValue

_VALUE = same_names("quantity value plus minus plus_systematic minus_systematic unit limit of start end")
_EVIDENCE = {"id": "source_id", **same_names("sentence score")}


def check_record(ledger: Ledger, values: Sequence[StatedValue]) -> JsonObject:
    """Write `ledger` in the format of `pathfinder check --json`: every sentence with its verdict and evidence, the
    totals, and the `values` that the text claims, with their positions in it.

    A total is null if there is nothing to count.
    """
    sentences = [_sentence(sentence) for sentence in ledger.sentences]
    claimed = [select(value, _VALUE) for value in values]
    return {"sentences": sentences, **select(ledger, same_names("precision recall f1")), "values": claimed}


def _sentence(sentence: CheckedSentence) -> JsonObject:
    evidence = [select(evidence, _EVIDENCE) for evidence in sentence.evidence]
    return {**select(sentence, same_names("text citations verdict")), "evidence": evidence}
