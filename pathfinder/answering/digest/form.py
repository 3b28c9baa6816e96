"""Chooses the form of a digest from the words of the question."""

import re
from typing import NamedTuple

from pathfinder.types import DigestForm


class FormChoice(NamedTuple):
    """A form, and the rule that chose it."""

    form: DigestForm
    reason: str
    """The rule, in words for readers."""


_RULES = (
    (DigestForm.VALUES, r"\bvalues?\b|\bhow (?:fast|massive|large|far|old|hot|bright)\b", "asks for a value"),
    (DigestForm.LIST, r"^(?:which|what)\b.*s\b", "asks which ones"),
    (DigestForm.FACT, r"^(?:who|when|where)\b", "asks who, when or where"),
    (
        DigestForm.SIDES,
        r"^(?:is|are|was|were|do|does|did|can|could|has|have)\b|\bhow much\b",
        "can be answered by sides",
    ),
)


def choose_form(question: str, requested: DigestForm | None = None) -> FormChoice:
    """Return `requested`, or else the form of the first rule that the question meets; findings if it meets none."""
    if requested is not None:
        return FormChoice(requested, "chosen by the reader")
    for form, pattern, reason in _RULES:
        if re.search(pattern, question.strip(), re.IGNORECASE):
            return FormChoice(form, f"the question {reason}")
    return FormChoice(DigestForm.FINDINGS, "the question is open")
