"""Finds the insertions that a quoted sentence needs to be complete: who "we" are, and what an abbreviation stands
for.

Everything inserted is taken from the same paper.
"""

import re

from pathfinder.text.abbreviations import definitions
from pathfinder.text.author_names import is_group, parse_name
from pathfinder.types import Insertion, Paper

_DOING = (
    r"(?:find|found|present(?:ed)?|report(?:ed)?|obtain(?:ed)?|deriv(?:e|ed)|conclud(?:e|ed)|propos(?:e|ed)|"
    r"argu(?:e|ed)|suggest(?:ed)?|estimat(?:e|ed)|determin(?:e|ed)|analy[sz]ed?|investigat(?:e|ed)|stud(?:y|ied)|"
    r"us(?:e|ed)|appl(?:y|ied)|develop(?:ed)?|compar(?:e|ed)|calculat(?:e|ed)|comput(?:e|ed)|infer(?:red)?|"
    r"constrain(?:ed)?|discuss(?:ed)?|examin(?:e|ed)|explor(?:e|ed)|fit(?:ted)?|identif(?:y|ied)|demonstrat(?:e|ed)|"
    r"confirm(?:ed)?|model(?:led|ed)?|simulat(?:e|ed)|discover(?:ed)?|rul(?:e|ed) out|perform(?:ed)?|review(?:ed)?|"
    r"describ(?:e|ed)|introduc(?:e|ed)|test(?:ed)?|combin(?:e|ed)|select(?:ed)?|measured?|detect(?:ed)?|observed|"
    r"show(?:ed)?(?= (?:that|how|why|the)\b)|provid(?:e|ed)|search(?:ed)?|catalogued?|searched|consider(?:ed)?)"
)
"""Verbs for scientific work. "Observe" and "see" are left out, because "we observe" often means that anyone can."""

_BETWEEN = (
    r"(?:(?:also|then|further|first|here|now|thus|therefore|instead|again|next|only|[a-z]+ly|have|had|do not|did not|"
    r"can|cannot|could|will)\s+){0,3}"
)

_WE = re.compile(rf"(?<!\bif )(?<!\bwhen )(?<!\bwhat )(?<!\bhow )(?<!\bas )\b([Ww]e)\s+{_BETWEEN}{_DOING}\b")

_MAX_INSERTED = 3


def insertions_for(paper: Paper, start: int, end: int) -> tuple[Insertion, ...]:
    """Return the insertions that make the sentence `paper.abstract[start:end]` complete, in order of position."""
    sentence = paper.abstract[start:end]
    insertions = _long_forms(paper.abstract, sentence)
    if paper.authors and (we := _WE.search(sentence)):
        insertions.append(Insertion(we.end(1), f" {_authors(paper)}"))
    return tuple(sorted(insertions, key=lambda insertion: insertion.position)[:_MAX_INSERTED])


def _long_forms(abstract: str, sentence: str) -> list[Insertion]:
    """Write out abbreviations that the abstract defines, each as where it is defined first, but not in the sentence."""
    insertions = []
    known = {short for short, _ in definitions(sentence)}
    for short, long in definitions(abstract):
        if short in known:
            continue
        known.add(short)
        use = re.search(rf"(?<![\w-]){re.escape(short)}s?(?![\w-])", sentence)
        if use and long.lower() not in sentence.lower():
            insertions.append(Insertion(use.end(), f" {long}"))
    return insertions


def _authors(paper: Paper) -> str:
    """Return the surnames of one or two authors, or the first with "and others"; a collaboration is named alone."""
    first = parse_name(paper.authors[0]).last
    n_authors = paper.n_authors or len(paper.authors)
    if n_authors == 1 or is_group(first):
        return first
    if n_authors == 2 and len(paper.authors) == 2:
        return f"{first} & {parse_name(paper.authors[1]).last}"
    return f"{first} and others"
