"""Recognises, by its English wording, a question that papers cannot answer, and says what to do instead.

Questions that ask for a count of papers are sent to ADS, what lists or sorts all papers to the table, what asks for the
news of these days to the morning, questions about "the most promising subfields" to the map, and those about how many
exoplanets are known today to the catalogue that counts them.
Sums, web addresses, requests for an opinion, instructions to the model, and questions about the history of an invention
get a short reply that says what Pathfinder does instead (arXiv:2408.01556, section 5). The rules are narrow, so that
they leave questions about the field alone; questions that they miss are treated like any other. The field's vocabulary
and the replies come from the corpus's profile.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache

from pathfinder.answering.modes.ads_query import COUNTING, ads_query_by_rules, in_text
from pathfinder.answering.session.draft import DraftAnswer
from pathfinder.profile import Field, Profile, astronomy, shipped_compounds
from pathfinder.profile.profile import Bibliography, CountKept
from pathfinder.retrieval.routing.no_question import POLITE, NoQuestion, no_question
from pathfinder.text.author_names import YEAR_IN_TEXT
from pathfinder.text.identifiers import ARXIV_ID
from pathfinder.text.language.lemmas import lemmas
from pathfinder.text.latex.search_text import plain_text
from pathfinder.types import SearchResult, StageOutcome

OUT_OF_CORPUS, CURRENT_COUNT, LISTING = "out-of-corpus", "current-count", "listing"
N_DATED = 5
"""Number of papers listed with their years if the current number of something is asked for."""
MAX_WORDS = 60
MAX_CHARACTERS = 1000
"""Maximum length of a question in characters; a longer text is a pasted abstract."""
MAX_WORDS_AROUND_ADDRESS = 15
"""Maximum number of words around a web address; with more, the text counts as a question in its own right."""

_PUBLICATIONS = r"(?:papers?|articles?|publications?|preprints?|theses|citations?)"
_SUM = re.compile(
    r"^\W*+(?:what(?:'s|\s+is)\s+)?[\d.,()\s]*\d\s*(?:[-+*/×÷^]|plus|minus|times|divided\s+by)[\d.,()\s]++\W*$",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"\b(?:https?://|www\.)\S+|\b(?:arxiv\.org|doi\.org|adsabs\.harvard\.edu|nature\.com|wikipedia\.org)/\S+|"
    rf"\barxiv:\s?{ARXIV_ID}\b",
    re.IGNORECASE,
)
"""A web address or the number of a preprint; Pathfinder opens neither."""
_JAILBREAK = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\s+(?:(?:all|any|every|of|the|these|those)\s+)*"
    r"(?:your|my|previous|prior|above|earlier|preceding|system|safety)\s+(?:(?:previous|prior|system|safety)\s+)*"
    r"(?:instructions?|prompts?|rules|guidelines|guardrails|restrictions|training)\b|"
    r"\b(?:ignore|disregard|forget)\s+(?:all|any|the)\s+(?:instructions?|prompts?)\b|"
    r"^\W*(?:ignore|disregard|forget)\s+(?:(?:everything|anything|all)\s+(?:(?:that\s+(?:is|was|stands)\s+)?above|before|"
    r"you\b)|the\s+above)|"
    r"\b(?:reveal|show|print|repeat|output|leak|tell\s+me)\s+(?:me\s+)?"
    r"(?:your\s+(?:\w+\s+){0,2}|the\s+(?:system|hidden|secret|initial|original)\s+)(?:prompt|instructions)\b|\byou\s+are\s+now\s+(?:an?\s+)?\w+|\b(?:developer|dan|god|jailbreak)\s+mode\b|"
    r"\b(?:pretend|act\s+as\s+(?:if|though))\s+(?:that\s+)?you(?:'re|\s+are|\s+were|\s+have)\b",
    re.IGNORECASE,
)
_FOUND = r"(?:known|confirmed|found|discovered|detected|observed|catalogu?ed|identified)"
_SO_FAR = r"(?:\s+(?:so\s+far|(?:as\s+of\s+|right\s+)?now|(?:as\s+of\s+)?today|to\s+date|currently|in\s+total))*\W*$"
_CURRENT_NUMBER = re.compile(
    rf"\bhow\s+many\s+(?:known\s+)?([\w\s-]{{2,60}}?)\s+(?:are|have(?:\s+been|\s+we|\s+\w+s)?|do\s+we)\s+"
    rf"(?:currently\s+|now\s+)?(?:{_FOUND}|know(?:\s+of)?|there\s+(?:now|today)){_SO_FAR}|"
    r"^\W*(?:what(?:'s|\s+is)\s+)?(?:the\s+)?(?:(?:latest|current|total)\s+(?:number|count)\s+of\s+"
    rf"(?:{_FOUND}\s+)?|number\s+of\s+{_FOUND}\s+)([\w\s-]{{2,60}}?){_SO_FAR}",
    re.IGNORECASE,
)
_INVENTOR = re.compile(
    r"\bwho\s+(?:(?:first\s+)?(?:invented|coined|patented)|(?:is|was)\s+the\s+inventor)\b|"
    r"\b(?:when|where)\s+(?:was|were)\s+[^?]{1,60}\s(?:invented|patented)\b",
    re.IGNORECASE,
)
_INVENTION = re.compile(r"\b(?:invent(?:ed|or|ors|ion)|coined|patent(?:ed)?)\b", re.IGNORECASE)
_LISTING = re.compile(
    rf"{POLITE}(?:sort|order|rank|arrange)\s+(?:\w+\s+){{0,4}}?(?:results?|hits|list|them|{_PUBLICATIONS})\b|"
    rf"{POLITE}(?:list|show|give|display|print|tabulate|make|create)\s+(?:me\s+)?(?:an?\s+(?:list|table)\s+of\s+)?"
    rf"(?:all|every|each)\s+(?:of\s+)?(?:the\s+)?(?:[\w-]+\s+){{0,3}}?{_PUBLICATIONS}\b|"
    rf"\b{_PUBLICATIONS}\b[^?]{{0,200}}\b(?:(?:sorted|ordered|ranked|arranged)\s+by\s+(?:\w+\s+)?"
    r"(?:citations?|years?|dates?|authors?|titles?|journals?|names?)\b|alphabetically\b|"
    r"in\s+(?:alphabetical|chronological)\s+order\b)",
    re.IGNORECASE,
)
_THESE_DAYS = re.compile(
    r"\b(?:this|last|past)\s+(?:week|month|few\s+days)\b(?!\s+(?:of|before|after)\b)|\byesterday\b|\blast\s+night\b",
    re.IGNORECASE,
)


def _any_of(phrases: Iterable[str], ending: str = "") -> str:
    """Make a regular expression that matches any of `phrases`, whatever separates their words."""
    words = (r"\s+".join(map(re.escape, phrase.split())) for phrase in phrases)
    return f"(?:{'|'.join(words)}){ending}"


@lru_cache
def _counting(field: Field) -> re.Pattern[str]:
    """Return a pattern for questions that ask for a count or a ranking of papers, authors or citations."""
    people = rf"(?:co-?)?authors?|{_any_of(field.experts, 's?')}"
    return re.compile(
        rf"\bhow\s+many\s+(?:[\w-]+\s+){{0,3}}(?:{_PUBLICATIONS}|{people}|"
        r"people(?=[^?]*\s(?:works?|working|study|studying|publish|published|cite|cited|research|write|wrote)\b))\b"
        r"(?!\s+(?:are|is)\s+(?:needed|required|necessary))|"
        r"\bhow\s+(?:often|many\s+times|much)\b[^?]*\bcited\b|^\W*count\s+(?:all\s+|the\s+)*"
        rf"{_PUBLICATIONS}|(?:^\W*|\bwhat\s+is\s+)(?:the\s+)?(?:number|count)\s+of\s+(?:[\w-]+\s+){{0,2}}{_PUBLICATIONS}\b|"
        rf"\b(?:most|highest|best)[\s-]+(?:cited|read|downloaded|viewed)\s+(?:[\w-]+\s+){{0,2}}(?:{_PUBLICATIONS}|{people})|\bh-?index\b|"
        rf"\bwho\s+(?:has\s+)?(?:published|written)\s+(?:the\s+)?most\b|\bwho\s+has\s+(?:the\s+)?most\s+{_PUBLICATIONS}|"
        rf"\b{_PUBLICATIONS}\b[^?]*\b(?:cited|read|downloaded|viewed)\s+(?:the\s+)?most\b|"
        rf"\b{_PUBLICATIONS}\b[^?]*\b(?:has|have|with|got)\s+(?:the\s+)?(?:most|highest)\s+citations\b|"
        r"\b(?:average|mean|median|total)\s+(?:number\s+of\s+)?citations\b",
        re.IGNORECASE,
    )


@lru_cache
def _subfields(field: Field) -> re.Pattern[str]:
    """Return a pattern for questions about which subfields are promising, crowded or neglected."""
    areas = (
        rf"(?:sub-?(?:fields?|areas?|topics?)|(?:areas?|fields?|topics?)\s+(?:of|in)\s+(?:{_any_of(field.names)}|research)|"
        r"research\s+(?:areas?|fields?|topics?|directions?))"
    )
    rated = r"(?:promising|hot(?:test)?|trending|popular|crowded|neglected|under-?(?:studied|explored)|growing)"
    return re.compile(
        rf"\b{rated}\s+{areas}|\b{areas}\s+(?:is|are)\s+(?:the\s+)?(?:most\s+|least\s+)?{rated}\b|\bhot(?:test)?\s+topics?\s+in\b|"
        rf"\btopics?\s+(?:is|are)\s+(?:hot|trending)\b|\b{areas}\s+should\s+(?:i|one|we)\b|"
        r"\bgaps\s+in\s+the\s+(?:\w+\s+)?literature\b",
        re.IGNORECASE,
    )


@lru_cache
def _opinion(field: Field) -> re.Pattern[str]:
    """Return a pattern for questions about what the model itself thinks, likes or recommends."""
    return re.compile(
        r"\b(?:in\s+your\s+(?:own\s+)?(?:opinion|view)|what(?:'s|\s+is|\s+are)\s+your\s+(?:\w+\s+)?(?:opinions?|views?|"
        r"thoughts|favou?rites?|take)|your\s+favou?rite|(?:do|did|would)\s+you\s+(?:personally\s+)?(?:think|believe|prefer|"
        r"like|recommend|agree|feel)|how\s+do\s+you\s+feel|"
        r"who\s+is\s+the\s+(?:best|worst|greatest|smartest|most\s+(?:famous|important|brilliant))\s+(?:\w+\s+)?"
        rf"(?:{_any_of(field.experts)}|scientist|physicist)|"
        r"should\s+i\s+(?:do|study|become|apply|work|join|choose|pursue|major|quit))\b",
        re.IGNORECASE,
    )


def redirect(result: SearchResult, profile: Profile | None = None) -> DraftAnswer | None:
    """Say what to do instead of answering the question in `result`; `None` for a question that papers can answer."""
    if result.request.likeness is not None:
        return None
    profile = profile or astronomy()
    papers = (f"{hit.paper.title} {hit.paper.abstract}" for hit in result.hits)
    kind = redirect_kind(result.words, papers, profile.field)
    if kind == LISTING and result.request.authors:  # these are all
        kind = None
    if kind is None and (count := count_asked(result.words, profile)) is not None:
        return _with_current_count(count, result, profile)
    return None if kind is None else _draft(kind, result, profile)


def count_asked(question: str, profile: Profile) -> CountKept | None:
    """Return the entry of the profile for things whose current number `question` asks for; `None` for any other
    question, such as "How many moons does Jupiter have?".
    """
    question = " ".join(question.split()).replace("’", "'")
    match = _CURRENT_NUMBER.search(question) if len(question) <= MAX_CHARACTERS else None
    if match is None:
        return None
    asked = lemmas(next(filter(None, match.groups())))
    for count in profile.counts:
        for thing in map(lemmas, count.things):
            if thing and asked[-len(thing) :] == thing:
                return count
    return None


def _with_current_count(count: CountKept, result: SearchResult, profile: Profile) -> DraftAnswer:
    """Say why no paper knows the current number, and who keeps it; list the first papers with their years."""
    hits = result.hits[:N_DATED] if result.assessment is None or result.assessment.is_relevant else ()
    papers = tuple(hit.paper for hit in hits)
    lines = "".join(
        f"\n- {plain_text(paper.title)} ({paper.known_year or 'no date'}) [{n}]"
        for n, paper in enumerate(papers, start=1)
    )
    listed = f"\n\nThe papers found, each with the number of its own time:\n{lines}" if lines else ""
    address = f" ({count.address})" if count.address else ""
    text = f"{profile.redirects.current_count} The current number is kept by {count.kept_by}{address}.{listed}"
    why = "papers do not know the current number"
    return DraftAnswer(
        text,
        (),
        f"none: {why}",
        abstained=True,
        sources=papers,
        redirect=CURRENT_COUNT,
        outcome=StageOutcome.SKIPPED,
        reason=why,
    )


def redirect_kind(question: str, papers: Iterable[str] = (), field: Field | None = None) -> str | None:
    """Name the kind of redirect that `question` needs; `None` if papers can answer it. `papers` are the texts that the
    search found.

    `field` holds the vocabulary of the field and its practitioners, by default those of astronomy.
    """
    question = " ".join(question.split()).replace("’", "'")
    if len(question) > MAX_CHARACTERS or len(question.split()) > MAX_WORDS:
        return None
    field = field or astronomy().field
    if (no_kind := no_question(question)) is not None:
        return no_kind.value
    if kind := next((kind for kind, matches in _RULES if matches(question, field)), None):
        return kind
    is_unanswered = _INVENTOR.search(question) is not None and not any(map(_INVENTION.search, papers))
    return OUT_OF_CORPUS if is_unanswered else None


def _draft(kind: str, result: SearchResult, profile: Profile) -> DraftAnswer:
    if kind == COUNTING and profile.services.bibliography is Bibliography.ADS:
        query = ads_query_by_rules(result)
        return DraftAnswer(in_text(query), (), "ADS query, rules", abstained=True, ads_query=query, redirect=kind)
    texts = profile.redirects
    text, why = {
        NoQuestion.ORDER: (texts.order, "not a question about papers"),
        NoQuestion.GREETING: (f"{texts.greeting} “{profile.examples[0]}”", "not a question about papers"),
        NoQuestion.EVERYDAY: (texts.everyday, "not a question about papers"),
        NoQuestion.FOLLOW_UP: (f"{texts.follow_up} “{profile.examples[0]}”", "it names no subject"),
        "url": (texts.address, "web addresses are not opened"),
        COUNTING: (texts.counting, "papers are not counted"),
        LISTING: (texts.listing, "not all papers are listed"),
        "these-days": (texts.these_days, "the corpus does not know these days"),
        "subfields": (texts.subfields, "see the map"),
        "calculation": (texts.calculation, "nothing is calculated"),
        "opinion": (texts.opinion, "no opinions"),
        OUT_OF_CORPUS: (texts.inventor, "no paper says so"),
    }[kind]
    ran = f"none: {why}"
    return DraftAnswer(text, (), ran, abstained=True, redirect=kind, outcome=StageOutcome.SKIPPED, reason=why)


@cache
def _number() -> str:
    """Return a pattern for a digit that belongs to a quantity, not to a year or to a name such as M87 or NGC 4258."""
    no_entry = "".join(rf"(?<!\b{re.escape(name)}\s)" for name in sorted(shipped_compounds().catalogues))
    in_capitals = r"(?<!(?-i:[A-Z][A-Z])\s)(?<!(?-i:[A-Z][A-Z]\d)\s)"
    return rf"(?<![\w.-]){in_capitals}{no_entry}(?!{YEAR_IN_TEXT}[a-z]?\b)\d"


@cache
def _calculate() -> re.Pattern[str]:
    """Compile a pattern for requests to calculate something from a number."""
    far, near = r"calculate|compute|convert|work out|derive\s+(?:the|an?)", "derive|evaluate|integrate|solve"
    return re.compile(
        rf"{POLITE}(?:(?:{far})\s[^?:;]*{_number()}|(?:{near})\s+(?:\w+\s+){{0,2}}{_number()})", re.IGNORECASE
    )


@lru_cache(maxsize=8)
def _computed_at(field: Field) -> re.Pattern[str]:
    """Compile a pattern for questions that ask for the result of one of the field's formulas for a given number."""
    names = "|".join(("completeness", *field.computed))
    return re.compile(
        rf"^\W*what(?:'s|\s+is|\s+would\s+be)\s+the\s+(?:\w+\s+){{0,3}}(?:{names})\b"
        rf"[^?]*\b(?:at|for|with|given|if)\b[^?]*{_number()}",
        re.IGNORECASE,
    )


def _is_about_address(question: str, _field: Field) -> bool:
    around = _ADDRESS.sub(" ", question)
    return around != question and len(around.split()) <= MAX_WORDS_AROUND_ADDRESS


_RULES: tuple[tuple[str, Callable[[str, Field], object]], ...] = (
    (NoQuestion.ORDER, lambda question, _field: _JAILBREAK.search(question)),
    ("url", _is_about_address),
    (COUNTING, lambda question, field: _counting(field).search(question)),
    (LISTING, lambda question, _field: _LISTING.search(question)),
    ("these-days", lambda question, _field: _THESE_DAYS.search(question)),
    ("subfields", lambda question, field: _subfields(field).search(question)),
    (
        "calculation",
        lambda question, field: any(pattern.search(question) for pattern in (_SUM, _calculate(), _computed_at(field))),
    ),
    ("opinion", lambda question, field: _opinion(field).search(question)),
)
"""Kinds of redirect, each with the rule that recognises it; the rules are applied in this order."""
