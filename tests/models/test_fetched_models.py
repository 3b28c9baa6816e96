"""Models that are fetched once, from a hub on loopback that lists and serves a folder."""

import hashlib
import json

import pytest

from pathfinder.errors import ModelError, ProviderError
from pathfinder.models.loading import load_embedder
from pathfinder.settings import Settings
from tests.models.made_models import write_embedder, write_json
from tests.sources.hosts.loopback import LoopbackHost, Reply, running

REVISION = "c" * 40


def hub_of(folder, changes=None):
    """A hub with the model me/letters; `changes` are made to the list of its files."""

    def answer(request):
        files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        if request.path in ("/api/models/me/letters", f"/api/models/me/letters/revision/{REVISION}"):
            siblings = [
                {"rfilename": name, "size": len(content)}
                | ({"lfs": {"sha256": hashlib.sha256(content).hexdigest()}} if name.endswith(".onnx") else {})
                | (changes or {}).get(name, {})
                for name, content in files.items()
            ]
            return Reply(json.dumps({"sha": REVISION, "siblings": siblings}).encode())
        name = request.path.removeprefix(f"/me/letters/resolve/{REVISION}/")
        if name not in files:
            return Reply(b"", 404)
        start = int(request.headers.get("range", "bytes=0-").removeprefix("bytes=").rstrip("-"))
        return Reply(files[name][start:], 206 if start else 200, "application/octet-stream")

    return LoopbackHost(answer)


@pytest.fixture
def model(tmp_path):
    folder = write_embedder(tmp_path / "published")
    write_json(folder / "training/data.json", {"not": "needed"})
    (folder / "pytorch_model.bin").write_bytes(b"\x80\x04 never fetched")
    return folder


@pytest.fixture
def load(tmp_path, monkeypatch):
    """`load(host, name)` loads a model that `host` has."""

    def load_from(host, name="onnx:me/letters"):
        monkeypatch.setattr("pathfinder.sources.http.pace.Clock", lambda: host.clock)
        settings = Settings(_env_file=None, data=tmp_path / "data", cache=tmp_path / "cache", hf_url=host.address)
        return load_embedder(name, settings)

    return load_from


def test_a_model_is_fetched_once_at_a_pace_and_only_the_files_that_it_needs(model, load, tmp_path):
    with running(hub_of(model)) as host:
        embedder = load(host)
        assert embedder.name == "onnx:me/letters"
        own = "1_Pooling/config.json config.json modules.json onnx/model.onnx sentence_bert_config.json tokenizer.json"
        fetched = [request.path.rpartition(REVISION)[2].lstrip("/") for request in host.requests]
        assert sorted(fetched[1:]) == own.split()
        assert min(host.pauses) >= 0.2
        n_requests = len(host.requests)
        assert load(host).embed(["dust"], "query").tolist() == embedder.embed(["dust"], "query").tolist()
        assert len(host.requests) == n_requests
    plain = load_embedder(f"onnx:{model}", Settings(_env_file=None))
    assert embedder.files == plain.files
    assert not list(tmp_path.glob("data/models/**/*.part"))


def test_a_fetch_that_broke_off_goes_on_where_it_ended(model, load):
    host = hub_of(model)
    whole = (model / "onnx/model.onnx").read_bytes()
    host.faults = {6: Reply(whole, kind="application/octet-stream", n_bytes=100)}
    with running(host):
        load(host)
    ranges = [request.headers.get("range") for request in host.requests if request.path.endswith("model.onnx")]
    assert ranges == [None, "bytes=100-"]


@pytest.mark.parametrize("names", [("onnx/model.onnx", "onnx/model_q.onnx"), ("onnx/model_q.onnx", "onnx/model.onnx")])
def test_other_weights_are_fetched_beside_the_first_at_the_same_revision(model, load, names):
    (model / "onnx/model_q.onnx").write_bytes((model / "onnx/model.onnx").read_bytes())
    # A plain name means the usual weights, whatever others were fetched before.
    first, second = ("onnx:me/letters" if name == "onnx/model.onnx" else f"onnx:me/letters/{name}" for name in names)
    with running(hub_of(model)) as host:
        assert names[0] in load(host, first).files
        n_requests = len(host.requests)
        assert names[1] in load(host, second).files
        paths = [request.path for request in host.requests]
        assert paths[n_requests:] == [
            f"/api/models/me/letters/revision/{REVISION}",
            f"/me/letters/resolve/{REVISION}/{names[1]}",
        ]
        assert names[0] in load(host, first).files
        assert names[1] in load(host, second).files
        assert len(host.requests) == len(paths)


@pytest.mark.parametrize("name", ["onnx:me/letters", "onnx:me/letters/openvino/fp32/model.onnx"])
def test_weights_in_another_folder_are_fetched_and_opened(model, load, name):
    (model / "openvino/fp32").mkdir(parents=True)
    (model / "onnx/model.onnx").rename(model / "openvino/fp32/model.onnx")
    with running(hub_of(model)) as host:
        assert "openvino/fp32/model.onnx" in load(host, name).files


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"onnx/model.onnx": {"lfs": {"sha256": "0" * 64}}}, "did not arrive as it is listed"),
        ({"onnx/model.onnx": {"size": 7}}, "did not arrive as it is listed"),
        ({"onnx/model.onnx": {"size": 10**12}}, "choose a smaller model"),
        ({"onnx/model.onnx": {"rfilename": "../../model.onnx"}}, "nor any other ONNX weights"),
    ],
)
def test_a_hub_that_lies_is_not_believed(model, load, tmp_path, changes, words):
    with running(hub_of(model, changes)) as host, pytest.raises(ModelError, match=words):
        load(host)
    assert not list(tmp_path.glob("**/data/models/**/model.onnx"))


def test_a_model_that_the_hub_does_not_have_is_an_error_of_the_hub(model, load):
    with running(hub_of(model)) as host, pytest.raises(ProviderError, match="404"):
        load(host, "onnx:me/numbers")
