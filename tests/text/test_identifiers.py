import html
from urllib.parse import quote

import pytest

from pathfinder.text.identifiers import (
    arxiv_id_in,
    arxiv_id_of_doi,
    bare_arxiv_id,
    bare_doi,
    dois_in,
    identifier_key,
    identifiers_in,
    pmid_in,
)

SICI = "10.1002/(SICI)1097-0258(19980815)17:15<1661::AID-SIM968>3.0.CO;2-2"


@pytest.mark.parametrize(
    ("written", "dois"),
    [
        *(
            (form.format("10.5555/Ab.1"), ["10.5555/Ab.1"])
            for form in (
                *(
                    "{}",
                    "{}.",
                    "{},",
                    "({})",
                    "<{}>",
                    "[{}]",
                    "DOI {}",
                    "doi:{}",
                    "DOI: {}.",
                    "doi = {}",
                    "DOI{}",
                    "info:doi/{}",
                ),
                *(
                    "http://dx.doi.org/{}",
                    "HTTPS://WWW.DOI.ORG/{}",
                    "doi.org/{}",
                    "doi:https://doi.org/{}",
                    "https://doi.org/{}/",
                ),
                *("https://doi-org.proxy.example.edu/{}", "http://doi.org.ezproxy.example.edu:2048/{}"),
                *("https://example.edu/login?url=https://doi.org/{}", "https://example.org/doi/abs/{}?code=x&y=z"),
                *(
                    "https://example.org/article/{}/meta",
                    "https://example.org/doi/full/{}#s2",
                    "https://example.org/pdf/{}.pdf",
                ),
                *(
                    "https://example.org/content/{}v1.full.pdf",
                    "https://example.org/a?id={}&type=printable",
                    "\u200b{}",
                ),
            )
        ),
        *(
            (f"https://example.org/{address}", ["10.5555/mnr/ab1"])
            for address in (
                "mnr/article/doi/10.5555/mnr/ab1/5548773",
                "mnr/article-pdf/doi/10.5555/mnr/ab1/29/ab1.pdf",
                "mnr/advance-article-abstract/doi/10.5555/mnr/ab1/31680000/ab1.pdf?x=1",
                "a/article/doi/10.5555/mnr/ab1/500000/Title-of-a-paper",
                "doi/10.5555/mnr/ab1/files/a.pdf",
                "doi/suppl/10.5555/mnr/ab1/suppl_file/a_si_001.pdf",
                "article/10.5555/mnr/ab1/fulltext/36203.text.html",
                "works/10.5555/mnr/ab1/transform/application/x-bibtex",
                "view/10.5555/mnr/ab1.xml",
            )
        ),
        ("https://example.org/article/doi/10.5555/232.2.431", ["10.5555/232.2.431"]),
        *(
            (f"https://example.org/content/10.5555/2020.01.01.100000v2{end}", ["10.5555/2020.01.01.100000"])
            for end in ("", ".supplementary-material", ".full.pdf+html")
        ),
        *((made, [made]) for made in ("10.5555/rs-123/v1", "10.5555/a.123456.v1", "10.5555/ab/5548773")),
        ("https://example.org/article/10.5555/rs-123456/v1", ["10.5555/rs-123456/v1"]),
        ("https://doi.org/10.5555/files/100000v2", ["10.5555/files/100000v2"]),
        ("https://doi.org/10.5555%2FAb.1", ["10.5555/Ab.1"]),
        ("https://example.org/x?eid=1&doi=10.5555%2fAb.1&id=2", ["10.5555/Ab.1"]),
        ("10.5555 / Ab.1", ["10.5555/Ab.1"]),
        ("10.5555/ab–1", ["10.5555/ab-1"]),
        ("10.5555/a(1)", ["10.5555/a(1)"]),
        ("10.1/Ab", ["10.1/Ab"]),
        *((f"10.5555/a{between}10.5555/B", ["10.5555/a", "10.5555/B"]) for between in (" ", "; ", ",", "|", " and ")),
        ("10.5555/a 10.5555/A", ["10.5555/a"]),
        *((form, [SICI]) for form in (SICI, f"https://doi.org/{quote(SICI)}", quote(SICI, safe=""), html.escape(SICI))),
        (f"{SICI}, {SICI[:-1]}#", [SICI, f"{SICI[:-1]}#"]),
        *((none, []) for none in ("N/A", "unavailable", "10.5555", "1234", "hdl:10/12", "", None)),
    ],
)
def test_a_doi_is_read_from_whatever_stands_around_it(written, dois):
    assert list(dois_in(written)) == dois
    assert bare_doi(written) == next(iter(dois), None)


@pytest.mark.parametrize(
    ("text", "pmid"),
    [
        ("PMID: 123", "123"),
        ("https://pubmed.ncbi.nlm.nih.gov/123/", "123"),
        ("http://www.ncbi.nlm.nih.gov/pubmed/123", "123"),
        ("123", None),
        (None, None),
    ],
)
def test_a_pubmed_id_is_read_where_it_is_marked(text, pmid):
    assert pmid_in(text) == pmid


@pytest.mark.parametrize(
    "address",
    [
        *("https://arxiv-org.proxy.example.edu/abs/2408.01556v2", "http://arxiv.org.proxy.example.edu/pdf/2408.01556"),
        *("https://www.alphaxiv.org/abs/2408.01556", "https://arxiv.org/pdf/2408.01556v1.pdf"),
    ],
)
def test_an_arxiv_id_is_read_through_a_proxy(address):
    assert arxiv_id_in(address, is_marked=True) == "2408.01556"


@pytest.mark.parametrize(
    "written", ["2408.01556", "arXiv:2408.01556", "arxiv: 2408.01556", "https://arxiv.org/abs/2408.01556"]
)
def test_an_arxiv_id_loses_its_prefix(written):
    assert bare_arxiv_id(written) == "2408.01556"


@pytest.mark.parametrize(
    ("doi", "arxiv_id"),
    [
        ("10.48550/arXiv.2408.01556", "2408.01556"),
        ("https://doi.org/10.48550/ARXIV.cmp-lg/9409001v2", "cmp-lg/9409001"),
        ("10.48550/arXiv.draft", None),
        ("10.1086/300499", None),
    ],
)
def test_a_doi_made_by_arxiv_has_its_arxiv_id(doi, arxiv_id):
    assert arxiv_id_of_doi(doi) == arxiv_id


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


@pytest.mark.parametrize(
    ("text", "kind", "key"),
    [
        ("2605.19850", "arXiv id", "2605.19850"),
        ("arXiv:2605.19850v2", "arXiv id", "2605.19850"),
        ("https://arxiv.org/pdf/2605.19850v1.pdf", "arXiv id", "2605.19850"),
        ("http://www.arxiv.org/abs/astro-ph/9805201", "arXiv id", "astro-ph/9805201"),
        ("astro-ph.CO/0703123v1", "arXiv id", "astro-ph/0703123"),
        ("https://doi.org/10.48550/arXiv.2605.19850", "arXiv id", "2605.19850"),
        ("10.1016/S0370-2693(02)03137-3", "DOI", "10.1016/s0370-2693(02)03137-3"),
        ("https://iopscience.iop.org/article/10.3847/1538-4357/ac5c5b", "DOI", "10.3847/1538-4357/ac5c5b"),
        ("2022ApJ...934L...7R", "bibcode", "2022apj...934l...7r"),
        ("https://ui.adsabs.harvard.edu/abs/2018A%26A...616A...1G/abstract", "bibcode", "2018a&a...616a...1g"),
    ],
)
def test_every_form_of_an_identifier_is_read_from_its_first_to_its_last_character(text, kind, key):
    (identifier,) = identifiers_in(text)
    assert (identifier.kind, identifier.key) == (kind, key)
    assert text[identifier.start : identifier.end] == text


def test_an_identifier_right_behind_a_doi_is_another():
    text = "ApJ 934 L7, doi:10.3847/2041-8213/ac5c5b,arXiv:2112.04510;https://doi.org/10.1086/1"
    assert [each.text for each in identifiers_in(text)] == ["10.3847/2041-8213/ac5c5b", "2112.04510", "10.1086/1"]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("what followed 1105.3470?", "1105.3470"),
        ("(see doi:10.3847/1538-4357/ac5c5b).", "doi:10.3847/1538-4357/ac5c5b"),
        ("who cites 1998AJ....116.1009R?", "1998AJ....116.1009R"),
        ("https://arxiv.org/abs/2605.19850.", "https://arxiv.org/abs/2605.19850"),
    ],
)
def test_the_sentence_around_an_identifier_is_no_part_of_it(text, written):
    (identifier,) = identifiers_in(text)
    assert text[identifier.start : identifier.end] == written


@pytest.mark.parametrize(
    "text",
    ["a line at 1215.6701 A", "the thing 2010.1234-2", "a share of 0912.5150%", "NGC 1068 since 2015", "PKS 2155-304"],
)
def test_other_numbers_are_no_identifiers(text):
    assert identifiers_in(text) == ()


def test_only_a_bare_number_may_be_something_else():
    bare, marked = identifiers_in("compare 2605.19850 with arXiv:2408.01556")
    assert (bare.is_marked, marked.is_marked) == (False, True)


@pytest.mark.parametrize("before", ["(" * 5000, "中" * 5000, "a " * 2500, "10.1234/" * 100 + " "])
def test_an_identifier_in_a_long_run_is_found(before):
    doi = "10.1234/" + "a1-" * 80
    found = identifiers_in(f"{before}doi:{doi}b")
    assert f"{doi}b" in [identifier.text for identifier in found]
