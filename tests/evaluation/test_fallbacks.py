import pytest

from pathfinder.evaluation.run import describe_fallbacks
from pathfinder.types import Stage, StageOutcome, StageStatus


def stage_statuses(name, *outcomes):
    return [StageStatus(name, None, outcome) for outcome in outcomes]


@pytest.mark.parametrize("outcome", [StageOutcome.SUBSTITUTED, StageOutcome.FAILED])
def test_a_stage_that_did_not_run_as_requested_is_named(outcome):
    lines = describe_fallbacks([Stage("s", "what ran")], stage_statuses("s", outcome), 1)
    assert lines == ("s fell back for 1 of 1 questions: what ran",)


@pytest.mark.parametrize("outcome", [StageOutcome.RAN, StageOutcome.SKIPPED])
def test_a_stage_that_ran_as_requested_is_no_fallback(outcome):
    assert describe_fallbacks([Stage("s", "not run: as it happens")], stage_statuses("s", outcome), 1) == ()


def test_all_badges_of_a_stage_count_together():
    badges = ["feedback (HTTP 429)", "feedback (HTTP 503)", "1 abstract by m", "feedback (HTTP 503)"]
    outcomes = [StageOutcome.SUBSTITUTED, StageOutcome.SUBSTITUTED, StageOutcome.RAN, StageOutcome.SUBSTITUTED]
    lines = describe_fallbacks([Stage("imagine", ran) for ran in badges], stage_statuses("imagine", *outcomes), 4)
    assert lines == ("imagine fell back for 3 of 4 questions: feedback (HTTP 503)",)
