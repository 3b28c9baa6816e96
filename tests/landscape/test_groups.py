import json

import numpy as np
import pytest

from pathfinder.errors import CorpusDamaged
from pathfinder.index.terms import KeywordIndex, build_keyword_index
from pathfinder.landscape.data.groups import (
    INDEX,
    INDEX_OF_0_1,
    Groups,
    are_current,
    open_groups,
    open_paper_groups,
    write_groups,
    write_paper_groups,
)
from pathfinder.types import Paper
from tests.landscape.planted import table

GROUPS = Groups.of({"a": [3, 1, 3], "b": [], "ü": [0]})


@pytest.fixture
def folder(tmp_path):
    write_groups(GROUPS, tmp_path, "kinds")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("ends", np.array([2, 1, 3])),
        ("ends", np.array([2, 2])),
        ("ends", np.array([2, 2, 9])),
        ("ends", np.array([2.0, 2.0, 3.0])),
        ("rows", np.array([1, 3, -1], dtype=np.int32)),
        ("rows", np.array([1, 3, 4], dtype=np.int32)),
    ],
)
def test_arrays_that_do_not_fit_are_refused(folder, name, content):
    np.save(folder / f"kinds_{name}.npy", content)
    with pytest.raises(CorpusDamaged, match=r"not the groups of 4 papers|cannot be read"):
        open_groups(folder, "kinds", 4)


@pytest.mark.parametrize("names", [{"a": 1}, ["a", 2, "b"], ["a"]])
def test_names_that_do_not_fit_are_refused(folder, names):
    (folder / "kinds_names.json").write_text(json.dumps(names))
    with pytest.raises(CorpusDamaged, match=r"not the groups of 4 papers|cannot be read"):
        open_groups(folder, "kinds", 4)


def test_groups_come_back_as_they_were(folder):
    groups = open_groups(folder, "kinds", 4)
    assert groups.names == ("a", "b", "ü")
    assert [groups.rows_of(name).tolist() for name in ("a", "b", "ü", "other")] == [[1, 3], [], [0], []]
    assert groups.sizes().tolist() == [2, 0, 1]


def test_no_groups_at_all_can_be_written_and_read(tmp_path):
    write_groups(Groups.of({}), tmp_path, "none")
    assert open_groups(tmp_path, "none", 0).names == ()


PAPERS = [Paper("a", "Seen with JWST", "", keywords=("moons",)), Paper("b", "Quasars", "", keywords=("quasars",))]


@pytest.fixture
def write(tmp_path, thesaurus):
    def write_into(name, with_thesaurus=True):
        build_keyword_index(PAPERS, tmp_path / "terms")
        terms = KeywordIndex.open(tmp_path / "terms")
        write_paper_groups(table(PAPERS), terms, thesaurus if with_thesaurus else None, tmp_path / name)
        return tmp_path / name

    return write_into


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff"])
def test_a_damaged_list_is_told_with_its_name(write, content):
    folder = write("groups")
    (folder / INDEX).write_bytes(content)
    with pytest.raises(CorpusDamaged, match=r"groups\.json"):
        open_paper_groups(folder, 2)


@pytest.mark.parametrize("content", [b'{"inputs": "other"}', b'{"version": 3, "catalogue": "another"}'])
def test_groups_of_other_code_or_another_catalogue_are_not_current(write, content):
    folder = write("groups")
    assert are_current(folder)
    (folder / INDEX).write_bytes(content)
    assert not are_current(folder)


def test_missions_and_concepts_come_back(write):
    missions, concepts = open_paper_groups(write("groups"), 2)
    assert missions.rows_of("jwst").tolist() == [0]
    assert [concepts.rows_of(concept_id).tolist() for concept_id in ("4", "5", "1")] == [[0], [1], []]


def test_without_a_thesaurus_there_are_no_concepts(write):
    assert open_paper_groups(write("groups", with_thesaurus=False), 2)[1] is None


def test_groups_of_0_1_are_read_and_found_again_by_the_next_build(write):
    folder = write("groups")
    (folder / INDEX).unlink()
    (folder / INDEX_OF_0_1).write_text('{"version": 3, "catalogue": "another", "groups": ["missions", "concepts"]}')
    missions, concepts = open_paper_groups(folder, 2)
    assert missions.rows_of("jwst").tolist() == [0]
    assert concepts is not None
    assert not are_current(folder)
