"""Papers are removed with everything that was made from them."""

import numpy as np
import pytest

from pathfinder.building import RemovalReport, build, remove, rollback
from pathfinder.building.indexes import NO_REFERENCES
from pathfinder.building.removal import WRITERS
from pathfinder.building.update import update
from pathfinder.cli.app import main
from pathfinder.corpus.history.merges import read_merges
from pathfinder.corpus.manifest import read_manifest
from pathfinder.corpus.store import verify_corpus
from pathfinder.errors import UsageError
from pathfinder.landscape.data.landscape import open_landscape, write_landscape
from pathfinder.models.fake import HashEmbedder
from tests.building.conftest import GALAXIES, PLANETS, PULSARS, QUASARS, WordByWord, WordsAsKeywords, content, write
from tests.building.test_merging import ARXIV, JOURNAL, OTHER

pytestmark = pytest.mark.build


def remove_from(folder, *paper_ids, embedder=None, **options):
    return remove(folder, paper_ids, embedder or HashEmbedder(16), extractor=WordsAsKeywords(), **options)


@pytest.mark.parametrize("embedder", [HashEmbedder(16), WordByWord()], ids=["vectors", "vectors and tokens"])
def test_a_corpus_without_a_paper_is_that_of_a_fresh_build(make, tmp_path, embedder):
    make(GALAXIES, PLANETS, PULSARS, QUASARS, embedder=embedder)
    report = remove_from(tmp_path / "corpus", "quasars", embedder=embedder)
    assert (report.n_removed, report.n_papers) == (1, 3)
    make(GALAXIES, PLANETS, PULSARS, out="fresh", source="fresh.jsonl", embedder=embedder)
    now, fresh = (read_manifest(tmp_path / name)[0] for name in ("corpus", "fresh"))
    assert {role: part for role, part in now.parts.items() if role != "choices"} == fresh.parts
    assert (now.counts, now.snapshot, now.absent) == (fresh.counts, fresh.snapshot, fresh.absent)


def test_the_citation_network_loses_what_a_removed_paper_cites_and_keeps_what_cites_it(make, tmp_path):
    citing = {**GALAXIES, "references": ["planets", "pulsars", "doi:10.1/elsewhere"]}
    pulsars = {**PULSARS, "references": ["planets"]}
    make(citing, PLANETS, pulsars)
    remove_from(tmp_path / "corpus", "pulsars")
    make(citing, PLANETS, out="fresh", source="fresh.jsonl")
    corpus, fresh = (verify_corpus(tmp_path / name) for name in ("corpus", "fresh"))
    assert corpus.manifest.parts["network"] == fresh.manifest.parts["network"]
    assert corpus.papers[0].references == ("id:planets", "id:pulsars", "doi:10.1/elsewhere")
    remove_from(tmp_path / "corpus", "galaxies")
    assert verify_corpus(tmp_path / "corpus").absent["network"] == NO_REFERENCES


def test_the_other_papers_keep_their_places_on_the_map(tmp_path):
    places = np.arange(14, dtype=np.float32).reshape(7, 2)
    write_landscape(places, tmp_path / "before")
    _, write_again = WRITERS["landscape"]
    write_again(None, tmp_path / "before", np.array([0, 2, 6]), tmp_path / "after")
    assert open_landscape(tmp_path / "after").coordinates.tolist() == places[[0, 2, 6]].tolist()


def test_an_update_leaves_a_removed_paper_out_and_a_rollback_brings_it_back(make, tmp_path):
    make({**GALAXIES, "doi": "10.1/x"}, PLANETS)
    remove_from(tmp_path / "corpus", "galaxies")
    write(tmp_path / "papers.jsonl", {**GALAXIES, "id": "W7", "doi": "10.1/X"}, PLANETS, PULSARS)
    report = update(tmp_path / "corpus", HashEmbedder(16), extractor=WordsAsKeywords())
    assert (report.n_new, report.n_left_out) == (1, 1)
    assert verify_corpus(tmp_path / "corpus").papers.paper_ids() == ("planets", "pulsars")
    remove_from(tmp_path / "corpus", "pulsars")
    rollback(tmp_path / "corpus")
    assert verify_corpus(tmp_path / "corpus").papers.paper_ids() == ("planets", "pulsars")


def test_the_records_of_a_merged_paper_go_with_it(tmp_path, capsys):
    sources = [write(tmp_path / "a.jsonl", ARXIV), write(tmp_path / "b.jsonl", JOURNAL, OTHER)]
    corpus = tmp_path / "corpus"
    build(sources, corpus, HashEmbedder(16), extractor=WordsAsKeywords())
    with pytest.raises(UsageError, match=r"'W1'.*'2408.01556'"):
        remove_from(corpus, "W1")
    assert main(["remove", str(corpus), "none"]) == 2
    assert "has no paper 'none'" in capsys.readouterr().err
    assert remove_from(corpus, "2408.01556", purge=True) == RemovalReport(1, 1, 0)
    assert read_merges(corpus) == ()
    assert update(corpus, HashEmbedder(16), extractor=WordsAsKeywords()).n_left_out == 2
    assert verify_corpus(corpus).papers.paper_ids() == ("W2",)


def test_after_a_purge_no_file_of_the_folder_has_a_word_of_the_paper(make, tmp_path):
    make(GALAXIES, PLANETS)
    make(GALAXIES, PLANETS, PULSARS)
    (tmp_path / "corpus" / ".fetched").mkdir()
    (tmp_path / "corpus" / ".fetched" / "page").write_text("millisecond")
    remove_from(tmp_path / "corpus", "pulsars", purge=True)
    assert [name for name, text in content(tmp_path / "corpus").items() if b"millisecond" in text] == []
    with pytest.raises(UsageError, match="no earlier version"):
        rollback(tmp_path / "corpus")


@pytest.mark.parametrize(
    ("paper_ids", "reason"),
    [(["galaxies", "none"], "no paper 'none'"), (["galaxies", "planets"], "all 2 papers"), ([], "no paper was named")],
)
def test_an_unknown_paper_and_all_papers_are_refused_and_nothing_changes(make, tmp_path, paper_ids, reason):
    make(GALAXIES, PLANETS)
    before = content(tmp_path / "corpus")
    with pytest.raises(UsageError, match=reason):
        remove_from(tmp_path / "corpus", *paper_ids)
    assert content(tmp_path / "corpus") == before
