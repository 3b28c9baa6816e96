"""The engine that a build chooses with `--engine milvus`, and that files of a corpus name."""

from pathfinder.addons.milvus.collection import drop_unused, write_collection
from pathfinder.addons.milvus.server import check
from pathfinder.addons.milvus.vectors import read_collection
from pathfinder.index.engines import Engine

MILVUS = Engine(check, write_collection, read_collection, drop_unused)
