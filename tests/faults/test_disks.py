"""A disk that is full and a corpus that cannot be written, both real: the parts of a program lie on mounts of its own.

They need a system that lets a user mount within a namespace (`unshare`), as most Linux systems do.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.forks import ROOT

pytestmark = pytest.mark.build

UNSHARE = ("unshare", "--map-root-user", "--mount")
MOUNTS = """
disk=$1 corpus=$2; shift 2
mount -t tmpfs -o size=3m none "$disk" && mount --bind "$corpus" "$corpus" && mount -o remount,bind,ro "$corpus" &&
exec "$@" "$disk" "$corpus"
"""

BASIS = """
import contextlib, io, json, sys
from dataclasses import replace
from pathlib import Path
from pathfinder.cli import main
from pathfinder.errors import StoreError
from pathfinder.addons.feedback.judgements import FeedbackStore
from tests.feedback_made import JUDGED
other, place, whole = map(Path, sys.argv[1:])

def run(*words):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main([str(word) for word in words])
    return status, out.getvalue(), err.getvalue().splitlines()

def papers(name, *ids):
    lines = [json.dumps({"id": each, "title": f"On {each}", "abstract": f"All of {each}."}) for each in ids]
    (other / name).write_text("\\n".join(lines))
    return other / name

def build(name, *ids):
    return run("build", papers(name, *ids), "--out", place / "corpus", "--embedder", "fake:hash-16")

def ids():
    from pathfinder.corpus.store import verify_corpus
    return set(verify_corpus(place / "corpus").papers.paper_ids())
"""

ON_A_FULL_DISK = """
store = FeedbackStore(place)
for number in range(5):
    store.add(replace(JUDGED, code=f"code-{number}"))
assert build("old.jsonl", "dust", "ice")[0] == 0
assert run("screen", "start", place / "corpus", "--question", "dust", "--session", place / "s.json")[0] == 0
session = (place / "s.json").read_bytes()

with (place / "filler").open("wb", buffering=0) as filler, contextlib.suppress(OSError):
    while True:
        filler.write(bytes(256))

refused = []
try:
    for number in range(1000):
        store.add(replace(JUDGED, code=f"late-{number}"))
except StoreError as error:
    refused.append(str(error))
print("judgement:", refused[0])
for name, (status, _, said) in (
    ("build", build("new.jsonl", "gas", "rain")),
    ("screening", run("screen", "decide", place / "s.json", "dust", "in")),
    ("capsule", run("capsule", "save", "dust?", "--corpus", place / "corpus", "--out", place / "q.pfz")),
    ("export", run("data", "backup", place / "copy.zip")),
):
    print(f"{name}: {status}:", said[-1])
assert ids() == {"dust", "ice"}
assert (place / "s.json").read_bytes() == session

(place / "filler").unlink()
codes = {each.code for each in store.judgements()}
assert {f"code-{number}" for number in range(5)} <= codes == {f"code-{n}" for n in range(5)} | {
    f"late-{n}" for n in range(number)
}
store.add(replace(JUDGED, code="after"))
status, _, said = build("new.jsonl", "gas", "rain")
assert status == 0, said
assert ids() == {"dust", "ice", "gas", "rain"}
assert run("screen", "decide", place / "s.json", "dust", "in")[0] == 0
print("whole again")
"""

IN_A_READ_ONLY_CORPUS = """
from starlette.testclient import TestClient
from pathfinder.serving.access import ServerAccess
from pathfinder.serving.api import api
from pathfinder.facade import Pathfinder

client = TestClient(api(Pathfinder.open(whole), ServerAccess()), base_url="http://127.0.0.1:8600")
for call, body in (
    ("search", {"query": "dust"}),
    ("answer", {"query": "dust?", "generation": "extractive"}),
    ("map/region", {"region": "-99,-99;99,99"}),
):
    print(f"{call}:", client.post(f"/api/v1/{call}", json=body).status_code)
for name, words in (
    ("a build", ("build", papers("new.jsonl", "gas"), "--out", whole, "--embedder", "fake:hash-384")),
    ("a removal", ("remove", whole, "hubble-1929")),
    ("a rollback", ("rollback", whole)),
):
    status, _, said = run(*words)
    print(f"{name}: {status}:", said[-1])
"""


@pytest.fixture(scope="module")
def messages(golden_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What a program prints, by the word before the colon, whose data lie on a small disk, and whose corpus cannot be
    written.
    """
    if subprocess.run([*UNSHARE, "true"], check=False, capture_output=True).returncode != 0:
        pytest.skip("this system lets nobody mount within a namespace (unshare --map-root-user --mount)")
    disk, other = tmp_path_factory.mktemp("disk"), tmp_path_factory.mktemp("other")
    own = {"PYTHONPATH": str(ROOT), "PATHFINDER_DATA": str(disk), "XDG_CACHE_HOME": str(other / "cache")}
    program = BASIS + ON_A_FULL_DISK + IN_A_READ_ONLY_CORPUS
    run = subprocess.run(
        [*UNSHARE, "sh", "-c", MOUNTS, "sh", disk, golden_corpus, sys.executable, "-c", program, other],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | own,
        timeout=300,
    )
    assert run.returncode == 0, run.stdout + run.stderr[-3000:]
    assert "Traceback" not in run.stderr
    return dict(line.split(": ", 1) if ": " in line else (line, "") for line in run.stdout.splitlines())


def test_a_full_disk_is_said_and_nothing_is_lost_on_it(messages: dict[str, str]) -> None:
    assert "name another folder in PATHFINDER_DATA" in messages["judgement"]
    assert "s.json cannot be written" in messages["screening"]
    for job in ("build", "screening", "capsule"):
        assert messages[job].startswith("1: pathfinder: ")
        assert "free some space" in messages[job]
    assert messages["export"].startswith("1: pathfinder: ")
    assert "whole again" in messages


def test_a_corpus_that_cannot_be_written_is_read_and_a_change_is_refused(messages: dict[str, str]) -> None:
    assert [messages[call] for call in ("search", "answer", "map/region")] == ["200"] * 3
    for job in ("a build", "a removal", "a rollback"):
        assert "Read-only file system" in messages[job], messages[job]
