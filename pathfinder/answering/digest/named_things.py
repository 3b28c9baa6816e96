"""Lists the things of the kind that a question asks for, as named in the hits, each with the sentence that names it."""

from collections.abc import Sequence
from dataclasses import dataclass

from pathfinder.answering.digest.excerpts import with_context
from pathfinder.answering.digest.lines import Excerpt
from pathfinder.assessment.target_names.kinds import NamedTarget, named_target
from pathfinder.assessment.target_names.name_in_text import NameInText, describes, key_of
from pathfinder.assessment.target_names.names_in_papers import mission_of, names_in
from pathfinder.profile import Profile
from pathfinder.text.author_names import parse_name
from pathfinder.text.sentences import is_prose
from pathfinder.types import Finding, Hit, NamedThing, Paper

FEWEST = 2
"""Minimum number of names in a list."""
MOST_FURTHER = 40
"""Number of papers ranked below the hits that are also read."""
LEAST_FIT = 0.6
LEAST_FIT_OF_SUBJECT = 0.25
"""Minimum `fit` to the question at which a name is listed; lower if the paper is about the thing named."""


NEARLY_THE_BEST = 0.9
"""Minimum token match of a line that may describe the things in other words, as a fraction of the best line's."""


@dataclass(frozen=True, slots=True)
class NamedLines:
    """The lines of a digest of named things."""

    things: tuple[NamedThing, ...]
    findings: tuple[Finding, ...]
    """For each named thing, the sentence that names it."""
    notes: tuple[str, ...]


def named_lines(
    question: str, hits: Sequence[Hit], further: Sequence[Paper] = (), profile: Profile | None = None
) -> NamedLines | None:
    """Return the things of the kind that `question` asks for, as named in `hits` and then in the `further` papers.

    Every name is listed once before any name is repeated with another paper. Missions that the `further` papers only
    mention, and names of authors, are left out. Returns `None` if the question does not ask for named things, or if
    fewer than two are named. `profile` names the things of the field, by default astronomy.
    """
    target = named_target(question, profile)
    if target is None:
        return None
    papers = {paper.paper_id: paper for paper in (*(hit.paper for hit in hits), *further[:MOST_FURTHER])}
    own = {hit.paper.paper_id for hit in hits}
    mentions = [
        (paper, name)
        for paper in papers.values()
        for name in names_in(target, paper.title, paper.abstract)
        if name.fit >= (LEAST_FIT_OF_SUBJECT if name.is_subject else LEAST_FIT)
        and not any(parse_name(author).last == name.name for author in paper.authors)
        and is_prose(paper.abstract[name.sentence_start : name.sentence_end])
        and (paper.paper_id in own or _is_in_title(target, paper, name) or mission_of(name.name) is None)
    ]
    firsts: dict[str, tuple[Paper, NameInText]] = {}
    repetitions: list[tuple[Paper, NameInText]] = []
    for paper, name in sorted(mentions, key=lambda mention: (-mention[1].fit, not mention[1].is_subject)):
        if (thing := thing_of(name.name, target.facilities)) in firsts:
            repetitions.append((paper, name))
        else:
            firsts[thing] = (paper, name)
    if len(firsts) < FEWEST:
        return None
    lines = [*firsts.values(), *repetitions]
    n_papers = len({paper.paper_id for paper, _ in lines})
    return NamedLines(
        tuple(NamedThing(name.name, target.kind, paper.paper_id, name.start, name.end) for paper, name in lines),
        tuple(_finding(paper, name, lines) for paper, name in lines),
        (f"{len(firsts)} names of the kind {target.kind} in {n_papers} papers.",),
    )


def of_the_kind(question: str, lines: Sequence[Excerpt], profile: Profile | None = None) -> tuple[Excerpt, ...]:
    """Return the lines that describe the things that `question` asks for, or that match the question nearly as well as
    the best line does; all of `lines` if the question does not ask for things.

    A line describes the things if its excerpt or title contains at least a third of the words after the noun in
    `question`, and its paper contains most of them.
    """
    target = named_target(question, profile)
    if target is None:
        return tuple(lines)
    best = max((line.token_match for line in lines), default=0.0)
    return tuple(
        line
        for line in lines
        if line.token_match >= NEARLY_THE_BEST * best
        or describes(target, f"{line.paper.title} {line.sentence}", line.paper.text)
    )


def _is_in_title(target: NamedTarget, paper: Paper, name: NameInText) -> bool:
    return key_of(name.name, target.facilities) in key_of(paper.title, target.facilities)


def thing_of(name: str, facilities: tuple[str, ...] = ()) -> str:
    """Return the thing that `name` stands for, which is the same for "Chandra" and "Chandra X-Ray Observatory".
    `facilities` are nouns that may follow a name.
    """
    mission = mission_of(name)
    return mission.slug if mission else key_of(name, facilities)


def _finding(paper: Paper, name: NameInText, lines: Sequence[tuple[Paper, NameInText]]) -> Finding:
    """Return the sentence that contains a name, and those to which it refers unless they name another thing."""
    of_other_lines = [(other.sentence_start, other.sentence_end) for own, other in lines if own == paper]
    start, end = with_context(paper, name.sentence_start, name.sentence_end, of_other_lines)
    return Finding(paper.paper_id, paper.abstract[start:end], start, end)
