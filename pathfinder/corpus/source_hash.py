"""Hash of the code that makes a part of a corpus, so that nobody has to increase a version number by hand."""

import ast
import hashlib
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
    modules, pending, beginnings = {module}, [module], tuple(f"{room}." for room in rooms)
    while pending:
        new = {name for name in _parse(pending.pop())[0] if f"{name}.".startswith(beginnings)} - modules
        modules |= new
        pending.extend(new)
    text = "".join(f"{name}\0{_parse(name)[1]}\0" for name in sorted(modules))
    return hashlib.sha256(text.encode()).hexdigest()[:N_DIGITS]


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
            # Docstrings, and the texts that document constants and fields, are left out.
            code = [each for each in body if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))]
            node.body = code or [ast.Pass()]  # type: ignore[attr-defined]
    return imports, ast.unparse(tree)
