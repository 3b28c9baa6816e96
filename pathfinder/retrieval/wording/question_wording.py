"""Reads the words of a question: in English terms if it is in another language or in everyday words, and with its
spelling corrected.

Everyday words ("shooting star" for "meteor") are compared with those of the field's profile by their stems, the longest
expression first, so that "crashed into" is "crash into".
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice

from pathfinder.corpus.store import Corpus
from pathfinder.index.words import QUESTION_STOP_WORDS, stems
from pathfinder.profile import Names
from pathfinder.retrieval.known_items.titles import is_title
from pathfinder.retrieval.stages import StageLog, unusable_stage
from pathfinder.retrieval.wording.translation import translated
from pathfinder.text.language.lexicon_tagger import read_lexicon
from pathfinder.text.spelling import fold, without_possessive, words_near
from pathfinder.types import SearchRequest

MAX_WORDS = 60
"""Number of words above which a question is a pasted text, to which nothing is added and whose words are left alone."""

_TOKEN = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|\|")
_QUOTED = re.compile(r"[\"“][^\"“”]{0,1000}[\"”]")


def terms_for(question: str, everyday: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """Return the field's terms for the everyday expressions of `question`, in their order; `everyday` has a term and
    its expressions, separated by bars, in each row. What stands in quotation marks is a name.
    """
    tokens = _TOKEN.findall(_QUOTED.sub(" | ", question))
    if not everyday or len(tokens) > MAX_WORDS:
        return ()
    terms, longest = _by_stems(everyday)
    keys = [_stem(token) for token in tokens]
    found: dict[str, None] = {}
    place = 0
    while place < len(tokens):
        for end in range(min(len(tokens), place + longest), place, -1):
            if (term := terms.get(tuple(keys[place:end]))) is not None:
                found[term] = None
                place = end
                break
        else:
            place += 1
    return tuple(found)


@lru_cache(maxsize=8)
def _by_stems(everyday: tuple[tuple[str, str], ...]) -> tuple[Mapping[tuple[str, ...], str], int]:
    terms: dict[tuple[str, ...], str] = {}
    for term, expressions in everyday:
        for expression in expressions.split("|"):
            terms.setdefault(tuple(_stem(token) for token in _TOKEN.findall(expression)), term)
    terms.pop((), None)
    return terms, max(map(len, terms))


def _stem(token: str) -> str:
    return " ".join(stems([fold(token)], frozenset()))


STAGE = "wording"
"""Stage that is recorded only if the question is changed or cannot be read."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A question as it was asked and as it is searched."""

    asked: str
    text: str
    """The question with its spelling corrected, or in English."""
    language: str | None = None
    """English name of its language, if its terms were translated."""
    terms: tuple[str, ...] = ()
    """Terms of the field for its everyday words."""
    unread_language: str | None = None
    """English name of its language, if too few of its terms have English words."""

    @property
    def searched(self) -> str:
        """What is searched: the text, with the terms behind it. Its words stay, because an everyday expression may be
        a name, or meant otherwise.
        """
        return f"{self.text.rstrip(' ?.!')} ({', '.join(self.terms)})" if self.terms else self.text

    @property
    def is_changed(self) -> bool:
        """True if other words are searched than were asked."""
        return self.searched != self.asked


def reading_of(request: SearchRequest, corpus: Corpus) -> Reading:
    """Read the question of `request` as its switches say; the title of a paper is left as it is."""
    asked = request.query
    if not (request.translates or request.corrects_spelling) or is_title(asked, corpus.papers):
        return Reading(asked, asked)
    foreign = translated(asked, corpus) if request.translates else None
    if foreign is not None and foreign.english is not None:
        return Reading(asked, foreign.english, language=foreign.language)
    text = corrected(asked, corpus) if request.corrects_spelling else asked
    if foreign is not None and (text == asked or translated(text, corpus) is not None):
        return Reading(asked, asked, unread_language=foreign.language)  # English with errors is no foreign language
    return Reading(asked, text, terms=terms_for(text, corpus.profile.everyday) if request.translates else ())


def read_question(request: SearchRequest, corpus: Corpus, log: StageLog) -> Reading:
    """Read the question of `request`, with a note and a stage if other words are searched or its language is not
    read.
    """
    with log.stage(STAGE, is_optional=True) as stage:
        reading = reading_of(request, corpus)
        if reading.unread_language is not None:
            language = reading.unread_language
            stage.report = unusable_stage(f"the question is in {language}, and few of its terms are known")
            log.note(f"the question seems to be in {language}: ask in {corpus.sparse.language}")
        elif reading.language is not None:
            stage.ran = f"{reading.language}: {reading.text}"
            log.note(
                f'searched for "{reading.text}", from {reading.language}: turn translates off to search as asked',
                says_filter=True,
            )
        elif reading.is_changed:
            stage.ran = reading.searched
            switch = "translates" if reading.terms else "corrects_spelling"
            log.note(f'searched for "{reading.searched}": turn {switch} off to search as written', says_filter=True)
    if request.corrects_spelling and reading.language is reading.unread_language is None:
        unknown = " or ".join(f'"{word}"' for word in words_of_no_paper(reading.text, corpus))
        if unknown:
            log.note(f"no paper here has {unknown}")
    return reading


_DESIGNATION = re.compile(r"(?<![\w./:-])(?:[A-Z]{1,6}[ -]|[A-Za-z]{1,6})(\d{2,7})(?![\w./:-]|\.\d)")
"""The name of an object in a catalogue: "NGC 6397", "ngc6397", "M13"; its number is found however it is written."""


_FULL_NAME = re.compile(r"\b[A-Z][a-z]{1,20} [A-Z][a-z]{2,20}\b")


def _is_named(name: str, corpus: Corpus) -> bool:
    """Return whether `name` may be something else than a person's, as that of a thing which papers write in lower case,
    or is that of an author, or stands in a paper.
    """
    first, last = name.lower().split()
    if not QUESTION_STOP_WORDS.isdisjoint((first, last)) or last in read_lexicon():
        return True
    if first in _words_of(corpus.profile.names, corpus.profile.other_names):
        return True
    if corpus.papers.by_authors((name,)).mask.any():
        return True
    said = re.compile(rf"\b(?:{last.removesuffix('s')}s?|(?i:{first}[\s-]{last}))\b")
    beside = corpus.papers.take(corpus.sparse.search(name, N_BESIDE).rows)
    return any(said.search(f"{paper.text}\n{'; '.join(paper.subjects)}") for paper in beside)


def words_of_no_paper(question: str, corpus: Corpus) -> list[str]:
    """Return the names and other words of `question` that neither English nor any paper has, with the full names of
    persons, if authors are known, and the designations of objects; none for a text of more than `MAX_WORDS` words.
    """
    if len(question.split()) > MAX_WORDS:
        return []
    found = {start: question[start:end] for start, end in _unknown_words(question, corpus)}
    names = _FULL_NAME.finditer(question) if corpus.papers.wording.author_words else ()
    for match in islice(names, MOST_CORRECTED):
        begins_with_word = match.start() == 0 and match[0].split()[0].lower() in read_lexicon()  # "Compare Cepheids"
        if not (begins_with_word or found.keys() & range(*match.span()) or _is_named(match[0], corpus)):
            found[match.start()] = match[0]
    found |= {match.start(): match[0] for match in _absent_designations(question, corpus)}
    return [found[start] for start in sorted(found)][:MOST_CORRECTED]


def _absent_designations(question: str, corpus: Corpus) -> Iterator[re.Match[str]]:
    """Yield the names of objects in catalogues whose number no paper has."""
    for match in _DESIGNATION.finditer(question):
        if not corpus.sparse.document_frequencies(stems([match[1], match[0].lower()], frozenset())).any():
            yield match


def _as_written(name: str) -> str:
    return name.replace(" ", "").replace("-", "").lower()


def _name_in_papers(designation: str, corpus: Corpus) -> str | None:
    """Return the first other name of an object that a paper has, such as "M87" for "NGC 4486"; `None` if none has."""
    written = _as_written(designation)
    rows = (row for row in corpus.profile.other_names if written in map(_as_written, row))
    for name in chain.from_iterable(rows):
        said = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        beside = corpus.papers.take(corpus.sparse.search(name, N_BESIDE).rows)
        if any(said.search(f"{paper.text}\n{'; '.join(paper.subjects)}") for paper in beside):
            return name
    return None


MOST_CORRECTED = 5
"""Maximum number of words that are looked up, since each is compared with every word of the papers."""
LONG = 8
"""Minimum length of a word that may have two typing errors."""
N_BESIDE = 50
"""Number of papers on the rest of a question in which a word that may be meant is sought."""
FREQUENT = {1: 2, 2: 3}
"""Minimum number of papers with the word that was meant, by the number of typing errors; one is enough for a long word
with one error.
"""

_CHUNK = re.compile(r"\S{1,200}")
_NO_WORD = re.compile(r"[\d/:@\\_*=+$^{}<>|&%#~]")
_WORD = re.compile(r"[^\W\d_]{4,40}(?:['’]s)?")


def corrected(question: str, corpus: Corpus) -> str:
    """Return `question` with each word that no paper has replaced by the nearest word that several papers have, and the
    name of an object in a catalogue by another one under which papers have it.

    Left alone are words of everyday English, of authors' names, of the thesaurus and of the profile, acronyms, and
    whatever stands next to a digit or a sign. The first letter must be right, and a name in the midst of a question may
    have only one error.
    """
    if len(question.split()) > MAX_WORDS:
        return question
    text = question
    for start, end in reversed([*_unknown_words(question, corpus)][:MOST_CORRECTED]):
        word = question[start:end]
        rest = f"{question[:start]} {question[end:]}"
        if (meant := _meant(word, start == 0, rest, corpus)) is not None:
            text = f"{text[:start]}{meant.capitalize() if word[0].isupper() else meant}{text[end:]}"
    for match in reversed([*islice(_absent_designations(text, corpus), MOST_CORRECTED)]):
        if (name := _name_in_papers(match[0], corpus)) is not None:
            text = f"{text[: match.start()]}{name}{text[match.end() :]}"
    return text


def _unknown_words(question: str, corpus: Corpus) -> Iterator[tuple[int, int]]:
    """Yield the place of each word of `question` that neither English nor the corpus knows."""
    for chunk in _CHUNK.finditer(question):
        text = chunk[0].rstrip(".,;:?!)]\"'”’")
        if _NO_WORD.search(text):
            continue
        for match in _WORD.finditer(text):
            word = without_possessive(match[0])
            if not _is_known(word, corpus):
                yield chunk.start() + match.start(), chunk.start() + match.start() + len(word)


@lru_cache(maxsize=1)
def _everyday_stems() -> frozenset[str]:
    return frozenset(stems([word.lower() for word in read_lexicon()], QUESTION_STOP_WORDS))


def _is_known(word: str, corpus: Corpus) -> bool:
    lower = word.lower()
    if word.isupper() or any(letter.isupper() for letter in word[1:]) or lower in QUESTION_STOP_WORDS:
        return True
    if lower in read_lexicon() or not _everyday_stems().isdisjoint(stems([lower], QUESTION_STOP_WORDS)):
        return True
    if corpus.sparse.document_frequencies(stems([lower], QUESTION_STOP_WORDS)).any():
        return True
    return (
        fold(word) in corpus.papers.wording.author_words
        or lower in _words_of(corpus.profile.names, corpus.profile.other_names)
        or (corpus.thesaurus is not None and corpus.thesaurus.has_word(lower))
    )


@lru_cache(maxsize=8)
def _words_of(names: Names, other_names: tuple[tuple[str, ...], ...]) -> frozenset[str]:
    lists = (names.objects, names.catalogues, names.kinds, names.classes, names.things, *names.forms)
    phrases = (phrase for entries in (*lists, *other_names) for phrase in entries)
    return frozenset(word.lower() for phrase in phrases for word in _WORD.findall(phrase))


def _meant(word: str, is_first: bool, rest: str, corpus: Corpus) -> str | None:
    """Return the nearest word of the papers or of the profile's names; of several, the one that most of the papers on
    the `rest` of the question have ("neutrno oscillations" is not about neutrons), then the most frequent one. `None`
    if there is none.
    """
    lower = word.lower()
    is_name = word[0].isupper() and not is_first
    may_have_two = len(lower) >= LONG and not is_name
    of_profile = _words_of(corpus.profile.names, corpus.profile.other_names)
    known = {*corpus.papers.wording.words_from(lower[0]), *(name for name in of_profile if name[0] == lower[0])}
    beside = corpus.sparse.search(rest, N_BESIDE).rows
    candidates = []
    for other, n_errors in words_near(lower, sorted(known), 2 if may_have_two else 1):
        if n_errors == 0:  # a word of the papers that the sparse index does not have
            return None
        own = stems([other], frozenset())
        n_papers, n_beside = (
            int(corpus.sparse.document_frequencies(own).sum()),
            int(corpus.sparse.share_of_words(own, beside).sum()),
        )
        is_plain = n_errors == 1 and (len(lower) >= LONG or not len(beside))  # alone, it would find nothing
        least = 1 if is_plain else FREQUENT[n_errors]
        if n_papers >= least or other in of_profile:
            candidates.append((n_errors, -n_beside, -n_papers, other))
    return min(candidates)[-1] if candidates else None
