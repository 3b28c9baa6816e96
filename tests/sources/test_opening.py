"""Files and folders as sources, and what each source is opened with."""

import datetime
import json
from dataclasses import replace
from pathlib import Path

import pytest

from pathfinder.corpus.readers import RejectedRow
from pathfinder.errors import CorpusError, UsageError
from pathfinder.settings import Settings
from pathfinder.sources import SOURCES, Access, Window, open_sources
from pathfinder.sources.opening import preview_sources
from pathfinder.types import Paper, Provenance

TODAY = datetime.date(2026, 11, 22)
ACCESS = Access(Settings(_env_file=None), TODAY)


def write(path: Path, *papers: dict[str, object]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps({"title": "t", "abstract": "a", **paper}) + "\n" for paper in papers))
    return path


def rows(source: Path | str, window: Window | None = None) -> list[tuple[int, Paper | RejectedRow]]:
    (opened_source,) = open_sources([source], window or Window(), ACCESS)
    return list(opened_source.rows)


def ids(source: Path, window: Window) -> list[str | None]:
    return [row.paper_id if isinstance(row, Paper) else row.record_id for _, row in rows(source, window)]


def test_a_paper_of_a_file_carries_its_file_its_id_and_the_day(tmp_path):
    ((line, paper),) = rows(write(tmp_path / "a.jsonl", {"id": "x"}))
    provenance = (Provenance("file", "x", retrieved=TODAY),)
    assert (line, paper) == (1, Paper("x", "t", "a", provenance=provenance))


def test_a_folder_is_read_file_by_file_and_an_unknown_file_is_rejected(tmp_path):
    write(tmp_path / "lib" / "b" / "2.jsonl", {"id": "2"})
    write(tmp_path / "lib" / "1.jsonl", {"id": "1"}, {"title": ""})
    write(tmp_path / "lib" / ".hidden" / "3.jsonl", {"id": "3"})
    (tmp_path / "lib" / "paper.pdf").write_bytes(b"%PDF")
    first, bad, second, unknown = rows(tmp_path / "lib")
    assert (first[1].paper_id, second[1].paper_id) == ("1", "2")
    assert bad == (2, RejectedRow("lib/1.jsonl", 2, "no title", None))
    assert unknown == (1, RejectedRow("lib/paper.pdf", 1, "in a format that Pathfinder does not read", None))
    (tmp_path / "empty").mkdir()
    with pytest.raises(CorpusError, match="contains no file in a format that Pathfinder reads"):
        rows(tmp_path / "empty")


def test_one_citation_key_in_two_files_of_a_folder_means_two_papers(tmp_path):
    write(tmp_path / "lib" / "a.jsonl", {"id": "1", "title": "Dust"})
    write(tmp_path / "lib" / "b" / "a.jsonl", {"id": "1", "title": "Gas"})
    assert [paper.paper_id for _, paper in rows(tmp_path / "lib")] == ["1", "1@b/a.jsonl"]


@pytest.mark.parametrize("content", [b"", b"\x00\xffPNG", b"a page of prose"])
def test_a_file_without_a_record_says_so(content, tmp_path):
    messages: list[str] = []
    (tmp_path / "photo.bib").write_bytes(content)
    (opened_source,) = open_sources([tmp_path / "photo.bib"], Window(), replace(ACCESS, say=messages.append))
    assert list(opened_source.rows) == []
    assert messages == ["photo.bib contains no records: it is empty, or not in the format that its suffix suggests"]


def test_the_window_leaves_out_what_is_dated_outside_and_keeps_what_has_no_date(tmp_path):
    dates = {"old": "2019-12-31", "in": "2020-01-01", "new": "2021-01-01"}
    dated = [{"id": paper_id, "date": day} for paper_id, day in dates.items()]
    source = write(tmp_path / "a.jsonl", *dated, {"id": "year", "year": 2020}, {"id": "undated"})
    window = Window(since=datetime.date(2020, 1, 1), until=datetime.date(2020, 12, 31))
    assert ids(source, window) == ["in", "year", "undated"]


def test_at_most_so_many_papers_are_read_and_rejected_rows_do_not_count(tmp_path):
    source = write(tmp_path / "a.jsonl", {"title": ""}, {"id": "1"}, {"id": "2"}, {"id": "3"})
    assert ids(source, Window(max_papers=2)) == [None, "1", "2"]


@pytest.mark.parametrize("fault", [{"max_papers": 0}, {"since": TODAY, "until": datetime.date(2020, 1, 1)}])
def test_an_impossible_window_is_refused(fault):
    with pytest.raises(UsageError):
        Window(**fault)


def test_an_unknown_scheme_is_refused_with_those_that_there_are():
    with pytest.raises(UsageError, match=r"'pubmed'.*arxiv"):
        rows("pubmed:dust")


def test_each_source_gets_a_folder_of_its_own_and_what_it_kept(tmp_path, monkeypatch):
    write(tmp_path / "a.jsonl", {"id": "x"})
    seen = []

    def record(spec, window, access):
        seen.append(access)
        return iter(())

    kind = SOURCES.get("file")
    monkeypatch.setitem(SOURCES._loaded_extensions, "file", replace(kind, open=record))
    access = Access(ACCESS.settings, TODAY, tmp_path / "kept")
    open_sources(["a", "b"], Window(), access, {"b": "until 2026-01-01"})
    assert seen[0].folder != seen[1].folder
    assert seen[0].folder.parent == seen[1].folder.parent == tmp_path / "kept"
    assert [source.memory.last for source in seen] == [None, "until 2026-01-01"]


def test_every_kind_says_what_it_needs_and_gives():
    for kind in SOURCES.all():
        assert all((kind.label, kind.form, kind.examples, kind.gives, kind.terms, kind.cost))
        assert kind.key or not kind.needs_key


def test_a_preview_counts_the_rows_that_repeat_a_paper(tmp_path):
    first = write(tmp_path / "a.jsonl", {"id": "10.1/x"}, {"id": "10.1/x"}, {"id": "smith", "title": "Dust"})
    second = write(tmp_path / "b.jsonl", {"id": "10.1/x"}, {"id": "smith", "title": "Gas"})
    assert [each.n_duplicates for each in preview_sources([first, second], Window(), ACCESS)] == [1, 1]


def test_a_preview_names_what_looks_like_one_paper_twice(tmp_path):
    roe = {"authors": ["Roe, A."], "year": 2001}
    title = "On the variation of dust in spirals"
    file = write(
        tmp_path / "a.jsonl",
        {"id": "first", "title": title, **roe, "doi": "10.1/x"},
        {"id": "second", "title": title.title(), **roe},
        {"id": "third", "title": title, **roe, "year": 2009},
    )
    (preview,) = preview_sources([file], Window(), ACCESS)
    assert [note.partition(" look ")[0] for note in preview.notes] == ["first and second"]
