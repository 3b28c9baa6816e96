import pytest

from pathfinder.errors import CorpusDamaged
from pathfinder.index.terms import KeywordIndex, build_keyword_index
from pathfinder.landscape.layers.store import ABOUT, are_current, open_layers, write_layers
from pathfinder.types import Paper
from tests.landscape.planted import table

PAPERS = [Paper("a", "Seen with JWST", "", keywords=("moons",)), Paper("b", "Quasars", "", keywords=("quasars",))]


@pytest.fixture
def write(tmp_path, thesaurus):
    def write_into(name, with_thesaurus=True):
        build_keyword_index(PAPERS, tmp_path / "terms")
        terms = KeywordIndex.open(tmp_path / "terms")
        write_layers(table(PAPERS), terms, thesaurus if with_thesaurus else None, tmp_path / name)
        return tmp_path / name

    return write_into


@pytest.mark.parametrize("content", [b"", b"{", b"\xff"])
def test_a_damaged_list_is_told_with_its_name(write, content):
    folder = write("layers")
    (folder / ABOUT).write_bytes(content)
    with pytest.raises(CorpusDamaged, match=r"layers\.json cannot be read"):
        open_layers(folder, 2)


@pytest.mark.parametrize("content", [b"[]", b'{"version": 1}', b'{"version": 2, "catalogue": "another"}'])
def test_layers_of_another_version_or_catalogue_are_not_current(write, content):
    folder = write("layers")
    assert are_current(folder)
    (folder / ABOUT).write_bytes(content)
    assert not are_current(folder)


def test_missions_and_concepts_come_back(write):
    missions, concepts = open_layers(write("layers"), 2)
    assert missions.rows_of("jwst").tolist() == [0]
    assert [concepts.rows_of(concept_id).tolist() for concept_id in ("4", "5", "1")] == [[0], [1], []]


def test_without_a_thesaurus_there_are_no_concepts(write):
    assert open_layers(write("layers", with_thesaurus=False), 2)[1] is None


def test_the_same_papers_write_the_same_bytes(write):
    one, other = write("one"), write("other")
    files = sorted(path.name for path in one.iterdir())
    assert len(files) == 7
    for name in files:
        assert (one / name).read_bytes() == (other / name).read_bytes()
