"""Chooses the lines of a digest: from each paper on the subject, the sentence that answers best (from the first paper
perhaps two), with the context needed to understand it; or the things of the kind that a question asks for, as named in
the hits, each with the sentence that names it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from pathfinder.answering.assessment.target_names.kinds import named_target
from pathfinder.answering.assessment.target_names.name_in_text import NameInText, describes, key_of
from pathfinder.answering.assessment.target_names.names_in_papers import mission_of, names_in
from pathfinder.answering.digest import cues
from pathfinder.answering.digest.excerpts import (
    Lengths,
    best_sentences,
    excerpt,
    is_in_one_part,
    places_in,
    with_context,
)
from pathfinder.answering.digest.quoted_papers import (
    about,
    choose_papers,
    is_narrow,
    is_on_the_object,
    on_the_subject,
    with_proper_names,
)
from pathfinder.answering.digest.scoring import (
    MAX_READ,
    Abstract,
    Closeness,
    closeness_of,
    content_stems,
    fitted_model,
    predictors_of,
    share_of_subjects,
    subjects_of,
)
from pathfinder.answering.grounding.readings import PASSAGE_BREAK
from pathfinder.index.ports import TokenSource
from pathfinder.models.ports import Embedder
from pathfinder.profile import Profile, astronomy
from pathfinder.retrieval.earliest import without_longer_names
from pathfinder.text.author_names import parse_name
from pathfinder.text.sentences import is_prose, readable_spans, split_sentences
from pathfinder.types import DigestForm, Finding, Floats, Hit, NamedThing, Paper

WORTH_SHOWING = 0.7
"""Minimum token match of a line, as a fraction of the best line's."""

LEAST_COVERED, LEAST_COVERED_IF_NARROW, LEAST_COVERED_OF_TWO = 0.45, 0.22, 0.8
"""Minimum coverage of a paper that answers: the share of the question's subjects in its title and abstract. A narrow
question is a paraphrase, and shares fewer words with the paper that answers it; if there are two subjects, both are
needed.
"""

LEAST_COVERED_BESIDE, LEAST_COVERED_OF_A_WIDE_QUESTION = 0.65, 0.4
"""Minimum coverage of a paper for its line to be shown, as a fraction of the highest coverage; lower for questions that
ask for a list or for what is known about something, because the papers may use other words.
"""

NOISE = 0.9
"""Fraction of the model's minimum token match: a line that falls short of it is shown only if every line does."""

FACT_GAIN, FURTHER_FACT_GAIN = 0.5, 0.1
"""Amounts added to a sentence's probability for the first person, date or place asked for, and for each further one."""

FIGURE_GAIN = 0.2
"""Amount added to the probability of a sentence with a figure if the question asks for a value or an amount."""

DEFINITION_GAIN = 0.6
"""Amount added to the probability of a sentence that says what something is if the question asks for that."""

LEAD_GAIN, LEAST_NAMED = 0.3, 0.5
"""Amount added to the probability of the first sentence of a summary, which says what was found, by whom and when, if
the question names a topic and asks for nothing in particular, and share of its subjects that the sentence must contain.
Abstracts begin with what was known before.
"""

FARTHEST_JOINED = 130
"""Maximum number of characters between two excerpts of a paper that are joined into one."""

WORDS_OF_THE_FIRST = (90, 70, 60, 50, 40)
"""Number of words to which the first excerpt is extended if one, two, three, four, or at least five papers are quoted.
"""

WORDS_OF_ANOTHER, WORDS_OF_AN_ITEM = 45, 30
"""Number of words to which the excerpts from the other papers are extended: the first if fewer than `MANY_PAPERS` are
quoted, the second if exactly `MANY_PAPERS` are quoted or the digest is a list.
"""

MANY_PAPERS = 4
"""Number of quoted papers above which only the first excerpt is extended beyond what its sentence needs."""

ABOUT_BY_TITLE = 0.6
"""Minimum share of the question's subjects in a title for the paper to count as close to the question, whatever the
token match.
"""

SAME = 0.9
"""Minimum share of words in common at which a sentence counts as repeating an earlier line (Jaccard index of stems)."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A quoted excerpt."""

    paper: Paper
    start: int
    end: int
    """`paper.abstract[start:end]` is the excerpt."""
    probability: float
    """Estimated probability, in [0, 1], that its best sentence answers the question if its paper does."""
    token_match: float
    """See `Closeness`. If the question asks who, when or where, this is the highest token match of any sentence in its
    paper, because a name shares no word with the question.
    """
    coverage: float = 1.0
    """Share of the question's subjects that its paper contains, in [0, 1], weighted by rarity."""
    title_coverage: float = 0.0
    """Share of these subjects that its title contains, in [0, 1]."""
    least_coverage: float = 0.0
    """Coverage, in [0, 1], below which its paper does not answer the question."""
    meaning: float = 0.0
    """See `Closeness`."""
    subject_weight: float = 0.0
    """Summed weight of the question's subjects that its paper contains, see `weight_of_subjects`."""
    names_the_fact: bool = True
    """False if the question asks who, when or where, and the sentence names no person, date or place."""

    @property
    def answers(self) -> bool:
        """True if the line is close enough to the question for its paper to be quoted before others."""
        is_close = self.token_match >= fitted_model().least_token_match or self.title_coverage >= ABOUT_BY_TITLE
        return is_close and self.coverage >= self.least_coverage and self.names_the_fact

    @property
    def sentence(self) -> str:
        """The excerpt, verbatim."""
        return self.paper.abstract[self.start : self.end]


def choose_lines(
    question: str,
    hits: Sequence[Hit],
    embedder: Embedder,
    tokens: TokenSource | None = None,
    form: DigestForm = DigestForm.FINDINGS,
    profile: Profile | None = None,
) -> tuple[Excerpt, ...]:
    """Choose the lines: first those of the main paper, then the others in the rank order of their papers; none if no
    hit's abstract contains prose. If a question that is not narrow designates an object, papers that do not name
    it are left out unless no hit names it. The rows of `hits` must refer to the corpus of `tokens`, which are not used
    if a live source found one of the hits. `profile` is that of the corpus, by default astronomy.
    """
    if not is_narrow(question):
        hits = [hit for hit in hits if is_on_the_object(question, hit.paper, profile)] or hits
        hits = with_proper_names(question, hits, profile)
    quoted_papers = choose_papers(question, hits)
    if not quoted_papers.hits:
        return ()
    abstracts = [_abstract(hit) for hit in quoted_papers.hits]
    has_live = any(hit.live is not None for hit in quoted_papers.hits)
    closeness = closeness_of(question, abstracts, embedder, None if has_live else tokens)
    measures = about(quoted_papers, [float(each.token_match.max(initial=0.0)) for each in closeness])
    places = on_the_subject(question, quoted_papers, measures, form, profile)
    lines: list[Excerpt] = []
    for turn, place in enumerate(places):
        paper, sentences, close = quoted_papers.hits[place].paper, abstracts[place].sentences, closeness[place]
        compared = _Compared(
            question,
            paper,
            close,
            (quoted_papers.coverages[place], quoted_papers.titles[place], quoted_papers.weights[place]),
            fitted_model().probabilities(predictors_of(question, sentences, close)),
            np.array([facts_in(question, paper, sentence, profile) for sentence in sentences]),
        )
        for line in _lines_of(compared, sentences, form, turn, len(places)):
            if not any(_repeats(line, other) for other in lines):
                lines.append(line)
    return _worth_showing(question, lines, form) if lines else ()


@dataclass(frozen=True, slots=True)
class _Compared:
    """A paper that has been compared with the question."""

    question: str
    paper: Paper
    closeness: Closeness
    shares: tuple[float, float, float]
    """Share of the question's subjects in the paper, in its title, and their weight in the paper."""
    probabilities: Floats
    """Probability that each sentence answers the question, before any gains are added."""
    facts: NDArray[np.int64]
    """Number of people, dates or places in each sentence, if the question asks for them."""

    def is_in_full_text(self, number: int) -> bool:
        """Return whether sentence `number` is from a full-text passage, whose other sentences are on the same point."""
        start, _ = readable_spans(self.paper.abstract)[number]
        return PASSAGE_BREAK in self.paper.abstract[:start]

    def line(self, start: int, end: int, number: int) -> Excerpt:
        """Return the excerpt from `start` to `end` around sentence `number` as a line."""
        matches = self.closeness.token_match
        inside = [place for place in places_in(self.paper, start, end) if place < len(matches)]
        best = matches.max() if asks_for_a_fact(self.question) else matches[inside].max(initial=matches[number])
        coverage, title_coverage, weight = map(float, self.shares)
        return Excerpt(
            self.paper,
            start,
            end,
            probability=float(self.probabilities[number]),
            token_match=float(best),
            coverage=coverage,
            title_coverage=title_coverage,
            least_coverage=_least_coverage(self.question),
            meaning=float(self.closeness.meaning[inside].max(initial=self.closeness.meaning[number])),
            subject_weight=weight,
            names_the_fact=bool(self.facts[inside].any()),
        )


def _least_coverage(question: str) -> float:
    if is_narrow(question):
        return LEAST_COVERED_IF_NARROW
    return LEAST_COVERED_OF_TWO if len(subjects_of(question)) == 2 else LEAST_COVERED


def _lines_of(
    compared: _Compared, sentences: Sequence[str], form: DigestForm, turn: int, n_papers: int
) -> list[Excerpt]:
    """Return the lines from the paper that is quoted in position `turn`, counted from 0. Only the first paper may have
    a second line.
    """
    gains = np.zeros(len(sentences))
    is_broad = form is DigestForm.FINDINGS and not is_narrow(compared.question)
    if compared.paper.is_summary and is_broad and not cues.ASKS_WHY_OR_HOW.search(compared.question):
        gains[:1] += LEAD_GAIN * (share_of_subjects(compared.question, sentences[0]) >= LEAST_NAMED)
    gains += DEFINITION_GAIN * np.array([cues.says_what_it_is(compared.question, each) for each in sentences])
    if asks_for_a_fact(compared.question):
        gains += FACT_GAIN * (compared.facts > 0) + FURTHER_FACT_GAIN * np.maximum(compared.facts - 1, 0)
    if form is DigestForm.VALUES or cues.ASKS_HOW_MUCH.search(compared.question):
        gains += FIGURE_GAIN * np.array([cues.FIGURE.search(sentence) is not None for sentence in sentences])
    if not (chosen := best_sentences(sentences, compared.probabilities + gains)):
        return []
    best, *others = chosen
    lengths = _lengths(form, turn, n_papers)
    if best > 0 and cues.says_what_it_is(compared.question, sentences[best]):
        lengths = Lengths(0)  # what stands before it would come first
    elif is_narrow(compared.question):
        lengths = replace(lengths, opens_before=True) if compared.is_in_full_text(best) else Lengths(0)
    start, end = excerpt(compared.paper, best, compared.probabilities, lengths)
    lines = [compared.line(start, end, best)]
    for number in others if turn == 0 else ():
        second, last = excerpt(compared.paper, number, compared.probabilities, Lengths(0))
        union = min(start, second), max(end, last)
        is_near = max(start, second) - min(end, last) <= FARTHEST_JOINED
        if is_near and is_in_one_part(compared.paper, *union) and is_prose(compared.paper.abstract[slice(*union)]):
            lines = [compared.line(*union, best)]
        else:
            lines.append(compared.line(second, last, number))
    return lines


def _lengths(form: DigestForm, turn: int, n_papers: int) -> Lengths:
    """Return the limits on the length of an excerpt: the fewer papers there are on a question, the longer the quotation
    from the first one.
    """
    if n_papers > MANY_PAPERS and (turn > 0 or form is DigestForm.LIST):
        return Lengths(0, WORDS_OF_AN_ITEM)
    if form is DigestForm.LIST:
        return Lengths(WORDS_OF_AN_ITEM)
    if turn > 0:
        return Lengths(WORDS_OF_ANOTHER if n_papers < MANY_PAPERS else WORDS_OF_AN_ITEM)
    return Lengths(WORDS_OF_THE_FIRST[min(n_papers, len(WORDS_OF_THE_FIRST)) - 1])


def _worth_showing(question: str, lines: Sequence[Excerpt], form: DigestForm) -> tuple[Excerpt, ...]:
    """Return the lines that are not much further from the question than the best one, and those that name the fact
    asked for. The lines of the main paper come first, and all of them are kept; for a list that is not narrow, it is
    the first one that answers, if possible one that covers nearly all subjects.
    """
    narrow, asks_for_fact = is_narrow(question), asks_for_a_fact(question)
    answering = [line for line in lines if line.answers and not narrow]
    first = lines[0].paper
    if form is DigestForm.LIST and answering:
        first = answering[0].paper
    lines = sorted(lines, key=lambda line: line.paper != first)
    best_match = max(line.token_match for line in lines)
    best_coverage = max(line.coverage for line in lines)
    is_wide = form is DigestForm.LIST or cues.ASKS_WHAT_IS_KNOWN.search(question) is not None
    least_coverage = LEAST_COVERED_OF_A_WIDE_QUESTION if is_wide else LEAST_COVERED_BESIDE
    noise = NOISE * fitted_model().least_token_match
    worthy = [
        line
        for line in lines
        if line.paper == first
        or (asks_for_fact and line.names_the_fact)
        or (
            line.token_match >= WORTH_SHOWING * best_match
            and (narrow or line.coverage >= least_coverage * best_coverage)
            and (narrow or is_wide or line.answers or not answering)
            and (narrow or line.token_match >= noise or best_match < noise)
        )
    ]
    if len({line.paper.paper_id for line in worthy}) == 1:
        worthy += [line for line in lines if line not in worthy and line.answers and line.coverage >= best_coverage][:1]
    return tuple(worthy or lines)


def _abstract(hit: Hit) -> Abstract:
    text = hit.paper.abstract
    spans = [(start, end) for start, end in readable_spans(text) if end <= MAX_READ] or readable_spans(text)[:1]
    return Abstract(hit.row, hit.paper.title, tuple(text[start:end] for start, end in spans), bool(hit.full_text))


def _repeats(line: Excerpt, other: Excerpt) -> bool:
    if line.paper.paper_id == other.paper.paper_id and line.start < other.end and other.start < line.end:
        return True
    own, others = content_stems(line.sentence), content_stems(other.sentence)
    return len(own & others) >= SAME * max(len(own | others), 1)


# The things of the kind that a question asks for.

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
        and (
            paper.paper_id in own
            or key_of(name.name, target.facilities) in key_of(paper.title, target.facilities)
            or mission_of(name.name) is None
        )
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


# Counts the people, dates and places that a sentence names, for questions that ask who, when or where.

MOST_FACTS = 3

LEAST_COVERED_BESIDE_A_FACT = 0.5
"""Minimum share of the question's subjects that a title and an excerpt must contain together to answer a question that
asks who, when or where.
"""


def asks_for_a_fact(question: str) -> bool:
    """Return whether `question` asks who, when or where."""
    return any(cue.search(question) for cue in (cues.ASKS_WHO, cues.ASKS_WHEN, cues.ASKS_WHERE))


def facts_in(question: str, paper: Paper, sentence: str, profile: Profile | None = None) -> int:
    """Return how many people or places (up to three) or dates (up to one) `sentence` names if the question asks who,
    where or when; 1 for other questions. `profile` says what else counts as a date in the field, by default astronomy.
    """
    if cues.ASKS_WHO.search(question):
        surnames = {parse_name(author).last for author in paper.authors}
        n_authors = sum(
            len(name) > 1 and re.search(rf"\b{re.escape(name)}\b", sentence) is not None for name in surnames
        )
        return min(max(n_authors, len(cues.NAMES_A_PERSON.findall(sentence))), MOST_FACTS)
    if cues.ASKS_WHEN.search(question):
        return int(any(pattern.search(sentence) for pattern in (cues.NAMES_A_DATE, _dates(profile))))
    if cues.ASKS_WHERE.search(question):
        return min(len(cues.NAMES_A_PLACE.findall(sentence)), MOST_FACTS)
    return 1


def tells_the_fact(question: str, paper: Paper, excerpt: str, profile: Profile | None = None) -> bool:
    """Return whether `excerpt` answers a question that asks who, when or where.

    It must name a person, date or place. Because the name or date may concern something else, the excerpt and the
    title together must also contain at least half of the question's subjects, or all of them if the question asks about
    an origin. If the question asks about a discovery, a sentence with one of these subjects, and not only inside a
    longer name such as that of a survey, must mention a discovery.
    """
    if not facts_in(question, paper, excerpt, profile):
        return False
    title = paper.title
    if share_of_subjects(question, f"{title}. {excerpt}") < LEAST_COVERED_BESIDE_A_FACT:
        return False
    return not cues.ASKS_FOR_THE_FIRST.search(question) or any(
        cues.SPEAKS_OF_A_FIRST.search(sentence)
        and share_of_subjects(question, without_longer_names(sentence, subjects_of(question))) > 0
        and share_of_subjects(question, f"{title}. {sentence}") > LEAST_COVERED_BESIDE_A_FACT
        for sentence in (title, *split_sentences(excerpt))
    )


@cache
def _dates(profile: Profile | None) -> re.Pattern[str]:
    """Return the pattern for expressions other than years that give a date in a field: "redshift 6"."""
    return re.compile("|".join((profile or astronomy()).names.dates) or "(?!)")
