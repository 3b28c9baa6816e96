import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from pathfinder.errors import CorpusError
from pathfinder.fulltext.child import read_apart
from pathfinder.fulltext.formats import read_document
from tests.faults.watch import in_time
from tests.fulltext.hostile import chance_files, hostile_files
from tests.fulltext.made_pdf import pdf

FILES = hostile_files()
HOURS = 4 * 3600.0
"""Seconds after which a test that hangs ends: each reading ends itself after two minutes."""


def outcome(read, path):
    """Return why a file cannot be read, or the warnings of its text."""
    try:
        return "; ".join(read(path).provenance.warnings)
    except CorpusError as error:
        return str(error)


@pytest.mark.parametrize("file", FILES, ids=[file.name for file in FILES])
def test_a_hostile_or_broken_file_is_refused_with_the_reason_or_read_with_a_warning(tmp_path, file):
    (tmp_path / file.name).write_bytes(file.content)
    assert re.search(file.reason, outcome(read_document, tmp_path / file.name))


def test_what_a_hostile_source_names_outside_of_itself_is_never_read(tmp_path):
    (tmp_path / "secret").write_text("the secret")
    inputs = "".join(f"\\input{{{name}}}" for name in ("secret", "../secret", f"{tmp_path}/secret", "./a/../../secret"))
    (tmp_path / "a.tex").write_text(rf"\documentclass{{article}}\begin{{document}}Dust. {inputs}\end{{document}}")
    (section,) = read_document(tmp_path / "a.tex").sections
    assert [paragraph.text for paragraph in section.paragraphs] == ["Dust."]


@pytest.mark.soak
def test_five_hundred_damaged_files_are_each_read_or_refused_in_time(tmp_path):
    def reason(file):
        (tmp_path / file.name).write_bytes(file.content)
        try:
            return outcome(read_apart, tmp_path / file.name)
        finally:
            (tmp_path / file.name).unlink()

    with in_time(HOURS), ThreadPoolExecutor(2) as pool:
        reasons = list(pool.map(reason, chance_files(500, seed=16)))
    assert len(reasons) == 500
    assert not [reason for reason in reasons if "ended with status" in reason]


def test_a_line_like_names_under_a_title_in_capitals_is_read_in_time(tmp_path):
    title, line = "COLD DUST IN DISCS", "Ai" * 38 + ",!"
    text = [(72, 600 - 14 * n, 10, f"Cold dust in discs is what line {n} of the text is about.") for n in range(20)]
    (tmp_path / "a.pdf").write_bytes(pdf([[(72, 700, 14, title), (72, 684, 14, line), *text]]))
    with in_time():
        assert title in read_document(tmp_path / "a.pdf").title
