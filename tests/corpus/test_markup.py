"""Markup of hosts and publishers, and what only looks like it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathfinder.corpus.schemas.markup import without_markup


def mathml(formula: str) -> str:
    return f'<mml:math xmlns:mml="http://www.w3.org/1998/Math/MathML">{formula}</mml:math>'


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("The <i>Gaia</i> view of H<sub>2</sub>O &amp; dust", "The Gaia view of H2O & dust"),
        ("&lt;i&gt;Gaia&lt;/i&gt; &amp;amp; &amp;lt;b&amp;gt;dust&amp;lt;/b&amp;gt;", "Gaia & dust"),
        ("<jats:title>Abstract</jats:title><jats:p>We <jats:italic>see</jats:italic> it.</jats:p>", "We see it."),
        ("<p>One</p><p>Two<br/>three", "One Two three"),
        ("<P>One<P>Two", "One Two"),
        (
            '<a href="http://x.y/?a=b">Link</a> to <ASTROBJ>X 1</ASTROBJ> and <span class=x>it</span>',
            "Link to X 1 and it",
        ),
        (
            "10<SUP>5</SUP> M<sub>⊙</sub> of M<sub>BH</sub> s<sup>-1</sup>, the 13<sup>th</sup>",
            "10⁵ M☉ of M_BH s⁻¹, the 13th",
        ),
        ("<![CDATA[A <b>b</b>]]><!-- c --><?xml d?> e", "A b e"),
        ("&#945; &#x3b2; &eacute;&nbsp;&hellip;", "α β é …"),
        ("cut short <sub", "cut short <sub"),
        # What only looks like markup.
        *(
            (text, text)
            for text in (
                *("", "x <3 and > 2", "Counts at z<zmax and M>10", "a<b and c>d, x<i and y>3", "<S/N> > 5", "<x y>"),
                *("<B> is the mean of B; <p> = 2 and <Li> = 3", "p < 0.05 and q > 3; 3<x<5; <<x>>"),
                *("AT&T, R&D; a &b; c", "$a<b$ and $c>d$, $x_{<i}$"),
            )
        ),
        # Formulas.
        (mathml("<mml:mi>z</mml:mi><mml:mo>&lt;</mml:mo><mml:mn>3</mml:mn>"), "z<3"),
        (mathml("<mml:mi>z</mml:mi> <mml:mo>&sim;</mml:mo> <mml:mn>3</mml:mn>").replace("&", "&amp;"), "z∼3"),
        ("<math><msup><mn>10</mn><mrow><mo>−</mo><mn>5</mn></mrow></msup></math>", "10⁻⁵"),
        ("<math><mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow></mfrac></math>", "a/(b+1)"),
        ("<math><msubsup><mi>H</mi><mn>0</mn><mn>2</mn></msubsup><msqrt><mi>x</mi></msqrt></math>", "H0²√x"),
        (
            "<math><mover><mi>x</mi><mo>¯</mo></mover><mspace/><mfenced><mi>a</mi><mi>b</mi></mfenced></math>",
            "x̄ (a, b)",
        ),
        ("<math><mmultiscripts><mi>C</mi><mprescripts/><none/><mn>12</mn></mmultiscripts></math>", "¹²C"),
        ("<math><semantics><mi>x</mi><annotation>\\x</annotation></semantics></math>", "x"),
        (
            f"a <alternatives><tex-math>$$z&lt;3$$</tex-math>{mathml('<mml:mi>z</mml:mi>')}</alternatives> b",
            "a $z<3$ b",
        ),
        (r"<tex-math id='a'>\documentclass{x}\begin{document}$$\alpha$$\end{document}</tex-math>", r"$\alpha$"),
    ],
)
def test_markup_goes_and_what_it_marks_stays(markup, text):
    assert " ".join(without_markup(markup).split()) == text


PIECES = st.sampled_from(
    ["<", ">", "</", "/>", "&", ";", "lt", "i", "sub", "math", "mml:", "<i>", "</i>", "<math>", "<!--", " ", "x"]
)


@settings(derandomize=True, deadline=None, database=None)
@given(st.lists(PIECES, max_size=12).map("".join))
def test_no_text_fails_and_none_grows(text):
    assert len(without_markup(text)) <= len(text) + 8


HOSTILE = "<|<a |<!--|<?|<math>|<math><msqrt>|<sub>a|<sup>x</sup>|<alternatives><tex-math>|&amp;"


@pytest.mark.parametrize("unit", HOSTILE.split("|"))
def test_a_hostile_text_is_read_in_time(unit):
    text = unit * (20_000 // len(unit))
    assert isinstance(without_markup(f"</math>{text}</sub></sub></alternatives></tex-math></math>-->"), str)
