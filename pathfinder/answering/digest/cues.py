"""Words that show the role of a sentence in an abstract: background, method, result, conclusion or outlook."""

import re

from pathfinder.text.english import MONTHS, SCIENTIST, any_of


def _cue(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


RESULT = _cue(
    r"\bwe (?:\w+ly |also |further |then )?(?:find|found|show|showed|demonstrate|detect|detected|measure|measured|"
    r"identify|"
    r"identified|confirm|confirmed|obtain|obtained|derive|derived|infer|inferred|conclude|concluded|report|estimate|"
    r"estimated|determine|determined|constrain|recover|recovered|rule out|observe|observed|discover|discovered|"
    r"reveal|see|"
    r"uncover|achieve|establish)\b|"
    r"\b(?:results?|analysis|analyses|findings?|observations?|data|simulations?|models?|measurements?|tests?) "
    r"(?:\w+ly |also |further |then |thus )?(?:shows?|showed|suggests?|indicates?|indicated|imply|implies|reveals?|"
    r"revealed|"
    r"demonstrates?|supports?|confirms?|provides?|yields?|point|exhibit|favou?rs?|predicts?|reaches)\b|"
    r"\b(?:is|are|was|were) (?:consistent|inconsistent|detected|identified|dominated|driven|found|"
    r"explained|attributed|confirmed|ruled out|enhanced|reduced|suppressed|shown)\b|"
    r"\b(?:achieves?|yields?|reach(?:es)?|exceeds?|correlates?|decreases?|increases?|results? in|leads? to|"
    r"corresponds? to|due to|because)\b"
)
"""Words that mark a result: "we find", "our data suggest", "is consistent", "increases"."""

METHOD = _cue(
    r"\bwe (?:\w+ly |also |further |then |first |next )?(?:use|used|present|study|studied|investigate|investigated|"
    r"analy[sz]ed?|apply|applied|perform|performed|employ|employed|consider|considered|explore|explored|model|"
    r"modell?ed|"
    r"simulate|simulated|compare|compared|aim|develop|developed|combine|combined|introduce|propose|describe|compute|"
    r"discuss|examine|examined|review|test|conduct|conducted|adopt|adopted|assess|revisit|extend|implement|provide|"
    r"utili[sz]e|assume|calculate)\b|"
    r"\b(?:this|the present|our) (?:paper|work|study|letter|article) (?:\w+ly )?(?:presents?|investigates?|explores?|"
    r"aims?|"
    r"examines?|describes?|introduces?|reports?|provides?|studies)\b|"
    r"\b(?:using|based on|by means of|aims?|goal|objective|in this (?:paper|work|study|letter|article)|to this end)\b"
)
"""Words that mark a method or a purpose: "we use", "this paper presents", "based on"."""

BACKGROUND = _cue(
    r"\b(?:remains?|poorly|debated?|unclear|uncertain|unknown|challeng\w+|crucial|essential|fundamental|important|key|"
    r"understanding|has been|have been|(?:is|are|well[- ])known|expected|offers?|typically|often|commonly|widely|"
    r"traditionally|recent(?:ly)?|previous(?:ly)?|however|despite|although|promising|theori[sz]ed|open question|"
    r"critical)\b"
)
"""Words that mark prior knowledge: "remains unclear", "has been", "recently"."""

OUTLOOK = _cue(
    r"\b(?:future|upcoming|will|would|could|should|potential|paves? the way|promise|framework|insights?|opportunit\w+|"
    r"highlight\w*|step toward|release|publicly available|implications?)\b"
)
"""Words that mark an outlook: "future", "paves the way", "implications"."""

FIGURE = re.compile(
    r"(?<![\w.])\d+(?:\.\d+)?\s*+(?:\\?%|\$?\s*+(?:\\pm|±|\+/-|\\?,?\s*+[A-Za-zμ]+))|\\(?:sim|approx|lesssim|gtrsim)|"
    r"[<>~≈±]"
)
"""A number with a unit or an uncertainty, or a sign such as ~, < or ±."""

ASKS_HOW_MUCH = _cue(r"\bhow (?:much|many|often|far|fast|old|large|big|massive|hot|bright|long|strong|high|low)\b")
"""Words that show that a question is answered with a figure."""

ASKS_WHY_OR_HOW = _cue(r"^(?:why|how)\b")

ASKS_FOR_TODAY = _cue(
    r"\b(?:today|nowadays|now|currently?|latest|newest|most recent|recently|at present|so far|to date|"
    r"state of the art)\b"
)
"""Words that show that a question is about the present state of knowledge."""

HOLDS_TODAY = _cue(r"\b(?:today|now|nowadays|current|currently|modern|present-day|later|since|more recent)\b")
"""Words that show that a sentence says what is true today, or what happened after its paper was published."""

TURN = _cue(r"(?:but|yet|however|instead|nevertheless|nonetheless|in fact|on the contrary|unfortunately)\b")
"""Openings with which a sentence qualifies or contradicts the one before it."""

DOES = re.compile(
    r"\b(?:took|takes|combined|combines|measured (?!by\b)|compared?|compares|fitted|fits|observed|followed|trained|"
    r"computed|simulated|integrated|analysed|analyzed|surveyed|searched|monitored|tested|applied|used|uses|selected|"
    r"stacked)\b"
)
"""Verbs with which an abstract says what its authors did; the next sentence gives the result."""

_MONTH = any_of(MONTHS)
_PROPER = r"[A-ZÀ-Þ][\w'’-]{1,60}"

ASKS_WHO = _cue(
    rf"^(?:who|whose|(?:by|with|to|from|for) whom|(?:(?:by|with) )?(?:what|which) (?:person|{SCIENTIST}))\b"
)
ASKS_WHAT_IS_KNOWN = _cue(r"^what (?:(?:is|are) (?:now |really )?known|do we (?:really )?know)\b")
ASKS_WHEN = _cue(
    r"^(?:when|(?:(?:in|on|since|until|from) )?(?:what|which) (?:year|date|day|month|night|decade|century))\b"
)
ASKS_WHERE = _cue(
    r"^(?:where (?!(?:do|does|did|are|were|is|was)\b[^?]*\b(?:come|came|originat\w+|arise|arose|form|formed|made|born|"
    r"produced|created|accelerated)\b)|(?:(?:in|at|from) )?(?:what|which) (?:country|city|place|site|observatory)\b)"
)
"""Opening of a question that is answered with a place, unlike a question about an origin ("Where do ... come from?"),
which is answered with a process or a kind of object.
"""

ASKS_FOR_THE_FIRST = _cue(r"\b(?:first|earliest|discover\w*|invent\w*)\b|^who (?:found|detected|noticed|spotted)\b")
"""Words that show that a question asks who was first."""

SPEAKS_OF_A_FIRST = _cue(
    r"\b(?:discover\w*|invent(?:ed|ion|or)|found(?! (?:in|at|near|around|no)\b)|earliest|detect(?:ed|ion)|"
    r"notic(?:ed|es?)|first(?! (?:year|data|results?|part)\b)|spotted|"
    r"unexpected\w*)\b"
)
"""Words that show that a sentence is about a discovery."""

NAMES_A_PERSON = re.compile(
    rf"\b{_PROPER}(?:,\s{_PROPER}){{0,9}},?\sand\s{_PROPER}\s(?:[a-z]+ed|found|saw|took)\b|"
    rf"\b{_PROPER}\s(?:et al|and (?:(?:his|her|their) )?(?:colleagues|co-?workers|collaborators|co-authors|"
    r"students))\b|"
    rf"\b(?:discovered|found|detected|proposed|predicted|invented|suggested) by (?:the )?{_PROPER}"
)
"""A sentence in which people do something: "Mayor and Queloz followed", "Asplund and collaborators"."""

NAMES_A_DATE = re.compile(
    rf"(?<![\w.])(?:1[5-9]|20)\d\d(?!\w|\.\d)|\b{_MONTH}\s(?:of\s)?(?:\d|(?:that|the same) year\b)|"
    r"\b(?:million|billion|thousand)\s+years\s+(?:ago|after|before|later)\b|\bGyr\s+ago\b",
)
"""A year, a date or an age; a decade such as "the 1960s" is too vague. A profile may add patterns of its own."""

NAMES_A_PLACE = re.compile(
    rf"\b(?:in|at|from|near|towards?|around|beyond|inside|outside|within|over)\s(?:the\s)?(?!{_MONTH}\b){_PROPER}"
)
"""A place, given as a preposition followed by a name: "in Sagittarius B2", "beyond Neptune"."""

NO_SUBJECT = frozenset(
    (
        "accord affect almost answer anything ask become begin build built call cause change come compatible "
        "contradict contribute contribution decide detect detected determine different discover discovered discovery "
        "drive driven evidence exist exists expect explain explanation find first form formation found get "
        "give go happen hot idea important influence invent invented inventor know known large like live made "
        "main make many mean measure measured method much name new number observe observed origin part "
        "possible power powered predict produce propose proposed real really reason relate role same say see "
        "seen show solution something start still study take tell think thought time today told two type "
        "understand use used value way whether work year "
    ).split()
)
"""Words that relate a question's subjects to each other; a paper that answers the question need not contain them."""

ASKS_WHAT_IT_IS = _cue(r"^what(?:'s| is| are) (?:an? |the )?(?P<thing>\w+(?:-\w+)*(?: \w+(?:-\w+)*){0,3})\W*$")
"""Questions for what something is: "what is an exoplanet?", "what are T Tauri stars?"."""


_IS_NOUN = r"(?!\w+(?:ed|ing|n|ly|ought)\b|(?:not|at|in|now|still|also|more|most)\b)"
"""What follows "are" where it says what things are, and not what happens to them."""


def says_what_it_is(question: str, sentence: str) -> bool:
    """Return whether `sentence` says what the thing is whose nature `question` asks for: "An exoplanet is an object",
    "Globular clusters (GCs) are dense star clusters", "the first pulsar, a rapidly pulsating radio source".
    """
    if not (asked := ASKS_WHAT_IT_IS.search(question)):
        return False
    thing = r"[\s-]".join(re.split(r"[\s-]", asked["thing"].removesuffix("s"))) + r"(?:e?s|e)?(?: \([^()]{1,40}\))?"
    says = (
        rf"^(?:an? |the )?{thing}(?: is (?:an?|the|one) | are {_IS_NOUN}|, (?:an?|the) )|\b(?:the|first) {thing}, an? "
    )
    return re.search(says, sentence, re.IGNORECASE) is not None
