"""The size of the code base, and the number of files over which an idea is spread: the figures in docs/house.md.

    python benchmarks/house.py [ROOT]

ROOT is the root of a checkout, by default this one. All figures but one are counted by reading the files. The
exception is the number of nested generators: the LangChain adapter streams a RAG answer from a fake model, and every
generator of Pathfinder's that is open while it waits for a chunk is counted. Needs Pathfinder's packages, but no
network.
"""

import argparse
import ast
import json
import os
import subprocess
import sys
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
vendor = next(name for name in ("llm", "models") if (root / "pathfinder" / name / "langchain_chat.py").exists())
adapter = import_module(f"pathfinder.{vendor}.langchain_chat")

from langchain_core.messages import AIMessageChunk
from pathfinder.building import build
from pathfinder.models.fake import HashEmbedder
from pathfinder import Pathfinder


def open_generators():
    """The generators of Pathfinder's on the stacks of all threads, from the chunk outwards."""
    for frame in sys._current_frames().values():
        while frame is not None:
            code = frame.f_code
            if code.co_flags & inspect.CO_GENERATOR and str(root / "pathfinder") in code.co_filename:
                where = pathlib.Path(code.co_filename).relative_to(root / "pathfinder").with_suffix("")
                yield f"{'.'.join(where.parts)}.{code.co_name}"
            frame = frame.f_back


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
    papers = [{"id": str(n), "title": f"Galaxy {n}", "abstract": "Galaxies are young."} for n in range(3)]
    (folder / "papers.jsonl").write_text("\n".join(map(json.dumps, papers)))
    build([folder / "papers.jsonl"], folder / "corpus", HashEmbedder(32))
    make = getattr(adapter, "langchain_chat", None) or adapter.LangChainChat
    chat = make("openai:made-up", api_key="none")
    pf = Pathfinder.open(folder / "corpus", embedder=HashEmbedder(32), chat=chat)
    result = dataclasses.replace(pf.search("Are galaxies young?"), assessment=None)
    for _ in pf.stream_answer(result):
        pass
print(json.dumps(MadeUpModel.found))
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


def small_with_one_importer(root: Path, trees: dict[str, ast.AST], module_paths: dict[str, Path]) -> list[str]:
    """Return modules of under 60 lines that are imported by exactly one file: a module of the package or a page."""
    pages = [ast.parse(path.read_text(encoding="utf-8")) for path in root.glob("pathfinder/ui/places/*.py")]
    importers = Counter(name for tree in (*trees.values(), *pages) for name in imported_paths(tree, module_paths))
    return sorted(
        name
        for name, path in module_paths.items()
        if importers[name] == 1 and path.name != "__init__.py" and len(_lines(path)) < SMALL
    )


def nested_generators(root: Path) -> list[str]:
    """Return the generators through which a chunk of a model's reply reaches the page, innermost first."""
    probe = subprocess.run(  # noqa: S603  our own probe, of a folder that was named
        [sys.executable, "-c", PROBE, str(root)],
        cwd=root,
        env=os.environ | {"PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    if probe.returncode:
        raise SystemExit(f"the probe of {root} failed:\n{probe.stderr[-2000:]}")
    names: list[str] = json.loads(probe.stdout.splitlines()[-1])
    return names


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def main() -> None:
    """Print the figures for one checkout."""
    parser = argparse.ArgumentParser(description="Count the modules, lines, functions and generators of a checkout.")
    parser.add_argument("root", type=Path, nargs="?", default=Path(__file__).parents[1])
    parser.add_argument("--list", action="store_true", help="name the small modules and the generators, too")
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    module_paths = modules(root)
    trees: dict[str, ast.AST] = {
        name: ast.parse(path.read_text(encoding="utf-8")) for name, path in module_paths.items()
    }
    lengths = sorted(length for tree in trees.values() for length in function_lengths(tree))
    small, generators = small_with_one_importer(root, trees, module_paths), nested_generators(root)
    print(f"modules                               {len(module_paths):>7,}")
    print(f"lines in pathfinder/                  {sum(len(_lines(path)) for path in module_paths.values()):>7,}")
    print(f"modules under 60 lines, one importer  {len(small):>7,}")
    for word in WORDS:
        n_files = sum(word in path.read_text(encoding="utf-8") for path in module_paths.values())
        print(f"files that name {word:<22}{n_files:>7,}")
    print(f"nested generators, chunk to page      {len(generators):>7,}")
    print(f"functions                             {len(lengths):>7,}")
    for name, share in (("median", 0.5), ("90th percentile", 0.9)):
        print(f"length of a function, {name:<16}{lengths[int(share * (len(lengths) - 1))]:>7,}")
    print(f"length of a function, longest         {lengths[-1]:>7,}")
    if arguments.list:
        print("\n".join(("", *small, "", *generators)))


if __name__ == "__main__":
    main()
