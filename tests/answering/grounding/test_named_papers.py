import pytest

from pathfinder.answering.grounding.citations import papers_without_source
from pathfinder.types import Paper

PAPERS = (
    Paper(
        "rate",
        "A rate",
        "As Müller et al. (2015) say, Euclid maps it.",
        authors=("Riess, Adam G.", "van den Bosch, F."),
        year=2019,
        arxiv_id="1903.07603",
        doi="10.1000/Rate.1",
    ),
    Paper("planck", "Parameters", "x", authors=("Planck Collaboration",), year=2020),
)


@pytest.mark.parametrize(
    "text",
    [
        "Smith et al. (2015)",
        "Smith et al. 2015",
        "Smith et al., 2015",
        "Riess et al. (2012)",
        "Ñandú & Lee (2011)",
        "O'Brien and Smith, 2010",
        "Smith (2015)",
        "Fermi Collaboration (2020)",
        "arXiv:2001.00001",
        "10.1000/other",
    ],
)
def test_a_paper_that_no_source_bears_out_is_found(text):
    (mention,) = papers_without_source(f"So it is, {text}, they say.", PAPERS)
    assert mention.text == text
    assert f"So it is, {text}, they say."[: mention.end].endswith(text)


def test_each_of_several_in_brackets_is_looked_at():
    mentions = papers_without_source("So it is (Riess et al. 2019; Smith & Lee 2020; Jones, 2021).", PAPERS)
    assert [mention.text for mention in mentions] == ["Smith & Lee 2020", "Jones, 2021"]


@pytest.mark.parametrize(
    "text",
    [
        "Riess et al. (2019)",
        "Riess et al. 2018",
        "Bosch (2019)",
        "Muller et al. (2015)",
        "Planck Collaboration et al. 2018",
        "Planck (2020)",
        "arXiv:1903.07603",
        "10.1000/rate.1",
    ],
)
def test_a_paper_among_the_sources_or_named_by_one_is_borne_out(text):
    assert papers_without_source(f"So it is ({text}).", PAPERS) == ()


@pytest.mark.parametrize(
    "text",
    [
        "In June (2015) we",
        "a cluster (Abell 1689) with",
        "JWST (2021)",
        "Euclid (2023)",
        "In 2015, Smith et al. find",
        "Hubble and Spitzer 2003",
        "z = 2015",
    ],
)
def test_a_year_beside_a_name_is_not_always_a_paper(text):
    assert papers_without_source(text, PAPERS) == ()


@pytest.mark.parametrize("name", ["Wolf", "Kepler", "Gliese", "Messier"])
def test_an_author_who_shares_a_name_with_a_catalogue_is_an_author_before_a_year_in_brackets(name):
    assert [each.text for each in papers_without_source(f"{name} (2015) measured it.", PAPERS)] == [f"{name} (2015)"]


def test_absurd_text_is_no_error():
    papers_without_source("Aa et al. (" * 3000 + "10.1000/" * 3000 + "Aa & " * 3000, PAPERS)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("See https://arxiv.org/abs/2408.01556 for it.", "https://arxiv.org/abs/2408.01556"),
        ("See arXiv:hep-th.CO/9901001.", "arXiv:hep-th.CO/9901001"),
        ("See 10.1016/S0370-2693(98)99999-9.", "10.1016/S0370-2693(98)99999-9"),
    ],
)
def test_an_identifier_is_unsourced_in_whatever_form_it_is_written(text, name):
    source = Paper("own", "A title", "A text.", doi="10.1016/S0370-2693(98)00466-3", arxiv_id="astro-ph/9805201")
    assert [each.text for each in papers_without_source(text, [source])] == [name]
    assert papers_without_source("10.1016/S0370-2693(98)00466-3 and arXiv:astro-ph/9805201v2", [source]) == ()
