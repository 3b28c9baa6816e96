"""Verdicts of the checker on the minimal pairs."""

from functools import cache

import pytest

from pathfinder.assessment.evidence.ledger import check_text
from pathfinder.types import CheckedSentence, Source, Verdict
from tests.assessment.evidence.pairs import Pair, read_pairs

PAIRS = read_pairs()
KINDS = tuple(dict.fromkeys(pair.kind for pair in PAIRS))


@cache
def check_claim(text: str, pair: Pair) -> CheckedSentence:
    sources = [Source(str(n), "", text) for n, text in enumerate(pair.sources, start=1)]
    (sentence,) = check_text(text, sources).sentences
    return sentence


@pytest.mark.parametrize("kind", KINDS)
def test_the_two_sides_of_every_pair_get_different_verdicts(kind: str):
    same = [
        p.wrong for p in PAIRS if p.kind == kind and check_claim(p.right, p).verdict is check_claim(p.wrong, p).verdict
    ]
    assert same == []


@pytest.mark.parametrize("kind", KINDS)
def test_no_right_side_is_marked(kind: str):
    verdicts = {check_claim(pair.right, pair).verdict for pair in PAIRS if pair.kind == kind}
    assert verdicts <= {Verdict.SUPPORTED, Verdict.PARTLY}


@pytest.mark.parametrize("kind", KINDS)
def test_no_wrong_side_is_supported(kind: str):
    verdicts = {check_claim(pair.wrong, pair).verdict for pair in PAIRS if pair.kind == kind}
    assert Verdict.SUPPORTED not in verdicts


@pytest.mark.parametrize("kind", ["number", "unit", "negation", "direction"])
def test_another_number_unit_denial_or_direction_contradicts_the_source(kind: str):
    assert {check_claim(pair.wrong, pair).verdict for pair in PAIRS if pair.kind == kind} == {Verdict.CONTRADICTED}


def test_a_reason_names_both_numbers():
    pair = next(pair for pair in PAIRS if "73.0 km/s/Mpc" in pair.right)
    assert check_claim(pair.wrong, pair).reasons == ("67.4 km/s/Mpc in the text, 73.0 km/s/Mpc in the source",)
