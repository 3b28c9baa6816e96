"""A thesaurus on disk, and look-ups in it."""

import pytest

from pathfinder.corpus.thesaurus import Concept, open_thesaurus, read_thesaurus, write_thesaurus
from pathfinder.errors import CorpusDamaged
from tests import thesauri


@pytest.fixture
def folder(tmp_path):
    thesaurus = read_thesaurus(thesauri.write_list(tmp_path / "sky.json"))
    write_thesaurus(thesaurus.name, thesaurus.concepts, tmp_path / "part")
    return tmp_path / "part"


def test_files_of_another_kind_are_told(folder):
    (folder / "names.arrow").write_bytes((folder / "concepts.arrow").read_bytes())
    with pytest.raises(CorpusDamaged, match="has columns that"):
        open_thesaurus(folder)


def test_what_was_written_is_what_is_read(folder, tmp_path):
    thesaurus = open_thesaurus(folder)
    thesaurus_file = read_thesaurus(tmp_path / "sky.json")
    assert tuple(map(thesaurus.concept, range(len(thesaurus)))) == thesaurus_file.concepts
    assert thesaurus.name == "sky"


def test_a_concept_is_found_by_the_lemmas_of_any_of_its_names(folder):
    thesaurus = open_thesaurus(folder)
    assert [(name, concept.label) for name, concept in thesaurus.concepts_called("black  pit")] == [
        ("Black pits", "Gravity wells")
    ]
    assert [concept.concept_id for _, concept in thesaurus.concepts_called("STARS")] == ["2"]
    assert {concept.concept_id for _, concept in thesaurus.concepts_called("twins")} == {"9", "10"}
    assert [thesaurus.concepts_called(name) for name in ("starbursts of suns", "", "?")] == [()] * 3


def test_a_label_goes_before_another_concepts_alternative(tmp_path):
    write_thesaurus("x", (Concept("1", "Novae", ("Suns",)), Concept("2", "Suns")), tmp_path / "part")
    assert [concept.concept_id for _, concept in open_thesaurus(tmp_path / "part").concepts_called("sun")] == ["2"]
