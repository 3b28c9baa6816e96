"""Recognises the purpose of a section from the words of its heading."""

import re

from pathfinder.types.full_texts import SectionKind

_NUMBER = re.compile(r"^\s*(?:(?:\d+|[IVXLC]+|[A-Z])(?:\.\d+)*[.):]?\s+)?", re.ASCII)
_WORDS = (
    (SectionKind.ABSTRACT, r"abstract|summary of the paper"),
    (SectionKind.ACKNOWLEDGEMENTS, r"acknowledge?ments?|funding|author contributions|software|facilities"),
    (SectionKind.APPENDIX, r"appendix|appendices|supplementary|supporting information"),
    (SectionKind.INTRODUCTION, r"introduction|background|motivation|overview"),
    (SectionKind.CONCLUSION, r"conclusions?|concluding|summary|outlook|future work"),
    (SectionKind.DISCUSSION, r"discussion|implications?|interpretation|caveats?|limitations?|comparison with"),
    (SectionKind.RESULT, r"results?|findings?"),
    (SectionKind.DATA, r"data|observations?|samples?|survey|catalogue?s?|targets?|reduction|materials?"),
    (
        SectionKind.METHOD,
        r"methods?|methodology|models?|modell?ing|simulations?|analysis|theory|formalism|techniques?|numerical|algorithms?",
    ),
)
_KINDS = tuple((kind, re.compile(rf"\b(?:{words})\b", re.IGNORECASE)) for kind, words in _WORDS)


def kind_of(heading: str, parent: SectionKind | None = None) -> SectionKind:
    """Return the kind of the section under `heading`: the kind that the first known word in the heading indicates, or
    else that of the enclosing section. Everything in an appendix belongs to the appendix.
    """
    if parent is SectionKind.APPENDIX:
        return parent
    words = _NUMBER.sub("", heading, count=1)
    cues = [
        (match.start(), order, kind) for order, (kind, pattern) in enumerate(_KINDS) if (match := pattern.search(words))
    ]
    return min(cues)[2] if cues else parent or SectionKind.OTHER
