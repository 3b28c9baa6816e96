"""Papers that are added to a corpus one by one."""

import json
from dataclasses import replace

import pytest

from pathfinder.building import build
from pathfinder.cli.app import main
from pathfinder.corpus.store import open_corpus
from pathfinder.errors import UsageError
from pathfinder.models.fake import HashEmbedder
from pathfinder.sources.single_papers import keepable_id, sources_of
from pathfinder.types import Paper
from tests.building.conftest import GALAXIES, WordsAsKeywords, write
from tests.sources.hosts.arxiv import search

PAPER = Paper("s2:1", "t", "a")


def test_ids_of_one_kind_become_one_source():
    ids = ["arxiv:2601.00001v2", "2601.00002", "W12", "doi:10.1000/X", "https://doi.org/10.1000/y", "openalex:W3"]
    ids += ["PMID: 8813041", "pmid:42"]
    assert sources_of(ids) == (
        "arxiv:id:2601.00001 OR id:2601.00002",
        "crossref:doi:10.1000/x,doi:10.1000/y",
        "openalex:ids.openalex:W12|W3",
        "openalex:ids.pmid:8813041|42",
    )


@pytest.mark.parametrize("written", ["s2:1", "web:ab", "a title", "2026ApJ...900....1B", "10.1000/x OR all:stars", ""])
def test_anything_else_is_refused_with_the_ids_that_are_possible(written):
    with pytest.raises(UsageError, match="arXiv id"):
        sources_of([written])
    with pytest.raises(UsageError, match="terms of ADS do not allow copies"):
        sources_of(["ads:2026ApJ...900....1B"])


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"arxiv_id": "2601.00001", "doi": "10.1000/X"}, "arxiv:2601.00001"),
        ({"doi": "10.48550/arXiv.2601.00001"}, "arxiv:2601.00001"),
        ({"doi": "10.1000/X", "openalex_id": "W7"}, "doi:10.1000/x"),
        ({"openalex_id": "W7"}, "openalex:w7"),
        ({"pmid": "8813041"}, "pmid:8813041"),
        ({"bibcode": "2026ApJ...900....1B"}, None),
        ({"other_ids": ("url:https://example.org",)}, None),
    ],
)
def test_a_paper_can_be_kept_by_an_id_of_a_source_that_allows_it(fields, expected):
    name = keepable_id(replace(PAPER, **fields))
    assert name == expected
    assert name is None or sources_of([name])


@pytest.fixture
def folder(tmp_path):
    source = write(tmp_path / "galaxies.jsonl", GALAXIES)
    build([source], tmp_path / "corpus", HashEmbedder(), extractor=WordsAsKeywords())
    return tmp_path / "corpus"


@pytest.mark.build
def test_the_command_adds_a_paper_and_the_manifest_lists_its_source(serve, folder, tmp_path, monkeypatch):
    host = serve(search(1))
    monkeypatch.setenv("PATHFINDER_ARXIV_URL", host.address)
    monkeypatch.setenv("PATHFINDER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("pathfinder.building.embedder_for", lambda *_: HashEmbedder())
    n = len(open_corpus(folder).papers)
    assert main(["add", str(folder), "arxiv:2601.00000"]) == 0
    assert len(open_corpus(folder).papers) == n + 1
    sources = json.loads((folder / "manifest.json").read_text())["sources"]
    assert "arxiv:id:2601.00000" in json.dumps(sources)
    assert host.requests[0].query["search_query"] == "id:2601.00000"


def test_the_command_makes_no_new_corpus(tmp_path, capsys):
    assert main(["add", str(tmp_path), "arxiv:2601.00001"]) == 1
    assert str(tmp_path) in capsys.readouterr().err
