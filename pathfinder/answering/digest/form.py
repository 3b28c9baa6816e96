"""Chooses the form of a digest from the words of the question."""

import re
from typing import NamedTuple

from pathfinder.assessment.values.target import target_quantity
from pathfinder.profile import Profile
from pathfinder.text.english import ARTICLES, AUXILIARIES, any_of
from pathfinder.types import DigestForm


class FormChoice(NamedTuple):
    """A form, and the rule that chose it."""

    form: DigestForm
    reason: str
    """The rule, in words for readers."""


_AUXILIARY = rf"{any_of(AUXILIARIES)}(?:n't)?\s+(?!(?:that|which|to|been|ist|sind|war|waren)\b)"
_NO_DEGREE = any_of(AUXILIARIES, ARTICLES, "to come about we one it they this these that and or".split())
_DEGREE = rf"how (?!{_NO_DEGREE}\b)[\w-]+\b"
"""The word "how" with an adjective, an adverb or a noun: "how far", "how strongly", "how many"."""
_QUANTITY = (
    r"values?|mass(?:es)?|ages?|distances?|redshifts?|temperatures?|radi(?:us|i)|sizes?|diameters?|luminosit(?:y|ies)|"
    r"magnitudes?|periods?|rates?|fractions?|percentages?|shares?|portions?|proportions?|probabilit(?:y|ies)|chances?|"
    r"velocit(?:y|ies)|speeds?|densit(?:y|ies)|(?<!dark )(?<!vacuum )energ(?:y|ies)|frequenc(?:y|ies)|wavelengths?|"
    r"ratios?|slopes?|index|indices|"
    r"numbers?|levels?|redshift|limits?|bounds?|tilt|angles?|purity|completeness|scatter|precision|accuracy|"
    r"abundances?|contents?|sum|metallicit(?:y|ies)|amplitudes?|"
    r"eccentricit(?:y|ies)|inclinations?|pressures?|lifetimes?|timescales?|durations?|depths?|significance|constant|"
    r"spins?|flux(?:es)?|extinction|curvature|brightness|albedo|width|height|thickness|weight|volume|power|parallax|"
    r"strengths?|efficienc(?:y|ies)|opacity|viscosity|concentration|asymmetry|dispersion|multiplicity|yields?"
)
_CHANGE = (
    r"change[sd]?|alter(?:s|ed)?|affect(?:s|ed)?|influence[sd]?|improve[sd]?|reduce[sd]?|increase[sd]?|decrease[sd]?|"
    r"var(?:y|ies)|differ(?:s|ed)?|shift(?:s|ed)?|gain(?:s|ed)?|lose|better|worse|more|less|longer|shorter|larger|"
    r"smaller|"
    r"stronger|weaker|boost(?:s|ed)?|degrade[sd]?|bias(?:es|ed)?|matter"
)
_THINGS = (
    r"surveys|codes|missions|satellites|telescopes|instruments|methods|techniques|catalogues|catalogs|packages|tools|"
    r"data ?sets|spacecraft|probes|observatories|experiments|libraries|programs|algorithms|simulations"
)
"""Things whose names a question asks for, even if it also mentions a quantity."""

_RULES = (
    (
        DigestForm.FACT,
        (
            r"^(?:who|whose|when was|when were|when did|where(?! can\b)|"
            r"(?:(?:in|on|at) )?(?:what|which) (?:years?|months?|days?|dates?|decades?|century|centuries))\b"
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
            r"^what (?:causes?|drives?|powers?|explains?|triggers?|shapes?|happens?|makes?|decides?|determines?|"
            r"governs?|controls?|regulates?|"
            r"(?:is|are|was) (?:the )?(?:origin|role|nature|cause|evidence|reason|effect|status|relation\w*))\b"
        ),
        "asks for an explanation",
    ),
    (
        DigestForm.FINDINGS,
        r"^what (?:would|will|might|could|do|does|did) .*\b(?:look like|be like|happen|follow|become|mean)\b",
        "asks what something is or would be like",
    ),
    (DigestForm.FINDINGS, r"^what (?:is|are|do|does|can|did) .*\b(?:known?|understand)\b", "asks what is known"),
    (DigestForm.FINDINGS, r"\bhow (?:important|relevant|crucial|essential|necessary|useful)\b", "asks why or how"),
    (DigestForm.LIST, rf"^(?:which|what)(?: are the)? (?:[\w-]+ ){{0,2}}?(?:{_THINGS})\b", "asks which things"),
    (DigestForm.VALUES, rf"\b{_DEGREE}", "asks how much or how many"),
    (
        DigestForm.VALUES,
        rf"\b(?:what|which)(?:'s| is| are| was| were)? (?:the )?(?:[\w-]+ ){{0,3}}?(?:{_QUANTITY})\b",
        "asks for a quantity",
    ),
    (DigestForm.VALUES, r"\b(?:valor|valeur|valore|wert)\b", "asks for a value"),
    (DigestForm.FINDINGS, r"^what(?:'s| is| are) (?:an? |the )?[\w-]+(?: [\w-]+){0,2}\??$", "asks what something is"),
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
    (DigestForm.SIDES, rf"[,:]\s*(?:then\s+)?{_AUXILIARY}", "can be answered with yes or no"),
)
"""Form, pattern and reason, in order of precedence."""


_NAMES_ONE_THING = re.compile(r"what(?:'s| is| was) (?:the )?\S+(?: \S+){0,2}", re.IGNORECASE)


def choose_form(question: str, requested: DigestForm | None = None, profile: Profile | None = None) -> FormChoice:
    """Return `requested`, or else the form of the first rule that matches the question; findings if none does.

    `profile` names the quantities of the field, by default those of astronomy: "What is H0?" asks for a value.
    """
    if requested is not None:
        return FormChoice(requested, "chosen by the reader")
    if _NAMES_ONE_THING.fullmatch(question.strip()):
        target = target_quantity(question, profile)
        if target is not None and target.kind.is_universal:
            return FormChoice(DigestForm.VALUES, "the question names a quantity")
    for form, pattern, reason in _RULES:
        if re.search(pattern, question.strip(), re.IGNORECASE):
            return FormChoice(form, f"the question {reason}")
    return FormChoice(DigestForm.FINDINGS, "the question is open-ended")
