"""Output of the commands, and their exit statuses."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.core import TyperGroup

from pathfinder.cli.app import command_line, main
from pathfinder.cli.options import FOLDER_HELP
from pathfinder.cli.output import report_bug, write_lines
from pathfinder.corpus.readers import READERS
from pathfinder.models.loading import CHAT_MODELS, EMBEDDERS, RERANKERS
from pathfinder.sources import SOURCES
from tests import thesauri
from tests.building.conftest import GALAXIES, PLANETS, PULSARS, content, write
from tests.cli.conftest import only_line

# Usage errors: status 2 -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([""], "the question is empty: type a question"),
        (["  \n"], "the question is empty"),
        (["x", "--top-k", "0"], "top_k must be a whole number in 1..30, got 0"),
        (["x", "--top-k", "-1"], "got -1"),
        (["x", "--top-k", "31"], "got 31"),
        (["x", "--top-k", "ten"], "got 'ten'"),
        (["x", "--as-of", "abc"], "'abc'"),
        (["x", "--year-from", "2020", "--year-to", "2010"], "year_from is after year_to: from 2020 to 2010"),
        (["x", "--weight-recency", "1.5"], "the weight of recency must lie in 0..1, got 1.5"),
        (["x", "--weight-citations", "nan"], "the weight of citations must lie in 0..1, got nan"),
        (["x", "--preset", "best"], "'best' is not one of 'balanced', 'paper'"),
        (["x", "--today", "yesterday"], "Invalid value for '--today'"),
        (["x", "--region", "here"], "a corner of a region must be two numbers, such as 1.5,-2, got 'here'"),
        (["x", "--region", "0,0"], "a region of the map must have 3 to 200 corners, got 1"),
        (["x", "--frobnicate"], "No such option"),
        (["x"], "no corpus was given: add --corpus DIR"),
        ([], "Missing argument 'QUESTION'"),
    ],
)
def test_a_wrong_request_is_a_usage_error_on_one_line(run, arguments, message):
    line = only_line(run("search", *arguments), 2)
    assert message in line
    assert "Value error" not in line


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        ([], "pathfinder"),
        (["serf"], "pathfinder"),
        (["build"], "pathfinder build"),
        (["build", "a.jsonl"], "pathfinder build"),
        (["info"], "pathfinder info"),
        (["shelf", "rename", "a"], "pathfinder shelf rename"),
    ],
)
def test_an_incomplete_command_is_a_usage_error_that_names_its_help(run, arguments, command):
    assert only_line(run(*arguments), 2).endswith(f": see `{command} --help`")


@pytest.mark.parametrize(
    ("command", "argument"),
    [("cites", "PAPER_ID"), ("paper", "PAPER_ID"), ("region", "X,Y;X,Y;..."), ("references", "PAPER_ID...")],
)
def test_an_operation_without_its_argument_is_a_usage_error(run, corpus, command, argument):
    assert f"Missing argument '{argument}'" in only_line(run(command, "--corpus", corpus), 2)


@pytest.mark.parametrize(
    ("arguments", "field", "value"),
    [
        (["similar", "x", "--top-k", "99"], "top_k", "99"),
        (["similar", "x", "--year-from", "99999"], "year_from", "99999"),
        (["similar", "x", "--as-of", "0"], "as_of", "0"),
        (["map", "--as-of", "0"], "as_of", "0"),
    ],
)
def test_a_setting_of_an_operation_that_is_out_of_range_is_a_usage_error(run, corpus, arguments, field, value):
    line = only_line(run(*arguments, "--corpus", corpus), 2)
    assert f"{field}: " in line
    assert f"got {value}" in line


@pytest.mark.parametrize("command", [["search", "x", "--corpus", "c"], ["preview", "x.jsonl"], ["build", "--help"]])
def test_a_wrong_setting_is_told(command, run, monkeypatch):
    for registry in (READERS, EMBEDDERS, RERANKERS, CHAT_MODELS):  # each reads the settings once
        monkeypatch.delitem(vars(registry), "_declarations", raising=False)
    monkeypatch.setenv("PATHFINDER_CHAT_TIMEOUT_SECONDS", "soon")
    assert "chat_timeout_seconds" in only_line(run(*command), 2)


PATHFINDER = ("-c", "import sys; from pathfinder.cli.app import main; sys.exit(main())", "info", "nowhere")


@pytest.mark.parametrize("program", [PATHFINDER, ("server.py",)], ids=["pathfinder", "server.py"])
def test_a_wrong_setting_is_told_by_a_program_that_starts(program):
    root = Path(__file__).parents[2]
    wrong = {**os.environ, "PATHFINDER_CHAT_TIMEOUT_SECONDS": "soon"}
    ended = subprocess.run([sys.executable, *program], capture_output=True, text=True, cwd=root, env=wrong, check=False)
    assert (ended.returncode, ended.stdout) == (2, "")
    (line,) = ended.stderr.splitlines()
    assert line.startswith("pathfinder: the setting chat_timeout_seconds")


# Everything else that fails: status 1 ---------------------------------------------------------------


def test_a_corpus_that_is_not_there_is_told_with_the_command_that_makes_one(run):
    assert "build a corpus with `pathfinder build" in only_line(run("search", "x", "--corpus", "nowhere"), 1)


def test_a_damaged_corpus_is_told_with_the_file(run, corpus, tmp_path):
    copy = Path(shutil.copytree(corpus, tmp_path / "copy"))
    (dense,) = copy.glob("dense-*")
    dense.unlink()
    for command in (["search", "x", "--corpus", copy], ["info", copy], ["ask", "x", "--corpus", copy]):
        assert f"{dense} is missing: restore the corpus" in only_line(run(*command), 1)


def test_a_source_that_is_not_there_is_told(run):
    assert "none.jsonl does not exist" in only_line(run("build", "none.jsonl", "--out", "c"), 1)


def test_an_embedder_that_nobody_knows_is_a_usage_error(run):
    assert "is not an embedder" in only_line(run("build", "a.jsonl", "--out", "c", "--embedder", "best"), 2)


def test_a_folder_that_cannot_be_made_is_told(run, tmp_path):
    source = write(tmp_path / "papers.jsonl", GALAXIES)
    line = only_line(run("build", source, "--out", source / "corpus", "--embedder", "fake:hash-16"), 1)
    assert "papers.jsonl/corpus: Not a directory: fix this" in line


def test_a_bug_is_one_line_with_its_place(capsys):
    try:
        raise KeyError("nobody foresaw\nthis")
    except KeyError as error:
        report_bug(KeyError, error, error.__traceback__)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("pathfinder: this is a bug; please report it")
    assert "KeyError in test_commands.py, line" in line


# Results: status 0 ----------------------------------------------------------------------------------


def test_the_flags_reach_the_search(run, corpus):
    flags = (
        "--year-from 2024 --year-to 2024 --weight-citations 1 --weight-keywords 0.5 --preset paper --keyword planets "
        "--drop-keyword nothing --today 2025-01-01 --retrieval-mode sparse --json"
    )
    record = json.loads(run("search", "hot planets", "--corpus", corpus, *flags.split()).out)
    assert [hit["paper_id"] for hit in record["hits"]] == ["planets"]
    score = record["hits"][0]["score"]
    assert score["dense"] is None
    assert score["citation"] is not None
    assert score["keyword"] is not None
    assert score["recency"] is None


def test_an_option_has_the_name_of_the_glossary_and_that_of_the_first_release(run, corpus):
    def hits_and_stages(flags):
        record = json.loads(run("search", "hot planets", "--corpus", corpus, "--json", *flags.split()).out)
        return record["hits"], record["stages"]

    now = hits_and_stages(
        "--retrieval-mode sparse --query-expansion feedback --hypothetical-abstracts 2 --synonyms --recency-midpoint 3 "
        "--weight-recency 0.5 --weight-word-coverage 0.5 --weight-single-passage-match 0.5 --weight-reranker 0"
    )
    assert now[0]
    assert now == hits_and_stages(
        "--sides sparse --imagine feedback --hypothetical 2 --expand --time-midpoint 3 "
        "--weight-time 0.5 --weight-coverage 0.5 --weight-diversity 0.5 --weight-rerank 0"
    )


def test_the_corpus_may_come_from_the_environment(run, corpus, monkeypatch):
    monkeypatch.setenv("PATHFINDER_CORPUS", str(corpus))
    assert json.loads(run("search", "pulsars", "--json").out)["corpus"] == "stars"


@pytest.mark.build
def test_reviews_alone_need_a_corpus_and_are_counted(run, tmp_path):
    source = write(tmp_path / "papers.jsonl", GALAXIES)
    reviews = write(tmp_path / "reviews.jsonl", {"title": "Young galaxies, a review", "year": "2020"})
    assert "reviews or a profile may come alone, into a corpus that exists" in only_line(
        run("build", "--out", "stars", "--reviews", reviews), 2
    )
    assert run("build", source, "--out", "stars", "--embedder", "fake:hash-16").status == 0
    assert "review articles: 1" in run("build", "--out", "stars", "--reviews", reviews).out


@pytest.mark.build
def test_an_interrupted_build_says_that_it_can_go_on(tmp_path):
    program = """
import os, signal, sys
from pathfinder.cli.app import main
from pathfinder.cli.progress import LineProgress
# A shell starts what runs in its background with this signal ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
LineProgress.finish = lambda self: os.kill(os.getpid(), signal.SIGINT)
sys.exit(main())
"""
    source = write(tmp_path / "papers.jsonl", GALAXIES)
    command = [sys.executable, "-c", program, "build", source, "--out", tmp_path / "c", "--embedder", "fake:hash-8"]
    run = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.splitlines()[-1] == (
        "pathfinder: stopped; run the same command again to continue a build where it stopped"
    )


def test_a_reader_that_leaves_early_is_no_error_to_complain_of(corpus):
    command = [sys.executable, *PATHFINDER[:3], corpus]
    root = Path(__file__).parents[2]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


def test_people_get_lines(run, corpus):
    outcome = run("search", "timing of pulsars", "--corpus", corpus)
    title, score = outcome.out.splitlines()[:2]
    assert title == " 1. Pulsar timing"
    assert re.fullmatch(r"    \[#{1,20}\.{0,19}\] match 1\.00  pulsars", score)
    assert "score -" not in outcome.out
    answer = run("ask", "timing of pulsars", "--corpus", corpus)
    assert "[1] Pulsar timing pulsars" in answer.out


def test_notes_go_to_standard_error(run, corpus):
    outcome = run("search", "pulsars " * 400, "--corpus", corpus, "--json")
    assert json.loads(outcome.out)["hits"]
    assert outcome.err.startswith("note: the question is too long")


@pytest.mark.build
def test_build_prints_the_counts_and_its_progress_goes_to_standard_error(run, tmp_path):
    write(tmp_path / "papers.jsonl", GALAXIES, PLANETS, "{")
    built = run("build", "papers.jsonl", "--out", "c", "--embedder", "fake:hash-16")
    assert built.status == 0
    assert built.out.splitlines() == [
        "new: 2",
        "already there: 0",
        "changed, but the old version was kept: 0",
        "rejected: 1 (c/rejected.jsonl says why)",
        "papers in c: 2",
    ]
    assert "embedding: 0 of 2" in built.err.splitlines()


@pytest.mark.build
def test_a_corpus_is_built_without_passages_where_nobody_wants_them(run, tmp_path):
    write(tmp_path / "papers.jsonl", GALAXIES)
    run("build", "papers.jsonl", "--out", "c", "--embedder", "fake:hash-16", "--no-passages")
    info = json.loads(run("info", "c", "--json").out)
    assert not {"passages", "titles", "tokens"} & set(info["parts"])
    assert "without --no-passages" in info["absent"]["passages"]


@pytest.mark.build
def test_adding_to_a_corpus_takes_the_embedder_that_made_it(run, tmp_path):
    write(tmp_path / "papers.jsonl", GALAXIES)
    run("build", "papers.jsonl", "--out", "c", "--embedder", "fake:hash-16", "--snapshot", "2025-06-30")
    write(tmp_path / "more.jsonl", {**GALAXIES, "abstract": "Changed."}, PULSARS)
    added = run("build", "more.jsonl", "--out", "c")
    assert added.out.splitlines()[:2] == ["new: 1", "already there: 0"]
    assert added.out.splitlines()[2].startswith("changed, but the old version was kept: 1 (`pathfinder update ")
    info = json.loads(run("info", "c", "--json").out)
    assert (info["embedder"], info["snapshot"]) == ("fake:hash-16", "2025-06-30")


def test_info_tells_what_the_manifest_knows(run, corpus):
    before = content(corpus)
    outcome = run("info", corpus, "--verify", "--json")
    assert (outcome.status, outcome.err) == (0, "")
    info = json.loads(outcome.out)
    manifest = json.loads(before["manifest.json"])
    assert info["counts"] == manifest["counts"]
    assert info["counts"]["papers"] == 3
    assert info["verified"] is True
    assert {name for part in info["parts"].values() for name in (file["name"] for file in part["files"])} == {
        file["name"] for part in manifest["parts"].values() for file in part["files"]
    }
    assert info["parts"]["papers"]["bytes"] == len(before[info["parts"]["papers"]["name"]])
    assert content(corpus) == before
    lines = run("info", corpus).out
    assert "stars, version" in lines
    assert "\ngroups: none" in lines or re.search(r"\ngroups: [\d,]+ bytes", lines)
    assert "overlays" not in lines


# Other names ----------------------------------------------------------------------------------------


def test_a_thesaurus_alone_needs_a_corpus_to_go_into(run, tmp_path):
    path = thesauri.write_list(tmp_path / "sky.json")
    assert "no source was given" in only_line(run("build", "--out", "stars", "--thesaurus", path), 2)
    assert "no source was given" in only_line(run("build", "--out", "stars"), 2)


@pytest.mark.build
def test_a_question_is_expanded_by_a_thesaurus_and_by_a_map_of_ones_own(run, tmp_path):
    source = write(tmp_path / "papers.jsonl", GALAXIES, PLANETS)
    assert run("build", source, "--out", "stars", "--embedder", "fake:hash-16").status == 0
    path = thesauri.write_list(tmp_path / "sky.json")
    assert "thesaurus concepts: 10" in run("build", "--out", "stars", "--thesaurus", path).out
    search = ("search", "Luminous balls", "--corpus", "stars", "--retrieval-mode", "sparse", "--synonyms")
    assert "synonyms: Luminous balls: also Suns, Star (sky)" in run(*search).out
    (tmp_path / "map.json").write_text('{"luminous balls": ["planets"]}')
    assert "(your own map)" in run(*search, "--own-synonyms", "map.json").out
    (tmp_path / "map.json").write_text("[]")
    assert "is no JSON object" in only_line(run(*search, "--expansion-map", "map.json"), 2)


# Similar papers -------------------------------------------------------------------------------------


def test_similar_papers_are_asked_for_by_something_that_is_there(run, corpus):
    assert "no examples were given" in only_line(run("similar", "--corpus", corpus), 2)
    assert "the paper 'gone' is not in this corpus" in only_line(run("similar", "gone", "--corpus", corpus), 2)
    assert "too small for a map" in only_line(run("similar", "--place", "0", "0", "--corpus", corpus), 2)


def test_similar_papers_are_found_without_those_that_were_given(run, corpus):
    outcome = run("similar", "galaxies", "--less", "pulsars", "--corpus", corpus, "--json")
    record = json.loads(outcome.out)
    assert [hit["paper_id"] for hit in record["hits"]] == ["planets"]
    assert record["stages"]["likeness"] == "like 1 paper, less 0.5 of 1 paper"
    assert outcome.err.startswith("note: left out because they are among your examples")
    assert "Pulsar timing" in run("similar", "--text", "timing noise of pulsars", "--corpus", corpus).out


# The map --------------------------------------------------------------------------------------------


def test_names_by_a_chat_model_take_one(run, tmp_path):
    write(tmp_path / "papers.jsonl", GALAXIES)
    message = only_line(run("build", "papers.jsonl", "--out", "c", "--name-labels"), 2)
    assert "--name-labels needs a chat model, and none is set: set PATHFINDER_CHAT_MODEL" in message
    assert not (tmp_path / "c").exists()


def test_the_drift_of_a_corpus_without_a_map_is_a_usage_error(run, corpus):
    assert "has no map to compare: a map needs at least 5 papers" in only_line(run("info", corpus, "--drift"), 2)


@pytest.mark.build
def test_info_tells_the_drift_of_a_map(run, tmp_path):
    papers = [{**GALAXIES, "id": str(i), "abstract": f"Of galaxies, part {i} in field {i % 4}."} for i in range(20)]
    write(tmp_path / "papers.jsonl", *papers)
    run("build", "papers.jsonl", "--out", "c", "--embedder", "fake:hash-16")
    assert "drift from a fresh map: median 0.0% of the map's longer side" in run("info", "c", "--drift").out
    assert "drift" not in json.loads(run("info", "c", "--json").out)


def test_what_is_written_for_people_neither_steers_the_terminal_nor_turns_its_text(capsys):
    write_lines(["A title\u202e\x1b[31m of a paper", "one\n  two"])
    assert capsys.readouterr().out == "A title[31m of a paper\none\n  two\n"


def test_the_list_of_commands_loads_nothing_that_only_a_command_needs() -> None:
    script = "import sys; from pathfinder.cli.app import main; main(['--help']); print(*sys.modules)"
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    loaded = shown.splitlines()[-1].split()
    assert "pathfinder.addons.network.operation" in loaded
    for heavy in ("networkx", "pandas", "pyarrow", "rapidfuzz", "scipy"):
        assert heavy not in loaded
    ours = {".".join(name.split(".")[1:3]) for name in loaded if name.startswith("pathfinder.")}
    rooms = {"assessment", "building", "facade", "fulltext", "grounding", "index", "missions", "profile", "ui"}
    assert ours.isdisjoint(rooms | {"corpus.keywords", "shelves.shelf", "text.language", "text.quantities"})


@pytest.mark.parametrize(("ending", "is_said"), [("ctypes.CDLL(None).exit(1)", True), ("sys.exit(1)", False)])
def test_a_library_that_ends_a_command_with_too_little_memory_is_answered_for(ending, is_said):
    program = (
        "import ctypes, resource, sys; resource.setrlimit(resource.RLIMIT_AS, (1 << 36, 1 << 36));"
        "from pathfinder.cli.output import check_memory; status = check_memory();"
        f"{ending} if status is None else sys.exit(status)"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (ended.returncode, "too little memory" in ended.stderr) == (1, is_said)


def test_a_library_that_asks_for_memory_for_ever_is_ended():
    program = (
        "import mmap, resource, sys; from contextlib import suppress; from pathlib import Path;"
        "from pathfinder.cli import output; output.SECONDS_IN_VAIN = 0.5; limit = 1 << 36;"
        "resource.setrlimit(resource.RLIMIT_AS, (limit, limit)); status = output.check_memory();"
        "status is None or sys.exit(status);"
        "size = int(Path('/proc/self/stat').read_text().rpartition(')')[2].split()[20]);"
        "most = mmap.mmap(-1, limit - size - (8 << 20), mmap.MAP_PRIVATE, mmap.PROT_READ)\n"
        "while True:\n with suppress(OSError): mmap.mmap(-1, 32 << 20)"
    )
    command = [sys.executable, "-c", program]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert (ended.returncode, "too little memory" in ended.stderr) == (1, True), ended.stderr


def test_references_and_citations_are_listed_as_lines_and_as_json(run, corpus):
    lines = run("cites", "galaxies", "--corpus", corpus).out.splitlines()
    assert lines == [
        "Young galaxies (2024) galaxies",
        "cites in this corpus: 1",
        "  Hot planets (2024) planets",
        "cites elsewhere: 1",
        "  doi:10.1/elsewhere",
        "cited in this corpus by: 0",
        "cited together with it: none",
        "cite the same works: none",
    ]
    record = json.loads(run("cites", "planets", "--corpus", corpus, "--json").out)
    assert [paper["paper_id"] for paper in record["cited_by"]] == ["galaxies"]
    assert (record["n_cited_by"], record["as_of"], record["citations_by_year"]) == (1, None, {"2024": 1})


def test_citations_are_counted_as_of_a_year(run, corpus):
    assert "cited up to 2023: 0" in run("cites", "planets", "--corpus", corpus, "--as-of", "2023").out.splitlines()
    assert "cited up to 2024: 1" in run("cites", "planets", "--corpus", corpus, "--as-of", "2024").out.splitlines()


def test_info_has_the_share_of_references_inside(run, corpus):
    references = json.loads(run("info", corpus, "--json").out)["coverage"]["references"]
    assert (references["n_references"], references["n_inside"], references["share_inside"]) == (2, 1, 0.5)
    assert "references: 2, 50.0% of them to papers in this corpus" in run("info", corpus).out


def commands(group: Any, words: tuple[str, ...] = ()) -> Iterator[Any]:
    for name, command in group.commands.items():
        if isinstance(command, TyperGroup):
            yield from commands(command, (*words, name))
        else:
            yield pytest.param(command, id=" ".join((*words, name)))


@pytest.mark.parametrize("command", [*commands(command_line())])
def test_whatever_reads_a_corpus_takes_the_option_once(command: Any) -> None:
    n = [option for parameter in command.params for option in parameter.opts].count("--corpus")
    reads = bool(command.params) and getattr(command.params[0], "help", None) == FOLDER_HELP
    assert reads <= n <= 1


@pytest.mark.parametrize("words", [["info", "--json"], ["shelf", "list", "--json"], ["merges", "--json"]])
def test_the_folder_the_option_and_the_setting_name_the_same_corpus(
    words: list[str], run: Any, corpus: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path / "data"))
    named = run(*words, corpus)
    assert named.status == 0
    assert run(*words, "--corpus", corpus) == named
    assert run(*words).status == 2
    monkeypatch.setenv("PATHFINDER_CORPUS", str(corpus))
    assert run(*words) == named


def test_a_corpus_that_is_named_is_preferred_to_the_one_of_the_settings(
    run: Any, corpus: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setenv("PATHFINDER_CORPUS", str(tmp_path / "elsewhere"))
    assert run("info", corpus).status == run("info", "--corpus", corpus).status == 0
    assert run("info").status == 1


LIBRARY = "@misc{a, title={A title}, year=2001}\n@misc{b, year=2000}\n"


def test_sources_lists_every_kind_with_what_it_needs(capsys):
    assert main(["sources"]) == 0
    text = capsys.readouterr().out
    assert all(f"{kind.form}: {kind.label}" in text for kind in SOURCES.all())
    assert "BibTeX: .bib" in text


def test_sources_as_json_says_what_each_needs_and_gives(capsys):
    assert main(["sources", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    by_scheme = {kind["scheme"]: kind for kind in record["sources"]}
    assert by_scheme["file"]["key"] is None
    assert {"terms", "cost", "gives", "examples", "licence"} <= by_scheme["arxiv"].keys()
    assert {"name": "RIS", "suffixes": [".ris"]} in record["formats"]


def test_preview_shows_papers_and_what_would_be_rejected(tmp_path, capsys):
    (tmp_path / "library.bib").write_text(LIBRARY)
    assert main(["preview", str(tmp_path / "library.bib")]) == 0
    text = capsys.readouterr().out
    assert "2 rows, the whole source" in text
    assert "A title" in text
    assert "library.bib, line 2: no title" in text


def test_preview_as_json_holds_papers_and_rejected_rows(tmp_path, capsys):
    (tmp_path / "library.bib").write_text(LIBRARY)
    assert main(["preview", str(tmp_path / "library.bib"), "--json", "--max", "1"]) == 0
    (record,) = json.loads(capsys.readouterr().out)["sources"]
    assert [paper["title"] for paper in record["papers"]] == ["A title"]
    assert (record["n_rows"], record["is_whole"]) == (1, True)
