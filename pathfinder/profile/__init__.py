"""Everything specific to the field of a corpus: its terms, questions, services and texts."""

from pathfinder.profile.names import Names, Owners
from pathfinder.profile.profile import (
    Abstention,
    CheckExample,
    Field,
    Meaning,
    OverloadedTerm,
    PageExamples,
    Profile,
    RedirectTexts,
    Services,
    Translations,
)
from pathfinder.profile.profile_file import (
    Compounds,
    astronomy,
    everyday_words,
    off_topic_questions,
    parse_profile,
    read_profile,
    shipped_compounds,
)
from pathfinder.profile.quantity import FieldQuantity

__all__ = [
    "Abstention",
    "CheckExample",
    "Compounds",
    "Field",
    "FieldQuantity",
    "Meaning",
    "Names",
    "OverloadedTerm",
    "Owners",
    "PageExamples",
    "Profile",
    "RedirectTexts",
    "Services",
    "Translations",
    "astronomy",
    "everyday_words",
    "off_topic_questions",
    "parse_profile",
    "read_profile",
    "shipped_compounds",
]
