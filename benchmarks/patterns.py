"""Looks for regular expressions whose time grows faster than the text that they read.

    python -m benchmarks.patterns [--corpus DIR] [--json FILE] [--only PART]

Every pattern that the package compiles is given texts of one repeated unit, in six lengths, with the methods by which
the package calls it; among them texts of what the pattern itself repeats, behind what leads there. Listed are those
that take more than 20 ms for 20,000 characters, and more than six times as long as for 5,000 (a linear one takes four
times as long). `--only` reads only the modules whose name contains PART. The status is 1 if any is listed.
"""

import argparse
import ast
import importlib
import inspect
import json
import pkgutil
import re
import sys
import time
import types
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, is_dataclass
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from random import Random
from re._parser import SubPattern, parse  # type: ignore[import-not-found]  # no public module reads patterns
from typing import Any

import pathfinder

UNITS = (
    *("a", "A", "1", " ", "à", "-", ".", ",", "'", "’", '"', "(", "[", "{", "<", "\\", "$", "^", "_", "/", "\n", "中"),
    *("A.", "A-", "A1", "aA", "1-", "1,", " 0", "a ", "A ", "A. ", "Ab ", "a, ", "ab\n", "\\a", "{a", "(a ", "a; "),
    *(
        "10.1/",
        "and ",
        "the ",
        "of ",
        "by Ab ",
        "1 a ",
        "1.5 ± ",
        "2020 ",
        "not ",
        "<a>",
        "$a ",
        "a.b",
        "a-",
        "a'",
        "Ab-",
        "Ab'",
        "Ab, ",
    ),
)
"""What is repeated; every pattern is also given texts made from itself (`_pumps`)."""
SIGNS = "a A1.,-'x)(;:/ \\{}[]$^_B2z\nà–’"
"""Characters of which the texts for a pattern are made."""
LEAST_REPEATED, MOST_PUMPS = 20, 60
LENGTHS = (20, 78, 312, 1_250, 5_000, 20_000)
ENDS = ("", "\x7f")
"""Endings of the texts; the second is none that a pattern expects, so that whatever it has read was in vain."""
BOUNDED = {
    "pathfinder.text.quantities.measurements": {
        "_DESIGNATION": 40,
        "_NAME": 40,
        "_CATALOGUE_NUMBER": 40,
        "_CATALOGUE": 40,
        "_GLUED": 40,
    },
    "pathfinder.text.quantities.written_numbers": {"_SCRIPT": 40},
    "pathfinder.fulltext.citing": {"_WORD_BEFORE": 60, "_BEFORE_YEAR": 160, "_ET_AL": 160, "_AT_YEAR": 20},
    "pathfinder.answering.assessment.values.measured_sentence": {"_SYMBOL": 90, "_AFTER": 45},
    "pathfinder.answering.assessment.fidelity": {"before": 16, "_OUTRIGHT": 30},
    "pathfinder.corpus.schemas.author_lists": {"_TRAILING": 500, "_NOTES": 500, "_OTHERS": 500},
    "pathfinder.fulltext.adding": {"_SUFFIX": 255},
    "pathfinder.answering.assessment.values.belonging": {
        "possessive": 120,
        "_OWNS": 120,
        "_is_of": 90,
        "_NP_ENDS": 120,
    },
    "pathfinder.answering.assessment.values.kinds": {"qualifier": 120},
    "pathfinder.retrieval.years.readings": {"_of_field": 100},
    "pathfinder.answering.digest.judgement": {"_COMPARED": 300},
    "pathfinder.retrieval.routing.no_question": {"_PATTERNS": 1000},
    "pathfinder.answering.redirects": {"_SUM": 1000, "_CURRENT_NUMBER": 1000},
    "pathfinder.text.quantities.quantities": {"_LEAST": 70, "_MOST": 70, "_JUST_BESIDE": 70},
}
"""Patterns that are never given more characters than this, because their callers cut the text: they are left out."""
LEAST_SECONDS, LEAST_GROWTH = 0.020, 6.0
LIMIT = 2.0
"""Seconds: a text that would take longer is not tried, since nothing can stop the search for a pattern."""
_CALLS = frozenset("compile match fullmatch search sub subn split findall finditer".split())
_FROM_START = frozenset({"match", "fullmatch"})


@dataclass(frozen=True, slots=True)
class Place:
    """A pattern, where it is compiled, and the methods by which it is called there."""

    module: str
    line: int
    name: str
    pattern: str
    flags: int
    methods: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Slow:
    """The worst that was measured for a pattern: seconds for each length, the last of which may be an estimate."""

    place: Place
    before: str
    unit: str
    method: str
    seconds: tuple[float, ...]


def places(part: str = "") -> list[Place]:
    """Return the patterns in the modules whose names contain `part`."""
    names = [each.name for each in pkgutil.walk_packages(pathfinder.__path__, "pathfinder.") if part in each.name]
    scripts = ("pathfinder.ui.places.", "__main__")  # they run when imported, and have no patterns
    modules = [importlib.import_module(name) for name in names if not any(each in name for each in scripts)]
    sources = {each.__name__: Path(each.__file__).read_text(encoding="utf-8") for each in modules if each.__file__}
    found = [place for each in modules if each.__name__ in sources for place in _in_module(each, sources)]
    by_pattern = {(place.pattern, place.flags, place.methods): place for place in reversed(found)}
    return [each for each in reversed(by_pattern.values()) if each.name not in BOUNDED.get(each.module, ())]


def compiled_at_work(folder: Path) -> list[Place]:
    """Return the patterns that are compiled only when a corpus is used, for the words of its field."""
    compiled: dict[tuple[str, int], Place] = {}
    original = re.compile

    def recorded(pattern: str, flags: int = 0) -> re.Pattern[str]:
        result = original(pattern, flags)
        here = inspect.currentframe()
        frame = here.f_back if here else None
        if frame is None:
            return result
        module, name = frame.f_globals.get("__name__", ""), frame.f_code.co_name
        is_own = module.startswith("pathfinder.") and name != "<module>"  # `places` has those of modules
        if is_own and isinstance(result.pattern, str) and name not in BOUNDED.get(module, ()):
            text = Path(frame.f_code.co_filename).read_text(encoding="utf-8")
            called = set(re.findall(rf"\b{name}(?:\([^()]*\))?\.([a-z]+)\(", text)) & _CALLS or {"finditer"}
            place = Place(module, frame.f_lineno, name, result.pattern, result.flags, tuple(sorted(called)))
            compiled[result.pattern, result.flags] = place
        return result

    re.compile = recorded  # type: ignore[assignment]
    try:
        _use(folder)
    finally:
        re.compile = original
    return list(compiled.values())


def _use(folder: Path) -> None:
    """Ask a corpus everything that needs neither a model nor the network."""
    from pathfinder import Pathfinder
    from pathfinder.operations import run

    pf = Pathfinder.open(folder)
    for question in ("What is the mass of M87 since 2015?", "How many papers by Riess et al. (2016) are there?"):
        result = pf.search(question)
        for ask in (pf.answer, pf.timeline, pf.tensions, pf.comparison_table, pf.route):
            ask(result)
        texts = [{"id": str(n), "text": hit.paper.abstract} for n, hit in enumerate(result.hits, 1)]
        run(pf, "check", text=f"The mass is 5 +/- 1 Msun [1]. {texts[0]['text']} [1].", sources=texts)


def _in_module(module: types.ModuleType, sources: Mapping[str, str]) -> Iterator[Place]:
    """Yield the patterns that a module writes itself: those in calls, and those in its tables."""
    text, seen = sources[module.__name__], set[tuple[str, int]]()
    tree = ast.parse(text)
    named = {id(node.value): node.targets[0] for node in ast.walk(tree) if isinstance(node, ast.Assign)}
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr not in _CALLS:
            continue
        if not isinstance(call.func.value, ast.Name) or call.func.value.id != "re" or not call.args:
            continue
        compiled = _evaluated(call, module)
        if compiled is not None:
            target = named.get(id(call))
            name = target.id if isinstance(target, ast.Name) else ""
            method = call.func.attr
            methods = _methods(name, text, sources) if method == "compile" else (method,)
            seen.add((compiled.pattern, compiled.flags))
            yield Place(module.__name__, call.lineno, name, compiled.pattern, compiled.flags, methods)
    for name, value in vars(module).items():
        for compiled in _patterns_in(value):
            if (compiled.pattern, compiled.flags) not in seen and not isinstance(value, re.Pattern):
                seen.add((compiled.pattern, compiled.flags))
                yield Place(module.__name__, 0, name, compiled.pattern, compiled.flags, ("finditer", "fullmatch"))


def _evaluated(call: ast.Call, module: types.ModuleType) -> re.Pattern[str] | None:
    """Return the pattern of a call of `re`; `None` if it depends on what is not known before the call."""
    flags = [each for each in call.keywords if each.arg == "flags"]
    arguments = call.args[:2] if isinstance(call.func, ast.Attribute) and call.func.attr == "compile" else call.args[:1]
    plain = ast.Call(ast.parse("re.compile", mode="eval").body, arguments, flags)
    code = compile(ast.fix_missing_locations(ast.Expression(plain)), module.__name__, "eval")
    with suppress(NameError, TypeError, AttributeError):
        pattern = eval(code, dict(vars(module)))  # noqa: S307 - our own source
        return pattern if isinstance(pattern.pattern, str) else None
    return None


def _methods(name: str, own_text: str, sources: Mapping[str, str]) -> tuple[str, ...]:
    """Return the methods of a pattern with this name that are called or handed on; all, if that is not known."""
    texts = [own_text] if name.startswith("_") else sources.values()
    called = (
        {method for text in texts for method in re.findall(rf"\b{re.escape(name)}\.([a-z]+)\b", text)}
        if name
        else set()
    )
    n_uses = sum(len(re.findall(rf"\b{re.escape(name)}\b", text)) for text in texts) if name else 0
    n_calls = sum(len(re.findall(rf"\b{re.escape(name)}\.[a-z]+\b", text)) for text in texts) if name else 0
    if called and called <= _CALLS and n_calls >= n_uses - 1:
        return tuple(sorted(called))
    return ("finditer",)


def _patterns_in(value: object, depth: int = 0) -> Iterator[re.Pattern[str]]:
    """Yield the patterns in a value of a module: in tuples, mappings and dataclasses."""
    if isinstance(value, re.Pattern):
        yield value
    elif depth < 4 and isinstance(value, Mapping):
        yield from (found for each in (*value, *value.values()) for found in _patterns_in(each, depth + 1))
    elif depth < 4 and isinstance(value, (tuple, list, frozenset, set)):
        yield from (found for each in value for found in _patterns_in(each, depth + 1))
    elif depth < 4 and is_dataclass(value) and not isinstance(value, type):
        yield from (
            found for each in fields(value) for found in _patterns_in(getattr(value, each.name, None), depth + 1)
        )


def measure(place: Place) -> Slow | None:
    """Return the worst text for a pattern, if its time grows faster than the text."""
    pattern = re.compile(place.pattern, place.flags)
    worst: Slow | None = None
    kinds = {"start" if method in _FROM_START else "anywhere": method for method in place.methods}
    for method in kinds.values():
        for (before, unit), end in product((*(("", unit) for unit in UNITS), *_pumps(place)), ENDS):
            seconds = _times(pattern, method, (before, unit, end))
            is_slow = len(seconds) == len(LENGTHS) or seconds[-1] > LIMIT
            if not is_slow or seconds[-1] < LEAST_SECONDS or seconds[-1] < LEAST_GROWTH * seconds[-2]:
                continue
            if worst is None or seconds[-1] > worst.seconds[-1]:
                worst = Slow(place, before, unit, method, seconds)
            if worst.seconds[-1] > LIMIT:
                return worst
    return worst


def _times(pattern: re.Pattern[str], method: str, parts: tuple[str, str, str]) -> tuple[float, ...]:
    """Return the seconds for each length; a length that would take longer than `LIMIT` is not tried, and ends the list
    with what is expected for 20,000 characters. A list without 20,000 means that a pattern is fast.
    """
    seconds: list[float] = []
    before, unit, end = parts
    for length in LENGTHS:
        text = before + (unit * (length // len(unit) + 1))[:length] + end
        start = time.process_time()
        if method in _FROM_START:
            getattr(pattern, method)(text)
        else:
            for _ in pattern.finditer(text):
                pass
        seconds.append(time.process_time() - start)
        growth = seconds[-1] / max(seconds[-2], 1e-6) if len(seconds) > 1 else 4.0
        n_left = len(LENGTHS) - len(seconds)
        if n_left == 1 and seconds[-1] < LEAST_SECONDS / 17:
            break
        if n_left and seconds[-1] > LIMIT / 200 and seconds[-1] * growth > LIMIT:
            return (*seconds, seconds[-1] * growth**n_left)
    return tuple(seconds)


def _pumps(place: Place) -> list[tuple[str, str]]:
    """Return pairs of a text that leads to a repetition of the pattern, and one that it repeats; and texts that the
    whole pattern matches.
    """
    tree, random = parse(place.pattern, place.flags), Random(1)  # noqa: S311 - the same texts each time
    wholes = {("", _example(tree, random)) for _ in range(3)}
    found = {*wholes, *(("", f"{whole} ") for _, whole in wholes), *_repetitions(tree, random)}
    found |= {("", unit) for _, unit in found}
    return sorted((each for each in found if each[1]), key=lambda each: (len("".join(each)), each))[:MOST_PUMPS]


def _repetitions(tree: SubPattern, random: Random, before: str = "") -> Iterator[tuple[str, str]]:
    for node in tree:
        _, value = node
        inner = [part for part in _parts(node) if isinstance(part, SubPattern)]
        if isinstance(value, tuple) and len(value) == 3 and inner and int(value[1]) > LEAST_REPEATED:
            yield from ((before, _example(inner[0], random)) for _ in range(3))
            yield before, before + _example(inner[0], random)
        for part in inner:
            yield from _repetitions(part, random, before)
        before += _example([node], random)


def _parts(node: tuple[object, Any]) -> tuple[object, ...]:
    """Return what a node of a parsed pattern holds: its group, what it repeats or looks for, or its alternatives."""
    name, value = str(node[0]), node[1]
    if name == "BRANCH":
        return tuple(value[1])
    return value if isinstance(value, tuple) else (value,)


def _example(tree: Iterable[tuple[object, Any]], random: Random) -> str:
    """Return a text that a parsed pattern may match; what it looks for around it is left out."""
    text = ""
    for node in tree:
        name, value = str(node[0]), node[1]
        if name.endswith("LITERAL"):
            text += chr(value) if name == "LITERAL" else "x" if value != ord("x") else "y"
        elif name in ("ANY", "IN"):
            one = re.compile(".") if name == "ANY" else _class(value)
            text += random.choice([sign for sign in SIGNS if one.fullmatch(sign)] or ["x"])
        elif name.endswith("REPEAT"):
            text += "".join(_example(value[2], random) for _ in range(min(max(value[0], 1), int(value[1]), 10)))
        elif name in ("SUBPATTERN", "ATOMIC_GROUP"):
            text += _example(value[3] if name == "SUBPATTERN" else value, random)
        elif name == "BRANCH":
            text += _example(random.choice(value[1]), random)
    return text


def _class(items: list[tuple[object, Any]]) -> re.Pattern[str]:
    """Write the set of characters of a parsed pattern as a pattern."""
    kinds = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w", "NOT_DIGIT": r"\D", "NOT_SPACE": r"\S", "NOT_WORD": r"\W"}
    text = "^" if str(items[0][0]) == "NEGATE" else ""
    for kind, value in items:
        if str(kind) == "CATEGORY":
            text += kinds[str(value).removeprefix("CATEGORY_")]
        elif str(kind) != "NEGATE":
            first, last = value if isinstance(value, tuple) else (value, value)
            text += f"{re.escape(chr(first))}-{re.escape(chr(last))}"
    return re.compile(f"[{text}]")


def main() -> None:
    """List the patterns whose time grows faster than the text."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--corpus", type=Path, help="also the patterns that are compiled when it is asked")
    parser.add_argument("--only", default="")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    at_work = compiled_at_work(options.corpus) if options.corpus else []
    found = places(options.only)
    known = {(place.pattern, place.flags) for place in found}
    found += [place for place in at_work if options.only in place.module and (place.pattern, place.flags) not in known]
    with ProcessPoolExecutor(options.processes, get_context("spawn")) as pool:
        slow = []
        for n_read, each in enumerate(pool.map(measure, found, chunksize=4), 1):
            if each is not None:
                slow.append(each)
                times = " ".join(f"{seconds:.3f}" for seconds in each.seconds)
                place = f"{each.place.module}:{each.place.line} {each.place.name}"
                print(
                    f"{n_read} of {len(found)}: {place} {each.method} {(each.before, each.unit)}: {times} s", flush=True
                )
    print(f"{len(found)} patterns, {len(UNITS)} units; {len(slow)} grow faster than the text")
    if options.json:
        options.json.write_text(json.dumps([asdict(each) for each in slow], indent=1), encoding="utf-8")
    sys.exit(1 if slow else 0)


if __name__ == "__main__":
    main()
