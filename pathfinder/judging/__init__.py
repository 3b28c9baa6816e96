"""Blind judging: readers compare answers or rankings in pairs, without knowing which system made which."""

from pathfinder.judging.results import StudyResult, study_result
from pathfinder.judging.store import StudyStore
from pathfinder.judging.study import BlindPair, BlindStudy, Criterion, Exhibit, PairKind, Pick, Vote, vote_of

__all__ = [
    "BlindPair",
    "BlindStudy",
    "Criterion",
    "Exhibit",
    "PairKind",
    "Pick",
    "StudyResult",
    "StudyStore",
    "Vote",
    "study_result",
    "vote_of",
]
