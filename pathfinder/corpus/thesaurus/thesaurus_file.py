"""Reads a thesaurus from a file: a nested tree, a flat list, SKOS in JSON-LD, one object per line, or SKOS in RDF/XML
(https://www.w3.org/TR/skos-reference/).

The forms of JSON differ in their field names ("altLabels", "altNames", "skos:altLabel", "alt") and in their nesting, so
entries in all of them are read in the same way: a field is recognised by the last part of its name. A concept is a
draft until the whole file has been read, because a file may describe it in many places, far apart. RDF/XML is parsed as
a stream, and entity declarations are refused, so that a few lines cannot expand to gigabytes and no other file can be
pulled in.
"""

import io
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from lxml import etree

from pathfinder.corpus.readers.lines import read_unpacked
from pathfinder.corpus.readers.reader import RejectedRow
from pathfinder.corpus.schemas.fields import Unusable, clean, shorten
from pathfinder.corpus.thesaurus.concepts import Concept
from pathfinder.errors import CorpusError
from pathfinder.text.strict_json import parse_json

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\n]', re.DOTALL)


class LocatedObject(dict[str, object]):
    """A JSON object with its line number."""

    line: int = 1
    """Number of the first line of the object, counted from 1."""


def parse_with_lines(text: str) -> object:
    """Parse JSON, turning each of its objects into a `LocatedObject`.

    Raises `ValueError` or `RecursionError` for a text that is not JSON.
    """
    lines = _opening_lines(text)

    def with_line(pairs: list[tuple[str, object]]) -> LocatedObject:
        record = LocatedObject(pairs)
        # The parser finishes objects in the order of their closing braces, and the lines come in the same order.
        record.line = next(lines)
        return record

    return parse_json(text, with_line)


def _opening_lines(text: str) -> Iterator[int]:
    """Yield the line of each opening brace, in the order of the closing braces."""
    line, lines_opened = 1, []
    for token in _TOKEN.finditer(text):
        if token[0] == "{":
            lines_opened.append(line)
        elif token[0] == "}":
            yield lines_opened.pop()
        else:
            line += token[0].count("\n")


@dataclass(slots=True)
class Draft:
    """The part of a concept read so far."""

    line: int
    """Number of the first line in the file that mentions the concept."""
    label: str | None = None
    alternatives: list[str] = field(default_factory=list)
    broader: list[str] = field(default_factory=list)
    narrower: list[str] = field(default_factory=list)
    definition: str | None = None
    is_deprecated: bool = False


class Drafts:
    """The concepts and the rejected entries of one file, filled by the reader for its format."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.scheme: str | None = None
        """Title of the thesaurus, if the file gives one."""
        self.by_id: dict[str, Draft] = {}
        self.rejected_rows: list[RejectedRow] = []

    def draft(self, concept_id: str, line: int) -> Draft:
        """Return the draft of the concept `concept_id`, creating it if there is none."""
        return self.by_id.setdefault(concept_id, Draft(line))

    def reject(self, line: int, reason: str, concept_id: str | None = None) -> None:
        """Record an unusable entry and the reason."""
        self.rejected_rows.append(RejectedRow(self.file, line, reason, concept_id))

    def concepts(self) -> tuple[Concept, ...]:
        """Return the usable concepts in the order in which the file first mentions them. A link may be stated by either
        of its two concepts; broken links are dropped.
        """
        usable = {concept_id: draft for concept_id, draft in self.by_id.items() if self._is_usable(concept_id, draft)}
        up: dict[str, dict[str, None]] = {concept_id: {} for concept_id in usable}
        down: dict[str, dict[str, None]] = {concept_id: {} for concept_id in usable}
        for concept_id, draft in usable.items():
            for other in self._known_ids(draft.broader, "broader", concept_id, usable):
                up[concept_id][other] = down[other][concept_id] = None
            for other in self._known_ids(draft.narrower, "narrower", concept_id, usable):
                down[concept_id][other] = up[other][concept_id] = None
        return tuple(_concept(i, draft, up[i], down[i]) for i, draft in usable.items())

    def _is_usable(self, concept_id: str, draft: Draft) -> bool:
        if draft.label is None and not draft.is_deprecated:
            self.reject(draft.line, "no label", concept_id)
        return draft.label is not None and not draft.is_deprecated

    def _known_ids(self, ids: Iterable[str], which: str, concept_id: str, usable: dict[str, Draft]) -> Iterable[str]:
        for other in dict.fromkeys(ids):
            if other in usable and other != concept_id:
                yield other
            elif other not in self.by_id or other == concept_id:
                what = "itself" if other == concept_id else f"{other!r}, which is not in the file"
                reason = f"{which} is {what}; the link was left out"
                self.reject(self.by_id[concept_id].line, reason, concept_id)


def _concept(concept_id: str, draft: Draft, up: Iterable[str], down: Iterable[str]) -> Concept:
    label = draft.label or ""
    names = dict.fromkeys(name for name in map(clean, draft.alternatives) if name and name != label)
    return Concept(concept_id, label, tuple(names), tuple(up), tuple(down), draft.definition)


def id_of(address: str) -> str:
    """Return the last part of a concept's URI; return an id that is not a URI unchanged."""
    return clean(address).rstrip("/#").replace("#", "/").rpartition("/")[2]


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
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _is_true(value: object) -> bool:
    if isinstance(value, list):
        return any(map(_is_true, value))
    return _is_true(value.get("@value")) if isinstance(value, dict) else value in (True, "true")


_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_SKOS = "http://www.w3.org/2004/02/skos/core#"
_CONCEPT, _SCHEME = f"{_SKOS}Concept", f"{_SKOS}ConceptScheme"
_TITLES = frozenset({"http://purl.org/dc/terms/title", "http://purl.org/dc/elements/1.1/title", f"{_SKOS}prefLabel"})
_DEPRECATED = "http://www.w3.org/2002/07/owl#deprecated"
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


def read_rdf(content: bytes, drafts: Drafts) -> None:
    """Fill `drafts` from `content`: a root with subjects, each with its properties; subjects other than concepts, such
    as collections, are ignored. Raises `CorpusError` if it is not XML or declares entities.
    """
    facts: dict[str, Draft] = {}
    kinds: dict[str, set[str]] = defaultdict(set)
    titles: dict[str, str] = {}
    try:
        elements = etree.iterparse(io.BytesIO(content), resolve_entities=False, remove_comments=True, remove_pis=True)
        for _, subject in elements:
            root = subject.getroottree().getroot()
            _refuse_entities(root, drafts.file)
            if subject.getparent() is not root:
                continue
            own_kinds = {
                _uri(subject),
                *(each.get(f"{{{_RDF}}}resource") for each in subject.iterfind(f"{{{_RDF}}}type")),
            }
            concept_id = id_of(subject.get(f"{{{_RDF}}}about") or "")
            if concept_id:
                kinds[concept_id] |= own_kinds
                draft = facts.setdefault(concept_id, Draft(subject.sourceline or 1))
                for each in subject:
                    _read_property(each, draft, titles, concept_id)
            elif _CONCEPT in own_kinds:
                drafts.reject(subject.sourceline or 1, "a concept without rdf:about")
            subject.clear()
    except etree.XMLSyntaxError as error:
        raise CorpusError(f"{drafts.file} is not XML (line {error.lineno}): fetch the thesaurus again") from error
    drafts.by_id |= {concept_id: draft for concept_id, draft in facts.items() if _CONCEPT in kinds[concept_id]}
    drafts.scheme = next((title for scheme, title in titles.items() if _SCHEME in kinds[scheme]), None)


def _read_property(element: Element, draft: Draft, titles: dict[str, str], concept_id: str) -> None:
    name, resource = _uri(element), element.get(f"{{{_RDF}}}resource")
    if resource is not None and name in (f"{_SKOS}broader", f"{_SKOS}narrower"):
        (draft.broader if name.endswith("broader") else draft.narrower).append(id_of(resource))
    text = clean("".join(element.itertext()))
    if not text or element.get(_LANGUAGE, "").partition("-")[0].lower() not in _ENGLISH:
        return
    if name in _TITLES:
        titles.setdefault(concept_id, text)
    if name == f"{_SKOS}prefLabel":
        draft.label = draft.label or text
    elif name == f"{_SKOS}altLabel":
        draft.alternatives.append(text)
    elif name == f"{_SKOS}definition":
        draft.definition = draft.definition or text
    elif name == _DEPRECATED:
        draft.is_deprecated = text.lower() in ("true", "1")


def _uri(element: Element) -> str:
    return element.tag.replace("{", "").replace("}", "")


def _refuse_entities(root: Any, file: str) -> None:
    types = root.getroottree().docinfo.internalDTD
    for entity in types.iterentities() if types is not None else ():
        raise CorpusError(
            f"{file} declares the entity {entity.name!r}: a thesaurus needs none, and entities can use up all the "
            "memory; fetch it from its publisher, or use its JSON form"
        )


MAX_BYTES = 256 * 1024 * 1024
"""Limit on the size of a file, larger than any thesaurus, so that an endless file cannot use up all the memory."""

FORMS = "SKOS as RDF/XML or JSON-LD, a JSON tree or list of concepts, or JSON lines (docs/sources.md has an example)"
_KNOWN_SCHEMES = {b"//astrothesaurus.org/uat/": "Unified Astronomy Thesaurus"}
"""Titles of thesauri whose files may lack one, by an address that the URIs of their concepts contain."""


@dataclass(frozen=True, slots=True)
class ThesaurusFile:
    """The content of a thesaurus file."""

    name: str
    """Title of the thesaurus, or the name of the file if it has no title."""
    concepts: tuple[Concept, ...]
    """Concepts in the order in which the file first mentions them, excluding deprecated ones."""
    rejected_rows: tuple[RejectedRow, ...]


def read_thesaurus(path: Path) -> ThesaurusFile:
    """Read the concepts from the file at `path`, plain or gzipped: SKOS as RDF/XML or JSON-LD, JSON, or JSON lines.

    Raises `CorpusError` if the file cannot be read, is in none of these formats, or contains no usable concept.
    """
    content = _content(path)
    drafts = Drafts(path.name)
    if content.lstrip().startswith(b"<"):
        read_rdf(content, drafts)
    elif Path(path.name.lower().removesuffix(".gz")).suffix == ".jsonl":
        for number, line in enumerate(content.split(b"\n"), start=1):
            if not line.strip():
                continue
            try:
                node = parse_json(line.decode(), LocatedObject)
            except (ValueError, RecursionError) as error:
                drafts.reject(number, f"not JSON: {error}")
                continue
            if not isinstance(node, LocatedObject):
                drafts.reject(number, "not a JSON object")
                continue
            node.line = number
            read_entries([node], drafts)
    else:
        _read_json(content, drafts)
    concepts = drafts.concepts()
    if not concepts:
        raise CorpusError(f"{path} contains no thesaurus concept{_first(drafts.rejected_rows)}: use {FORMS}")
    stem = path.name.partition(".")[0]
    titles = (title for address, title in _KNOWN_SCHEMES.items() if address in content)
    return ThesaurusFile(drafts.scheme or next(titles, stem), concepts, tuple(drafts.rejected_rows))


def _content(path: Path) -> bytes:
    if not path.is_file():
        fault = "is a folder: name the file in it" if path.is_dir() else "does not exist: check the path"
        raise CorpusError(f"{path} {fault}")
    content = read_unpacked(path, MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise CorpusError(
            f"{path} unpacks to more than {MAX_BYTES:,} bytes, the limit for a thesaurus: name another file"
        )
    return content


def _read_json(content: bytes, drafts: Drafts) -> None:
    try:
        whole = parse_with_lines(content.decode())
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"{drafts.file} is neither JSON nor XML ({error}): use {FORMS}") from error
    if isinstance(whole, dict):
        whole = next((whole[key] for key in ("@graph", "children", "concepts") if key in whole), [whole])
    read_entries(whole if isinstance(whole, list) else [whole], drafts)


def _first(rejected_rows: list[RejectedRow]) -> str:
    return f" (line {rejected_rows[0].line}: {rejected_rows[0].reason})" if rejected_rows else ""
