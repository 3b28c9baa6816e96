"""The pairs themselves: there are as many as there should be, and an embedder finds them nearly the same."""

from collections import Counter

import pytest

from pathfinder.models.minilm import MiniLM
from tests.assessment.evidence.pairs import Pair, read_pairs

KINDS = ("number", "unit", "negation", "direction", "name", "citation")
PAIRS = read_pairs()


def test_there_are_twenty_pairs_of_each_kind():
    assert Counter(pair.kind for pair in PAIRS) == dict.fromkeys(KINDS, 20)


def test_a_pair_of_citations_has_two_sources_and_every_other_has_one():
    assert {(pair.kind == "citation", len(pair.sources)) for pair in PAIRS} == {(True, 2), (False, 1)}


def test_no_pair_is_there_twice_and_none_has_two_equal_sides():
    assert len({pair.right for pair in PAIRS}) == len(PAIRS)
    assert [pair for pair in PAIRS if pair.right == pair.wrong] == []


@pytest.fixture(scope="module")
def cosines() -> dict[Pair, float]:
    embedder = MiniLM()
    right = embedder.embed([pair.right for pair in PAIRS], "document")
    wrong = embedder.embed([pair.wrong for pair in PAIRS], "document")
    return dict(zip(PAIRS, (right * wrong).sum(axis=1).tolist(), strict=True))


@pytest.mark.parametrize("kind", KINDS)
def test_the_two_sides_of_a_pair_are_nearly_the_same_to_the_embedder(kind: str, cosines: dict[Pair, float]):
    assert [pair.wrong for pair in PAIRS if pair.kind == kind and cosines[pair] <= 0.95] == []
