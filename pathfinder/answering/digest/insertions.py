"""Finds the insertions that a quoted sentence needs to be complete: who "we" or "they" are, and what an
abbreviation stands for.

Everything inserted is taken from the same paper.
"""

import re

from pathfinder.text.abbreviations import definitions
from pathfinder.text.author_names import is_group, parse_name
from pathfinder.text.english import SCIENTIST
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

_THEY = re.compile(
    rf"(?:[A-Z](?:(?!\b(?:that|which|who|and|what|how|whether|than|as)\b)[^A-ZÀ-Þ]){{1,58}} )?([Tt]hey)\s+{_BETWEEN}"
    rf"(?:(?!provid|suggest|confirm|constrain|demonstrat|identif|show|fit|us|combin){_DOING}|ask(?:ed)?)\b"
)
"""A sentence that begins with people who work; verbs that can also describe stars, such as "fit", are left out."""

_OTHERS = re.compile(
    rf"\b(?:[Ww]e|[Oo]ur|et al|{SCIENTIST}s|observers|theorists|researchers|others|workers|authors|groups|teams|"
    r"[A-ZÀ-Þ][\w'’-]{0,40}[a-zß-ÿ](?:,| and|, and) (?:[A-ZÀ-Þ][\w'’-]{0,40} )?[A-ZÀ-Þ][\w'’-]{0,40}[a-zß-ÿ])\b"
)
"""People whom "they" may mean instead of the authors of the paper: "Townes and Shklovsky", "other groups"."""

_TEAM = re.compile(r"\b(?:team|group|collaboration|colleagues)\b", re.IGNORECASE)
"""Words that show that a paper has several authors, of whom only the first is listed."""

_MAX_INSERTED = 3


def insertions_for(paper: Paper, start: int, end: int) -> tuple[Insertion, ...]:
    """Return the insertions that make the sentence `paper.abstract[start:end]` complete, in order of position."""
    sentence = paper.abstract[start:end]
    insertions = _long_forms(paper.abstract, sentence)
    we, they = _WE.search(sentence), _they(paper, start, sentence)
    if paper.authors and (match := we or they):
        insertions.append(Insertion(match.end(1), f" {_authors(paper, are_several=we is None)}"))
    return tuple(sorted(insertions, key=lambda insertion: insertion.position)[:_MAX_INSERTED])


def _they(paper: Paper, start: int, sentence: str) -> re.Match[str] | None:
    """Return the "they" at the beginning of a sentence that means the authors, because the text before it names no
    other people and does not say "we".
    """
    they, before = _THEY.match(sentence), paper.abstract[:start]
    if they is None:
        return None
    n_authors = paper.n_authors or len(paper.authors)
    has_several = n_authors > 1 or (paper.n_authors is None and _TEAM.search(before) is not None)
    return they if has_several and before and not _OTHERS.search(before) else None


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


def _authors(paper: Paper, *, are_several: bool) -> str:
    """Return the surnames of one or two authors, or the first with "and others"; a collaboration is named alone."""
    first = parse_name(paper.authors[0]).last
    n_authors = paper.n_authors or len(paper.authors)
    if (n_authors == 1 and not are_several) or is_group(first):
        return first
    if n_authors == 2 and len(paper.authors) == 2:
        return f"{first} & {parse_name(paper.authors[1]).last}"
    return f"{first} and others"
