"""Words around a name that show that an instrument is meant or, if they also fit a person, that it may be meant.

"Hubble images", "with Hubble" and "missions such as Hubble" are certain; "Hubble's images", "by Hubble" and "Hubble
observed" have been written about Edwin Hubble as well.
"""

import re
from collections.abc import Iterable

from pathfinder.missions.context import NameContext
from pathfinder.text.english import CONJUNCTIONS, PREPOSITIONS, any_of

_THINGS = (
    "telescope telescopes observatory satellite spacecraft probe mission missions observation observations "
    "observing image images imaging imagery data dataset datasets archive archival photometry photometric spectroscopy "
    "spectroscopic spectrum spectra spectral survey surveys catalog catalogs catalogue catalogues field fields "
    "exposure exposures pointing pointings program programs programme programmes measurement measurements detection "
    "detections team collaboration results instrument instruments camera detector monitoring snapshot mosaic mosaics "
    "light-curve lightcurve lightcurves coverage sources source upper grism coronagraphic slitless transmission "
    "eclipse transit transits resolution sensitivity Space Telescope Observatory Collaboration Guest cycle Cycle GO "
    "selected based scientists orbits maps cameras velocities"
).split()
SPACE = r"(?:[\s}$\-–/]|\\,|~)"
"""Pattern for the space between a name and the next word."""
_ANY_THING = "|".join(map(re.escape, _THINGS))
_HAS_THINGS = re.compile(rf"{SPACE}+(?:{_ANY_THING})(?!\w)")
_OWNS_THINGS = re.compile(rf"(?:'s|’s)\s+(?:[\w-]+\s+){{0,2}}(?:{_ANY_THING}|light\s+curves?|20\d\d)(?!\w)")
_OWNS = re.compile(r"'s|’s")
_DOES = re.compile(rf"{SPACE}+(?:observed|detected|identified|discovered|imaged)(?!\w)")
_SURELY_BEFORE = re.compile(
    r"(?:\b(?:with|using|combining|aboard|on\s?board)(?:\s+(?:the|both|new|archival|deep|NASA's|ESA's))*\s+"
    r"|\b(?:missions?|telescopes?|instruments?|surveys?|facilities|observator(?:y|ies)|satellites?)"
    r"(?:\s+(?:like\s+|such\s+as\s+|including\s+)?|\s*\()"
    r"|\b(?:NASA|ESA|NASA/ESA)(?:'s)?\s+"
    r"|\{\\(?:it|em|sl)\s+|\\(?:textit|textsl|textsc|emph|mathit)\s*\{\s*|(?<!\w)\$)$",
    re.IGNORECASE,
)
"""Text after which a name is certainly an instrument's; the names of missions are set in italics, but those of people
are not.
"""
_PERHAPS_BEFORE = re.compile(
    r"(?:\b(?:from|via)(?:\s+(?:the|both|new|archival|deep|NASA's|ESA's))*\s+"
    r"|\b(?:observed|imaged|taken|obtained|provided|collected|surveyed|delivered|released|resolved|seen|mapped|measured"
    r"|detected|revealed|monitored|traced|probed|recorded)\s+by(?:\s+the)?\s+)$",
    re.IGNORECASE,
)
_AT = re.compile(r"\b(?:at|on)(?:\s+the)?\s+$")
"""Text before the name of a ground-based facility."""
_ANYWHERE = re.compile(rf"\b(?:{_ANY_THING}|ha(?:s|ve)|wavelengths?|infrared)\b")
_LITTLE_WORDS = any_of(PREPOSITIONS, CONJUNCTIONS, "as the who was were that which about between after like".split())
_A_VERB = rf"(?!{_LITTLE_WORDS}\b)[a-z]{{3,}}"
"""Pattern for a word that may be a verb."""
_ACTS = re.compile(rf"\s+{_A_VERB}")
_IS_ACTED_ON = re.compile(rf"(?<!\w){_A_VERB}\s+$")
_LOOK_BACK = 40


def followed_by_its_own(words: Iterable[str]) -> re.Pattern[str] | None:
    """Compile a pattern for words after a name that refer only to this mission; `None` if there are none."""
    own = "|".join(map(re.escape, words))
    return re.compile(rf"(?:'s|’s)?{SPACE}+(?:{own})(?!\w)") if own else None


def is_certainly_meant(context: NameContext, *, on_the_ground: bool) -> bool:
    """True if the words next to a name, or next to the names joined to it, are used only with instruments.

    `on_the_ground` is true for a ground-based facility, at which people observe.
    """
    if any(_HAS_THINGS.match(context.text, end) for end in context.ends):
        return True
    if on_the_ground and _stand_before(_AT, context):
        return True
    return not _is_owner(context) and _stand_before(_SURELY_BEFORE, context)


def is_possibly_meant(context: NameContext) -> bool:
    """True if the words next to the name are used with both instruments and people."""
    if any(_OWNS_THINGS.match(context.text, end) or _DOES.match(context.text, end) for end in context.ends):
        return True
    return not _is_owner(context) and _stand_before(_PERHAPS_BEFORE, context)


def tells_of_instruments(context: NameContext) -> bool:
    """True if the sentence is about instruments, or describes what they do or how they are used."""
    before, behind = context.sentence
    if _ACTS.match(behind) or _IS_ACTED_ON.search(before):
        return True
    return any(_ANYWHERE.search(part) for part in (before, behind))


def _is_owner(context: NameContext) -> bool:
    return any(_OWNS.match(context.text, end) for end in context.ends)


def _stand_before(pattern: re.Pattern[str], context: NameContext) -> bool:
    return any(pattern.search(context.text, max(start - _LOOK_BACK, 0), start) for start in context.starts)
