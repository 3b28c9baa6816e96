import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathfinder.answering.settings import AnswerSettings
from pathfinder.types import (
    AnswerRequest,
    CitationProfile,
    ModeName,
    Preset,
    QueryExpansion,
    Region,
    SearchRequest,
    Specialisation,
    Weighting,
)
from pathfinder.types.setting_kinds import split_words
from pathfinder.ui.shared.address import Form, from_parameters, to_parameters

FULL = Form(
    "What is the value of the Hubble constant?",
    answering=AnswerSettings(
        ModeName.AGENT, Specialisation.MULTI_PAPER, 5, 60, 20_000, second_judge=True, from_memory=True
    ),
).with_search(
    top_k=7,
    year_from=2010,
    year_to=2020,
    extra_keywords=("Cepheids", "distance ladder"),
    dropped_keywords=("value",),
    weighting=Weighting(
        *(1, 0.5, 0.25, Preset.PAPER, CitationProfile.AGE_FAIR),
        title=0.1,
        position=0.2,
        coverage=0.3,
        diversity=0.4,
        rerank=0.5,
    ),
    reads_years=False,
    imagine=QueryExpansion.HYDE,
    n_hypothetical=3,
    expands=True,
    own_expansions=(("MW", ("Milky Way", "our Galaxy")), ("BH", ("black hole",))),
    decomposes=True,
    depth=2,
    page_size=7,
    passages=True,
    titles=True,
    reranker="cohere:rerank-english-v3.0",
    region=Region(((0.125, -2.0), (3.5, 1 / 3), (-1e-7, 4.0))),
)


def test_defaults_are_left_out():
    assert to_parameters(Form(question="dark matter")) == ({"q": "dark matter"}, None)


def test_a_form_that_nobody_touched_asks_what_a_question_alone_asks():
    assert Form("dark matter").request() == SearchRequest("dark matter")


def test_every_setting_survives_a_link():
    parameters, note = to_parameters(FULL)
    assert note is None
    assert from_parameters(parameters) == (FULL, ())


def test_a_weight_keeps_all_its_digits_in_a_link():
    form = Form("dust").with_search(weighting=Weighting(recency=0.123456789, citations=0.25))
    parameters, _ = to_parameters(form)
    assert (parameters["wt"], parameters["wc"]) == ("0.123456789", "0.25")
    assert from_parameters(parameters) == (form, ())


def test_a_long_question_is_left_out_and_said_so():
    parameters, note = to_parameters(Form("star " * 400).with_search(top_k=3))
    assert parameters == {"k": "3"}
    assert "more than 1,500 characters" in note


def test_a_region_of_very_many_corners_is_left_out_and_said_so():
    region = Region(tuple((i / 7, i / 3) for i in range(200)))
    parameters, note = to_parameters(Form("star " * 400).with_search(region=region))
    assert parameters == {}
    assert note == (
        "the question has more than 1,500 characters and the region of the map takes up more than 2,000 characters, "
        "so the link leaves them out"
    )
    assert to_parameters(Form("star").with_search(region=region))[0] == {"q": "star"}


def test_an_unknown_parameter_is_ignored_with_a_note():
    form, notes = from_parameters({"q": "dark matter", "utm": "x"})
    assert form == Form(question="dark matter")
    assert notes == ("the link's setting 'utm' is unknown and was ignored",)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(("k", text) for text in ("31", "0", "ten", "")),
        *(("wk", "2"), ("wt", "nan"), ("wc", "-1"), ("wk", "0.001")),
        *(("from", "MMX"), ("from", "-1"), ("to", "9" * 400), ("preset", "best"), ("citations", "none")),
        *(
            ("depth", "4"),
            ("hypothetical", "0"),
            ("page", "31"),
            ("years", "yes"),
            ("imagine", "dreams"),
            ("wr", "1.5"),
        ),
        *(("region", "here"), ("region", "1,2"), ("region", "0,0;1,0;nan,1"), ("region", ";".join(["0,1"] * 201))),
        *(("names", "MW"), ("names", "MW:"), ("names", ": Milky Way")),
        ("rerank", "cross-encoder:/home/stranger/model"),
        *(("answer", "guess"), ("as", "poem"), ("judge", "yes")),
        *(("steps", "0"), ("steps", "21"), ("seconds", "1e9"), ("tokens", "10000000")),
    ],
)
def test_a_broken_parameter_is_ignored_with_a_note(name, text):
    form, notes = from_parameters({"q": "dark matter", name: text})
    assert form == Form(question="dark matter")
    assert len(notes) == 1
    assert f"{name}={text[:80]!r}" in notes[0]


def test_years_upside_down_keep_the_first_and_name_the_second():
    form, notes = from_parameters({"q": "dark matter", "from": "2020", "to": "2010"})
    assert (form.search.year_from, form.search.year_to) == (2020, None)
    assert "to='2010'" in notes[0]


def test_keywords_are_separated_by_commas_and_named_once():
    assert split_words(" JWST, , dark matter,JWST") == ("JWST", "dark matter")


@given(
    st.dictionaries(st.sampled_from(["q", "k", "from", "to", "wk", "wt", "wc", "preset", "x"]), st.text(max_size=20))
)
def test_no_link_crashes(parameters):
    form, notes = from_parameters(parameters)
    assert len(notes) <= len(parameters)
    assert 1 <= form.search.top_k <= 30


def test_a_budget_that_nobody_touched_is_that_of_an_answer_request():
    assert AnswerSettings().request(Specialisation.BROAD) == AnswerRequest(specialisation=Specialisation.BROAD)


def test_a_specialisation_that_the_reader_chose_is_kept():
    settings = AnswerSettings(specialisation=Specialisation.SINGLE_PAPER)
    assert settings.request(Specialisation.BROAD).specialisation is Specialisation.SINGLE_PAPER


def test_a_style_that_the_mode_does_not_honour_is_dropped_with_a_note():
    form, notes = from_parameters({"q": "dark matter", "as": "broad", "answer": "agent"})
    assert form.answering == AnswerSettings(ModeName.AGENT)
    assert notes == ("the link's style broad was ignored: the answer mode agent does not support it",)


def test_a_style_of_rag_that_is_a_mode_of_its_own_stays_in_a_link():
    form, notes = from_parameters({"q": "dark matter", "as": "broad"})
    assert (form.answering, notes) == (AnswerSettings(specialisation=Specialisation.BROAD), ())
