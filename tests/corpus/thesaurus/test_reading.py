"""A thesaurus in each of its forms: what is refused, what is rejected, and what is read."""

import gzip
import json

import pytest

from pathfinder.corpus.thesaurus import read_thesaurus
from pathfinder.errors import CorpusError
from tests import thesauri

WRITERS = {
    "sky.rdf": thesauri.write_rdf,
    "sky.json": thesauri.write_list,
    "tree.json": thesauri.write_tree,
    "sky.jsonld": thesauri.write_json_ld,
    "sky.jsonl": thesauri.write_lines,
}


def reasons(thesaurus):
    return [(row.line, row.reason, row.record_id) for row in thesaurus.rejected_rows]


# Refusals -------------------------------------------------------------------------------------------


NOTHING = ["", "hello", "[", "[1, 2]", "{}", "[]", '{"children": []}', "[" * 100_000, '{"children": "x"}', "null"]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        *(("bad.json", content, "use SKOS as RDF/XML") for content in NOTHING),
        *(("bad.rdf", content, r"is not XML \(line 1") for content in ("<a", "<a></b>", "<a/>trailing", "<\x00a/>")),
        ("bad.rdf", "<html><body><p>Hello</p></body></html>", "contains no thesaurus concept"),
        ("sky.json.gz", gzip.compress(b"[" * 1000, mtime=0)[:-9], "gzip data is damaged"),
    ],
)
def test_a_file_that_cannot_be_read_is_told_with_the_reason(tmp_path, name, content, words):
    (tmp_path / name).write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(CorpusError, match=words):
        read_thesaurus(tmp_path / name)


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(CorpusError, match="does not exist"):
        read_thesaurus(tmp_path / "gone.rdf")
    with pytest.raises(CorpusError, match="is a folder"):
        read_thesaurus(tmp_path)


LAUGHS = "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True))


@pytest.mark.parametrize("entities", [f'<!ENTITY a "ha">{LAUGHS}', '<!ENTITY a SYSTEM "file:///etc/hostname">'])
def test_an_xml_file_that_would_unfold_to_gigabytes_or_names_another_is_refused(tmp_path, entities):
    path = thesauri.write_rdf(tmp_path / "bad.rdf", head=f"<!DOCTYPE x [{entities}]>\n", body="<x>&a;</x>")
    with pytest.raises(CorpusError, match="declares the entity 'a'"):
        read_thesaurus(path)


# Rejected entries -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (7, "not a JSON object: 7"),
        ({"name": "No id"}, "neither an id nor an address"),
        ({"uri": thesauri.ADDRESS + "99"}, "no label for '99'"),
        ({"uri": thesauri.ADDRESS + "99", "name": 5}, "name must be text, got 5"),
        ({"uri": thesauri.ADDRESS + "99", "name": "x", "broader": [[]]}, "broader must be an id or an address, got []"),
        ({"uri": thesauri.ADDRESS + "2", "name": "Moons"}, "the id '2' already occurred on line 10, as 'Suns'"),
    ],
)
def test_a_malformed_entry_is_rejected_with_its_line_and_costs_no_other(tmp_path, entry, reason):
    path = thesauri.write_list(tmp_path / "sky.json", entry)
    thesaurus = read_thesaurus(path)
    assert len(thesaurus.concepts) == 10
    lines = path.read_text().split("\n")
    last_object = max(number for number, line in enumerate(lines, start=1) if line == " {")
    assert [(line, reason) for line, reason, _ in reasons(thesaurus)] == [(last_object, reason)]


def test_lines_that_are_no_json_are_rejected_with_their_line(tmp_path):
    thesaurus = read_thesaurus(thesauri.write_lines(tmp_path / "sky.jsonl", "{", "", "[1]", '{"id": "11"}'))
    assert [(line, reason.partition(":")[0]) for line, reason, _ in reasons(thesaurus)] == [
        (11, "not JSON"),
        (13, "not a JSON object"),
        (14, "no label for '11'"),
    ]


def test_a_concept_without_label_or_address_is_rejected_in_rdf(tmp_path):
    body = '<skos:Concept rdf:about="http://example.org/sky/77"/>\n<skos:Concept/>\n'
    thesaurus = read_thesaurus(thesauri.write_rdf(tmp_path / "sky.rdf", body=body))
    assert {(reason, i) for _, reason, i in reasons(thesaurus)} == {
        ("a concept without rdf:about", None),
        ("no label", "77"),
    }
    assert all(line > 30 for line, _, _ in reasons(thesaurus))
    assert len(thesaurus.concepts) == 10


def test_a_link_to_nowhere_or_to_itself_is_left_out_and_told(tmp_path):
    more = {"uri": thesauri.ADDRESS + "11", "name": "Lost", "broader": [{"uri": "x/404"}, {"uri": "x/11"}]}
    thesaurus = read_thesaurus(thesauri.write_list(tmp_path / "sky.json", more))
    assert [reason for _, reason, _ in reasons(thesaurus)] == [
        "broader is '404', which is not in the file; the link was left out",
        "broader is itself; the link was left out",
    ]
    assert thesaurus.concepts[-1].broader == ()


# Reading --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WRITERS)
def test_every_form_brings_the_same_concepts(tmp_path, name):
    thesaurus = read_thesaurus(WRITERS[name](tmp_path / name))
    assert thesaurus.rejected_rows == ()
    concepts = {concept.concept_id: concept for concept in thesaurus.concepts}
    assert {i: (c.label, c.alternatives, tuple(sorted(c.broader))) for i, c in concepts.items()} == {
        i: (label, names, tuple(sorted(broader))) for i, (label, names, broader) in thesauri.CONCEPTS.items()
    }
    assert set(concepts["1"].narrower) == {"2", "3", "5", "7", "8", "9", "10"}
    assert concepts["2"].definition == "A sun that is <near>."
    assert concepts["3"].definition is None


def test_a_thesaurus_is_called_by_its_own_title_or_else_by_its_file(tmp_path):
    assert read_thesaurus(thesauri.write_rdf(tmp_path / "a.rdf")).name == "Made-up Sky"
    assert read_thesaurus(thesauri.write_json_ld(tmp_path / "a.jsonld")).name == "Made-up Sky"
    assert read_thesaurus(thesauri.write_list(tmp_path / "sky.v2.json")).name == "sky"


def test_a_gzipped_file_is_read_whatever_its_name(tmp_path):
    plain = thesauri.write_list(tmp_path / "sky.json").read_bytes()
    (tmp_path / "packed.json").write_bytes(gzip.compress(plain))
    assert len(read_thesaurus(tmp_path / "packed.json").concepts) == 10


def test_deprecated_concepts_are_left_out(tmp_path):
    more = json.dumps({"id": "11", "name": "Old", "status": "deprecated", "broader": ["1"]})
    thesaurus = read_thesaurus(thesauri.write_lines(tmp_path / "sky.jsonl", more))
    assert (len(thesaurus.concepts), thesaurus.rejected_rows) == (10, ())
    body = f'<skos:Concept rdf:about="{thesauri.ADDRESS}10"><owl:deprecated>true</owl:deprecated></skos:Concept>'
    assert len(read_thesaurus(thesauri.write_rdf(tmp_path / "sky.rdf", body=body)).concepts) == 9
