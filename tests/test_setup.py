import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from pathfinder.models.minilm import WEIGHTS_WHEEL

ROOT = Path(__file__).parents[1]
PINS = ("requirements.txt", "requirements-dev.txt", "requirements-model.txt")
LISTS = ("requirements.in", "requirements-dev.in")
PIN = re.compile(
    r"^([\w.-]+)==([\w.+-]+)(?: ;[^\\]+)? \\$((?:\n    --hash=sha256:[0-9a-f]{64}(?: \\)?)+)", re.MULTILINE
)


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def lines(name: str) -> list[str]:
    """What `name` says, comments and blank lines left out."""
    return [line.strip() for line in read(name).splitlines() if line.strip() and not line.strip().startswith("#")]


def pinned(name: str) -> set[tuple[str, str]]:
    return {(distribution, version) for distribution, version, _ in PIN.findall(read(name))}


def make(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [shutil.which("make") or pytest.fail("make is not installed"), *arguments]
    environment = {"PATH": "/usr/bin:/bin"} | environment
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", PINS + LISTS)
def test_requirements_name_no_host(name: str) -> None:
    assert "://" not in read(name)
    assert not re.search(r"--(index-url|extra-index-url|find-links|trusted-host)|^-[if] ", read(name), re.MULTILINE)


@pytest.mark.parametrize("name", PINS)
def test_every_pin_is_exact_and_hashed(name: str) -> None:
    requirements = [line for line in lines(name) if not line.startswith("--hash=")]
    assert len(requirements) == len(PIN.findall(read(name))) > 0


@pytest.mark.parametrize("name", PINS)
def test_nothing_installs_torch(name: str) -> None:
    heavy = re.compile(r"torch|triton|nvidia|cuda|sentence-transformers|transformers$")
    assert [distribution for distribution, _ in pinned(name) if heavy.match(distribution)] == []


def test_what_is_imported_is_pinned() -> None:
    names = {distribution for distribution, _ in pinned("requirements.txt")}
    assert {line.lower() for line in lines("requirements.in")} <= names


def test_what_builds_the_project_is_pinned_so_that_installing_it_needs_no_network() -> None:
    assert "setuptools" in dict(pinned("requirements.txt"))


def test_the_tools_ask_for_the_same_versions_as_the_app() -> None:
    app, tools = pinned("requirements.txt"), pinned("requirements-dev.txt")
    shared = dict(app).keys() & dict(tools).keys()
    assert {pin for pin in tools if pin[0] in shared} <= app


def test_the_model_that_is_installed_is_the_one_that_the_code_asks_for() -> None:
    assert {"==".join(pin) for pin in pinned("requirements-model.txt")} == {WEIGHTS_WHEEL}


def test_make_alone_prints_every_verb(tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    printed = make(tmp_path).stdout.splitlines()
    assert [line.split()[1] for line in printed] == ["app", "test", "lint", "bench", "clean"]


def test_the_readme_shows_the_two_commands_and_no_verb_that_make_does_not_know() -> None:
    shown = set(re.findall(r"^ *make ([a-z]+)", read("README.md"), re.MULTILINE))
    assert {"app", "test"} <= shown <= {"app", "test", "lint", "bench", "clean"}


@pytest.mark.parametrize("verb", ["app", "test", "lint", "bench"])
def test_a_python_that_is_too_old_is_refused_with_a_way_out(tmp_path: Path, verb: str) -> None:
    for name in ("Makefile", "requirements.in", "pyproject.toml", *PINS):
        shutil.copy(ROOT / name, tmp_path)
    old = tmp_path / "old-python"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo "Python 3.9.2"\n', encoding="utf-8")
    old.chmod(0o755)
    run = make(tmp_path, verb, "CORPUS=.", PYTHON="./old-python")
    assert run.returncode == 2
    assert run.stderr.startswith(
        "Pathfinder needs Python 3.11 or newer, and ./old-python is Python 3.9.2: name another"
    )
    assert not (tmp_path / ".venv").exists()


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A checkout in which everything is installed, and where building and starting the app only leave a note."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    commands = {
        "pathfinder": 'mkdir -p "$4" && cp "$2" "$4/manifest.json" && echo "$@" >> built',
        "python": 'echo "$PATHFINDER_CORPUS $@" > started',
    }
    for name, script in commands.items():
        write(tmp_path / ".venv" / "bin" / name, f"#!/bin/sh\n{script}\n", mode=0o755)
    write(tmp_path / "data" / "landmarks.jsonl", "one paper")
    for name in ("requirements.txt", "requirements-model.txt", "pyproject.toml", "requirements.in"):
        write(tmp_path / name, "")
    write(tmp_path / "pathfinder" / "corpus" / "manifest.py", "")
    for path in tmp_path.rglob("*"):
        os.utime(path, (1_000_000, 1_000_000))
    for name in ("pyvenv.cfg", "pins", "project"):
        write(tmp_path / ".venv" / name, "")
    return tmp_path


def write(path: Path, text: str, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)


def test_the_demo_corpus_is_built_on_the_first_start_and_then_left_alone(installed: Path) -> None:
    assert make(installed, "app").returncode == make(installed, "app").returncode == 0
    assert (installed / "built").read_text().splitlines() == ["build data/landmarks.jsonl --out build/landmarks.new"]
    assert (installed / "started").read_text() == (
        "build/landmarks -m streamlit run app.py --server.address 127.0.0.1 --server.port 8501\n"
    )


def test_a_changed_list_of_landmarks_takes_the_place_of_the_old_corpus(installed: Path) -> None:
    make(installed, "app")
    corpus = installed / "build" / "landmarks"
    write(corpus / "left-over", "of the first build")
    os.utime(corpus / "manifest.json", (2_000_000, 2_000_000))
    write(installed / "data" / "landmarks.jsonl", "two papers")
    make(installed, "app")
    assert [path.name for path in (installed / "build").iterdir()] == ["landmarks"]
    assert [(path.name, path.read_text()) for path in corpus.iterdir()] == [("manifest.json", "two papers")]


def test_another_corpus_and_port_need_no_demo_corpus(installed: Path) -> None:
    make(installed, "app", "CORPUS=my corpus", "PORT=8600")
    assert not (installed / "built").exists()
    started = (installed / "started").read_text()
    assert started.startswith("my corpus -m streamlit run app.py")
    assert started.endswith("--server.port 8600\n")


def test_the_package_data_reaches_every_file_that_is_not_python() -> None:
    package = ROOT / "pathfinder"
    patterns = tomllib.loads(read("pyproject.toml"))["tool"]["setuptools"]["package-data"]["pathfinder"]
    reached = {path for pattern in patterns for path in package.glob(pattern)}
    files = {path for path in package.rglob("*") if path.is_file() and path.suffix not in {".py", ".pyc"}}
    assert files - reached == set()


def test_every_lint_rule_says_what_it_is_for() -> None:
    rules = re.findall(r'^    "[A-Z]+\d*",.*$', read("pyproject.toml"), re.MULTILINE)
    assert [rule for rule in rules if "  #" not in rule and " # " not in rule] == []


def test_the_app_keeps_to_itself() -> None:
    config = tomllib.loads(read(".streamlit/config.toml"))
    assert config["browser"] == {"gatherUsageStats": False}
    assert "address" not in config["server"]
    assert "://" not in read(".streamlit/config.toml")


def test_the_space_and_its_image_agree_on_the_port() -> None:
    port = re.search(r"^app_port: (\d+)$", read("README.md"), re.MULTILINE)
    assert port is not None
    assert set(re.findall(r"(?:EXPOSE |port=|127\.0\.0\.1:)(\d+)", read("Dockerfile"))) == {port[1]}


def test_the_image_runs_as_a_user_that_is_not_root_and_holds_no_secret() -> None:
    dockerfile, left_out = read("Dockerfile"), lines(".dockerignore")
    assert "--uid 1000 pathfinder" in dockerfile
    assert re.findall(r"^USER (.*)$", dockerfile, re.MULTILINE) == ["pathfinder"]
    assert not re.search(r"^(ARG|ENV).*(KEY|TOKEN|SECRET)", dockerfile, re.MULTILINE)
    assert {".env", ".streamlit/secrets.toml", ".git"} <= set(left_out)


def test_the_secrets_that_are_shown_as_an_example_are_none() -> None:
    assert tomllib.loads(read(".streamlit/secrets.toml.example"))["OPENAI_API_KEY"] == "..."
    assert ".streamlit/secrets.toml" in lines(".gitignore")
