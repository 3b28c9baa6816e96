import ast
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from pathfinder.errors import LEXICON_WHEEL, WEIGHTS_WHEEL
from tests.syntax_trees import nodes_of, tree_of

ROOT = Path(__file__).parents[1]
PINS = (
    "requirements.txt",
    "requirements-dev.txt",
    "requirements-model.txt",
    "requirements-wire.txt",
    "requirements-engines.txt",
    "requirements-ray.txt",
)
LISTS = ("requirements.in", "requirements-dev.in", "requirements-wire.in")
PIN = re.compile(
    r"^([\w.-]+)==([\w.+-]+)(?: ;[^\\]+)? \\$((?:\n    --hash=sha256:[0-9a-f]{64}(?: \\)?)+)", re.MULTILINE
)


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def lines(name: str) -> list[str]:
    """What `name` says, comments and blank lines left out."""
    return [line.strip() for line in read(name).splitlines() if line.strip() and not line.strip().startswith("#")]


def pinned_versions(name: str) -> set[tuple[str, str]]:
    return {(distribution, version) for distribution, version, _ in PIN.findall(read(name))}


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
    assert [distribution for distribution, _ in pinned_versions(name) if heavy.match(distribution)] == []


def test_what_is_imported_is_pinned() -> None:
    names = {distribution for distribution, _ in pinned_versions("requirements.txt")}
    assert {line.lower() for line in lines("requirements.in")} <= names


@pytest.mark.usefixtures("collector_rests")
def test_everything_that_is_required_is_used_and_everything_that_is_used_is_required() -> None:
    imported, named = set(), {"langchain_openai"}  # LangChain finds it by the name of the provider
    for path in (ROOT / "pathfinder").rglob("*.py"):
        for node in nodes_of(tree_of(path)):
            if isinstance(node, ast.Import):
                imported |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add((node.module or "").split(".")[0])
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                named.add(re.split("[:.]", node.value)[0])
    required = {line.lower() for line in lines("requirements.in")}
    assert required <= distributions(imported | named)
    # LangGraph brings one package in several distributions, so one of those that bring it has to be required.
    extras = tomllib.loads(read("pyproject.toml"))["project"]["optional-dependencies"].values()
    optional = {re.split("[<>=]", requirement)[0] for extra in extras for requirement in extra}
    allowed = required | {"pathfinder"} | optional
    assert [
        package for package in imported if distributions({package}) and not distributions({package}) & allowed
    ] == []


def distributions(packages: set[str]) -> set[str]:
    """Which installed distributions, by their normalised names, bring these packages."""
    bringers = _bringers()
    return {name.lower().replace("_", "-") for package in packages for name in bringers.get(package, [])}


@cache
def _bringers() -> Mapping[str, list[str]]:
    """By package: reading what is installed takes a second."""
    return packages_distributions()


def test_what_builds_the_project_is_pinned_so_that_installing_it_needs_no_network() -> None:
    assert "setuptools" in dict(pinned_versions("requirements.txt"))


def test_the_tools_ask_for_the_same_versions_as_the_app() -> None:
    app, tools = pinned_versions("requirements.txt"), pinned_versions("requirements-dev.txt")
    shared = dict(app).keys() & dict(tools).keys()
    assert {pin for pin in tools if pin[0] in shared} <= app


def test_the_model_and_the_lexicon_that_are_installed_are_those_that_the_code_asks_for() -> None:
    assert {"==".join(pin) for pin in pinned_versions("requirements-model.txt")} == {WEIGHTS_WHEEL, LEXICON_WHEEL}


def test_the_readme_shows_the_two_commands_and_no_verb_that_make_does_not_know() -> None:
    targets = set(re.findall(r"^ *make ([a-z]+)", read("README.md"), re.MULTILINE))
    assert {"app", "test"} <= targets <= {"app", "test", "lint", "bench", "clean"}


def test_the_package_data_reaches_every_file_that_is_not_python() -> None:
    package = ROOT / "pathfinder"
    patterns = tomllib.loads(read("pyproject.toml"))["tool"]["setuptools"]["package-data"]["pathfinder"]
    reached = {path for pattern in patterns for path in package.glob(pattern)}
    files = {path for path in package.rglob("*") if path.is_file() and path.suffix not in {".py", ".pyc"}}
    assert files - reached == set()


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
