import pytest

from pathfinder.text.identifiers import bare_arxiv_id, bare_doi, identifier_key


@pytest.mark.parametrize("written", ["10.1/Ab", "https://doi.org/10.1/Ab", "http://dx.doi.org/10.1/Ab", "doi: 10.1/Ab"])
def test_a_doi_loses_its_prefix(written):
    assert bare_doi(written) == "10.1/Ab"


@pytest.mark.parametrize(
    "written", ["2408.01556", "arXiv:2408.01556", "arxiv: 2408.01556", "https://arxiv.org/abs/2408.01556"]
)
def test_an_arxiv_id_loses_its_prefix(written):
    assert bare_arxiv_id(written) == "2408.01556"


@pytest.mark.parametrize("nothing", [None, ""])
def test_no_identifier_stays_none(nothing):
    assert bare_doi(nothing) is bare_arxiv_id(nothing) is None


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("https://doi.org/10.1086/ABC", "10.1086/abc"),
        (" arXiv:2408.01556v2", "2408.01556"),
        ("10.48550/arXiv.2408.01556", "2408.01556"),
        ("https://doi.org/10.48550/arXiv.2408.01556v1", "2408.01556"),
        ("1998AJ....116.1009R", "1998aj....116.1009r"),
    ],
)
def test_spellings_of_one_identifier_have_one_key(written, key):
    assert identifier_key(written) == key
