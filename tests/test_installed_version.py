"""The version of the program, which capsules, corpora, requests and MCP name."""

import importlib.metadata
from unittest.mock import patch

from pathfinder.building.completion import created_by
from pathfinder.settings import installed_version
from pathfinder.sources.http.web import user_agent


def test_a_program_that_is_not_installed_says_so_everywhere() -> None:
    missing = importlib.metadata.PackageNotFoundError("pathfinder")
    with patch("pathfinder.settings.version", side_effect=missing):
        assert installed_version() == "not installed"
        assert created_by() == "pathfinder, not installed"
        assert user_agent(None).startswith("pathfinder/0 (")


def test_an_installed_program_names_its_version() -> None:
    with patch("pathfinder.settings.version", return_value="0.2.0"):
        assert created_by() == "pathfinder 0.2.0"
        assert user_agent(None).startswith("pathfinder/0.2.0 (")
