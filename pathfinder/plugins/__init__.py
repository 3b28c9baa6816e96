"""Extension points: Pathfinder's built-in extensions, and those that other packages declare as entry points."""

from pathfinder.plugins.registry import API_VERSION, PluginProblem, Registry, declared_in

__all__ = ["API_VERSION", "PluginProblem", "Registry", "declared_in"]
