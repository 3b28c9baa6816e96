"""Criteria: what a question demands, and what papers show about it in their own sentences."""

import json
import re
from pathlib import Path

import pytest

from pathfinder.addons.comparison.comparison import comparison_table, criterion_columns, read_columns, stream_table
from pathfinder.addons.comparison.criteria import MAX_CRITERIA, read_criteria, read_criterion
from pathfinder.addons.comparison.outcome import ComparisonTable, Mark
from pathfinder.addons.comparison.writing import comparison_csv, comparison_markdown
from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.llm.stopping import drain
from pathfinder.models.fake import HashEmbedder, ScriptedChat
from pathfinder.models.minilm import MiniLM
from pathfinder.profile import astronomy
from pathfinder.types import FullTextPassage, Paper, SectionKind
from tests.full_text_corpus import full_text_corpus

MPC = 3.0857e22
SEEN = Paper(
    "seen",
    "Spectroscopy of dwarf galaxies in the Local Volume",
    "We observed 120 dwarf galaxies with the VLT. We measure their velocities from optical spectra.",
)
FEW = Paper("few", "Two quasars at z = 6.3", "We obtained spectra of two quasars at z = 6.3 with Magellan.")
MADE = Paper(
    "made",
    "Dwarf galaxies in cosmological simulations",
    "We present hydrodynamical simulations of 12 dwarf galaxies. The simulations resolve the interstellar medium.",
)
SILENT = Paper("silent", "A note", "It is short.")


def marks(*criteria: str, papers: tuple[Paper, ...] = (SEEN, FEW, MADE, SILENT)) -> dict[str, tuple[Mark | None, ...]]:
    return {
        row.paper.paper_id: tuple(cell.mark if cell else None for cell in row.cells)
        for row in table(*criteria, papers=papers).rows
    }


def table(*criteria: str, papers: tuple[Paper, ...], chat: ScriptedChat | None = None) -> ComparisonTable:
    return drain(stream_table(papers, criterion_columns(criteria, astronomy()), chat, MiniLM()))


@pytest.mark.parametrize(
    ("question", "criteria"),
    [
        (
            "spectroscopic surveys of dwarf galaxies beyond 3 Mpc with at least 50 objects, not simulations",
            ("spectroscopic surveys", "dwarf galaxies", "beyond 3 Mpc", "at least 50 objects", "not simulations"),
        ),
        ("barred galaxies with masses below 10 Earth masses", ("barred galaxies", "masses below 10 Earth masses")),
        ("quasars at redshift between 2 and 4", ("quasars", "redshift between 2 and 4")),
    ],
)
def test_a_question_is_read_as_criteria(question: str, criteria: tuple[str, ...]) -> None:
    assert read_criteria(question, astronomy()) == criteria


def test_limits_are_read_with_their_units() -> None:
    beyond = read_criterion("beyond 3 Mpc", astronomy()).bounds
    assert beyond is not None
    assert beyond.target is not None
    assert (beyond.target.kind.name, beyond.least, beyond.most) == (
        "distance",
        pytest.approx(3 * MPC, 1e-3),
        float("inf"),
    )
    assert (beyond.holds(4 * MPC, 5 * MPC), beyond.holds(MPC, 2 * MPC), beyond.holds(MPC, 5 * MPC)) == (
        True,
        False,
        None,
    )


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("distance from 10 kpc to 3 Mpc", 0.01 * MPC, 3 * MPC),
        ("distance of 3-4 Mpc", 3 * MPC, 4 * MPC),
        ("redshift between 2 and 4", 2, 4),
        ("2 < z < 4", 2, 4),
        ("redshift not above 6", -float("inf"), 6),
    ],
)
def test_the_ends_of_a_range_have_each_their_own_unit(text: str, least: float, most: float) -> None:
    bounds = read_criterion(text, astronomy()).bounds
    assert bounds is not None
    assert (bounds.least, bounds.most) == (pytest.approx(least, 1e-3), pytest.approx(most, 1e-3))


def test_a_range_in_a_question_stays_one_criterion() -> None:
    criteria = ("galaxies", "distances between 10 kpc and 3 Mpc")
    assert read_criteria("galaxies at distances from 10 kpc to 3 Mpc", astronomy()) == criteria


def test_limits_on_two_things_are_no_range_and_stay_unknown() -> None:
    both = Paper("both", "Galaxies at redshift 3", "We observed 12 galaxies at z = 3. The galaxies are young.")
    assert marks("at least 50 galaxies at z > 2", papers=(both,)) == {"both": (Mark.UNKNOWN,)}


def test_numbers_of_things_and_values_are_compared() -> None:
    found = marks("at least 50 objects", "z > 6")
    assert found["seen"] == (Mark.YES, Mark.UNKNOWN)
    assert found["few"][1] is Mark.YES
    assert found["made"] == (Mark.UNKNOWN, Mark.UNKNOWN)
    assert found["silent"] == (Mark.UNKNOWN, Mark.UNKNOWN)


def test_an_exclusion_is_met_only_if_a_sentence_shows_what_there_is_instead() -> None:
    comparison = table("not simulations", papers=(SEEN, MADE, SILENT))
    cells = {row.paper.paper_id: row.cells[0] for row in comparison.rows}
    assert {name: cell.mark for name, cell in cells.items() if cell} == {
        "seen": Mark.YES,
        "made": Mark.NO,
        "silent": Mark.UNKNOWN,
    }
    assert all((cell.mark is Mark.UNKNOWN) == (not cell.quotation) for cell in cells.values() if cell)
    assert not any(cell.is_inferred for cell in cells.values() if cell)


def test_an_exclusion_far_from_all_that_is_said_is_met_by_what_the_authors_do_unless_papers_seldom_name_it() -> None:
    criteria = ("not gravitational waves", "not a purely theoretical paper")
    comparison = table(*criteria, papers=(MADE, SILENT))
    made, silent = ({row.paper.paper_id: row.cells for row in comparison.rows}[name] for name in ("made", "silent"))
    assert [cell.mark for cell in made if cell] == [Mark.YES, Mark.UNKNOWN]
    assert made[0] is not None
    assert made[0].quotation == "We present hydrodynamical simulations of 12 dwarf galaxies."
    assert made[0].is_inferred
    assert made[0].quoted != made[0].quotation, "the sentence alone would pass for a proof"
    assert [cell.mark for cell in silent if cell] == [Mark.UNKNOWN, Mark.UNKNOWN]


def test_others_of_the_kind_that_is_asked_for_are_not_that_kind() -> None:
    assert marks("not dwarf galaxies", papers=(MADE,)) == {"made": (Mark.NO,)}
    assert marks("not other dwarf galaxies", papers=(MADE,)) == {"made": (Mark.UNKNOWN,)}
    assert marks("not only dwarf galaxies", papers=(MADE,)) == {"made": (Mark.UNKNOWN,)}


def test_other_words_may_stand_among_those_of_a_criterion_and_two_mentions_are_enough() -> None:
    speed = Paper("speed", "A note", "We measure the pattern speed of the long bar. Stars are old.")
    twice = Paper("twice", "A note", "Bars of fast pattern speed exist. The pattern speed of a bar falls.")
    once = Paper("once", "A note", "Bars of fast pattern speed exist. Stars are old.")
    found = marks("bar pattern speed", papers=(speed, twice, once))
    assert found == {"speed": (Mark.YES,), "twice": (Mark.YES,), "once": (Mark.UNKNOWN,)}


def test_without_the_local_embedder_words_are_not_compared_by_meaning() -> None:
    columns = criterion_columns(("not gravitational waves",), astronomy())
    (row,) = drain(stream_table((MADE,), columns, None, HashEmbedder(16))).rows
    assert row.cells[0] is not None
    assert row.cells[0].mark is Mark.UNKNOWN


@pytest.mark.parametrize(
    ("criterion", "title", "abstract"),
    [
        (
            "not simulations",
            "Gas motions in a cool-core cluster",
            "We observed the cluster with XRISM. The simulations of others predict more. The speeds agree with these.",
        ),
        (
            "not gravitational waves",
            "Hardening of binaries",
            "Binaries harden by slingshots. It bears on gravitational waves. Gravitational waves shrink orbits later.",
        ),
        ("not Gaia", "Stripping of Gaia-Enceladus", "We find two parts of Gaia-Enceladus. Gaia-Enceladus is old."),
        ("simulations", "A note", "Instead of using simulations, we observed 100 stars."),
        ("simulations", "A note", "Previous work on dust was based on simulations. Here we observed M31."),
        ("machine learning", "A note", "We present a catalogue made without using machine learning."),
        (
            "not machine learning",
            "A note",
            "We observed stars without machine learning. Machine learning is not needed.",
        ),
        ("O or B type stars", "A note", "We find that stars are old."),
    ],
)
def test_what_is_only_spoken_of_neither_shows_nor_excludes(criterion: str, title: str, abstract: str) -> None:
    assert marks(criterion, papers=(Paper("spoken", title, abstract),)) == {"spoken": (Mark.UNKNOWN,)}


def test_other_names_of_a_thing_stand_for_it_and_an_acronym_among_them_must_be_one_in_the_paper() -> None:
    flare = Paper("flare", "A flare of Sgr A*", "We observed Sgr A* for a night.")
    play = Paper("play", "How stars act", "We show how stars act.")
    act = Paper("act", "Clusters seen by ACT", "We found clusters with ACT.")
    marked = marks("not Sagittarius A*", "Atacama Cosmology Telescope", papers=(flare, play, act))
    assert marked["flare"][0] is Mark.NO
    assert (marked["play"][1], marked["act"][1]) == (Mark.UNKNOWN, Mark.YES)


def test_either_of_two_things_that_or_joins_is_enough() -> None:
    glitch = Paper("glitch", "A note", "We measure glitches of the Crab pulsar.")
    asked = ("pulsar timing or glitches", "timing or magnetic fields")
    assert marks(*asked, papers=(glitch,)) == {"glitch": (Mark.YES, Mark.UNKNOWN)}


def test_papers_that_meet_most_come_first_and_those_that_fail_last() -> None:
    assert list(marks("not simulations", "at least 50 objects")) == ["seen", "few", "silent", "made"]


def test_criteria_are_columns_of_the_table_and_of_its_files() -> None:
    comparison = table("not simulations", papers=(SEEN,))
    assert (comparison.columns, comparison.criteria) == (("not simulations",), ("not simulations",))
    sentence = "We observed 120 dwarf galaxies with the VLT."
    assert comparison_csv(comparison).splitlines()[1].endswith(f"yes,{sentence}")
    assert f"yes: {sentence}" in comparison_markdown(comparison)


KEY = re.compile(r'<source key="(\w+)">')


def passage(text: str, kind: SectionKind, page: int) -> FullTextPassage:
    return FullTextPassage(text, f"{page}. {kind.value.title()}", kind, page, page, 0, 0, 0, len(text))


TEXTS = {
    SEEN.paper_id: (
        passage("We use simulations for the first time here, said others.", SectionKind.INTRODUCTION, 1),
        passage("The mock sky is rich. We ran N-body simulations of 40 fields. We used ALMA.", SectionKind.METHOD, 3),
        passage("Smith et al., using Gaia, found less.", SectionKind.RESULT, 4),
    )
}


def test_a_full_text_shows_what_its_authors_do_with_section_and_page() -> None:
    columns = criterion_columns(["not simulations", "ALMA", "Gaia"], astronomy())
    comparison = drain(stream_table([SEEN], columns, None, MiniLM(), TEXTS))
    (row,) = comparison.rows
    assert [(cell.mark, cell.quotation, cell.place) for cell in row.cells if cell] == [
        (Mark.NO, "We ran N-body simulations of 40 fields.", "3. Method, page 3"),
        (Mark.YES, "We used ALMA.", "3. Method, page 3"),
        (Mark.UNKNOWN, "", ""),
    ]
    assert "We used ALMA. (3. Method, page 3)" in comparison_csv(comparison)


def test_the_chat_model_reads_passages_of_full_texts_and_its_quotations_name_their_place() -> None:
    def reply(prompt: str) -> str:
        assert "Full text (3. Method, page 3): The mock sky is rich." in prompt
        cell = {"text": "no", "quote": "We ran N-body simulations of 40 fields."}
        return json.dumps({"rows": [{"key": key, "cells": [cell]} for key in KEY.findall(prompt)]})

    columns = criterion_columns(["not N-body simulations"], astronomy())
    (row,) = drain(stream_table([SEEN], columns, ScriptedChat(reply), MiniLM(), TEXTS)).rows
    assert [(cell.mark, cell.place) for cell in row.cells if cell] == [(Mark.NO, "3. Method, page 3")]


@pytest.mark.build
def test_the_full_texts_of_a_corpus_are_read_for_criteria(tmp_path: Path) -> None:
    def reply(prompt: str) -> str:
        cell = {"text": "yes", "quote": "At last a quokka hopped across the polished dome floor"}
        return json.dumps({"rows": [{"key": key, "cells": [cell]} for key in KEY.findall(prompt)]})

    embedder = HashEmbedder(384)
    pf = Pathfinder.open(full_text_corpus(tmp_path, embedder), embedder=embedder, chat=ScriptedChat(reply))
    (row,) = comparison_table(pf, ["survey"], criteria=["quokka"]).rows
    assert [(cell.mark, cell.place.partition(", page")[0]) for cell in row.cells if cell] == [(Mark.YES, "2. Methods")]


def test_a_mark_of_the_chat_model_without_a_quotation_is_unknown() -> None:
    def reply(prompt: str) -> str:
        cells = [
            {"text": "yes", "quote": "We observed 120 dwarf galaxies with the VLT."},
            {"text": "No.", "quote": "It is a theory paper from first to last."},
            {"text": "", "quote": ""},
        ]
        return json.dumps({"rows": [{"key": key, "cells": cells} for key in KEY.findall(prompt)]})

    (row,) = table("dwarf galaxies", "not theory", "z > 6", papers=(SEEN,), chat=ScriptedChat(reply)).rows
    assert [(cell.mark, bool(cell.quotation)) for cell in row.cells if cell] == [
        (Mark.YES, True),
        (Mark.UNKNOWN, False),
        (Mark.UNKNOWN, False),
    ]


def test_criteria_stand_beside_other_columns() -> None:
    columns = (*criterion_columns(["z > 6"], astronomy()), *read_columns(["sample"]))
    (row,) = drain(stream_table([FEW], columns, None, MiniLM())).rows
    assert [cell.mark if cell else None for cell in row.cells] == [Mark.YES, None]


def test_too_many_criteria_or_an_empty_one_are_refused() -> None:
    with pytest.raises(UsageError, match=f"at most {MAX_CRITERIA} criteria"):
        criterion_columns([f"z > {n}" for n in range(MAX_CRITERIA + 1)], astronomy())
    with pytest.raises(UsageError, match="has 0 characters"):
        read_criterion(" ", astronomy())


@pytest.mark.parametrize("text", ["?", "the", "not it", "β", "它", "z not above 6"])
def test_a_criterion_that_names_nothing_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=re.escape(repr(text))):
        read_criterion(text, astronomy())


@pytest.mark.parametrize(
    ("question", "criteria"),
    [
        ("How do stars form without it?", ("How do stars form",)),
        ("quasars, z not above 6", ("quasars",)),
        ("quasars, not z > 6", ("quasars", "not z > 6")),
    ],
)
def test_what_names_nothing_in_a_question_is_left_out(question: str, criteria: tuple[str, ...]) -> None:
    assert read_criteria(question, astronomy()) == criteria


def test_many_spaces_in_a_question_count_as_one() -> None:
    gap = " " * 20_000
    assert read_criteria(f"dust{gap}without{gap}gas{gap}", astronomy()) == ("dust", "not gas")
