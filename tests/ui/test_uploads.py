"""Files from visitors: their names are never trusted, and their sizes are limited."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from pathfinder.errors import UsageError
from pathfinder.operations.child.orders import Order, write_order
from pathfinder.text.files import write_file
from pathfinder.ui.corpus import uploads
from pathfinder.ui.corpus.uploads import UPLOADS, keep, plain_name, safe_name, store
from pathfinder.ui.corpus.works import reminder


@dataclass
class Sent:
    """A file as a browser sends it; `size` may be claimed, so that no test needs megabytes."""

    name: str
    content: bytes = b""
    megabytes: float = 0.0

    @property
    def size(self) -> int:
        return int(self.megabytes * 2**20) or len(self.content)

    def getvalue(self) -> bytes:
        return self.content


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("My Library.bib", "my-library.bib"),
        ("../../etc/passwd.bib", "etc-passwd.bib"),
        ("C:\\Users\\me\\Zötero.RIS", "c-users-me-zotero.ris"),
        ("a\x00b\n$(rm -rf ~).json.gz", "a-b-rm-rf.json.gz"),
        (".bib", "file.bib"),
        ("天文学.csv", "file.csv"),
        (f"{'x' * 300}.nbib", f"{'x' * 40}.nbib"),
    ],
)
def test_nothing_of_a_name_remains_but_letters_digits_and_a_known_ending(name: str, safe: str) -> None:
    assert safe_name(name) == safe


def test_files_of_the_same_name_stay_apart() -> None:
    assert safe_name("a.bib", ["a.bib", "a-2.bib"]) == "a-3.bib"


@pytest.mark.parametrize("name", ["library.exe", "library", "library.bib.zip", ""])
def test_an_ending_that_no_reader_knows_is_refused_with_those_that_are_read(name: str) -> None:
    with pytest.raises(
        UsageError, match=re.escape(f"{name!r} is in a format") + r".*\.bib.*\.ris.*Zotero exports BibTeX"
    ):
        safe_name(name)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ([Sent("a.bib")] * 21, "21 files are too many: upload at most 20"),
        ([Sent("a.bib", megabytes=51)], "'a.bib' is 51 MB, more than the 50 MB"),
        ([Sent("a.bib", megabytes=40)] * 3, "the files are 120 MB together, more than the 100 MB"),
    ],
)
def test_what_is_too_much_is_refused_before_anything_is_written(
    files: list[Sent], message: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=message):
        store(files, tmp_path)
    assert not list(tmp_path.iterdir())


def test_an_upload_is_moved_to_its_corpus_once_it_is_built(tmp_path: Path) -> None:
    uploads = store([Sent("../a.bib", b"@misc{a}"), Sent("a.bib", b"@misc{b}")], tmp_path)
    assert [path.name for path in uploads] == ["a.bib", "a-2.bib"]
    assert uploads[0].parent.parent == tmp_path / UPLOADS
    moved = keep(uploads, tmp_path, tmp_path / "mine")
    assert [path.read_bytes() for path in moved] == [b"@misc{a}", b"@misc{b}"]
    assert not uploads[0].exists()
    assert keep(moved, tmp_path, tmp_path / "mine") == moved


def test_the_files_of_a_corpus_are_beside_it_unless_it_is_elsewhere(tmp_path: Path) -> None:
    assert uploads.sources_of(tmp_path / "a" / "stars", tmp_path) == tmp_path / "a" / ".stars.sources"
    assert uploads.sources_of(Path("/srv/stars"), tmp_path) == tmp_path / ".stars.sources"


def test_only_the_endings_that_a_field_allows_are_stored() -> None:
    assert safe_name("My Field.TOML", (), (".toml",)) == "my-field.toml"
    with pytest.raises(UsageError, match=re.escape("'library.bib' cannot be read here: upload a file ending in .toml")):
        safe_name("library.bib", (), (".toml",))


def test_an_upload_is_removed_after_a_day_unless_an_order_that_was_cut_short_needs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (old,) = store([Sent("a.bib")], tmp_path)
    (waiting,) = store([Sent("scan.pdf")], tmp_path, (".pdf",))
    order = Order("build", tmp_path / "papers", {"sources": [str(waiting)]}, ("Scan.pdf",))
    reminder(order.folder, tmp_path).parent.mkdir()
    write_file(reminder(order.folder, tmp_path), write_order(order))
    monkeypatch.setattr(uploads.time, "time", lambda: old.stat().st_mtime + 25 * 3600)
    (new,) = store([Sent("b.bib")], tmp_path)
    assert (old.exists(), waiting.exists(), new.exists()) == (False, True, True)


def test_a_name_that_is_proposed_for_a_corpus_is_plain() -> None:
    assert plain_name("Mein Zötero (2024)") == "mein-zotero-2024"
