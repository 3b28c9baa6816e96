"""LaTeX read as plain text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathfinder.text.latex.search_text import plain_text, subscripts_written_on


@pytest.mark.parametrize("broken", ["\\", "$", "${", "\\textit{", "a_", "^", "\\ion{", "\\href{x", "{}}", "$$$"])
def test_broken_latex_is_read_as_far_as_it_goes(broken):
    assert set(plain_text(broken)) <= set("a_^ hrefxion")


@pytest.mark.parametrize("text", ["", "Dark matter halos", "Ångström, 50% & more", "a_b", "naïve (1 + 1 = 2)"])
def test_plain_text_stays_as_it_is(text):
    assert plain_text(text) == text


@pytest.mark.parametrize(
    ("latex", "plain"),
    [
        ("$\\Lambda$CDM", "ΛCDM"),
        ("H$_0$", "H_0"),
        ("$f_{\\rm NL}$", "f_NL"),
        ("M$_\\odot$ and $M_{\\odot}$", "M⊙ and M⊙"),
        ("H$\\alpha$", "Hα"),
        ("$^{13}$CO", "13CO"),
        ("10$^{-3}$ km s$^{-1}$", "10^-3 km s^-1"),
        ("\\textit{Gaia} and {\\it HST}", "Gaia and HST"),
        ("\\ion{C}{iv} and \\ion{H}{2}", "C IV and H II"),
        ("Schr\\\"odinger, M\\'{e}xico, \\v{C}erenkov", "Schrödinger, México, Čerenkov"),
        ("50\\% of a\\_b", "50% of a_b"),
        ("\\href{http://x.org}{the link} \\cite{a,b}.", "the link  ."),
        ("$\\unicode{x2013}$", "–"),
        ("mass--metallicity", "mass–metallicity"),
        ("Sgr~A*", "Sgr A*"),
        ("$z\\sim7$", "z∼7"),
    ],
)
def test_markup_gives_way_to_what_it_means(latex, plain):
    assert plain_text(latex) == plain


def test_subscripts_are_written_on_and_underscores_of_names_stay():
    assert subscripts_written_on("H_0, M_BH, w_0w_a and data_set") == "H0, MBH, w0wa and data_set"


@given(st.text(alphabet="ab1 ${}\\_^~'\"%-", max_size=40))
def test_no_markup_is_left(text):
    assert not set("${}\\~").intersection(plain_text(text))
