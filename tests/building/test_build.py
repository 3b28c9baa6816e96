"""From sources to a corpus: what is added, what is kept, and what is refused."""

import json
from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from pathfinder.building import build
from pathfinder.building.directory import open_build_directory
from pathfinder.building.indexes import NO_REFERENCES
from pathfinder.building.update import update
from pathfinder.corpus.manifest import MANIFEST_NAME, read_manifest
from pathfinder.corpus.parts import check_ends
from pathfinder.corpus.store import open_corpus, verify_corpus
from pathfinder.errors import CorpusDamaged, CorpusError
from pathfinder.models.fake import HashEmbedder
from tests import thesauri
from tests.building.conftest import BOTANY, GALAXIES, PLANETS, PULSARS, QUASARS, WordsAsKeywords, content, write

pytestmark = pytest.mark.build


def test_a_corpus_holds_and_finds_the_papers_in_their_order_with_keywords_and_percentiles(make, tmp_path):
    make(GALAXIES, PLANETS, PULSARS)
    corpus = open_corpus(tmp_path / "corpus")
    assert corpus.papers.paper_ids() == ("galaxies", "planets", "pulsars")
    assert corpus.papers[0].authors == ("A. Author",)
    assert corpus.papers[0].keywords == ("galaxies", "formation", "redshift")
    # Of the two papers from 2024 with a count, one has at most 10 citations, and both have at most 30.
    np.testing.assert_array_equal(corpus.papers.citation_percentiles(), [1 / 2, 1, np.nan])
    assert corpus.name.name == "corpus"
    assert corpus.name.n_papers == corpus.manifest.counts.papers == 3
    assert (corpus.manifest.counts.dated, corpus.manifest.counts.with_authors) == (2, 1)
    (vector,) = HashEmbedder(16).embed(["timing noise of millisecond pulsars"], "query")
    assert corpus.dense.search(vector, 1).rows.tolist() == [2]
    assert corpus.sparse.search("transit of planets", 3).rows.tolist() == [1]
    assert corpus.terms.has_keywords.tolist() == [True, True, True]


@pytest.mark.parametrize("n_papers", [0, 1, 3])
def test_the_smallest_corpora_build_and_open_and_say_that_they_have_no_map(make, tmp_path, n_papers):
    report = make(*[GALAXIES, PLANETS, PULSARS][:n_papers])
    corpus = verify_corpus(tmp_path / "corpus")
    assert report.n_papers == len(corpus.papers) == len(corpus.dense) == len(corpus.sparse) == n_papers
    assert corpus.path("landscape") is None
    assert corpus.manifest.absent == {
        "landscape": f"a map needs at least 5 papers, but this corpus has {n_papers}",
        "layers": f"a map needs at least 5 papers, but this corpus has {n_papers}",
        "atlas": f"a map needs at least 5 papers, but this corpus has {n_papers}",
        "reviews": f"a map needs at least 5 papers, but this corpus has {n_papers}",
        "network": NO_REFERENCES,
        "features": "features need at least 250 papers: add papers",
        "thesaurus": "this corpus has no thesaurus: build with --thesaurus FILE",
        "tokens": "fake:hash-16 provides no token vectors",
        "reranker": "fake:hash-16 provides no token vectors",
    }
    assert json.loads(corpus.read("outliers"))["calibrated"] == [None] * 30


def test_building_again_adds_nothing_and_rewrites_nothing(make, tmp_path):
    make(GALAXIES, PLANETS)
    previous = {path: path.stat() for path in (tmp_path / "corpus").rglob("*")}
    report = make(GALAXIES, PLANETS)
    assert (report.n_new, report.n_known, report.n_changed, report.n_rejected) == (0, 2, 0, 0)
    after = {path: path.stat() for path in (tmp_path / "corpus").rglob("*")}
    assert {p: (s.st_ino, s.st_mtime_ns) for p, s in after.items()} == {
        p: (s.st_ino, s.st_mtime_ns) for p, s in previous.items()
    }


@pytest.mark.parametrize(
    ("option", "text"), [("thesaurus", "{}"), ("profile", "name = 3"), ("reviews", "{}"), ("reviews", "{")]
)
def test_a_file_of_an_option_that_cannot_be_read_stops_the_build_before_it_begins(make, tmp_path, option, text):
    path = tmp_path / ("bad.toml" if option == "profile" else "bad.json")
    path.write_text(text)
    with pytest.raises(CorpusError):
        make(GALAXIES, **{option: path})
    assert not (tmp_path / "corpus").exists()


def test_all_that_a_build_makes_is_kept_by_the_same_build_again_and_has_the_same_bytes_elsewhere(make, tmp_path):
    (tmp_path / "plants.toml").write_text(BOTANY, encoding="utf-8")
    reviews = write(tmp_path / "reviews.jsonl", {"title": "Hot planets", "year": "2020"}, {"title": "Quasars"})
    options = {"reviews": reviews, "profile": tmp_path / "plants.toml", "snapshot": date(2026, 1, 1)}
    options["thesaurus"] = thesauri.write_list(tmp_path / "sky.json")
    papers = (GALAXIES, PLANETS, PULSARS, QUASARS, {**PULSARS, "id": "jwst", "title": "Stars seen with JWST"})
    make(*papers, **options)
    made = content(tmp_path / "corpus")
    make(*papers, **options)
    assert content(tmp_path / "corpus") == made
    make(*papers, out="other", **options)
    other = content(tmp_path / "other")
    assert {name for name in made if made[name] != other.get(name)} <= {".lock"}
    assert {name.partition("-")[0] for name in other} >= {
        "landscape", "layers", "atlas", "reviews", "groups", "thesaurus", "profile",
    }  # fmt: skip


def test_papers_are_added_and_a_changed_one_is_kept_as_it_was(make, tmp_path):
    make(GALAXIES, PLANETS)
    extractor = WordsAsKeywords()
    report = make({**GALAXIES, "citation_count": 11}, PLANETS, PULSARS, extractor=extractor)
    assert extractor.n_asked == 1
    assert (report.n_new, report.n_known, report.n_changed, report.n_papers) == (1, 1, 1, 3)
    corpus = verify_corpus(tmp_path / "corpus")
    assert corpus.papers.paper_ids() == ("galaxies", "planets", "pulsars")
    assert corpus.papers[0].citation_count == 10


def test_papers_added_later_give_the_same_table_as_papers_built_at_once(make, tmp_path):
    make(GALAXIES, PLANETS, out="steps")
    make(PULSARS, QUASARS, out="steps")
    make(GALAXIES, PLANETS, PULSARS, QUASARS, out="once")
    steps, once = read_manifest(tmp_path / "steps")[0], read_manifest(tmp_path / "once")[0]
    assert steps.parts["papers"] == once.parts["papers"]
    assert steps.parts["dense"] == once.parts["dense"]
    assert steps.earlier is not None  # the version of two papers, to which a rollback returns
    assert replace(steps, earlier=None) == once


# Rejected rows --------------------------------------------------------------------------------------


def rejected_lines(tmp_path):
    lines = (tmp_path / "corpus" / "rejected.jsonl").read_text().splitlines()
    return [(row["file"], row["line"], row["reason"]) for row in map(json.loads, lines)]


def test_rejected_rows_are_counted_and_listed_with_file_line_and_reason(make, tmp_path):
    report = make(GALAXIES, "{", {"id": "x", "abstract": "No title"})
    assert (report.n_new, report.n_rejected) == (1, 2)
    assert report.rejected_path == tmp_path / "corpus" / "rejected.jsonl"
    (first, second) = rejected_lines(tmp_path)
    assert first[:2] == ("papers.jsonl", 2)
    assert second == ("papers.jsonl", 3, "no title")


def test_an_id_that_came_before_is_rejected_with_the_place_where_it_came(make, tmp_path):
    write(tmp_path / "first.jsonl", PLANETS, GALAXIES, "", {**GALAXIES, "abstract": "Another"})
    write(tmp_path / "second.jsonl", PULSARS)
    sources = [tmp_path / "first.jsonl", tmp_path / "second.jsonl"]
    report = build(sources, tmp_path / "corpus", HashEmbedder(16), extractor=WordsAsKeywords())
    assert (report.n_new, report.n_rejected) == (3, 1)
    assert rejected_lines(tmp_path) == [
        ("first.jsonl", 4, "the id 'galaxies' already occurred on line 2 of first.jsonl"),
    ]
    assert open_corpus(tmp_path / "corpus").papers[1].abstract == GALAXIES["abstract"]
    again = build(sources, tmp_path / "corpus", HashEmbedder(16), extractor=WordsAsKeywords())
    assert (again.n_new, again.n_known, again.n_rejected) == (0, 3, 1)


def test_a_corpus_with_a_file_that_ads_exported_may_not_be_shared(tmp_path):
    entry = "@misc{a, title={Dust}, adsnote={Provided by the SAO/NASA Astrophysics Data System}}"
    (tmp_path / "export.bib").write_text(entry)
    (tmp_path / "own.bib").write_text("@misc{b, title={Gas}}")
    files = [tmp_path / "export.bib", tmp_path / "own.bib"]
    build(files, tmp_path / "corpus", HashEmbedder(16), extractor=WordsAsKeywords(), passages=False)
    assert [entry.may_be_shared for entry in read_manifest(tmp_path / "corpus")[0].sources] == [False, True]


def test_one_citation_key_in_two_files_means_two_papers_now_and_in_the_next_update(tmp_path):
    first, second = tmp_path / "first.bib", tmp_path / "second.bib"
    first.write_text("@misc{smith2020, title={Dust in spirals}}")
    second.write_text("@misc{smith2020, title={Gas in clusters}}")
    options = {"extractor": WordsAsKeywords(), "passages": False}
    build([first], tmp_path / "corpus", HashEmbedder(16), **options)
    report = build([second], tmp_path / "corpus", HashEmbedder(16), **options)
    assert (report.n_new, report.n_changed, report.n_rejected) == (1, 0, 0)
    second.write_text("@misc{smith2020, title={Gas in clusters of galaxies}}")
    second_report = update(tmp_path / "corpus", HashEmbedder(16), extractor=WordsAsKeywords())
    assert (second_report.n_new, second_report.n_changed, second_report.n_unchanged) == (0, 1, 1)
    papers = open_corpus(tmp_path / "corpus").papers
    assert [(paper.paper_id, paper.title) for paper in papers] == [
        ("smith2020", "Dust in spirals"),
        ("smith2020@second.bib", "Gas in clusters of galaxies"),
    ]


def test_one_citation_key_twice_in_a_file_means_two_papers_and_a_repeated_paper_one(tmp_path):
    entries = ("Dust in spirals", "Gas in clusters", "{Dust} in Spirals")
    (tmp_path / "a.bib").write_text("".join(f"@misc{{smith2020, title={{{title}}}}}\n" for title in entries))
    options = {"extractor": WordsAsKeywords(), "passages": False}
    report = build([tmp_path / "a.bib"], tmp_path / "corpus", HashEmbedder(16), **options)
    assert (report.n_new, report.n_rejected, report.renamed) == (2, 1, ("smith2020@a.bib",))
    second_report = update(tmp_path / "corpus", HashEmbedder(16), extractor=WordsAsKeywords())
    assert (second_report.n_new, second_report.n_changed, second_report.n_unchanged) == (0, 0, 2)


def test_what_looks_like_one_paper_twice_in_a_file_is_named_and_kept_apart(tmp_path):
    fields = "title={On the variation of dust}, author={Roe, A.}, year=2001"
    (tmp_path / "a.bib").write_text(f"@misc{{a, {fields}, doi={{10.1234/x}}}}\n@misc{{b, {fields}}}")
    report = build(
        [tmp_path / "a.bib"], tmp_path / "corpus", HashEmbedder(16), extractor=WordsAsKeywords(), passages=False
    )
    assert (report.n_new, report.twins) == (2, (("10.1234/x", "b"),))


def test_an_entry_that_gains_a_doi_keeps_its_id(tmp_path):
    library = tmp_path / "a.bib"
    library.write_text("@misc{smith2020, title={Dust}}")
    build([library], tmp_path / "corpus", HashEmbedder(16), extractor=WordsAsKeywords(), passages=False)
    library.write_text("@misc{smith2020, title={Dust}, url={https://doi.org/10.5555/X}}")
    report = update(tmp_path / "corpus", HashEmbedder(16), extractor=WordsAsKeywords())
    assert (report.n_new, report.n_changed, report.n_merged) == (0, 1, 0)
    (paper,) = open_corpus(tmp_path / "corpus").papers
    assert (paper.paper_id, paper.doi) == ("smith2020", "10.5555/X")


def test_rejections_of_a_source_give_way_to_those_of_its_next_reading(make, tmp_path):
    make(GALAXIES, "{", source="a.jsonl")
    make(PLANETS, "[", source="b.jsonl")
    assert [row[:2] for row in rejected_lines(tmp_path)] == [("a.jsonl", 2), ("b.jsonl", 2)]
    make(GALAXIES, source="a.jsonl")
    assert [row[:2] for row in rejected_lines(tmp_path)] == [("b.jsonl", 2)]


# Snapshot -------------------------------------------------------------------------------------------


def test_the_snapshot_is_the_day_of_the_newest_paper_or_a_given_one(make, tmp_path):
    def snapshot(record, given=None):
        make(record, snapshot=given)
        return open_corpus(tmp_path / "corpus").snapshot

    assert snapshot(PULSARS) is None, "no paper has a date"
    assert snapshot(GALAXIES) == date(2024, 3, 1)
    assert snapshot(PLANETS) == date(2024, 7, 1), "a year alone counts as 1 July of that year"
    assert snapshot(QUASARS, date(2025, 3, 1)) == date(2025, 3, 1)
    assert snapshot({**PULSARS, "id": "new", "year": 2020}) == date(2025, 3, 1), "the newest paper is older"
    assert snapshot(GALAXIES, date(2024, 12, 31)) == date(2024, 12, 31), "also where no paper is new"


# Refusals -------------------------------------------------------------------------------------------


def test_another_embedder_is_refused_and_the_corpus_stays_as_it_was(make, tmp_path):
    make(GALAXIES)
    previous = content(tmp_path / "corpus")
    with pytest.raises(CorpusError, match=r"fake:hash-16.*fake:hash-17.*fake:hash-16"):
        make(PLANETS, embedder=HashEmbedder(17))
    assert content(tmp_path / "corpus") == previous


def test_a_missing_source_is_told_before_anything_is_made(tmp_path):
    with pytest.raises(CorpusError, match="does not exist"):
        build([tmp_path / "none.jsonl"], tmp_path / "corpus", HashEmbedder(16))
    assert not (tmp_path / "corpus").exists()


def test_a_folder_of_other_things_is_not_touched(make, tmp_path):
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "thesis.tex").write_text("years of work")
    with pytest.raises(CorpusError, match=r"'thesis\.tex'"):
        make(GALAXIES)
    assert content(tmp_path / "corpus") == {"thesis.tex": b"years of work"}
    (tmp_path / "file").write_text("a file")
    with pytest.raises(CorpusError, match="is a file: name a folder"):
        make(GALAXIES, out="file")


def test_two_builds_do_not_write_into_one_folder(make, tmp_path):
    make(GALAXIES)
    with (
        open_build_directory(tmp_path / "corpus"),
        pytest.raises(CorpusError, match=r"another build is writing to .*: wait until it ends"),
    ):
        make(PLANETS)
    assert make(PLANETS).n_new == 1


def test_papers_are_not_added_to_a_damaged_corpus(make, tmp_path):
    make(GALAXIES)
    corpus = open_corpus(tmp_path / "corpus")
    with corpus.path("papers").open("r+b") as file:
        file.write(b"ARROW?")
    with pytest.raises(CorpusDamaged, match=r"(was|has been) altered"):
        make(PLANETS)


# Readers during a build -----------------------------------------------------------------------------


def test_a_reader_keeps_its_files_for_one_more_build_and_only_what_two_manifests_name_is_left(make, tmp_path):
    make(GALAXIES)
    reader = open_corpus(tmp_path / "corpus")
    parts = reader.manifest.parts
    make(PLANETS)
    for part in parts.values():
        check_ends(tmp_path / "corpus", part)
    assert reader.papers.paper_ids() == ("galaxies",)
    assert reader.sparse.search("galaxies", 1).rows.tolist() == [0]
    previous = {part.name for part in read_manifest(tmp_path / "corpus")[0].parts.values()}
    make(PULSARS)
    with pytest.raises(CorpusDamaged, match="is missing"):
        check_ends(tmp_path / "corpus", parts["papers"])
    assert reader.papers[0].title == "Young galaxies", "what is mapped stays"
    manifest = read_manifest(tmp_path / "corpus")[0]
    current = {part.name for part in manifest.parts.values()}
    assert {path.name for path in (tmp_path / "corpus").iterdir()} == (
        previous | current | {MANIFEST_NAME, manifest.earlier, "rejected.jsonl", ".lock"}
    )
