import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pathfinder.text.latex.display import for_markdown, readable, with_options
from pathfinder.text.latex.mathematics import is_settable
from tests.inert import HOSTILE, acts

JOINER = "\u2060"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("", ""),
        (
            "Plain text, as it is: a_b, H_0, x^2, ~10 pc, 50% & {x}",
            "Plain text, as it is: a_b, H_0, x^2, ~10 pc, 50% & {x}",
        ),
        (r"$\alpha$", "α"),
        (r"$M_\odot$", "M☉"),
        (r"A $10^{6}\,M_{\odot}$ hole at $z\sim2$", "A 10⁶ M☉ hole at z ∼ 2"),
        (r"$\sim$10 kpc, $\pm 2$", "∼10 kpc, ±2"),
        ("10^14 solar masses, 3 x 10^-8, but 10^5.5", "10¹⁴ solar masses, 3 × 10⁻⁸, but 10^5.5"),
        (r"R_{500 kpc or more, \emph{which goes on", "R_500 kpc or more, which goes on"),
        (r"$H_0 = 67.4\pm0.5$ km s$^{-1}$ Mpc$^{-1}$", "H₀ = 67.4 ± 0.5 km s⁻¹ Mpc⁻¹"),
        (r"the 5$^{\rm th}$ $^{13}$CO line at $30^\circ$", "the 5th ¹³CO line at 30°"),
        (r"T$_{\rm eff}$, $T_\mathrm{eff}$ and $x_{a+b}$", "T_eff, T_eff and x_(a+b)"),
        (r"$1.5^{+0.1}_{-0.2}$ and $e^{-t/\tau}$", "1.5^(+0.1)_(−0.2) and e^(−t/τ)"),
        (r"$\frac{a+b}{c}$, $\frac12$, $\sqrt{x}$, $\sqrt[3]{x+1}$", "(a+b)/c, 1/2, √x, ³√(x+1)"),
        (r"$ α$ of $z = 4-6 $, $σ_8$ and Al$_{0.92}$", "α of z = 4−6, σ₈ and Al_0.92"),
        (r"$\Delta T$ and $A=a\ln p$", "ΔT and A=a ln p"),
        (r"$\left(\frac{x}{2}\right)$, $\left. x \right|$", "(x/2), x |"),
        (r"Lyman-$\alpha$ and $J-K$, $f''$", "Lyman-α and J−K, f′′"),
        (r"$v\text{-band}$", "v-band"),
        (r"\(x<y\) and \[z\] and $$w$$", "x<y and z and w"),
        (
            r"Bal\'azs, G\"odel, Mu\~noz, \O rsted, \v{C}erenkov, na\"{\i}ve",
            "Balázs, Gödel, Muñoz, Ørsted, Čerenkov, naïve",
        ),
        (r"\textit{Euclid} and {\it Gaia}, \emph{really}", "Euclid and Gaia, really"),
        (r"\textit{Euclid}\xspace saw it, and Gaia\xspace.", "Euclid saw it, and Gaia."),
        (r"90\% of \$5 \& \#3, a\_b, \{x\}", "90% of $5 & #3, a_b, {x}"),
        (r"\href{https://x.org}{the link} \cite{Foo20} \ion{H}{ii}", "the link [Foo20] H II"),
        (r"\textcolor{red}{warm} \unicode{x2014} 5\arcsec", "warm — 5″"),
        (r"``quoted'' text--here --- there", "“quoted” text–here — there"),
        (r"Fig.~1 at 5~kpc, $5$~kpc, of ~10 pc, $\mathrm{km~s^{-1}}$", "Fig. 1 at 5 kpc, 5 kpc, of ~10 pc, km s⁻¹"),
        (r"\Euclid\ and \ac{BERT} and \code", "Euclid and BERT and code"),
        (r"ADS writes 10^{-3} and T_{eff}", "ADS writes 10⁻³ and T_eff"),
        ("one\n two\tthree", "one two three"),
        ("x $ y", "x $ y"),
        ("from $5 to $10, between $20 million and $30 million", "from $5 to $10, between $20 million and $30 million"),
        ("a } b { c", "a } b { c"),
        (r"\og mot \fg{} and \og{}mot\fg{}", "« mot » and « mot »"),
        ("\\", "\\"),
        (r"\unicode{xd800} \unicode{zz}", "xd800 zz"),
    ],
)
def test_latex_is_written_out_as_a_reader_expects_it(source, expected):
    assert readable(source) == expected


@pytest.mark.parametrize(
    "absurd",
    [
        "{" * 20_000,
        "\\'" * 10_000,
        "^" * 20_000,
        "$" * 20_001,
        "\\(" * 10_000,
        "$_{" * 7000,
        "\\frac" * 4000,
        "$\\sqrt{" * 3000,
    ],
)
def test_absurd_input_is_no_error(absurd):
    readable(absurd)
    for_markdown(absurd)


@pytest.mark.parametrize(
    "formula",
    [
        r"\alpha", r"10^{6}\,M_\odot", r"z\sim2", r"^{13}", r"H_0 = 67.4\pm0.5", r"\frac{a+b}{c}", r"\frac12",
        r"x^{a^{b}}_c", r"\left(\frac{x}{2}\right)", r"\left. x \right|", r"f''_x", r"T_\mathrm{eff}",
        r"\sqrt{x^2}", r"\mathrm{km~s^{-1}}", r"\text{a b}", r"{\rm eff}", r"\log_{10}(M)", r"a<b", "α^μ", r"95\%",
    ],
)  # fmt: skip
def test_a_well_formed_formula_stays_mathematics(formula):
    assert is_settable(formula)
    assert for_markdown(f"so ${formula}$.") == f"so ${formula}$\\.".replace("<", r"\lt ")


@pytest.mark.parametrize(
    "formula",
    [
        "", " ", r"x^2^3", r"x_a_b", r"f'^2", r"x^2'", r"x^", r"x_{", "}", "{x", r"\frac{a}", r"\sqrt[3]{x}",
        r"\left( x", r"x \right)", r"\left( x \rightarrow", r"\foo", r"\href{a}{b}", r"\def\a{b}",
        r"\htmlClass{a}{b}", r"\color{red}", r"\rule{9em}{9em}", r"5%", "a&b", "a#b", "`x`", '"x"', r"\text{$x$}",
        r"\text{a_b}", r"x^\frac12", r"x^\log", "é", "x" * 201, "{" * 30 + "}" * 30, r"\begin{array}\end{array}",
        r"\\", r"\kern9em", "a\\", r"\mbox{x}", r"\frac\mathrm{a}2",
    ],
)  # fmt: skip
def test_what_katex_would_not_set_is_text(formula):
    assert not is_settable(formula)


def test_signs_that_markdown_knows_are_escaped():
    assert for_markdown("**a** <b>") == r"\*\*a\*\* \<b\>"


def test_codes_that_streamlit_finds_in_escaped_text_are_parted_by_a_joiner():
    assert for_markdown(":smile:") == rf"\:{JOINER}smile\:"
    assert for_markdown(":material/home:") == rf"\:{JOINER}material\/home\:"
    assert for_markdown("https://e.com") == rf"https\:{JOINER}\/\/e\.com"
    assert for_markdown("www.e.com a@b.com") == rf"www{JOINER}\.e\.com a\@{JOINER}b\.com"
    assert for_markdown("a -> b >= c") == rf"a \-{JOINER}\> b \>{JOINER}\= c"


def test_times_and_ratios_keep_their_colons_whole():
    assert for_markdown("at 3:1") == r"at 3\:1"


def test_formulas_that_touch_stay_apart_and_no_digit_follows_a_dollar():
    assert for_markdown(r"$x$$y$ $\sim$10") == rf"$x${JOINER}$y$ $\sim${JOINER}10"


def test_lines_stay_lines_and_none_is_indented():
    assert for_markdown("one\n\n    two  \n\tthree\x00") == "one\n\ntwo\nthree"


def test_direction_controls_are_left_out():
    assert for_markdown("\u202eevil\u2066") == readable("\u202eevil\u2066") == "evil"


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_hostile_acts(text):
    assert not acts(for_markdown(text))


PIECES = st.sampled_from(
    [
        *"$\\{}^_<>[]()!*`:#-+.~|&@ \n",
        "$$",
        r"\alpha",
        r"\frac",
        r"\left",
        r"\right",
        "x",
        "10",
        "www.",
        "http://",
        *HOSTILE,
    ]
)


@settings(
    derandomize=True, deadline=None, database=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow]
)
@given(st.lists(PIECES | st.text(max_size=4), max_size=12).map("".join))
def test_whatever_comes_nothing_in_it_acts(text):
    assert not acts(for_markdown(text))
    assert readable(text) == " ".join(readable(text).split())


def test_an_option_of_a_command_can_be_copied_and_nothing_else_acts() -> None:
    assert with_options("none: build with --reviews FILE again") == "none\\: build with `--reviews FILE` again"
    assert with_options("pages 1--2 *here*") == "pages 1–2 \\*here\\*"
    assert with_options("--x `--y`") == for_markdown("--x `--y`")
