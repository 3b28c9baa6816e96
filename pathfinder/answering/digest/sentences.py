"""Decides which sentences in a text can stand alone."""

import re

_POINTING = re.compile(
    r"(?:(?:also|in particular|specifically|finally|then|further|overall|indeed|in turn|if|as|with)\b[\s,]*)?"
    r"(?:this|these|those|that|they|their|it|its|such|he|she|both|the (?:former|latter|resulting|above|same|two)|"
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

_POINTING_INSIDE = re.compile(r"[A-Z]\w+ing (?:this|these|those|that|it|them)\b|[^,;:]*,\s(?:he|she)\b")
"""Openings that refer back after a few words: "Adding this to the zero point, he arrived at 75"."""

_WHOLE_OPENING = re.compile(r"this (?:paper|work|study|letter|review|article)\b|it is (?:well )?known\b", re.IGNORECASE)


def stands_alone(sentence: str) -> bool:
    """Return whether `sentence` can be understood without the one before it, unlike "This suggests" or "However,
    they".
    """
    if _WHOLE_OPENING.match(sentence):
        return True
    return not any(opening.match(sentence) for opening in (_POINTING, _CONNECTIVE, _POINTING_INSIDE))
