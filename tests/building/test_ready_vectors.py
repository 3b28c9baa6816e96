"""Corpora from files that bring the vectors of their papers, with and without the key of the model that made them."""

import json
import shutil

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pathfinder import Pathfinder
from pathfinder.building import build, re_embed, remove, rollback
from pathfinder.building.passages import READY_VECTORS
from pathfinder.building.re_embedding import has_passages_again
from pathfinder.building.ready_vectors import fault
from pathfinder.building.update import update
from pathfinder.cli.app import main
from pathfinder.corpus.manifest import Counts, Manifest, SourceEntry, read_manifest
from pathfinder.corpus.store import PASSAGE_ROLES, open_corpus, verify_corpus
from pathfinder.errors import CorpusError, MissingKey, RateLimited, RejectedKey, UsageError
from pathfinder.models.fake import HashEmbedder
from pathfinder.models.openai_embedder import OpenAIEmbedder
from pathfinder.settings import Settings
from pathfinder.types import RetrievalMode, StageOutcome
from tests.building.conftest import GALAXIES, PLANETS, PULSARS, QUASARS, WordByWord, WordsAsKeywords, content, write
from tests.wire import Embeds, Fails, Wire

pytestmark = pytest.mark.build

MODEL = "text-embedding-3-small"
KEYLESS = OpenAIEmbedder.without_key(MODEL)
EMBEDDER = HashEmbedder(1536)
"""Makes the vectors that the server of these tests makes."""
RECORDS = (GALAXIES, PLANETS, PULSARS)


def vector_of(record):
    return EMBEDDER.embed([f"{record['title']}. {record['abstract']}"], "document")[0]


def parquet(path, *rows):
    """Write records, each with its vector, as a Parquet file."""
    plain = [{"id": row["id"], "title": row["title"], "abstract": row["abstract"], "embed": v} for row, v in rows]
    pq.write_table(pa.Table.from_pylist(plain), path)
    return path


def build_in(tmp_path, *rows, embedder=KEYLESS, column="embed", out="corpus", **options):
    path = parquet(tmp_path / "set.parquet", *(rows or [(row, vector_of(row)) for row in RECORDS]))
    options.setdefault("extractor", WordsAsKeywords())
    return build([path], tmp_path / out, embedder, vectors=column, **options)


@pytest.fixture(scope="module")
def ready(tmp_path_factory):
    """A folder with a corpus of three papers that was built without a key, and with its source; not to be changed."""
    folder = tmp_path_factory.mktemp("ready")
    build_in(folder)
    return folder


@pytest.fixture
def copy(ready, tmp_path):
    """A copy of that folder, to be changed; its source is where it was."""
    return shutil.copytree(ready, tmp_path / "copy")


def open_pf(folder, url=None):
    key = {"OPENAI_API_KEY": "sk-test", "OPENAI_BASE_URL": url} if url else {}
    return Pathfinder.open(folder, settings=Settings(_env_file=None, **key))


# What is read ---------------------------------------------------------------------------------------


def test_without_a_key_the_vectors_of_the_file_are_those_of_the_corpus(ready):
    corpus = verify_corpus(ready / "corpus")
    expected = np.array([vector_of(row) for row in RECORDS])
    assert np.allclose(corpus.dense.vectors(np.arange(3)), expected, atol=1e-4)
    manifest = corpus.manifest
    assert (manifest.embedder, manifest.dimension) == (f"openai:{MODEL}", 1536)
    assert manifest.sources[0].vectors == "embed"
    assert {role: corpus.absent[role] for role in PASSAGE_ROLES} == dict.fromkeys(PASSAGE_ROLES, READY_VECTORS)


@pytest.mark.parametrize(
    ("vector", "limit", "reason"),
    [
        ([0.6, 0.8], None, None),
        ([0.6, 0.8005], None, None),  # The length is sqrt(0.36 + 0.6408) = 1.0004.
        ([0.6, 0.82], None, "a vector of length 1.016 instead of 1"),  # sqrt(0.36 + 0.6724) = 1.016
        ([0.0, 0.0], None, "a vector of length 0 instead of 1"),
        ([0.6, np.nan], None, "a vector with NaN or infinity"),
        ([0.6, np.inf], None, "a vector with NaN or infinity"),
        ([1.0], None, "a vector of 1 numbers instead of 2"),
        ([], None, "a vector of 0 numbers instead of 2"),
        (None, None, "no vector"),
        ([0.6, 0.8], 0.7, "a vector with a coordinate beyond 0.7, the maximum for this embedder"),
    ],
)
def test_a_vector_has_the_dimension_of_the_model_and_length_one(vector, limit, reason):
    assert fault(None if vector is None else np.array(vector, np.float32), 2, limit) == reason


def test_every_row_with_a_bad_vector_is_rejected_with_its_number_and_the_reason(tmp_path):
    good = vector_of(GALAXIES)
    bad = {"planets": good * np.float32(np.nan), "pulsars": good[:3], "quasars": None}
    rows = [(row, bad.get(row["id"], good)) for row in (PLANETS, GALAXIES, PULSARS, QUASARS)]
    report = build_in(tmp_path, *rows)
    assert (report.n_papers, report.n_rejected) == (1, 3)
    rejected_lines = [json.loads(line) for line in report.rejected_path.read_text().splitlines()]
    assert [(row["line"], row["record_id"], row["reason"]) for row in rejected_lines] == [
        (1, "planets", "a vector with NaN or infinity, in column 'embed'"),
        (3, "pulsars", "a vector of 3 numbers instead of 1,536, in column 'embed'"),
        (4, "quasars", "no vector, in column 'embed'"),
    ]


@pytest.mark.parametrize(
    ("column", "fault_of_file"),
    [
        ("vectors", "has no column 'vectors': its columns of vectors are embed"),
        ("title", "holds string, not lists of floating-point numbers: its columns of vectors are embed"),
    ],
)
def test_a_column_without_vectors_is_refused_with_those_that_have_them(tmp_path, column, fault_of_file):
    with pytest.raises(CorpusError, match=fault_of_file):
        build_in(tmp_path, column=column)


def test_vectors_of_another_model_are_refused_as_a_whole(tmp_path):
    large = OpenAIEmbedder.without_key("text-embedding-3-large")
    with pytest.raises(CorpusError, match=r"openai:text-embedding-3-large.*3,072"):
        build_in(tmp_path, embedder=large)


def test_vectors_come_from_parquet_files_only(tmp_path):
    with pytest.raises(CorpusError, match=r"papers\.jsonl"):
        build([write(tmp_path / "papers.jsonl", GALAXIES)], tmp_path / "corpus", KEYLESS, vectors="embed")
    with pytest.raises(UsageError, match=r"arxiv:cat:astro-ph\.GA"):
        build(["arxiv:cat:astro-ph.GA"], tmp_path / "corpus", KEYLESS, vectors="embed")


def test_vectors_of_two_embedders_never_meet(make, tmp_path, ready):
    make(GALAXIES)
    with pytest.raises(CorpusError, match=f"fake:hash-16.*openai:{MODEL}"):
        build_in(tmp_path)
    with pytest.raises(CorpusError, match=f"openai:{MODEL}.*fake:hash-16"):
        build([write(tmp_path / "one.jsonl", QUASARS)], ready / "corpus", HashEmbedder(16))


def test_the_command_line_wants_to_know_who_made_the_vectors(tmp_path, capsys):
    parquet(tmp_path / "set.parquet", (GALAXIES, vector_of(GALAXIES)))
    arguments = ["build", str(tmp_path / "set.parquet"), "--vectors", "embed", "--out", str(tmp_path / "corpus")]
    assert main(arguments) == 2
    assert "--vectors needs the model that made the vectors" in capsys.readouterr().err
    assert main(["build", "--vectors", "embed", "--out", str(tmp_path / "corpus")]) == 2
    assert main([*arguments, "--embedder", "openai:text-embedding-ada-002"]) == 2


# Searches -------------------------------------------------------------------------------------------


def test_without_a_key_words_are_searched_and_the_search_says_what_a_key_would_add(ready):
    pf = open_pf(ready / "corpus")
    result = pf.search("timing of pulsars")
    assert result.hits[0].paper.paper_id == "pulsars"
    status = {stage.name: stage for stage in result.stage_status}["embedder"]
    assert (status.status, status.model) == (StageOutcome.FAILED, None)
    assert status.reason == f"words alone, no key for openai:{MODEL}"
    assert "by words alone, not by meaning: no key is set" in result.notes[0]
    assert "--re-embed" in result.notes[0]
    assert np.isnan(result.candidates.dense).all()
    with pytest.raises(MissingKey, match="OPENAI_API_KEY"):
        pf.search("timing of pulsars", sides=RetrievalMode.DENSE)
    with pytest.raises(MissingKey, match="OPENAI_API_KEY"):
        pf.similar(text="timing of pulsars")
    assert {hit.paper.paper_id for hit in pf.similar("pulsars").hits} == {"galaxies", "planets"}


def test_with_a_key_questions_are_embedded_by_the_model_that_made_the_vectors(ready):
    with Wire(Embeds()) as wire:
        result = open_pf(ready / "corpus", wire.url).search("timing of pulsars")
        assert [(request.path, request.body["input"]) for request in wire.received] == [
            ("/v1/embeddings", ["timing of pulsars"])
        ]
    cosine = float(vector_of(PULSARS) @ EMBEDDER.embed(["timing of pulsars"], "query")[0])
    best = result.hits[0]
    assert best.paper.paper_id == "pulsars"
    assert result.candidates.dense.max() == pytest.approx(cosine, abs=1e-3)
    with Wire(Fails(401)) as wire, pytest.raises(RejectedKey, match="OPENAI_API_KEY"):
        open_pf(ready / "corpus", wire.url).search("timing of pulsars")


def test_the_decision_on_relevance_is_fitted_anew_once_there_is_a_key(copy):
    by_words = open_corpus(copy / "corpus").manifest.parts["relevance"]
    with Wire(Embeds()) as wire:
        embedder_with_key = OpenAIEmbedder(MODEL, api_key="sk-test", base_url=wire.url)
        build_in(copy, embedder=embedder_with_key)
        assert len(wire.received) == 1
        build_in(copy, embedder=embedder_with_key)
        assert len(wire.received) == 1
    assert open_corpus(copy / "corpus").manifest.parts["relevance"] != by_words


# Later ----------------------------------------------------------------------------------------------


def test_an_update_reads_the_same_column_again(tmp_path):
    build_in(tmp_path)
    four = [(row, vector_of(row)) for row in (*RECORDS, QUASARS)]
    parquet(tmp_path / "set.parquet", *four)
    report = update(tmp_path / "corpus", KEYLESS, extractor=WordsAsKeywords())
    assert (report.n_new, report.n_unchanged, report.n_rejected) == (1, 3, 0)
    assert open_corpus(tmp_path / "corpus").absent["passages"] == READY_VECTORS


def test_a_build_that_forgets_the_column_does_not_embed_what_the_file_has_embedded(ready, copy):
    with Wire(Embeds()) as wire:
        embedder_with_key = OpenAIEmbedder(MODEL, api_key="sk-test", base_url=wire.url)
        build([ready / "set.parquet"], copy / "corpus", embedder_with_key, extractor=WordsAsKeywords())
        assert len(wire.received) == 1  # The decision on relevance is fitted to off-topic questions.
    manifest = read_manifest(copy / "corpus")[0]
    assert (manifest.sources[0].vectors, manifest.absent["titles"]) == ("embed", READY_VECTORS)


def test_a_paper_is_removed_without_the_key(copy):
    remove(copy / "corpus", ["planets"], KEYLESS, extractor=WordsAsKeywords())
    corpus = verify_corpus(copy / "corpus")
    assert [paper.paper_id for paper in corpus.papers] == ["galaxies", "pulsars"]
    assert corpus.absent["passages"] == READY_VECTORS


def test_a_new_paper_without_a_vector_needs_the_key_and_changes_nothing(ready, tmp_path):
    before = read_manifest(ready / "corpus")
    with pytest.raises(MissingKey, match="OPENAI_API_KEY"):
        build([write(tmp_path / "one.jsonl", QUASARS)], ready / "corpus", KEYLESS, extractor=WordsAsKeywords())
    assert read_manifest(ready / "corpus") == before


def test_a_corpus_that_is_embedded_again_is_that_of_a_fresh_build(make, tmp_path, copy):
    before = read_manifest(copy / "corpus")[0]
    report = re_embed(copy / "corpus", WordByWord(), extractor=WordsAsKeywords())
    assert (report.n_papers, report.embedder, report.embedder_before) == (3, "fake:words-384", f"openai:{MODEL}")
    plain = [{name: row[name] for name in ("id", "title", "abstract")} for row in RECORDS]
    make(*plain, out="fresh", embedder=WordByWord())
    now, fresh = (verify_corpus(folder).manifest for folder in (copy / "corpus", tmp_path / "fresh"))
    roles = {role for role in now.parts if role != "papers"}  # The papers name the file that they come from.
    assert {role: now.parts[role] for role in roles} == {role: fresh.parts[role] for role in roles}
    assert (now.absent, now.embedder, now.dimension) == (fresh.absent, fresh.embedder, fresh.dimension)
    assert now.sources[0].vectors is None
    rollback(copy / "corpus")
    assert read_manifest(copy / "corpus")[0].parts == before.parts
    assert read_manifest(copy / "corpus")[0].embedder == f"openai:{MODEL}"


def test_embedding_again_that_fails_leaves_the_corpus_as_it_was(copy):
    class Fallible(HashEmbedder):
        def embed(self, texts, kind):
            raise RateLimited("slow down")

    before = content(copy / "corpus")
    with pytest.raises(RateLimited):
        re_embed(copy / "corpus", Fallible(16), extractor=WordsAsKeywords())
    after = content(copy / "corpus")
    assert {name: after[name] for name in before} == before
    assert {name.split("/")[0] for name in after} - {name.split("/")[0] for name in before} <= {".journal"}


@pytest.mark.parametrize(
    ("absent", "vectors", "has_passages"),
    [
        ({}, None, True),
        ({"tokens": "the embedder provides none"}, None, True),
        ({"passages": "left out, in the words of any version"}, None, False),
        ({"passages": READY_VECTORS}, "embed", True),
    ],
)
def test_passages_that_were_left_out_stay_left_out_whatever_words_say_so(absent, vectors, has_passages):
    sources = (SourceEntry("papers.parquet", vectors=vectors),)
    manifest = Manifest(1, "", "fake:4", 4, "", None, Counts(0), {}, absent, sources=sources)
    assert has_passages_again(manifest) is has_passages
