"""Hash of the code that makes a part of a corpus, so that nobody has to increase a version number by hand."""

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from inspect import getsource

N_DIGITS = 16


@cache
def source_hash(module: str, rooms: tuple[str, ...]) -> str:
    """Hash the code of `module` and of everything that it imports, directly or indirectly, from `rooms` (packages or
    modules).

    Returns 16 hexadecimal digits. Comments, docstrings and formatting are ignored, so only a change in the code itself
    changes the hash.
    """
    sources = {name: _parse(name)[1] for name in sorted(_with_imports(module, rooms))}
    text = "".join(f"{name}\0{source}\0" for name, source in sources.items())
    return hashlib.sha256(text.encode()).hexdigest()[:N_DIGITS]


def _with_imports(module: str, rooms: tuple[str, ...]) -> frozenset[str]:
    modules, pending = {module}, [module]
    while pending:
        new = {
            name for name in _parse(pending.pop())[0] if f"{name}.".startswith(tuple(f"{room}." for room in rooms))
        } - modules
        modules |= new
        pending.extend(new)
    return frozenset(modules)


@cache
def _parse(module: str) -> tuple[frozenset[str], str]:
    """Return the modules that `module` imports with `from ... import ...` (the only form used in this project), and its
    code without comments or docstrings.
    """
    tree = ast.parse(getsource(import_module(module)))
    imports = frozenset(node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = list(_without_texts(body)) or [ast.Pass()]  # type: ignore[attr-defined]
    return imports, ast.unparse(tree)


def _without_texts(statements: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Leave out docstrings and the texts that document constants and fields."""
    for statement in statements:
        is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not is_text:
            yield statement
