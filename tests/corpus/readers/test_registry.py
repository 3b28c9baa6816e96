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


@pytest.mark.parametrize(
    ("name", "content", "reader"),
    [
        ("savedrecs.txt", "\ufeffFN Clarivate Analytics Web of Science\nVR 1.0\nPT J\n", "Web of Science"),
        ("savedrecs.ris", "FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\n", "Web of Science"),
        ("export.txt", "\n1.\nTY  - JOUR\n", "RIS"),
        ("pubmed-set.txt", "\nPMID- 1\n", "NBIB"),
        ("library.txt", "% of mine\n@article{a,\n", "BibTeX"),
        ("table.txt", "Authors\tTitle\tYear\n", "CSV"),
        ("words.ris", "Dear all,\n", "RIS"),
    ],
)
def test_a_format_is_recognised_whatever_its_suffix(tmp_path, name, content, reader):
    (tmp_path / name).write_text(content, encoding="utf-8")
    assert reader_of(tmp_path / name).name == reader


def test_a_text_in_no_known_format_is_refused(tmp_path):
    (tmp_path / "letter.txt").write_text("Dear editor,\nthis title, and its abstract, were read.\n")
    with pytest.raises(CorpusError, match="in a format that Pathfinder does not read"):
        reader_of(tmp_path / "letter.txt")


def test_what_a_reader_recognises_is_looked_for_in_the_unpacked_file(tmp_path, with_titles):
    (tmp_path / "titles.lst.gz").write_bytes(gzip.compress(TITLES_FOR))
    assert reader_of(tmp_path / "titles.lst.gz") is TITLES


def test_a_file_that_nobody_reads_is_refused_with_what_can_be_read(tmp_path, with_titles):
    (tmp_path / "papers.lst").write_bytes(b"something else")
    message = r"papers\.lst is in a format that Pathfinder does not read.* CSV \(\.csv,.*JSON lines .* or a list"
    with pytest.raises(CorpusError, match=message):
        reader_of(tmp_path / "papers.lst")
