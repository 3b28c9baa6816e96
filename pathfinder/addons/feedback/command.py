"""The operations on feedback: judgements are exported, summarised, withdrawn and deleted."""

import datetime
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, TypeAlias

import numpy as np
from pydantic import Field

from pathfinder.addons.feedback.judgements import FeedbackStore, Judgement, Target, Thumb
from pathfinder.errors import UsageError
from pathfinder.operations.operation import Declarer, Shell, declare, result_of, under
from pathfinder.retrieval.factors import MATCH
from pathfinder.settings import read_settings
from pathfinder.types.weighting import EPSILON
from pathfinder.user_data import data_folder

# The paper on Pathfinder reports a Spearman's rho of +0.33 between thumbs up and the retrieval score
# (arXiv:2408.01556).

FEWEST = 10
"""Minimum number of judged papers; with fewer, no correlation is given."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """Spearman's rank correlation of thumbs (up 1, down 0) with scores."""

    rho: float
    """In [-1, 1]; positive if liked papers have higher scores."""
    p: float
    """Probability of a correlation at least as strong if thumbs and scores were unrelated."""
    n: int
    """Number of judged papers."""


@dataclass(frozen=True, slots=True)
class Summary:
    """Statistics of all judgements."""

    thumbs: dict[str, int]
    """Number of judgements of each kind and thumb, such as "paper up"."""
    remarks: dict[str, int]
    """Number of judgements with each reason."""
    correlation: Correlation | None
    """`None` if fewer than ten papers were judged, or if they all have the same thumb or the same score."""


def summarise(judgements: Sequence[Judgement]) -> Summary:
    """Count the judgements, and correlate the thumbs for papers with their scores."""
    thumbs = Counter(f"{judgement.target} {judgement.thumb}" for judgement in judgements)
    remarks = Counter(judgement.remark.value for judgement in judgements if judgement.remark is not None)
    return Summary(dict(sorted(thumbs.items())), dict(sorted(remarks.items())), _correlation(judgements))


def _correlation(judgements: Sequence[Judgement]) -> Correlation | None:
    paper_judgements = [judgement for judgement in judgements if judgement.target is Target.PAPER]
    scores = [_score(judgement) for judgement in paper_judgements]
    thumbs = [judgement.thumb is Thumb.UP for judgement in paper_judgements]
    if len(paper_judgements) < FEWEST or len(set(thumbs)) == 1 or len(set(scores)) == 1:
        return None
    from scipy.stats import spearmanr

    rho, p = spearmanr(scores, thumbs)
    return Correlation(float(rho), float(p), len(paper_judgements))


def _score(judgement: Judgement) -> float:
    """Return the logarithm of the judged paper's score under the preset `balanced`, with the strengths used for its
    list.
    """
    (factors,) = (dict(paper.factors) for paper in judgement.listed if paper.paper_id == judgement.paper_id)
    score = np.log(EPSILON + factors[MATCH])
    for name, strength in judgement.strengths:
        if name in factors:
            score += strength * np.log(EPSILON + factors[name])
    return float(score)


# The operations.

_OF_CORPUS = "Only judgements on this corpus; `pathfinder data list` shows the ids."
_Corpora: TypeAlias = Annotated[list[str] | None, Shell("--corpus ID", _OF_CORPUS)]
_declare: Declarer = partial(declare, settings=(), opens="nothing")


def _store() -> FeedbackStore:
    return FeedbackStore(data_folder(read_settings()))


def _exported(judgements: Sequence[Judgement]) -> Iterator[str]:
    yield json.dumps(export.write(judgements), allow_nan=False, indent=1)


@_declare("feedback export", result=lambda: under("judgements", [result_of(Judgement, "code")]), lines=_exported)
def export(_: None, corpora: _Corpora = None) -> Sequence[Judgement]:
    """Print all judgements as JSON, without the codes with which readers can withdraw them."""
    return _store().judgements(corpora or ())


def _summarised(counted: Summary) -> Iterator[str]:
    yield json.dumps(summary.write(counted), allow_nan=False, indent=1)


@_declare("feedback summary", lines=_summarised)
def summary(_: None, corpora: _Corpora = None) -> Summary:
    """Count the judgements, and correlate the thumbs up and down for papers with the papers' scores, as JSON."""
    return summarise(_store().judgements(corpora or ()))


@_declare("feedback withdraw", result=lambda: under("code", str), lines=lambda _: ("withdrawn",))
def withdraw(_: None, code: Annotated[str, Shell("CODE", "Code that was shown with the judgement.")]) -> str:
    """Delete the judgement with the given code."""
    if not _store().withdraw(code):
        raise UsageError(
            f"no judgement has the code {code!r}: it may have been withdrawn, or deleted because of its age"
        )
    return code


@_declare("feedback delete", result=lambda: under("n", int), lines=lambda n: (f"{n} deleted",))
def delete(
    _: None,
    older_than: Annotated[
        int | None,
        Shell("--older-than DAYS", "Only judgements older than this number of days."),
        Field(ge=0),
    ] = None,
) -> int:
    """Delete all judgements, or only old ones."""
    if older_than is None:
        return _store().delete_all()
    return _store().forget_before(datetime.datetime.now(datetime.UTC).date() - datetime.timedelta(older_than))
