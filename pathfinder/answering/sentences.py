"""Sentences of a scientific text, cut out of it verbatim."""

import re

_END = re.compile(r"[.!?]+[\"'”’)\]]*(?=\s+\S)")
"""What may end a sentence: a mark, closing quotes or brackets, and white space before more text."""

_WHOLE = re.compile(r"\$[^$]{1,300}\$|\([^()]{1,300}\)|\\[A-Za-z]+\{[^{}]*\}")
"""Mathematics, brackets and LaTeX commands: no sentence ends inside."""

_LABEL = re.compile(
    r"(?:contexts?|backgrounds?|aims?|purposes?|objectives?|methods?|results?|conclusions?)\s?(?:[.:]$|:\s+)",
    re.IGNORECASE,
)
"""Headings that some journals put into abstracts, alone or before a sentence."""

_ALWAYS = re.compile(
    r"e\.g|i\.e|cf|vs|viz|ca|approx|resp|figs?|eqn?s?|sects?|secs?|refs?|tab|ch|appx?|vol|pp|eds?|dr|prof|mrs?|st|mt|"
    r"w\.r\.t|a\.k\.a|incl|lat|lon|rev|astron|astrophys|phys",
    re.IGNORECASE,
)
"""Abbreviations that a sentence does not end with."""

_BEFORE_NUMBERS = re.compile(r"nos?|p|art|ver", re.IGNORECASE)
"""Abbreviations only where a number follows; else words that a sentence may end with."""

_INITIALS = re.compile(r"al|(?:\w\.)*[^\W\d]", re.IGNORECASE)
"""The "al" of "et al.", the J of "M. J. Smith", the U.S of "the U.S. team"."""

_OPENER = re.compile(
    r"(?:The|This|These|Those|That|We|Our|Here|In|Its?|They|Their|However|An?|For|To|With|From|By|As|At|On|Both|When|"
    r"While|Although|Thus|Therefore|Moreover|Furthermore|Finally|Using|Based|I|He|She|There|Such|If|After|Since)\b"
)
"""What opens a sentence even after an initial."""

_POINTING = re.compile(
    r"(?:(?:also|in particular|specifically|finally|then|further|overall|indeed|in turn|if|as|with)\b[\s,]*)?"
    r"(?:this|these|those|that|they|their|it|its|such|he|she|both|the (?:former|latter|resulting|above|same|two)|"
    r"here|neither|either|another|one of them|among them)\b",
    re.IGNORECASE,
)
"""Openings that point at something said before."""

_CONNECTED = re.compile(
    r"(?:however|therefore|thus|hence|moreover|furthermore|additionally|in addition|besides|consequently|instead|"
    r"nevertheless|nonetheless|in contrast|by contrast|conversely|similarly|likewise|for example|for instance|"
    r"as a result|accordingly|meanwhile|second(?:ly)?|third(?:ly)?|lastly|and|but|yet|so|otherwise|alternatively|"
    r"on the other hand|to this end)\b",
    re.IGNORECASE,
)
"""Openings that go on from something said before."""

_WHOLE_OPENING = re.compile(r"this (?:paper|work|study|letter|review|article)\b|it is (?:well )?known\b", re.IGNORECASE)


def split_sentences(text: str) -> tuple[str, ...]:
    """The sentences of `text`, in order, each of them a part of it, character by character.

    Headings such as "Methods." are left out. No sentence ends at an abbreviation ("et al.", "Fig.",
    "M. J. Smith"), inside a number, mathematics or brackets.
    """
    whole = [match.span() for match in _WHOLE.finditer(text)]
    sentences, start = [], 0
    for match in _END.finditer(text):
        if any(first < match.start() and match.end() < last for first, last in whole):
            continue
        if _ends_sentence(text[start : match.start()], match.group(), text[match.end() :].lstrip()):
            sentences.append(text[start : match.end()])
            start = match.end()
    sentences.append(text[start:])
    return tuple(kept for sentence in sentences if (kept := _without_label(sentence)))


def stands_alone(sentence: str) -> bool:
    """Whether a reader understands `sentence` without the one before it: no "This suggests", no "However, they"."""
    if _WHOLE_OPENING.match(sentence):
        return True
    return not (_POINTING.match(sentence) or _CONNECTED.match(sentence))


def _ends_sentence(before: str, mark: str, after: str) -> bool:
    if not _may_open(after):
        return False
    if not mark.startswith("."):
        return True
    last = before.split()[-1:]
    word = last[0].lstrip("([\"'“‘{~") if last else ""
    if _BEFORE_NUMBERS.fullmatch(word):
        return not after[0].isdigit()
    if _INITIALS.fullmatch(word):
        return _OPENER.match(after) is not None
    return _ALWAYS.fullmatch(word) is None


def _may_open(after: str) -> bool:
    first = after[0]
    if not first.islower():
        return first not in ",;:)]}."
    # Names such as eROSITA or iPTF open with a small letter.
    return re.match(r"[a-z]{1,2}[A-Z]", after) is not None


def _without_label(sentence: str) -> str:
    return _LABEL.sub("", sentence.strip(), count=1) if _LABEL.match(sentence.strip()) else sentence.strip()
