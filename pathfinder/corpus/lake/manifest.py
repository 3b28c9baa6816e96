"""The manifest of a lake: the embedder of its vectors, and its shards with their hashes."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, TypeAdapter
from pydantic.dataclasses import dataclass

from pathfinder.errors import CorpusError
from pathfinder.index.token_codecs import TokenForm
from pathfinder.text.files import write_file
from pathfinder.text.strict_json import parse_as, to_json

LAKE_FILE = "lake.json"
FORMAT = 1
MAX_DIMENSION = 65_536
_STRICT = ConfigDict(extra="forbid")
_NAME = r"^shard-[0-9]{6}\.parquet$"


@dataclass(frozen=True, slots=True, config=_STRICT)
class Shard:
    """A Parquet file in a lake."""

    name: Annotated[str, Field(pattern=_NAME)]
    papers: Annotated[int, Field(ge=0)]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


@dataclass(frozen=True, slots=True, config=_STRICT)
class Lake:
    """A lake: the embedder of its vectors, and its shards in order."""

    format: Literal[1]
    created_by: str
    embedder: str
    dimension: Annotated[int, Field(ge=1, le=MAX_DIMENSION)]
    precision: str | None
    """Kind of numbers with which the embedder computed the vectors; `None` if the embedder uses only one kind."""
    form_of_tokens: TokenForm
    shards: tuple[Shard, ...]

    @property
    def n_papers(self) -> int:
        """Number of papers in all shards."""
        return sum(shard.papers for shard in self.shards)


_LAKE: TypeAdapter[Lake] = TypeAdapter(Lake)


def shard_name(number: int) -> str:
    """Return the file name of a shard, counted from 0."""
    return f"shard-{number:06}.parquet"


def read_lake(folder: Path) -> Lake:
    """Read the manifest of the lake in `folder`. Raises `CorpusError` if there is none, if it is not valid, or if a
    shard is missing.
    """
    path = folder / LAKE_FILE
    try:
        lake = parse_as(_LAKE, path.read_bytes())
    except OSError as error:
        raise CorpusError(
            f"{folder} is not a lake ({LAKE_FILE}: {error.strerror}): name a folder that `pathfinder export lake` wrote"
        ) from error
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"{path} is not the manifest of a lake ({error}): export the lake again") from error
    for shard in lake.shards:
        if not (folder / shard.name).is_file():
            raise CorpusError(f"{folder} lacks {shard.name}, which {LAKE_FILE} lists: copy it too, or export again")
    return lake


def write_lake(lake: Lake, folder: Path) -> None:
    """Write the manifest of `lake`, whose shards are in `folder`, in one step: it is there as a whole or not at all."""
    write_file(folder / LAKE_FILE, to_json(_LAKE, lake))
