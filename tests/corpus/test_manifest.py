"""The manifest: written last, read first."""

import json
import pickle
from contextlib import suppress
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathfinder.building.graph import SPECS
from pathfinder.corpus.manifest import (
    ROLES,
    Counts,
    Manifest,
    manifest_text,
    parse_manifest,
    read_manifest,
    write_manifest,
)
from pathfinder.corpus.parts import CorpusFile, FileEntry
from pathfinder.errors import CorpusDamaged, CorpusError

NAME = "papers-0123456789abcdef.arrow"
MANIFEST = Manifest(
    schema_version=1,
    created_by="pathfinder 0.1.0",
    embedder="local:all-MiniLM-L6-v2",
    dimension=384,
    keyword_extractor="TextRank",
    snapshot=date(2026, 6, 30),
    counts=Counts(papers=3, dated=2),
    parts={"papers": CorpusFile(NAME, (FileEntry(NAME, 10, "ab", "cd"),))},
    absent={"landscape": "3 papers are too few"},
)

FAULTY = (
    pickle.dumps({"schema_version": 1}),
    b'{"schema_version": 1, "dimension": 384, "dimension": 385}',
    b'{"schema_version": 1, "vector_limit": NaN}',
)


def change(folder: Path, **fields: object) -> None:
    record = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps(record | fields))


def test_a_folder_that_is_missing_or_no_corpus_is_told(tmp_path):
    with pytest.raises(CorpusError, match="missing is not a folder: build a corpus with `pathfinder build"):
        read_manifest(tmp_path / "missing")
    with pytest.raises(CorpusError, match=r"manifest\.json"):
        read_manifest(tmp_path)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 100_000, *FAULTY])
def test_what_is_not_json_is_damage(tmp_path, content):
    (tmp_path / "manifest.json").write_bytes(content)
    with pytest.raises(CorpusDamaged, match=r"manifest\.json is not JSON"):
        read_manifest(tmp_path)


@pytest.mark.parametrize("version", [0, 2, "1", None, True, 1.5])
def test_another_schema_is_refused_with_the_way_out(tmp_path, version):
    write_manifest(tmp_path, MANIFEST)
    change(tmp_path, schema_version=version)
    with pytest.raises(CorpusError, match=r"schema version.*, but this version of Pathfinder reads 1: install"):
        read_manifest(tmp_path)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("snapshot", "yesterday"),
        ("dimension", "many"),
        ("counts", None),
        ("parts", {"papers": {"name": "../../etc/passwd", "files": []}}),
        ("parts", {"papers": {"name": NAME, "files": [{"name": "/etc/passwd"}]}}),
    ],
)
def test_a_manifest_of_another_shape_is_damage_and_the_field_is_named(tmp_path, field, value):
    write_manifest(tmp_path, MANIFEST)
    change(tmp_path, **{field: value})
    with pytest.raises(CorpusDamaged, match=rf"manifest\.json: {field}"):
        read_manifest(tmp_path)


def test_a_manifest_comes_back_as_it_went_in(tmp_path):
    write_manifest(tmp_path, MANIFEST)
    manifest, sha256 = read_manifest(tmp_path)
    assert manifest == MANIFEST
    write_manifest(tmp_path, MANIFEST)
    assert read_manifest(tmp_path)[1] == sha256
    assert [path.name for path in tmp_path.iterdir()] == ["manifest.json"]


@settings(max_examples=400, deadline=None)
@given(place=st.integers(min_value=0), bit=st.integers(0, 7))
def test_a_flipped_bit_is_refused_or_changes_nothing(tmp_path_factory, place, bit):
    content = bytearray(manifest_text(MANIFEST).encode())
    content[place % len(content)] ^= 1 << bit
    with suppress(CorpusError):
        assert parse_manifest(bytes(content), tmp_path_factory.getbasetemp() / "manifest.json") == MANIFEST


@pytest.mark.parametrize(
    "change",
    [
        lambda fields: fields["parts"].update(tokenz=fields["parts"].pop("papers")),
        lambda fields: fields["absent"].update(landscapf="3 papers are too few"),
        lambda fields: fields.update(coming=["titels"]),
        lambda fields: fields.update(snapshoot=fields.pop("snapshot")),
        lambda fields: fields["counts"].update(paper=3),
    ],
)
@pytest.mark.parametrize("has_checksum", [False, True])
def test_what_this_version_does_not_know_is_refused_by_name(tmp_path, change, has_checksum):
    fields = json.loads(manifest_text(MANIFEST))
    if not has_checksum:
        del fields["checksum"]
    change(fields)
    (tmp_path / "manifest.json").write_text(json.dumps(fields))
    unknown = r"(tokenz|landscapf|titels|snapshoot|counts\.paper).*made by pathfinder 0\.1\.0"
    with pytest.raises(CorpusDamaged, match=unknown):
        read_manifest(tmp_path)


def test_a_manifest_without_a_checksum_is_read_and_gets_one_when_it_is_written(tmp_path):
    fields = json.loads(manifest_text(MANIFEST))
    del fields["checksum"]
    (tmp_path / "manifest.json").write_text(json.dumps(fields))
    manifest, _ = read_manifest(tmp_path)
    assert (manifest, manifest.checksum) == (MANIFEST, None)
    write_manifest(tmp_path, manifest)
    assert read_manifest(tmp_path)[0].checksum is not None


def test_the_roles_are_those_of_the_parts_that_a_build_makes():
    assert frozenset(SPECS) == ROLES
