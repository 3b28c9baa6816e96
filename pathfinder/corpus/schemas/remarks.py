"""What a record itself says of a retraction or a withdrawal of its paper."""

import re
from collections.abc import Sequence

_STATES_OF_WORDS = {"retracted": "retracted", "removed": "retracted", "withdrawn": "withdrawn"}
_MARKED_TITLE = re.compile(
    r"""\W*+(?:
        (?i:(retracted)(?:[ ](?:article|paper|publication|chapter))?)\s*[\]):.-]
      | (?i:(retracted|withdrawn)[ ](?:article|paper|publication|chapter))\s
      | (RETRACTED)(?=\s+[^\W\d_](?![A-Z]))
      | (?:(WITHDRAWN|REMOVED)\s*:)
      | (?<=\[)(?i:(withdrawn|removed)(?:[ ]article)?)\]
    )""",
    re.VERBOSE,
)
"""The beginning of a title to which a publisher has added that the paper was retracted or withdrawn."""
_MARK_AFTER_TITLE = re.compile(
    r"""(?:[\[(](retracted|withdrawn)\b[^\[\]()]*(?:\([^()]*\)[^\[\]()]*)?[\])]|[:.\u2013\u2014-]\s*(retracted)(?:\s+article)?)\W*+\Z""",
    re.IGNORECASE,
)
"""Such an addition at the end, as Web of Science writes it: "(Retracted article. See vol. 5, 2010)"."""
_LONGEST_MARK = 300
_TYPE = re.compile(r"(retracted|withdrawn)(?:\s(?:article|paper|publication))?", re.IGNORECASE)
_TYPE_OF_NOTICE = re.compile(r"retraction(?:\s(?:of publication|notice|note))?", re.IGNORECASE)
_PAPER = r"(?:article|paper|publication|work|study|manuscript|preprint)"
_REMARK = re.compile(
    rf"\W*+(?:(retracted|withdrawn)(?:\s{_PAPER})?\s*(?:\Z|[.,:;()\[\]\d]|(?:see|by|on|in|at|due|because|from|after)\b)"
    r"|(retract)ion\s+in\s*:)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(
    rf"\W*+th(?:is|e)\s{_PAPER}\s(?:has\sbeen|was|is)\s(?:formally\s)?(retracted|withdrawn)\b", re.IGNORECASE
)
"""The sentence with which an abstract or a remark says so."""


def stated_status(
    title: str, abstract: str = "", publication_types: Sequence[str] = (), remarks: Sequence[str] = ()
) -> tuple[str | None, str | None]:
    """Return the status that a record itself states, and whether its title or another field says so; `None` for both if
    none does. The notice of a retraction is not a retracted paper.
    """
    types = [kind.strip() for kind in publication_types]
    if any(map(_TYPE_OF_NOTICE.fullmatch, types)):
        return None, None
    stated = [(match, "its record") for match in map(_TYPE.fullmatch, types)]
    stated += [
        (_MARKED_TITLE.match(title), "its title"),
        (_MARK_AFTER_TITLE.search(title[-_LONGEST_MARK:]), "its title"),
    ]
    stated += [(_REMARK.match(remark), "its record") for remark in remarks]
    stated += [(_SENTENCE.match(text), "its record") for text in (*remarks, abstract)]
    for match, source in stated:
        if match is not None:
            word = next(filter(None, match.groups())).lower()
            return _STATES_OF_WORDS.get(word, "retracted"), source
    return None, None
