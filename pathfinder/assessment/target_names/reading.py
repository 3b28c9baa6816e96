"""Finds names of a kind in a paper: next to the noun for the kind, in the title, or in a catalogue."""

from collections.abc import Iterator

from pathfinder.assessment.target_names.beside_nouns import names_beside_nouns
from pathfinder.assessment.target_names.fragments import is_fragment, is_generic, is_within_a_designation
from pathfinder.assessment.target_names.in_catalogues import (
    designations,
    is_elsewhere,
    listed_in_title,
    missions_in,
    written_plainly,
)
from pathfinder.assessment.target_names.in_titles import names_in_title
from pathfinder.assessment.target_names.kinds import NamedTarget
from pathfinder.assessment.target_names.name_in_text import (
    LEAST_CONTEXT_OF_LISTED,
    NameInText,
    has_half,
    key_of,
    located,
)
from pathfinder.text.sentences import sentence_spans


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
                yield located(target, title, text, span, (start, end))
        for match in designations(target, text[start:end]):
            span = (start + match.start(), start + match.end())
            if is_within_a_designation(text, *span):
                continue
            plain = written_plainly(match[0])
            yield located(target, title, text, span, (start, end), least_context=LEAST_CONTEXT_OF_LISTED, name=plain)
    yield from names_in_title(target, title, text)
    if target.has_missions:
        yield from missions_in(target, title, text)
    yield from listed_in_title(target, title, text)


def _is_part(name: NameInText, other: NameInText) -> bool:
    """Return whether a name is the last word of another, or is contained in it: "Antares" of "Andy Antares"."""
    is_inside = name.start < name.end and other.start <= name.start and name.end <= other.end
    return is_inside or other.name.endswith(f" {name.name}")
