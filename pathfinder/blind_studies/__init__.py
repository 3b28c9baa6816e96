"""Blind judging: readers compare answers or rankings in pairs, without knowing which system made which."""

from pathfinder.blind_studies.results import StudyResult, study_result
from pathfinder.blind_studies.store import StudyStore
from pathfinder.blind_studies.study import BlindPair, BlindStudy, Criterion, Exhibit, PairKind, Pick, Vote, vote_of

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
