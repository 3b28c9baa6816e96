"""Pathfinder for other programs: an API over HTTP, and MCP."""
