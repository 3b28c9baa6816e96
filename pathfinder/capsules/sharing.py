"""Leaves out of a capsule any texts that must not be shared, as well as any secrets, and any paths on this machine."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import TypeVar

from pathfinder.capsules.contents import LeftOut
from pathfinder.export.terms import is_open_licence, may_be_passed_on, terms
from pathfinder.types import Answer, CallText, Consensus, FullTextPassage, Hit, Paper

Value = TypeVar("Value")

REPLACEMENT = "[left out]"
"""Text that replaces a secret or a path."""
_NOT_OPEN = "its licence is not open, or not known"
_IN_PROMPTS = "they quote texts that are left out"


@dataclass(frozen=True, slots=True)
class SharedContents:
    """The parts of a capsule that may be shared, and a list of the texts that may not."""

    hits: tuple[Hit, ...]
    answer: Answer | None
    consensus: Consensus | None
    texts: tuple[CallText, ...]
    left_out: tuple[LeftOut, ...]


def share(
    hits: tuple[Hit, ...],
    answer: Answer | None,
    consensus: Consensus | None,
    texts: tuple[CallText, ...],
    licences: Mapping[str, str | None],
) -> SharedContents:
    """Remove abstracts for which no source states a licence, and full-text passages that are not openly licensed;
    quotations stay.

    `licences` holds the licences of the full texts, by paper. Prompts are removed if any text is removed, because they
    may contain it.
    """
    open_passages = {
        passage.text for hit in hits if is_open_licence(licences.get(hit.paper.paper_id)) for passage in hit.full_text
    }
    left_out: dict[tuple[str, str], LeftOut] = {}

    def note(paper_id: str, text: str, reason: str) -> None:
        left_out.setdefault((paper_id, text), LeftOut(paper_id, text, reason))

    def change(part: object) -> object:
        if isinstance(part, Paper) and part.has_abstract and not may_be_passed_on(part):
            note(part.paper_id, "abstract", terms(part) or _NOT_OPEN)
            return replace(part, abstract="")
        if isinstance(part, FullTextPassage) and part.text not in open_passages:
            return replace(part, text="")
        return part

    for hit in hits:
        if any(passage.text not in open_passages for passage in hit.full_text):
            note(hit.paper.paper_id, "full text", _NOT_OPEN)
    parts = _map_values(hits, change), _map_values(answer, change), _map_values(consensus, change)
    if texts and left_out:
        texts = tuple(replace(text, prompt="") for text in texts)
        note("", "prompts", _IN_PROMPTS)
    return SharedContents(*parts, texts, tuple(left_out.values()))


def _map_values(value: Value, change: Callable[[object], object]) -> Value:
    """Apply `change` to every dataclass in `value`, from the outside in."""
    if isinstance(value, tuple):
        return tuple(_map_values(part, change) for part in value)  # type: ignore[return-value]  # of the same length
    if not is_dataclass(value) or isinstance(value, type):
        return value
    new_value = change(value)
    parts = {entry.name: getattr(new_value, entry.name) for entry in fields(value)}
    new_parts = {name: _map_values(part, change) for name, part in parts.items()}
    differing = {name: part for name, part in new_parts.items() if part is not parts[name]}
    return replace(new_value, **differing) if differing else new_value  # type: ignore[type-var, return-value]


def without_secrets(text: str, secrets: Iterable[str]) -> str:
    """Replace every secret in a JSON text."""
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(json.dumps(secret, ensure_ascii=False)[1:-1], REPLACEMENT)
    return text
