"""Questions that are nothing but a person's name ("Vera Rubin", "who was Fritz Zwicky?"): papers by that person come
first, then papers that name the person.

A name counts if an author of the corpus bears it, or if papers mention it, and if it is not the name of an object, a
facility or, without a first name, a keyword. It filters nothing: the name is searched for as words.
"""

import re
from dataclasses import dataclass, replace

import numpy as np
import pyarrow.compute as pc

from pathfinder.corpus.missions.catalogue import gazetteer_of
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.store import Corpus
from pathfinder.index.authors import FIRST, AuthorName
from pathfinder.index.predicate import Predicate
from pathfinder.profile import Profile
from pathfinder.retrieval.authors.author_filter import authors_named, has_topic
from pathfinder.retrieval.authors.phrases import is_thing
from pathfinder.retrieval.known_items.titles import is_keyword
from pathfinder.retrieval.stages import StageLog
from pathfinder.retrieval.years.in_questions import without_spans
from pathfinder.text.author_names import is_initials, is_particle, parse_name
from pathfinder.text.language.lexicon_tagger import read_lexicon
from pathfinder.text.spelling import fold
from pathfinder.types import Candidates, Rows, SearchRequest

STAGE = "person"
MAX_NAMES, MAX_NAME_WORDS = 3, 5
MAX_PAPERS = 100
"""Maximum number of a person's papers that come first, the newest if there are more."""
N_READ = 40
"""Number of candidates, best match first, that are searched for the name."""
MAX_COMPARED = 20_000
"""Number of entries in author lists up to which names are compared whatever their accents."""
ABOUT = 0.5
"""Lead of papers that name the person."""

_WHO = re.compile(r"^\W*who(?:\s+(?:is|was|were|are)|['’]s)\s+", re.IGNORECASE)
_END = re.compile(r"(?<![\s?!.])[\s?!.]+$")
_AND = re.compile(r"(?<!\s)\s+(?:and|&)\s+", re.IGNORECASE)
_NAME_WORD = re.compile(r"['’]?[^\W\d_](?:[^\W\d_]|['’.-])*")
_SURNAME_FIRST = re.compile(r"^[^,]+,\s*(?:[^\W\d_][\w'’.-]*+\s?+){1,4}+(?:,\s*\w{2,3}\.?)?$")


@dataclass(frozen=True, slots=True)
class Person:
    """A person, or several, whose name is the whole question."""

    names: tuple[str, ...]
    rows: Rows
    """Rows of their papers in the corpus, newest first; empty if papers only name them."""
    is_all: bool = False
    """True if nothing but their papers is searched, which a note has said already."""

    @property
    def description(self) -> str:
        return " and ".join(self.names)


def name_alone(question: str) -> tuple[tuple[str, ...], bool]:
    """Return the names that `question` consists of, if it may be nothing but names of persons, and whether it asks who
    they are.
    """
    who = _WHO.match(question)
    text = _END.sub("", question[who.end() :] if who else question.strip())
    names = tuple(_AND.split(text))
    is_named = len(names) <= MAX_NAMES and all(map(_may_be_name, names))
    return (names if is_named else ()), who is not None


def _may_be_name(name: str) -> bool:
    parts = name.replace(",", " ").split()
    if not 1 <= len(parts) <= MAX_NAME_WORDS or not all(map(_NAME_WORD.fullmatch, parts)):
        return False
    return "," not in name or _SURNAME_FIRST.match(name) is not None


def find_person(request: SearchRequest, corpus: Corpus, predicate: Predicate) -> Person | None:
    """Return the person whose name is the whole question; `None` for any other question."""
    if not request.reads_authors or request.authors or request.likeness is not None:
        return None
    names, asks_who = name_alone(request.query)
    if not names or not all(_is_person(name, asks_who, corpus.profile) for name in names):
        return None
    rows = _rows_by(names, corpus.papers, predicate)
    has_full_names = asks_who or all(parse_name(name).first for name in names)
    if any(_is_subject(name, corpus) for name in names) and not (has_full_names and len(rows)):
        return None
    if not len(rows) and not all(map(_is_proper, names)):
        return None
    return Person(names, rows)


def authors_alone(asked: SearchRequest, request: SearchRequest, corpus: Corpus, predicate: Predicate) -> Person | None:
    """Return the authors to whose papers the question of `asked` limits `request`, if it names nothing else, as "What
    did Riess discover?"; `None` for any other question, and for authors that the reader set.
    """
    named = authors_named(asked.query, corpus.profile, corpus.papers) if request.authors and not asked.authors else None
    rest = "" if named is None else without_spans(asked.query, named.spans)
    if named is None or (has_topic(rest) and rest != asked.query):
        return None
    names = tuple(name.removeprefix(FIRST) for name in request.authors)
    return Person(names, _rows_by(names, corpus.papers, predicate), is_all=True)


def _is_person(name: str, asks_who: bool, profile: Profile) -> bool:
    """Return whether `name` may be that of a person, rather than of an object, a facility or an everyday thing."""
    last = parse_name(name).last or name
    folded = fold(name)
    gazetteer = gazetteer_of(profile)
    if folded in gazetteer.objects | gazetteer.facilities or tuple(folded.split()) in gazetteer.phrases:
        return False
    everyday = read_lexicon()
    parts = [part for part in re.findall(r"[^\W\d_]{2,}", name) if not is_particle(part)]
    if not parts or (all(part.lower() in everyday for part in parts) and not _is_capitalised(name)):
        return False
    return asks_who or not is_thing(_titled(name) if name.islower() else name, profile) or ("," in name and bool(last))


def _is_proper(name: str) -> bool:
    """Return whether `name` has a first name and no word that is everyday English or an abbreviation."""
    parts = [part for part in name.replace(",", " ").split() if not is_particle(part)]
    everyday = read_lexicon()
    return 1 < len(parts) <= MAX_NAMES and not any(part.lower() in everyday or not part.istitle() for part in parts)


def _is_capitalised(name: str) -> bool:
    return all(part[0].isupper() for part in name.replace(",", " ").split() if not is_particle(part))


def _titled(name: str) -> str:
    return " ".join(part if is_particle(part) else part.title() for part in name.split())


def _is_subject(name: str, corpus: Corpus) -> bool:
    """Return whether `name` is a keyword of a paper: "Tully-Fisher"."""
    rows = corpus.terms.papers_with(name)
    return any(is_keyword(name, paper.subjects) for paper in corpus.papers.take(rows[:N_READ].astype(np.int64)))


def _rows_by(names: tuple[str, ...], papers: PaperTable, predicate: Predicate) -> Rows:
    """Return the rows of papers by all of `names` or, if there are none, by any of them; newest first."""
    masks = [_by(name, papers) for name in names]
    together, either = np.logical_and.reduce(masks), np.logical_or.reduce(masks)
    mask = together if together.any() else either
    filtered = predicate.mask(len(papers), papers)
    rows = np.flatnonzero(mask if filtered is None else mask & filtered)
    newest = np.argsort(-np.nan_to_num(papers.take(rows).years()), kind="stable")
    return rows[newest][:MAX_PAPERS]


def _by(name: str, papers: PaperTable) -> np.ndarray:
    """Return a mask of the papers by `name`; a name typed in lower case is read with capitals, so that it has initials.

    A name of common words, such as "bright star", must be written out in an author list, so that it is not taken for
    "Star, B.".
    """
    if not _may_be_listed(name, papers):
        return np.zeros(len(papers), dtype=np.bool_)
    spelled = name if "," in name or not name.islower() else _titled(name)
    by = papers.by_authors((spelled,))
    parsed = parse_name(spelled)
    if (
        not by.spellings and parsed.first and "-" in parsed.last
    ):  # one of two joined names, if one author alone bears it
        of_part = papers.by_authors(tuple(f"{part}, {parsed.first}" for part in parsed.last.split("-") if part))
        by = of_part if len(of_part.spellings) == 1 else by
    given = AuthorName.of(name).first
    everyday = read_lexicon()
    if given and len(given[0]) > 1 and all(part.lower() in everyday for part in re.findall(r"[^\W\d_]{2,}", name)):
        is_written_out = any(len(first) > 1 for spelling in by.spellings for first in AuthorName.of(spelling).first[:1])
        return by.mask if is_written_out else np.zeros(len(papers), dtype=np.bool_)
    return by.mask


def _may_be_listed(name: str, papers: PaperTable) -> bool:
    """Return whether an author list may have the family name: it has the longest word of it as typed, or is short
    enough for every name to be compared. Most short questions are no names, and are told apart here.
    """
    authors = pc.list_flatten(papers.column("authors").combine_chunks())
    if len(authors) <= MAX_COMPARED:
        return True
    word = max(re.findall(r"[^\W\d_]+", parse_name(name).last or name), key=len, default="")
    spelled = word.title() if word.islower() else word  # without regard to case, this would take ten times as long
    return bool(pc.any(pc.match_substring(authors, spelled)).as_py())


def with_person(person: Person | None, candidates: Candidates, log: StageLog, profile: Profile) -> Candidates:
    """Put the papers by `person` first, and then those that name them; no stage is recorded without a person, or if
    nothing in the corpus is by or about one.
    """
    if person is None or (candidates.named_rows and not len(person.rows)):
        return candidates
    with log.stage(STAGE, is_optional=True) as stage:
        patterns = [_in_texts(name, profile) for name in person.names]
        own = {int(row) for row in person.rows}
        rows = candidates.rows[:N_READ].tolist()
        about = [
            place
            for place, (row, paper) in enumerate(zip(rows, candidates.papers, strict=False))
            if row not in own
            and any(pattern.search(fold(f"{paper.text}\n{'; '.join(paper.subjects)}")) for pattern in patterns)
        ]
        if not own and not (about and all(" " in name for name in person.names)):
            return candidates
        lead = np.zeros(len(candidates))
        lead[about] = ABOUT
        n_own, n_about = len(own), len(about)
        by = f"papers by that name ({n_own:,}) come first, then " if own else ""
        stage.ran = f"{person.description}: {n_own:,} by, {n_about:,} about"
        if not person.is_all:
            log.note(
                f"read as a person, {person.description}: {by}papers that mention it ({n_about:,}); turn reads_authors "
                "off to search for the words alone",
                says_filter=True,
            )
    known_as = f"author {person.description}"
    return replace(
        candidates,
        lead=lead,
        named_rows={**candidates.named_rows, **dict.fromkeys(own, known_as)}
        if own
        else {int(candidates.rows[place]): f"mention of {person.description}" for place in about},
    )


def _in_texts(name: str, profile: Profile) -> re.Pattern[str]:
    """Return a pattern for the name in a text, not followed by a noun for a facility, as in "Vera Rubin Observatory".

    Family names alone count too, if only a family name or initials are given; of longer names, the first two words do.
    """
    parsed = parse_name(name)
    first = [part for part in parsed.first.split() if not is_initials(part)]
    last = fold(parsed.last)
    forms = {f"{fold(first[0])} {last}", f"{fold(first[0])} {last.split()[0]}"} if first else {last}
    words = fold(name).split()
    if first and len(words) > 2 and "," not in name:
        forms |= {" ".join(words), " ".join(words[:2])}
    nouns = {noun for kind in profile.names.facilities for noun in kind}
    forms_pattern = "|".join(r"\s+".join(map(re.escape, form.split())) for form in sorted(forms))
    no_facility = rf"(?!\s+(?:[a-z]+\s+)?(?:{'|'.join(map(re.escape, sorted(nouns)))})s?\b)" if nouns else ""
    return re.compile(rf"\b(?:{forms_pattern})\b{no_facility}")
