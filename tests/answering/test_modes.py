"""Every answer mode is declared in one registry, and refuses by name the styles that it does not support."""

from pathlib import Path

import pytest

from pathfinder.answering.modes.base import AnswerMode, Need
from pathfinder.answering.modes.registry import MODE_OF_STYLE, MODES, mode_names, mode_of, style_for, styles_of
from pathfinder.errors import UsageError
from pathfinder.types import AnswerRequest, ModeName, Specialisation

PAIRS = [(generation, style) for generation in ModeName for style in Specialisation]


@pytest.mark.parametrize("name", MODES.names())
def test_a_mode_declares_all_that_a_page_shows_of_it(name):
    mode = MODES.get(name)
    assert mode.name == name
    assert all((mode.label, mode.help.endswith("."), mode.icon, mode.styles))


@pytest.mark.parametrize(("generation", "style"), PAIRS)
def test_a_mode_honours_a_style_or_refuses_it_by_name(generation, style):
    request = AnswerRequest(generation, style)
    if style in styles_of(generation):
        assert isinstance(mode_of(request), AnswerMode)
    else:
        with pytest.raises(UsageError, match=rf"{generation}.*{style}"):
            mode_of(request)


@pytest.mark.parametrize(("style", "mode"), [("broad", "three-part"), ("bibliometric", "ads-query")])
def test_a_style_of_rag_with_a_mode_of_its_own_is_the_only_one_that_this_mode_supports(style, mode):
    style = Specialisation(style)
    assert mode_of(AnswerRequest(specialisation=style)) is MODES.get(mode)
    assert MODES.get(mode).styles == (style,)
    with pytest.raises(UsageError, match=rf"{mode}.*multi-paper"):
        mode_of(AnswerRequest(mode, Specialisation.MULTI_PAPER))


@pytest.mark.parametrize(("style", "mode"), [("broad", "three-part"), ("bibliometric", "ads-query")])
def test_such_a_mode_still_answers_to_the_name_of_its_style(style, mode):
    assert mode_of(AnswerRequest(style)) is MODES.get(mode)
    assert styles_of(style) == (Specialisation(style),)


@pytest.mark.parametrize("name", [*ModeName, "three-part", "ads-query"])
def test_without_a_style_a_mode_takes_its_own_first(name):
    mode = mode_of(AnswerRequest(name))
    assert mode is MODES.get(name)
    assert mode.style_in(AnswerRequest(name)) is mode.styles[0]


@pytest.mark.parametrize(("generation", "style"), PAIRS)
def test_a_style_that_fits_is_kept_and_another_gives_way_to_the_default(generation, style):
    fitting_style = style_for(generation, style)
    assert fitting_style in styles_of(generation)
    assert fitting_style is style or style not in styles_of(generation)


def test_an_unknown_mode_is_refused_by_name():
    with pytest.raises(UsageError, match=r"'oracle'.*rag, agent"):
        mode_of(AnswerRequest("oracle"))


def test_the_modes_to_choose_from_are_the_public_generations():
    assert set(ModeName) <= set(mode_names())
    assert not {*MODE_OF_STYLE.values(), *MODE_OF_STYLE} & set(mode_names())


def test_the_public_generations_come_first_and_in_their_order():
    assert MODES.names()[: len(ModeName)] == tuple(ModeName)


def test_of_these_only_the_extractive_mode_and_the_query_for_ads_do_without_a_chat_model():
    names = (*ModeName, *MODE_OF_STYLE.values())
    without = {str(name) for name in names if Need.CHAT not in MODES.get(name).needs}
    assert without == {"extractive", "ads-query"}


def test_the_readme_lists_the_modes_as_they_declare_themselves():
    readme = (Path(__file__).parents[2] / "docs" / "answers.md").read_text(encoding="utf-8")
    for name in mode_names():
        styles = ", ".join(f"`{style}`" for style in styles_of(name))
        row = f"| `{name}` | {MODES.get(name).help} | {styles} |"
        assert row in readme, f"add this row to the table of modes in docs/answers.md: {row}"
