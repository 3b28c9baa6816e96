"""The folder for the work of readers."""

from pathlib import Path

from pathfinder.settings import Settings, user_data_folder


def data_folder(settings: Settings) -> Path:
    """Return the folder for the work of readers, which is outside of every corpus."""
    return settings.data or user_data_folder()
