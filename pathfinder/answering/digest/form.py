"""Chooses the form of a digest from the wording of the question."""

import re
from functools import cache
from typing import NamedTuple

from pathfinder.answering.assessment.values.kinds import field_kinds
from pathfinder.profile import Profile, astronomy
from pathfinder.text.english import ARTICLES, AUXILIARIES, CONJUNCTIONS, PREPOSITIONS, SCIENTIST, any_of
from pathfinder.text.inflection import plurals_of
from pathfinder.text.languages import languages_of
from pathfinder.text.quantities.nouns import QUANTITY_NOUNS
from pathfinder.types import DigestForm


class FormChoice(NamedTuple):
    """A form, and the rule that chose it."""

    form: DigestForm
    reason: str
    """The rule, worded for readers."""


_AUXILIARY = rf"{any_of(AUXILIARIES)}(?:n't)?\s+(?!(?:that|which|to|been|ist|sind|war|waren)\b)"
_NO_DEGREE = any_of(AUXILIARIES, ARTICLES, "to come about we one it they this these that and or".split())
_DEGREE_WORDS = (
    "important crucial essential necessary vital relevant useful helpful well good bad reliable robust credible "
    "plausible convincing realistic solid valid trustworthy difficult hard easy easily complex complicated sensitive "
    "dangerous special unusual unique typical exactly best else different similar interesting seriously"
).split()
"""Words that, after "how", ask for a degree that no number can express: "how important"."""
_DEGREE = rf"how (?!{_NO_DEGREE}\b)(?!{any_of(_DEGREE_WORDS)}\b)[\w-]+\b"
"""The word "how" and the word after it, if a number can be the answer: "how far", "how many"."""
_QUANTITY = "|".join((QUANTITY_NOUNS | {"energy": rf"(?<!dark )(?<!vacuum ){QUANTITY_NOUNS['energy']}"}).values())
_BEHIND = any_of(
    PREPOSITIONS,
    AUXILIARIES,
    CONJUNCTIONS,
    ("above below between beyond near towards? around within inside via after before during under among").split(),
)
_HEAD = rf"(?![-\w])(?=\W*$|[,;:?]|\s+(?:{_BEHIND}\b|that\b|which\b|we\b|\w+ed\b))"
"""The end of the name of a quantity that is itself being asked for: no noun follows, unlike in "extinction law" or
"mass function".
"""
_CHANGE = (
    r"change[sd]?|alter(?:s|ed)?|affect(?:s|ed)?|influence[sd]?|improve[sd]?|reduce[sd]?|increase[sd]?|decrease[sd]?|"
    r"var(?:y|ies)|differ(?:s|ed)?|shift(?:s|ed)?|gain(?:s|ed)?|lose|better|worse|more|less|longer|shorter|larger|"
    r"smaller|"
    r"lower(?:s|ed)?|raise[sd]?|cut|shorten(?:s|ed)?|prolong(?:s|ed)?|stronger|weaker|boost(?:s|ed)?|degrade[sd]?|bias(?:es|ed)?|matter"
)
_THINGS = (
    r"surveys|codes|instruments|methods|techniques|catalogues|catalogs|packages|tools|data ?sets|probes|experiments|"
    r"libraries|programs|algorithms|simulations|FACILITIES"
)
"""Things whose names a question asks for, even if it also mentions a quantity."""

_RULES = (
    (
        DigestForm.FACT,
        (
            r"^(?:who|whose|when was|when were|when did|where(?! can\b))\b|"
            r"^(?:by|with|to|from|for) whom\b|"
            r"^(?:(?:in|on|at|by|from|since|until) )?(?:what|which) (?:year|date|day|month|night|decade|century|person|"
            rf"{SCIENTIST}|country|city|place|site|observatory)\b"
        ),
        "asks who, when or where",
    ),
    (DigestForm.SIDES, rf"^{_AUXILIARY}", "can be answered with yes or no"),
    (
        DigestForm.SIDES,
        (
            rf"\bhow (?:much|\w+ly) (?:do(?:es)?|did|can|would|has|have)\b[^,?]*\b(?:{_CHANGE})\b|"
            rf"\bhow much (?:{_CHANGE})\b"
        ),
        "asks how much something changes",
    ),
    (
        DigestForm.FINDINGS,
        (
            r"^what (?:about\b|causes?|drives?|powers?|explains?|triggers?|shapes?|happen(?:s|ed)?|makes?|decides?|"
            r"determines?|governs?|controls?|regulates?|"
            r"(?:is|are|was) (?:the )?(?:origin|role|nature|cause|evidence|reason|effect|status|relation\w*)|"
            r"(?:is|are|was) (?:now |really |so )?(?:known|understood|thought|special|wrong|new|unusual)|"
            r"(?:do|does|did|can|could|have|has|will) .*\b(?:learn(?:ed|t)?|know|teach|taught|tell|told|"
            r"reveal(?:ed)?))\b"
        ),
        "asks for an explanation",
    ),
    (
        DigestForm.FINDINGS,
        r"^what (?:would|will|might|could|do|does|did) .*\b(?:look like|be like|happen|follow|become|mean)\b",
        "asks what something is or would be like",
    ),
    (
        DigestForm.FINDINGS,
        r"^what (?!(?:is|was|has|does|'s)\b)[a-z]+(?:s|ed) (?:an?|the|our|its|this|these|those|most|some)\b",
        "asks what causes or does something",
    ),
    (DigestForm.LIST, rf"^(?:which|what)(?: are the)? (?:[\w-]+ ){{0,2}}?(?:{_THINGS})\b", "asks for names of things"),
    (DigestForm.VALUES, rf"\b{_DEGREE}", "asks how much or how many"),
    (DigestForm.FINDINGS, r"^what(?:'s| is| are) (?:an? )?[\w-]+\W*$|^what(?:'s| is) an? ", "asks what something is"),
    (
        DigestForm.VALUES,
        rf"\b(?:what|which)(?:'s| is| are| was| were)? (?:the )?(?:[\w-]+ ){{0,3}}?(?:{_QUANTITY}|MEASURES){_HEAD}",
        "asks for a quantity",
    ),
    (DigestForm.FINDINGS, r"^what(?:'s| is| are) (?:an? |the )?[\w-]+(?: [\w-]+){0,2}\W*$", "asks what something is"),
    (
        DigestForm.SIDES,
        (
            r"\b(?:versus|vs\.?|as opposed to|compared? (?:with|to)|in comparison (?:with|to)|differences? between)\b|"
            r"\bhow (?:do|does|did) .*\b(?:differ|compare)\b"
        ),
        "compares two things",
    ),
    (DigestForm.FINDINGS, r"^(?:[^,?]*,\s*)?(?:why|how|by what|through what)\b", "asks why or how"),
    (DigestForm.FINDINGS, r"^what(?:'s| is| was) ", "asks what something is"),
    (DigestForm.LIST, r"^(?:[^,?]*,\s*)?(?:\w+ )?(?:which|what|name|list)\b|\bwhere can\b", "asks which or what"),
    (
        DigestForm.VALUES,
        (
            r"\b(?:valor|valeur|valore|waarde|wert)\b|"
            r"^\W*(?:a |à )?(?:qu[eé]|quelle|che) distan|"
            r"^\W*(?:a |de |à )?(?:cu[aá]nt[oa]s?|combien|quant[oiae]|wie ?viele?)\b|"
            r"^wie (?:groß|gross|weit|alt|schnell|schwer|heiß|hell)\b|^hoe (?:groot|ver|oud|snel|zwaar|heet|veel)\b"
        ),
        "asks for a value",
    ),
    (DigestForm.SIDES, rf"[,:]\s*(?:then\s+)?{_AUXILIARY}", "can be answered with yes or no"),
    (
        DigestForm.VALUES,
        rf"^\W*+(?:the )?(?:[\w-]+ )?(?:{_QUANTITY}|MEASURES) (?:of|to)(?: (?!{_BEHIND}\b)[^\s,;:?]+){{1,5}}[\s?]*$",
        "names a quantity of something",
    ),
)
"""Form, pattern and reason, in order of precedence; MEASURES and FACILITIES are placeholders for nouns of the field."""


_WHAT_IS = re.compile(
    r"^\s*(?:what(?:'s|\s+is)\s+)?(?:the\s+)?(?P<rest>[^\s?]+(?:\s[^\s?]+){0,3})[\s?]*$", re.IGNORECASE
)
"""What is asked for in so many words, or named alone."""


def choose_form(question: str, requested_form: DigestForm | None = None, profile: Profile | None = None) -> FormChoice:
    """Return `requested_form`, or else the form of the first rule that matches the question; findings if none does.

    `profile` names the quantities of the field, by default astronomy. The rules are for English; in other languages,
    they recognise only questions that ask for a value.
    """
    if requested_form is not None:
        return FormChoice(requested_form, "chosen by the reader")
    match = _WHAT_IS.match(question)
    if match is not None and any(
        re.fullmatch(kind.words, match["rest"], re.IGNORECASE) or re.fullmatch(kind.symbols, match["rest"])
        for kind in field_kinds(profile).kinds
        if kind.is_named
    ):
        return FormChoice(DigestForm.VALUES, "the question asks for a quantity")
    for form, pattern, reason in _rules(profile):
        if pattern.search(question.strip()):
            return FormChoice(form, f"the question {reason}")
    languages = languages_of([question])
    if len(languages) == 1 and "English" not in languages:
        return FormChoice(
            DigestForm.FINDINGS, f"the question seems to be in {languages[0]}, a language that the rules do not cover"
        )
    return FormChoice(DigestForm.FINDINGS, "the question is open-ended")


@cache
def _rules(profile: Profile | None) -> tuple[tuple[DigestForm, re.Pattern[str], str], ...]:
    """Return the rules for a field, by default astronomy."""
    profile = profile or astronomy()
    names = profile.names
    quantities = (word for quantity in profile.quantities for word in quantity.words)
    measures = "|".join((*names.measures, *quantities)) or "(?!)"
    facilities = rf"(?=\w+(?:s|craft)\b)(?:{plurals_of(noun for kind in names.facilities for noun in kind) or '(?!)'})"
    return tuple(
        (
            form,
            re.compile(pattern.replace("MEASURES", measures).replace("FACILITIES", facilities), re.IGNORECASE),
            reason,
        )
        for form, pattern, reason in _RULES
    )
