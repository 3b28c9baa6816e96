"""Reads a question about papers as a query for the Astrophysics Data System (ADS).

`vocabulary.toml` says which words mean which part of a query. The readers at the end of this file are tried in order,
and what one has taken is out of reach for the next; noun phrases in what is left over are the topics. Words that say
nothing about papers are dropped; those that would change the query but cannot be put are returned as unread.
"""

import datetime
import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from pathfinder.answering.ads_query.fields import FIELDS
from pathfinder.answering.ads_query.parser import parse
from pathfinder.answering.ads_query.question_text import (
    CLOSED,
    UNREAD,
    Found,
    QuestionText,
    pattern_of,
    phrase_after,
    phrase_before,
    phrases,
    read_dates,
    tag_of,
    tags_in,
    vocabulary,
    word_list,
)
from pathfinder.corpus.missions.catalogue import gazetteer_of
from pathfinder.text.author_names import CITED_YEAR, PARTICLE, TEAM, is_family_name, parse_name
from pathfinder.text.english import AUXILIARIES, MONTHS
from pathfinder.text.identifiers import IdentifierKind, identifiers_in
from pathfinder.text.language.lexicon_tagger import read_lexicon
from pathfinder.text.language.tagged_text import STOP_MODIFIERS
from pathfinder.types import AdsOperator, AdsPart

MAX_READ = 1000
"""Number of characters of a question that are read; questions about papers are shorter."""
N_TOP = 10
"""Number of papers that "the most cited" stands for, if the question gives none."""


@dataclass(frozen=True, slots=True)
class AdsReading:
    """A question as ADS would put it."""

    parts: tuple[AdsPart, ...]
    """Authors first, then the topic, journals, dates and the rest."""
    operator: AdsOperator | None
    unread: tuple[str, ...]
    """Words that may matter and are not part of the query."""

    @property
    def query(self) -> str | None:
        """The query; `None` if the question names nothing to search for."""
        return write_query(self.parts, self.operator)


def write_query(parts: tuple[AdsPart, ...], operator: AdsOperator | None) -> str | None:
    """Join `parts`, those of the operator within its parentheses; `None` if there is nothing to search for."""
    inner, outer = ([part for part in parts if part.is_inner is side] for side in (True, False))
    asked = [_join(inner)]
    if operator is not None and inner:
        # What cites two papers is what cites the one and what cites the other.
        is_of_each = operator.name in ("citations", "references")
        works: dict[int, list[AdsPart]] = {}
        for part in inner:
            works.setdefault(part.group if is_of_each and part.term.startswith(_WORK) else 0, []).append(part)
        asked = [operator.around(_join(own)) for own in works.values()]
    return " ".join(filter(None, (*asked, _join(outer)))) if any(part.term[0] != "-" for part in parts) else None


_WORK = ("bibcode:", "arxiv:", "doi:")


def _join(parts: list[AdsPart]) -> str:
    """Join parts; those with one group are alternatives, and so are papers, since none is two papers."""
    groups: dict[int, list[str]] = {}
    for part in parts:
        groups.setdefault(0 if part.term.startswith(_WORK) else part.group, []).append(part.term)
    return " ".join(dict.fromkeys(g[0] if len(g) == 1 else f"({' OR '.join(g)})" for g in groups.values()))


def read_for_ads(question: str, today: datetime.date | None = None) -> AdsReading:
    """Read at most `MAX_READ` characters of a question; "the last five years" end on the day `today`."""
    plain = " ".join(question.replace("’", "'").replace("\x00", " ").split())[:MAX_READ]
    plain = _END.sub("", plain)
    text = QuestionText(plain, today, plain, tags_in(plain))
    operator, scope = _read_operator(text)
    for reader in _READERS:
        reader(text)
    unread = [*_read_vague(text), *_read_topics(text)]
    found = _with_shared_fields(sorted(text.found, key=lambda part: part.start), plain)
    if place := next((part.start for part in found if part.kind == "identifier"), None):
        found = [part for part in found if not _describes(part, place, plain, operator, scope)]
    groups: list[tuple[int, list[AdsPart]]] = []
    is_negated = False
    negation = _EXCLUSION if _REASON.search(plain) else _NEGATION  # "how do galaxies form without dark matter?"
    for place, part in enumerate(found):
        between = plain[found[place - 1].end if place else 0 : part.start].strip(" ,").casefold()
        is_listed = bool(place) and (_is_alternative(text, found, place) or part.start == found[place - 1].start)
        is_joined = bool(place) and between in ("and", "or", "nor", "and the") and part.kind == found[place - 1].kind
        is_negated = bool(negation.search(between) or _LEFT_OUT_AFTER.match(plain, part.end)) or (
            (is_listed or is_joined) and is_negated
        )
        is_inner = operator is not None and _is_inner(found, place, operator, scope)
        rank = _ORDER.index(part.kind) if part.kind in _ORDER else len(_ORDER)
        before, terms = found[place - 1] if place else part, part.terms
        if part.kind == "topic" and before.kind == "field" and is_negated and _SO_NAMED.fullmatch(between):
            terms = (terms[0].replace("abs", before.terms[0].lstrip("=-").partition(":")[0], 1),)
        for n, term in enumerate(terms):
            is_alternative = bool(n) or (is_listed and part.start != found[place - 1].start)
            if is_negated or not is_alternative:  # "neither a nor b" is -a -b
                groups.append((rank + len(_ORDER) * is_negated, []))
            words = plain[part.start : part.end]
            groups[-1][1].append(AdsPart("-" * (is_negated and term[0] != "-") + term, words, is_inner, len(groups)))
    parts = [part for _, group in sorted(groups, key=lambda group: group[0]) for part in group]
    if operator is not None and not any(part.is_inner and part.term[0] != "-" for part in parts):
        unread.append(operator.words)
        operator, parts = None, [replace(part, is_inner=False) for part in parts]
    return AdsReading(tuple(parts), operator, tuple(dict.fromkeys(unread)))


_END = re.compile(r"(?<!\b[A-Z])(?<![?!. ])[?!. ]+$|(?<![?! ])[?! ]+$")
"""What ends a question; a full stop after an initial belongs to a name."""
_ORDER = ("identifier", "author", "bibgroup", "field", "topic", "journal", "volume", "issue", "page", "date")
"""Kinds of parts in the order in which a query gives them; the others follow."""
_LEFT_OUT = r"excluding|except(?:ing)?|(?:leav|omitt|ignor)ing|leave|omit|ignore|other than|apart from|rather than"
_OF_WHICH = (
    r"(?: (?:out|any|all|anything|everything|those|ones|the|an?|for|that|which|are|is|have|has|do|with|in|by|on|about|"
    r"from|using|of|"
    r"papers?|works?|studies|articles?|published|(?:mention|involv|discuss|contain|includ|concern|us)(?:e?s?|ing)))"
)
_LEFT_OUT_AFTER = re.compile(r"(?: (?:is|are))? (?:excluded|left out|omitted)\b", re.IGNORECASE)
_EXCLUSION = re.compile(rf"(?:^|\s)(?:{_LEFT_OUT}){_OF_WHICH}{{0,6}}$")
_NEGATION = re.compile(rf"(?:^|\s)(?:{_LEFT_OUT}|not|don't|doesn't|neither|nor|no|none|without){_OF_WHICH}{{0,6}}$")
_SO_NAMED = re.compile(r"(?:but|and|nor|not|without|no|do|does|don't|doesn't|(?:contain|includ)\w*\b|the|words?|[ ,])+")
"""What stands between two phrases of one field: "with nova in the title but not dwarf"."""
_SHARED = re.compile(
    r"\b(?:both|either|neither|with|containing|contains?|mentions?|mentioning|have|has|having)(?: the)? $",
    re.IGNORECASE,
)
_JOINTS = frozenset({"and", "or", "nor", ",", ", and", ", or"})
_REASON = re.compile(r"(?:^|[,:;?.] )(?:why|how(?! (?:many|much|often)))\b", re.IGNORECASE)


def _with_shared_fields(found: list[Found], question: str) -> list[Found]:
    """Give topics the field that stands after the last of them: "with both dust and gas in the abstract"."""
    parts = list(found)
    for last, part in enumerate(parts):
        if part.kind != "field" or not re.search(
            r" in (?:the|an?|its|their) [\w -]{1,40}$", question[part.start : part.end]
        ):
            continue
        first = last
        while first and parts[first - 1].kind == "topic":
            if question[parts[first - 1].end : parts[first].start].strip().casefold() not in _JOINTS:
                break
            first -= 1
        if _SHARED.search(question[: parts[first].start]):
            field = part.terms[0].lstrip("=-").partition(":")[0]
            for n in range(first, last):
                parts[n] = replace(parts[n], kind="field", terms=(parts[n].terms[0].replace("abs", field, 1),))
    return parts


def _is_alternative(text: QuestionText, found: list[Found], place: int) -> bool:
    """Return whether a part and the one before it are alternatives: "dust or gas", "dust, gas or ice", and journals,
    of which a paper has one.
    """
    part, before = found[place], found[place - 1]
    between = text.question[before.end : part.start].strip().casefold()
    if between.strip(", ") in ("or", "and/or"):
        return True
    if part.kind == before.kind == "journal":
        return between.strip(", ") in ("", "and", "and in")
    if between != "," or part.kind != before.kind or place + 1 == len(found):
        return False
    return found[place + 1].kind == part.kind and _is_alternative(text, found, place + 1)


_NAMING = frozenset("topic author bibgroup object identifier field orcid arxiv_class number".split())
"""Kinds of parts by which a question names the papers that a function acts on."""


def _is_inner(found: list[Found], place: int, operator: AdsOperator, scope: tuple[int, int]) -> bool:
    """Return whether a part belongs to the query of the operator, not to what is asked of the papers that it finds."""
    part, before = found[place], found[place - 1] if place else None
    if operator.name == "topn":
        return True
    if not scope[0] <= part.start < scope[1]:
        return False
    if part.kind == "date":  # "papers citing Riess et al. 2016": the year is that of the paper cited
        return before is not None and before.kind == "author" and part.start - before.end < 4
    if part.kind in ("volume", "issue", "page"):
        return before is not None and _is_inner(found, place - 1, operator, scope)
    if any(scope[0] <= earlier.start and earlier.kind == "identifier" for earlier in found[:place]):
        return part.kind == "identifier"  # "papers citing 1502.01589 that are about dust"
    if operator.name not in ("citations", "references") or part.kind in _NAMING:
        return part.kind in _NAMING
    following = [later.kind for later in found[place + 1 :]]  # "citing refereed work on dust", "citing ApJ 500, 525"
    is_described = any(scope[0] <= earlier.start and earlier.kind in _NAMING for earlier in found[:place])
    return following[:1] == ["volume"] or part.kind == "institution" or (bool(following) and not is_described)


def _describes(part: Found, place: int, question: str, operator: AdsOperator | None, scope: tuple[int, int]) -> bool:
    """Return whether a part only describes the paper whose identifier stands at `place`."""
    if part.kind not in ("topic", "journal", "author", "object") and part.terms != ("doctype:eprint",):
        return False
    if operator is None or part.start < place:
        return operator is None or part.start >= scope[0]
    is_joined = re.search(r"\b(?:and|that|which|who|but|on|about|with)\b", question[place : part.start])
    return part.kind != "journal" and is_joined is None


# The vocabulary -----------------------------------------------------------------------------------------------------


_NUMBER_WORDS = {word: n for n, word in enumerate("one two three four five six seven eight nine ten".split(), start=1)}
_NUMBER_WORDS |= {"twenty": 20, "fifty": 50, "a hundred": 100, "hundred": 100, "a thousand": 1000, "thousand": 1000}
_N = rf"(\d[\d,]{{0,9}}|{'|'.join(_NUMBER_WORDS)})"
_LEAST = (("more than|over|above", 1), ("at least|no fewer than", 0))
_MOST = (("(?:fewer|less) than|under|below", -1), ("at most|(?:no|not) more than|up to", 0))
_COMPARISONS: tuple[tuple[str, tuple[int, int], int], ...] = (
    *(
        (rf"(?:{least}) {_N},? (?:but|and) (?:{most}) {_N}", (low, high), 0)
        for (least, low), (most, high) in itertools.product(_LEAST, _MOST)
    ),
    (rf"(?:between|from) {_N} (?:and|to) {_N}|{_N}(?: ?[-–] ?| to ){_N}", (0, 0), 0),
    (rf"(?:at most|(?:no|not) more than|up to|(?:a )?maximum(?: of)?|<=|≤) ?{_N}|{_N} or (?:fewer|less)", (0, 0), -1),
    (
        rf"(?:at least|no fewer than|(?:no|not) less than|(?:a )?minimum(?: of)?|>=|≥) ?{_N}|{_N} or more|{_N}\+",
        (0, 0),
        +1,
    ),
    (rf"(?:more than|over|above|(?:great|larg|high|long)er than|exceeding|>) ?{_N}", (+1, 0), +1),
    (rf"(?:fewer than|less than|under|below|(?:small|low|short)er than|<) ?{_N}", (-1, 0), -1),
    (rf"(?:exactly )?{_N}", (0, 0), 0),
)
"""What stands around numbers, what is added to each, and whether they are the least (+1) or the most (-1)."""

_HOW = r"(?:most|top|best)(?: highly)?[- ](?:cited|read|viewed)|latest|newest|most recent"
_NOUNS = r"(?:papers?|articles?|publications?|works?|studies|results)"
_TOP = re.compile(
    rf"\b(?:the )?(?:top[- ](?P<n>{_N})(?: (?P<how>(?:most |highly |best )[\w-]+))?(?= )|"
    rf"(?:(?P<m>{_N}) (?:highly[- ]cited|(?P<which>{_HOW}))|(?P<what>{_HOW}))(?= (?:[\w-]+ ){{0,5}}?{_NOUNS}\b))",
    re.IGNORECASE,
)
_SORTS = {"read": "read_count", "viewed": "read_count", "recent": "date", "latest": "date", "newest": "date"}

_CAPITAL = r"[A-ZÀ-Þ]\.|[A-ZÀ-Þ][\w'-]{0,40}(?![\w-])"
_PERSON = (
    rf"(?:{PARTICLE} ){{0,3}}(?:{_CAPITAL})(?: ?(?:{_CAPITAL}|{PARTICLE}(?= ))){{0,4}}"
    r"(?:, ?(?:[A-Z]\.[ -]?){1,3}|, [A-Z][a-z]{1,20}(?![\w,]| [A-ZÀ-Þ]))?"
)
_NAMES = rf"(?:(?:either|both) )?(?P<names>(?:{_PERSON})(?:(?:,? (?:and|or|&) |, )(?:{_PERSON})){{0,4}})"
_OF_YEAR = rf"(?:,? ?\(?(?P<year>{CITED_YEAR})[a-z]?\)?(?!\w))?"
_WORKS = r"(?:papers?|articles?|publications?|works?|stud(?:y|ies)|research|results|books?|thes[ie]s|talks?|reviews?)"
_SKY = (
    "Nebula|Clouds?|Way|Galaxy|Cluster|Group|Sky|Survey|Telescope|Array|Observatory|Universe|Matter|Energy|Field|Belt"
)
"""Last words of the names of things in the sky, and of what looks at them."""
_RANKS = {"first": 1, "1st": 1, "lead": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "last": -1}
_RANKS |= {"final": -1, "senior": -1}
_RANK = f"(?:{'|'.join(_RANKS)}|{'|'.join(map(str.capitalize, _RANKS))})"
_AS_RANK = rf"(?:,? as (?:the |an? )?{_RANK}[- ]author)?"
_ADVERBS = r"(?: (?:both|all|each|together|jointly|ever|have|has|had)){0,3}"
_WROTE = r"(?:co-?)?(?:wrote|authored|signed)|penned"
_PUBLISHED = r"publish(?:ed|es)?|write|written|author|led|submitted|released|put out"
_AUTHOR_LIST = r"(?:author'?s?'? lists?|(?:co-?)?authors?(?! from)|lists? of authors|by-?lines?)(?!'s)"
_AUTHORS = tuple(
    re.compile(rf"(?<![\w-]){words}(?![\w-])")
    for words in (
        rf"(?:(?:by|from|of) )?(?:the )?(?P<names>(?:[A-Z][\w-]+ ){{1,4}}{TEAM}){_OF_YEAR}",
        rf"(?:(?:by|from|of) )?(?P<names>{_PERSON})(?:,? et al\.?| and (?:collaborators|colleagues|others)){_OF_YEAR}",
        (
            rf"(?:(?:where|which|whom|with|has|have|do|does|is|and) )?{_NAMES},? "
            r"(?:is|was|are|were|as|being|among|in|comes?|appears?|stands?|named|listed|included)\b"
            rf"(?:(?! and )[^,.;:?!\x00]){{0,30}}?\b(?<!-){_AUTHOR_LIST}(?: lists?)?"
        ),
        (
            rf"(?:{_RANK}[- ](?:co-?)?[Aa]uthor(?:ed)?(?: papers?| articles?)?(?: by| of| from)?|"
            rf"(?:[Cc]o-?)?[Aa]uthors?(?: lists?)?)(?: is| was| are| were|:| named| include[sd]?| including)? {_NAMES}"
        ),
        rf"{_NAMES}{_ADVERBS} (?:{_WROTE}){_AS_RANK}",
        rf"(?:has|have|did|does|\w+thing|all|what|that|which|{_WORKS}) {_NAMES}{_ADVERBS} (?:{_PUBLISHED}){_AS_RANK}",
        (
            rf"(?:(?:written |published |led |(?:co-?)?(?:authored|signed|written|wrote) )?(?:by|together with)|"
            rf"(?:co-?)?(?:authored|signed|written|wrote) with) {_NAMES}"
            rf"(?! (?:astronomers|researchers|scientists|authors|groups?)\b){_AS_RANK}{_OF_YEAR}"
        ),
        rf"(?:[Pp]apers?|[Aa]rticles?|[Pp]ublications?|[Ww]orks?) of {_NAMES}",
        rf"{_NAMES}'s?(?= (?:(?:first|early|last|recent|refereed|most|cited|published|[12]\d{{3}}) ){{0,3}}{_WORKS}\b)",
        rf"{_NAMES} \(?(?P<year>{CITED_YEAR})\)?(?=[ ,]*$|\x00)",
        rf"(?:^|(?<=\x00 ))(?!(?:[\w-]+ )*(?:{_SKY})\b){_NAMES}(?=$| papers\b| articles\b| publications\b)",
    )
)
"""The forms in which questions name those who wrote papers, the surest first."""
_RANKED = re.compile(rf"(?P<rank>{_RANK})[- ](?:co-?)?author(?:ed|s)?\b", re.IGNORECASE)
_NOT_AS = re.compile(r"(?:\bnot|n't|\bnever)(?: (?:as|the|an?|be(?:en|ing)?|is|was|lead|led|listed|h[ae]r|his))*,? $")
_PLACES = re.compile(rf"\bfirst {_N} (?:co-?)?authors\b", re.IGNORECASE)
_RANK_WORD = re.compile(rf"\b(?P<rank>{_RANK})\b", re.IGNORECASE)


# The readers --------------------------------------------------------------------------------------------------------


def _read_operator(text: QuestionText) -> tuple[AdsOperator | None, tuple[int, int]]:
    """Find the function that the question asks for, and the span of what it acts on."""
    whole = (0, len(text.question))
    if match := _TOP.search(text.left):
        how = (match["how"] or match["which"] or match["what"] or "").casefold()
        sort = next((name for word, name in _SORTS.items() if word in how), "citation_count")
        text.take(*match.span())
        n = match["n"] or match["m"]
        return AdsOperator("topn", match[0], max(_number(n), 1) if n else N_TOP, sort), whole
    journals = pattern_of("|".join(vocabulary()["journals"].values()), has_case=True)
    shielded = text.left  # "Reviews of Modern Physics" asks for no reviews
    for names in (journals, re.compile(r'["“][^"“”]*["”]')):
        shielded = names.sub(lambda name: "X" * len(name[0]), shielded)
    for entry in vocabulary()["operators"]:
        match = pattern_of(entry["words"]).search(shielded)
        if match is None or re.search(r"\b(?:book|peer)[ -]$", shielded[: match.start()], re.IGNORECASE):
            continue
        operator = AdsOperator(entry["name"], match[0])
        if "inner" not in match.re.groupindex:
            text.take(*match.span())
            return operator, (match.end(), whole[1])
        start, end = match.span("inner")
        text.take(match.start(), start)
        text.take(end, match.end())
        # Only people write references: Hubble is the astronomer in "what did Hubble cite".
        may_be_namesake = operator.name == "references"
        if re.fullmatch(_PERSON, match["inner"]) and not _is_thing(match["inner"], may_be_namesake=may_be_namesake):
            text.add(start, end, "author", f'author:"{_last_first(match["inner"])}"')
        return operator, (start, end)
    return None, whole


def _read_identifiers(text: QuestionText) -> None:
    names = {IdentifierKind.DOI: "doi", IdentifierKind.ARXIV: "arxiv", IdentifierKind.BIBCODE: "bibcode"}
    lead = re.compile(r"(?:(?:arxiv|doi|bibcode|preprint|e-?print|paper|number|id)[ :/]*){1,4}$", re.IGNORECASE)
    for found in identifiers_in(text.question):
        before = lead.search(text.left[: found.start])
        value = found.text if re.fullmatch(r"[\w./&+-]+", found.text) else f'"{found.text}"'
        start = before.start() if before else found.start
        text.add(start, found.end, "identifier", f"{names[found.kind]}:{value}")
    for match in text.matches(pattern_of(r"(?:orcid(?: id)?:? ?)?(\d{4}-\d{4}-\d{4}-\d{3}[\dX])")):
        text.add(*match.span(), "orcid", f"orcid:{match[1]}")
    classes = r"(?:the )?(?:arxiv )?(?:class|category|section)(?: of)? "
    for match in text.matches(pattern_of(r"(?:with )?(isbn|issn):? ?(\d[\dX-]{6,18})")):
        text.add(*match.span(), "number", f"{match[1].casefold()}:{match[2]}")
    archive = r"(?:astro-ph|cond-mat|gr-qc|hep-(?:ex|lat|ph|th)|nucl-(?:ex|th)|physics|quant-ph)\.[a-z-]{2,8}"
    for match in text.matches(pattern_of(rf"(?:{classes})?({archive}|astro-ph|gr-qc|hep-(?:ex|lat|ph|th))")):
        text.add(*match.span(), "arxiv_class", f'arxiv_class:"{match[1]}"')


def _read_fields(text: QuestionText) -> None:
    """Read terms that are written as ADS writes them, phrases in quotation marks, and phrases for which the question
    names a field.
    """
    for match in text.matches(pattern_of(rf'[=-]?(?:{"|".join(FIELDS)}):(?:"[^"]+"|\[[^\[\]"]+\]|[^\s()"\[\],]+)')):
        if not parse(match[0]).faults:
            text.add(*match.span(), "field", match[0])
    before, after = (
        "|".join(f"(?P<{side}_{name}>{words})" for name, words in vocabulary()[f"fields_{side}"].items())
        for side in ("before", "after")
    )
    exact = r"(?:(?:the )?(?:(?P<exact>exact )?(?:words?|phrase|terms?)) )?"
    for match in text.matches(
        re.compile(rf'(?:(?:{before}):? ?)?{exact}["“](?P<words>[^"“”]{{2,200}})["”](?: (?:{after}))?', re.IGNORECASE)
    ):
        name = next((key.partition("_")[2] for key, value in match.groupdict().items() if value and "_" in key), "abs")
        kind = "topic" if name == "abs" else "field"
        text.add(*match.span(), kind, ("=" if match["exact"] else "") + _term(name, match["words"]))
    for match in text.matches(pattern_of(after)):
        if run := phrase_before(text, match.start()):
            start = run[0].start()
            is_exact = re.search(r"(?:the )?exact (?:phrase )?$", text.left[:start], re.IGNORECASE)
            phrase = re.sub("^(?:words?|phrase) (?=.)", "", text.left[start : match.start()])
            if (named := _PROGRAM.match(phrase)) and not read_lexicon().get(named[1]):
                phrase = named[1]
            name = next(key.partition("_")[2] for key, value in match.groupdict().items() if value)
            text.add(
                is_exact.start() if is_exact else start,
                match.end(),
                "field",
                ("=" if is_exact else "") + _term(name, phrase),
            )
    of_phrase = r"(?:(?<=[: ])|(?!\w))\s*:?\s*(?:the |an? )?(?:(?:words?|phrase|term) )?"
    for match in text.matches(re.compile(rf"(?<![\w&/-])(?:{before}){of_phrase}", re.IGNORECASE)):
        if run := phrase_after(text, match.end()):
            of = re.compile(" of (?:the )?")
            while (joint := of.match(text.left, run[-1].end())) and (more := phrase_after(text, joint.end())):
                run += more  # "tip of the red giant branch"
            name = next(key.partition("_")[2] for key, value in match.groupdict().items() if value)
            is_exact = re.search("exact $", text.left[: match.start()], re.IGNORECASE)
            term = ("=" if is_exact else "") + _term(name, text.left[run[0].start() : run[-1].end()])
            text.add(match.start(), run[-1].end(), "field", term)


_PROGRAM = re.compile(r"(?:software|code|package|program|library|tool)s? ([\w.+-]+) ?$", re.IGNORECASE)
"""The name of a program after what it is: "the code MESA"."""


def _term(name: str, words: str) -> str:
    plain = " ".join(re.sub(r'["\\“”\x00]', " ", words).split())
    return f'{name}:"{plain}"'


def _read_counts(text: QuestionText) -> None:
    for match in text.matches(
        pattern_of(r"(?:by )?(?:an? )?(?:single|sole|solo|one)[- ]author(?:s|ed)?|solo(?= papers)")
    ):
        text.add(*match.span(), "author_count", "author_count:1")
    for match in text.matches(pattern_of(r"uncited|(?:with )?(?:no|zero) citations|never (?:been )?cited")):
        text.add(*match.span(), "citation_count", "citation_count:0")
    for name, counted in vocabulary()["counts"].items():
        for numbers, added, side in _COMPARISONS:
            having = r"(?:with |having |has |have )?(?:an? |the )?"
            form = rf"(?<!first ){having}(?:{numbers})[ -](?:{counted['noun']})|"
            form += rf"{having}(?:{counted['name']}),? ?(?:of |is |are |was |= ?|: ?)?(?:{numbers})"
            if counted["verb"]:
                form += rf"|(?:that (?:are|were) )?{counted['verb']} (?:by )?"
                form += rf"(?:{numbers.replace(' or ', '(?: times)? or ')})"
                form += r"(?: times|(?<=more)|(?<=less)| (?:other )?papers)"
            for match in text.matches(pattern_of(form)):
                said = filter(None, match.groups())
                values = [max(_number(n) + more, counted["least"]) for n, more in zip(said, added, strict=False)]
                low, high = str(values[0]), str(values[-1])
                if side:
                    low, high = (low, "*") if side > 0 else (str(counted["least"]), high)
                text.add(*match.span(), name, f"{name}:{low if low == high else f'[{low} TO {high}]'}")


def _number(text: str) -> int:
    return _NUMBER_WORDS.get(text.casefold()) or int(text.replace(",", ""))


def _read_journals(text: QuestionText) -> None:
    """Read journals, and volumes, issues and pages."""
    for stem, words in vocabulary()["journals"].items():
        for match in text.matches(
            pattern_of(rf"(?:(?:published )?(?:in|from|by) )?(?:the )?(?:{words})(?: journal)?", has_case=True)
        ):
            text.add(*match.span(), "journal", f'bibstem:"{stem}"')
    for journal in [part for part in text.found if part.kind == "journal"]:  # "ApJ 500, 525"
        place = re.compile(rf",? (?!{CITED_YEAR}(?!,? ?[\d:]))(\d{{1,4}})(?:(?:, ?|: ?| )([A-Z]?\d{{1,6}}))?(?![\w-])")
        if volume := place.match(text.left, journal.end):
            text.add(*volume.span(1), "volume", f"volume:{volume[1]}")
            if volume[2]:
                text.add(*volume.span(2), "page", f"page:{volume[2]}")
    number = r"(?:numbers? |no\.? )?(\w{0,2}\d[\d.]{0,6})(?:(?: to | and | ?[-–] ?| through )(\d{1,6}))?"
    for name, words in (
        ("volume", r"vol(?:ume|\.)?s?"),
        ("issue", r"issues?"),
        ("page", r"(?:on |at )?(?:pages?|pp?\.)"),
    ):
        for match in text.matches(pattern_of(rf"(?:in )?{words} {number}(?: of)?")):
            text.add(*match.span(), name, f"{name}:" + (f"[{match[1]} TO {match[2]}]" if match[2] else match[1]))


def _read_institutions(text: QuestionText) -> None:
    names = vocabulary()["institutions"]
    name = r"[A-ZÀ-Þ][\w-]+"
    of = rf" (?:of|for) (?:the )?{name}(?: (?:and )?{name}){{0,3}}"
    place = (
        rf"(?!\w+ [Bb]ib(?:group|liography))(?:University of California(?:,? | at ){name}(?: {name})?|"
        rf"(?:{name} ){{0,4}}(?:{names['nouns']}){of}|(?:{name} ){{1,4}}(?:{names['nouns']})|{names['names']})"
    )
    who = r"(?:researchers|authors|scientists|astronomers|people|groups?|teams?)"
    how = rf"from|at|by {who} (?:at|from|of|in)"
    for match in text.matches(
        pattern_of(
            rf"(?:{how}) (?:the )?(?P<names>{place}(?:(?:,? (?:or|and) |, )(?:the )?{place}){{0,4}})", has_case=True
        )
    ):
        terms = [_term("inst", name[0]) for name in re.finditer(place, match["names"])]
        if " or " in match["names"]:
            text.add(*match.span(), "institution", *terms)
        else:
            _add_each(text, match.start(), match.end(), "institution", terms)
    short = rf"(?:{name} ){{1,4}}(?:University|Institute|College)|{names['names']}"
    long = rf"(?:{name} ){{1,4}}(?:{names['nouns']})"
    forms = (
        rf"(?P<name>{short})(?= {_WORKS}\b)",  # "find Leiden University papers"
        rf"(?:by |from )?(?P<name>{short}|{long}) {who}\b",
        rf"by (?:the )?(?P<name>{long})",
    )
    for form in forms:
        for match in text.matches(pattern_of(form, has_case=True)):
            said = match["name"].split()
            own_name = " ".join(itertools.dropwhile(lambda word: word.casefold() in word_list("dropped"), said))
            text.add(match.end("name") - len(own_name), match.end(), "institution", _term("inst", own_name))
    nouns = r"(?:papers?|articles?|publications?|works?|studies|research)"
    where = rf"(?:{who}|institut(?:ion|e)s|universities)"
    countries = rf"(?:{nouns} (?:from|by {who} (?:from|in|of))|{where} (?:from|in)) (?:the )?({names['countries']})"
    for match in text.matches(pattern_of(countries, has_case=True)):
        text.add(match.start(1), match.end(), "institution", _term("aff", match[1]))
    raw = r"(?P<name>[A-ZÀ-Þ][\w.&'-]*(?: (?:(?:of|for|and|de|du|di|the) ){0,2}[A-ZÀ-Þ][\w.&'-]*){0,5})"
    form = rf"(?:with |having )?(?:an? |the )?affiliations? (?:(?:with|to|at|of|in|containing) )?(?:the )?{raw}"
    for words in (form, rf"(?:affiliated|based) (?:with|to|at|in) (?:the )?{raw}"):
        for match in text.matches(pattern_of(words, has_case=True)):
            text.add(*match.span(), "institution", _term("aff", match["name"]))


def _add_each(text: QuestionText, start: int, end: int, kind: str, terms: list[str]) -> None:
    """Add terms that must all hold, and that one phrase of the question names."""
    text.take(start, end)
    text.found += [Found(start, end, kind, (term,)) for term in terms]


def _read_bibgroups(text: QuestionText) -> None:
    ends = "|".join(sorted(word_list("generic_ends")))
    for name, words in vocabulary()["bibgroups"].items():
        band = rf"(?:gamma-ray|infrared|ultraviolet|optical|radio)(?= (?:{_NOUNS})\b)"  # "Fermi gamma-ray papers"
        what = rf"(?: [Ss]pace| [Xx]-[Rr]ay| {band})?"
        what += (
            r"(?: [Tt]elescopes?| [Mm]ission| [Oo]bservatory| [Ss]atellite| [Aa]rchive)?(?: [Bb]ib(?:liography|group))?"
        )
        pattern = r"(?:(?:the )?[Bb]ib(?:liography|group) (?:of |for )?(?:the )?)?"
        pattern += rf"(?:{words}){what}(?! ?(?:Collaboration|[Cc]louds?\b|\d)|-\d)(?: (?:team|archival|{ends})\b)?"
        for match in text.matches(pattern_of(pattern, has_case=True)):
            if _is_namesake(text.left, match):
                continue
            text.add(
                *match.span(), "bibgroup", _term("bibgroup", name) if re.search(r"\W", name) else f"bibgroup:{name}"
            )


def _is_namesake(text: str, match: re.Match[str]) -> bool:
    """Return whether the person is meant after whom a telescope is named: "William Herschel", "Herschel's"."""
    given = re.search(r"(?<![\w-])([A-Z][a-z]+) $", text[: match.start()])
    has_given_name = given is not None and given[1].casefold() not in word_list("dropped") and not _is_thing(given[1])
    is_person = match[0].casefold() in gazetteer_of().ambiguous | {"spitzer"}
    return is_person and (has_given_name or text.startswith("'s", match.end()))


def _read_values(text: QuestionText) -> None:
    """Read properties, types of documents and databases."""
    paper = vocabulary()["paper"]
    for term, words in vocabulary()["values"].items():
        for match in text.matches(pattern_of(rf"(?:{words})(?: {paper})?")):
            head = re.search(r" of (?:the )?$", text.left[: match.start()])
            if head is None or not phrase_before(text, head.start()):  # "the quality of preprints"
                text.add(*match.span(), "value", term)
    ending = r"(?= ?(?:$|[,\x00]| (?:from|in|on|since|with|about|by)\b))"
    language = "|".join(word_list("languages"))
    for match in text.matches(
        pattern_of(rf"(?:(?:written |published )?in ({language}){ending}|({language})[- ]language)(?: {paper})?")
    ):
        text.add(*match.span(), "value", f"lang:{(match[1] or match[2]).casefold()}")
    for name, words in vocabulary()["databases"].items():
        for match in text.matches(
            pattern_of(rf"(?:the )?(?:{words}) {paper}|in (?:the )?(?:{words})(?: (?:database|collection))?{ending}")
        ):
            before = phrases(text, text.left.rfind("\x00", 0, match.start()) + 1, match.start())
            if match[0].casefold().startswith("in ") or not any(is_topical for is_topical, _ in before):
                text.add(*match.span(), "value", f"database:{name}")


def _read_objects(text: QuestionText) -> None:
    """Read designations such as M31, NGC 4258 or HD 209458, which ADS knows as objects too."""
    catalogues = "|".join(sorted(map(re.escape, gazetteer_of().catalogues), key=len, reverse=True))
    number = r"(?P<number>\d[\d.+-]{0,12}[A-Za-z]?)"
    kind = r"(?: (?:galaxy|cluster|nebula|system|star|field))?"
    for match in text.matches(
        pattern_of(rf"(?:M ?(?P<messier>\d{{1,3}})|(?P<name>(?i:{catalogues})) ?{number}){kind}", has_case=True)
    ):
        name = f"M{match['messier']}" if match["messier"] else text.left[match.start("name") : match.end("number")]
        text.add(*match.span(), "object", f'(object:"{name}" OR abs:"{name}")')


def _read_authors(text: QuestionText) -> None:
    for match in text.matches(re.compile(rf"(?<![\w-])[Ee]dited by {_NAMES}")):
        names = re.split(r",? (?:and|&) ", match["names"])
        _add_each(text, *match.span(), "author", [f'editor:"{_last_first(name)}"' for name in names])
    for pattern in _AUTHORS:
        for match in text.matches(pattern):
            year = match.groupdict().get("year")
            may_be_namesake = re.search(rf"\bby |{_RANK}[- ]author", match[0]) is not None
            is_last_first = re.fullmatch(r"[\w'-]+, [\w. -]+(?: (?:and|or|&) [\w'-]+, [\w. -]+)+", match["names"])
            commas = "" if is_last_first else r"|, (?![A-Z]\.|[A-Z][a-z]{1,20}$)"
            listed = re.split(rf",? (?:and|or|&) {commas}", match["names"])
            people = [
                re.sub(r"(?<!\b[A-Z])\.$", "", name.strip(" ,"))
                for name in listed
                if not _is_thing(name.strip(" ,."), may_be_namesake=may_be_namesake)
            ]
            if not people:
                continue
            around = match[0].replace(match["names"], "\x00")
            ranked = _RANK_WORD.search(around) if "uthor" in around else _RANKED.search(text.left)
            is_other = ranked is not None and _NOT_AS.search(ranked.string[: ranked.start()]) is not None
            rank = str(_RANKS[ranked["rank"].casefold()]) if ranked else "1" if year and "et al" in match[0] else None
            if places := _PLACES.search(around):
                rank = f"1, {_number(places[1])}"
            terms = [_author(name, None if is_other else rank) for name in people]
            end = match.start("year") if year else match.end()
            if " or " in match["names"]:
                text.add(match.start(), end, "author", *terms)
            else:
                _add_each(text, match.start(), end, "author", terms)
            if year:
                text.add(end, match.end(), "date", f"year:{year}")
            if is_other:
                text.found += [Found(end, end, "author", (f"-{_author(name, rank)}",)) for name in people]
    # "by Sandage but not Tammann"
    for match in text.matches(
        re.compile(rf"(?<=\x00) (?:(?:but|and) )?(?:not|without|excluding|except)(?: by)? {_NAMES}")
    ):
        is_after_author = any(part.kind == "author" and part.end == match.start() for part in text.found)
        if is_after_author and not _is_thing(match["names"]):
            text.add(*match.span("names"), "author", f'author:"{_last_first(match["names"])}"')
    for match in text.matches(_RANKED):
        text.take(*match.span())


def _author(name: str, rank: str | None) -> str:
    """Return the term for an author; `rank` is "1" for the first, "-1" for the last, "1, 3" for the first three."""
    if rank is None or rank == "1":
        return f'author:"{"^" if rank else ""}{_last_first(name)}"'
    return f'pos(author:"{_last_first(name)}", {rank})'


def _last_first(name: str) -> str:
    """Turn "Vera C. Rubin" into "Rubin, Vera C."; leave "van Dokkum" and "Planck Collaboration" as they are."""
    if is_family_name(name):
        return name
    parts = parse_name(name)
    return ", ".join(filter(None, (parts.last, parts.first, parts.suffix)))


def _is_thing(name: str, *, may_be_namesake: bool = False) -> bool:
    """Return whether a capitalised name is a facility ("Planck", but not "Planck Collaboration"), an object, a place or
    a month. `may_be_namesake`: the question says "by", so that Rubin is a person.
    """
    names, plain = gazetteer_of(), name.casefold()
    things = names.facilities | names.objects | word_list("places") | {month.casefold() for month in MONTHS}
    if not may_be_namesake:
        things |= names.ambiguous
    opening = plain.partition(" ")[0].removesuffix("'s")
    asks = opening in word_list("dropped") | frozenset(AUXILIARIES)
    is_closed = not may_be_namesake and read_lexicon().get(opening) in CLOSED - {"MD"}  # "Which", not "Will"
    institutions = vocabulary()["institutions"]
    is_place = re.fullmatch(rf"{institutions['countries']}|.+ (?:{institutions['nouns']})", name) is not None
    return plain in things or is_place or asks or is_closed or any(map(str.isdigit, name))


def _read_vague(text: QuestionText) -> Iterator[str]:
    """Take words such as "highly cited", which name no number; yield those for which the question gives none."""
    counted = {part.kind for part in text.found}
    for name, words in vocabulary()["vague"].items():
        for match in text.matches(pattern_of(words)):
            if name or re.match(rf" ?(?:$|[,\x00]| {vocabulary()['paper']}\b)", text.left[match.end() :]):
                text.take(*match.span())
                if name not in counted:
                    yield match[0]


def _read_topics(text: QuestionText) -> Iterator[str]:
    """Read what is left as phrases of the title, abstract or keywords; yield what is none, such as a number alone."""
    has_bibgroup = any(part.kind == "bibgroup" for part in text.found)
    endings = word_list("generic_ends") if has_bibgroup else frozenset({"observations", "results"})
    for is_topical, run in phrases(text):
        while is_topical and run and run[-1][0].casefold() in endings:
            run.pop()
        words = " ".join(word[0].strip("'.") for word in run)
        is_idle = all(tag_of(text, word) == "JJ" and word[0].casefold() in STOP_MODIFIERS for word in run)
        if is_topical and not is_idle and re.search(r"[^\W\d_]{2}|[^\W\d_]-|\d-?[^\W\d_]", words):
            text.add(run[0].start(), run[-1].end(), "topic", _term("abs", words))
        elif words.casefold() not in word_list("dropped") | frozenset(AUXILIARIES) and (
            is_topical or tag_of(text, run[0]) in UNREAD
        ):
            yield words


_READERS: tuple[Callable[[QuestionText], None], ...] = (
    _read_identifiers,
    _read_fields,
    _read_counts,
    _read_journals,
    _read_institutions,
    _read_bibgroups,
    _read_values,
    _read_objects,
    _read_authors,
    read_dates,
)
