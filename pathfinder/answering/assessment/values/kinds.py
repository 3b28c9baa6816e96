"""Kinds of quantities: their names in questions and in papers, their symbols, and the dimensions of their units."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

from pathfinder.profile import FieldQuantity, Names, Owners, Profile, astronomy
from pathfinder.text.inflection import plurals_of
from pathfinder.text.quantities.nouns import QUANTITY_NOUNS as _NOUNS

Dimensions = tuple[tuple[str, int], ...]

NO_UNIT: Dimensions = ()
"""Dimensions of a plain number."""
_MASS: Dimensions = (("mass", 1),)
_LENGTH: Dimensions = (("length", 1),)
_TIME: Dimensions = (("time", 1),)
_ANGLE: Dimensions = (("angle", 1),)
_SPEED: Dimensions = (("length", 1), ("time", -1))
_SHARE: Dimensions = (("share", 1),)
_MAGNITUDE: Dimensions = (("magnitude", 1),)

_NOTHING = r"(?!)"
"""Pattern that matches nothing."""


@dataclass(frozen=True, slots=True)
class QuantityKind:
    """A kind of quantity, such as a mass or the Hubble constant."""

    name: str
    words: str
    """Regular expression for its names in a paper."""
    dimensions: tuple[Dimensions, ...]
    """Possible dimensions of its unit; `NO_UNIT` if it may be a plain number."""
    symbols: str = _NOTHING
    """Regular expression for its symbols before an equals sign, without spaces or braces."""
    questions: str = _NOTHING
    """Regular expression for questions that ask for it without naming it."""
    unit: str = ""
    """Regular expression that a unit must contain; empty if the dimensions suffice."""
    is_universal: bool = False
    """True for a quantity that has one value, which is measured again and again: the newest is shown first."""
    is_named: bool = False
    """True for a quantity that its name or unit identifies beyond doubt, whatever object it belongs to."""
    is_place: bool = False
    """True for a quantity that says how far away something is: a distance or a redshift."""


_I = re.IGNORECASE

GENERAL = (
    QuantityKind("optical depth", rf"optical {_NOUNS['depth']}", (NO_UNIT,), symbols=r"τ.*|tau.*"),
    QuantityKind(
        "height",
        rf"scale[- ]?(?:{_NOUNS['height']}|lengths?)|\b{_NOUNS['height']}\b"
        "|above the (?:plane|surface|photosphere)|elevation",
        (_LENGTH,),
        symbols=r"[hz]_.*",
    ),
    QuantityKind(
        "magnetic field",
        r"(?:magnetic[- ])?fields?(?: strengths?)?",
        ((("field", 1),),),
        symbols=r"B.*",
        questions=r"\bhow (?:strong|magneti[sz]ed)\b",
    ),
    QuantityKind(
        "temperature",
        rf"{_NOUNS['temperature']}|effective {_NOUNS['temperature']}"
        r"|\b(?:hot(?:ter|test)?|cool(?:er|est)?|cold(?:er|est)?|warm(?:er)?)\b",
        ((("temperature", 1),), (("celsius", 1),)),
        symbols=r"T.*|kT.*",
        questions=r"\bhow (?:hot|cold|cool|warm)\b",
    ),
    QuantityKind(
        "luminosity",
        r"luminosit(?:y|ies)|power(?:s|ful)?\b(?! [-\d])|\boutput",
        ((("energy", 1), ("time", -1)), (("power", 1),), (("luminosity", 1),), (("energy", 1), ("time", -1))),
        symbols=r"L.*|(?:log)?_?(?:10)?L.*",
        questions=r"\bhow (?:luminous|powerful)\b",
    ),
    QuantityKind(
        "magnitude",
        r"magnitudes?|bright(?:ness|er|est)?|extinction|reddening",
        (_MAGNITUDE,),
        symbols=r"[mMVBGJHKI]_?.*|A_?V|E\(B-V\)",
        questions=r"\bhow bright\b",
    ),
    QuantityKind(
        "age",
        r"\bage[sd]?\b|\bold(?:er)?\b|\bago\b|lifetimes?",
        (_TIME,),
        symbols=r"t.*|τ.*|[aA]ge",
        questions=r"\bhow old\b|\bwhen did\b.*\bform",
    ),
    QuantityKind(
        "period",
        rf"{_NOUNS['period']}\b|\brotation\b|\bspins?\b(?!-down|-up)|\bturns?\b|\bevery\b|\bpulses?\b"
        r"|\borbit(?:s|ing)?\b|\bcircl(?:es|ing)\b|periodicit(?:y|ies)",
        (_TIME,),
        symbols=r"P.*|T_?orb.*",
        questions=r"\bhow long (?:is|does) .*\b(?:orbit|rotat|day|year|turn)",
    ),
    QuantityKind(
        "duration",
        rf"{_NOUNS['duration']}|\blast(?:s|ed|ing)?\b|time[- ]?scales?|(?:time[- ])?\blags?\b"
        r"|\bdelays?\b|\bexposures?\b",
        (_TIME,),
        symbols=r"t_?dur.*|T_?90|Δt.*|t_?d.*",
        questions=r"\bhow long\b",
    ),
    QuantityKind(
        "speed",
        rf"{_NOUNS['velocity']}|{_NOUNS['speed']}|approach(?:es|ing)?|coming towards|recession|reced(?:es?|ing)"
        r"|rotation curve|moving|\bmotion\b",
        (_SPEED,),
        symbols=r"[vVuK].*",
        questions=r"\bhow (?:fast|quickly|rapidly)\b",
    ),
    QuantityKind(
        "mass",
        rf"\b{_NOUNS['mass']}\b|\bmassive\b|\bweigh(?:s|ed|t)?\b|\bheav(?:y|ier|iest)\b|\bweights?\b",
        (_MASS,),
        symbols=r"(?:log)?_?(?:10)?\(?[Mm].*",
        questions=r"\bhow (?:massive|heavy|much (?:mass|matter|does .* weigh))\b",
    ),
    QuantityKind(
        "inclination",
        rf"{_NOUNS['inclination']}|inclined|tilt(?:ed)?|obliquit(?:y|ies)|\b{_NOUNS['angle']}\b"
        rf"|pitch(?:ed)?(?: {_NOUNS['angle']})?",
        (_ANGLE,),
        symbols=r"i.*|ψ.*|θ.*|ι.*",
    ),
    QuantityKind("eccentricity", _NOUNS["eccentricity"], (NO_UNIT,), symbols=r"e(?:_.*)?"),
    QuantityKind("density", _NOUNS["density"], ((("length", -3), ("mass", 1)), (("length", -3),)), symbols=r"ρ.*|n.*"),
    QuantityKind("surface density", rf"surface {_NOUNS['density']}", ((("length", -2), ("mass", 1)),), symbols=r"Σ.*"),
    QuantityKind(
        "energy",
        rf"{_NOUNS['energy']}|energetic",
        ((("energy", 1),),),
        symbols=r"E.*",
        questions=r"\bhow (?:energetic|much energy)",
    ),
    QuantityKind("frequency", _NOUNS["frequency"], ((("frequency", 1),),), symbols=r"ν.*|f.*"),
    QuantityKind("wavelength", _NOUNS["wavelength"], (_LENGTH,), symbols=r"λ.*"),
    QuantityKind(
        "distance",
        rf"{_NOUNS['distance']}|\baway\b|\bfar(?:ther|thest)?\b(?! side)|\bdistant\b|\blies?\b|\boff\b|parallax(?:es)?"
        r"|\bto the (?:galactic )?cent(?:re|er)\b|\bput (?:it|them|both|the)\b|\bplaces?\b",
        (_LENGTH,),
        symbols=r"[dD].*|R_?0",
        questions=r"\bhow (?:far|distant)\b",
        is_place=True,
    ),
    QuantityKind(
        "separation",
        rf"{_NOUNS['separation']}|semi-?major axis|semi-?major axes|\borbital (?:distance|radius)",
        (_LENGTH, _ANGLE),
        symbols=r"a.*|s.*",
    ),
    QuantityKind(
        "radius",
        rf"\b{_NOUNS['radius']}\b|half-light {_NOUNS['radius']}",
        (_LENGTH, _ANGLE),
        symbols=r"[Rr].*",
        questions=r"\bhow (?:large|big)\b",
    ),
    QuantityKind(
        "diameter",
        rf"{_NOUNS['diameter']}|\bacross\b|\bwide\b|\bwidth\b|\b{_NOUNS['size']}\b|\bthick(?:ness)?\b",
        (_LENGTH, _ANGLE),
        symbols=r"[Dd].*",
        questions=r"\bhow (?:large|big|wide|thick)\b",
    ),
    QuantityKind(
        "slope",
        rf"\b{_NOUNS['slope']}\b|\bpower(?= [-\d])|\bindex\b|\bindices\b|\bexponents?\b",
        (NO_UNIT,),
        symbols=r"[αβγΓ].*|slope",
    ),
    QuantityKind("ratio", rf"\b{_NOUNS['ratio']}\b|\bD/H\b", (NO_UNIT,), symbols=r"q.*|D/H|.*/.*"),
    QuantityKind(
        "fraction",
        rf"{_NOUNS['fraction']}|\bshare\b|{_NOUNS['percentage']}|\bproportion\b|{_NOUNS['efficiency']}",
        (_SHARE, NO_UNIT),
        symbols=r"f.*",
        questions=r"\b(?:what|which) (?:fraction|percentage|share|proportion)\b",
    ),
)
"""Kinds that every field has, in order of precedence: narrower kinds come first. Those of a single field come from its
profile.
"""

RELATIVE = {
    "mass": {"Jupiter": "MJ", "Earth": "ME", "Sun": "M⊙"},
    "radius": {"Jupiter": "RJ", "Earth": "RE", "Sun": "R⊙"},
    "diameter": {"Jupiter": "RJ", "Earth": "RE", "Sun": "R⊙"},
    "luminosity": {"Sun": "L⊙"},
}
"""Units of values stated as multiples of a property of Jupiter, the Earth or the Sun."""

# Nouns for the things that a value may belong to: those that every field has, and those of a single field.

_OBJECTS = ("object", "source", "system", "body", "event", "same")
"""Words after "the" with which a sentence in any field refers back to an object: "the source", "the same"."""
_PARTS = ("core", "nucleus", "surface", "envelope")
_OTHERS = tuple(
    "object source system component member group structure population particle sample model simulation detector line "
    "wave ray photon electron ion atom region core envelope cloud clump filament shell rock stone grain gas dust "
    "plasma tracer spot seed analogue analog twin sibling mirror".split()
)
"""Nouns used in every field for things that have their own values."""
_QUALIFIERS = tuple(
    "total gas dust peak minimum maximum mean median typical effective surface core angular gravitational rotation "
    "rotational radial tangential circular proper apparent absolute spin equilibrium brightness electron ion".split()
)
_OBSERVERS = ("detector", "model", "simulation")
_OTHER_SENSES = {
    "distance": ("projected", "radial", "impact", "closest", "approach"),
    "speed": ("relative", "encounter", "peculiar", "ejection"),
}
"""Words before the name of a quantity that give it another sense, unless the question contains them too."""
_NO_OBJECT = r"UV|IR|CL|M|KG|MCMC|FWHM|DR\d"
"""Abbreviations used in every field that look like designations."""


@dataclass(frozen=True, eq=False)
class FieldNouns:
    """Nouns for the things that values belong to in a field, as patterns in lower case."""

    names: Names
    owners: Owners

    @cached_property
    def thing(self) -> str:
        """Anything that has a mass, an age and so on, singular or plural."""
        return rf"(?:{plurals_of((*self._things, *_OTHERS))})"

    @cached_property
    def anaphor(self) -> re.Pattern[str]:
        """Words that refer back to an object: "its", "the galaxy"."""
        return re.compile(
            rf"(?:its|their|his|her|it|they|them|(?:the|this|that|our)\s(?:[\w-]+\s){{0,2}}?(?:{'|'.join(self._objects)}))"
        )

    @cached_property
    def part(self) -> re.Pattern[str]:
        """A part of an object, in the singular."""
        return re.compile(rf"\b(?:{'|'.join((self._total, *_PARTS, *self.owners.parts))})(?!\w)")

    @cached_property
    def is_total(self) -> re.Pattern[str]:
        """The name of a part of an object, ending in "total": "the stellar total"."""
        return re.compile(rf"\b{self._total}$")

    @cached_property
    def opening(self) -> re.Pattern[str]:
        """Adjectives that describe the quantity but precede the name of its owner: "total", "current"."""
        adjectives = "|".join(("total", "enclosed", "current", "present", "new", *self.owners.attributes))
        return re.compile(rf"^(?:(?!{self._total}$)(?:{adjectives})\s+)+", re.IGNORECASE)

    @cached_property
    def ending(self) -> re.Pattern[str]:
        """Words after the name of an owner that do not belong to it: "of", "total"."""
        return re.compile(
            rf"\s+(?:{'|'.join(('of', 'in', 'to', 'for', 'at', 'on', 'total', *self.owners.attributes))})$"
        )

    @cached_property
    def from_another(self) -> re.Pattern[str]:
        """Words after a distance that is measured from another place: "from the cluster", but not "from the Sun"."""
        here = "|".join(("here", "us", *(rf"(?:the\s)?(?:{place})" for place in self.owners.standpoints)))
        return re.compile(rf"[\s$]*(?:away\s)?from\s(?!(?:{here})\b)", re.IGNORECASE)

    def other_sense(self, quantity: str) -> re.Pattern[str]:
        """Return a pattern for words before the name of a quantity that give it another sense."""
        own = [word for sense in self.owners.other_senses if sense.quantity == quantity for word in sense.words]
        return re.compile("|".join((*_OTHER_SENSES.get(quantity, ()), *own)) or "(?!)", re.IGNORECASE)

    @cached_property
    def after_a_name(self) -> re.Pattern[str]:
        """Nouns that may follow a name without naming anything else: "the LMC galaxy"."""
        own = {*self._objects, *map(re.escape, self.names.kinds)} - {"same", *self.owners.members}
        return re.compile(rf"(?:{'|'.join(sorted(own))}|itself)")

    @cached_property
    def member(self) -> str:
        """A thing that belongs to an object but is not the object itself."""
        return rf"(?:{'|'.join(self.owners.members) or '(?!)'})"

    @cached_property
    def comparison(self) -> re.Pattern[str]:
        """The name of a thing with which another is compared: "Jupiter-like", "unlike the Sun"."""
        standard = rf"(?:{'|'.join(self.owners.standards) or '(?!)'})"
        return re.compile(
            rf"{standard}(?:s\b|[- ](?:mass(?:es)?|radi(?:us|i)|like|sized?|type)\b)"
            rf"|times (?:that of |the )?{standard}\w*|\bthan (?:that of )?(?:the |our )?{standard}\b|"
            r"\b(?:apart|aside|different|away) from [\w -]+|\b(?:except|unlike|other than|besides) [\w -]+"
        )

    @cached_property
    def no_object(self) -> re.Pattern[str]:
        """An acronym that looks like a designation but is not one."""
        return re.compile(rf"(?:{'|'.join((_NO_OBJECT, *self.owners.no_objects))})s?\d*")

    @cached_property
    def qualifier(self) -> re.Pattern[str]:
        """Words that narrow the name of a quantity: "total stellar"."""
        return re.compile(rf"(?:(?:{'|'.join((*_QUALIFIERS, *self.owners.qualifiers))})\s*)+$", re.IGNORECASE)

    @cached_property
    def observer(self) -> re.Pattern[str]:
        """A noun for something that observes or models an object, and so is not part of it: "LMC telescopes"."""
        nouns = (noun for kind in self.names.facilities for noun in kind)
        return re.compile(rf"(?:{plurals_of((*_OBSERVERS, *nouns))})$")

    def rivals(self, quantity: str) -> tuple[str, ...]:
        """Return the patterns for things that must not be confused when a value of this kind of quantity is read."""
        return tuple(thing for rivals in self.owners.rivals if rivals.quantity == quantity for thing in rivals.things)

    @cached_property
    def _total(self) -> str:
        return rf"(?:{'|'.join(self.owners.totals) or '(?!)'}) total"

    @cached_property
    def _objects(self) -> tuple[str, ...]:
        return (*_OBJECTS, *map(re.escape, self.names.things), *self.owners.bodies)

    @cached_property
    def _things(self) -> tuple[str, ...]:
        return (*map(re.escape, self.names.things), *self.owners.members, *self.owners.others)


@dataclass(frozen=True)
class FieldKinds:
    """The kinds of quantities of a field, in order of precedence: its own and the general ones."""

    kinds: tuple[QuantityKind, ...]
    nouns: FieldNouns
    """Nouns for the things that their values belong to."""

    @cached_property
    def _names(self) -> re.Pattern[str]:
        """Pattern for the names of all kinds; `kinds[match.lastindex - 1]` is the kind."""
        return re.compile("|".join(f"({kind.words})" for kind in self.kinds), _I)

    @cached_property
    def place(self) -> str:
        """Pattern for nouns that say how far away something is."""
        return "|".join(
            (_NOUNS["distance"], *(kind.words for kind in self.kinds if kind.is_place and kind not in GENERAL))
        )

    def is_told_by_unit(self, kind: QuantityKind) -> bool:
        """Return whether no other kind may have the same unit, so that a unit such as K is as good as the name."""
        own = {*kind.dimensions} - {NO_UNIT}
        return bool(own) and not any(own & {*other.dimensions} for other in self.kinds if other is not kind)

    def named_in(self, text: str) -> Iterator[tuple[int, int, QuantityKind]]:
        """Yield the start and the end of each name of a kind in `text`, with the kind."""
        for match in self._names.finditer(text):
            yield match.start(), match.end(), self.kinds[(match.lastindex or 1) - 1]


def field_kinds(profile: Profile | None = None) -> FieldKinds:
    """Return the kinds of quantities of the field that a profile describes; astronomy's if there is no profile."""
    profile = profile or astronomy()
    return _join(profile.quantities, profile.names, profile.owners)


@cache
def _join(quantities: tuple[FieldQuantity, ...], names: Names, owners: Owners) -> FieldKinds:
    """Put each of the field's quantities after the general kind that it names, or before them all if it names none."""
    first = [_kind(quantity) for quantity in quantities if quantity.after is None]
    rest = [
        kind
        for general in GENERAL
        for kind in (general, *(_kind(quantity) for quantity in quantities if quantity.after == general.name))
    ]
    return FieldKinds((*first, *rest), FieldNouns(names, owners))


def _kind(quantity: FieldQuantity) -> QuantityKind:
    may_be_share = NO_UNIT in quantity.dimensions and not (quantity.unit or quantity.symbols)
    return QuantityKind(
        quantity.name,
        "|".join(quantity.words),
        (*quantity.dimensions, _SHARE) if may_be_share else quantity.dimensions,  # what has a symbol is no percentage
        symbols=quantity.symbols or _NOTHING,
        questions="|".join(quantity.questions) or _NOTHING,
        unit=quantity.unit or "",
        is_universal=quantity.is_universal,
        is_named=quantity.is_named,
        is_place=quantity.is_place,
    )


@cache
def symbols_of(kind: QuantityKind) -> re.Pattern[str]:
    """Compile the pattern for the symbols of a kind."""
    return re.compile(rf"(?:{kind.symbols})")
