"""Drafts from outside, which may be hostile."""

from pathlib import Path
from zipfile import ZipFile

import docx
import pytest

from pathfinder.addons.audit import draft as draft_module
from pathfinder.addons.audit.draft import read_draft, read_draft_apart
from pathfinder.errors import PathfinderError, UsageError

BODY = "\\documentclass{article}\\begin{document}%s\\end{document}"


def write(path: Path, body: str) -> Path:
    path.write_text(BODY % body)
    return path


def text_of(path: Path) -> str:
    sections = read_draft(path).document.sections
    return " ".join(paragraph.text for section in sections for paragraph in section.paragraphs)


def test_inputs_are_followed_inside_the_folder_only(tmp_path: Path) -> None:
    (tmp_path / "secret.tex").write_text("the secret")
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "part.tex").write_text("the part")
    (folder / "link.tex").symlink_to(tmp_path / "secret.tex")
    names = ("part", "link", "../secret", str(tmp_path / "secret.tex"), "|cat /etc/passwd")
    text = text_of(write(folder / "ms.tex", " ".join(f"\\input{{{name}}}" for name in names)))
    assert "the part" in text
    assert "secret" not in text


def test_an_input_is_found_where_a_browser_that_drops_the_names_of_folders_put_it(tmp_path: Path) -> None:
    (tmp_path / "first.tex").write_text("the chapter")
    (tmp_path / "part.tex").write_text(r"\input{chapters/first}")
    assert "the chapter" in text_of(write(tmp_path / "ms.tex", r"\include{chapters/part}"))


def test_a_draft_read_in_another_process_is_the_same(tmp_path: Path) -> None:
    (tmp_path / "own.bib").write_text("@article{a, title={Masers}, author={A, B}, year=2000}")
    path = write(tmp_path / "ms.tex", r"Masers \cite{a} flare \cite{b}. \bibliography{own}")
    assert read_draft_apart(path) == read_draft(path)


def test_a_bibliography_outside_the_folder_is_noted_and_not_read(tmp_path: Path) -> None:
    (tmp_path / "own.bib").write_text("@article{a, title={Secret}, author={A, B}, year=2000}")
    folder = tmp_path / "paper"
    folder.mkdir()
    draft = read_draft(write(folder / "ms.tex", r"Words \cite{a}. \bibliography{../own}"))
    assert not draft.listed
    assert any("--bib" in warning for warning in draft.warnings)
    assert set(read_draft(folder / "ms.tex", tmp_path / "own.bib").listed) == {"a"}


def test_citations_in_captions_and_notes_count_as_cited(tmp_path: Path) -> None:
    body = r"\begin{figure}\caption{See \citealt[e.g.][]{a}.}\end{figure} \nocite{b} Words \citep*{c, d}."
    assert set(read_draft(write(tmp_path / "ms.tex", body)).cited) == {"a", "b", "c", "d"}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("ms.tex", b"\\input{nothing}"),
        ("ms.tex", (BODY % r"\def\a{\a\a\a\a\a\a\a\a}\a\a\a").encode()),
        ("ms.docx", b"no archive"),
        ("ms.md", b"\xff\xfe\x00"),
        ("ms.exe", b"words"),
    ],
)
def test_a_draft_that_cannot_be_read_is_refused_in_one_line(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UsageError, match=r"\A[^\n]+\Z"):
        read_draft_apart(path)


def test_a_file_that_is_missing_or_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="does not exist"):
        read_draft_apart(tmp_path / "none.tex")
    monkeypatch.setattr(draft_module, "MAX_BYTES", 20)
    with pytest.raises(PathfinderError, match="name the main file"):
        read_draft(write(tmp_path / "ms.tex", "a long text"))


def test_a_document_that_is_no_xml_is_refused_as_such(tmp_path: Path) -> None:
    path, broken = tmp_path / "ms.docx", tmp_path / "broken.docx"
    docx.Document().save(str(path))
    with ZipFile(path) as whole, ZipFile(broken, "w") as archive:
        for name in whole.namelist():
            archive.writestr(name, b"<w:document" if name == "word/document.xml" else whole.read(name))
    with pytest.raises(UsageError, match="is not a DOCX file"):
        read_draft_apart(broken)


@pytest.mark.parametrize(
    ("status", "complaint", "words"), [(1, b"Traceback\nKeyError: 'x'\n", "KeyError: 'x'"), (-9, b"", "memory")]
)
def test_only_a_reader_that_was_killed_is_said_to_need_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int, complaint: bytes, words: str
) -> None:
    monkeypatch.setattr(draft_module, "run_apart", lambda *_: (status, b"", complaint))
    with pytest.raises(UsageError, match=words) as refusal:
        read_draft_apart(write(tmp_path / "ms.tex", "Words."))
    assert ("memory" in str(refusal.value)) is (status < 0)
