"""Finds names that titles give to what their papers present."""

import re
from collections.abc import Iterator

from pathfinder.assessment.target_names.beside_nouns import ONE_WORD, is_no_name, nouns_pattern
from pathfinder.assessment.target_names.kinds import NamedTarget
from pathfinder.assessment.target_names.name_in_text import NameInText, key_of, located, only_in_title
from pathfinder.text.inflection import plurals_of
from pathfinder.text.sentences import sentence_spans

_TITLE = re.compile(
    rf"^(?:Introducing |The |Introduction to )?(?P<name>{ONE_WORD}(?:[- ]\d[\w.]*)?)(?: \d[\w.]*)?"
    r"\s*(?::| -{1,3} | — | Model\b| code\b| Project\b)"
)
_LOWER_TITLE = re.compile(r"^(?P<name>[a-z][\w.+-]+): ")
"""A name that begins in lower case; any other word at the beginning of a title is capitalised."""
_TITLE_ACRONYM = re.compile(r"\((?P<name>[A-Z][\w-]*[A-Z][\w-]*)\)")


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
            yield located(target, title, text, place.span(), sentence)
            return
    if may_be_in_title_only:
        yield from only_in_title(target, title, text, name)
