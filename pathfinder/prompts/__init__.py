"""Prompts as Markdown files with `$names`, rendered strictly: a name too few or too many is an error."""

from importlib import resources
from string import Template


def render(name: str, **values: str) -> str:
    """The prompt `name.md` with its `$names` replaced; a `$` inside a value is left as it is.

    Raises `ValueError` unless `values` has exactly the names that the prompt has.
    """
    template = Template(resources.files(__name__).joinpath(f"{name}.md").read_text(encoding="utf-8"))
    wanted = set(template.get_identifiers())
    if missing := wanted - values.keys():
        raise ValueError(f"the prompt {name} needs {', '.join(sorted(missing))}: pass each by its name")
    if extra := values.keys() - wanted:
        raise ValueError(f"the prompt {name} has no place for {', '.join(sorted(extra))}: write it into {name}.md")
    return template.substitute(values).strip()
