"""The reader's own map: terms and their other names, out of a JSON file or typed."""

import json
from collections.abc import Mapping
from pathlib import Path

from pathfinder.corpus.lemmas import lemmas
from pathfinder.corpus.thesaurus import key_of
from pathfinder.errors import UsageError
from pathfinder.retrieval.widening.expansion import MAX_NAMES, MAX_WORDS, stems_of

MAX_TERMS = 1000


def load_own_map(path: Path) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The reader's own map: a JSON object of terms, each with a list of its other names.

    Raises `UsageError` with the term at fault.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}): name a JSON file of terms") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f'{path} is not JSON ({error}): write {{"term": ["other name"]}}') from error
    if not isinstance(content, dict):
        raise UsageError(f'{path} is no JSON object: write {{"term": ["other name"]}}')
    return checked_map(content, str(path))


def checked_map(content: Mapping[str, object], where: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """`content` as a request takes it. Raises `UsageError` with the term at fault and `where` it stands."""
    if len(content) > MAX_TERMS:
        raise UsageError(f"{where} has {len(content):,} terms, at most {MAX_TERMS:,} are read: leave some out")
    return tuple((term.strip(), _own_names(where, term, names)) for term, names in content.items())


def _own_names(where: str, term: str, names: object) -> tuple[str, ...]:
    if not key_of(term):
        raise UsageError(f"{where}: the term {term!r} has neither letter nor digit: name it, or leave it out")
    if not isinstance(names, list) or not names or not all(isinstance(name, str) and stems_of(name) for name in names):
        raise UsageError(
            f"{where}: {term!r} must have a list of names that can be looked up, got {json.dumps(names)[:60]}"
        )
    if len(names) > MAX_NAMES:
        raise UsageError(f"{where}: {term!r} has {len(names)} other names, at most {MAX_NAMES} are looked up: choose")
    if len(lemmas(term)) > MAX_WORDS:
        raise UsageError(f"{where}: {term!r} has more than {MAX_WORDS} words: shorten it")
    return tuple(name.strip() for name in names)
