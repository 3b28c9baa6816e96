"""Nouns for the things that a value may belong to: those that every field has, and those of a single field."""

import re
from dataclasses import dataclass
from functools import cached_property

from pathfinder.profile import Names, Owners
from pathfinder.text.inflection import plurals_of

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
    def object(self) -> re.Pattern[str]:
        """A short noun phrase for a thing in the field: "nearby galaxies"."""
        return re.compile(rf"^(?:[a-z-]+ ){{0,3}}(?:{plurals_of(self._things) or '(?!)'})$")

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
    def here(self) -> str:
        """Pattern for the place from which distances are measured, unless a sentence says otherwise."""
        return "|".join(("us", *self.owners.standpoints))

    @cached_property
    def is_here(self) -> re.Pattern[str]:
        return re.compile(rf"(?:{self.here})\.?", re.IGNORECASE)

    @cached_property
    def from_another(self) -> re.Pattern[str]:
        """Words after a distance that is measured from another place: "from the cluster", but not "from the Sun"."""
        return re.compile(rf"[\s$]*(?:away\s)?from\s(?!(?:here|(?:the\s)?(?:{self.here}))\b)", re.IGNORECASE)

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
