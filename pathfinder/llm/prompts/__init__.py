"""Prompts as Markdown files with `$names`, rendered strictly: a missing or extra name is an error."""

from importlib import resources
from string import Template


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
