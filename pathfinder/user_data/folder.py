"""The folder for readers' work."""

from pathlib import Path

from pathfinder.settings import Settings, user_data_folder


def data_folder(settings: Settings) -> Path:
    """Return the folder for readers' work, which is outside every corpus."""
    return settings.data or user_data_folder()
