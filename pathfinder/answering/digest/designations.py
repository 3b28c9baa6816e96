"""Recognises papers on the object whose designation a question names, such as GW150914, and papers on its siblings,
such as GW151226.
"""

import re

from pathfinder.types import Paper

_DESIGNATION = re.compile(
    r"(?<![\w-])(?P<stem>[A-Z][A-Za-z\d]*-|[A-Z][A-Za-z]*(?=\d{2})|[A-Z]{2,}\s(?=\d{2}))(?P<number>\d+)"
    r"(?P<letter>\s?[a-z](?!\w)|[A-Z])?"
)
"""Letters, a number and perhaps a letter: "GW150914", "M87", "WASP-12b", "SN 1987A"; not "H0" or "CO2"."""


def is_on_the_object(question: str, paper: Paper) -> bool:
    """Return whether `paper` names every object that `question` designates, and does not name a sibling in its title
    instead; true if the question has no designation.
    """
    return all(
        _pattern(match).search(paper.text) and not _names_a_sibling(match, paper.title)
        for match in _DESIGNATION.finditer(question)
    )


def _pattern(match: re.Match[str]) -> re.Pattern[str]:
    """Return a pattern that matches a designation with or without a space or a hyphen between its parts."""
    stem, letter = re.escape(match["stem"].rstrip("- ")), (match["letter"] or "").strip()
    return re.compile(rf"(?<!\w){stem}[-\s~]?{match['number']}(?!\d)[-\s~]?(?:[A-Z]{{0,2}}\s?)?{letter}")


def _names_a_sibling(question_name: re.Match[str], title: str) -> bool:
    stem = question_name["stem"].rstrip("- ")
    numbers = {match["number"] for match in _DESIGNATION.finditer(title) if match["stem"].rstrip("- ") == stem}
    return bool(numbers) and question_name["number"] not in numbers
