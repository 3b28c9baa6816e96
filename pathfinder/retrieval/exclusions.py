"""Words that a question excludes, as in "exoplanets -simulations" or "supernovae excluding type Ia", read as a filter.

Only what hardly means anything else is read: a minus before a word; "excluding", "except", "other than", "not about",
"but not" and "that do not use" at the end of a question, before one or more names of things; "not" and
"nothing on" at the end of a few words that ask nothing, before a keyword of the corpus; ", no" and "no ... papers" at
the end, before what papers are about; and "without" before a kind of paper or method ("without simulations") or an
entry of a catalogue ("without NGC 1068"), or after a comma. "Galaxies without dark matter" are galaxies.
"Reviews only" at either end leaves out what is no review.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pyarrow.compute as pc

from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.store import Corpus
from pathfinder.index.ports import WordIndex
from pathfinder.index.predicate import Predicate
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.profile import shipped_compounds
from pathfinder.retrieval.known_items.titles import is_title
from pathfinder.retrieval.stages import StageLog, StageReport
from pathfinder.retrieval.years.in_questions import MAX_WORDS, without_spans
from pathfinder.text.english import AUXILIARIES, QUESTION_WORDS, any_of
from pathfinder.text.english import words as word_set
from pathfinder.text.language.lemmas import is_unspaced_name, lemmas
from pathfinder.text.sentences import split_sentences
from pathfinder.types import Paper, Rows, SearchRequest

STAGE = "exclusions"
MAX_EXCLUDED = 5
"""Maximum number of words in a phrase that a question excludes."""
KINDS_OF_PAPER = word_set(
    "calculations catalog catalogs catalogue catalogues code codes modeling modelling models numerics observations "
    "review reviews simulation simulations software statistics theories theory theoretical tutorial tutorials "
    "algorithm algorithms learning method methods network networks technique techniques"
)
"""Words for kinds of papers and methods: what is "without" them is the search, and not its subject."""

BY = "by "
"""What an excluded phrase begins with if the papers of an author are excluded: "by Riess"."""

ABOUT = "about "
"""What an excluded phrase begins with if papers that mention it beside their own subject stay: "about supernovae"."""
MOST_READ = 20_000
"""Number of papers with a phrase above which what they are about is not read: all are left out, as
the report says ("in", and not "is the subject of")."""

_MINUS = re.compile(
    r"(?:(?<=\s)|^)[-−](?:\"(?P<quoted>[^\"]{1,60})\"|(?P<word>(?!rays?\b)[^\W\d_][\w'’-]{1,60})(?![\w:]))"
)
_USES = r"(?:use|rely\s+on|depend\s+on)"
_PAPERS = r"(?:papers|articles|works|studies)"
_HOW = (
    r"excluding|except(?:\s+for)?|other\s+than|apart\s+from|(?:but\s+)?(?:not\s+about|(?<!with\s)nothing\s+(?:on|about))|"
    r"(?:but\s+not|not|without)\s+using|but\s+not|not|without|(?<=[,;]\s)no|"
    rf"(?<!with\s)no(?=\s[^,.;:?!]+\s{_PAPERS}\b)|(?:that|which)\s+(?:do|does|did)(?:\s+not|n['’]t)\s+{_USES}"
)
_TAIL = re.compile(
    rf"(?P<mark>[,;]?)\s(?P<and>(?:and|or)\s+)?(?P<how>{_HOW})\s+(?:the\s+|any\s+)?"
    rf"(?P<left_out>(?P<words>[^\s,.;:?!][^,.;:?!()]{{0,80}}?)(?:\s{_PAPERS})?)"
    r"(?:\s(?:since|before|after|from|in|until|between)\s(?:1[5-9]|20)\d\d[^,.;:?!()]{0,20})?(?:,?\s+please)?[\s.?!]*$",
    re.IGNORECASE,
)
_TAIL_STARTS = re.compile(
    r"[,;]?(?<!\band)(?<!\bor)\s(?=(?:(?:and|or)\s+)?(?:excluding|except|other|apart|but|not|no|nothing|without|that|which)\s)",
    re.IGNORECASE,
)
_AMBIGUOUS = frozenset({"not", "without"})
"""Words that may also say what the things asked for are like."""
_WORK_BEFORE = re.compile(r"\b(?:evidence|proof|explanations?|alternatives)\b(?=.{0,300}$)(?!.*s$)", re.IGNORECASE)
"""What is said: "evidence for X without Y" is without Y, unless things that may have none, as "galaxies", precede."""
_ARTICLE = re.compile(r"^(?:the|any)\s+", re.IGNORECASE)
_AND = re.compile(r"(?<!\s)\s+(?:and|or)\s+", re.IGNORECASE)
_REVIEWS = r"(?:only\s+reviews?|reviews?(?:\s+(?:papers?|articles?))?\s+only)"
_ONLY_REVIEWS = re.compile(
    rf"^\W*{_REVIEWS}(?:\s*[:;,–-]\s*|\s+(?:on|of|about|for)\s+)|[,;(–-]?\s{{0,2}}(?<=[\s,;(–-]){_REVIEWS}\W*$",
    re.IGNORECASE,
)
_ASKS = re.compile(rf"\?|^\W*(?:{any_of(QUESTION_WORDS)}|{any_of(AUXILIARIES)})\b", re.IGNORECASE)
_IS_NOT = re.compile(rf"\b{any_of(AUXILIARIES)}\s+(?:\w+\s+)?not\s|\snot\s+an?\s", re.IGNORECASE)
_NO_NAME = re.compile(r"(?:ing|ed|ly)$")
"""Endings of words that name no thing: "but not forming stars", "but not detected"."""


@dataclass(frozen=True, slots=True)
class Exclusions:
    """Words that a question excludes."""

    excluded_words: tuple[str, ...]
    words: str
    """Phrase in the question that excludes them; several phrases are joined by "…"."""
    spans: tuple[tuple[int, int], ...]
    """Positions of those phrases in the question."""
    only_reviews: bool = False

    @property
    def description(self) -> str:
        """What is left, or left out: “only reviews”, “without “simulations””."""
        quoted = ", ".join(f"“{words.removeprefix(ABOUT)}”" for words in self.excluded_words)
        return ", ".join([*["only reviews"][: self.only_reviews], *([f"without {quoted}"] if quoted else [])])


def exclusions_named(question: str, is_term: Callable[[str], bool]) -> Exclusions | None:
    """Read the words that `question` excludes; `None` if there are none, or if nothing else is asked for. `is_term`
    says whether a phrase is a keyword of the corpus, or "by" and the name of one of its authors.
    """
    if len(question.split()) > MAX_WORDS:
        return None
    reviews = None if _is_statement(question) else _ONLY_REVIEWS.search(question)
    asked = question if reviews is None or reviews.start() == 0 else question[: reviews.start()]
    found = [(match["quoted"] or match["word"], match.span()) for match in _MINUS.finditer(asked)]
    found += _in_tail(asked, is_term)
    spans = tuple(sorted({span for _, span in found} | ({reviews.span()} if reviews else set())))
    rest = without_spans(question, spans)
    if not spans or rest == question or not stems(words(rest), QUESTION_STOP_WORDS):
        return None
    return Exclusions(
        tuple(dict.fromkeys(words for words, _ in found)),
        " … ".join(question[start:end].strip(" ,;.?!") for start, end in spans),
        spans,
        reviews is not None,
    )


def _in_tail(
    question: str, is_term: Callable[[str], bool], *, is_in_series: bool = False
) -> list[tuple[str, tuple[int, int]]]:
    """Return each phrase that the end of `question` excludes, with the span of all of it; several may stand there, as
    in ", without simulations, not jets". In a series, before another that may be excluded, "not" leaves out one word.
    """
    match = _tail(question)
    if match is None:
        return []
    asked = question[: match.start()]
    before = _in_tail(asked, is_term, is_in_series=True)
    phrases = [_ARTICLE.sub("", phrase.strip()) for phrase in _AND.split(match["words"])]
    if phrases[0].lower().startswith(BY):
        phrases = [BY + (phrase[len(BY) :] if phrase.lower().startswith(BY) else phrase) for phrase in phrases]
    how = " ".join(match["how"].lower().split())
    is_subject = any(phrase.lower() in asked.lower() for phrase in phrases)
    is_set_off = (match["mark"] or before or (is_in_series and how == "not")) and not _is_statement(question)
    if how in _AMBIGUOUS and not is_subject and (is_set_off or (how == "without" and _WORK_BEFORE.search(asked))):
        how = "excluding"  # "galaxies without dust" are galaxies; "galaxies, without dust" leaves it out
    if all(_is_excluded(phrase, how, question, is_term) for phrase in phrases):
        subjects = [phrase if phrase.startswith(BY) else ABOUT + phrase for phrase in phrases]
        return [*before, *((subject, (match.start(), match.end("left_out"))) for subject in subjects)]
    return []


def _is_excluded(phrase: str, how: str, question: str, is_term: Callable[[str], bool]) -> bool:
    if phrase.startswith(BY):
        return is_term(phrase)
    parts = words(phrase)
    if not parts or len(parts) > MAX_EXCLUDED or any(part in QUESTION_STOP_WORDS for part in parts):
        return False
    if how == "without":
        return parts[-1] in KINDS_OF_PAPER or _is_of_catalogue(parts)
    if how in ("other than", "apart from", "no") and _is_statement(question):
        return False  # "What is there other than MOND?" asks for nothing else
    if any(map(_NO_NAME.search, parts[-1:] if is_term(phrase) else parts)):
        return False
    if how == "not":
        is_name = len(parts) > 1 or lemmas(parts[0]) != tuple(parts) or phrase.isupper()
        return is_name and not _is_statement(question) and is_term(phrase)
    is_thing = parts[-1] in KINDS_OF_PAPER or _is_of_catalogue(parts) or is_term(phrase)
    return is_thing or how.endswith("not about") or ("nothing" in how and not _is_statement(question))


def _is_of_catalogue(parts: list[str]) -> bool:
    is_entry = "".join(parts[1:]).isdigit() and parts[0] in shipped_compounds().catalogues
    return is_entry or is_unspaced_name("".join(parts))


def _is_statement(question: str) -> bool:
    return _ASKS.search(question) is not None or _IS_NOT.search(question) is not None


def unread_exclusion(question: str) -> tuple[str, str] | None:
    """Return the end of `question` that seems to leave something out, such as "without" "dark matter"; `None` if there
    is none. Whether it was read as an exclusion, `exclusions_read` says.
    """
    match = _tail(question)
    return None if match is None else (match["how"], match["words"])


def _tail(question: str) -> re.Match[str] | None:
    starts = [match.start() for match in _TAIL_STARTS.finditer(question)][-2:]  # "but not about" has two
    matches = [match for start in starts if (match := _TAIL.match(question, start))]
    is_one = len(matches) == 2 and matches[1].start("how") < matches[0].end("how")
    return matches[0 if is_one else -1] if matches else None


def exclusions_read(request: SearchRequest, corpus: Corpus) -> Exclusions | None:
    """Return the words that the question excludes, if `reads_exclusions` is on and the question is no paper's title."""
    if not request.reads_exclusions or request.likeness is not None:
        return None

    def is_there(phrase: str) -> bool:
        is_by_author = phrase.startswith(BY)
        return len(_rows_by(phrase, corpus.papers) if is_by_author else corpus.terms.papers_with(phrase)) > 0

    named = exclusions_named(request.query, is_there)
    return None if named is not None and is_title(request.query, corpus.papers) else named


def read_exclusions(request: SearchRequest, corpus: Corpus, log: StageLog) -> SearchRequest:
    """Add what the question leaves out to `request`, with a note, and search for the rest of the question."""
    named = exclusions_read(request, corpus)
    if named is None:
        unread = unread_exclusion(request.query) if request.reads_exclusions and not request.excluded_words else None
        if unread is not None:
            log.note(f'"{" ".join(unread)}" was searched as words: excluded_words leaves papers out', says_filter=True)
        return request
    log.note(
        f'{named.description}, from "{named.words}" in the question: turn reads_exclusions off to search for all words',
        says_filter=True,
    )
    excluded_words = tuple(dict.fromkeys((*request.excluded_words, *named.excluded_words)))
    query = without_spans(request.query, named.spans)
    if not named.only_reviews:
        return replace(request, query=query, excluded_words=excluded_words)
    if not pc.any(corpus.papers.column("is_review")).as_py():
        log.note("no source says which of these papers are reviews, so all are searched")
        return replace(request, query=query, excluded_words=excluded_words)
    return replace(request, query=query, excluded_words=excluded_words, only_reviews=True)


def without_excluded(request: SearchRequest, predicate: Predicate, corpus: Corpus, log: StageLog) -> Predicate:
    """Narrow `predicate` to papers with none of the excluded words in title, abstract or keywords, or on none of
    them, in a separate stage; leave it unchanged if no word is excluded.
    """
    if not request.excluded_words:
        return predicate
    with log.stage(STAGE) as stage:
        rows = {phrase: rows_with(phrase, corpus.papers, corpus.sparse) for phrase in request.excluded_words}
        left_out = np.unique(np.concatenate([*rows.values()]))
        counts = [
            f"“{phrase.removeprefix(ABOUT)}” "
            f"{'is the subject of' if phrase.startswith(ABOUT) and len(found) <= MOST_READ else 'in'} {len(found):,}"
            for phrase, found in rows.items()
        ]
        n = len(left_out)
        words = f"{', '.join(counts)}: {n:,} of {len(corpus.papers):,} papers left out"
        stage.report = StageReport(words)
        log.note(words, says_filter=True)
        if n == len(corpus.papers):
            log.note("every paper in this corpus has one of the excluded words: exclude fewer")
        return predicate.without(corpus.papers.take(left_out).paper_ids())


def _rows_by(phrase: str, papers: PaperTable) -> Rows:
    """Return the rows, ascending, of the papers by the author behind "by"."""
    return np.flatnonzero(papers.by_authors((phrase[len(BY) :],)).mask)


def rows_with(phrase: str, papers: PaperTable, index: WordIndex) -> Rows:
    """Return the rows, ascending, of the papers whose title, abstract or keywords contain the words of `phrase` one
    after another, compared by their stems and without stop words; for "by" and an author of the corpus, those of the
    author. After "about", the words must be in the title, a keyword or the first sentence, or stand twice in the
    abstract.
    """
    if phrase.lower().startswith(BY) and len(by_author := _rows_by(phrase, papers)):
        return by_author
    is_subject = phrase.startswith(ABOUT)
    own = stems(words(phrase.removeprefix(ABOUT)), QUESTION_STOP_WORDS)
    if not own:
        return np.empty(0, dtype=np.int64)
    rows = np.flatnonzero(index.share_of_words(list(dict.fromkeys(own)), np.arange(len(papers))) == 1.0)
    if (len(own) == 1 and not is_subject) or (is_subject and len(rows) > MOST_READ):
        return rows

    def count(text: str) -> int:
        # Spaces at both ends keep one stem from being found within another.
        return f" {'  '.join(stems(words(text), QUESTION_STOP_WORDS))} ".count(f" {'  '.join(own)} ")

    def is_left_out(paper: Paper) -> bool:
        if any(map(count, (paper.title, *paper.subjects))):
            return True
        n = count(paper.abstract)
        return n > 0 and (not is_subject or n > 1 or any(map(count, split_sentences(paper.abstract)[:1])))

    return rows[np.array([is_left_out(paper) for paper in papers.take(rows)], dtype=np.bool_)]
