"""Extension points: Pathfinder's built-in extensions, and those that other packages declare as entry points."""

from pathfinder.plugins.registry import API_VERSION, PluginProblem, Registry

__all__ = ["API_VERSION", "PluginProblem", "Registry"]
