"""Feedback: what readers think of papers and answers, and the weights that follow from it."""

from pathfinder.feedback.judgements import (
    FeedbackStore,
    Judgement,
    ListedPaper,
    Opinion,
    Remark,
    Target,
    Thumb,
    judgement_of,
)
from pathfinder.feedback.learning import Correlation, Suggestion, Summary, suggest, summarise

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
