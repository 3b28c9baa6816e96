import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathfinder.answering.sentences import split_sentences, stands_alone


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "One sentence without an end",
        "Smith et al. (2019) and Jones et al. 2020 disagree.",
        "The models of Smith et al. Figure prominently.",
        "The offset, e.g. Fig. 3 or Eq. (2), i.e. the bias vs. Redshift, is small.",
        "We thank M. J. Smith and the U.S. Naval Observatory.",
        "It took 3.5 Gyr at most.",
        "The field of $x = 1. Y = 2$ is wide.",
        "We use it (as in the past. See there) again.",
        "This is No. 5 of the list.",
        "We cite \\citep{Smith. Jones} here.",
        "The spectra... show nothing.",
    ],
)
def test_there_is_one_sentence_or_none(text):
    assert split_sentences(text) == ((text,) if text.strip() else ())


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("It lies at z ~ 6. We weigh it.", ["It lies at z ~ 6.", "We weigh it."]),
        ("It took 3.5 Gyr. Then it ended.", ["It took 3.5 Gyr.", "Then it ended."]),
        ("So found Smith et al. We disagree.", ["So found Smith et al.", "We disagree."]),
        ("They are of class C. The rest is not.", ["They are of class C.", "The rest is not."]),
        ("Is it? Yes! It is.", ["Is it?", "Yes!", "It is."]),
        ("The answer is no. We stop.", ["The answer is no.", "We stop."]),
        ("It ends. eROSITA saw it.", ["It ends.", "eROSITA saw it."]),
        ('They say "so." We agree.', ['They say "so."', "We agree."]),
        ("It is dark. $H_0$ is not.", ["It is dark.", "$H_0$ is not."]),
        ("Context. Stars form. Aims. We count them.", ["Stars form.", "We count them."]),
        ("Results: We find ten.", ["We find ten."]),
        ("Das Öl brennt. Äpfel fallen.", ["Das Öl brennt.", "Äpfel fallen."]),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text, parts):
    assert list(split_sentences(text)) == parts


@given(st.text(alphabet="ab A.!?$()[]0 \n\\{}é", max_size=120))
def test_every_sentence_is_a_part_of_its_text_in_order(text):
    place = 0
    for sentence in split_sentences(text):
        place = text.index(sentence, place) + len(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "This suggests a wind.",
        "However, they differ.",
        "It is bright.",
        "Furthermore, we see dust.",
        "These results hold.",
    ],
)
def test_a_sentence_that_leans_on_another_is_known(sentence):
    assert not stands_alone(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "We find a wind.",
        "This paper presents a survey.",
        "Stars form in clouds.",
        "Thisbe is an asteroid.",
        "Italian telescopes see it.",
    ],
)
def test_a_sentence_that_stands_alone_is_known(sentence):
    assert stands_alone(sentence)
