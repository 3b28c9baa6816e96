"""A lake: a folder of Parquet shards with papers and their vectors, from which a corpus is filled without embedding."""

from pathfinder.corpus.lake.manifest import LAKE_FILE, Lake, Shard, read_lake, shard_name, write_lake
from pathfinder.corpus.lake.shards import PaperVectors, read_shard, write_shard

__all__ = [
    "LAKE_FILE",
    "Lake",
    "PaperVectors",
    "Shard",
    "read_lake",
    "read_shard",
    "shard_name",
    "write_lake",
    "write_shard",
]
