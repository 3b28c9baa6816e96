"""Embeds shards with actors on a Ray cluster whose machines all see the folder of the lake at the same path."""

import logging
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pathfinder.addons.scale.shards import ShardTask, embed_shard
from pathfinder.building.completion import created_by
from pathfinder.building.passage_maker import files_of, for_papers, precision_of
from pathfinder.errors import CorpusError, MissingDependency, PathfinderError
from pathfinder.models.ports import Embedder

CONNECT_SECONDS = 10.0
"""Time within which the head of the cluster must accept a connection; Ray itself keeps trying for many minutes."""
MAX_KILLS = 3
"""Maximum number of times that a shard is started again after its actor is killed; without a limit, a shard that needs
more memory than a machine has would be restarted for ever.
"""


@dataclass(frozen=True, slots=True)
class Signature:
    """Program, embedder, precision and files of a process; all vectors in a lake come from processes in which these are
    the same.
    """

    program: str
    embedder: str
    precision: str | None
    files: Mapping[str, str]
    """SHA-256 of each file of the embedder."""

    def __str__(self) -> str:
        files = (f"{name} {digest[:8]}" for name, digest in sorted(self.files.items()))
        return ", ".join(part for part in (self.program, self.embedder, self.precision, *files) if part)


class ShardActor:
    """An embedder in a process of a Ray cluster; its settings come from the environment of its own machine."""

    def __init__(self, load: Callable[[], Embedder]) -> None:
        """`load` returns the embedder; it is called at first use, because Ray hides the errors of a constructor."""
        self._load = load

    @cached_property
    def _embedder(self) -> Embedder:
        return for_papers(self._load())

    def signature(self) -> Signature:
        """Return what determines the vectors of this actor."""
        return _signature(self._embedder)

    def embed(self, task: ShardTask) -> int:
        """Embed the papers of a shard, write it, and return their number."""
        return embed_shard(task, self._embedder)


@dataclass(frozen=True, slots=True)
class RayCluster:
    """A running Ray cluster, and the actors that will embed papers there."""

    address: str
    """HOST:PORT of its head, or `auto` for the cluster to which this machine belongs."""
    n_actors: int
    gpus: int = 0
    """Number of GPUs that each actor takes."""
    start_seconds: float = 300.0
    """Time within which all actors must have loaded their embedder; a cluster that grows on demand needs minutes."""

    def embed(self, tasks: Sequence[ShardTask], load: Callable[[], Embedder]) -> Iterator[int]:
        """Embed the shards of `tasks`, and yield the number of papers in each when it is written, in any order.

        An actor that is killed is started again, and so is its shard. Raises `MissingDependency` if Ray is not
        installed, and `CorpusError` if the cluster cannot be reached, has no room for the actors, runs another version
        of Pathfinder or another embedder, or has lost the same shard more than `MAX_KILLS` times.
        """
        if not tasks:
            return
        ray = _ray()
        self._check_address()
        with self._connect(ray):
            options = {"num_cpus": 1, "num_gpus": self.gpus, "max_restarts": -1, "max_task_retries": MAX_KILLS}
            kind = ray.remote(**options)(ShardActor)
            actors = [kind.remote(load) for _ in range(min(self.n_actors, len(tasks)))]
            self._wait_for(ray, actors, _signature(for_papers(load())))
            pool = ray.util.ActorPool(actors)
            yield from pool.map_unordered(lambda actor, task: actor.embed.remote(task), tasks)

    def _check_address(self) -> None:
        """Raise `CorpusError` if nothing listens at the address; `auto` is not checked, because Ray finds the cluster
        itself.
        """
        host, colon, port = self.address.rpartition(":")
        if self.address == "auto":
            return
        if not (host and colon and port.isdecimal() and int(port) < 65_536):
            raise CorpusError(f"--ray {self.address!r} is not the address of a Ray cluster: write HOST:PORT, or auto")
        try:
            socket.create_connection((host, int(port)), CONNECT_SECONDS).close()
        except OSError as error:
            raise CorpusError(
                f"no Ray cluster answers at {self.address} ({error.strerror or error}): start it with `ray start "
                "--head`, or name its address"
            ) from error

    @contextmanager
    def _connect(self, ray: Any) -> Iterator[None]:
        """Connect to the cluster, and turn Ray's errors into Pathfinder's, each of which says what to do."""
        try:
            ray.init(self.address, log_to_driver=False, logging_level=logging.ERROR)
            yield
        except ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, PathfinderError):
                raise error.cause from error
            raise CorpusError(f"an actor on the Ray cluster {self.address} failed: {error.cause!r}") from error
        except ray.exceptions.RayActorError as error:
            raise CorpusError(
                f"a shard was started {MAX_KILLS + 1} times on the Ray cluster {self.address}, and each time its "
                "process was killed, perhaps for lack of memory: lower --workers or --size, and run the same command "
                "again to continue with the shards that are missing"
            ) from error
        except (ray.exceptions.RayError, ConnectionError, ValueError, RuntimeError) as error:
            raise CorpusError(
                f"the Ray cluster {self.address} cannot be used ({error}): check that `ray status --address "
                f"{self.address}` answers here, and run the same command again"
            ) from error
        finally:
            ray.shutdown()

    def _wait_for(self, ray: Any, actors: Sequence[Any], here: Signature) -> None:
        """Wait until all actors have loaded the embedder. Raises `CorpusError` if an actor does not load it in time, or
        loads a different one.
        """
        signatures = [actor.signature.remote() for actor in actors]
        ready, waiting = ray.wait(signatures, num_returns=len(signatures), timeout=self.start_seconds)
        if waiting:
            cores = ray.cluster_resources().get("CPU", 0)
            raise CorpusError(
                f"{len(ready)} of {len(actors)} actors started within {self.start_seconds:.0f} s on the Ray cluster "
                f"{self.address}, which has {cores:.0f} processor cores: lower --workers, because each worker takes a "
                "core"
            )
        for there in ray.get(ready):
            if there != here:
                raise CorpusError(
                    f"a machine in the Ray cluster {self.address} embeds with {there}, and this one with {here}: "
                    "install the same version with the same settings on all of them"
                )


def _signature(embedder: Embedder) -> Signature:
    return Signature(created_by(), embedder.name, precision_of(embedder), files_of(embedder))


def _ray() -> Any:
    try:
        import ray
        import ray.exceptions
        import ray.util
    except ModuleNotFoundError as error:
        raise MissingDependency("--ray needs Ray, which is not installed: pip install 'pathfinder[ray]'") from error
    return ray
