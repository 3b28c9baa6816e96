import json

import pytest

from pathfinder.corpus.readers import RejectedRow
from pathfinder.errors import CorpusError
from pathfinder.operations.evaluation.collections import (
    distinct_documents,
    read_collection,
    read_documents,
    read_judgements,
    read_questions,
)


def test_only_judged_questions_are_asked(folder):
    collection = read_collection(folder)
    assert collection.name == "tiny"
    assert dict(collection.questions) == {"q1": "dust lanes", "q2": "dark matter haloes", "q3": "rings of icy moons"}
    assert collection.judgements == {"q1": {"dust": 1}, "q2": {"halo": 1, "gas": 0}, "q3": {"ring": 1}}
    assert collection.corpus == folder / "corpus.jsonl"


def test_judgements_may_lie_beside_the_questions_or_anywhere(folder, tmp_path):
    (folder / "qrels" / "test.tsv").rename(tmp_path / "others.tsv")
    (folder / "qrels.tsv").write_text("q1\tdust\t1\n")
    assert list(read_collection(folder).questions) == ["q1"]
    assert list(read_collection(folder, judgements=tmp_path / "others.tsv").questions) == ["q1", "q2", "q3"]


@pytest.mark.parametrize(
    ("content", "judgements"),
    [
        ("q\td\t1\n", {"q": {"d": 1}}),
        ("query-id\tcorpus-id\tscore\r\nq\td\t2\r\n\r\n", {"q": {"d": 2}}),
        ("Query_ID\tDoc ID\tRelevance\nq\td\t1000\n", {"q": {"d": 1000}}),
        ("\ufeffq\td\t0\nq\te\t-1\n", {"q": {"d": 0, "e": -1}}),
    ],
)
def test_judgements_have_a_header_or_none(tmp_path, content, judgements):
    (tmp_path / "qrels.tsv").write_text(content)
    assert read_judgements(tmp_path / "qrels.tsv") == judgements


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "contains no judgements"),
        (b"query-id\tcorpus-id\tscore\n", "contains no judgements"),
        (b"q d 1\n", "line 1: 'q d 1' is not a question, a document and a grade"),
        (b"q\td\t1\nq\td\tgood\n", r"line 2: .* is not a question, a document and a grade"),
        (b"q\t0\td\t1\n", "line 1"),
        (b"q0\td1\t1.0\nq1\td1\t1\n", r"line 1: 'q0.*1.0' is not a question, a document and a grade"),
        (b"q\td\t1\nq\td\t99999999999999999999\n", "line 2: .*a whole number up to 1000"),
        (b"q\td\t-" + b"9" * 5000 + b"\n", "line 1"),
        (b"q\td\t1001\n", "line 1"),
        (b"\xff\n", "cannot be read"),
    ],
)
def test_judgements_that_cannot_be_read_say_where(tmp_path, content, message):
    (tmp_path / "qrels.tsv").write_bytes(content)
    with pytest.raises(CorpusError, match=rf"qrels\.tsv.*{message}"):
        read_judgements(tmp_path / "qrels.tsv")


def test_a_judged_question_without_a_text_is_an_error(folder):
    (folder / "qrels" / "test.tsv").write_text("q1\tdust\t1\nq7\tdust\t1\nq8\tdust\t1\n")
    with pytest.raises(CorpusError, match=r"2.*'q7'"):
        read_collection(folder)


@pytest.mark.parametrize(
    ("line", "message"),
    [("{", "line 1: not JSON"), ('{"_id": "q1"}', "line 1: no text:"), ('{"text": "x"}', "line 1: no id:")],
)
def test_a_broken_question_is_an_error(folder, line, message):
    (folder / "queries.jsonl").write_text(line + "\n")
    with pytest.raises(CorpusError, match=message):
        read_collection(folder)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("corpus.jsonl", "no corpus.jsonl or corpus.jsonl.gz: name the documents with --corpus"),
        ("queries.jsonl", "no queries.jsonl"),
        ("qrels/test.tsv", "no qrels/test.tsv or qrels.tsv: name the judgements with --qrels"),
    ],
)
def test_a_missing_file_is_named_with_the_way_out(folder, name, message):
    (folder / name).unlink()
    with pytest.raises(CorpusError, match=message):
        read_collection(folder)


def test_what_is_no_folder_or_no_corpus_is_refused(folder, tmp_path):
    with pytest.raises(CorpusError, match="absent is not a folder"):
        read_collection(tmp_path / "absent")
    with pytest.raises(CorpusError, match=r"absent\.jsonl"):
        read_collection(folder, corpus=tmp_path / "absent.jsonl")


def test_a_document_without_a_title_is_its_text(folder):
    *_, ring = read_documents(folder / "corpus.jsonl")
    assert (ring.title, ring.abstract, ring.text) == ("Rings of icy moons precess.", "", "Rings of icy moons precess. ")


def test_a_document_of_a_title_alone_is_kept(folder):
    with (folder / "corpus.jsonl").open("a") as file:
        file.write(json.dumps({"_id": "title-only", "title": "Dust lanes", "text": ""}) + "\n")
    papers, n_rejected = distinct_documents(folder / "corpus.jsonl")
    assert (papers[-1].paper_id, papers[-1].has_abstract, n_rejected) == ("title-only", False, 0)


def test_documents_may_come_in_the_tidy_schema_or_a_table(tmp_path):
    (tmp_path / "tidy.jsonl").write_text(json.dumps({"id": "a", "title": "t", "abstract": "b"}) + "\n{\n")
    (tmp_path / "table.csv").write_text("id,title,abstract\na,t,b\n")
    paper, rejected_row = read_documents(tmp_path / "tidy.jsonl")
    assert isinstance(rejected_row, RejectedRow)
    assert list(read_documents(tmp_path / "table.csv")) == [paper]


def test_questions_alone_are_read_from_json_lines_or_from_plain_text(tmp_path, folder):
    plain = tmp_path / "questions.TXT"
    plain.write_text("\ufeffHow old?\n\n  How far? \n", encoding="utf-8")
    assert read_questions(plain) == {"1": "How old?", "3": "How far?"}
    assert read_questions(folder / "queries.jsonl")["q4"] == "never judged"


@pytest.mark.parametrize(("name", "text"), [("q.txt", "\n \n"), ("q.jsonl", "")])
def test_a_file_without_a_question_is_refused(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    with pytest.raises(CorpusError, match="contains no questions"):
        read_questions(tmp_path / name)


@pytest.mark.parametrize("name", ["gone.txt", "gone.jsonl"])
def test_a_file_of_questions_that_is_not_there_is_told(tmp_path, name):
    with pytest.raises((CorpusError, OSError), match=name):
        read_questions(tmp_path / name)
