"""Feedback: what readers think of papers and answers, and the weights that follow from it."""

from pathfinder.feedback.judgements import Judgement, ListedPaper, Opinion, Remark, Target, Thumb, judgement_of
from pathfinder.feedback.learning import Suggestion, suggest
from pathfinder.feedback.store import FeedbackStore
from pathfinder.feedback.summary import Correlation, Summary, summarise

__all__ = [
    "Correlation",
    "FeedbackStore",
    "Judgement",
    "ListedPaper",
    "Opinion",
    "Remark",
    "Suggestion",
    "Summary",
    "Target",
    "Thumb",
    "judgement_of",
    "suggest",
    "summarise",
]
