"""Writes the consensus of papers as JSON for programs; a null level means that there is too little evidence."""

from pathfinder.export.plain_json import JsonObject, as_json, same_names, select
from pathfinder.types import Consensus, ConsensusHistory

_STANCE = {
    **same_names("paper_id title year"),
    "stance": "label",
    "quote": "quote",
    "quote_found": "is_quote_found",
    "counted": "is_counted",
    "passage": "passage",
}
_QUESTION, _SOURCE = same_names("question statement"), same_names("model as_of notes")
_LEVEL = same_names("level score interval model_level explanation relevance")
_CHANGE = same_names("changed_in reason before after p_value")
_YEAR = {
    "year": "year",
    "supports": "n_supports",
    "refutes": "n_refutes",
    "mixed": "n_mixed",
    **same_names("score level"),
}


def consensus_record(consensus: Consensus) -> JsonObject:
    """Write a consensus: the statement, its level and interval, the model's own level, stances and sensitivity."""
    return {
        **select(consensus, _QUESTION | _LEVEL),
        "stances": [select(stance, _STANCE) for stance in consensus.stances],
        "sensitivity": as_json(consensus.sensitivity),
        **select(consensus, _SOURCE),
    }


def history_record(history: ConsensusHistory) -> JsonObject:
    """Write the history of the consensus: the year in which it changed, the counts for every year, and the stances."""
    return {
        **select(history, _QUESTION | _CHANGE),
        "years": [select(year, _YEAR) for year in history.years],
        "stances": [select(stance, _STANCE) for stance in history.stances],
        **select(history, _SOURCE),
    }
