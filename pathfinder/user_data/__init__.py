"""Readers' work, such as feedback and shelves: in one folder, outside every corpus."""

from pathfinder.user_data.backup import back_up, contents, delete_all, delete_corpus, move_corpus, restore
from pathfinder.user_data.database import Database, Restore, VersionStore, data_folder

__all__ = [
    "Database",
    "Restore",
    "VersionStore",
    "back_up",
    "contents",
    "data_folder",
    "delete_all",
    "delete_corpus",
    "move_corpus",
    "restore",
]
