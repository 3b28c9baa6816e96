"""`pathfinder map`: what it draws, and what it refuses."""

import base64
import io
import json
import re
from xml.etree import ElementTree

import pytest
from PIL import Image

from pathfinder.cli.app import main
from tests import golden
from tests.cli.conftest import only_line

pytestmark = pytest.mark.build


@pytest.fixture(scope="module")
def map_corpus(tmp_path_factory):
    """Build a corpus of the sixty latest landmarks, which are enough for a map and for its growth."""
    folder = tmp_path_factory.mktemp("mapped")
    source = folder / "papers.jsonl"
    landmarks = golden.DEMO.read_text(encoding="utf-8").splitlines()
    latest = sorted(landmarks, key=lambda line: json.loads(line)["year"])[-60:]
    source.write_text("\n".join(latest), encoding="utf-8")
    assert main(["build", str(source), "--out", str(folder / "corpus"), "--embedder", "fake:hash-16"]) == 0
    return folder / "corpus"


def draw(run, map_corpus, out, *more):
    """Draw a map, and return the second line of the output, which says what is in view."""
    outcome = run("map", "--corpus", map_corpus, "--out", out, "--width", 400, "--height", 300, *more)
    assert outcome.status == 0, outcome.err
    first, summary = outcome.out.splitlines()
    assert first == str(out)
    return summary


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no file given: add --out FILE with a name that ends in .png, .svg or .html"),
        (["--out", "map.jpg"], "'map.jpg' has none of these suffixes"),
        (
            ["--out", "m.png", "--view", "1,2"],
            "a view is three numbers such as 4.5,2,1 (the centre and the zoom), got '1,2'",
        ),
        (["--out", "m.png", "--view", "1,2,99"], "zoom must be 0 to 8, got 99.0"),
        (["--out", "m.png", "--view", "nan,0,1"], "the centre of a view must be two finite numbers, got nan,0.0"),
        (["--out", "m.png", "--view=0,-inf,1"], "the centre of a view must be two finite numbers, got 0.0,-inf"),
        (["--out", "m.png", "--years", "2015-"], "years must look like 2015 or 2010-2020, got '2015-'"),
        (["--out", "m.png", "--years", "-2015"], "years must look like 2015 or 2010-2020, got '-2015'"),
        (["--out", "m.png", "--years", "late"], "years must look like 2015 or 2010-2020, got 'late'"),
        (["--out", "m.png", "--years", "2020-2010"], "the first year is after the last, got 2020-2010"),
        (["--out", "m.png", "--region", "1,1;2"], "a corner of a region must be two numbers, such as 1.5,-2, got '2'"),
        (["--out", "m.png", "--ground", "moon"], "'moon' is not one of 'density', 'relief'"),
        (["--out", "m.png", "--palette", "pink"], "'pink' is not one of"),
        (["--out", "m.png"], "no corpus was given: add --corpus DIR"),
    ],
)
def test_a_wrong_request_is_a_usage_error_on_one_line(run, arguments, message):
    assert message in only_line(run("map", *arguments), 2)


def test_a_size_and_a_layer_that_there_are_not_are_refused(run, map_corpus):
    begin = ("map", "--corpus", map_corpus, "--out", "m.png")
    assert "the width of a picture must be 200 to 8000 pixels, got 10" in only_line(run(*begin, "--width", 10), 2)
    assert "there is no layer 'nope'" in only_line(run(*begin, "--layer", "nope"), 2)


def test_a_corpus_without_a_map_says_why(run, corpus):
    assert "a map needs at least 5 papers" in only_line(run("map", "--corpus", corpus, "--out", "m.png"), 1)


def test_a_folder_that_is_not_there_is_told_with_the_file(run, map_corpus):
    assert "nowhere/m.png cannot be written (No such file or directory)" in only_line(
        run("map", "--corpus", map_corpus, "--out", "nowhere/m.png"), 1
    )


def test_a_png_is_drawn_the_same_each_time(run, map_corpus, tmp_path):
    summary = draw(run, map_corpus, tmp_path / "a.png", "--ground", "relief")
    draw(run, map_corpus, tmp_path / "b.png", "--ground", "relief")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    with Image.open(tmp_path / "a.png") as picture:
        assert picture.size == (400, 300)
    assert summary.startswith("The whole map of 60 papers.")
    assert summary.endswith("Nearby papers are similar. The axes mean nothing.")


def test_every_option_changes_the_picture(run, map_corpus, tmp_path):
    options = (
        ("--ground", "relief"),
        ("--palette", "contrast"),
        ("--view", "0,0,1"),
        ("--years", "2019-2020"),
        ("--region=-100,-100;100,100",),
        ("--question", "expansion of the universe", "--top-k", "3"),
        ("--layer", "growth"),
    )
    pictures = []
    for place, more in enumerate(((), *options)):
        draw(run, map_corpus, tmp_path / f"{place}.png", *more)
        pictures.append((tmp_path / f"{place}.png").read_bytes())
    assert len(set(pictures)) == len(options) + 1


@pytest.mark.parametrize(("years", "first", "last"), [("2019-2020", 2019, 2020), ("2019", 2019, 2019)])
def test_the_papers_of_the_years_asked_for_are_drawn_and_no_others(run, map_corpus, tmp_path, years, first, last):
    summary = draw(run, map_corpus, tmp_path / "m.svg", "--years", years)
    papers = map(json.loads, (map_corpus.parent / "papers.jsonl").read_text(encoding="utf-8").splitlines())
    n_papers = sum(first <= paper["year"] <= last for paper in papers)
    assert 0 < n_papers < 60
    svg = ElementTree.fromstring((tmp_path / "m.svg").read_text(encoding="utf-8"))
    assert len(svg.findall(".//*[@id='points']//{http://www.w3.org/2000/svg}use")) == n_papers
    assert f" {n_papers} paper" in summary


def test_a_mission_and_its_other_name_are_one_layer(run, map_corpus, tmp_path):
    draw(run, map_corpus, tmp_path / "twice.svg", "--layer", "mission:ligo", "--layer", "mission:LIGO")
    draw(run, map_corpus, tmp_path / "once.svg", "--layer", "mission:ligo")
    assert (tmp_path / "twice.svg").read_bytes() == (tmp_path / "once.svg").read_bytes()


def test_papers_found_are_numbered_and_told(run, map_corpus, tmp_path):
    summary = draw(run, map_corpus, tmp_path / "m.svg", "--question", "expansion of the universe", "--top-k", "2")
    assert "2 of 2 papers found are in view. Number 1: " in summary
    svg = (tmp_path / "m.svg").read_text(encoding="utf-8")
    assert {">1</text>", ">2</text>"} <= set(re.findall(r">\d</text>", svg))


def test_an_html_file_holds_everything_and_fetches_nothing(run, map_corpus, tmp_path):
    draw(run, map_corpus, tmp_path / "m.html", "--title", "Stars & <b>worlds</b>", "--layer", "growth")
    page = (tmp_path / "m.html").read_text(encoding="utf-8")
    assert "<title>Stars &amp; &lt;b&gt;worlds&lt;/b&gt;</title>" in page
    assert re.findall(r"""(?:src|href)\s*=\s*["']""", page) == []
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    record = json.loads(data)
    assert record["shown"] == ["growth"]
    assert len(record["scene"]["points"]["rows"]) == 60
    png = Image.open(io.BytesIO(base64.b64decode(record["scene"]["tiles"]["0/0/0"])))
    assert png.size == (256, 256)


def test_the_layers_are_listed(run, map_corpus):
    outcome = run("map", "--corpus", map_corpus, "--list")
    assert outcome.status == 0
    assert any(line.startswith("growth: ") for line in outcome.out.splitlines())
    assert any(line.startswith("shelf:... (paper ids, such as ") for line in outcome.out.splitlines())
    assert any(": not here: " in line for line in outcome.out.splitlines())


def test_the_map_as_of_a_year_has_only_its_papers_and_says_what_is_left_out(run, map_corpus, tmp_path):
    outcome = run("map", "--corpus", map_corpus, "--out", tmp_path / "m.svg", "--as-of", 2021)
    assert outcome.status == 0
    (n_papers,) = re.findall(r"as of 2021: (\d+) of 60 papers", outcome.err)
    assert f"{n_papers} papers" in outcome.out
    assert "still as of today: places on the map" in outcome.err
    assert "the first paper in corpus is from" in only_line(
        run("map", "--corpus", map_corpus, "--list", "--as-of", 1900), 2
    )
