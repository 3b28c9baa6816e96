"""Questions that name an object by its designation."""

import pytest

from pathfinder.answering.digest.quoted_papers import is_on_the_object, with_proper_names
from pathfinder.types import Paper
from tests.answering.digest.test_facts import hit
from tests.faults.watch import in_time


@pytest.mark.parametrize(
    ("question", "title", "abstract", "expected"),
    [
        ("When was GW150914 detected?", "A binary black hole", "GW150914 confirmed that such pairs exist.", True),
        ("When was GW150914 detected?", "GW151226: a second event", "It is lighter than GW150914.", False),
        ("When was GW150914 detected?", "Gravitational waves", "They are ripples.", False),
        ("What is the period of WASP-12b?", "Decay of WASP-12 b", "The orbit of WASP-12 b shrinks.", True),
        ("What is the period of WASP-12b?", "WASP-43b", "Its tides are stronger than those on WASP-12 b.", False),
        ("How far is M87?", "Jets", "The jet of M 87 is bright.", True),
        ("How far is M87?", "Jets", "The jet of M 871 is bright.", False),
        ("what lives on trappist-1e?", "TRAPPIST-1 b", "It has no air.", False),
        ("what lives on trappist-1e?", "Seven planets", "TRAPPIST-1 e is temperate.", True),
        ("what happened post-2010?", "Jets", "They are bright.", True),
        ("Why is Sagittarius A* so faint?", "Streams", "The Sagittarius stream is long.", False),
        ("why is sagittarius a* so faint", "Stars", "They circle Sgr A* quickly.", True),
        ("How hot is Cygnus A?", "Cygnus X-1", "A binary in Cygnus.", False),
        ("What powers M77?", "Tori", "NGC 1068 has one.", True),
        ("What powers M77?", "Tori", "NGC 10681 has one.", False),
        ("Is Virgo a relaxed cluster?", "Clusters", "The Virgo cluster is young.", True),
        ("What are population-2 stars?", "Stars", "Those of population II are old.", True),
        ("quasars at redshift-7", "Quasars", "One is at a redshift of 7.", True),
        ("extrasolar systems", "Planets", "They circle other stars.", True),
        ("What is H0?", "Jets", "They are bright.", True),
    ],
)
def test_a_paper_is_on_the_object_if_it_names_it_and_its_title_names_no_sibling(question, title, abstract, expected):
    assert is_on_the_object(question, Paper("a", title, abstract)) is expected


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("Has Planet Nine been seen?", ["nine"]),
        ("has planet nine been seen?", ["nine", "other"]),
        ("Planet Nine in the sky", ["nine", "other"]),
        ("What is a Red Giant?", ["nine", "other"]),
        ("What is a Black Dwarf?", ["nine", "other"]),
        ("What is the Dust Belt?", ["nine", "other"]),
        ("How large is the Milky Way?", ["nine", "other"]),
    ],
)
def test_papers_without_a_proper_name_of_the_question_are_left_out(question, left):
    hits = [
        hit("nine", "Planet Nine may exist in the Milky Way, beyond the Dust Belt."),
        hit("other", "A red giant is large. Red Giants are many. The Dust belt is thin."),
    ]
    assert [each.paper.paper_id for each in with_proper_names(question, hits)] == left


def test_a_name_that_a_question_repeats_is_looked_for_once():
    with in_time():
        assert is_on_the_object("M31, " * 200_000, Paper("a", "The halo of M31", "It is wide."))
        assert len(with_proper_names("See Planet Nine, " * 200_000, [hit("nine", "Planet Nine may exist.")])) == 1
