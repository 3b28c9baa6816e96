import pytest

from pathfinder.types import SearchRequest

QUESTION = "How do hot Jupiters form, and how do old pulsars in the Galaxy emit radio waves?"


@pytest.mark.parametrize(
    ("fields", "stage"),
    [({}, None), ({"decomposes": True}, "decomposition"), ({"depth": 1}, "recursion")],
)
def test_the_request_decides_the_search_strategy(pf, fields, stage):
    names = {stage_.name for stage_ in pf.search(SearchRequest(QUESTION, **fields)).stages}
    assert names & {"decomposition", "recursion"} == ({stage} if stage else set())
