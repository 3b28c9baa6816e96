"""The graph of a corpus's parts: what is stale, and what a build therefore makes again."""

from dataclasses import replace

import pytest

from pathfinder.building import graph
from pathfinder.building.completion import FITTED_STAGES, LATER_STAGES, SEARCH_STAGES
from pathfinder.building.graph import GRAPH, SPECS, fingerprint, is_stale
from pathfinder.corpus.manifest import SCHEMA_VERSION, Counts, Manifest, read_manifest, write_manifest
from pathfinder.corpus.parts import CorpusFile
from tests.building.conftest import GALAXIES, PLANETS


def part(role, digit="0"):
    return CorpusFile(f"{role}-{digit * 16}", ())


@pytest.fixture
def manifest():
    """Make a manifest with one part of each role, as if the package had made it now."""
    parts = {spec.role: part(spec.role) for spec in GRAPH}
    bare = Manifest(SCHEMA_VERSION, "pathfinder", "fake:hash-16", 16, "words", None, Counts(0), parts)
    return replace(bare, fingerprints={spec.role: fingerprint(spec, bare) for spec in GRAPH})


def stale(previous, now):
    return {spec.role for spec in GRAPH if is_stale(spec, previous, now)}


def with_part(manifest, role):
    return replace(manifest, parts={**manifest.parts, role: part(role, "1")})


def test_every_part_comes_after_its_inputs_and_is_made_by_one_stage():
    roles = set()
    for spec in GRAPH:
        assert set(spec.inputs) <= roles, spec.role
        roles.add(spec.role)
    assert [role for stage in (*SEARCH_STAGES, *FITTED_STAGES, *LATER_STAGES) for role in stage.roles] == [
        spec.role for spec in GRAPH
    ]


def test_every_data_file_is_in_the_package():
    package = graph._PACKAGE
    assert [path for spec in GRAPH for path in spec.data if not (package / path).is_file()] == []


def test_nothing_is_stale_where_nothing_has_changed_and_everything_without_a_previous_corpus(manifest):
    assert stale(manifest, manifest) == set()
    assert stale(None, manifest) == set(SPECS)


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        ("thesaurus", {"groups", "layers"}),
        ("profile", {"relevance"}),
        ("reviews", {"layers"}),
        ("terms", {"features", "groups", "layers", "atlas"}),
        ("landscape", {"reviews", "layers", "atlas"}),
        ("dense", {"outliers", "relevance", "reranker", "landscape", "features", "reviews", "layers"}),
    ],
)
def test_what_is_made_from_a_changed_part_is_stale(manifest, role, expected):
    assert stale(manifest, with_part(manifest, role)) == expected


def test_another_maker_makes_its_parts_stale(manifest, monkeypatch):
    own = graph.maker_hash
    monkeypatch.setattr(graph, "maker_hash", lambda spec: "another" if spec.role == "terms" else own(spec))
    assert stale(manifest, manifest) == {"terms"}


def without_reviews(manifest, reason):
    parts = {role: part for role, part in manifest.parts.items() if role != "reviews"}
    return replace(manifest, parts=parts, absent={"reviews": reason})


def test_the_absence_of_a_part_counts_as_an_input_but_not_the_words_of_its_reason(manifest):
    now = without_reviews(manifest, "none were given")
    assert stale(manifest, now) == {"layers"}
    layers = fingerprint(SPECS["layers"], now)
    assert layers != manifest.fingerprints["layers"]
    assert fingerprint(SPECS["layers"], without_reviews(manifest, "no list of reviews was named")) == layers


def test_the_parts_of_an_older_corpus_are_taken_as_they_are_but_for_what_is_drawn(manifest):
    older = replace(manifest, fingerprints={})
    assert stale(older, manifest) == {"groups", "layers", "atlas"}
    assert stale(older, with_part(manifest, "sparse")) == {"relevance", "reranker", "groups", "layers", "atlas"}


def test_a_build_keeps_the_fingerprints_of_what_it_made(make, tmp_path):
    make(GALAXIES, PLANETS)
    manifest, _ = read_manifest(tmp_path / "corpus")
    assert stale(manifest, manifest) <= {"profile", "choices", "merges", "retractions", "fulltext", "fulltextpassages"}
    assert set(manifest.fingerprints) == set(SPECS)


def test_a_build_makes_again_what_is_stale_and_nothing_else(make, tmp_path):
    make(GALAXIES, PLANETS)
    folder = tmp_path / "corpus"
    first, _ = read_manifest(folder)
    write_manifest(folder, replace(first, fingerprints={**first.fingerprints, "terms": "of another maker"}))
    inodes = {role: (folder / part.name).stat().st_ino for role, part in first.parts.items()}
    make(GALAXIES, PLANETS)
    second, _ = read_manifest(folder)
    assert second == first
    assert {role: (folder / part.name).stat().st_ino for role, part in second.parts.items()} == inodes
