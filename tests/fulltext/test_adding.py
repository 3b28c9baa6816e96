import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from pathfinder.cli import main
from pathfinder.errors import CorpusError, UsageError
from pathfinder.fulltext.adding import N_TOGETHER, PaperMatch, add_files, files_in, match_paper
from pathfinder.fulltext.document import Document, TextFormat, TextProvenance
from pathfinder.fulltext.formats import read_document
from pathfinder.fulltext.store import FullTexts, _change
from pathfinder.operations.full_texts import add, show
from pathfinder.types import Paper
from tests.tiny_corpus import tiny_corpus

DUST = Paper(
    "riess-1998",
    "Cold dust in the clouds of Orion. II. Masses",
    "",
    authors=("Maker, A.",),
    year=1998,
    doi="10.1086/300499",
    bibcode="1998AJ....116.1009R",
)
GAS = Paper("W7", "Warm gas around quiet galaxies", "", authors=("Tester, B.",), year=2024, arxiv_id="2408.01556")
OLD = Paper("old", "Dust", "", arxiv_id="astro-ph/9805201")


@pytest.fixture
def corpus(tmp_path):
    return tiny_corpus(tmp_path, DUST, GAS, OLD)


def text(title="", front="", text_format=TextFormat.PDF, identifiers=(), sha256="0" * 64):
    return Document(title, (), (), (), TextProvenance(text_format, "a", sha256), identifiers, front)


@pytest.fixture
def match(corpus):
    from pathfinder.corpus.manifest import read_manifest
    from pathfinder.corpus.paper_columns import read_table
    from pathfinder.corpus.papers import PaperTable

    papers = PaperTable(read_table(corpus / read_manifest(corpus)[0].parts["papers"].name))
    return lambda document, name="a.pdf": match_paper(document, name, papers)


@pytest.mark.parametrize(
    ("name", "paper_id"),
    [
        ("riess-1998.pdf", "riess-1998"),
        ("10.1086_300499.xml", "riess-1998"),
        ("10.1086%2F300499.tei.xml", "riess-1998"),
        ("1998AJ....116.1009R.pdf", "riess-1998"),
        ("2408.01556v2.pdf", "W7"),
        ("arXiv-2408.01556v1.tar.gz", "W7"),
        ("arxiv_2408.01556.gz", "W7"),
        ("Tester_2408.01556_final.pdf", "W7"),
        ("astro-ph_9805201.pdf", "old"),
        ("astro-ph9805201v1.pdf", "old"),
        ("astro-ph-9805201.tex", "old"),
    ],
)
def test_the_name_of_a_file_may_be_an_identifier_of_its_paper(match, name, paper_id):
    assert match(text(), name) == PaperMatch(paper_id, "file name")


def test_a_small_number_is_not_taken_for_the_id_of_a_paper(tmp_path):
    corpus = tiny_corpus(tmp_path, "1", "20240001")
    files = [write_file(tmp_path, name) for name in ("1.pdf", "20240001.pdf")]
    outcomes = list(add_files(corpus, files, read=lambda _: text()))
    assert [outcome.match and outcome.match.paper_id for outcome in outcomes] == [None, "20240001"]


def test_a_text_is_matched_by_the_identifier_that_it_states(match):
    assert match(text(identifiers=("doi:10.1086/300499",))) == PaperMatch("riess-1998", "identifier")


def test_a_title_is_enough_if_it_is_long_or_the_text_has_the_author_and_the_year(match):
    assert match(text("Warm gas around quiet galaxies", "B. Tester, 2024")) == PaperMatch("W7", "title")
    assert match(text("Warm Gas Around Quiet Galaxies", "Béla Tester")) == PaperMatch("W7", "title")
    with pytest.raises(CorpusError, match="its title is 'Warm gas around quiet galaxies'"):
        match(text("Warm gas around quiet galaxies", "C. Other"))
    for other in ("Cold dust in the clouds of Orion. III. Masses", "Dust", ""):
        with pytest.raises(CorpusError, match="--paper ID"):
            match(text(other, "A. Maker, 1998"))


def test_a_title_that_no_type_sets_apart_is_found_among_the_first_lines(match):
    lines = "Draft of May\nWarm gas around\nquiet galaxies\nB. Tester, 2024"
    assert match(text(front=lines)).paper_id == "W7"
    with pytest.raises(CorpusError):
        match(text(front="B. Tester, 2024\nWarm gas"))


@pytest.mark.parametrize(
    "front",
    [
        "Comment on:\nWarm gas around\nquiet galaxies\nB. Tester, 2024",
        "Erratum: 2024\nB. Tester\nWarm gas around quiet galaxies",
        "Warm gas around quiet galaxies\n(Corrigendum)\nB. Tester, 2024",
    ],
)
def test_a_correction_is_not_taken_for_its_paper(match, front):
    with pytest.raises(CorpusError, match="no paper in the corpus"):
        match(text(front=front))


def test_among_first_lines_a_title_of_one_paper_comes_before_that_of_several(tmp_path):
    volume = "Proceedings of the northern workshop on distant radio sources"
    corpus = tiny_corpus(tmp_path, GAS, *(Paper(name, volume, "") for name in ("volume-1", "volume-2")))
    fronts = {"paper.pdf": f"{volume}\n{GAS.title}\nB. Tester, 2024", "volume.pdf": volume}
    paper, several = add_files(
        corpus, [write_file(tmp_path, name) for name in fronts], read=lambda path: text(front=fronts[path.name])
    )
    assert paper.match == PaperMatch("W7", "title")
    assert "it may belong to 'volume-1', 'volume-2'" in several.reason


def test_contradictory_evidence_is_not_settled_in_silence(match):
    with pytest.raises(CorpusError, match=r"'W7'.*'riess-1998'"):
        match(text(identifiers=("doi:10.1086/300499",)), "2408.01556.pdf")


def test_copies_of_a_paper_are_ambiguous(tmp_path):
    corpus = tiny_corpus(tmp_path, GAS, Paper("copy", "Warm gas", "", arxiv_id="2408.01556"))
    (outcome,) = add_files(corpus, [write_file(tmp_path, "2408.01556.pdf")], read=lambda _: text())
    assert outcome.reason.startswith("by its file name it may belong to 'W7', 'copy': add the file on its own")


def write_file(folder, name, content=None):
    file = folder / name
    file.write_text(content or name)
    return file


def reader(text_format=TextFormat.PDF):
    """Read any file but a broken one, as a text without a title."""

    def read(path):
        if "broken" in path.name:
            raise CorpusError(f"{path.name} is broken")
        return text(text_format=text_format, sha256=hashlib.sha256(path.read_bytes()).hexdigest())

    return read


def test_a_broken_file_stops_no_other_and_each_file_is_accounted_for(corpus, tmp_path):
    names = ["2408.01556.pdf", "broken.pdf", "riess-1998.pdf", "unknown.pdf"]
    files = [*(write_file(tmp_path, name) for name in names), tmp_path / "missing.pdf"]
    record = add.write(tuple(add_files(corpus, files, read=reader())))
    assert record["added"] == [
        {"file": str(files[0]), "paper_id": "W7", "road": "PDF", "replaced": None, "warnings": []},
        {"file": str(files[2]), "paper_id": "riess-1998", "road": "PDF", "replaced": None, "warnings": []},
    ]
    assert record["matched"] == [
        {"file": str(files[0]), "paper_id": "W7", "by": "file name"},
        {"file": str(files[2]), "paper_id": "riess-1998", "by": "file name"},
    ]
    assert [each["file"] for each in record["rejected"]] == [str(files[1]), str(files[3]), str(files[4])]
    assert [each["reason"] for each in record["rejected"]][::2] == [
        "broken.pdf is broken",
        "it does not exist or is not a file",
    ]
    assert FullTexts.open(corpus).paper_ids == ("W7", "riess-1998")


def test_a_run_that_was_stopped_keeps_what_it_stored_and_is_not_repeated(corpus, tmp_path):
    files = [write_file(tmp_path, "2408.01556.pdf"), *(tmp_path / f"missing{n}.pdf" for n in range(N_TOGETHER))]
    outcomes = add_files(corpus, files, read=reader())
    next(outcomes)
    outcomes.close()
    assert FullTexts.open(corpus).paper_ids == ("W7",)
    (outcome,) = add_files(corpus, files[:1], read=reader(TextFormat.JATS))
    assert (outcome.match, outcome.format, outcome.reason) == (PaperMatch("W7", "stored before"), None, None)


def test_a_stored_file_is_read_again_if_its_tables_were_not_read(corpus, tmp_path):
    file = write_file(tmp_path, "2408.01556.tex")
    for has_rows, text_format in ((None, TextFormat.LATEX), (True, None)):
        list(add_files(corpus, [file], read=reader(TextFormat.LATEX)))
        with _change(corpus) as (_, texts):
            texts["W7"] = replace(texts["W7"], has_rows=has_rows)
        (outcome,) = add_files(corpus, [file], read=reader(TextFormat.LATEX))
        assert outcome.format is text_format


def test_a_file_that_is_read_again_keeps_the_paper_that_was_named_for_it(corpus, tmp_path):
    file = write_file(tmp_path, "scan.tex")
    list(add_files(corpus, [file], paper_id="W7", read=reader(TextFormat.LATEX)))
    with _change(corpus) as (_, texts):
        texts["W7"] = replace(texts["W7"], has_rows=None)
    (outcome,) = add_files(corpus, [file], read=reader(TextFormat.LATEX))
    assert (outcome.match, outcome.format) == (PaperMatch("W7", "stored before"), TextFormat.LATEX)


def test_a_second_text_replaces_the_first_if_its_road_is_at_least_as_trustworthy(corpus, tmp_path):
    files = [write_file(tmp_path, name) for name in ("2408.01556.pdf", "2408.01556v2.pdf", "W7.tar.gz", "W7.txt")]
    formats = [TextFormat.PDF, TextFormat.PDF, TextFormat.LATEX, TextFormat.TEXT]
    outcomes = [
        next(add_files(corpus, [file], read=reader(text_format)))
        for file, text_format in zip(files, formats, strict=True)
    ]
    assert [(each.format, each.replaced_format) for each in outcomes] == [
        (TextFormat.PDF, None),
        (TextFormat.PDF, TextFormat.PDF),
        (TextFormat.LATEX, TextFormat.PDF),
        (None, None),
    ]
    assert "'W7' has a text from LaTeX, which is more trustworthy than plain text: to replace it" in outcomes[3].reason
    assert FullTexts.open(corpus).texts["W7"].road is TextFormat.LATEX


def test_the_paper_of_a_single_file_can_be_named(corpus, tmp_path):
    file = write_file(tmp_path, "scan.pdf")
    (outcome,) = add_files(corpus, [file], paper_id="old", read=reader())
    assert outcome.match == PaperMatch("old", "--paper")
    with pytest.raises(UsageError, match="has no paper 'none'"):
        list(add_files(corpus, [file], paper_id="none", read=reader()))
    with pytest.raises(UsageError, match=r"--paper.*2"):
        list(add_files(corpus, [file, file], paper_id="old", read=reader()))


def test_a_folder_gives_the_files_that_may_be_texts_at_any_depth(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / ".git").mkdir()
    names = ["b.pdf", "deep/a.tar.gz", ".hidden.pdf", ".git/notes.txt", "figure.png"]
    files = {name: write_file(tmp_path, name, "x") for name in names}
    assert files_in([tmp_path, files["figure.png"]]) == (files["b.pdf"], files["deep/a.tar.gz"], files["figure.png"])


def test_the_commands_add_show_and_remove_a_text(corpus, tmp_path, capsys):
    file = write_file(
        tmp_path, "notes.md", "# Warm gas around quiet galaxies\n\nB. Tester 2024\n\n# Data\n\nWe saw gas.\n"
    )
    broken_file = write_file(tmp_path, "broken.pdf", "%PDF-1.4 nothing")
    assert main(["fulltext", "add", str(corpus), str(file), str(broken_file), "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["added"] == [
        {"file": str(file), "paper_id": "W7", "road": "Markdown", "replaced": None, "warnings": []}
    ]
    assert record["matched"] == [{"file": str(file), "paper_id": "W7", "by": "title"}]
    assert [Path(each["file"]).name for each in record["rejected"]] == ["broken.pdf"]
    assert main(["fulltext", "show", str(corpus), "W7", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == show.write(read_document(file))
    assert main(["fulltext", "add", str(corpus), str(tmp_path / "missing.pdf")]) == 1
    assert "added: 0; stored before: 0; rejected: 1" in capsys.readouterr().out
    assert main(["fulltext", "remove", str(corpus), "W7"]) == 0
    assert capsys.readouterr().out == "removed: 1; papers with full text: 0\n"
    assert main(["fulltext", "show", str(corpus), "W7"]) == 2
