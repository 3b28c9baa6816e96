import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = (
    "requirements.txt",
    "requirements-model.txt",
    "requirements-dev.txt",
    "requirements-wire.txt",
    "requirements-ray.txt",
    "requirements.in",
    "pyproject.toml",
)


def make(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [shutil.which("make") or pytest.fail("make is not installed"), *arguments]
    environment = {"PATH": "/usr/bin:/bin"} | environment
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_make_alone_prints_every_verb(tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    printed = make(tmp_path).stdout.splitlines()
    assert [line.split()[1] for line in printed] == [
        *("app", "test", "check", "soak", "test-wire", "test-engines", "lint", "bench", "clean"),
    ]


@pytest.mark.parametrize("verb", ["app", "test", "check", "soak", "test-wire", "test-engines", "lint", "bench"])
def test_a_python_that_is_too_old_is_refused_with_a_way_out(tmp_path: Path, verb: str) -> None:
    for name in ("Makefile", *SOURCES):
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
        "python": 'echo "$PATHFINDER_CORPUS $@" > started; echo "$PATHFINDER_REQUIRE_BROWSER" > required',
    }
    for name, script in commands.items():
        write(tmp_path / ".venv" / "bin" / name, f"#!/bin/sh\n{script}\n", mode=0o755)
    write(tmp_path / "data" / "landmarks.jsonl", "one paper")
    for name in SOURCES:
        write(tmp_path / name, "")
    write(tmp_path / "pathfinder" / "corpus" / "manifest.py", "")
    for path in tmp_path.rglob("*"):
        os.utime(path, (1_000_000, 1_000_000))
    for name in ("pyvenv.cfg", "pins", "project", "tools"):
        write(tmp_path / ".venv" / name, "")
    write(tmp_path / ".venv-ray" / "pins", "")
    return tmp_path


def write(path: Path, text: str, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)


def open_app(installed: Path) -> subprocess.CompletedProcess[str]:
    """Run `make app`, and wait for the build behind the page to end."""
    run = make(installed, "app")
    whole = installed / "build" / "landmarks.whole"
    for _ in range(6000):
        if whole.exists():
            return run
        time.sleep(0.05)
    pytest.fail(f"the build behind the page did not end: {run.stderr}")


def test_the_page_is_not_started_without_a_corpus_to_show(installed: Path) -> None:
    write(installed / ".venv" / "bin" / "pathfinder", "#!/bin/sh\necho broken >&2; exit 1\n", mode=0o755)
    run = make(installed, "app")
    assert run.returncode == 2
    assert run.stderr.startswith("broken\n")
    assert not (installed / "started").exists()


def test_a_build_that_was_stopped_behind_the_page_is_taken_up_at_the_next_start(installed: Path) -> None:
    open_app(installed)
    (installed / "build" / "landmarks.whole").unlink()
    write(installed / "build" / "landmarks" / ".journal", "what was embedded")
    open_app(installed)
    assert len((installed / "built").read_text().splitlines()) == 2
    assert (installed / "build" / "landmarks" / ".journal").exists()


def test_the_demo_corpus_is_built_on_the_first_start_and_then_left_alone(installed: Path) -> None:
    assert open_app(installed).returncode == open_app(installed).returncode == 0
    assert (installed / "built").read_text().splitlines() == [
        "build data/landmarks.jsonl --out build/landmarks --open-early"
    ]
    assert (installed / "started").read_text() == ("build/landmarks server.py --page-only --open --port 8501\n")


def test_a_changed_list_of_landmarks_takes_the_place_of_the_old_corpus(installed: Path) -> None:
    open_app(installed)
    corpus = installed / "build" / "landmarks"
    write(corpus / "left-over", "of the first build")
    os.utime(corpus / "manifest.json", (2_000_000, 2_000_000))
    write(installed / "data" / "landmarks.jsonl", "two papers")
    open_app(installed)
    assert {path.name for path in (installed / "build").iterdir()} == {"landmarks", "landmarks.whole"}
    assert [(path.name, path.read_text()) for path in corpus.iterdir()] == [("manifest.json", "two papers")]


def test_another_corpus_and_port_need_no_demo_corpus(installed: Path) -> None:
    make(installed, "app", "CORPUS=my corpus", "PORT=8600")
    assert not (installed / "built").exists()
    started = (installed / "started").read_text()
    assert started.startswith("my corpus server.py")
    assert started.endswith("--port 8600\n")


def test_the_long_tests_fail_where_there_is_no_browser(installed: Path) -> None:
    make(installed, "test")
    assert (installed / "required").read_text() == "\n"
    make(installed, "soak")
    assert (installed / "started").read_text().endswith("-m soak\n")
    assert (installed / "required").read_text() == "1\n"


def test_measuring_without_the_collections_says_what_it_needs(installed: Path) -> None:
    run = make(installed, "bench")
    assert run.returncode == 2
    assert run.stderr.startswith("make bench needs DATA=DIR, a folder with retrieval/ and corpora/")
