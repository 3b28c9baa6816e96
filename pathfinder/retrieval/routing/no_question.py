"""What is no question to a literature: greetings, requests to write something, the weather, and "tell me more"."""

import re
from enum import StrEnum

from pathfinder.retrieval.routing.follow_up import names_no_subject

MAX_WORDS = 30


class NoQuestion(StrEnum):
    """Kind of text that no paper answers. The values are those of `Answer.redirect`."""

    ORDER = "jailbreak"
    """A poem, a joke or a recipe is asked for."""
    GREETING = "greeting"
    """Somebody says hello or thanks, or asks whom they are talking to."""
    EVERYDAY = "everyday"
    """The weather, the time, the news or the stars of astrologers."""
    FOLLOW_UP = "follow-up"
    """What was said before is asked about, and nothing is named: "more like that one", "why?"."""


POLITE = (
    r"^\W*(?:please\s+|kindly\s+|hey,?\s+|hi,?\s+|(?:can|could|would|will)\s+you\s+(?:please\s+|kindly\s+)?|"
    r"help\s+me\s+(?:to\s+)?|i\s+(?:want|need)\s+you\s+to\s+|i(?:'d|\s+would)\s+like\s+(?:you\s+)?to\s+)*"
)
"""Pattern for polite words at the beginning of a request."""
_ORDER = (
    rf"{POLITE}(?:(?:write|compose|sing|tell|make)\s+(?:me\s+|us\s+)?(?:up\s+)?(?:(?:an?|some|another)\s+)?"
    r"(?:\w+\s+){0,2}?(?:(?:poem|song|joke|limerick|haiku|recipe|rap|sonnet|riddle)s?|"
    r"(?:story|essay)(?!\s+(?:of|on|about)\b))|roleplay|"
    r"(?:download|e?mail|zip)\s+(?:me\s+)?(?:(?:all|the|these|those|every)\s+)*(?:pdfs?|papers?|files?|articles?)(?=\W*$)|"
    r"write\s+(?:me\s+|us\s+)?(?:(?:an?|some|the|my)\s+)?(?:\w+\s+){0,2}?(?:script|program|code|e?mail|letter|speech)s?)\b|"
    r"\b(?:ice[\s-]?cream|pizza|cocktail)\b(?=.*\b(?:recipe|flavou?rs?|best|favou?rite|make|topping|eat)\b)|"
    r"\b(?:make|making|eat|order)\s+(?:me\s+)?(?:an?\s+|some\s+|the\s+)?(?:ice[\s-]?cream|pizza|cocktail)s?\b"
    r"(?!\s+(?:cone|model))|\b(?:recipe|flavou?rs?|best|favou?rite|toppings?)\b.*\b(?:ice[\s-]?cream|pizza|cocktail)\b"
)
_HELLO = (
    r"hello|(?-i:[Hh]i)|hey|hiya|howdy|greetings|good\s+(?:morning|afternoon|evening|day|night)|hola|bonjour|hallo|"
    r"thanks|thank\s+you|thx|bye|goodbye|cheers|how\s+are\s+you|how's\s+it\s+going|what's\s+up|nice\s+to\s+meet\s+you"
)  # "HI" in capitals is neutral hydrogen
_AFTER_HELLO = (
    r"there|everyone|everybody|all|again|pathfinder|so|very|much|a\s+lot|for\s+(?:your|the)\s+help|today|doing|"
    r"you(?:'re|\s+are)\s+(?:great|awesome|amazing|helpful|the\s+best)|friend|bot"
)
_WHO_ARE_YOU = (
    r"(?:who|what)\s+are\s+you|what\s+can\s+you\s+do|what\s+is\s+your\s+name|what's\s+your\s+name|"
    r"are\s+you\s+(?:an?\s+)?(?:ai|bot|robot|human|person|chatbot|chatgpt|real)|who\s+made\s+you|help"
)
_GREETING = rf"^\W*(?:(?:{_HELLO})(?:\W+(?:{_HELLO}|{_AFTER_HELLO}))*|(?:(?:{_HELLO})\W+)?(?:{_WHO_ARE_YOU}))\W*$"
_TODAY = (
    r"(?:today|tomorrow|tonight|now|right\s+now|outside|here|like|this\s+(?:week(?:end)?|morning|afternoon|evening))"
)
_EVERYDAY = (
    rf"^\W*(?:(?:what|how)(?:'s|\s+is|\s+will)\s+)?(?:the\s+)?weather(?:\s+forecast)?(?:\s+be)?(?:\s+{_TODAY})*\W*$|"
    rf"^\W*(?:will|is)\s+it\s+(?:going\s+to\s+)?(?:rain|snow|raining|snowing|sunny|cold|warm)(?:ing)?(?:\s+{_TODAY})*\W*$|"
    r"^\W*what(?:'s|\s+is)\s+the\s+time(?:\s+now)?\W*$|^\W*what\s+time\s+is\s+it(?:\s+now)?\W*$|"
    rf"^\W*what(?:'s|\s+is)\s+(?:in\s+)?the\s+news(?:\s+{_TODAY})*\W*$|"
    r"\b(?:latest|breaking|today's)\s+news\W*$|"
    r"\b(?:tonight|tomorrow)\b(?!'s)|\bhoroscopes?\b|\b(?:star|zodiac)\s+signs?\b"
)
_SAME_FOR = re.compile(
    r"^\W*(?:and\s+)?(?:the\s+)?same(?:\s+(?:thing|question|again|but))*\s+(?:but\s+)?for\b", re.IGNORECASE
)
"""What asks for something that was said before of another subject."""
_PATTERNS = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (NoQuestion.ORDER, _ORDER),
        (NoQuestion.GREETING, _GREETING),
        (NoQuestion.EVERYDAY, _EVERYDAY),
    )
)


def no_question(text: str) -> NoQuestion | None:
    """Return the kind of `text` that is no question to a literature; `None` for any other text."""
    text = " ".join(text[:1000].split()).replace("’", "'")
    if len(text.split()) > MAX_WORDS:
        return None
    kind = next((kind for kind, pattern in _PATTERNS if pattern.search(text)), None)
    return NoQuestion.FOLLOW_UP if kind is None and (names_no_subject(text) or _SAME_FOR.match(text)) else kind
