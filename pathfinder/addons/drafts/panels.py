"""What the pages tell drafts."""

from pathfinder.ui.writing.sections import follow_shelf

__all__ = ["follow_shelf"]
