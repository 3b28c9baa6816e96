"""The topics that one click leaves out."""

from types import SimpleNamespace

from pathfinder.profile import astronomy
from pathfinder.types import Paper
from pathfinder.ui.settings.steering import topics


def test_check_tags_units_and_nouns_of_the_whole_field_are_no_topics():
    general = ("Humans", "Middle Aged", "weeks", "astronomy", "gout")
    papers = [Paper(str(n), "T", "A.", subjects=general if n < 2 else ()) for n in range(4)]
    result = SimpleNamespace(hits=[SimpleNamespace(paper=paper) for paper in papers], expansions=(), question="Why?")
    assert topics(result, astronomy()) == ["gout"]
