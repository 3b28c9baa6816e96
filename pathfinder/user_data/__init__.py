"""Readers' work, such as shelves: in one folder, outside every corpus."""

from pathfinder.user_data.backup import back_up, contents, delete_all, delete_corpus, move_corpus, restore
from pathfinder.user_data.database import Database, data_folder
from pathfinder.user_data.records import Kind, Records, Visit, database_in, oldest
from pathfinder.user_data.versions import NO_LONGER_STORED, Restore, VersionStore, versions

__all__ = [
    "NO_LONGER_STORED",
    "Database",
    "Kind",
    "Records",
    "Restore",
    "VersionStore",
    "Visit",
    "back_up",
    "contents",
    "data_folder",
    "database_in",
    "delete_all",
    "delete_corpus",
    "move_corpus",
    "oldest",
    "restore",
    "versions",
]
