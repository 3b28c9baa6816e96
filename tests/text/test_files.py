"""Files are written whole or not at all, and readers' work is closed to others."""

import errno
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pathfinder.addons.scale.lake import Lake, write_lake
from pathfinder.addons.screening.simulation import write_collection
from pathfinder.errors import StoreError, shortage
from pathfinder.text import files
from pathfinder.text.files import is_unfinished, private_folder, remove_unfinished, replacing, write_file
from pathfinder.user_data import Database, back_up, restore

FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return a function after which no file can be flushed, as on a full disk that has taken only half of it."""

    def fill() -> None:
        def fail(path: Path) -> None:
            if path.is_file():
                os.truncate(path, path.stat().st_size // 2)
            raise FULL

        monkeypatch.setattr(files, "sync", fail)

    return fill


def lake(folder: Path, letter: str) -> None:
    write_lake(Lake(1, "Pathfinder", letter, 8, "float32", form_of_tokens="full", shards=()), folder)


def collection(folder: Path, letter: str) -> None:
    table = folder.parent / "papers.csv"
    table.write_text(f"id,title,abstract,included\n1,{letter},Dust.,1\n", encoding="utf-8")
    write_collection(table, letter, folder)


WRITERS: dict[str, Callable[[Path, str], object]] = {
    "text": lambda folder, letter: write_file(folder / "a.txt", letter * 9),
    "bytes": lambda folder, letter: write_file(folder / "a.pfz", letter.encode() * 9, private=True),
    "lake": lake,
    "collection": collection,
}


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_leaves_what_stood_there(name: str, tmp_path: Path, full_disk: Callable[[], None]) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    WRITERS[name](folder, "a")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    full_disk()
    with pytest.raises(StoreError, match=r"cannot be written .*nothing was changed: free some space") as caught:
        WRITERS[name](folder, "b")
    assert shortage(caught.value) == "disk"
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_failure_while_writing_leaves_nothing_beside(tmp_path: Path) -> None:
    with pytest.raises(OverflowError), replacing(tmp_path / "a") as unfinished:
        unfinished.write_bytes((1 << 9).to_bytes(1, "big"))
    with pytest.raises(StoreError, match="make its folder first"):
        write_file(tmp_path / "none" / "a", "x")
    with pytest.raises(StoreError, match=r"directory"):
        write_file(tmp_path, "x")
    assert not list(tmp_path.iterdir())


def test_an_error_of_another_file_is_not_taken_for_one_of_this(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), replacing(tmp_path / "a"):
        (tmp_path / "elsewhere" / "gone").read_bytes()


def test_a_link_and_the_permissions_of_a_file_stay(tmp_path: Path) -> None:
    target, link = tmp_path / "a", tmp_path / "link"
    target.write_text("old", encoding="utf-8")
    target.chmod(0o640)
    link.symlink_to(target)
    write_file(link, "new")
    assert (link.is_symlink(), target.read_text(encoding="utf-8"), mode(target)) == (True, "new", 0o640)


def test_what_is_no_file_is_written_to(tmp_path: Path) -> None:
    write_file(Path("/dev/null"), "x")
    assert Path("/dev/null").is_char_device()


def test_what_a_killed_process_left_is_known_and_removed(tmp_path: Path) -> None:
    (tmp_path / "paper.new").touch()
    with replacing(tmp_path / "a") as unfinished:
        assert is_unfinished(unfinished.name)
        remove_unfinished(tmp_path)
        assert [path.name for path in tmp_path.iterdir()] == ["paper.new"]
        unfinished.touch()


@pytest.mark.usefixtures("open_umask")
def test_readers_work_is_closed_to_others_and_old_work_is_closed_when_it_is_opened(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    old = folder / "old.sqlite3"
    for path in (old, Path(f"{old}-wal"), Path(f"{old}-shm")):
        path.touch(mode=0o644)
    table = "create table judgements (corpus text)"
    for path in (old, folder / "new.sqlite3"):
        with Database(path, table).transaction() as database:
            database.execute("insert into judgements values ('x')")
            assert {mode(each) for each in folder.glob(f"{path.name}*")} == {0o600}
            assert Path(f"{path}-wal").exists()
    (folder / "screenings").mkdir()
    write_file(folder / "screenings" / "a.json", "{}", private=True)
    back_up(folder, tmp_path / "backup.zip")
    restore(tmp_path / "backup.zip", tmp_path / "restored")
    assert mode(tmp_path / "backup.zip") == 0o600
    for each in (folder, tmp_path / "restored", tmp_path / "restored" / "screenings"):
        assert mode(each) == 0o700
    assert {mode(path) for path in (tmp_path / "restored").rglob("*") if path.is_file()} == {0o600}


def test_a_backup_that_does_not_fit_is_not_restored_by_half(tmp_path: Path, full_disk: Callable[[], None]) -> None:
    for name in ("a", "b"):
        with Database(tmp_path / "data" / f"{name}.sqlite3", "create table t (corpus text)").transaction():
            pass
    back_up(tmp_path / "data", tmp_path / "backup.zip")
    full_disk()
    with pytest.raises(StoreError):
        restore(tmp_path / "backup.zip", tmp_path / "restored")
    assert not list((tmp_path / "restored").iterdir())


def test_a_folder_that_many_share_is_left_open(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)
    private_folder(tmp_path)
    assert mode(tmp_path) == 0o1777


def test_shortages_are_known_by_the_words_of_libraries() -> None:
    wrapped = ValueError("the file is damaged")
    wrapped.__cause__ = OSError(errno.ENOMEM, "Cannot allocate memory")
    for error in (MemoryError(), wrapped, RuntimeError("Exception during initialization: std::bad_alloc")):
        assert shortage(error) == "memory"
    assert shortage(OSError(errno.EFBIG, "x")) == "disk"
    assert shortage(OSError("112128 requested and 38384 written")) == "disk"  # as NumPy says it
    assert shortage(ValueError("z")) is None
