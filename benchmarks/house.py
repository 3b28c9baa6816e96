"""The size of the code base, and the number of files over which an idea is spread: the figures in docs/house.md.

    python benchmarks/house.py [ROOT] [--times CORPUS] [--tests]

ROOT is the root of a checkout, by default this one. Most figures are counted by reading the files; for the others, a
probe answers questions from the first 100 papers of the demo corpus. Nested generators: the LangChain adapter streams
an answer from a fake model, and every generator of Pathfinder's that is open while it waits for a chunk is counted. The
way of a search result from `Pathfinder.answer` to the checked text, by a chat model and in quotations: files with a
function in which a variable holds a paper of the result, or something made of papers; the names of these variables; and
calls that carry one of them from a lower room into a higher one, by the rooms of this checkout. `--times` adds
the processor time of `--help`, of opening CORPUS and of the first search in it, medians of five processes each, and
`--tests` what pytest collects, with the marks that leave a test out of a quicker run. How many files a new operation,
add-on, answer mode, reader, factor or layer touches is not counted here: CONTRIBUTING.md says it, a journey each. Needs
Pathfinder's packages, but no network.
"""

import argparse
import ast
import json
import os
import statistics
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

SMALL = 60
"""Number of lines below which a module counts as small."""
WORDS = ("diversity", "decomposes")
"""A ranking factor and a search setting; the code files that name them are counted."""

PROBE = r'''
import dataclasses, inspect, json, pathlib, sys, tempfile, time
from importlib import import_module

root = pathlib.Path(sys.argv[1])
rooms = json.loads(sys.argv[2])
vendor = next(name for name in ("llm", "models") if (root / "pathfinder" / name / "langchain_chat.py").exists())
adapter = import_module(f"pathfinder.{vendor}.langchain_chat")

from langchain_core.messages import AIMessageChunk
from pathfinder.building import build
from pathfinder.models.fake import HashEmbedder
from pathfinder import Pathfinder
from pathfinder.types import AnswerRequest


QUESTIONS = ("What is the value of the Hubble constant?", "Which codes simulate galaxies?", "Are galaxies young?")


def open_generators():
    """The generators of Pathfinder's on the stacks of all threads, from the chunk outwards."""
    for frame in sys._current_frames().values():
        while frame is not None:
            code = frame.f_code
            if code.co_flags & inspect.CO_GENERATOR and str(root / "pathfinder") in code.co_filename:
                where = pathlib.Path(code.co_filename).relative_to(root / "pathfinder").with_suffix("")
                yield f"{'.'.join(where.parts)}.{code.co_name}"
            frame = frame.f_back


def holds_papers(value, depth=3):
    """Whether a value is a paper of the search result, or holds one: as a field, an item, or an item's field."""
    if type(value).__name__ in ("Paper", "Hit", "SearchResult"):
        return True
    if dataclasses.is_dataclass(value):
        value = [getattr(value, field.name) for field in dataclasses.fields(value)]
    elif isinstance(value, dict):
        value = list(value.values())
    return depth > 0 and isinstance(value, (list, tuple)) and any(holds_papers(one, depth - 1) for one in value[:20])


def place(frame):
    """The file of a frame and the height of its room; nothing for code that is not Pathfinder's."""
    path = pathlib.Path(frame.f_code.co_filename)
    if not path.is_relative_to(root / "pathfinder"):
        return None
    path = path.relative_to(root / "pathfinder")
    return path, next((n for n, line in enumerate(rooms) if path.parts[0].removesuffix(".py") in line), None)


def follow(frame, event, _argument):
    """Note where the papers of the result are, under which names, and calls from a lower room into a higher one."""
    here = place(frame)
    if here is None or event not in ("call", "return"):
        return
    found = {name for name, value in frame.f_locals.items() if holds_papers(value)}
    names.update(found - {"self", "cls"} - {name for name in found if name.startswith(".")})
    if found:
        files.add(str(here[0]))
    caller = place(frame.f_back) if event == "call" and frame.f_back else None
    if found and caller and None not in (caller[1], here[1]) and here[1] < caller[1]:
        climbs.add(f"{caller[0]} {frame.f_back.f_code.co_name} -> {here[0]} {frame.f_code.co_name}")


class MadeUpModel:
    found = []

    def stream(self, _messages):
        for n, word in enumerate(["Galaxies ", "are ", "young ", "[1]."]):
            time.sleep(0.3)  # until whoever reads waits for this chunk
            if n == 2:
                MadeUpModel.found = list(open_generators())
            end = {"finish_reason": "stop"} if n == 3 else {}
            yield AIMessageChunk(content=word, response_metadata=end)


adapter.load_model = lambda *_arguments, **_options: MadeUpModel()
with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    papers = (root / "data" / "landmarks.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)[:100]
    (folder / "papers.jsonl").write_text("".join(papers), encoding="utf-8")
    build([folder / "papers.jsonl"], folder / "corpus", HashEmbedder(32))
    make = getattr(adapter, "langchain_chat", None) or adapter.LangChainChat
    chat = make("openai:made-up", api_key="none")
    pf = Pathfinder.open(folder / "corpus", embedder=HashEmbedder(32), chat=chat)
    result = dataclasses.replace(pf.search("Are galaxies young?"), assessment=None)
    for _ in pf.stream_answer(result):
        pass
    files, climbs, names = set(), set(), set()
    for question in QUESTIONS:
        result = dataclasses.replace(pf.search(question), assessment=None)
        for mode in ("rag", "extractive"):
            sys.setprofile(follow)
            pf.answer(result, generation=type(AnswerRequest().generation)(mode))
            sys.setprofile(None)
print(json.dumps([MadeUpModel.found, *map(sorted, (files, climbs, names))]))
'''


def modules(root: Path) -> dict[str, Path]:
    """Return every module of the package, by its dotted name."""
    return {".".join(path.relative_to(root).with_suffix("").parts): path for path in root.glob("pathfinder/**/*.py")}


def function_lengths(tree: ast.AST) -> Iterator[int]:
    """Yield the lines of each function's body, without its docstring."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            yield (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def imported_paths(tree: ast.AST, module_paths: dict[str, Path]) -> set[str]:
    """Return the package's modules that a module imports, anywhere in its code."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {node.module or ""} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names & module_paths.keys()


def n_import_lines(tree: ast.AST) -> int:
    """Count the lines of import statements, wherever they stand."""
    nodes = (node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))
    return sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in nodes)


def used_once(tree: ast.AST) -> list[str]:
    """Return the private functions and methods of a module that its code names exactly once besides their `def`."""
    uses = Counter(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
    uses += Counter(node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    functions = (node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return [name for name in functions if name.startswith("_") and not name.endswith("__") and uses[name] == 1]


def processor_times(root: Path, corpus: Path) -> dict[str, float]:
    """Return the processor time, in seconds, of `--help`, of importing and opening, and of the first search: medians of
    five processes each, after one that stores the bytecode.
    """
    programs = {
        "--help": "import sys; from pathfinder.cli import main; main(['--help'])",
        "opening": "import sys; from pathfinder import Pathfinder; pf = Pathfinder.open(sys.argv[1])",
    }
    programs["first search"] = f"{programs['opening']}; opened = process_time(); pf.search('Are galaxies young?')"
    times: dict[str, list[float]] = {name: [] for name in programs}
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(6):
        for name, program in programs.items():
            script = f"from time import process_time; opened = 0.0; {program}; print(process_time() - opened)"
            command = [sys.executable, "-c", script, str(corpus)]
            where = environment | {"PYTHONPATH": str(root)}
            ran = subprocess.run(command, cwd=root, env=where, capture_output=True, text=True, check=True)  # noqa: S603
            times[name].append(float(ran.stdout.split()[-1]))
    return {name: statistics.median(seconds[1:]) for name, seconds in times.items()}


def collected_tests(root: Path) -> dict[str, int]:
    """Count the tests in `tests` that pytest collects: those of `make test`, those of them that build a corpus, which
    `make check` leaves out, and those of `make soak`.
    """
    counts = {}
    for mark in ("build or not build", "build", "soak"):
        command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-n", "0", "-m", mark, "tests"]
        ran = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)  # noqa: S603
        counts[mark] = sum("::" in line for line in ran.stdout.splitlines())
    return {"not soak": counts.pop("build or not build"), **counts}


def small_with_one_importer(root: Path, trees: dict[str, ast.AST], module_paths: dict[str, Path]) -> list[str]:
    """Return modules of under 60 lines that are imported by exactly one file: a module of the package or a page."""
    pages = [ast.parse(path.read_text(encoding="utf-8")) for path in root.glob("pathfinder/ui/places/*.py")]
    importers = Counter(name for tree in (*trees.values(), *pages) for name in imported_paths(tree, module_paths))
    return sorted(
        name
        for name, path in module_paths.items()
        if importers[name] == 1 and path.name != "__init__.py" and len(_lines(path)) < SMALL
    )


def answer_paths(root: Path) -> tuple[list[str], list[str], list[str], list[str]]:
    """Return the generators through which a chunk of a model's reply reaches the page, innermost first, and the files,
    climbs and names on the way of a search result to the checked text.
    """
    settings = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    rooms = next([line.split(" : ") for line in each["layers"]] for each in contracts if each["type"] == "layers")
    probe = subprocess.run(  # noqa: S603  our own probe, of a folder that was named
        [sys.executable, "-c", PROBE, str(root), json.dumps(rooms)],
        cwd=root,
        env=os.environ | {"PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    if probe.returncode:
        raise SystemExit(f"the probe of {root} failed:\n{probe.stderr[-2000:]}")
    generators, files, climbs, names = json.loads(probe.stdout.splitlines()[-1])
    return generators, files, climbs, names


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def main() -> None:
    """Print the figures for one checkout."""
    parser = argparse.ArgumentParser(description="Count the modules, lines, functions and generators of a checkout.")
    parser.add_argument("root", type=Path, nargs="?", default=Path(__file__).parents[1])
    parser.add_argument("--list", action="store_true", help="name what was counted, too")
    parser.add_argument("--times", type=Path, metavar="CORPUS", help="measure the processor time, too")
    parser.add_argument("--tests", action="store_true", help="count the tests that pytest collects, too")
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    module_paths = modules(root)
    trees: dict[str, ast.AST] = {
        name: ast.parse(path.read_text(encoding="utf-8")) for name, path in module_paths.items()
    }
    lengths = sorted(length for tree in trees.values() for length in function_lengths(tree))
    small = small_with_one_importer(root, trees, module_paths)
    generators, *on_the_way = answer_paths(root)
    n_lines = sum(len(_lines(path)) for path in module_paths.values())
    print(f"modules                               {len(module_paths):>7,}")
    print(f"lines in pathfinder/                  {n_lines:>7,}")
    print(f"share of lines that import            {sum(map(n_import_lines, trees.values())) / n_lines:>7.1%}")
    print(f"private functions used once           {sum(len(used_once(tree)) for tree in trees.values()):>7,}")
    print(f"lines of tests                        {sum(len(_lines(path)) for path in root.glob('tests*/**/*.py')):>7,}")
    print(f"modules under 60 lines, one importer  {len(small):>7,}")
    for word in WORDS:
        n_files = sum(word in path.read_text(encoding="utf-8") for path in module_paths.values())
        print(f"files that name {word:<22}{n_files:>7,}")
    print(f"nested generators, chunk to page      {len(generators):>7,}")
    for found, on in zip(("files", "climbs to a higher room", "names"), on_the_way, strict=True):
        print(f"way of a result: {found:<21}{len(on):>7,}")
    print(f"functions                             {len(lengths):>7,}")
    for name, share in (("median", 0.5), ("90th percentile", 0.9)):
        print(f"length of a function, {name:<16}{lengths[int(share * (len(lengths) - 1))]:>7,}")
    print(f"length of a function, longest         {lengths[-1]:>7,}")
    if arguments.times:
        for name, seconds in processor_times(root, arguments.times.resolve()).items():
            print(f"processor seconds, {name:<19}{seconds:>7.2f}")
    if arguments.tests:
        for name, n in collected_tests(root).items():
            print(f"tests, {name:<31}{n:>7,}")
    if arguments.list:
        print("\n".join(("", *small, "", *generators, *(line for on in on_the_way for line in ("", *on)))))


if __name__ == "__main__":
    main()
