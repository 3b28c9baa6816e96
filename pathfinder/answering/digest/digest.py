"""Makes the digest for a question from its hits, and turns it into the text and the claims of an answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median_low
from typing import TypeVar

from pathfinder.answering.assessment.target_names.kinds import named_target
from pathfinder.answering.digest.cues import ASKS_FOR_THE_FIRST, ASKS_FOR_TODAY, ASKS_WHERE
from pathfinder.answering.digest.excerpts import insertions_for
from pathfinder.answering.digest.form import FormChoice, choose_form
from pathfinder.answering.digest.judgement import answers, sides_lacking
from pathfinder.answering.digest.lines import Excerpt, choose_lines, named_lines, of_the_kind, tells_the_fact, thing_of
from pathfinder.answering.digest.quoted_papers import (
    CERTAIN_SUPPORT,
    LATEST,
    LEAST_SUPPORT,
    is_narrow,
    is_on_the_object,
    quoted_passage,
    support,
)
from pathfinder.answering.digest.scoring import content_stems, coverage, share_of_subjects, subjects_of
from pathfinder.answering.digest.values import (
    age_in_words,
    asks_count,
    no_value_note,
    states_no_count,
    states_share,
    values_of_papers,
)
from pathfinder.answering.grounding.marks import NUMBER_MARK
from pathfinder.answering.grounding.readings import Readings
from pathfinder.index.ports import TokenSource
from pathfinder.models.ports import Embedder
from pathfinder.profile import Profile
from pathfinder.retrieval.earliest import is_in_place
from pathfinder.text.english import counted
from pathfinder.text.languages import languages_of
from pathfinder.types import Claim, Digest, DigestForm, Finding, Hit, NamedThing, Paper, StatedValue

MAX_LINES = 8
"""Maximum number of lines shown above "more"."""

LINES_OF_A_FACT = 3
"""Maximum number of lines for a question that asks who, when or where."""

PAPERS_OF_A_FACT = 2
"""Maximum number of papers quoted for a question that asks who or when."""

FIRST_HITS = 5
"""Number of top hits, at least one of which must name the person, date or place for the question to count as answered.
"""

NEAREST = 2
"""Maximum number of lines if none of them answers the question."""

SAME_TIME = 2
"""Maximum number of years between the oldest and the newest paper if the lines are to keep the order of the search."""

_IN_TIME = (DigestForm.SIDES, DigestForm.FINDINGS)
"""Forms whose lines are shown in chronological order."""

FEWEST_ALIKE = 4
"""Minimum number of papers that match a question about a fact equally well for the question to count as too general."""

WORDS_OF_A_NARROW_QUESTION = 10
"""Minimum number of different content words in a question that counts as narrow."""

NOT_ANSWERED = "No sentence of the papers found answers the question well enough; these are the nearest."
NOT_TOLD = "No sentence of the papers found answers the question."
"""Openings of an answer whose digest `is_weak`: with sentences, and without any."""

DOUBTFUL = "These are the nearest passages; it may be that none of them answers the question."
"""Opening of an answer whose digest `is_doubtful`."""

_STAND_IN_NOTES = {
    DigestForm.VALUES: "No value of the quantity could be read from the papers, so sentences are quoted instead.",
    DigestForm.LIST: "Fewer than two names that fit the question were found, so sentences are quoted instead.",
}
"""Notes on sentences that stand in for values or a list."""


def make_digest(
    question: str,
    hits: Sequence[Hit],
    embedder: Embedder,
    requested_form: DigestForm | None = None,
    further: Sequence[Paper] = (),
    tokens: TokenSource | None = None,
    profile: Profile | None = None,
    *,
    of_found: int | None = None,
) -> Digest:
    """Make the digest for `question` from `hits`, which must not be empty, without a chat model.

    If the hits themselves are what is asked for, such as the papers of a person, any of their sentences answers;
    `of_found` is then the number of papers found, and `None` for any other question.

    `further` holds papers that the search ranks below the hits; values are read from them too. `tokens` are those of
    the corpus to which the rows of `hits` refer, and `profile` names the quantities of its field, by default astronomy.
    """
    choice = choose_form(question, requested_form, profile)
    digest = _of_values_or_names(question, hits, choice, requested_form, further, profile)
    if digest is None and requested_form is None and (passage := quoted_passage(question, hits)) is not None:
        digest = Digest(choice.form, choice.reason, (passage,))
    if digest is None:
        lines = choose_lines(question, hits, embedder, tokens, choice.form, profile)
        if choice.form is DigestForm.LIST:
            lines = of_the_kind(question, lines, profile)
        # The nearest sentences may state values of something else.
        is_narrow = len(content_stems(question)) >= WORDS_OF_A_NARROW_QUESTION
        no_value = None
        if choice.form is DigestForm.VALUES and not is_narrow:
            no_value = no_value_note(question, (line.sentence for line in lines), profile)
        stating = tuple(line for line in lines if no_value and states_share(question, line.sentence, profile))
        if stating:
            lines, no_value = (*stating, *(line for line in lines if line not in stating)), None
        no_count = states_no_count(question, (line.sentence for line in lines))
        is_weak = (
            bool(lines)
            and of_found is None
            and (no_value is not None or no_count or not _is_answered(question, choice.form, hits, lines, profile))
        )
        if choice.form is DigestForm.FACT:
            own = tuple(line for line in lines if _is_on_all_subjects(question, line))
            lines = own if own or is_weak else lines
        findings = _findings(question, choice.form, lines, profile, is_weak=is_weak)
        is_counted = asks_count(question) and not no_count
        names_nothing = is_counted or (choice.form is DigestForm.LIST and named_target(question, profile) is None)
        notes = tuple(filter(None, [no_value or (None if names_nothing else _STAND_IN_NOTES.get(choice.form))]))
        digest = Digest(choice.form, choice.reason, findings, is_weak=is_weak, notes=notes)
    quoted_ids = {finding.paper_id for finding in digest.findings}
    supports = [support(question, hit, embedder) for hit in hits if hit.paper.paper_id in quoted_ids]
    known = [each for each in supports if each is not None]
    if of_found is None and known and len(known) == len(quoted_ids):
        is_weak = max(known) < LEAST_SUPPORT
        is_doubtful = not is_weak and (digest.is_weak or max(known) < CERTAIN_SUPPORT)
        digest = replace(digest, is_weak=is_weak, is_doubtful=is_doubtful)
    papers = {hit.paper.paper_id: hit.paper for hit in hits}
    if any(finding.paper_id not in papers for finding in digest.findings):  # reading hundreds of papers takes a while
        papers = {paper.paper_id: paper for paper in further} | papers
    quoted_papers = [papers[finding.paper_id] for finding in digest.findings]
    notes = notes_on(question, hits, quoted_papers, of_found)
    may_be_superseded = digest.is_weak or bool(digest.values)
    newest = max((hit.paper.year or 0 for hit in hits if may_be_superseded), default=0)
    findings = tuple(  # a passage with marks is not completed
        replace(finding, inserted=insertions_for(papers[finding.paper_id], finding.start, finding.end, newest))
        if not finding.marked and not finding.inserted
        else finding
        for finding in digest.findings
    )
    return replace(digest, findings=findings, notes=(*digest.notes, *notes))


def _of_values_or_names(
    question: str,
    hits: Sequence[Hit],
    choice: FormChoice,
    requested_form: DigestForm | None,
    further: Sequence[Paper],
    profile: Profile | None,
) -> Digest | None:
    """Return a digest of values or named things, if that is the form and the papers contain any.

    A long question is about a single result of a single paper: a list of values or names would bury the sentence that
    states it.
    """
    if len(content_stems(question)) >= WORDS_OF_A_NARROW_QUESTION and requested_form is None:
        return None
    papers = (hit.paper for hit in hits)
    if choice.form is DigestForm.VALUES and (value_digest := values_of_papers(question, papers, further, profile)):
        return Digest(
            choice.form,
            choice.reason,
            value_digest.findings,
            value_digest.values,
            notes=value_digest.notes,
            value_age=value_digest.age,
        )
    if choice.form is DigestForm.LIST and (names := named_lines(question, hits, further, profile)):
        return Digest(choice.form, choice.reason, names.findings, named=names.things, notes=names.notes)
    return None


def _is_answered(
    question: str, form: DigestForm, hits: Sequence[Hit], lines: Sequence[Excerpt], profile: Profile | None
) -> bool:
    """Return whether the line shown first answers the question; none does if the question designates an object that no
    paper names, or compares two things of which no line has one. If the question asks who, when or where, a line must
    come from one of the first hits and state the fact, and the question must not fit most papers equally well, because
    their names and dates would then have nothing to do with it.
    """
    if not is_narrow(question) and not any(is_on_the_object(question, line.paper, profile) for line in lines):
        return False
    if sides_lacking(question, (f"{line.paper.title}. {line.sentence}" for line in lines)):
        return False
    if form is DigestForm.FACT:
        first = {hit.paper.paper_id for hit in hits[:FIRST_HITS]}
        near = (line for line in lines if line.answers and line.paper.paper_id in first)
        tells = any(
            tells_the_fact(question, line.paper, line.sentence, profile) and is_in_place(question, line.paper)
            for line in near
        )
        if not tells or _is_too_general(question, hits):
            return False
    return hits[0].known_as is not None or answers(question, in_order(question, form, lines, profile)[0])


def _is_on_all_subjects(question: str, line: Excerpt) -> bool:
    """Return whether an excerpt and its title contain the question's subjects, so that its names and dates may concern
    them: the date of another drug would mislead.
    """
    is_on_all = share_of_subjects(question, f"{line.paper.title}. {line.sentence}") >= line.least_coverage
    return is_on_all and is_in_place(question, line.paper)


def _is_too_general(question: str, hits: Sequence[Hit]) -> bool:
    """Return whether the question has at most one subject, and most papers are about it."""
    if len(subjects_of(question)) > 1:
        return False
    shares = coverage(question, [f"{hit.paper.title} {hit.paper.abstract}" for hit in hits])
    n_alike = int((shares == shares.max(initial=0.0)).sum())
    return n_alike >= FEWEST_ALIKE and 2 * n_alike > len(hits)


def _findings(
    question: str, form: DigestForm, lines: Sequence[Excerpt], profile: Profile | None, *, is_weak: bool
) -> tuple[Finding, ...]:
    """Return the lines in the order in which they are shown."""
    lines = in_order(question, form, lines, profile)
    if is_weak:
        lines = lines[:NEAREST]
    return tuple(
        Finding(line.paper.paper_id, line.sentence, line.start, line.end, score=line.probability) for line in lines
    )


def in_order(question: str, form: DigestForm, lines: Sequence[Excerpt], profile: Profile | None) -> Sequence[Excerpt]:
    """Sort the lines. If the question asks who or when, keep only those that name the person or date, if any do. If the
    question asks about today, the newest come first; otherwise the main paper comes first, and the others follow in the
    order of their years, so that a claim comes before later papers' views of it.
    """
    if form is DigestForm.FACT and not ASKS_WHERE.search(question):
        lines = [line for line in lines if line.names_the_fact] or lines
        if not ASKS_FOR_THE_FIRST.search(question):  # who was first: already sorted by year
            lines = sorted(lines, key=lambda line: not tells_the_fact(question, line.paper, line.sentence, profile))
        papers = list(dict.fromkeys(line.paper.paper_id for line in lines))[:PAPERS_OF_A_FACT]
        lines = [line for line in lines if line.paper.paper_id in papers]
    if form is DigestForm.FACT:
        lines = lines[:LINES_OF_A_FACT]
    if ASKS_FOR_TODAY.search(question):
        return sorted(lines, key=lambda line: -(line.paper.year or 0))
    if form in _IN_TIME and _span(lines) > SAME_TIME:
        return sorted(lines, key=lambda line: (line.paper != lines[0].paper, line.paper.year or LATEST))
    return lines


def _span(lines: Sequence[Excerpt]) -> int:
    years = [line.paper.year for line in lines if line.paper.year is not None]
    return max(years) - min(years) if years else 0


# Notes on a digest as a whole: which hits it quotes, how old they are, and what language they are in.


def notes_on(
    question: str, hits: Sequence[Hit], quoted_papers: Sequence[Paper], n_found: int | None = None
) -> tuple[str, ...]:
    """Describe a digest of `hits` that quotes `quoted_papers`; `n_found` papers were found if that is more than the
    hits.
    """
    papers = list({paper.paper_id: paper for paper in quoted_papers}.values())
    notes = (_share(hits, papers, n_found or len(hits)), _left_out(hits, papers), _language(question, papers))
    return tuple(note for note in notes if note)


def _share(hits: Sequence[Hit], papers: Sequence[Paper], n_found: int) -> str:
    ids = {hit.paper.paper_id for hit in hits}
    n_quoted = sum(paper.paper_id in ids for paper in papers)
    n_further = len(papers) - n_quoted
    years = sorted(paper.year for paper in papers if paper.year is not None)
    text = f"Quotes {n_quoted or 'none'} of the {counted(n_found, 'paper')} found"
    if n_further:
        text += f" and {n_further} ranked below {'it' if len(hits) == 1 else 'them'}"
    if not years:
        return f"{text}; their years are unknown."
    if years[0] == years[-1]:
        return f"{text}, published in {years[0]}."
    return f"{text}, published from {years[0]} to {years[-1]}, half of them by {median_low(years)}."


def _left_out(hits: Sequence[Hit], papers: Sequence[Paper]) -> str:
    quoted_ids = {paper.paper_id for paper in papers}
    others = [hit.paper for hit in hits if hit.paper.paper_id not in quoted_ids]
    if not others:
        return ""
    n_bare = sum(not paper.has_abstract for paper in others)
    n_weaker = len(others) - n_bare
    weaker = "matches the question less well or adds" if n_weaker == 1 else "match the question less well or add"
    if quoted_ids - {hit.paper.paper_id for hit in hits}:  # only values and names are taken from papers below the hits
        unsuitable = "in which no such value or name was recognised"
    else:
        unsuitable = f"that {weaker} nothing new"
    reasons = [
        f"{n_bare} of which only the title is available" if n_bare else "",
        f"{n_weaker} {unsuitable}" if n_weaker else "",
    ]
    which = counted(len(others), "paper") if len(others) < len(hits) else f"all {counted(len(hits), 'paper')} found"
    return f"Leaves out {which}: {' and '.join(reason for reason in reasons if reason)}."


def _language(question: str, papers: Sequence[Paper]) -> str:
    """Name the language of the quotations if stop words show that the question is in a different one."""
    of_question = languages_of([question])
    of_papers = languages_of([paper.abstract for paper in papers])
    if len(of_papers) != 1 or not of_question or of_papers[0] in of_question:
        return ""
    return (
        f"The quotations are in {of_papers[0]}, the language of the papers. "
        f"The question seems to be in {' or '.join(of_question)}."
    )


# Turns a digest into the text and the claims of an answer.

NOTHING_TO_QUOTE = (
    "Only the titles of the matching papers are available, so there is nothing to quote: "
    "Library on the page, or the command `pathfinder complete`, fetches abstracts."
)


@dataclass(frozen=True, slots=True)
class Quotation:
    """An answer quoted from papers: its text with [n] marks, its claims, and the digest that it is made from."""

    text: str
    claims: tuple[Claim, ...]
    digest: Digest | None
    """`None` if there was no paper to quote."""
    sources: tuple[Paper, ...] = ()
    """Papers in the order of their [n] marks: the hits, then other papers that are quoted."""


def quote(
    question: str,
    hits: Sequence[Hit],
    embedder: Embedder,
    form: DigestForm | None = None,
    further: Sequence[Paper] = (),
    tokens: TokenSource | None = None,
    profile: Profile | None = None,
    readings: Readings | None = None,
    *,
    of_found: int | None = None,
) -> Quotation:
    """Answer `question` with quotations from `hits`, which must not be empty.

    Papers from `further`, which the search ranks below the hits, are added to the sources after the hits if the digest
    quotes them. `tokens` and `profile` are those of the corpus that holds the hits; `readings` holds the full-text
    passages, which can be quoted too; `of_found` is the number of papers found if the hits are those of them that
    are themselves asked for.
    """
    readings = readings or Readings()
    read = [*map(readings.read_hit, hits)]
    digest = make_digest(question, read, embedder, form, further, tokens, profile, of_found=of_found)
    papers = {paper.paper_id: paper for paper in (*further, *(hit.paper for hit in hits))}
    digest = in_place(digest, papers, readings)
    quoted_ids = (finding.paper_id for finding in digest.findings)
    source_ids = dict.fromkeys([*(hit.paper.paper_id for hit in hits), *quoted_ids])
    places = {paper_id: place for place, paper_id in enumerate(source_ids, start=1)}
    lines = {(finding.paper_id, finding.sentence): finding for finding in _first_mentions(digest)[:MAX_LINES]}
    claims = tuple(Claim(sentence, (paper_id,)) for paper_id, sentence in lines)
    text = _text_of(digest, list(lines.values()), places)
    return Quotation(text or NOTHING_TO_QUOTE, claims, digest, tuple(papers[paper_id] for paper_id in source_ids))


def _text_of(digest: Digest, lines: Sequence[Finding], places: Mapping[str, int]) -> str:
    """Write one line for each finding."""
    paragraphs = [caution] if (caution := caution_of(digest)) else []
    if lines:
        paragraphs.append(
            "\n".join(
                f"{names_before(digest, each)}{as_quotation(each)}{address_of(each)} [{places[each.paper_id]}]"
                for each in lines
            )
        )
    if digest.value_age is not None:
        paragraphs.append(age_in_words(digest.value_age))
    return "\n\n".join(paragraphs)


def caution_of(digest: Digest) -> str | None:
    """Say that the sentences of a weak digest are only the nearest, or that there are none, or that it is doubtful
    whether they answer the question; `None` if they do.
    """
    if digest.is_weak:
        return NOT_ANSWERED if digest.findings else NOT_TOLD
    return DOUBTFUL if digest.is_doubtful else None


def _first_mentions(digest: Digest) -> Sequence[Finding]:
    """Return the lines of a digest; for a list, only those that name something for the first time."""
    if not digest.named:
        return digest.findings
    first_findings: dict[str, Finding] = {}
    for thing, finding in zip(digest.named, digest.findings, strict=True):
        first_findings.setdefault(thing_of(thing.name), finding)
    return list(first_findings.values())


def names_before(digest: Digest, finding: Finding) -> str:
    """Write the names that introduce a line of a list: "SKIRT: ", or "SKIRT (named in the title): "."""
    names = [
        f"{thing.name} (named in the title)" if thing.is_in_title_only else thing.name
        for thing, line in zip(digest.named, digest.findings, strict=False)
        if (line.paper_id, line.sentence) == (finding.paper_id, finding.sentence)
    ]
    return f"{', '.join(dict.fromkeys(names))}: " if names else ""


def address_of(finding: Finding) -> str:
    """Write the section and page of a line from a full text, as in " (2. Methods, page 4)"; nothing for an abstract."""
    return f" ({finding.passage.address})" if finding.passage else ""


def with_insertions(finding: Finding, mark: str = "") -> str:
    """Write a sentence with its insertions in square brackets, and with `mark` before and after each marked word."""
    text = finding.sentence
    for start, end in reversed(finding.marked):
        text = f"{text[:start]}{mark}{text[start:end]}{mark}{text[end:]}"
    for insertion in sorted(finding.inserted, key=lambda insertion: -insertion.position):
        before, words, after = insertion.text.partition(insertion.text.strip())
        text = f"{text[: insertion.position]}{before}[{words}]{after}{text[insertion.position :]}"
    return text


def as_quotation(finding: Finding, mark: str = "") -> str:
    """Write a completed sentence, with `mark` around each marked word, in quotation marks if it contains the paper's
    own numbered citations, as in [3]: without the quotation marks, these could be taken for the answer's own citations.
    """
    text = with_insertions(finding, mark)
    return f"“{text}”" if finding.passage and NUMBER_MARK.search(finding.sentence) else text


_Line = TypeVar("_Line", Finding, StatedValue, NamedThing)


def in_place(digest: Digest, papers: Mapping[str, Paper], readings: Readings) -> Digest:
    """Return `digest` with positions in abstracts or full-text passages, instead of positions in papers' readings.

    `papers` holds the papers of the corpus, by id.
    """
    if not readings.passages:
        return digest
    return replace(
        digest,
        findings=tuple(_line_in_place(each, papers[each.paper_id], readings) for each in digest.findings),
        values=tuple(_place(each, papers[each.paper_id], readings) for each in digest.values),
        named=tuple(_place(each, papers[each.paper_id], readings) for each in digest.named),
    )


def _line_in_place(finding: Finding, paper: Paper, readings: Readings) -> Finding:
    """Locate a line; a line that crosses the boundary of a passage loses its shorter part, insertions and marks."""
    finding_in_place = _place(finding, paper, readings)
    if finding_in_place.passage is None and finding_in_place.end == finding.end:
        return finding
    text = finding_in_place.passage.text if finding_in_place.passage else paper.abstract
    sentence = text[finding_in_place.start : finding_in_place.end]
    if sentence == finding.sentence:
        return finding_in_place
    return replace(finding_in_place, sentence=sentence, inserted=(), marked=())


def _place(line: _Line, paper: Paper, readings: Readings) -> _Line:
    place = readings.place(paper, line.start, line.end)
    return replace(line, start=place.start, end=place.end, passage=place.passage)
