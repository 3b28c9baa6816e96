"""Writes a checked text as JSON for programs."""

from pathfinder.export.plain_json import JsonObject, same_names, select
from pathfinder.types import CheckedSentence, Ledger

_EVIDENCE = {"id": "source_id", **same_names("sentence score")}


def check_record(ledger: Ledger) -> JsonObject:
    """Write `ledger` in the format of `pathfinder check --json`: every sentence with its verdict and evidence, and the
    totals.

    A total is null if there is nothing to count.
    """
    sentences = [_sentence(sentence) for sentence in ledger.sentences]
    return {"sentences": sentences, **select(ledger, same_names("precision recall f1"))}


def _sentence(sentence: CheckedSentence) -> JsonObject:
    evidence = [select(evidence, _EVIDENCE) for evidence in sentence.evidence]
    return {**select(sentence, same_names("text citations verdict")), "evidence": evidence}
