"""Data sets of Hugging Face, against a host on loopback that lists and serves files."""

import json

import pytest
from pydantic import SecretStr

from pathfinder.corpus.readers import RejectedRow
from pathfinder.errors import CorpusError, MissingKey, Unreachable, UsageError
from pathfinder.sources import Window
from tests.sources.hosts.loopback import Reply

SET = "hf:org/set"
SHA = "a" * 40


def lines(*ids):
    return "".join(json.dumps({"id": n, "title": f"Dust {n}", "abstract": "a"}) + "\n" for n in ids).encode()


def data_set(files):
    """A data set: its description, and its files at one revision."""

    def answer(request):
        if request.path == "/api/datasets/org/set":
            siblings = [{"rfilename": name} for name in files]
            about = {"id": "org/set", "sha": SHA, "siblings": siblings, "cardData": {"license": "cc0-1.0"}}
            return Reply(json.dumps(about).encode())
        name = request.path.removeprefix(f"/datasets/org/set/resolve/{SHA}/")
        if name not in files:
            return Reply(b"", 404)
        start = int(request.headers.get("range", "bytes=0-").removeprefix("bytes=").rstrip("-"))
        return Reply(files[name][start:], 206 if start else 200, "text/plain")

    return answer


def ids(rows):
    return [row.paper_id for _, row in rows]


def test_the_files_of_a_data_set_are_read_in_order_with_its_licence(serve, read):
    files = {"b.jsonl": lines("3"), "a.jsonl": lines("1", "2") + b"{\n", "README.md": b"", "../out.jsonl": lines("9")}
    reading = read(serve(data_set(files)), "hf_url", SET)
    rows = reading.all()
    assert ids([row for row in rows if not isinstance(row[1], RejectedRow)]) == ["1", "2", "3"]
    assert (rows[2][1].file, rows[2][1].line) == (SET, 3)
    (record,) = rows[0][1].provenance
    assert (record.source, record.record_id, record.version, record.licence) == ("hf", "org/set:1", SHA[:12], "cc0-1.0")
    assert reading.memory.next == SHA


def test_a_path_chooses_files_and_a_file_is_fetched_once(serve, read):
    host = serve(data_set({"2025/a.jsonl": lines("1"), "2026/a.jsonl": lines("2")}))
    for _ in range(2):
        assert ids(read(host, "hf_url", f"{SET}/2026").all()) == ["2"]
    assert not any("2025" in request.path for request in host.requests)
    assert len([request for request in host.requests if "resolve" in request.path]) == 1


def test_a_download_that_breaks_off_goes_on_where_it_ended(serve, read):
    whole = lines(*"123456")
    broken = Reply(whole, kind="text/plain", n_bytes=100)
    host = serve(data_set({"a.jsonl": whole}), {1: broken})
    assert ids(read(host, "hf_url", SET).all()) == list("123456")
    assert host.requests[2].headers["range"] == "bytes=100-"


def test_a_token_is_sent_to_the_host_and_written_nowhere(serve, read, tmp_path):
    host = serve(data_set({"a.jsonl": lines("1")}))
    read(host, "hf_url", SET, hf_token=SecretStr("hf-secret")).all()
    assert {request.headers["authorization"] for request in host.requests} == {"Bearer hf-secret"}
    assert not any(b"hf-secret" in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


def test_a_data_set_that_has_not_changed_is_not_read_again_unless_its_reading_was_limited(serve, read):
    host = serve(data_set({"a.jsonl": lines("1", "2")}))
    reading = read(host, "hf_url", SET, last=SHA)
    assert reading.all() == []
    assert reading.memory.next == SHA
    reading = read(host, "hf_url", SET, window=Window(max_papers=1))
    assert ids(reading.all()) == ["1"]
    assert reading.memory.next is None


def test_a_data_set_without_papers_is_refused(serve, read):
    with pytest.raises(CorpusError, match="has no file of papers at 2024: name a file or folder"):
        read(serve(data_set({"2025/a.jsonl": b""})), "hf_url", f"{SET}/2024").all()


def test_a_data_set_that_is_not_shown_says_what_to_do(serve, read):
    hidden = serve(lambda _: Reply(b"gated", 401))
    with pytest.raises(MissingKey, match="HF_TOKEN"):
        read(hidden, "hf_url", SET).all()
    hidden.address = "http://127.0.0.1:9"
    with pytest.raises(Unreachable, match="Hugging Face does not answer"):
        read(hidden, "hf_url", SET).all()


@pytest.mark.parametrize("source", ["hf:name", "hf:org/set/../../etc", "hf:"])
def test_a_name_that_is_none_is_refused(serve, read, source):
    with pytest.raises(UsageError, match="needs ORG/NAME"):
        read(serve(lambda _: Reply(b"")), "hf_url", source)
