"""Browser tests skip, and say so, where there is no browser; where one is required, they fail."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
REASON = "no browser: none of chromium-headless-shell, chromium, chromium-browser, google-chrome is installed"


def run_browser_tests_without_a_browser(empty: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "--confcutdir=tests/browser",
        "tests/browser/test_start.py",
    ]
    environment = {"PATH": str(empty), "HOME": str(empty)} | environment
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def test_a_required_browser_that_is_not_there_is_a_failure(tmp_path: Path) -> None:
    run = run_browser_tests_without_a_browser(tmp_path, PATHFINDER_REQUIRE_BROWSER="1")
    assert run.returncode == 1
    assert "6 errors" in run.stdout.splitlines()[-1]
    assert REASON in run.stdout
