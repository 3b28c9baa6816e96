"""What stands around a name and says that an instrument is meant: surely, or perhaps, for a person has and does it too.

"Hubble images", "with Hubble" and "missions such as Hubble" are sure; "Hubble's images", "by Hubble" and "Hubble
observed" were said of Edwin Hubble as well.
"""

import re
from collections.abc import Iterable

from pathfinder.landscape.missions.context import Context

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
"""What may lie between a name and the next word."""
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
"""Missions, and no persons, are set in italics."""
_PERHAPS_BEFORE = re.compile(
    r"(?:\b(?:from|via)(?:\s+(?:the|both|new|archival|deep|NASA's|ESA's))*\s+"
    r"|\b(?:observed|imaged|taken|obtained|provided|collected|surveyed|delivered|released|resolved|seen|mapped|measured"
    r"|detected|revealed|monitored|traced|probed|recorded)\s+by(?:\s+the)?\s+)$",
    re.IGNORECASE,
)
_AT = re.compile(r"\b(?:at|on)(?:\s+the)?\s+$")
"""What stands before a facility on the ground."""
_ANYWHERE = re.compile(rf"\b(?:{_ANY_THING}|ha(?:s|ve)|wavelengths?|infrared)\b")
_LITTLE_WORDS = "and or but for from with on in to at as by of the who was were that which about between after like"
_A_VERB = rf"(?!(?:{'|'.join(_LITTLE_WORDS.split())})\b)[a-z]{{3,}}"
"""A word that may be a verb."""
_ACTS = re.compile(rf"\s+{_A_VERB}")
_IS_ACTED_ON = re.compile(rf"(?<!\w){_A_VERB}\s+$")
_LOOK_BACK = 40


def followed_by_its_own(words: Iterable[str]) -> re.Pattern[str] | None:
    """What finds, behind a name, one of the words that mean this mission only; `None` where there are none."""
    own = "|".join(map(re.escape, words))
    return re.compile(rf"(?:'s|’s)?{SPACE}+(?:{own})(?!\w)") if own else None


def is_surely_meant(context: Context, *, on_the_ground: bool) -> bool:
    """Whether what stands beside a name, or the names that it is joined to, stands beside instruments alone.

    `on_the_ground` is a facility, at which one observes.
    """
    if any(_HAS_THINGS.match(context.text, end) for end in context.ends):
        return True
    if on_the_ground and _stand_before(_AT, context):
        return True
    return not _is_owner(context) and _stand_before(_SURELY_BEFORE, context)


def is_perhaps_meant(context: Context) -> bool:
    """The same for what stands beside persons too."""
    if any(_OWNS_THINGS.match(context.text, end) or _DOES.match(context.text, end) for end in context.ends):
        return True
    return not _is_owner(context) and _stand_before(_PERHAPS_BEFORE, context)


def tells_of_instruments(context: Context) -> bool:
    """Whether the sentence speaks of instruments, or says what those that are named do or what is done to them."""
    before, behind = context.sentence
    if _ACTS.match(behind) or _IS_ACTED_ON.search(before):
        return True
    return any(_ANYWHERE.search(part) for part in (before, behind))


def _is_owner(context: Context) -> bool:
    return any(_OWNS.match(context.text, end) for end in context.ends)


def _stand_before(pattern: re.Pattern[str], context: Context) -> bool:
    return any(pattern.search(context.text, max(start - _LOOK_BACK, 0), start) for start in context.starts)
