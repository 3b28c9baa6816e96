"""Extends a sentence into an excerpt that can be read on its own, by adding the sentence that it refers to, the result
of the method that it describes, or the sentence that qualifies it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pathfinder.answering.digest import cues
from pathfinder.answering.grounding.readings import PASSAGE_BREAK
from pathfinder.text.abbreviations import definitions
from pathfinder.text.author_names import YEAR_IN_TEXT, is_group, parse_name
from pathfinder.text.english import SCIENTIST
from pathfinder.text.inflection import base_form, plurals_of
from pathfinder.text.sentences import is_prose, is_whole, readable_spans
from pathfinder.types import Floats, Insertion, Paper

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

OLD = 30
"""Number of years between two papers above which the age of the older is stated."""


def insertions_for(paper: Paper, start: int, end: int, newest: int = 0) -> tuple[Insertion, ...]:
    """Return the insertions that make the sentence `paper.abstract[start:end]` complete, in order of position; its year
    comes first if it has none and is `OLD` beside the `newest` paper, which may have superseded it.
    """
    sentence = paper.abstract[start:end]
    insertions = []
    known = {short for short, _ in definitions(sentence)}
    for short, long in definitions(paper.abstract):
        if short in known:
            continue
        known.add(short)
        use = re.search(rf"(?<![\w-]){re.escape(short)}s?(?![\w-])", sentence)
        if use and long.lower() not in sentence.lower():
            is_one = _ONE_VALUE.match(sentence, use.end()) is not None
            insertions.append(Insertion(use.end(), f" {_of_one(long) if is_one else long}"))
    we, they = _WE.search(sentence), _they(paper, start, sentence)
    if paper.authors and (match := we or they):
        insertions.append(Insertion(match.end(1), f" {_authors(paper, are_several=we is None)}"))
    if paper.year and newest - paper.year > OLD and not re.search(YEAR_IN_TEXT, sentence):
        insertions.append(Insertion(0, f"{paper.year}: "))
    return tuple(sorted(insertions, key=lambda insertion: insertion.position)[:_MAX_INSERTED])


def _they(paper: Paper, start: int, sentence: str) -> re.Match[str] | None:
    """Return the "they" at the beginning of a sentence that means the authors, because the text before it names no
    other people and does not say "we".
    """
    they, before = _THEY.match(sentence), paper.abstract[:start]
    if they is None:
        return None
    has_several = (
        len(paper.authors) > 1
        or paper.has_more_authors
        or (paper.n_authors is None and _TEAM.search(before) is not None)
    )
    return they if has_several and before and not _OTHERS.search(before) else None


_ONE_VALUE = re.compile(r"\s{0,2}[=:,(]?\s?\d")
"""Text behind a short form that stands for one value, whether or not it is defined in the plural: "RR 1.04"."""


def _of_one(long: str) -> str:
    """Return a long form with its last word in the singular: "risk ratio" for "risk ratios"."""
    start, space, last = long.rpartition(" ")
    singular = base_form(last)
    return f"{start}{space}{singular}" if re.fullmatch(plurals_of([singular]), last) else long


def _authors(paper: Paper, *, are_several: bool) -> str:
    """Return the surnames of one or two authors, or the first with "and others"; a collaboration is named alone."""
    first = parse_name(paper.authors[0]).last
    n_authors = paper.n_all_authors
    if (n_authors == 1 and not are_several) or is_group(first):
        return first
    if n_authors == 2 and len(paper.authors) == 2:
        return f"{first} & {parse_name(paper.authors[1]).last}"
    return f"{first} and others"


_POINTING = re.compile(
    r"(?:(?:also|in particular|specifically|finally|then|further|overall|indeed|in turn|if|as|with)\b[\s,]*)?"
    r"(?:this|these|those|that|they|their|it|its|such|both|the (?:former|latter|resulting|above|same|two)|"
    r"here|neither|either|another|one of them|among them)\b",
    re.IGNORECASE,
)
"""Opening words that refer to an earlier sentence."""

_CONNECTIVE = re.compile(
    r"(?:however|therefore|thus|hence|moreover|furthermore|additionally|in addition|besides|consequently|instead|"
    r"nevertheless|nonetheless|in contrast|by contrast|conversely|similarly|likewise|for example|for instance|"
    r"as a result|accordingly|meanwhile|second(?:ly)?|third(?:ly)?|lastly|and|but|yet|so|otherwise|alternatively|"
    r"on the other hand|to this end)\b",
    re.IGNORECASE,
)
"""Opening words that continue an earlier sentence."""

_POINTING_INSIDE = re.compile(r"(?<!\w)[A-Z]\w+ing (?:this|these|those|that|it|them)\b")
"""Openings that refer back after a word: "Adding this to the zero point"."""

_WHOLE_OPENING = re.compile(r"this (?:paper|work|study|letter|review|article)\b|it is (?:well )?known\b", re.IGNORECASE)


def stands_alone(sentence: str) -> bool:
    """Return whether `sentence` can be understood without the one before it, unlike "This suggests" or "However,
    they".
    """
    if _WHOLE_OPENING.match(sentence):
        return True
    return not any(opening.match(sentence) for opening in (_POINTING, _CONNECTIVE, _POINTING_INSIDE))


Span = tuple[int, int]

LONGEST_EXCERPT = 75
"""Maximum number of words in an excerpt, including the sentences before and after the one that answers the question."""

LONGEST_WITH_CORRECTION = 120
"""Maximum number of words in an excerpt whose last sentence qualifies what comes before: a claim without its "but" is
misleading.
"""

WORTH_A_SECOND_LINE = 0.7
"""Minimum probability of a second line from the first paper, as a fraction of the first line's probability."""

TOLERANCE = 12
"""Number of words by which an added sentence may take an excerpt beyond its limit."""

FORWARD = 1.3
"""Factor by which the sentence after an excerpt is preferred to the one before it: results follow, background
precedes.
"""

WORDS_OF_A_SENTENCE = range(5, 91)
"""Permitted number of words in a sentence: anything shorter is a heading, anything longer a list."""

MOST_BEFORE = 2
"""Maximum number of sentences added before the one that answers the question."""

_NEW_PARAGRAPH = "\n"
"""Text that separates the paragraphs of a passage."""

_REFERS = re.compile(
    r"(?:[\w’'-]+,?\s+){0,4}?(?:it|its(?! own)|they|their|them|these|this|those|such|both|neither|the same|"
    r"the (?:former|latter|resulting|results?|effect|objects?|sources?))\b",
    re.IGNORECASE,
)
"""An opening that refers to something in the sentence before: "By these, ultra-faint dwarfs"."""

_NO_REFERENCE = re.compile(
    r"it (?:is|was|has been) (?:\w+ly )?(?:known|clear|unclear|unknown|possible|likely|unlikely)\b|"
    r"(?:in |with )?(?:this|the present) (?:paper|work|study|letter|review|article|note)\b",
    re.IGNORECASE,
)

_RESOLVABLE_OPENING = re.compile(r"(?:[\w’'-]+,?\s+){0,2}(?:they|we)\b", re.IGNORECASE)
"""An opening whose reference an insertion can resolve."""


@dataclass(frozen=True, slots=True)
class Lengths:
    """Limits on the length of an excerpt, in words."""

    fill_limit: int
    """Length up to which neighbouring sentences are added."""
    with_result: int = LONGEST_EXCERPT
    """Maximum length if the result of a method is added."""
    opens_before: bool = False
    """True if, in a full text, sentences before the one that answers are added, too."""


def best_sentences(sentences: Sequence[str], probabilities: Floats) -> list[int]:
    """Return the numbers of the best sentence and, if it is nearly as good, the second best; none if nothing is prose.
    Parts of sentences, questions and lists are chosen only if there is nothing better.
    """
    usable = [number for number, sentence in enumerate(sentences) if is_readable(sentence)]
    usable = usable or [number for number, sentence in enumerate(sentences) if sentence and is_prose(sentence)]
    order = sorted(usable, key=lambda number: -probabilities[number])
    return [
        number
        for place, number in enumerate(order[:2])
        if place == 0 or probabilities[number] >= WORTH_A_SECOND_LINE * probabilities[order[0]]
    ]


def excerpt(paper: Paper, number: int, probabilities: Floats, lengths: Lengths) -> Span:
    """Return the start and end of the excerpt around sentence `number` of the abstract, counted from 0.

    It consists of the sentence, those that it refers to, and the next one if that qualifies the sentence or gives the
    result of the method that it describes. While the excerpt is shorter than `lengths.fill_limit`, neighbouring
    sentences are added, the more probable one first; in a full text, only sentences of the same paragraph, and those
    before it only with `lengths.opens_before`.
    """
    spans = readable_spans(paper.abstract)
    part = _part_of(paper, spans, number)
    spans, probabilities, number = spans[part], probabilities[part], number - part.start
    first, last = _with_earlier(paper, spans, (number, number))
    last = _with_later(paper, spans, first, last, lengths.with_result)
    while _words(paper, spans, first, last) < lengths.fill_limit:
        neighbours = (last + 1,) if part.start and not lengths.opens_before else (last + 1, first - 1)
        fitting = [
            place
            for place in neighbours
            if 0 <= place < min(len(spans), len(probabilities))
            and not (part.start and _NEW_PARAGRAPH in _between(paper, spans, place, first, last))
            and is_readable(_text(paper, spans[place]))
            and _words(paper, spans, min(first, place), max(last, place)) <= lengths.fill_limit + TOLERANCE
        ]
        if not fitting:
            break
        addition = max(fitting, key=lambda place: probabilities[place] * (FORWARD if place > last else 1.0))
        first, last = min(first, addition), max(last, addition)
    last = _with_later(paper, spans, first, last, lengths.with_result)
    first, _ = _with_earlier(paper, spans, (first, last))
    return spans[first][0], spans[last][1]


def _between(paper: Paper, spans: Sequence[Span], place: int, first: int, last: int) -> str:
    """Return the text between sentence `place` and the sentences from `first` to `last`, which are next to it."""
    return (
        paper.abstract[spans[last][1] : spans[place][0]]
        if place > last
        else paper.abstract[spans[place][1] : spans[first][0]]
    )


def is_in_one_part(paper: Paper, start: int, end: int) -> bool:
    """Return whether the characters from `start` to `end` are all in the abstract, or all in one full-text passage."""
    return PASSAGE_BREAK not in paper.abstract[start:end]


def _part_of(paper: Paper, spans: Sequence[Span], number: int) -> slice:
    """Return the range of the sentences in the abstract or passage that contains sentence `number`."""
    start, end = spans[number]
    first = paper.abstract.rfind(PASSAGE_BREAK, 0, start) + 1
    last = paper.abstract.find(PASSAGE_BREAK, end)
    inside = [place for place, span in enumerate(spans) if first <= span[0] and (last < 0 or span[1] <= last)]
    return slice(inside[0], inside[-1] + 1)


def _with_earlier(paper: Paper, spans: Sequence[Span], ends: tuple[int, int]) -> tuple[int, int]:
    """Return the first and last sentences of an excerpt (so far `ends`) after adding the preceding sentences to which
    it refers.
    """
    first, last = ends
    while first > 0 and ends[0] - first < MOST_BEFORE and _refers_back(paper, spans[first]):
        if _words(paper, spans, first - 1, last) > LONGEST_WITH_CORRECTION or not is_whole(
            _text(paper, spans[first - 1])
        ):
            break
        first -= 1
    return first, last


def _with_later(paper: Paper, spans: Sequence[Span], first: int, last: int, longest: int) -> int:
    """Return the last sentence of an excerpt after adding the next one if that qualifies what the excerpt says, or
    gives the result of the work that it describes.
    """
    if last + 1 >= len(spans) or not is_readable(_text(paper, spans[last + 1])):
        return last
    n_words = _words(paper, spans, first, last + 1)
    takes_back = _takes_back(_text(paper, spans[last + 1])) and n_words <= LONGEST_WITH_CORRECTION
    is_result = cues.DOES.search(_text(paper, spans[last])) is not None and n_words <= longest
    return last + 1 if takes_back or is_result else last


def is_readable(sentence: str) -> bool:
    """Return whether `sentence` is whole, of readable length, and not a question."""
    return len(sentence.split()) in WORDS_OF_A_SENTENCE and not sentence.endswith("?") and is_whole(sentence)


def places_in(paper: Paper, start: int, end: int) -> list[int]:
    """Return the numbers, counted from 0, of the sentences between the characters `start` and `end`."""
    return [place for place, span in enumerate(readable_spans(paper.abstract)) if span[0] < end and start < span[1]]


def with_context(paper: Paper, start: int, end: int, of_other_lines: Sequence[Span] = ()) -> Span:
    """Return the start and end of the sentences from `start` to `end` after adding the preceding ones to which they
    refer, and a following one that qualifies them, unless these are part of other lines.
    """
    spans = readable_spans(paper.abstract)
    first = next((place for place, span in enumerate(spans) if span[0] <= start < span[1]), None)
    if first is None:
        return start, end
    part = _part_of(paper, spans, first)
    spans, first = spans[part], first - part.start
    following = next((span for span in spans if span[0] >= end), None)
    if following and following not in of_other_lines and _takes_back(_text(paper, following)):
        end = following[1]
    start_place = first
    while (
        start_place > 0 and first - start_place < MOST_BEFORE and _refers_back(paper, spans[start_place], at_once=True)
    ):
        earlier = spans[start_place - 1]
        is_taken = any(begin < earlier[1] and earlier[0] < stop for begin, stop in of_other_lines)
        is_long = len(paper.abstract[earlier[0] : end].split()) > LONGEST_EXCERPT
        if is_taken or is_long or not is_whole(_text(paper, earlier)):
            break
        start_place -= 1
    return min(spans[start_place][0], start), end


def _refers_back(paper: Paper, span: Span, *, at_once: bool = False) -> bool:
    """Return whether a sentence opens with a reference to the previous one that no insertion resolves; with `at_once`,
    only if the reference is in its first words.
    """
    sentence = _text(paper, span)
    if _NO_REFERENCE.match(sentence):
        return False
    if stands_alone(sentence) and (at_once or not _REFERS.match(sentence)):
        return False
    opening = _RESOLVABLE_OPENING.match(sentence)
    return not (opening and any(insertion.position == opening.end() for insertion in insertions_for(paper, *span)))


def _takes_back(sentence: str) -> bool:
    return is_readable(sentence) and cues.TURN.match(sentence) is not None


def _text(paper: Paper, span: Span) -> str:
    return paper.abstract[slice(*span)]


def _words(paper: Paper, spans: Sequence[Span], first: int, last: int) -> int:
    return len(paper.abstract[spans[first][0] : spans[last][1]].split())
