"""Builds, judgements and the server, killed (SIGKILL) at any moment: nothing is lost, and the next start is clean.

Ten kills here, a hundred in `make soak`. The moments are drawn with a seed, one in each of equal parts of the time that
the job takes undisturbed; what must hold, must hold at every moment.
"""

import http.client
import json
import random
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pathfinder.addons.feedback.judgements import FeedbackStore
from pathfinder.corpus.store import verify_corpus
from tests.building.conftest import content, write
from tests.faults.forks import Forks, forks
from tests.serving import free_port

pytestmark = pytest.mark.build

QUESTION = {"query": "How old are globular clusters?", "top_k": 3}
START_SECONDS = 60.0


def kills(n: int, soak: int) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("n", [n, pytest.param(soak, marks=pytest.mark.soak)])


def moments(n: int, seconds: float) -> list[float]:
    """Draw a moment in each of `n` equal parts of `seconds`, in any order."""
    luck = random.Random(18)
    times = [(part + luck.random()) / n * seconds for part in range(n)]
    luck.shuffle(times)
    return times


@pytest.fixture(scope="module")
def jobs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forks]:
    with forks(tmp_path_factory.mktemp("own")) as running:
        yield running


def paper(batch: int, number: int) -> dict[str, object]:
    words = random.Random(f"{batch} {number}").choices("warm cold young distant dusty faint bright clumpy".split(), k=9)
    name = f"p{batch}-{number}"
    return {"id": name, "title": f"On {words[0]} galaxies {name}", "abstract": f"Galaxies are {' '.join(words)}."}


def ids_in(corpus: Path) -> set[str]:
    """Return the ids of the papers in a corpus, after every byte of it was checked."""
    return set(verify_corpus(corpus).papers.paper_ids())


@pytest.mark.parametrize(
    ("n", "n_papers"),
    [(3, 2), pytest.param(30, 2, marks=pytest.mark.soak), pytest.param(10, 12, marks=pytest.mark.soak)],
    ids=["without a map", "without a map, often", "with a map"],
)
def test_no_paper_is_lost_when_a_build_is_killed(jobs: Forks, tmp_path: Path, n: int, n_papers: int) -> None:
    old, new = ([paper(batch, number) for number in range(n_papers)] for batch in range(2))
    earlier, later = write(tmp_path / "old.jsonl", *old), write(tmp_path / "new.jsonl", *new)
    before, after = ({str(each["id"]) for each in papers} for papers in (old, [*old, *new]))
    jobs.run("build", earlier, tmp_path / "earlier")
    shutil.copytree(tmp_path / "earlier", tmp_path / "undisturbed")
    seconds = jobs.run("build", later, tmp_path / "undisturbed")
    for moment in moments(n, seconds):
        corpus = killed_build(jobs, tmp_path, later, moment)
        assert ids_in(corpus) in (before, after)
        jobs.run("build", later, corpus)
        assert ids_in(corpus) == after
        assert content(corpus) == content(tmp_path / "undisturbed")


def killed_build(jobs: Forks, folder: Path, source: Path, moment: float) -> Path:
    """Kill a build that adds a file to a copy of a corpus, at `moment` or, if it has ended by then, earlier."""
    corpus = folder / "corpus"
    while True:
        shutil.rmtree(corpus, ignore_errors=True)
        shutil.copytree(folder / "earlier", corpus)
        jobs.start("build", source, corpus)
        time.sleep(moment)
        if jobs.kill():
            return corpus
        moment *= 0.7


@kills(5, 30)
def test_no_judgement_is_lost_and_none_comes_back_when_its_writers_are_killed(
    jobs: Forks, tmp_path: Path, n: int
) -> None:
    folder, promises = tmp_path / "data", tmp_path / "promises.txt"
    for run, moment in enumerate(moments(n, 0.4)):
        n_promises = len(promised_lines(promises))
        jobs.start("judge", folder, promises, run * 1_000_000)
        while run % 2 == 0 and len(promised_lines(promises)) == n_promises:
            time.sleep(0.01)  # every second time, the store is at work when its moment begins
        time.sleep(moment)
        assert jobs.kill()
        lines = promised_lines(promises)
        withdrawn = {line[1:] for line in lines if line.startswith("-")}
        codes = {each.code for each in FeedbackStore(folder).judgements()}
        # A code of a multiple of four may have been withdrawn without having been written down as such.
        lost = {line for line in lines if not line.startswith("-")} - withdrawn - codes
        assert {code for code in lost if int(code[1:]) % 4} == set()
        assert withdrawn & codes == set()
        with closing(sqlite3.connect(folder / "feedback.sqlite3")) as database:
            assert database.execute("pragma integrity_check").fetchone() == ("ok",)
    assert len(promised_lines(promises)) > n / 2


def promised_lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def answer(port: int, path: str, body: object = None) -> object:
    """Return what the API answers; `None` where nobody listens."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        sent = None if body is None else json.dumps(body)
        try:
            connection.request("POST" if sent else "GET", path, sent, {"Content-Type": "application/json"})
            reply = connection.getresponse()
            return json.loads(reply.read()) if reply.status == http.client.OK else None
        except (OSError, http.client.HTTPException):
            return None


def start_server(jobs: Forks, corpus: Path) -> int:
    """Start the server and return its port once it answers."""
    port, deadline = free_port(), time.monotonic() + START_SECONDS
    jobs.start("serve", corpus, port)
    while answer(port, "/api/v1/health") is None:
        assert time.monotonic() < deadline, "the server has not started"
        time.sleep(0.02)
    return port


def hits(port: int) -> list[tuple[str, float]]:
    record = answer(port, "/api/v1/search", QUESTION)
    assert isinstance(record, dict)
    return [(hit["paper_id"], hit["score"]["final"]) for hit in record["hits"]]


@kills(2, 30)
def test_a_server_that_is_killed_starts_again_and_answers_the_same(
    jobs: Forks, golden_corpus: Path, tmp_path: Path, n: int
) -> None:
    before, start = content(golden_corpus), time.monotonic()
    expected = hits(start_server(jobs, golden_corpus))
    seconds = time.monotonic() - start
    assert jobs.kill()
    for moment in moments(n, 1.2 * seconds):
        port, start = free_port(), time.monotonic()
        jobs.start("serve", golden_corpus, port)
        while time.monotonic() < start + moment:
            answer(port, "/api/v1/search", QUESTION)
            time.sleep(0.01)
        assert jobs.kill()
        assert hits(start_server(jobs, golden_corpus)) == expected
        assert jobs.kill()
    assert content(golden_corpus) == before
