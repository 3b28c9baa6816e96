"""`pathfinder shards --ray` on a real cluster: what it makes when processes are killed, and what it refuses."""

import json
import os
import subprocess
import sys
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from pathfinder.addons.scale.lake import read_lake, read_shard
from pathfinder.addons.scale.ray_cluster import MAX_KILLS, RayCluster
from pathfinder.addons.scale.shards import ProcessPool, embed_lake
from pathfinder.building.progress import Silent
from pathfinder.errors import CorpusError, ModelError
from pathfinder.models.fake import HashEmbedder
from pathfinder.types import Paper
from tests.golden import LANDMARKS
from tests_ray.conftest import Cluster, wait_until

N_PAPERS = 20_000
PER_SHARD = 1_024
N_SHARDS = 20  # 20,000 / 1,024 = 19.5
SECONDS = 1_200.0
"""Time after which something hangs."""
PROGRAM = "import sys; from pathfinder.cli import main; sys.exit(main(sys.argv[1:]))"


def titles(path: Path) -> Path:
    """Write papers of which nothing but the title is known: each is made from those of two landmarks."""
    own_titles = [json.loads(line)["title"] for line in LANDMARKS.read_text(encoding="utf-8").splitlines()]
    pairs = product(range(200), repeat=2)
    titles = [f"{own_titles[a]} and {own_titles[b].lower()}" for a, b in pairs][:N_PAPERS]
    lines = [json.dumps({"id": f"made-{row:05}", "title": title}) for row, title in enumerate(titles)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def shards(cluster: Cluster, source: Path, out: Path, *options: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", PROGRAM, "shards", str(source), "--out", str(out), "--size", str(PER_SHARD)]
    return subprocess.Popen([*command, *options], env=cluster.environment, stderr=subprocess.PIPE, text=True)


def progress(out: Path) -> dict[str, int]:
    """The shards that are complete, and when each was written."""
    entries = {path.name.split("-")[0] for path in (out / ".inputs").glob("*.json")}
    return {path.name: path.stat().st_mtime_ns for path in out.glob("shard-*.parquet") if path.stem[6:] in entries}


def test_a_killed_actor_and_a_killed_command_lose_nothing_and_repeat_nothing(cluster: Cluster, tmp_path: Path) -> None:
    source, on_ray, at_home = titles(tmp_path / "titles.jsonl"), tmp_path / "ray", tmp_path / "one"
    options = ("--ray", cluster.address, "--workers", "2")

    first = shards(cluster, source, on_ray, *options)
    wait_until(lambda: len(progress(on_ray)) >= 2, SECONDS)
    cluster.kill_an_actor()
    wait_until(lambda: len(progress(on_ray)) >= N_SHARDS // 2, SECONDS)
    assert first.poll() is None
    first.kill()
    first.communicate()
    wait_until(lambda: not cluster.actors(), SECONDS)  # they end with the command that started them
    before = progress(on_ray)
    assert N_SHARDS // 2 <= len(before) < N_SHARDS

    second = shards(cluster, source, on_ray, *options)
    _, output = second.communicate(timeout=SECONDS)
    assert second.returncode == 0, output
    after = {path.name: path.stat().st_mtime_ns for path in on_ray.glob("shard-*.parquet")}
    assert len(after) == N_SHARDS
    assert {name: after[name] for name in before} == before
    assert {path.name for path in on_ray.glob("[!.]*")} == {"lake.json", *after}  # nothing half written

    alone = shards(cluster, source, at_home, "--workers", "1")
    _, output = alone.communicate(timeout=SECONDS)
    assert alone.returncode == 0, output
    rows_on_ray, expected = read(on_ray), read(at_home)
    assert list(rows_on_ray) == list(expected) == [f"made-{row:05}" for row in range(N_PAPERS)]
    assert max(np.abs(rows_on_ray[name] - expected[name]).max() for name in rows_on_ray) <= 1e-6


def read(folder: Path) -> dict[str, np.ndarray]:
    lake = read_lake(folder)
    rows = [row for shard in lake.shards for row in read_shard(folder, shard, lake)]
    assert len(rows) == lake.n_papers
    return {row.paper.paper_id: row.vector.astype(np.float64) for row in rows}


PAPERS = [Paper(f"p{number}", f"Star {number}", f"Star number {number} shines.") for number in range(5)]


def embed(runner: RayCluster | ProcessPool, out: Path, load: object) -> None:
    embed_lake(iter(PAPERS), out, load, Silent(), runner, 128)


@pytest.fixture
def here(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> Cluster:
    """The cluster, for calls from this process."""
    for name, value in cluster.environment.items():
        monkeypatch.setenv(name, value)
    return cluster


def another_elsewhere(pid: int) -> HashEmbedder:
    """An embedder with other dimensions in any other process."""
    return HashEmbedder(8 if os.getpid() == pid else 16)


def fails_elsewhere(pid: int) -> HashEmbedder:
    if os.getpid() != pid:
        raise ModelError("this machine has no model: install it")
    return HashEmbedder(8)


class Dies(HashEmbedder):
    def embed(self, texts, kind):
        os.kill(os.getpid(), 9)


def dies_elsewhere(pid: int) -> HashEmbedder:
    return HashEmbedder(8) if os.getpid() == pid else Dies(8)


def test_a_machine_with_another_embedder_is_refused(here: Cluster, tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"embeds with .*16, and this one with .*8: install the same version"):
        embed(RayCluster(here.address, 1), tmp_path / "lake", partial(another_elsewhere, os.getpid()))


def test_an_error_of_a_machine_arrives_as_it_is(here: Cluster, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="this machine has no model: install it"):
        embed(RayCluster(here.address, 1), tmp_path / "lake", partial(fails_elsewhere, os.getpid()))


def test_more_actors_than_cores_are_refused(here: Cluster, tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"4 of 5 actors started within 20 s .* has 4 processor cores"):
        embed_lake(
            iter(PAPERS),
            tmp_path / "lake",
            partial(HashEmbedder, 8),
            Silent(),
            RayCluster(here.address, 5, start_seconds=20.0),
            1,
        )


def test_a_shard_whose_process_always_dies_is_given_up(here: Cluster, tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=rf"started {MAX_KILLS + 1} times"):
        embed(RayCluster(here.address, 1), tmp_path / "lake", partial(dies_elsewhere, os.getpid()))
