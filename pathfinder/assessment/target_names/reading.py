"""Finds names of a kind in a paper: next to the noun for the kind, in the title, or in a catalogue."""

import re
from collections.abc import Iterator

from pathfinder.assessment.target_names.beside_nouns import ONE_WORD, is_no_name, names_beside_nouns, nouns_pattern
from pathfinder.assessment.target_names.fragments import is_fragment, is_generic, is_within_a_designation
from pathfinder.assessment.target_names.in_catalogues import (
    designations,
    is_elsewhere,
    listed_in_title,
    missions_in,
    written_plainly,
)
from pathfinder.assessment.target_names.kinds import NamedTarget
from pathfinder.assessment.target_names.name_in_text import (
    LEAST_CONTEXT_OF_LISTED,
    NameInText,
    has_half,
    key_of,
    locate,
    only_in_title,
)
from pathfinder.text.inflection import plurals_of
from pathfinder.text.sentences import sentence_spans

_TITLE = re.compile(
    rf"^(?:Introducing |The |Introduction to )?(?P<name>{ONE_WORD}(?:[- ]\d[\w.]*)?)(?: \d[\w.]*)?"
    r"\s*(?::| -{1,3} | — | Model\b| code\b| Project\b)"
)
_LOWER_TITLE = re.compile(r"^(?P<name>[a-z][\w.+-]+): ")
"""A name that begins with a lower-case letter; at the beginning of a title, any other word is capitalised."""
_TITLE_ACRONYM = re.compile(r"\((?P<name>[A-Z][\w-]*[A-Z][\w-]*)\)")


def names_in(target: NamedTarget, title: str, text: str) -> tuple[NameInText, ...]:
    """Return the names in `text` of the kind that `target` describes, each only once, at its first mention next to the
    noun.
    """
    if not has_half(target.modifiers, f"{title} {text}"):
        return ()
    first_mentions: dict[str, NameInText] = {}
    for name in _all_names(target, title, text):
        if is_elsewhere(target, name.name) or is_generic(target, name.name):
            continue
        first_mentions.setdefault(key_of(name.name, target.facilities), name)
    names = first_mentions.values()
    whole = [name for name in names if not any(_is_part(name, other) for other in names if other != name)]
    return tuple(sorted(whole, key=lambda name: name.start))


def _all_names(target: NamedTarget, title: str, text: str) -> Iterator[NameInText]:
    """Yield the names in the text, then those in the title; a name may appear more than once."""
    for start, end in sentence_spans(text):
        for span in names_beside_nouns(target, text, start, end):
            if not is_fragment(target, text, *span):
                yield locate(target, title, text, span, (start, end))
        for match in designations(target, text[start:end]):
            span = (start + match.start(), start + match.end())
            if is_within_a_designation(text, *span):
                continue
            plain = written_plainly(match[0])
            yield locate(target, title, text, span, (start, end), least_context=LEAST_CONTEXT_OF_LISTED, name=plain)
    yield from names_in_title(target, title, text)
    if target.has_missions:
        yield from missions_in(target, title, text)
    yield from listed_in_title(target, title, text)


def _is_part(name: NameInText, other: NameInText) -> bool:
    """Return whether a name lies within another, or is the end of it: "Antares" in "Andy Antares"."""
    is_inside = name.start < name.end and other.start <= name.start and name.end <= other.end
    return is_inside or other.name.endswith(f" {name.name}")


def names_in_title(target: NamedTarget, title: str, text: str) -> Iterator[NameInText]:
    """Yield the name that a paper's title gives to what the paper presents, where the text first mentions it.

    The title or the text must also use the noun for it: "the code".
    """
    calls = re.compile(rf"\b(?:the|this|our|new|an?)(?: [\w-]+){{0,2}} (?:{plurals_of(target.nouns)})\b", re.IGNORECASE)
    lower = _LOWER_TITLE.match(title) if "code" in target.nouns else None
    if lower:
        yield from _in_text_or_title(target, title, text, lower["name"], may_be_in_title_only=True)
    if not (nouns_pattern(target.nouns).search(title) or calls.search(text)):
        return
    for pattern in (_TITLE, _TITLE_ACRONYM):
        match = pattern.search(title)
        name = re.sub(r"[- ]\d[\d.]*$", "", match["name"]) if match else ""
        if (
            not name
            or key_of(name, target.facilities) in target.no_names
            or (match and is_no_name(f"x {name}", 2, (0, len(name)), target.no_names))
        ):
            continue
        is_called_so = pattern is _TITLE and nouns_pattern(target.nouns).search(title) is not None
        yield from _in_text_or_title(target, title, text, name, may_be_in_title_only=is_called_so)


def _in_text_or_title(
    target: NamedTarget, title: str, text: str, name: str, *, may_be_in_title_only: bool
) -> Iterator[NameInText]:
    flags = 0 if name.islower() else re.IGNORECASE
    for place in re.finditer(rf"(?<![\w-]){re.escape(name)}(?![\w])", text, flags):
        sentence = next((span for span in sentence_spans(text) if span[0] <= place.start() < span[1]), None)
        if sentence and (name.islower() or not place[0].islower()):
            yield locate(target, title, text, place.span(), sentence)
            return
    if may_be_in_title_only:
        yield from only_in_title(target, title, text, name)
