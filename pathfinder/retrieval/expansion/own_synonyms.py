"""The reader's own synonyms: terms and their other names, from a JSON file or typed in."""

import json
from collections.abc import Mapping
from pathlib import Path

from pathfinder.corpus.thesaurus import key_of
from pathfinder.errors import UsageError
from pathfinder.index.words import content_stems
from pathfinder.retrieval.expansion.synonyms import MAX_NAMES, MAX_WORDS
from pathfinder.text.language.lemmas import lemmas
from pathfinder.text.strict_json import parse_json

MAX_TERMS = 1000


def load_own_synonyms(path: Path) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Read synonyms from a JSON object that maps each term to a list of its other names.

    Raises a `UsageError` that names the faulty term.
    """
    try:
        content = parse_json(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}): name a JSON file of terms") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f'{path} is not JSON ({error}): write {{"term": ["other name"]}}') from error
    if not isinstance(content, dict):
        raise UsageError(f'{path} is no JSON object: write {{"term": ["other name"]}}')
    return check_synonyms(content, str(path))


def check_synonyms(content: Mapping[str, object], where: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return `content` in the form that a request expects.

    Raises a `UsageError` that names the faulty term and its source, `where`.
    """
    if len(content) > MAX_TERMS:
        raise UsageError(f"{where} has {len(content):,} terms, at most {MAX_TERMS:,} are allowed: leave some out")
    return tuple((term.strip(), _check_names(where, term, names)) for term, names in content.items())


def _check_names(where: str, term: str, names: object) -> tuple[str, ...]:
    if not key_of(term):
        raise UsageError(f"{where}: the term {term!r} contains no letter or digit: correct it or leave it out")
    if (
        not isinstance(names, list)
        or not names
        or not all(isinstance(name, str) and content_stems(name) for name in names)
    ):
        raise UsageError(f"{where}: {term!r} needs a list of names that can be looked up, got {json.dumps(names)[:60]}")
    if len(names) > MAX_NAMES:
        raise UsageError(
            f"{where}: {term!r} has {len(names)} other names, at most {MAX_NAMES} are allowed: leave some out"
        )
    if len(lemmas(term)) > MAX_WORDS:
        raise UsageError(f"{where}: {term!r} has more than {MAX_WORDS} words: shorten it")
    return tuple(name.strip() for name in names)
