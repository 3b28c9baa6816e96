"""Files that are damaged, cut short or hostile: what is broken is named with its line, and costs nothing else."""

import gzip
import json

import pytest

from pathfinder.corpus.readers import read_papers, read_rows
from pathfinder.corpus.readers.lines import MAX_LINE_BYTES
from pathfinder.errors import CorpusError
from pathfinder.types import Paper

ONE, TWO = '{"id": "1", "title": "One"}', '{"id": "2", "title": "Two"}'
HEADER = "id,title,abstract\n"
RECORD = "<record><titles><title>{}</title></titles></record>\n"
ENDNOTE = f"<?xml version='1.0'?>\n<xml><records>\n{RECORD.format('One')}{RECORD.format('Two')}</records></xml>"
BOMB = '<!DOCTYPE xml [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><xml><records><record>&b;</record></records></xml>'
AROUND = "the text around the list that ends here is not JSON: "


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        *(
            ("a.jsonl", f"{ONE}\n".encode() + line + f"\n{TWO}".encode(), ["One", (2, reason), "Two"])
            for line, reason in (
                (b"{not json", "not JSON: "),
                (b"[" * 100_000, "not JSON: "),
                (b"\x00", "not JSON: "),
                (b"[1, 2]", "not a JSON object: [1, 2]"),
                (b'"text"', "not a JSON object: 'text'"),
                (b'{"title": "t", "year": NaN}', "not JSON: NaN is not a JSON value"),
                (b'{"title": "\xff\xfe"}', "invalid UTF-8: byte 0xff at position 12"),
                (b'{"id": "' + b"x" * MAX_LINE_BYTES + b'"}', f"the line is longer than {MAX_LINE_BYTES} bytes"),
            )
        ),
        ("a.jsonl", f"\n{ONE}\n  \r\n{{\n", ["One", (4, "not JSON: ")]),
        ("a.csv", f"{HEADER}1,One\n2,Two,b\n3,t,b,c\n", [(2, "2 cells under 3"), "Two", (4, "4 cells under 3")]),
        ("a.csv", f"{HEADER}1,{'w' * (MAX_LINE_BYTES + 1)},b\n2,Two,c\n",
         [(2, f"the line is longer than {MAX_LINE_BYTES}"), "Two"]),
        ("a.csv", f'{HEADER}1,t,"never closed\n', [(2, "not CSV: unexpected end of data in lines 2 to 2")]),
        ("a.csv", f'{HEADER}1,One,"one\ntwo\n\nthree"\n\n2,,c\n', ["One", (7, "no title")]),
        ("a.ris", "words\nTY  - JOUR\nTI  - One\nTY  - JOUR\nTI  - Two\nER  - \n\nTY  - JOUR\nPY  - 2000\nER  - \n",
         [(1, "text outside any record"), "One", "Two", (8, "no title")]),
        ("a.ris", "Dear all,\n" * 100, [(1, "no record in the whole file")]),
        ("a.bib", "@misc{a, title={One}}\n@article{b,\n title={never closed,\n year=2000\n\n@misc{c, title={Two}}\n",
         ["One", (2, "not BibTeX: Unexpected block start"), "Two"]),
        ("a.xml", ENDNOTE[:-30], ["One", (4, "not XML, or cut short, at column")]),
        ("a.xml", ENDNOTE.replace("Two", "Two & Three"),
         ["One", (4, "not XML, or cut short, at column 29; everything")]),
        ("a.xml", BOMB, [(1, "XML with a document type")]),
        ("a.json", json.dumps([json.loads(ONE), json.loads(TWO)], indent=1)[:-12], ["One", (6, "not JSON")]),
        ("a.json", f'[{ONE},\n{{"title":"B",}},\n{TWO}]', ["One", (2, "not JSON"), "Two"]),
        ("a.json", f'[{ONE}, {{"title":"A","title":"B"}}, {{"title":"C","year":NaN}}, {TWO}]',
         ["One", (1, "not JSON: the key 'title' occurs twice"), (1, "not JSON: NaN is not a JSON value"), "Two"]),
        ("a.json", "[7]", [(1, "not a JSON object: 7")]),
        ("a.json", f'{{"items": [{ONE}],\n"items": [{TWO}]}}', ["One", (1, f"{AROUND}the key 'items' occurs twice")]),
        ("a.json", f"[{ONE}]\n[{TWO}]", ["One", (1, f"{AROUND}Extra data: line 2 column 1")]),
        ("a.json", f'{{"items": [{ONE}]', ["One", (1, f"{AROUND}Expecting ',' delimiter")]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_row_that_cannot_be_read_is_named_and_costs_nothing_else(tmp_path, name, content, expected, pack):
    (tmp_path / name).write_bytes(pack(content if isinstance(content, bytes) else content.encode()))
    rows = list(read_rows(tmp_path / name))
    assert len(rows) == len(expected)
    for (line, row), wanted in zip(rows, expected, strict=True):
        if isinstance(wanted, str):
            assert isinstance(row, Paper)
            assert row.title == wanted
        else:
            assert (line, row.line, row.file, row.reason[: len(wanted[1])]) == (wanted[0], wanted[0], name, wanted[1])
            assert "\n" not in row.reason


PACKED = gzip.compress("".join(f'{{"id": "{n}", "title": "T"}}\n' for n in range(5000)).encode())


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl.gz", PACKED[:-40], r"ends early.*after line \d+.*fetch or compress it again"),
        ("a.jsonl.gz", PACKED[:20] + b"\xff" * 10 + PACKED[30:], "damaged"),
        ("a.parquet", b"PAR1 and no more", "not a complete Parquet file"),
        ("a.json", b'{"meta": {"count": 0}}', "without a list of records"),
        ("a.xml", b"<html/>", "Pathfinder does not read"),
        ("a.csv", b"", "no column title, but nothing"),
        ("a.csv", b"1,Dust,We measure\n", "no column title, but 1,Dust,We measure"),
        ("a.csv", b"id,abstract\n", "no column title"),
        ("a.csv", b"id,title,abstract,Title\n", "names title twice"),
        ("a.csv", b'"id', "no column title"),
    ],
)
def test_a_file_that_cannot_be_read_at_all_is_refused_with_the_reason(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(CorpusError, match=message):
        list(read_papers(tmp_path / name))
