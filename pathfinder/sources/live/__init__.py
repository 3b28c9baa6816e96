"""Live sources: hosts that a search asks while it runs, side by side and within one time limit."""

from pathfinder.sources.live.asking import LiveAccess, LiveReply, allowed_sources, ask_side_by_side

__all__ = ["LiveAccess", "LiveReply", "allowed_sources", "ask_side_by_side"]
