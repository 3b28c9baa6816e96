"""The commands that list sources, and preview them before a build."""

import json

from pathfinder.cli.app import main
from pathfinder.sources import SOURCES

LIBRARY = "@misc{a, title={A title}, year=2001}\n@misc{b, year=2000}\n"


def test_sources_lists_every_kind_with_what_it_needs(capsys):
    assert main(["sources"]) == 0
    text = capsys.readouterr().out
    assert all(f"{kind.form}: {kind.label}" in text for kind in SOURCES.all())
    assert "BibTeX: .bib" in text


def test_sources_as_json_says_what_each_needs_and_gives(capsys):
    assert main(["sources", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    by_scheme = {kind["scheme"]: kind for kind in record["sources"]}
    assert by_scheme["file"]["key"] is None
    assert {"terms", "cost", "gives", "examples", "licence"} <= by_scheme["arxiv"].keys()
    assert {"name": "RIS", "suffixes": [".ris"]} in record["formats"]


def test_preview_shows_papers_and_what_would_be_rejected(tmp_path, capsys):
    (tmp_path / "library.bib").write_text(LIBRARY)
    assert main(["preview", str(tmp_path / "library.bib")]) == 0
    text = capsys.readouterr().out
    assert "2 rows, the whole source" in text
    assert "A title" in text
    assert "library.bib, line 2: no title" in text


def test_preview_as_json_holds_papers_and_rejected_rows(tmp_path, capsys):
    (tmp_path / "library.bib").write_text(LIBRARY)
    assert main(["preview", str(tmp_path / "library.bib"), "--json", "--max", "1"]) == 0
    (record,) = json.loads(capsys.readouterr().out)["sources"]
    assert [paper["title"] for paper in record["papers"]] == ["A title"]
    assert (record["n_rows"], record["is_whole"]) == (1, True)
