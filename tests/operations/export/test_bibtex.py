from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pathfinder.operations.export.bibtex import bibtex
from pathfinder.text.latex.display import inert_tex
from pathfinder.types import Paper, Provenance

BARE = Paper("x", "Dust in spirals", "We measure dust.")


def keys_of(*papers):
    return [line.partition("{")[2].rstrip(",") for line in bibtex(papers).splitlines() if line.startswith("@")]


def test_an_entry_with_everything_known():
    paper = Paper(
        "p", "Dust & gas in $z\\sim2$ spirals", "b", authors=("One, Ana", "King, M. L., Jr", "Planck Collaboration"),
        n_authors=40, year=2020, journal="A&A", categories=("astro-ph.GA",), bibcode="2020A&A...641A...6P",
        arxiv_id="2001.00001", doi="10.1051/0004-6361/1",
    )  # fmt: skip
    assert bibtex([paper]) == (
        "@article{2020A&A...641A...6P,\n"
        "  author = {{One}, Ana and {King}, Jr, M. L. and {Planck Collaboration} and others},\n"
        "  title = {{Dust \\& gas in $z\\sim2$ spirals}},\n"
        "  journal = {A\\&A},\n"
        "  year = {2020},\n"
        "  volume = {641},\n"
        "  pages = {A6},\n"
        "  doi = {10.1051/0004-6361/1},\n"
        "  eprint = {2001.00001},\n"
        "  archivePrefix = {arXiv},\n"
        "  primaryClass = {astro-ph.GA},\n"
        "  adsurl = {https://ui.adsabs.harvard.edu/abs/2020A%26A...641A...6P/abstract},\n"
        "  abstract = {b}\n"
        "}\n"
    )


def test_what_is_not_known_is_not_there():
    assert bibtex([replace(BARE, abstract="")]) == "@misc{dust,\n  title = {{Dust in spirals}}\n}\n"


def test_a_paper_of_a_live_source_says_so_and_an_abstract_that_is_left_out_says_why():
    paper = replace(BARE, status="withdrawn", provenance=(Provenance("ads", "1"),))
    entry = bibtex([paper], {"x": "openalex, arxiv"})
    assert "  note = {Withdrawn; found live in openalex, arxiv, not in the corpus},\n" in entry
    assert "  annote = {abstract left out: ads states no licence for it}\n" in entry
    assert "abstract = " not in entry
    assert "summary by somebody" not in bibtex([replace(BARE, abstract="A summary by somebody.", is_summary=True)])


def test_no_papers_are_no_text():
    assert bibtex([]) == ""


@pytest.mark.parametrize(
    ("fields", "key"),
    [
        (
            {"authors": ("Adam G. Riess",), "year": 1998, "title": "On the Observational Evidence"},
            "riess1998observational",
        ),
        ({"authors": ("Bal\\'azs, C.",), "year": 2007}, "balazs2007dust"),
        ({"authors": ("van der Marel, R.",)}, "vandermareldust"),
        ({"title": "$\\alpha$ Centauri"}, "centauri"),
        ({"title": "Über das"}, "uber"),
        ({"title": "星"}, "untitled"),
        ({"bibcode": "not a bibcode", "year": 2001}, "2001dust"),
        ({"bibcode": "1998AJ....116.1009R"}, "1998AJ....116.1009R"),
    ],
)
def test_a_key_is_the_bibcode_or_author_year_word(fields, key):
    assert keys_of(replace(BARE, **fields)) == [key]


def test_keys_are_unique_whatever_their_case():
    same = [replace(BARE, year=2001), replace(BARE, year=2001), replace(BARE, title="2001 dust", year=None)]
    papers_with_bibcode = [replace(BARE, bibcode="1998AJ....116.1009R"), replace(BARE, bibcode="1998aj....116.1009r")]
    assert keys_of(*same) == ["2001dust", "2001dust-2", "2001"]
    assert keys_of(*papers_with_bibcode) == ["1998AJ....116.1009R", "1998aj....116.1009r-2"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("50% of A&A #1, a_b, x^2, $5", r"50\% of A\&A \#1, a\_b, x\^{}2, \$5"),
        (r"50\% of A\&A, $x_1^2$ {\it Gaia} \emph{x}", r"50\% of A\&A, $x_1^2$ Gaia x"),
        ("Gödel, ångström, Æ, ø, ß, ı", r"G{\"{o}}del, {\aa}ngstr{\"{o}}m, {\AE}, {\o}, {\ss}, {\i}"),
        (
            "Hα at 5 µm, M☉ ≈ 3 × 10⁶ – “so”",
            r"H$\alpha$ at 5 $\mu$m, M$\odot$ $\approx$ 3 $\times$ 10\textsuperscript{6} -- ``so''",
        ),
        ("$H_α ≳ 2$", r"$H_\alpha \gtrsim 2$"),
        ("10^{-3} and T_{eff}", r"10\textsuperscript{-3} and T\textsubscript{eff}"),
        (r"Fig.~1 of $x$, ~10", r"Fig. 1 of $x$, \textasciitilde{}10"),
        ("a < b > c | d", r"a \textless{} b \textgreater{} c \textbar{} d"),
        ("set {x", r"set \textbraceleft{}x"),
        ("} {", r"\textbraceright{} \textbraceleft{}"),
        ("ends in \\", r"ends in \textbackslash{}"),
        ("星 stays", "星 stays"),
    ],
)
def test_text_is_escaped_and_latex_that_is_there_stays(text, expected):
    assert inert_tex(text).replace("  ", " ") == expected


PIECES = st.sampled_from([*"$\\{}^_%&#~ \n", "$x$", "$$", r"\alpha", r"\(", r"\)", "x", "é", "α", "⁻"])


@settings(
    derandomize=True, deadline=None, database=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow]
)
@given(st.lists(PIECES, max_size=12).map("".join))
def test_whatever_comes_braces_pair_and_nothing_cuts_the_entry_short(text):
    depth, lowest = 0, 0
    for character in inert_tex(text):
        depth += {"{": 1, "}": -1}.get(character, 0)
        lowest = min(lowest, depth)
    assert (depth, lowest) == (0, 0)


def test_an_identifier_that_tex_could_run_is_left_out():
    unfit = replace(BARE, doi="10.1/a},\n note={x", arxiv_id="^^5cinput", categories=("a^^7d",), pmid="1~")
    for name in ("doi", "eprint", "archivePrefix", "primaryClass", "pmid"):
        assert f"  {name} = " not in bibtex([unfit])
    old = replace(BARE, doi="10.1002/(SICI)1521-3994(199908)320:4/5<163::AID-ASNA163>3.0.CO;2-#")
    assert f"  doi = {{{old.doi}}}" in bibtex([old])


def test_a_key_that_tex_could_run_gives_way_to_a_made_up_one():
    for sign in '^$%#~{}\\"`|,=@*[]<>\x7f':
        assert keys_of(replace(BARE, record_fields=(f"key:a{sign}b",))) == ["dust"]
    assert keys_of(replace(BARE, record_fields=("key:DBLP:conf/x_1.2+'a&b(c)?-d",))) == ["DBLP:conf/x_1.2+'a&b(c)?-d"]


def test_the_name_of_several_groups_stays_whole():
    paper = Paper("p", "Dust", "Some.", authors=("BICEP2/Keck and Planck Collaborations",))
    assert "  author = {{BICEP2/Keck and Planck Collaborations}},\n" in bibtex([paper])


def test_a_readers_own_key_comes_back_and_a_made_up_one_gives_way():
    own = replace(BARE, record_fields=("key:2001dust",))
    broken = replace(BARE, year=1999, record_fields=("key:a}b",))
    assert keys_of(replace(BARE, year=2001), own, own, broken) == ["2001dust-3", "2001dust", "2001dust-2", "1999dust"]


@pytest.mark.parametrize(
    "field", ["kind:comment", "kind:a}b", "url:https://a.example/}x", "howpublished:https://a/\\x"]
)
def test_a_field_of_an_entry_cannot_break_out(field):
    text = bibtex([replace(BARE, abstract="", record_fields=("key:k", field))])
    assert text.startswith("@misc{k,\n")
    assert text.count("{") == text.count("}")
    assert "/}x" not in text
    assert "\\x" not in text


def test_the_fields_of_an_entry_count_before_those_of_another_record_and_none_is_written_twice():
    fields = ("key:b", "kind:book", "publisher:CUP", "volume:2", "pages:5")
    paper = replace(BARE, journal="Lecture Notes 142, 419", venue="Lecture Notes", record_fields=fields)
    text = bibtex([paper])
    assert (text.count("volume = "), text.count("pages = ")) == (1, 1)
    assert "volume = {2},\n  pages = {5}," in text
    alone = bibtex([replace(paper, record_fields=fields[:4])])
    assert "volume = {2}" in alone
    assert "pages" not in alone  # those of another volume


def test_keywords_that_came_with_somebody_elses_summary_are_left_out():
    paper = replace(BARE, subjects=("dust", "gas"))
    assert "keywords = {dust; gas}" in bibtex([paper])
    assert "keywords" not in bibtex([replace(paper, is_summary=True)])
