"""Questions that no answer from papers would serve, told by the words of the question, in English: where to go instead.

Counting goes to ADS, "the most promising subfields" to the map; a sum, a page's address, an opinion, an order to
the model and the history of an invention get a word on what Pathfinder does instead (arXiv:2408.01556, section 5).
The rules are narrow, so that they leave questions of astronomers alone; what they miss is answered, or not, as any
other question.
"""

import re
from collections.abc import Callable, Iterable

from pathfinder.answering.ads_query.bibliometric import COUNTING, ads_query_by_rules, in_text, stream_ads_query
from pathfinder.answering.reply import Means, Reply, Replying
from pathfinder.types import AnswerRequest, Generation, SearchResult, Specialisation

OUT_OF_CORPUS = "out-of-corpus"
MAX_WORDS = 60
MAX_CHARACTERS = 1000
"""A longer text is a pasted abstract, and no question."""
MAX_WORDS_AROUND_ADDRESS = 15
"""More words beside an address are a question of their own."""

_POLITE = (
    r"^\W*(?:please\s+|kindly\s+|hey,?\s+|hi,?\s+|(?:can|could|would|will)\s+you\s+(?:please\s+|kindly\s+)?|"
    r"help\s+me\s+(?:to\s+)?|i\s+(?:want|need)\s+you\s+to\s+|i(?:'d|\s+would)\s+like\s+(?:you\s+)?to\s+)*"
)
_PUBLICATIONS = r"(?:papers?|articles?|publications?|preprints?|theses|citations?)"
_COUNTING = re.compile(
    rf"\bhow\s+many\s+(?:[\w-]+\s+){{0,3}}(?:{_PUBLICATIONS}|(?:co-?)?authors|astronomers|people)\b"
    r"(?!\s+(?:are|is)\s+(?:needed|required|necessary))|"
    rf"\bhow\s+(?:often|many\s+times|much)\b[^?]*\b(?:been\s+|is\s+|are\s+|was\s+)cited\b|\bhow\s+many\b[^?]*\bcited\s+by\b|"
    rf"(?:^\W*|\b(?:what\s+(?:is|was)|give(?:\s+me)?|find|tell\s+me|show(?:\s+me)?)\s+)(?:the\s+)?(?:total\s+)?"
    rf"(?:number|count)\s+of\s+(?:[\w-]+\s+){{0,2}}{_PUBLICATIONS}\b|^\W*count\s+(?:all\s+|the\s+)*{_PUBLICATIONS}|"
    rf"\b(?:most|top|highest|best)[\s-]+(?:highly[\s-]+)?cited\s+(?:[\w-]+\s+){{0,2}}(?:{_PUBLICATIONS}|authors?|astronomers?)|"
    rf"\b(?:h|g|i10)-?index\b|^\W*(?:list|show|find|give)\s+(?:me\s+)?(?:all|every)\s+(?:[\w-]+\s+){{0,3}}{_PUBLICATIONS}|"
    rf"\bwho\s+(?:has\s+)?(?:published|written|wrote)\s+(?:the\s+)?most\b|\bwho\s+has\s+(?:the\s+)?most\s+{_PUBLICATIONS}\b|"
    rf"\b{_PUBLICATIONS}\b[^?]*\b(?:is|are|was|were|been)\s+cited\s+(?:the\s+)?most\b|"
    r"\b(?:average|mean|median|total)\s+(?:number\s+of\s+)?citations\b",
    re.IGNORECASE,
)
_AREAS = (
    r"(?:sub-?(?:fields?|areas?|disciplines?|topics?)|(?:research\s+)?(?:areas?|fields?|topics?|directions?)"
    r"(?:\s+(?:of|in|within)\s+(?:\w+\s+)?(?:astronomy|astrophysics|research|cosmology|the\s+(?:field|literature)))|"
    r"research\s+(?:areas?|fields?|topics?|directions?))"
)
_SUBFIELDS = re.compile(
    rf"\b(?:most|more)\s+(?:promising|active|popular|exciting|fruitful|crowded|neglected)\s+{_AREAS}|"
    rf"\b(?:promising|hot(?:test)?|trending|up-and-coming|under-?studied|under-?explored|over-?studied)\s+{_AREAS}|"
    rf"\b{_AREAS}\s+(?:is|are|has|have)\s+(?:\w+\s+)?(?:the\s+)?(?:(?:most|more|least)\s+)?(?:promising|hot(?:test)?|"
    r"trending|popular|under-?studied|under-?explored|growing\s+(?:the\s+)?fastest|fastest[\s-]growing|neglected)\b|"
    rf"\bfastest[\s-]growing\s+{_AREAS}|\bhot(?:test)?\s+topics?\s+in\b|\btopics?\s+(?:is|are)\s+(?:hot(?:test)?|trending)\b|"
    rf"\b(?:what|which)\s+{_AREAS}[^?]*\bshould\s+(?:i|one|we)\b|"
    r"\bgaps\s+in\s+the\s+(?:\w+\s+)?literature\b",
    re.IGNORECASE,
)
_SUM = re.compile(
    r"^\W*(?:what(?:'s|\s+is)\s+)?[\d.,()\s]*\d\s*(?:[-+*/×÷^]|plus|minus|times|divided\s+by)\s*[\d.,()\s]+\W*$",
    re.IGNORECASE,
)
_NUMBER = r"(?<![\w.-])(?<!(?-i:[A-Z][A-Z])\s)(?<!(?-i:[A-Z][A-Z]\d)\s)(?<!abell\s)(?!(?:19|20)\d\d[a-z]?\b)\d"
"""Of a quantity: no year, and no part of a name, such as M87 or NGC 4258."""
_CALCULATE = re.compile(
    rf"{_POLITE}(?:(?:calculate|compute)\s+(?:me\s+|for\s+me\s+)?(?:the|a|an|my|this|these|\$?[\d.])(?![^?]*[:;])|"
    r"(?:convert|derive|work\s+out)\s+(?:me\s+|for\s+me\s+)?"
    rf"(?:my|this|these|(?:the\s+|an?\s+)?(?:(?=[\d.])|(?=[^?:;]*(?:=|{_NUMBER}))))|"
    rf"(?:evaluate|integrate|solve)\s+(?:me\s+|for\s+me\s+)?(?:(?:the|an?|my|this|these)\s+(?:\w+\s+){{0,2}}"
    r"(?:equations?|integrals?|expressions?|formulas?|functions?|polynomials?|sums?)\b|(?=\$?[\d.(∫])|(?=[^?]*=)))",
    re.IGNORECASE,
)
_COMPUTED_AT = re.compile(
    r"^\W*what(?:'s|\s+is|\s+would\s+be)\s+the\s+(?:\w+\s+){0,3}(?:completeness|(?:luminosity|angular[\s-]diameter|"
    r"comoving)\s+distance|look-?back\s+time|distance\s+modulus|comoving\s+volume|age\s+of\s+the\s+universe)\b"
    rf"[^?]*\b(?:at|for|with|given|if)\b[^?]*{_NUMBER}",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"\b(?:https?://|www\.)\S+|\b(?:arxiv\.org|doi\.org|adsabs\.harvard\.edu|nature\.com|wikipedia\.org)/\S+|"
    r"\barxiv:\s?(?:\d{4}\.\d{4,5}|[a-z-]+/\d{7})(?:v\d+)?\b",
    re.IGNORECASE,
)
"""Of a page, or the number of a preprint, which is as little opened."""
_OPINION = re.compile(
    r"\b(?:in\s+your\s+(?:own\s+)?(?:opinion|view)|what(?:'s|\s+is|\s+are)\s+your\s+(?:\w+\s+)?(?:opinions?|views?|"
    r"thoughts|favou?rites?|take)|your\s+favou?rite|(?:do|did|would)\s+you\s+(?:personally\s+)?(?:think|believe|prefer|"
    r"like|recommend|agree|feel)|how\s+do\s+you\s+feel|"
    r"who\s+is\s+the\s+(?:best|worst|greatest|smartest|most\s+(?:famous|important|brilliant))\s+(?:\w+\s+)?"
    r"(?:astronomer|astrophysicist|cosmologist|scientist|physicist)|"
    r"should\s+i\s+(?:do|study|become|apply|work|join|choose|pursue|major|quit))\b",
    re.IGNORECASE,
)
_JAILBREAK = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\s+(?:(?:all|any|every|of|the|these|those)\s+)*"
    r"(?:your|my|previous|prior|above|earlier|preceding|system|safety)\s+(?:(?:previous|prior|system|safety)\s+)*"
    r"(?:instructions?|prompts?|rules|guidelines|guardrails|restrictions|training)\b|"
    r"\b(?:ignore|disregard|forget)\s+(?:all|any|the)\s+(?:instructions?|prompts?)\b|"
    r"^\W*(?:ignore|disregard|forget)\s+(?:(?:everything|anything|all)\s+(?:(?:that\s+(?:is|was|stands)\s+)?above|before|"
    r"you\b)|the\s+above)|"
    r"\b(?:reveal|show|print|repeat|output|leak|tell\s+me)\s+(?:me\s+)?"
    r"(?:your\s+(?:\w+\s+){0,2}|the\s+(?:system|hidden|secret|initial|original)\s+)(?:prompt|instructions)\b|\byou\s+are\s+now\s+(?:an?\s+)?\w+|\b(?:developer|dan|god|jailbreak)\s+mode\b|"
    r"\b(?:pretend|act\s+as\s+(?:if|though))\s+(?:that\s+)?you(?:'re|\s+are|\s+were|\s+have)\b|"
    rf"{_POLITE}(?:(?:write|compose|sing|tell|make)\s+(?:me\s+)?(?:up\s+)?(?:an?|some)\s+(?:\w+\s+){{0,2}}(?:(?:poem|song|joke|"
    r"limerick|haiku|recipe|rap)s?|(?:story|essay)(?!\s+(?:of|on|about)\b))|roleplay)\b|"
    r"\b(?:ice[\s-]?cream|pizza|cocktail)\b(?=.*\b(?:recipe|flavou?rs?|best|favou?rite|make|topping|eat)\b)|"
    r"\b(?:make|making|eat|order)\s+(?:me\s+)?(?:an?\s+|some\s+|the\s+)?(?:ice[\s-]?cream|pizza|cocktail)s?\b(?!\s+(?:cone|model))|"
    r"\b(?:recipe|flavou?rs?|best|favou?rite|toppings?)\b.*\b(?:ice[\s-]?cream|pizza|cocktail)\b",
    re.IGNORECASE,
)
_INVENTOR = re.compile(
    r"\bwho\s+(?:first\s+)?(?:invented|coined|patented|built\s+the\s+first|named)\b|\bwho\s+(?:is|was)\s+the\s+inventor\b|"
    r"\b(?:when|where)\s+(?:was|were)\s+[^?]{1,60}\s(?:invented|patented)\b|"
    r"\bwho\s+was\s+the\s+first\s+(?:person\s+)?to\s+(?:invent|build|make)\b",
    re.IGNORECASE,
)
_INVENTED = re.compile(
    r"\b(?:invent(?:ed|or|ors|ion)|coined|patent(?:ed)?|first\s+built|named\s+(?:after|by))\b", re.IGNORECASE
)

MAP = (
    "Which subfields are promising is nothing that an answer could rest on papers for. The map shows where papers "
    "lie close together, where few are, and where the newest stand: see there, and ask about what you find."
)
CALCULATION = (
    "Pathfinder does not calculate: a number that no paper states cannot be checked against one. Ask what papers "
    "report for it, under what conditions and with which method; for the sum itself, take a program such as astropy."
)
ADDRESS = (
    "Pathfinder opens no addresses: it reads the papers of its corpus and nothing else. Paste the abstract instead "
    "of its address, or ask by the paper's title."
)
OPINION = (
    "Pathfinder has no opinions. Ask what papers say, how far they agree, or what speaks for and against it, and the "
    "answer can be checked."
)
ORDER = (
    "Pathfinder answers questions from the papers of its corpus and does nothing else. Ask about the sky, or about "
    "how it is studied."
)
INVENTOR = (
    "I don't know: none of the papers found says who invented, built or named it. Abstracts seldom tell the history of "
    "instruments and words; an encyclopedia or a book on the history of astronomy does."
)


def elsewhere(result: SearchResult, request: AnswerRequest, means: Means) -> Replying | None:
    """What leads the question of `result` elsewhere, before anything is asked; `None` for a question to be answered.

    The bibliometric specialisation makes a query for ADS of every question, and may ask the chat model for it.
    """
    led = redirect(result)
    is_bibliometric = request.specialisation is Specialisation.BIBLIOMETRIC and request.generation is Generation.RAG
    if is_bibliometric and (led is None or led.redirect == COUNTING):
        return stream_ads_query(result, request, means)
    return None if led is None else _whole(led)


def _whole(reply: Reply) -> Replying:
    yield reply.text
    return reply


def redirect(result: SearchResult) -> Reply | None:
    """Where the question of `result` is led instead of being answered; `None` for a question to be answered."""
    if result.request.likeness is not None:
        return None
    papers = (f"{hit.paper.title} {hit.paper.abstract}" for hit in result.hits)
    kind = redirect_of(result.request.query, papers)
    return None if kind is None else _REPLIES[kind](kind, result)


def redirect_of(question: str, papers: Iterable[str] = ()) -> str | None:
    """What `question` is led elsewhere as, in a word; `None` for one to be answered from `papers`, the texts found."""
    question = " ".join(question.split()).replace("’", "'")
    if len(question) > MAX_CHARACTERS or len(question.split()) > MAX_WORDS:
        return None
    if kind := next((kind for kind, holds in _RULES if holds(question)), None):
        return kind
    is_untold = _INVENTOR.search(question) is not None and not any(map(_INVENTED.search, papers))
    return OUT_OF_CORPUS if is_untold else None


def _told(text: str, where: str) -> Callable[[str, SearchResult], Reply]:
    return lambda kind, _result: Reply(text, (), f"none: {where}", abstained=True, redirect=kind)


def _counted(kind: str, result: SearchResult) -> Reply:
    query = ads_query_by_rules(result)
    return Reply(in_text(query), (), "ADS query, rules", abstained=True, ads_query=query, redirect=kind)


def _is_calculation(question: str) -> bool:
    return any(pattern.search(question) for pattern in (_SUM, _CALCULATE, _COMPUTED_AT))


def _is_about_address(question: str) -> bool:
    around = _ADDRESS.sub(" ", question)
    return around != question and len(around.split()) <= MAX_WORDS_AROUND_ADDRESS


_RULES: tuple[tuple[str, Callable[[str], object]], ...] = (
    ("jailbreak", _JAILBREAK.search),
    ("url", _is_about_address),
    (COUNTING, _COUNTING.search),
    ("subfields", _SUBFIELDS.search),
    ("calculation", _is_calculation),
    ("opinion", _OPINION.search),
)
"""What a question is led elsewhere as, and when; in the order in which they are tried."""

_REPLIES: dict[str, Callable[[str, SearchResult], Reply]] = {
    "jailbreak": _told(ORDER, "not a question on papers"),
    "url": _told(ADDRESS, "addresses are not opened"),
    COUNTING: _counted,
    "subfields": _told(MAP, "led to the map"),
    "calculation": _told(CALCULATION, "nothing is calculated"),
    "opinion": _told(OPINION, "no opinions"),
    OUT_OF_CORPUS: _told(INVENTOR, "no paper found tells it"),
}
