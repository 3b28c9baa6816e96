"""Files that carry a hash of their content in their name."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pathfinder.corpus.parts import END_BYTES, CorpusFile, FileEntry, check_ends, check_whole, is_part_name, place_part
from pathfinder.errors import CorpusDamaged


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "corpus").mkdir()
    return tmp_path / "corpus"


def place_file(folder: Path, content: bytes, role: str = "papers") -> CorpusFile:
    staging_file = folder.parent / "staged.arrow"
    staging_file.write_bytes(content)
    return place_part(staging_file, role, folder)


def placed_folder(folder: Path, **files: bytes) -> CorpusFile:
    staging_folder = folder.parent / "staged"
    staging_folder.mkdir()
    for name, content in files.items():
        (staging_folder / name).write_bytes(content)
    return place_part(staging_folder, "sparse", folder)


@pytest.mark.parametrize(
    "name", ["papers.arrow", "../papers-0123456789abcdef", "/etc/passwd", "", "a-0123456789ABCDEF"]
)
def test_a_part_cannot_lie_elsewhere(name):
    with pytest.raises(ValueError, match="no part"):
        CorpusFile(name, ())


@pytest.mark.parametrize("name", ["../secret", "sparse-0123456789abcdef/../../x", "sparse-0123456789abcdef/a/b", "x"])
def test_a_file_cannot_lie_outside_its_part(name):
    with pytest.raises(ValueError, match="does not lie in"):
        CorpusFile("sparse-0123456789abcdef", (FileEntry(name, 0, "", ""),))


def test_a_part_is_named_by_role_and_content(folder):
    part = place_file(folder, b"hallo")
    assert part.name.startswith("papers-")
    assert part.name.endswith(".arrow")
    assert is_part_name(part.name)
    assert (folder / part.name).read_bytes() == b"hallo"
    assert part == place_file(folder, b"hallo")
    assert part.name != place_file(folder, b"hello").name


def test_a_folder_is_one_part_and_placing_it_again_heals_it(folder):
    part = placed_folder(folder, b=b"two", a=b"one")
    assert [entry.name for entry in part.files] == [f"{part.name}/a", f"{part.name}/b"]
    assert (folder / part.name / "b").read_bytes() == b"two"
    check_whole(folder, part)
    (folder / part.name / "b").unlink()
    placed_folder(folder, a=b"one", b=b"two")
    check_whole(folder, part)


def test_placing_a_part_again_heals_it_and_leaves_a_sound_one_alone(folder):
    part = place_file(folder, b"hallo")
    inode = (folder / part.name).stat().st_ino
    place_file(folder, b"hallo")
    assert (folder / part.name).stat().st_ino == inode
    (folder / part.name).write_bytes(b"hal")
    place_file(folder, b"hallo")
    check_whole(folder, part)


def make_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def alter(place: int) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        content = bytearray(path.read_bytes())
        content[place] = 1
        path.write_bytes(content)

    return change


@pytest.mark.parametrize(
    ("length", "damage", "words"),
    [
        (5, Path.unlink, "is missing: restore the corpus"),
        (5, make_pipe, "is missing"),  # and is not waited on
        (5, lambda path: path.write_bytes(b"hall"), "has 4 bytes, not 5"),
        *((3 * END_BYTES, alter(i), "start or end") for i in (0, END_BYTES - 1, 2 * END_BYTES, 3 * END_BYTES - 1)),
        (2 * END_BYTES, alter(END_BYTES), "was altered"),  # a short file is checked whole
    ],
)
def test_a_file_that_is_missing_short_or_altered_in_head_or_tail_is_named_at_once(folder, length, damage, words):
    part = place_file(folder, bytes(length))
    damage(folder / part.name)
    with pytest.raises(CorpusDamaged, match=f"{part.name}.*{words}"):
        check_ends(folder, part)


def test_a_change_in_the_middle_is_found_by_reading_all_of_it(folder):
    part = place_file(folder, bytes(3 * END_BYTES))
    alter(END_BYTES)(folder / part.name)
    check_ends(folder, part)
    with pytest.raises(CorpusDamaged, match="SHA-256"):
        check_whole(folder, part)
