"""Files that carry a hash of their content in their name."""

import os
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


def test_a_folder_is_one_part(folder):
    part = placed_folder(folder, b=b"two", a=b"one")
    assert [entry.name for entry in part.files] == [f"{part.name}/a", f"{part.name}/b"]
    assert (folder / part.name / "b").read_bytes() == b"two"
    check_whole(folder, part)


def test_placing_a_part_again_heals_it_and_leaves_a_sound_one_alone(folder):
    part = place_file(folder, b"hallo")
    inode = (folder / part.name).stat().st_ino
    place_file(folder, b"hallo")
    assert (folder / part.name).stat().st_ino == inode
    (folder / part.name).write_bytes(b"hal")
    place_file(folder, b"hallo")
    check_whole(folder, part)


def test_placing_a_folder_again_heals_it(folder):
    part = placed_folder(folder, a=b"one", b=b"two")
    (folder / part.name / "b").unlink()
    placed_folder(folder, a=b"one", b=b"two")
    check_whole(folder, part)


def test_a_missing_file_is_named_with_the_remedy(folder):
    part = place_file(folder, b"hallo")
    (folder / part.name).unlink()
    with pytest.raises(CorpusDamaged, match=f"{part.name} is missing: restore the corpus"):
        check_ends(folder, part)


def test_a_pipe_is_not_waited_on(folder):
    part = place_file(folder, b"hallo")
    (folder / part.name).unlink()
    os.mkfifo(folder / part.name)
    with pytest.raises(CorpusDamaged, match="is missing"):
        check_ends(folder, part)


def test_a_short_file_is_named_with_both_lengths(folder):
    part = place_file(folder, b"hallo")
    (folder / part.name).write_bytes(b"hall")
    with pytest.raises(CorpusDamaged, match=f"{part.name} has 4 bytes, not 5"):
        check_ends(folder, part)


@pytest.mark.parametrize("place", [0, END_BYTES - 1, 2 * END_BYTES, 3 * END_BYTES - 1])
def test_a_change_in_head_or_tail_is_found_at_once(folder, place):
    content = bytearray(3 * END_BYTES)
    part = place_file(folder, bytes(content))
    content[place] = 1
    (folder / part.name).write_bytes(content)
    with pytest.raises(CorpusDamaged, match="start or end"):
        check_ends(folder, part)


def test_a_change_in_the_middle_is_found_by_reading_all_of_it(folder):
    content = bytearray(3 * END_BYTES)
    part = place_file(folder, bytes(content))
    content[END_BYTES] = 1
    (folder / part.name).write_bytes(content)
    check_ends(folder, part)
    with pytest.raises(CorpusDamaged, match="SHA-256"):
        check_whole(folder, part)


def test_a_short_file_is_checked_whole(folder):
    part = place_file(folder, bytes(2 * END_BYTES))
    (folder / part.name).write_bytes(bytes(END_BYTES) + b"\1" + bytes(END_BYTES - 1))
    with pytest.raises(CorpusDamaged, match="altered"):
        check_ends(folder, part)
