"""Lemmas, which decide whether two phrases are the same keyword."""

import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pathfinder.text.english import pairs
from pathfinder.text.language.lemmas import lemmas


@pytest.mark.parametrize("phrase", ["", " ", "***", "—", "$$", "\\", "🙂", "\x00", "_", "$^{}$"])
def test_text_without_letters_or_digits_has_no_lemmas(phrase):
    assert lemmas(phrase) == ()


_PLURALS = (
    "stars:star galaxies:galaxy nuclei:nucleus spectra:spectrum halos:halo haloes:halo novae:nova "
    "supernovae:supernova kilonovae:kilonova SNe:SN nebulae:nebula maxima:maximum indices:index analyses:analysis "
    "radii:radius masses:mass lenses:lens gases:gas biases:bias viruses:virus axes:axis matrices:matrix "
    "phases:phase pulses:pulse classes:class approaches:approach caches:cache AGNs:AGN GPUs:GPU BHs:BH "
    "criteria:criterion momenta:momentum studies:study densities:density surveys:survey data:data"
)


@pytest.mark.parametrize(("plural", "singular"), pairs(_PLURALS).items())
def test_singular_and_plural_have_the_same_lemmas(plural, singular):
    assert lemmas(plural) == lemmas(singular) == (singular.lower(),)


_NO_PLURALS = (
    "mass gas lens Mars Uranus virus series status JWST species axis physics analysis Venus class bias cosmos chaos "
    "always Stokes Higgs Bayes HARPS corpus genus radius plus focus less process access torus nucleus calculus rms mas "
    "GPS SDSS atlas canvas news Pleiades Ceres"
)


@pytest.mark.parametrize("word", _NO_PLURALS.split())
def test_a_word_that_only_looks_plural_is_not_shortened(word):
    assert lemmas(word) == (word.lower(),)


_BRITISH = (
    "colour:color ionisation:ionization ionised:ionized polarising:polarizing "
    "characterised:characterized modelling:modeling labelled:labeled grey:gray metres:meter kilometre:kilometer "
    "submillimetre:submillimeter centred:centered fibre:fiber discs:disk behaviour:behavior "
    "neighbouring:neighboring catalogues:catalog sulphur:sulfur analysed:analyzed programmes:program"
)


@pytest.mark.parametrize(("british", "american"), pairs(_BRITISH).items())
def test_british_and_american_spelling_have_the_same_lemmas(british, american):
    assert lemmas(british) == lemmas(american) == (american,)


@pytest.mark.parametrize(
    "word", ["noise", "denoising", "precise", "promise", "expertise", "rise", "our", "hour", "four"]
)
def test_words_that_only_look_british_are_unchanged(word):
    assert lemmas(word) == (word,)


@pytest.mark.parametrize(
    "writings",
    [
        ("X-ray", "X ray", "x‐ray", "X–rays", "x−ray"),
        ("three-dimensional", "three dimensional", "Three–Dimensional"),
        ("non-linear", "nonlinear", "non linear"),
        ("sub-Neptunes", "subneptune", "sub Neptune"),
        ("post-merger", "post merger", "postmerger"),
        ("mass–metallicity relation", "mass-metallicity relation", "mass metallicity relations"),
        ("data sets", "datasets", "data-set"),
        ("light curves", "lightcurve", "light-curve"),
        ("red shift", "redshift"),
        ("Barnard's star", "Barnard’s star", "Barnard star"),
    ],
)
def test_hyphens_dashes_and_spaces_make_no_difference(writings):
    assert len({lemmas(writing) for writing in writings}) == 1


@pytest.mark.parametrize(
    "writings",
    [
        ("Lyman-alpha forest", "Lyα forest", "Lyman α forest", "Ly-alpha forest", "Ly$\\alpha$ forest"),
        ("H-alpha", "Hα", "Halpha", "H$\\alpha$"),
        ("ΛCDM", "LCDM", "Lambda-CDM", "$\\Lambda$CDM", "Lambda CDM"),
        ("gamma-ray bursts", "γ-ray burst"),
        ("µm", "μm"),
        ("H₀", "H0", "$H_0$", "H_0", "$H_{0}$"),
        ("H II regions", "HII region", "H\u202fII regions"),
        ("[O III]", "OIII", "[OIII]"),
    ],
)
def test_greek_letters_and_subscripts_equal_their_spelled_out_forms(writings):
    assert len({lemmas(writing) for writing in writings}) == 1


@pytest.mark.parametrize(
    ("writings", "lemma"),
    [
        (("WASP-43b", "WASP 43b", "WASP43b", "wasp-43 b", "WASP-43 B"), "wasp-43b"),
        (("NGC 1068", "NGC1068", "ngc-1068"), "ngc-1068"),
        (("GW170817", "GW 170817", "gw-170817"), "gw170817"),
        (("SN 1987A", "SN1987A"), "sn1987a"),
        (("M87*",), "m87*"),
        (("M 31", "M31"), "m31"),
        (("21-cm", "21 cm", "21cm", "21–cm"), "21-cm"),
        (("10 Jy", "10Jy", "10-Jy"), "10-jy"),
        (("5 Gpc", "5Gpc", "5–Gpc"), "5-gpc"),
        (("10 kg", "10kg", "10-kg"), "10-kg"),
        (("4.5 um", "4.5um", "4.5 μm", "4.5-µm"), "4.5-μm"),
        (("JWST", "jwst"), "jwst"),
        (("COVID-19",), "covid-19"),
        (("J1030+0524",), "j1030+0524"),
        (("C++",), "c++"),
    ],
)
def test_names_keep_their_digits_and_marks(writings, lemma):
    assert {lemmas(writing) for writing in writings} == {(lemma,)}


@pytest.mark.parametrize("word", ["Schrödinger", "Ångström", "Péché", "σ8", "éclair"])
def test_accents_and_greek_are_kept(word):
    assert lemmas(word) == (word.lower(),)


def test_a_year_or_a_plain_number_is_no_quantity():
    assert lemmas("2020 survey") == ("2020", "survey")


def test_sn_at_and_m_are_names_only_before_catalogue_numbers():
    assert lemmas("at 3") == ("at", "3")
    assert lemmas("M dwarfs") == ("m", "dwarf")


_WORDS = st.text(alphabet=string.ascii_letters + "éöαβσΛ", max_size=12)
_PIECES = (
    "non sub super data set H II N i ni S si Lyman alpha λ CDM 21 cm 4.5 um NGC 1068 b K2 18 M 87* post posts gas gps "
    "light curves wave lengths series lens's $H_0$ f_NL — – -"
)
_PHRASES = st.lists(st.one_of(_WORDS, st.sampled_from(_PIECES.split())), max_size=8).flatmap(
    lambda words: st.sampled_from(["", " ", "-", " - "]).map(lambda glue: glue.join(words))
)


@given(_PHRASES)
@example("posts office")
@example("non gps")
@example("n i ii")
@example("multi data set")
def test_lemmas_of_lemmas_are_the_same(phrase):
    assert lemmas(" ".join(lemmas(phrase))) == lemmas(phrase)


@given(st.text(max_size=30))
def test_any_text_has_lemmas_that_are_stable(text):
    assert lemmas(" ".join(lemmas(text))) == lemmas(text)
    assert all(lemma and not lemma.isspace() and " " not in lemma for lemma in lemmas(text))


@given(st.text(alphabet=string.ascii_letters + " -'", max_size=30))
def test_case_makes_no_difference(phrase):
    assert lemmas(phrase.upper()) == lemmas(phrase.lower()) == lemmas(phrase)


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("3 GW events", ("3", "gw", "event")),
        ("2 NS mergers", ("2", "ns", "merger")),
        ("100 MW satellites", ("100", "mw", "satellite")),
    ],
)
def test_an_acronym_that_is_also_a_unit_is_not_joined_to_a_number(phrase, expected):
    assert lemmas(phrase) == expected
