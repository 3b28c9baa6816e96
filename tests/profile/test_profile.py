"""The profile of a field: the shipped one, one from a file, and what is refused."""

import re
from pathlib import Path
from typing import get_args

import pytest
from streamlit.emojis import ALL_EMOJIS

from pathfinder.errors import CorpusError
from pathfinder.profile import astronomy, off_topic_questions, parse_profile, read_profile
from pathfinder.profile.profile import Bibliography, FacilityCatalogue, check_icon
from pathfinder.profile.profile_file import shipped_questions
from pathfinder.profile.quantity import Base

BOTANY = """
name = "botany"
title = "Plants"
icon = "🌱"
examples = ["How do orchids find their fungi?"]

[field]
names = ["botany", "plant science"]
adjective = "botanical"
experts = ["botanist"]
"""


DOCS = Path(__file__).parents[2] / "docs"


def test_the_profile_of_the_page_for_a_new_field_is_whole_and_all_dimensions_are_listed():
    block = (DOCS / "your_field.md").read_text(encoding="utf-8").partition("```toml\n")[2].partition("```")[0]
    assert parse_profile(block.encode(), "field.toml").quantities[0].name == "prevalence"
    smallest = block.partition("[abstention]")[0]
    assert parse_profile(smallest.encode(), "field.toml").quantities == ()
    listed = (DOCS / "profiles.md").read_text(encoding="utf-8").partition("The dimensions are ")[2].partition(".")[0]
    assert set(re.split(r",\s|\sand\s", listed)) == set(get_args(Base))


def botany(more: str = "") -> bytes:
    return (BOTANY + more).encode()


def test_the_shipped_profile_is_that_of_astronomy():
    profile = astronomy()
    assert (profile.name, profile.field.name, profile.field.expert) == ("astronomy", "astronomy", "astronomer")
    assert (profile.services.facilities, profile.services.bibliography) == (
        FacilityCatalogue.ASTRONOMY,
        Bibliography.ADS,
    )
    assert len(profile.examples) == 9


def test_another_field_is_described_by_a_few_keys_and_has_no_services():
    profile = parse_profile(botany(), "plants.toml")
    assert profile.field.names == ("botany", "plant science")
    assert profile.services.bibliography is Bibliography.NONE
    assert profile.overloaded_terms == ()
    assert "the subject of these papers" in profile.redirects.order


def test_a_profile_is_read_from_a_file_with_its_bytes(tmp_path):
    (tmp_path / "plants.toml").write_bytes(botany())
    profile, content = read_profile(tmp_path / "plants.toml")
    assert (profile.name, content) == ("botany", botany())


def test_the_questions_of_the_own_fields_are_left_out_and_own_questions_added():
    profile = parse_profile(
        botany('[abstention]\nown_fields = ["biology"]\nquestions = ["Is a piano in tune?"]'), "plants.toml"
    )
    questions = off_topic_questions(profile)
    assert questions[-1] == "Is a piano in tune?"
    left_out = {question.text for question in shipped_questions() if question.field == "biology"}
    assert len(left_out) >= 5
    assert not left_out & set(questions)
    assert len(questions) == len(shipped_questions()) - len(left_out) + 1


def test_astronomy_leaves_out_questions_on_the_sky_and_no_others():
    left_out = {question.text for question in shipped_questions()} - set(off_topic_questions(astronomy()))
    assert left_out == {question.text for question in shipped_questions() if question.field == "astronomy"}


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b"name = ", "is not TOML"),
        (b"name = '\xff'", "is not TOML in UTF-8"),
        (botany('[services]\nbibliography = "PubMed"'), r"services\.bibliography: input should be 'ADS' or 'none'"),
        (botany('[abstention]\nfields = ["biology"]'), r"abstention\.fields: profiles have no such key"),
        (b"name = 'x'", "title: this key is missing"),
        (botany().replace(b'"botanist"', b""), "field.experts"),
        (botany().replace(b'"botanist"', b'"$expert"'), r"field\.experts\.0: string should match"),
        (botany().replace(b'"Plants"', b"3"), "title: input should be a valid string, not '3'"),
        (botany().replace("🌱".encode(), b""), "icon: an icon must be a single emoji, or ':material/name:', not ''"),
        (botany().replace("🌱".encode(), b"leaf.png"), "an icon must be a single emoji, .* not 'leaf.png'"),
        (botany().replace("🌱".encode(), "🌱🌱".encode()), "an icon must be a single emoji"),
        (botany().replace("🌱".encode(), "★".encode()), "an icon must be a single emoji"),
        (botany().replace("🌱".encode(), b":material/Leaf:"), "an icon must be a single emoji"),
        (b"#" * 1_000_001, "longer than the 1,000,000 bytes"),
    ],
)
def test_what_is_no_profile_is_refused_with_its_key_the_rule_and_the_way_out(content, place):
    with pytest.raises(CorpusError, match=place) as refused:
        parse_profile(content, "plants.toml")
    assert str(refused.value).startswith("plants.toml")
    assert "docs/profiles.md" in str(refused.value)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(CorpusError, match=r"nowhere\.toml"):
        read_profile(tmp_path / "nowhere.toml")


def test_every_emoji_of_the_page_and_a_material_symbol_are_icons():
    for icon in (*ALL_EMOJIS, ":material/potted_plant:"):
        assert check_icon(icon) == icon


def quantity(line: str, name: str = "half-life") -> bytes:
    keys = {"name": f'"{name}"', "words": "['half-li(?:fe|ves)']", "dimensions": "[{ time = 1 }]"}
    key, _, value = line.partition(" = ")
    return botany("\n[[quantities]]\n" + "\n".join(f"{k} = {v}" for k, v in (keys | {key: value}).items()))


@pytest.mark.parametrize(
    ("line", "place"),
    [
        (
            "words = ['half-li(fe']",
            r"quantities\.0\.words\.0: a pattern must be a Python regular expression.*half-li\(fe",
        ),
        ("words = ['half-li(fe|ves)']", r"quantities\.0\.words\.0: a pattern must not capture groups: write \(\?:"),
        ("words = ['(?:half-life)?']", r"quantities\.0\.words\.0: a pattern must not match an empty string"),
        (r"words = ['\b']", r"quantities\.0\.words\.0: a pattern must not match an empty string"),
        ("symbols = 'T['", r"quantities\.0\.symbols: a pattern must be a Python regular expression"),
        ("unit = '*'", r"quantities\.0\.unit: a pattern must be a Python regular expression"),
        ("dimensions = [{ years = 1 }]", r"quantities\.0\.dimensions\.0\.0\.0: input should be .*'time'.*'years'"),
        ("dimensions = []", r"quantities\.0\.dimensions: "),
        ('after = "mas"', r"quantities\.0\.after: input should be .*'mass'.*'mas'"),
        ('name = "mass"', r"quantities: the name 'mass' is already in use: each quantity needs its own"),
    ],
)
def test_a_quantity_is_refused_with_its_key_the_rule_and_the_way_out(line, place):
    with pytest.raises(CorpusError, match=rf"(?s)plants\.toml:? {place}.*: correct it as docs/profiles\.md describes"):
        parse_profile(quantity(line), "plants.toml")
