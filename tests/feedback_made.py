"""A judgement, made for tests."""

import datetime

from pathfinder.addons.feedback.judgements import Judgement, ListedPaper, Remark, Target, Thumb
from pathfinder.types import CorpusName

DAY = datetime.date(2026, 11, 23)
JUDGED = Judgement(
    "code-1", DAY, CorpusName("stars", "0123456789ab", 3), "s1", Target.PAPER, Thumb.UP,
    (ListedPaper("a", (("match", 1.0), ("recency", 0.25))),), (("recency", 0.5),), "balanced",
    (("pathfinder", "0.2.0"),), paper_id="a", remark=Remark.SHOULD_BE_HIGHER,
)  # fmt: skip
