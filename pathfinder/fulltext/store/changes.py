"""Adds full texts to a corpus, and removes them: each change takes effect when the manifest is replaced.

A text is written before the list that names it, and deleted after the list that no longer names it. If a change is
interrupted at any point, the corpus has either the texts from before it or those from after it.
"""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from pathfinder.corpus.earlier import earlier_manifest
from pathfinder.corpus.lock import lock_corpus
from pathfinder.corpus.manifest import Manifest, part_names, read_manifest, write_manifest
from pathfinder.corpus.parts import is_part_name, place_part
from pathfinder.errors import CorpusError, UsageError
from pathfinder.fulltext.document import Document
from pathfinder.fulltext.store.arrow_file import document_bytes
from pathfinder.fulltext.store.full_texts import papers_among
from pathfinder.fulltext.store.list_file import FOLDER, ROLE, StoredText, pdf_name, place_list, read_list
from pathfinder.text.files import replacing


@dataclass(frozen=True, slots=True)
class NewText:
    """A full text to be added, with the paper to which it belongs."""

    paper_id: str
    document: Document
    origin: str
    """Name of the file from which the text was read, or the address from which it was fetched."""
    licence: str | None = None
    pdf: Path | None = None
    """PDF from which the text was read, to be stored too, so that its pages can be shown."""


def add(corpus_dir: Path, texts: Sequence[NewText]) -> None:
    """Store full texts in the corpus, in one step; a paper's earlier text is replaced.

    Raises `UsageError` for a paper that is not in the corpus, and `CorpusError` if the corpus is being changed
    elsewhere.
    """
    with _change(corpus_dir) as (manifest, stored_texts):
        folder = _folder_of(corpus_dir)
        new = {text.paper_id: text for text in texts}
        for paper_id in sorted(new.keys() - papers_among(corpus_dir, manifest, new)):
            raise UsageError(f"{corpus_dir} has no paper {paper_id!r}: name a paper in the corpus by its id")
        folder.mkdir(exist_ok=True)
        stored_texts |= {paper_id: _write_text(folder, text) for paper_id, text in new.items()}


def remove(corpus_dir: Path, paper_ids: Sequence[str]) -> None:
    """Remove the full texts of papers from the corpus, in one step, and delete their files.

    Raises `UsageError`, and removes nothing, if a paper has no full text.
    """
    with _change(corpus_dir) as (manifest, texts):
        present = papers_among(corpus_dir, manifest, texts)
        for paper_id in paper_ids:
            if paper_id not in present:
                raise UsageError(f"{corpus_dir} has no full text of {paper_id!r}: nothing was removed")
            texts.pop(paper_id, None)


def sweep(folder: Path, manifest: Manifest, replaced_manifest: Manifest | None = None) -> Manifest:
    """Remove from the list the texts of papers that neither the current nor the earlier version of the corpus has, and
    delete files that no list names.

    The corpus must be locked, and `manifest` in place; the parts of `replaced_manifest` stay, because another process
    may be opening them. Returns the manifest that is then in place.
    """
    texts = read_list(folder, manifest)
    earlier = earlier_manifest(folder, manifest)
    papers = papers_among(folder, manifest, texts)
    if earlier is not None:
        papers |= papers_among(folder, earlier, texts)
    if texts.keys() - papers:
        texts = {paper_id: texts[paper_id] for paper_id in papers}
        manifest = _replace_list(folder, manifest, texts)
    versions = [version for version in (manifest, earlier, replaced_manifest) if version]
    needed_names = frozenset[str]().union(*(part_names(version) for version in versions))
    _delete_unlisted(folder, needed_names, texts)
    return manifest


@contextmanager
def _change(folder: Path) -> Iterator[tuple[Manifest, dict[str, StoredText]]]:
    """Lock the corpus, yield its list of texts so that it can be changed, and put the changed list in place."""
    read_manifest(folder)  # no lock is made where there is no corpus
    with lock_corpus(folder):
        old_manifest, _ = read_manifest(folder)
        before = read_list(folder, old_manifest)
        texts = dict(before)
        yield old_manifest, texts
        manifest = _replace_list(folder, old_manifest, texts) if texts != before else old_manifest
        sweep(folder, manifest, old_manifest)


def _replace_list(folder: Path, manifest: Manifest, texts: Mapping[str, StoredText]) -> Manifest:
    """Put the manifest in place with another list of texts, or without a list if there are none."""
    parts = {role: part for role, part in manifest.parts.items() if role != ROLE}
    if texts:
        parts[ROLE] = place_list(folder, texts.values())
    manifest = replace(manifest, parts=parts)
    write_manifest(folder, manifest)
    return manifest


def _write_text(folder: Path, text: NewText) -> StoredText:
    """Write a text to its file."""
    staging_file = folder / ".text.arrow"
    staging_file.write_bytes(document_bytes(text.document))
    part = place_part(staging_file, "text", folder)
    staging_file.unlink(missing_ok=True)  # still there if the same text was already stored
    if text.pdf is not None:
        _store_pdf(text.pdf, folder / pdf_name(text.document.provenance.sha256))
    (entry,) = part.files
    return StoredText(
        paper_id=text.paper_id,
        file=part.name,
        sha256=entry.sha256,
        n_bytes=entry.length,
        source_sha256=text.document.provenance.sha256,
        road=text.document.provenance.road,
        origin=text.origin,
        licence=text.licence,
    )


def _store_pdf(pdf: Path, place: Path) -> None:
    with replacing(place) as unfinished:
        shutil.copyfile(pdf, unfinished)


def _delete_unlisted(folder: Path, needed_names: frozenset[str], texts: Mapping[str, StoredText]) -> None:
    """Delete the lists that are not in `needed_names`, and the texts and PDFs that do not belong to `texts`."""
    files = {text.file for text in texts.values()} | {pdf_name(text.source_sha256) for text in texts.values()}
    unlisted_files = [path for path in folder.glob(f"{ROLE}-*.arrow") if path.name not in needed_names]
    unlisted_files += [path for path in _folder_of(folder).glob("text-*.arrow") if path.name not in files]
    unlisted_files += [path for path in _folder_of(folder).glob("pdf-*.pdf") if path.name not in files]
    for path in unlisted_files:
        if is_part_name(path.name):
            path.unlink()


def _folder_of(corpus_dir: Path) -> Path:
    """Return the folder of the texts. Raises `CorpusError` for a link, which could lead to somebody else's files."""
    folder = corpus_dir / FOLDER
    if folder.is_symlink():
        raise CorpusError(f"{folder} is a link: replace it with the folder that contains the full texts")
    return folder
