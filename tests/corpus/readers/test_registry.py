import gzip
from pathlib import Path

import pytest

from pathfinder.corpus.readers import READERS, Reader, read_papers, reader_of
from pathfinder.corpus.readers.csv_table import CSV
from pathfinder.corpus.readers.json_lines import JSON_LINES
from pathfinder.errors import CorpusError
from pathfinder.plugins import Registry
from pathfinder.types import Paper

TITLES_FOR = b"%titles\n"


def title_records(path: Path):
    for number, line in enumerate(path.read_text().splitlines()[1:], start=2):
        yield number, {"id": f"t{number}", "title": line}


TITLES = Reader("a list of titles", (".lst", ".csv"), title_records, sniff=lambda head: head.startswith(TITLES_FOR))


@pytest.fixture
def with_titles(monkeypatch):
    registry = Registry(
        "pathfinder.readers", Reader, {"csv": CSV, "json-lines": JSON_LINES, "titles": TITLES}, "reader"
    )
    monkeypatch.setattr("pathfinder.corpus.readers.registry.READERS", registry)


def test_a_reader_in_the_folder_is_registered_by_its_name_with_hyphens():
    assert (READERS.get("json-lines"), READERS.get("csv")) == (JSON_LINES, CSV)


@pytest.mark.parametrize(
    ("name", "reader"), [("a.jsonl", JSON_LINES), ("a.JSON", JSON_LINES), ("a.json.gz", JSON_LINES), ("a.csv.GZ", CSV)]
)
def test_the_end_of_a_name_decides_on_the_reader(tmp_path, name, reader):
    (tmp_path / name).write_bytes(b"{}")
    assert reader_of(tmp_path / name) is reader


def test_a_reader_that_recognises_a_file_goes_before_one_for_its_suffix(tmp_path, with_titles):
    (tmp_path / "titles.csv").write_bytes(TITLES_FOR + b"Dust in spirals\n")
    (tmp_path / "table.csv").write_bytes(b"id,title\na,t\n")
    assert list(read_papers(tmp_path / "titles.csv")) == [Paper("t2", "Dust in spirals", "")]
    assert list(read_papers(tmp_path / "table.csv")) == [Paper("a", "t", "")]


def test_what_a_reader_recognises_is_looked_for_in_the_unpacked_file(tmp_path, with_titles):
    (tmp_path / "titles.lst.gz").write_bytes(gzip.compress(TITLES_FOR))
    assert reader_of(tmp_path / "titles.lst.gz") is TITLES


def test_a_file_that_nobody_reads_is_refused_with_what_can_be_read(tmp_path, with_titles):
    (tmp_path / "papers.lst").write_bytes(b"something else")
    message = (
        r"papers\.lst is in a format that Pathfinder does not read.* CSV \(\.csv, \.tsv\) or .*JSON lines .* or a list"
    )
    with pytest.raises(CorpusError, match=message):
        reader_of(tmp_path / "papers.lst")
