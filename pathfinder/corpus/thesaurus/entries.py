"""A thesaurus as JSON objects: a nested tree, a flat list, SKOS in JSON-LD, or one object per line.

These forms differ in their field names ("altLabels", "altNames", "skos:altLabel", "alt") and in their nesting, so
entries in all forms are read in the same way: a field is recognised by the last part of its name.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from pathfinder.corpus.schemas.fields import Unusable, clean, shorten
from pathfinder.corpus.thesaurus.drafts import Drafts, id_of
from pathfinder.corpus.thesaurus.located_objects import LocatedObject

LABEL_FIELDS = ("name", "label", "prefLabel")
ALTERNATIVE_FIELDS = ("altLabels", "altNames", "altLabel", "alt")
_SEPARATOR = re.compile(r"[:/#]")
_ENGLISH = ("", "en")

Fields = Mapping[str, object]


def read_entries(nodes: Iterable[object], drafts: Drafts) -> None:
    """Fill `drafts` from the entries of a list or graph, and from those nested within them as `children`."""
    pending: list[tuple[object, str | None]] = [(node, None) for node in nodes]
    pending.reverse()
    line = 1
    while pending:
        node, parent = pending.pop()
        line = node.line if isinstance(node, LocatedObject) else line
        concept_id: str | None = None
        try:
            if not isinstance(node, LocatedObject):
                raise Unusable(f"not a JSON object: {shorten(node)}")
            fields = {_local(name): value for name, value in node.items()}
            concept_id = _take(fields, line, parent, drafts)
            children = _list(fields.get("children"))
        except Unusable as reason:
            drafts.reject(line, str(reason), concept_id)
            continue
        pending.extend((child, concept_id) for child in reversed(children))


def _take(fields: Fields, line: int, parent: str | None, drafts: Drafts) -> str | None:
    """Add an entry to the draft of its concept, and return the concept's id; `None` if the entry is not a concept."""
    kinds = {_local(kind) for kind in _strings(fields.get("type"), "type")}
    labels = _texts(fields, *LABEL_FIELDS)
    if kinds and "Concept" not in kinds:
        if "ConceptScheme" in kinds:
            drafts.scheme = next(iter((*labels, *_texts(fields, "title"))), drafts.scheme)
        return None
    concept_id = next(iter(_links(fields, "id") or _links(fields, "uri")), None)
    if concept_id is None:
        raise Unusable("neither an id nor an address")
    if not labels:
        raise Unusable(f"no label for {concept_id!r}")
    alternatives = _texts(fields, *ALTERNATIVE_FIELDS)
    broader, narrower = _links(fields, "broader"), _links(fields, "narrower")
    definition = next(iter(_texts(fields, "definition")), None)
    draft = drafts.draft(concept_id, line)
    if draft.label not in (None, labels[0]):
        raise Unusable(f"the id {concept_id!r} already occurred on line {draft.line}, as {draft.label!r}")
    draft.label = labels[0]
    draft.alternatives += alternatives
    draft.broader += [*broader, *([parent] if parent else [])]
    draft.narrower += narrower
    draft.definition = draft.definition or definition
    draft.is_deprecated |= fields.get("status") == "deprecated" or _is_true(fields.get("deprecated"))
    return concept_id


def _local(name: str) -> str:
    """Return the local part of a name: "prefLabel" for "skos:prefLabel" and for its full URI, "id" for "@id"."""
    return _SEPARATOR.split(name)[-1].removeprefix("@")


def _texts(fields: Fields, *names: str) -> list[str]:
    """Return the cleaned English texts of the fields with these `names`."""
    return [text for name in names for value in _list(fields.get(name)) for text in _english(value, name)]


def _english(value: object, name: str) -> Iterator[str]:
    if isinstance(value, dict) and "@value" in value:
        language = str(value.get("@language", ""))
        values = [value["@value"]] if language.partition("-")[0].lower() in _ENGLISH else []
    elif isinstance(value, dict):
        values = _list(value.get("en"))
    else:
        values = [value]
    for text in values:
        if not isinstance(text, str):
            raise Unusable(f"{name} must be text, got {shorten(text)}")
        if clean_text := clean(text):
            yield clean_text


def _links(fields: Fields, name: str) -> list[str]:
    """Return the ids to which the field `name` links, whether they are written as URIs or as objects with a URI."""
    return [_link(value, name) for value in _list(fields.get(name))]


def _link(value: object, name: str) -> str:
    if isinstance(value, dict):
        inner = {_local(key): inner for key, inner in value.items()}
        return _link(inner.get("id") or inner.get("uri"), name)
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(text, str) or not id_of(text):
        raise Unusable(f"{name} must be an id or an address, got {shorten(value)}")
    return id_of(text)


def _strings(value: object, name: str) -> list[str]:
    values = _list(value)
    if not all(isinstance(item, str) for item in values):
        raise Unusable(f"{name} must be text, got {shorten(value)}")
    return [str(item) for item in values]


def _list(value: object) -> list[object]:
    """Return a value as a list: null becomes an empty list, a single value a list of one."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _is_true(value: object) -> bool:
    if isinstance(value, list):
        return any(map(_is_true, value))
    return _is_true(value.get("@value")) if isinstance(value, dict) else value in (True, "true")
