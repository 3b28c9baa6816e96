"""The commands for shelves, on a corpus of three papers of which one cites another."""

import csv
import io
import json

import pytest

from tests.cli.conftest import only_line
from tests.sources.hosts.json_hosts import item, zotero
from tests.sources.hosts.loopback import LoopbackHost, running


@pytest.fixture(autouse=True)
def own_data(monkeypatch, tmp_path):
    monkeypatch.setenv("PATHFINDER_EMBEDDER", "fake:hash-16")
    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path / "data"))


@pytest.fixture
def shelf(run, corpus):
    """Run a command for the shelf "mine" of the corpus."""

    def command(name, *arguments):
        return run("shelf", name, corpus, "mine", *arguments)

    return command


def papers(shelf):
    return json.loads(shelf("show", "--json").out)["papers"]


def test_a_shelf_goes_from_empty_to_full_and_back(run, shelf, corpus):
    assert run("shelf", "list", corpus).out.startswith("there are no shelves yet")
    assert shelf("add", "galaxies", "pulsars").out == "mine: 2 papers (2 to read)\n"
    shelf("note", "galaxies", "see the table")
    shelf("tag", "galaxies", "young", "early")
    assert shelf("state", "galaxies", "in", "--reason", "on topic").out == "mine: 2 papers (1 to read, 1 in)\n"
    galaxies, _ = papers(shelf)
    assert galaxies["note"] == "see the table"
    assert galaxies["tags"] == ["early", "young"]
    assert (galaxies["state"], galaxies["why"]) == ("in", "on topic")
    assert "in (on topic); tags: early, young\n  see the table" in shelf("show").out
    assert shelf("remove", "galaxies").out == "mine: 1 paper (1 to read)\n"
    assert shelf("undo").out == "mine: 2 papers (1 to read, 1 in)\n"
    assert json.loads(run("shelf", "list", corpus, "--json").out) == {"shelves": [{"name": "mine", "n": 2}]}
    for _ in range(3):
        shelf("undo")
    assert shelf("undo").out.startswith("mine: removed")


def test_an_unknown_paper_or_shelf_is_refused_and_makes_none(run, shelf, corpus):
    assert "no paper 'nebulae'" in only_line(shelf("add", "nebulae"), 2)
    for command in (("remove", "pulsars"), ("note", "pulsars", "x"), ("undo",), ("show",), ("export",)):
        assert "no shelf 'mine'" in only_line(shelf(*command), 2)
    assert json.loads(run("shelf", "list", corpus, "--json").out) == {"shelves": []}


@pytest.mark.parametrize(
    ("form", "suffix"), [("bibtex", "bib"), ("ris", "ris"), ("csl", "json"), ("nbib", "nbib"), ("csv", "csv")]
)
def test_papers_go_out_and_come_in_by_every_form(run, shelf, corpus, tmp_path, form, suffix):
    shelf("add", "pulsars", "galaxies")
    path = tmp_path / f"papers.{suffix}"
    path.write_text(shelf("export", "--format", form).out, encoding="utf-8")
    taken_in = run("shelf", "import", corpus, "copy", path)
    assert (taken_in.status, taken_in.err) == (0, "")
    copied_papers = json.loads(run("shelf", "show", corpus, "copy", "--json").out)["papers"]
    assert [paper["id"] for paper in copied_papers] == ["pulsars", "galaxies"]


@pytest.mark.parametrize(
    ("form", "n"), [("bibtex", 1), ("ris", 1), ("csl", 1), ("nbib", 1), ("short", 1), ("csv", 2), ("markdown", 2)]
)
def test_papers_that_are_out_are_in_no_bibliography(shelf, form, n):
    shelf("add", "pulsars", "galaxies")
    shelf("state", "galaxies", "out")
    exported = shelf("export", "--format", form)
    assert [name in exported.out.lower() for name in ("pulsar", "galax")] == [True, n == 2]
    assert ("marked as out" in exported.err) == (n == 1)


def test_references_go_out_in_a_style_of_pathfinder_and_in_that_of_a_file(shelf, tmp_path):
    shelf("add", "pulsars", "galaxies")
    lines = shelf("export", "--format", "numbered").out.splitlines()
    assert [line[:4] for line in lines] == ["[1] ", "[2] "]
    path = tmp_path / "none.csl"
    assert f"there is no style '{path}'" in only_line(shelf("export", "--style", path), 2)


def test_the_note_and_rank_go_out_by_ris_csv_and_markdown(shelf):
    shelf("add", "pulsars", "galaxies")
    shelf("note", "galaxies", "see the table")
    ris = shelf("export", "--format", "ris").out
    assert "N1  - rank 2\n" in ris
    assert "N1  - see the table\n" in ris
    rows = list(csv.DictReader(io.StringIO(shelf("export", "--format", "csv").out)))
    assert [(row["rank"], row["note"]) for row in rows] == [("1", ""), ("2", "see the table")]
    assert "   > see the table" in shelf("export", "--format", "markdown").out.splitlines()


NOTE = "h0 = 73 -- see $H_0$ in *table 5*\n\n  - ER  - two  spaces\n- a list\n# no heading, 5 < 6"


def test_the_lines_of_a_note_come_back_by_ris_and_a_second_time_changes_nothing(run, shelf, corpus, tmp_path):
    shelf("add", "pulsars", "galaxies")
    shelf("note", "galaxies", NOTE)
    shelf("tag", "galaxies", "young")
    path = tmp_path / "papers.ris"
    path.write_text(shelf("export", "--format", "ris").out, encoding="utf-8")
    run("shelf", "import", corpus, "copy", path)
    copied_papers = json.loads(run("shelf", "show", corpus, "copy", "--json").out)["papers"]
    assert [paper["note"] for paper in copied_papers] == ["", NOTE]
    before = papers(shelf)
    for _ in range(2):
        shelf("import", path)
    assert papers(shelf) == before


def test_a_note_stands_in_markdown_as_it_was_typed(shelf):
    shelf("add", "galaxies")
    shelf("note", "galaxies", NOTE)
    lines = shelf("export", "--format", "markdown").out.splitlines()
    assert [line for line in lines if line.startswith("   >")] == [
        "   > h0 = 73 -- see \\$H\\_0\\$ in \\*table 5\\*",
        "   >",
        "   > \N{NO-BREAK SPACE}\N{NO-BREAK SPACE}\\- ER  - two  spaces  ",
        "   > \\- a list  ",
        "   > \\# no heading, 5 \\< 6",
    ]


def test_the_notes_of_both_records_of_a_paper_are_kept(shelf, tmp_path):
    path = tmp_path / "twice.ris"
    record = "TY  - JOUR\nTI  - Pulsar timing\nN1  - {}\nER  - \n"
    path.write_text(record.format("first\nline") + record.format("second"), encoding="utf-8")
    shelf("import", path)
    assert papers(shelf)[0]["note"] == "first\nline\n\nsecond"


def test_a_file_with_nothing_usable_says_what_is_wrong_with_each_entry_and_the_way_out(run, shelf, corpus, tmp_path):
    path = tmp_path / "broken.ris"
    entries = "TY  - JOUR\nAU  - Nobody\nER  - \n" + 4 * "TY  - JOUR\nPY  - 1999\nER  - \n"
    path.write_text(entries, encoding="utf-8")
    line = only_line(shelf("import", path), 2)
    assert line.startswith(f"pathfinder: {path} holds no paper that can be read: each entry needs a title")
    assert "; broken.ris, line 1: " in line
    assert "; broken.ris, line 4: " in line
    assert line.endswith("; and 2 more")
    assert json.loads(run("shelf", "list", corpus, "--json").out) == {"shelves": []}


def test_a_shelf_is_renamed_with_its_draft_and_deleted_and_undo_takes_each_back(run, shelf, corpus):
    shelf("add", "galaxies", "pulsars")
    run("draft", "outline", corpus, "mine", "--question", "How do pulsars spin?")
    shelf_record = json.loads(shelf("rename", "stars", "--json").out)
    assert (shelf_record["name"], shelf_record["n"]) == ("stars", 2)
    assert json.loads(run("draft", "show", corpus, "stars", "--json").out)["shelf"] == "stars"
    assert "no shelf 'mine'" in only_line(shelf("delete"), 2)
    assert "`pathfinder shelf undo` brings it back" in run("shelf", "delete", corpus, "stars").out
    assert json.loads(run("shelf", "list", corpus, "--json").out) == {"shelves": []}
    assert run("shelf", "undo", corpus, "stars").out == "stars: 2 papers (2 to read)\n"
    assert run("shelf", "undo", corpus, "stars").out == "mine: 2 papers (2 to read)\n"
    assert json.loads(run("draft", "show", corpus, "mine", "--json").out)["shelf"] == "mine"


def test_a_name_of_another_shelf_or_draft_is_refused(run, shelf, corpus):
    shelf("add", "galaxies")
    run("shelf", "add", corpus, "other", "pulsars")
    assert "the name 'other' is taken" in only_line(shelf("rename", "other"), 2)
    run("draft", "outline", corpus, "other", "--question", "How do pulsars spin?")
    run("shelf", "undo", corpus, "other")  # the shelf has never been, but its draft is there
    assert "a draft for a shelf called 'other'" in only_line(shelf("rename", "other"), 2)
    assert [paper["id"] for paper in papers(shelf)] == ["galaxies"]


def test_the_notes_of_another_program_are_kept(shelf, tmp_path):
    path = tmp_path / "zotero.ris"
    path.write_text(
        "TY  - JOUR\nID  - pulsars\nTI  - Pulsar timing\nN1  - first\nN1  - second\nER  - \n", encoding="utf-8"
    )
    shelf("import", path)
    assert papers(shelf)[0]["note"] == "first\n\nsecond"


def test_the_file_of_a_shelf_brings_notes_and_states(run, shelf, corpus, tmp_path):
    shelf("add", "pulsars")
    shelf("state", "pulsars", "out", "--why", "too fast")
    path = tmp_path / "mine.json"
    path.write_text(shelf("export").out, encoding="utf-8")
    run("shelf", "import", corpus, "copy", path)
    (copy,) = json.loads(run("shelf", "show", corpus, "copy", "--json").out)["papers"]
    assert (copy["state"], copy["why"]) == ("out", "too fast")


def test_papers_that_the_corpus_lacks_are_named(run, shelf, tmp_path):
    path = tmp_path / "theirs.ris"
    path.write_text("TY  - JOUR\nTI  - Nebulae at night\nDO  - 10.1/nebulae\nER  - \n", encoding="utf-8")
    taken_in = shelf("import", path)
    assert taken_in.status == 0
    assert "not in the corpus: Nebulae at night" in taken_in.err


def test_a_library_comes_in_by_the_local_api_of_zotero(monkeypatch, shelf, tmp_path):
    monkeypatch.setenv("PATHFINDER_CACHE", str(tmp_path / "cache"))
    pulsars = {"title": "Pulsar timing", "creators": [], "DOI": "", "extra": "", "date": ""}
    items = [item(1, **pulsars) | {"meta": {}}, item(2, itemType="note"), item(3)]
    with running(LoopbackHost(zotero(items, is_local=True))) as program:
        monkeypatch.setenv("PATHFINDER_ZOTERO_LOCAL_URL", program.address)
        outcome = shelf("import", "zotero:collections/AAAA0001", "--json")
    assert json.loads(outcome.out)["states"] == {"to read": 1, "read": 0, "in": 0, "out": 0}
    assert "not in the corpus: Dust 3" in outcome.err
    assert [paper["id"] for paper in papers(shelf)] == ["pulsars"]
    assert program.requests[0].path == "/api/users/0/collections/AAAA0001/items"


def test_every_change_is_told_in_json(shelf):
    records = [
        json.loads(shelf(*command, "--json").out)
        for command in (
            ("add", "galaxies", "pulsars"),
            ("note", "galaxies", "see the table"),
            ("tag", "galaxies", "young"),
            ("state", "galaxies", "in"),
            ("remove", "pulsars"),
            ("undo",),
        )
    ]
    assert [record["n"] for record in records] == [2, 2, 2, 2, 1, 2]
    assert records[-1] == {"name": "mine", "n": 2, "states": {"to read": 1, "read": 0, "in": 1, "out": 0}}


def test_merging_lists_both_states_and_kappa(run, shelf, corpus, tmp_path):
    for name, verdict in (("mine", "in"), ("theirs", "out")):
        run("shelf", "add", corpus, name, "galaxies", "pulsars", "planets")
        run("shelf", "state", corpus, name, "galaxies", verdict)
        run("shelf", "state", corpus, name, "pulsars", "read")
    path = tmp_path / "theirs.json"
    path.write_text(run("shelf", "export", corpus, "theirs").out, encoding="utf-8")
    merge = json.loads(shelf("merge", path, "--json").out)
    assert merge["n_shared"] == 3
    assert merge["kappa"] == pytest.approx(4 / 7)
    (difference,) = merge["differences"]
    assert (difference["id"], difference["ours"]["state"], difference["theirs"]["state"]) == ("galaxies", "in", "out")


def test_the_missing_are_those_that_the_shelf_cites_then_those_like_it(shelf):
    shelf("add", "galaxies")
    missing = json.loads(shelf("missing", "--json").out)["papers"]
    assert (missing[0]["id"], missing[0]["n_cited_by"]) == ("planets", 1)
    assert {paper["id"] for paper in missing} <= {"planets", "pulsars"}


def test_a_shelf_is_searched_without_the_papers_that_are_out(run, shelf, corpus):
    shelf("add", "galaxies", "pulsars")
    shelf("state", "pulsars", "out")
    where = ("--corpus", corpus, "--within-shelf", "mine")
    outcome = run("search", "stars", *where, "--json")
    result = json.loads(outcome.out)
    assert [hit["paper_id"] for hit in result["hits"]] == ["galaxies"]
    assert result["filters"]["within"] == ["galaxies"]
    assert "only 1 of 3 papers are searched" in outcome.err
    assert "cannot be used together" in only_line(run("search", "stars", *where, "--within", "pulsars"), 2)
    shelf("state", "galaxies", "out")
    assert "all its papers are marked as out" in only_line(run("search", "stars", *where), 2)


def test_a_paper_that_is_out_finds_none_that_are_missing(shelf):
    shelf("add", "galaxies")
    shelf("state", "galaxies", "out")
    assert "no papers in this corpus, or all of them are out" in only_line(shelf("missing"), 2)
