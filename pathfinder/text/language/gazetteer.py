"""Gazetteer: names of facilities and objects, which are recognised as names even in lower case."""

from dataclasses import dataclass

Words = frozenset[str]


@dataclass(frozen=True, slots=True)
class Gazetteer:
    """Names of a field, in lower case."""

    facilities: Words = frozenset()
    """Facilities, instruments, surveys, simulations and codes whose names have no other meaning."""
    ambiguous: Words = frozenset()
    """Facilities that share their name with a concept: "Hubble images", but "Hubble constant"."""
    objects: Words = frozenset()
    phrases: frozenset[tuple[str, ...]] = frozenset()
    """Names of more than one word, each as a tuple."""
    catalogues: Words = frozenset()
    """Catalogue names that precede a number: "ngc 1068"."""
    kinds: Words = frozenset()
    """Nouns that end the name of an object or a facility: "galaxy" in "Andromeda galaxy"."""
    uses: Words = frozenset()
    """Nouns next to which an ambiguous name means the facility."""
    classes: Words = frozenset()
    """Capitalised words that name a class of things, or something mentioned in every paper."""

    @property
    def longest(self) -> int:
        """Number of words in the longest name, at least 2."""
        return max(map(len, self.phrases), default=2)
