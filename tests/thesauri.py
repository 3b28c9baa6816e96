"""A made-up thesaurus of some ten concepts, in each form that a release may have."""

import json
from pathlib import Path

ADDRESS = "http://example.org/sky/"

# id: label, alternatives, broader
CONCEPTS: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "1": ("Things of the sky", (), ()),
    "2": ("Suns", ("Star", "Luminous balls"), ("1",)),
    "3": ("Burst galaxies", ("Starburst",), ("1",)),
    "4": ("Active kernels", ("AGN", "Bright cores"), ("3",)),
    "5": ("Gravity wells", ("Black pits", "Holes that swallow light"), ("1", "4")),
    "6": ("Ring worlds", ("Toroidal planets",), ("7",)),
    "7": ("Worlds", ("Planets", "Wanderers"), ("1",)),
    "8": ("Quick (physics)", ("Rapid",), ("1",)),
    "9": ("Twin (left)", ("Twin",), ("1",)),
    "10": ("Twin (right)", ("Twin",), ("1",)),
}
DEFINITION = "A sun that is <near>."
"""Of concept 2."""


def write_rdf(path: Path, head: str = "", body: str = "") -> Path:
    """RDF/XML, each concept told of in three places, as a triple store exports it; `head` before, `body` after."""
    parts = []
    for i, (label, _, _) in CONCEPTS.items():
        kind = '<rdf:type rdf:resource="http://www.w3.org/2004/02/skos/core#Concept"/>'
        names = (
            f'<skos:prefLabel xml:lang="en">{label}</skos:prefLabel><skos:prefLabel xml:lang="de">Ding</skos:prefLabel>'
        )
        parts.append(f'<rdf:Description rdf:about="{ADDRESS}{i}">\n{kind}{names}</rdf:Description>\n')
    for i, (_, names_, broader) in CONCEPTS.items():
        alternatives = "".join(f"<skos:altLabel>{name}</skos:altLabel>" for name in names_)
        links = "".join(f'<skos:broader rdf:resource="{ADDRESS}{other}"/>' for other in broader)
        parts.append(f'<skos:Concept rdf:about="{ADDRESS}{i}">{alternatives}{links}</skos:Concept>\n')
    parts.append(
        f'<rdf:Description rdf:about="{ADDRESS}2"><skos:definition>A sun that is &lt;near&gt;.</skos:definition>'
        '<skos:inScheme rdf:resource="http://example.org/sky"/></rdf:Description>\n'
        '<skos:ConceptScheme rdf:about="http://example.org/sky"><dc:title>Made-up Sky</dc:title></skos:ConceptScheme>\n'
        f'<skos:Collection rdf:about="{ADDRESS}c1"><skos:prefLabel>No concept</skos:prefLabel></skos:Collection>\n'
    )
    path.write_text(
        f'<?xml version="1.0" encoding="UTF-8"?>\n{head}<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
        ' xmlns:skos="http://www.w3.org/2004/02/skos/core#" xmlns:owl="http://www.w3.org/2002/07/owl#"'
        f' xmlns:dc="http://purl.org/dc/terms/">\n{"".join(parts)}{body}</rdf:RDF>\n',
        encoding="utf-8",
    )
    return path


def entries() -> list[dict[str, object]]:
    """The flat list, as the Unified Astronomy Thesaurus has it."""
    return [
        {
            "uri": ADDRESS + i,
            "name": label,
            "narrower": None,
            "broader": [{"name": CONCEPTS[other][0], "uri": ADDRESS + other} for other in broader] or None,
            "altNames": list(names) or None,
            "definition": DEFINITION if i == "2" else None,
        }
        for i, (label, names, broader) in CONCEPTS.items()
    ]


def write_list(path: Path, *more: object) -> Path:
    path.write_text(json.dumps([*entries(), *more], indent=1), encoding="utf-8")
    return path


def write_tree(path: Path) -> Path:
    """The nested tree; a concept with two broader ones comes twice."""

    def node(i: str) -> dict[str, object]:
        label, names, _ = CONCEPTS[i]
        record: dict[str, object] = {"name": label, "uri": ADDRESS + i, "altLabels": list(names) or None}
        record["definition"] = DEFINITION if i == "2" else None
        children = [node(other) for other, (_, _, broader) in CONCEPTS.items() if i in broader]
        return record | ({"children": children} if children else {})

    path.write_text(json.dumps({"children": [node("1")]}), encoding="utf-8")
    return path


def write_json_ld(path: Path) -> Path:
    """A graph, with short names, whole addresses and a scheme."""
    graph: list[dict[str, object]] = [
        {"@id": "http://example.org/sky", "@type": "skos:ConceptScheme", "dct:title": {"@value": "Made-up Sky"}}
    ]
    for i, (label, names, broader) in CONCEPTS.items():
        graph.append(
            {
                "@id": ADDRESS + i,
                "@type": ["http://www.w3.org/2004/02/skos/core#Concept"],
                "skos:prefLabel": [{"@language": "de", "@value": "Ding"}, {"@language": "en", "@value": label}],
                "http://www.w3.org/2004/02/skos/core#altLabel": [{"@value": name} for name in names],
                "skos:broader": [{"@id": ADDRESS + other} for other in broader],
            }
            | ({"skos:definition": {"@language": "en-GB", "@value": DEFINITION}} if i == "2" else {})
        )
    path.write_text(json.dumps({"@context": {}, "@graph": graph}), encoding="utf-8")
    return path


def write_lines(path: Path, *more: str) -> Path:
    lines = []
    for i, (label, names, broader) in CONCEPTS.items():
        links = [{"id": other, "name": CONCEPTS[other][0]} for other in broader]
        record = {"id": i, "uri": ADDRESS + i, "name": label, "alt": list(names), "broader": links, "narrower": []}
        lines.append(json.dumps(record | {"definition": DEFINITION if i == "2" else None, "status": "active"}))
    path.write_text("\n".join([*lines, *more]) + "\n", encoding="utf-8")
    return path
