"""The commands for drafts, on a corpus of three papers of which one cites another."""

import json

import pytest

from tests.cli.conftest import only_line


@pytest.fixture(autouse=True)
def own_data(monkeypatch, tmp_path):
    monkeypatch.setenv("PATHFINDER_EMBEDDER", "fake:hash-16")
    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path / "data"))


@pytest.fixture
def draft(run, corpus):
    """Run a command for the draft of the shelf "mine", which has two papers."""
    run("shelf", "add", corpus, "mine", "galaxies", "pulsars")

    def command(name, *arguments):
        return run("draft", name, corpus, "mine", *arguments)

    return command


def record(run):
    return json.loads(run.out)


def test_a_draft_goes_from_the_outline_to_files(draft, tmp_path):
    outline = record(draft("outline", "--question", "How do pulsars spin?", "--title", "Stars", "--json"))
    assert (outline["shelf"], outline["title"]) == ("mine", "Stars")
    assert outline["sections"][0]["heading"] == "How do pulsars spin?"
    assert [section["text"] for section in outline["sections"]] == [None] * len(outline["sections"])
    wrote = draft("write", "--json")
    assert wrote.status == 0
    assert "step: section 1 of" in wrote.err
    assert "set PATHFINDER_CHAT_MODEL to have a chat model write the text" in wrote.err
    texts = [section["text"] for section in record(wrote)["sections"]]
    cited_ids = {each for text in texts for sentence in text["sentences"] for each in sentence["citations"]}
    assert cited_ids <= {"galaxies", "pulsars"}
    assert {sentence["verdict"] for text in texts for sentence in text["sentences"]} <= {"supported"}
    assert set(record(wrote)["coverage"]["uncited"]) == {"galaxies", "pulsars"} - cited_ids
    assert "1. How do pulsars spin?" in draft("show").out
    for form, files in (("latex", ["r.tex", "r.bib"]), ("markdown", ["r.md"]), ("docx", ["r.docx"])):
        out = tmp_path / files[0]
        written = draft("export", "--format", form, "--out", out, "--json")
        assert record(written)["files"] == [str(tmp_path / name) for name in files]
        assert out.stat().st_size > 0


def test_latex_loses_no_file_to_the_other_and_bibtex_finds_the_references(draft, tmp_path):
    draft("outline", "--question", "What is the timing noise of millisecond pulsars?")
    draft("write")
    refusal = only_line(draft("export", "--format", "latex", "--out", tmp_path / "review.bib"), 2)
    assert "review.bib" in refusal
    assert "give a file name for the text, such as" in refusal
    assert "review.tex" in refusal
    assert not list(tmp_path.glob("review.*"))
    out = tmp_path / "my review, 50%.tex"
    assert draft("export", "--format", "latex", "--out", out).status == 0
    assert r"\bibliography{my-review-50}" in out.read_text()
    assert "@" in (tmp_path / "my-review-50.bib").read_text()


def test_an_outline_is_edited_as_a_file_and_every_change_can_be_undone(draft, tmp_path):
    draft("outline")
    file = tmp_path / "outline.json"
    draft("export", "--format", "json", "--out", file)
    text = json.loads(file.read_text())
    text["draft"]["sections"][0]["heading"] = "Renamed"
    file.write_text(json.dumps(text))
    assert record(draft("import", file, "--json"))["sections"][0]["heading"] == "Renamed"
    draft("undo")
    assert record(draft("show", "--json"))["sections"][0]["heading"] != "Renamed"
    assert record(draft("undo", "--json")) == {"shelf": "mine", "n_sections": None}
    assert "has no draft" in only_line(draft("show"), 2)


def test_a_draft_is_not_replaced_unless_asked_and_only_its_sections_are_written(draft):
    assert "has no draft" in only_line(draft("write"), 2)
    draft("outline")
    assert "add --new" in only_line(draft("outline"), 2)
    assert draft("outline", "--new").status == 0
    assert "no section 9" in only_line(draft("write", "--section", "9"), 2)
    assert draft("write", "--generation", "poem").status == 2


def test_a_verdict_that_a_file_claims_is_computed_again(draft, tmp_path):
    draft("outline", "--question", "How do pulsars spin?")
    file = tmp_path / "forged.json"
    draft("export", "--format", "json", "--out", file)
    text = json.loads(file.read_text())
    claimed_sentence = {
        "text": "Bees dance at night.",
        "citations": ["pulsars"],
        "verdict": "supported",
        "evidence": [],
    }
    text["draft"]["sections"][0]["text"] = {
        "question": "q", "searched": ["pulsars"], "ran": "rag",
        "sentences": [{"checked": claimed_sentence, "origin": "quoted"}],
    }  # fmt: skip
    file.write_text(json.dumps(text))
    (sentence,) = record(draft("import", file, "--json"))["sections"][0]["text"]["sentences"]
    assert (sentence["verdict"], sentence["origin"]) == ("not found", "edited by you")


def test_a_shelf_without_papers_has_no_outline(run, corpus):
    run("shelf", "add", corpus, "none", "galaxies")
    run("shelf", "state", corpus, "none", "galaxies", "out")
    assert "no papers in this corpus, or all of them are out" in only_line(run("draft", "outline", corpus, "none"), 2)
    assert "no shelf" in only_line(run("draft", "outline", corpus, "unknown"), 2)
