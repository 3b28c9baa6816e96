import pytest

from pathfinder.grounding.batches import AT_ONCE, key_faults, read_in_batches
from pathfinder.models.fake import ScriptedChat
from tests.answering.results import PAPERS


def test_papers_come_in_batches_in_their_order():
    papers = list(PAPERS) * 2
    sizes = [len(batch) for batch in read_in_batches(papers, lambda batch: batch, ScriptedChat([]), 4, 900)]
    assert sizes == [4, 2]
    assert AT_ONCE == 4


@pytest.mark.parametrize(
    ("keys", "faults"),
    [
        (["a", "b"], ""),
        (["b", "a"], ""),
        (["a"], "no row for b"),
        (["a", "b", "c"], "an unknown key: c"),
        (["a", "a", "b"], "more than one row for a"),
        (["a", "a"], "no row for b; more than one row for a"),
    ],
)
def test_each_key_must_occur_exactly_once(keys, faults):
    assert key_faults(keys, ["a", "b"], "row for") == faults


def test_of_many_wrong_keys_five_are_named():
    assert key_faults([], [f"k{n}" for n in range(7)], "row for") == "no row for k0, k1, k2, k3, k4 and 2 more"
