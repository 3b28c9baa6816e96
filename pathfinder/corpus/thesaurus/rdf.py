"""A thesaurus as SKOS in RDF/XML (https://www.w3.org/TR/skos-reference/), parsed as a stream.

A file may describe one concept in several `rdf:Description` elements that are far apart. Entity declarations are
refused, so that a few lines cannot expand to gigabytes and no other file can be pulled in.
"""

from pyexpat import ErrorString, ExpatError, ParserCreate, XMLParserType

from pathfinder.corpus.readers.rejected_rows import RejectedRow
from pathfinder.corpus.schemas.fields import clean
from pathfinder.corpus.thesaurus.drafts import Draft, Drafts, id_of
from pathfinder.errors import CorpusError

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns# "
_SKOS = "http://www.w3.org/2004/02/skos/core# "
_OWL = "http://www.w3.org/2002/07/owl# "
_TITLES = frozenset({"http://purl.org/dc/terms/ title", "http://purl.org/dc/elements/1.1/ title", f"{_SKOS}prefLabel"})
_LANGUAGE = "http://www.w3.org/XML/1998/namespace lang"
_TRUE = frozenset({"true", "1"})
_SUBJECT_DEPTH, _PROPERTY_DEPTH = 2, 3


def read_rdf(content: bytes, drafts: Drafts) -> None:
    """Fill `drafts` from `content`. Raises `CorpusError` if it is not XML or declares entities."""
    reader = _RdfReader(drafts)
    try:
        reader.parser.Parse(content, True)
    except ExpatError as error:
        # The message is written here because the error's own text repeats parts of the file.
        raise CorpusError(
            f"{drafts.file} is not XML (line {error.lineno}: {ErrorString(error.code)}): fetch the thesaurus again"
        ) from error
    reader.finish()


class _RdfReader:
    """Parser for three levels of elements: RDF, a subject, and its properties."""

    def __init__(self, drafts: Drafts) -> None:
        self._drafts = drafts
        self._depth = 0
        self._subject: str | None = None
        self._line = 1
        self._text: list[str] | None = None
        self._language = ""
        self._facts: dict[str, Draft] = {}
        self._concepts: set[str] = set()
        self._schemes: dict[str, str] = {}
        self._scheme_ids: set[str] = set()
        self.parser: XMLParserType = ParserCreate(namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.EntityDeclHandler = self._refuse

    def finish(self) -> None:
        """Add the concepts to the drafts; other subjects, such as collections, are ignored."""
        for concept_id, draft in self._facts.items():
            if concept_id in self._concepts:
                self._drafts.by_id[concept_id] = draft
        titles = [title for scheme, title in self._schemes.items() if scheme in self._scheme_ids]
        self._drafts.scheme = next(iter(titles), None)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth == _SUBJECT_DEPTH:
            address = attributes.get(f"{_RDF}about")
            self._subject = id_of(address) if address else None
            self._line = self.parser.CurrentLineNumber
            if self._subject:
                self._is_a(name)
            elif name == f"{_SKOS}Concept":
                self._drafts.rejected_rows.append(
                    RejectedRow(self._drafts.file, self._line, "a concept without rdf:about", None)
                )
        elif self._depth == _PROPERTY_DEPTH and self._subject is not None:
            self._link(name, attributes.get(f"{_RDF}resource"))
            self._text, self._language = [], attributes.get(_LANGUAGE, "")

    def _is_a(self, kind: str) -> None:
        if kind in (f"{_SKOS}Concept", f"{_SKOS.strip()}Concept"):
            self._draft()
            self._concepts.add(self._subject or "")
        elif kind in (f"{_SKOS}ConceptScheme", f"{_SKOS.strip()}ConceptScheme"):
            self._scheme_ids.add(self._subject or "")

    def _link(self, name: str, resource: str | None) -> None:
        if resource is None:
            return
        if name == f"{_RDF}type":
            self._is_a(resource)
        elif name == f"{_SKOS}broader":
            self._draft().broader.append(id_of(resource))
        elif name == f"{_SKOS}narrower":
            self._draft().narrower.append(id_of(resource))

    def _end(self, name: str) -> None:
        if self._depth == _PROPERTY_DEPTH and self._subject and self._text is not None:
            text = clean("".join(self._text))
            if text and self._language.partition("-")[0].lower() in ("", "en"):
                self._tell(name, text)
            self._text = None
        self._depth -= 1

    def _tell(self, name: str, text: str) -> None:
        if name in _TITLES:
            self._schemes.setdefault(self._subject or "", text)
        draft = self._draft()
        if name == f"{_SKOS}prefLabel":
            draft.label = draft.label or text
        elif name == f"{_SKOS}altLabel":
            draft.alternatives.append(text)
        elif name == f"{_SKOS}definition":
            draft.definition = draft.definition or text
        elif name == f"{_OWL}deprecated":
            draft.is_deprecated = text.lower() in _TRUE

    def _draft(self) -> Draft:
        return self._facts.setdefault(self._subject or "", Draft(self._line))

    def _characters(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)

    def _refuse(self, name: str, *_: object) -> None:
        raise CorpusError(
            f"{self._drafts.file} declares the entity {name!r} on line {self.parser.CurrentLineNumber}: a thesaurus "
            "needs none, and entities can use up all the memory; fetch it from its publisher, or use its JSON form"
        )
