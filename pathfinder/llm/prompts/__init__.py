"""Prompts as Markdown files with `$names`, rendered strictly: a missing or extra name is an error; and with blanks for
the terms of the corpus's field: «expert», «field» and so on.
"""

import re
from importlib import resources
from string import Template

from pathfinder.profile import Field


def render(name: str, **values: str) -> str:
    """Return the prompt `name.md` with its `$names` replaced; a `$` inside a value is left unchanged.

    Raises `ValueError` unless the names in `values` are exactly those in the prompt.
    """
    template = Template(resources.files(__name__).joinpath(f"{name}.md").read_text(encoding="utf-8"))
    identifiers = set(template.get_identifiers())
    if missing := identifiers - values.keys():
        raise ValueError(f"the prompt {name} needs {', '.join(sorted(missing))}: pass each by name")
    if extra := values.keys() - identifiers:
        raise ValueError(f"the prompt {name} has no place for {', '.join(sorted(extra))}: write it into {name}.md")
    return template.substitute(values).strip()


_BLANK = re.compile(r"«(?P<article>an )?(?P<name>field|adjective|experts?|student|named things)»")
"""A word that the profile fills in, as in "«an expert»"; other text in these quotation marks is left alone."""
_VOWEL = re.compile(r"(?!eu|uni|one|use|ubi|ura|uro|uti|ute)[aeiou]|hour|hono|heir", re.IGNORECASE)
"""Beginning of a word that takes the article "an"."""


def in_words_of(field: Field, prompt: str) -> str:
    """Fill the blanks of a system prompt with the terms of `field`."""
    terms = {
        "field": field.name,
        "adjective": field.adjective,
        "expert": field.expert,
        "experts": f"{field.expert}s",
        "student": field.student or f"{field.name} student",
        "named things": field.named_things,
    }

    def fill(blank: re.Match[str]) -> str:
        term = terms[blank["name"]]
        return f"{'an' if _VOWEL.match(term) else 'a'} {term}" if blank["article"] else term

    return _BLANK.sub(fill, prompt)
