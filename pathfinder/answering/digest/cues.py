"""Words that show the role of a sentence in an abstract: background, method, result, conclusion or outlook."""

import re


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
    r"\bw(?:as|ere) found|\b(?:is|are|was|were) (?:consistent|inconsistent|detected|identified|dominated|driven|found|"
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
"""Words that mark what was known before: "remains unclear", "has been", "recently"."""

OUTLOOK = _cue(
    r"\b(?:future|upcoming|will|would|could|should|potential|paves? the way|promise|framework|insights?|opportunit\w+|"
    r"highlight\w*|step toward|release|publicly available|implications?)\b"
)
"""Words that mark an outlook: "future", "paves the way", "implications"."""

HEDGE = _cue(r"\b(?:may|might|could|possibl\w+|perhaps|likely|potential\w*|probabl\w+|appears?|seems?|would)\b")
"""Words that weaken a statement: "may", "possibly", "appears"."""

COMPARISON = _cue(
    r"^(?:however|but|in contrast|by contrast|conversely|nevertheless|instead|while|although|whereas|unlike)\b|"
    r"\b(?:than|compared (?:to|with)|whereas|while|versus|relative to|rather than|unlike|instead|more|less|higher|"
    r"lower|"
    r"larger|smaller|stronger|weaker|faster|greater|fewer|better|worse)\b"
)
"""Words that set two things against each other: "in contrast", "than", "higher"."""

NEGATION = _cue(
    r"\b(?:no|not|cannot|never|without|neither|nor|none|insufficient|inconsistent|fails?|unable|lack|absence|unlikely|"
    r"excluded?|rule[sd]? out|inefficient|only)\b"
)
"""Words that deny or limit: "not", "ruled out", "only"."""

ADDITION = _cue(
    r"^(?:additionally|furthermore|moreover|finally|further|crucially|specifically|in particular|notably|remarkably|"
    r"overall|first|second|third|in addition|consequently|also|here)\b"
)
"""Openings that add a result to others: "furthermore", "notably", "second"."""

FIGURE = re.compile(
    r"(?<![\w.])\d+(?:\.\d+)?\s*(?:\\?%|\$?\s*(?:\\pm|±|\+/-|\\?,?\s*[A-Za-zμ]+))|\\(?:sim|approx|lesssim|gtrsim)|"
    r"[<>~≈±]"
)
"""A number with a unit or an uncertainty, or a sign of approximation."""

ASKS_FOR_A_FIGURE = _cue(
    r"\b(?:values?|what (?:fraction|percentage|share|portion|chance|level)|"
    r"how (?:many|much|far|fast|old|large|big|massive|hot|bright|long|often|late|deep|strong|high|low|close)|"
    r"up to what|fraction|number|rate)\b"
)
"""Words of a question that asks for a figure."""

ASKS_FOR_TODAY = _cue(
    r"\b(?:today|nowadays|now|currently?|latest|newest|most recent|recently|at present|so far|to date|"
    r"state of the art)\b"
)
"""Words of a question about the present state of knowledge."""
