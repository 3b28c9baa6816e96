import pytest

from pathfinder.errors import CorpusDamaged
from pathfinder.index.terms import KeywordIndex, build_keyword_index
from pathfinder.landscape.data.groups import (
    INDEX,
    INDEX_OF_0_1,
    are_current,
    open_paper_groups,
    write_paper_groups,
)
from pathfinder.types import Paper
from tests.landscape.planted import table

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
    with pytest.raises(CorpusDamaged, match=r"groups\.json cannot be read"):
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
