"""Questions as people type them, and the words that are searched for them."""

import pytest

from pathfinder.facade import Pathfinder
from pathfinder.profile import Profile, Translations, astronomy, everyday_words
from pathfinder.retrieval.wording.question_wording import STAGE, reading_of, terms_for, words_of_no_paper
from pathfinder.retrieval.wording.translation import _language
from pathfinder.types import SearchRequest, StageOutcome


def read(question: str, pf: Pathfinder, **fields: bool):
    return reading_of(SearchRequest(question, **fields), pf.corpus)


@pytest.mark.parametrize(
    ("typed", "searched"),
    [
        ("graviational wave detecton", "gravitational wave detection"),
        ("Supermasive black holes", "Supermassive black holes"),
        # Both words are as near: the one that papers on the rest of the question have is meant.
        ("cosmological neutrnos", "cosmological neutrinos"),
        ("the synthesis of elements by neutrnos", "the synthesis of elements by neutrons"),
        ("hyperin", "hyperion"),  # alone, it would find nothing, so one paper with the word is enough
        ("is there phosphine on venus?", "is there phosphine on venus?"),  # English, though no paper may have it
        ("roasting a chicken", "roasting a chicken"),
        ("JWTS images of NGC1265a", "JWTS images of NGC1265a"),  # acronyms and whatever has digits stay
        ("see doi.org/galxies", "see doi.org/galxies"),
        ("the work of Penzias", "the work of Penzias"),  # a name
        ("how far is NGC 4486?", "how far is M87?"),  # papers have the object under this name alone
        ("NGC 7078", "NGC 7078"),  # no paper has M15 either
    ],
)
def test_a_word_that_no_paper_has_is_read_as_a_near_one(typed, searched, pf):
    assert read(typed, pf).text == searched


def test_a_pasted_text_is_left_alone_and_a_long_question_takes_no_longer(pf):
    text = "graviational " * 61
    assert read(text, pf).text == text.strip()


def test_a_corrected_question_is_searched_and_said_and_can_be_undone(pf):
    wrong, right = pf.search("graviational wave detecton"), pf.search("gravitational wave detection")
    assert [hit.paper.paper_id for hit in wrong.hits] == [hit.paper.paper_id for hit in right.hits]
    assert (wrong.request.query, wrong.read_as) == ("graviational wave detecton", "gravitational wave detection")
    assert any("corrects_spelling" in note for note in wrong.filter_notes)
    as_written = pf.search("graviational wave detecton", corrects_spelling=False)
    assert as_written.read_as is None
    assert as_written.words == "graviational wave detecton"


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Zbrzycki 1930 and galaxies", ["Zbrzycki"]),
        ("comets of Caroline Hubble", ["Caroline Hubble"]),
        ("supernovae of Adam Riess", []),
        ("Compare Cepheids", []),
        ("Nearby Supernovae", []),
        ("ngc99999", ["ngc99999"]),
        ("NGC 99999 and M99998", ["NGC 99999", "M99998"]),
        ("roasting a chicken on galaxies since 2019", []),  # everyday English, and a year
        ("doi:10.1000/ab99999", []),
        ("zbrzycki " * 61, []),
    ],
)
def test_words_of_no_paper_are_named(question, words, pf):
    assert words_of_no_paper(question, pf.corpus) == words


EVERYDAY = (("meteor", "shooting star|falling star"), ("collide", "crash into"), ("adaptive optics", "bendy mirror"))


@pytest.mark.parametrize(
    ("said", "terms"),
    [
        ("Where do shooting stars come from?", ("meteor",)),
        ("who saw the first FALLING star", ("meteor",)),
        ("shooting stars that crashed into us", ("meteor", "collide")),
        ("telescopes' bendy mirrors", ("adaptive optics",)),
        ("a star that was shooting", ()),
        ('the paper "A falling star"', ()),
        ('a falling "new" star', ()),
        ("", ()),
        ("shooting stars " * 31, ()),  # a pasted text
    ],
)
def test_an_everyday_expression_has_a_term_of_the_field(said, terms):
    assert terms_for(said, EVERYDAY) == terms


def test_a_question_in_everyday_words_is_searched_and_said_and_can_be_undone(pf):
    said = pf.search("do black holes spaghettify stars?")
    assert "tidal disruption event" in said.read_as
    assert any("translates" in note for note in said.filter_notes)
    assert pf.search("do black holes spaghettify stars?", translates=False).read_as is None


def test_words_added_for_everyday_ones_do_not_hide_the_title_that_is_asked_for_or_who_was_first(pf):
    first, plain = "who discovered pulsars, the ticking stars?", "who discovered pulsars?"
    reading = read(first, pf)
    assert (reading.text, reading.terms) == (first, ("pulsar",))
    assert pf.search(plain, top_k=1).hits[0].paper == pf.search(first, top_k=1).hits[0].paper


def test_no_everyday_expression_of_astronomy_stands_twice():
    expressions = [each for _, row in astronomy().everyday for each in row.split("|")]
    assert len(expressions) == len(set(expressions))


@pytest.mark.parametrize(
    ("question", "language", "term"),
    [
        ("agujeros negros", "Spanish", "black hole"),
        ("¿Qué es la materia oscura?", "Spanish", "dark matter"),
        ("Qu'est-ce que l'énergie noire ?", "French", "dark energy"),
        ("Was ist dunkle Materie?", "German", "dark matter"),
        ("Virgohaufen", "German", "Virgo cluster"),
        ("Che cosa sono le onde gravitazionali?", "Italian", "gravitational wave"),
        ("Como se formam as estrelas de nêutrons?", "Portuguese", "neutron star"),
    ],
)
def test_a_question_in_another_language_is_searched_in_english_terms(question, language, term, pf):
    reading = read(question, pf)
    assert reading.language == language
    assert term in reading.text
    assert read(question, pf, translates=False, corrects_spelling=False).text == question


CARRIED = [
    ("¿De dónde viene el agua de la Tierra?", "origin water earth"),
    ("¿Cuál es la estrella más cercana al Sol?", "star nearest sun"),  # "más" is not the stem of "masa"
    ("¿Por qué las manchas solares cambian cada once años?", "why sunspot change eleven year"),
    ("púlsares de milisegundos descubiertos con radiotelescopios", "millisecond pulsar discover radio telescope"),
    ("fusión de dos estrellas de neutrones", "merger two neutron star"),  # "dos" is a stop word of Portuguese
    ("Comment simule-t-on la formation des galaxies ?", "how simulate galaxy formation"),
    ("Comment les trous noirs grandissent-ils ?", "how black hole grow"),
    ("À quelle vitesse tourne la Voie lactée ?", "velocity rotate milky way"),
    ("Was passiert, wenn zwei schwarze Löcher verschmelzen?", "happen two black hole merge"),
    ("Vergleich von Modellen der Supernovaexplosion", "compare model supernova explosion"),
    ("Come si formano gli anelli di Saturno?", "how form ring saturn"),  # "come" is not the stem of "comete"
    ("Il metano è stato rilevato su Marte?", "methane detect mars"),
    ("Quanto tempo vive uma anã vermelha?", "time live red dwarf"),
    ("bianche nane", "white dwarf"),
]


@pytest.mark.parametrize(("question", "carried"), CARRIED)
def test_the_words_of_a_question_are_carried_whatever_their_form_and_order(question, carried, pf):
    reading = read(question, pf)
    assert reading.language is not None
    assert set(carried.split()) <= set(reading.text.lower().rstrip("?").split())
    assert not {"mass", "comet"} & set(reading.text.lower().split())


def test_a_field_without_terms_of_its_own_has_the_everyday_words():
    """A profile needs no table for its questions to be read by cognates and everyday words."""
    assert everyday_words().languages == astronomy().translations.languages
    assert all(len([*everyday_words().entries(language)]) > 300 for language in everyday_words().languages)
    language = _language(Translations(), "Spanish")
    assert language.terms[language.forms("corrigieron")[-1],] == "correct"


ENGLISH = [
    "galaxies since 1979",
    "de Sitter space",
    "Via Appia",
    "What is inflation?",
    "Carina Nebula",
    "Tau Ceti",
    "SETI",
]


@pytest.mark.parametrize("question", ENGLISH)
def test_english_is_not_taken_for_another_language(question, pf):
    reading = read(question, pf)
    assert (reading.language, reading.unread_language) == (None, None)


DECLINED = [
    "¿Cuál es la mejor receta de paella?",
    "Wie backe ich einen Kuchen mit Äpfeln?",
    "¿Cuál es el mejor método para aprender inglés?",  # everyday words alone name no subject
    "什么是黑洞",
    "ブラックホールとは何ですか",
]


@pytest.mark.parametrize("question", DECLINED)
def test_what_the_table_cannot_carry_is_declined_with_the_advice_to_ask_in_english(question, pf):
    result = pf.search(question)
    assert result.unread_language is not None
    assert result.assessment is not None
    assert not result.assessment.is_relevant
    assert (STAGE, StageOutcome.FAILED) in [(entry.name, entry.status) for entry in result.stage_status]
    assert "ask in English" in pf.answer(result).text


def test_every_term_of_the_profile_can_be_looked_up_in_each_language():
    translations = astronomy().translations
    assert all(len([*translations.entries(language)]) > 250 for language in translations.languages)


def test_a_row_of_terms_without_a_column_for_each_language_is_refused():
    from pathfinder.errors import CorpusError
    from pathfinder.profile import parse_profile

    start = 'name = "x"\ntitle = "x"\nicon = "🔭"\nexamples = ["x"]\n'
    start += '[field]\nnames = ["x"]\nadjective = "x"\nexperts = ["x"]\n'
    with pytest.raises(CorpusError, match="translations"):
        parse_profile(f'{start}[translations]\nlanguages = ["Spanish"]\nterms = [["star"]]\n'.encode(), "x")
    assert isinstance(parse_profile(start.encode(), "x"), Profile)
