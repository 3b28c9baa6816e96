"""Updates that bring a corpus up to date with its sources."""

import gzip
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from pathfinder.building import build
from pathfinder.building.update import UpdateReport, update
from pathfinder.cli.app import main
from pathfinder.corpus.manifest import MANIFEST_NAME, read_manifest, write_manifest
from pathfinder.corpus.store import verify_corpus
from pathfinder.errors import CorpusError, UsageError
from pathfinder.models.fake import HashEmbedder
from pathfinder.settings import Settings
from tests.building.conftest import (
    GALAXIES,
    PLANETS,
    PULSARS,
    QUASARS,
    Recorder,
    WordByWord,
    WordsAsKeywords,
    content,
    write,
)
from tests.sources.hosts.arxiv import arxiv_id, day_of, oai_set, record
from tests.sources.hosts.loopback import LoopbackHost, running

pytestmark = pytest.mark.build

CITED_GALAXIES = {**GALAXIES, "citation_count": 11, "references": ["planets", "quasars", "doi:10.1/elsewhere"]}
REWORDED_PLANETS = {**PLANETS, "abstract": "Clouds of cold planets. They reflect light."}


def counts(report: UpdateReport) -> tuple[int, ...]:
    return (
        *(report.n_new, report.n_changed, report.n_withdrawn, report.n_retracted),
        *(report.n_unchanged, report.n_rejected),
    )


def update_corpus(tmp_path, embedder=None, **options):
    options.setdefault("extractor", WordsAsKeywords())
    return update(tmp_path / "corpus", embedder or HashEmbedder(16), **options)


@pytest.mark.parametrize("embedder", [HashEmbedder(16), WordByWord()], ids=["vectors", "vectors and tokens"])
def test_an_updated_corpus_equals_a_fresh_one_and_only_new_text_costs_a_model(make, tmp_path, embedder):
    make(GALAXIES, PLANETS, PULSARS, embedder=embedder)
    write(tmp_path / "papers.jsonl", CITED_GALAXIES, REWORDED_PLANETS, PULSARS, QUASARS, "{")
    extractor = WordsAsKeywords()
    assert counts(update_corpus(tmp_path, embedder, extractor=extractor)) == (1, 2, 0, 0, 1, 1)
    assert extractor.n_asked == 2
    make(CITED_GALAXIES, REWORDED_PLANETS, PULSARS, QUASARS, out="fresh", source="again.jsonl", embedder=embedder)
    now, fresh = (read_manifest(tmp_path / folder)[0] for folder in ("corpus", "fresh"))
    assert now.parts == fresh.parts
    assert "network" in now.parts
    assert now.counts == fresh.counts


def test_an_update_without_news_rewrites_nothing_but_the_day(make, tmp_path, capsys):
    make(GALAXIES, PLANETS)
    before = content(tmp_path / "corpus")
    assert main(["update", str(tmp_path / "corpus"), "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record.pop("seconds") >= 0
    assert (record.pop("unchanged"), record.pop("failed")) == (2, [])
    names = "new changed withdrawn retracted rejected left_out merged conflicts"
    assert record == dict.fromkeys(names.split(), 0)
    after = content(tmp_path / "corpus")
    assert {name for name in after if after[name] != before.get(name)} <= {MANIFEST_NAME}


def test_a_merged_paper_takes_over_the_count_of_its_other_source(tmp_path):
    first = write(tmp_path / "a.jsonl", {**GALAXIES, "doi": "10.1/x"}, PLANETS)
    second = write(tmp_path / "b.jsonl", {**GALAXIES, "id": "W1", "doi": "10.1/x"})
    build([first, second], tmp_path / "corpus", HashEmbedder(16), extractor=WordsAsKeywords())
    write(second, {**GALAXIES, "id": "W1", "doi": "10.1/x", "citation_count": 99})
    assert counts(update_corpus(tmp_path))[:2] == (0, 1)
    papers = verify_corpus(tmp_path / "corpus").papers
    assert [(paper.paper_id, paper.citation_count) for paper in papers] == [("galaxies", 99), ("planets", 30)]
    assert counts(update_corpus(tmp_path))[:2] == (0, 0)


@pytest.mark.parametrize(
    "change", [{"citation_count": 12}, {"title": "Galaxies in their youth"}], ids=["count", "title"]
)
def test_a_paper_that_is_merged_and_changed_at_once_is_settled_by_one_update(tmp_path, change):
    first = write(tmp_path / "a.jsonl", {**GALAXIES, "doi": "10.1/x"})
    second = write(tmp_path / "b.jsonl", PLANETS)
    build([first, second], tmp_path / "corpus", HashEmbedder(16), extractor=WordsAsKeywords())
    write(first, {**GALAXIES, "doi": "10.1/x", **change})
    write(second, PLANETS, {"id": "W1", "title": "Young galaxies", "doi": "10.1/x", "arxiv_id": "2401.00001"})
    report = update_corpus(tmp_path)
    assert (*counts(report)[:2], report.n_unchanged, report.n_merged) == (0, 1, 1, 1)
    build([first, second], tmp_path / "fresh", HashEmbedder(16), extractor=WordsAsKeywords())
    now, fresh = (read_manifest(tmp_path / folder)[0] for folder in ("corpus", "fresh"))
    assert now.parts == fresh.parts
    assert counts(update_corpus(tmp_path)) == (0, 0, 0, 0, 2, 0)


def test_a_paper_that_its_source_no_longer_lists_stays_and_a_failure_changes_nothing(make, tmp_path):
    make(GALAXIES, PLANETS)
    write(tmp_path / "papers.jsonl", PLANETS)
    assert counts(update_corpus(tmp_path)) == (0, 0, 0, 0, 1, 0)
    assert verify_corpus(tmp_path / "corpus").papers.paper_ids() == ("galaxies", "planets")
    before = content(tmp_path / "corpus")
    (tmp_path / "papers.jsonl").unlink()
    with pytest.raises(CorpusError, match=r"papers\.jsonl"):
        update_corpus(tmp_path)
    assert content(tmp_path / "corpus") == before


def test_files_are_found_from_any_folder_and_a_file_that_moved_takes_its_old_place(tmp_path, monkeypatch):
    for folder in ("here", "there", "elsewhere"):
        (tmp_path / folder).mkdir()
    monkeypatch.chdir(tmp_path / "here")
    write(Path("papers.jsonl"), GALAXIES)
    options = {"extractor": WordsAsKeywords(), "passages": False}
    build(["papers.jsonl"], tmp_path / "corpus", HashEmbedder(16), **options)
    monkeypatch.chdir(tmp_path / "there")
    write(Path("papers.jsonl"), PLANETS)  # another file that happens to have the same name
    assert counts(update_corpus(tmp_path)) == (0, 0, 0, 0, 1, 0)
    build(["papers.jsonl"], tmp_path / "corpus", HashEmbedder(16), **options)
    (first, second) = read_manifest(tmp_path / "corpus")[0].sources
    assert (first.source, first.from_corpus) == ("papers.jsonl", "../here/papers.jsonl")
    assert (second.source, second.from_corpus) == (str(tmp_path / "there" / "papers.jsonl"), None)
    (tmp_path / "here" / "papers.jsonl").rename(tmp_path / "elsewhere" / "papers.jsonl")
    (tmp_path / "there" / "papers.jsonl").rename(tmp_path / "there" / "more.jsonl")
    with pytest.raises(CorpusError, match=r"here/papers\.jsonl"):
        update_corpus(tmp_path)
    (tmp_path / "there" / "more.jsonl").rename(tmp_path / "there" / "papers.jsonl")
    build(["../elsewhere/papers.jsonl"], tmp_path / "corpus", HashEmbedder(16), **options)
    (first, _) = read_manifest(tmp_path / "corpus")[0].sources
    assert (first.source, first.from_corpus) == ("../elsewhere/papers.jsonl", "../elsewhere/papers.jsonl")
    assert counts(update_corpus(tmp_path)) == (0, 0, 0, 0, 2, 0)


def test_a_source_that_fails_is_reported_and_the_others_are_updated(tmp_path, capsys):
    names = ("gone.jsonl", "cut.jsonl.gz", "papers.jsonl")
    missing_file, cut_file, whole = (tmp_path / name for name in names)
    write(missing_file, QUASARS, "{")
    cut_file.write_bytes(gzip.compress(json.dumps(PULSARS).encode() + b"\n"))
    write(whole, GALAXIES)
    options = {"extractor": WordsAsKeywords(), "passages": False}
    build([missing_file, cut_file, whole], tmp_path / "corpus", HashEmbedder(16), **options)
    before = read_manifest(tmp_path / "corpus")[0].sources
    missing_file.unlink()
    cut_file.write_bytes(cut_file.read_bytes()[:-9])
    write(whole, CITED_GALAXIES, PLANETS)
    assert main(["update", str(tmp_path / "corpus"), "--json"]) == 1
    output = capsys.readouterr()
    record = json.loads(output.out)
    assert (record["new"], record["changed"], record["rejected"]) == (1, 1, 0)
    assert [(each["source"], each["error"]) for each in record["failed"]] == [
        (str(missing_file), "CorpusError"),
        (str(cut_file), "CorpusError"),
    ]
    assert f"failed: {missing_file} could not be read: " in output.err
    assert read_manifest(tmp_path / "corpus")[0].sources == before
    assert "gone.jsonl" in (tmp_path / "corpus" / "rejected.jsonl").read_text()


def test_an_update_that_stops_at_any_stage_changes_nothing_and_the_next_one_ends_as_if_it_had_not(make, tmp_path):
    embedder, citing = WordByWord(), {**GALAXIES, "references": ["planets"]}
    make(citing, PLANETS, PULSARS, embedder=embedder)
    shutil.copytree(tmp_path / "corpus", tmp_path / "before")
    write(tmp_path / "papers.jsonl", {**citing, "citation_count": 11}, REWORDED_PLANETS, PULSARS, QUASARS)
    update_corpus(tmp_path, embedder)
    content_before = content(tmp_path / "corpus")
    shutil.rmtree(tmp_path / "corpus")
    shutil.copytree(tmp_path / "before", tmp_path / "corpus")
    before, n_stopped = content(tmp_path / "corpus"), 0
    while True:
        try:
            update_corpus(tmp_path, embedder, progress=Recorder(n_stopped))
            break
        except OSError:
            n_stopped += 1
            assert before.items() <= content(tmp_path / "corpus").items()
    assert n_stopped >= 12  # from reading to the groups of papers; such a small corpus has no map
    assert content(tmp_path / "corpus") == content_before


def test_a_corpus_without_sources_says_how_to_get_them(make, tmp_path):
    make(GALAXIES)
    manifest, _ = read_manifest(tmp_path / "corpus")
    write_manifest(tmp_path / "corpus", replace(manifest, sources=()))
    with pytest.raises(UsageError, match="pathfinder build SOURCE --out"):
        update_corpus(tmp_path)


def test_withdrawn_papers_are_marked_and_only_news_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr("pathfinder.sources.kinds.oai.PACE_SECONDS", 0.0)
    records = {number: record(number, day_of(number)) for number in range(3)}
    host = LoopbackHost(oai_set(records, 2, day=str(day_of(2))))
    with running(host):
        settings = Settings(_env_file=None, cache=tmp_path / "cache", oai_url=host.address)
        options = {"extractor": WordsAsKeywords(), "settings": settings}
        build(["oai:physics:astro-ph"], tmp_path / "corpus", HashEmbedder(16), **options)
        records[1] = record(1, day_of(3), is_withdrawn=True)
        records[9] = record(9, day_of(9))
        assert counts(update_corpus(tmp_path, settings=settings)) == (1, 1, 1, 0, 1, 0)
    assert host.requests[2].query["from"] == str(day_of(2))
    papers = verify_corpus(tmp_path / "corpus").papers
    assert [paper.paper_id for paper in papers] == [arxiv_id(number) for number in (0, 1, 2, 9)]
    assert [paper.status for paper in papers] == [None, "withdrawn", None, None]
    (entry,) = read_manifest(tmp_path / "corpus")[0].sources
    assert (entry.source, entry.state, entry.licence) == ("oai:physics:astro-ph", str(day_of(2)), "CC0-1.0")


def test_papers_on_the_list_of_retraction_watch_are_marked_and_stay_so(make, tmp_path):
    head = "RetractionDate,OriginalPaperDOI,OriginalPaperPubMedID,RetractionNature\n"
    make({**GALAXIES, "doi": "10.1/X"}, PLANETS)
    csv_file = tmp_path / "list.csv"
    csv_file.write_text(f"{head}5/31/2021 0:00,10.1/x,0,Retraction\n,10.1/y,,Retraction\n")
    assert counts(update_corpus(tmp_path, retractions=csv_file)) == (0, 1, 0, 1, 1, 0)
    (paper, _) = verify_corpus(tmp_path / "corpus").papers
    assert paper.warning == "retracted, says retraction-watch"
    assert counts(update_corpus(tmp_path)) == (0, 0, 0, 0, 2, 0)
    write(tmp_path / "papers.jsonl", {**PULSARS, "doi": "10.1/Y"})
    assert counts(update_corpus(tmp_path))[:4] == (1, 0, 0, 1)
    csv_file.write_text(f"{head}5/31/2021 0:00,10.1/other,0,Retraction\n")
    assert update_corpus(tmp_path, retractions=csv_file).n_changed == 2
    assert [paper.status for paper in verify_corpus(tmp_path / "corpus").papers] == [None, None, None]
