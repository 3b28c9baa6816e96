"""Questions that name an object by its designation."""

import pytest

from pathfinder.answering.digest.quoted_papers import is_on_the_object
from pathfinder.types import Paper


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
        ("What is H0?", "Jets", "They are bright.", True),
    ],
)
def test_a_paper_is_on_the_object_if_it_names_it_and_its_title_names_no_sibling(question, title, abstract, expected):
    assert is_on_the_object(question, Paper("a", title, abstract)) is expected
