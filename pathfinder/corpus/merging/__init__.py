"""Keeps one record of every paper: records of the same paper from several sources are recognised and merged."""

from pathfinder.corpus.merging.identifiers import identifier_keys
from pathfinder.corpus.merging.rule import Match, MatchKind, merged_record, same_paper

__all__ = [
    "Match",
    "MatchKind",
    "identifier_keys",
    "merged_record",
    "same_paper",
]
