"""Whether an output still keeps what 0.1.0 promised: keys, types, enum values, ids, order and numbers."""

import math
from collections.abc import Iterator, Mapping

PROSE = frozenset({
    "absent", "because", "error", "fell_back", "judged_by", "keyword_extractor", "lines", "message", "notes",
    "parameter", "ran", "reason", "reasons", "told", "why",
})  # fmt: skip
"""Keys under which people read: the words may change, neither the key nor the type of what is under it may."""

VOLATILE = frozenset({
    "created_by", "folder", "median_seconds", "parts", "path", "schema_version", "seconds", "version",
})  # fmt: skip
"""Keys whose values depend on the run, the machine or the release: only the key and the type are kept."""

STAGES = "stages"
"""Under this key stages keep their words: what ran exactly, and of what did not run all but the explanation."""
DID_NOT_RUN = ("not ", "none", "found nothing")
"""How the words of a stage begin that did not run; behind a bracket, colon or semicolon comes why."""

TOLERANCE, NEAR_ZERO = 1e-4, 1e-6
"""Of a float: relative, and where it is nearly nothing; processors differ in the last digits of a vector."""


def differences(expected: object, actual: object, place: str = "$") -> Iterator[str]:
    """What of `expected` is not in `actual`, each with its place; what `actual` has beyond it is no difference."""
    if isinstance(expected, Mapping):
        yield from _of_mappings(expected, actual, place)
    elif isinstance(expected, list):
        yield from _of_lists(expected, actual, place)
    elif isinstance(expected, float) or (isinstance(actual, float) and _is_number(expected)):
        if not _is_number(actual) or not math.isclose(expected, actual, rel_tol=TOLERANCE, abs_tol=NEAR_ZERO):
            yield f"{place}: {expected!r} became {actual!r}"
    elif type(expected) is not type(actual) or expected != actual:
        yield f"{place}: {expected!r} became {actual!r}"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _of_mappings(expected: Mapping[str, object], actual: object, place: str) -> Iterator[str]:
    if not isinstance(actual, Mapping):
        yield f"{place}: an object became {actual!r}"
        return
    # The text of an answer that cites nothing is Pathfinder's own: an abstention, a word on where to ask instead.
    own_words = bool(expected.get("abstained") or expected.get("redirect"))
    for key, value in expected.items():
        here = f"{place}.{key}"
        if key not in actual:
            yield f"{here}: the key is gone"
        elif key in PROSE or key in VOLATILE or (key == "text" and own_words):
            yield from _of_kinds(value, actual[key], here)
        elif key == STAGES:
            yield from differences(_stage_words(value), _stage_words(actual[key]), here)
        else:
            yield from differences(value, actual[key], here)


def _of_lists(expected: list[object], actual: object, place: str) -> Iterator[str]:
    if not isinstance(actual, list):
        yield f"{place}: a list became {actual!r}"
    elif len(expected) != len(actual):
        yield f"{place}: a list of {len(expected)} became one of {len(actual)}"
    else:
        for n, (left_value, other) in enumerate(zip(expected, actual, strict=True)):
            yield from differences(left_value, other, f"{place}[{n}]")


def _of_kinds(expected: object, actual: object, place: str) -> Iterator[str]:
    """Only that there is something of the same type; of an object, under every key."""
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        for key, value in expected.items():
            if key not in actual:
                yield f"{place}.{key}: the key is gone"
            else:
                yield from _of_kinds(value, actual[key], f"{place}.{key}")
    elif _kind(expected) != _kind(actual):
        yield f"{place}: {expected!r} became {actual!r}, of another type"
    elif bool(expected) and not isinstance(expected, int | float) and not actual:
        yield f"{place}: {expected!r} became empty"


def _kind(value: object) -> object:
    return "number" if _is_number(value) else type(value)


def _stage_words(stages: object) -> object:
    if not isinstance(stages, Mapping):
        return stages
    return {name: _before_explanation(str(words)) for name, words in stages.items()}


def _before_explanation(words: str) -> str:
    if not words.startswith(DID_NOT_RUN):
        return words
    for mark in "(:;":
        words = words.partition(mark)[0]
    return words.strip()
