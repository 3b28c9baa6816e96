"""The sources of a build: the settings with which they are read, and their entries in the manifest; and its inputs
other than papers: a thesaurus, a list of reviews, and the profile of the field.
"""

import dataclasses
import datetime
import os
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from pathfinder.building.directory import fetched_folder
from pathfinder.building.progress import Progress
from pathfinder.corpus.lock import lock_corpus
from pathfinder.corpus.manifest import Manifest, SourceEntry, is_corpus, read_manifest, write_manifest
from pathfinder.corpus.merging.local_ids import LocalIds, letters_of
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.readers import RejectedRow
from pathfinder.corpus.store import Corpus
from pathfinder.corpus.thesaurus import ThesaurusFile, read_thesaurus
from pathfinder.errors import CorpusError, ProviderError, UsageError
from pathfinder.landscape.data.placed_reviews import ReviewList, read_reviews
from pathfinder.profile import Profile, astronomy, parse_profile, read_profile
from pathfinder.settings import Settings, read_settings
from pathfinder.sources import SOURCES, Access, OpenSource, Row, SourceSpec, parse_source
from pathfinder.sources.spec import FILE
from pathfinder.text.identifiers import bare_doi
from pathfinder.types import Paper


def access_for(out: Path, settings: Settings | None, progress: Progress) -> Access:
    """Return everything that is needed to read the sources of a build into `out` today: settings, folder and
    progress.
    """
    today = datetime.datetime.now(datetime.UTC).date()
    return Access(settings or read_settings(), today, fetched_folder(out), expect=progress.expect, say=progress.say)


LOOKED_UP = "this corpus"
"""Rest of the name of a source whose records were looked up for the papers of a corpus: it is read only once."""


def states_of_sources(out: Path) -> dict[str, str]:
    """Return the state in which each source was left by its last reading, if there is a corpus in `out`."""
    entries = read_manifest(out)[0].sources if is_corpus(out) else ()
    return {entry.source: entry.state for entry in entries if entry.state is not None}


def with_sources(
    manifest: Manifest, sources: Sequence[OpenSource], access: Access, out: Path, private: Container[str] = ()
) -> Manifest:
    """Return `manifest`, which belongs to the corpus in `out`, with the sources of this build added after those of
    earlier builds; a source that is read again keeps its place. `private` holds the names of sources with records that
    may not be shared; a source that once had such records stays marked, because the corpus keeps the papers.
    """
    entries = {entry.source: entry for entry in manifest.sources}
    for source in sources:
        previous_entry = entries.get(str(source.spec))
        entries[str(source.spec)] = SourceEntry(
            str(source.spec),
            source.window.since,
            source.window.until,
            source.window.max_papers,
            retrieved=access.today,
            state=source.memory.next or (previous_entry.state if previous_entry else None),
            licence=source.kind.licence,
            may_be_shared=source.kind.may_be_shared
            and str(source.spec) not in private
            and (previous_entry is None or previous_entry.may_be_shared),
            vectors=source.vectors or (previous_entry.vectors if previous_entry else None),
            from_corpus=path_from_corpus(source, out),
            first_name=source.first_name,
            dropped=source.is_read_once,
        )
    return replace(manifest, sources=tuple(entries.values()))


# Finds the files and folders that a manifest lists, whatever folder a command is run from.


def path_from_corpus(source: OpenSource, corpus: Path) -> str | None:
    """Return the path of a file or a folder relative to the folder of the corpus; `None` for any other source, and for
    an absolute path, which is the same from any folder.
    """
    if source.path is None or Path(source.spec.rest).is_absolute():
        return None
    return os.path.relpath(source.path, corpus.resolve())


def path_of(entry: SourceEntry, corpus: Path) -> Path | None:
    """Return where the file or folder of `entry` is, or was; `None` for any other source.

    A relative path starts at the folder of the corpus or, if an earlier version of Pathfinder wrote the manifest, at
    the current folder.
    """
    spec = parse_source(entry.source, SOURCES)
    if spec.scheme != FILE:
        return None
    if entry.from_corpus is None:
        return Path(spec.rest)
    return Path(os.path.normpath(corpus.resolve() / entry.from_corpus))


def existing_path_of(entry: SourceEntry, corpus: Path) -> Path | None:
    """Return the path of the file or folder of `entry`, as `path_of` does. Raises `CorpusError` if it is gone."""
    path = path_of(entry, corpus)
    if path is not None and not path.exists():
        raise CorpusError(
            f"{path} does not exist, but the corpus was built from it as {entry.source!r}: put it back or, if it now "
            f"has another name or location, run `pathfinder sources {corpus} --move {entry.source} NEW` "
            f"(`--drop {entry.source}` ends its updates; its papers stay)"
        )
    return path


def with_listed_names(
    sources: Sequence[OpenSource], entries: Sequence[SourceEntry], corpus: Path
) -> tuple[tuple[OpenSource, ...], tuple[SourceEntry, ...]]:
    """Return sources under the names that they have in the manifest, and the entries of the manifest.

    A file whose path was written differently last time keeps its first name, and another file that happens to have that
    name gets its absolute path. The entry of a file that is gone passes to another file with the same name.
    """
    renamed_sources: list[OpenSource] = []
    for source in sources:
        path = Path(source.spec.rest)
        if source.spec.scheme != FILE:
            renamed_sources.append(source)
            continue
        listed = [(entry, at) for entry in entries if (at := path_of(entry, corpus)) is not None]
        same = next((entry for entry, at in listed if _plain(at) == _plain(path)), None)
        missing = [entry for entry, at in listed if at.name == path.name and not at.exists()]
        if same is None and len(missing) == 1:
            same = replace(missing[0], source=str(path), from_corpus=None)
            entries = tuple(same if entry is missing[0] else entry for entry in entries)
        is_taken = same is None and any(entry.source == str(source.spec) for entry in entries)
        name = same.source if same else str(_plain(path)) if is_taken else str(source.spec)
        first_name = same.first_name if same else None
        spec = SourceSpec(FILE, name)
        renamed_sources.append(replace(source, spec=spec, path=_plain(path), first_name=first_name))
    names = {str(source.spec) for source in renamed_sources}
    is_beside = any(entry.source not in names and path_of(entry, corpus) is not None for entry in entries)
    return tuple(replace(source, beside_unread=is_beside) for source in renamed_sources), tuple(entries)


def _plain(path: Path) -> Path:
    """Return an absolute path in which links to folders are resolved; a link to the file itself is kept, because it may
    lead to the newest version.
    """
    return path.absolute().parent.resolve() / path.name


# Reads the rows of all sources in order, tells different papers with the same id apart, and reports sources that
# fail.

SourceRow: TypeAlias = tuple[int, str, int, Paper | RejectedRow]
"""A row with the number and name of its source, and its line there."""
UNREADABLE = (UsageError, CorpusError, ProviderError)
"""Errors that make a single source unreadable."""


@dataclass(frozen=True, slots=True)
class FailedSource:
    """A source that an update could not read to the end."""

    source: str
    """The source as the manifest lists it."""
    error: str
    """Name of the error's class, such as "CorpusError" or "RateLimited"."""
    reason: str


def source_rows(
    sources: Sequence[OpenSource],
    previous_papers: PaperTable | None,
    places: Mapping[str, int],
    read_before: Container[str],
    failed_sources: list[FailedSource] | None,
    private: set[str],
    renamed: list[str],
) -> Iterator[SourceRow]:
    """Yield every row with the number and name of its source, and its line there; each file of a folder counts as a
    source. A paper to which its source gives the id of another paper gets an id of its own, which is added to
    `renamed`. `places` are the rows of the papers in the corpus by their ids.

    A source that fails is added to `failed_sources`; without that list, or if all fail, its error is raised. A source
    with records that may not be shared, such as a file that ADS exported, is added to `private`.
    """

    def title_of(paper_id: str) -> str | None:
        place = places.get(paper_id)
        return None if previous_papers is None or place is None else previous_papers[place].title

    # DOIs in another spelling than that in which papers are stored today.
    dois = ((bare_doi(paper_id), paper_id) for paper_id in places if "10." in paper_id)
    ids_by_doi = {doi.lower(): paper_id for doi, paper_id in dois if doi and doi.lower() != paper_id}
    ids = LocalIds(title_of)
    unshared = {kind.scheme for kind in SOURCES.all() if not kind.may_be_shared}
    groups: dict[tuple[int, str | None], int] = {}
    for number, source in enumerate(sources):
        is_known = str(source.spec) in read_before
        for line, row in _rows_of(source, failed_sources, len(sources)):
            group, name = (
                groups.setdefault((number, source.memory.file), len(groups)),
                source.memory.file or source.name,
            )
            if not isinstance(row, Paper):
                yield group, name, line, row
                continue
            is_new = is_known and row.paper_id not in places
            paper = _with_known_id(row, title_of, ids_by_doi) if is_new else row
            if any(record.source in unshared for record in paper.provenance):
                private.add(str(source.spec))
            is_alone = not (source.beside_unread or failed_sources)
            paper_id = ids.id_of(paper, number, source.name, was_read_before=is_known, is_alone=is_alone)
            if paper_id != paper.paper_id:
                renamed.append(paper_id)
                paper = dataclasses.replace(paper, paper_id=paper_id)
            yield group, name, line, paper


def _with_known_id(paper: Paper, title_of: Callable[[str], str | None], ids_by_doi: Mapping[str, str]) -> Paper:
    """Return a paper under the id that it has in the corpus, although its record would now give it another: an entry
    may have gained a DOI, and earlier versions spelled DOIs as they found them.
    """
    key = next((record.record_id for record in paper.provenance), "")
    known_id, known_title = ids_by_doi.get(paper.paper_id), title_of(key)
    if known_id is None and known_title is not None and letters_of(known_title) == letters_of(paper.title):
        known_id = key
    return dataclasses.replace(paper, paper_id=known_id) if known_id else paper


def _rows_of(source: OpenSource, failed_sources: list[FailedSource] | None, n_sources: int) -> Iterator[Row]:
    """Yield the rows of a source. An error that makes it unreadable goes into `failed_sources`, if another is left."""
    try:
        yield from source.rows
    except UNREADABLE as error:
        if failed_sources is None or len(failed_sources) + 1 == n_sources:
            raise
        failed_sources.append(failure(str(source.spec), error))


def failure(source: str, error: Exception) -> FailedSource:
    """Return the report on a source that could not be read because of `error`."""
    return FailedSource(source, type(error).__name__, str(error))


def places_of(previous_papers: PaperTable | None) -> dict[str, int]:
    """Return the row of each paper in the corpus by its id."""
    paper_ids = () if previous_papers is None else previous_papers.paper_ids()
    return {paper_id: row for row, paper_id in enumerate(paper_ids)}


# Changes the list of sources that updates of a corpus read, without reading any.


def drop_sources(folder: Path, sources: Sequence[str]) -> Manifest:
    """Return the manifest of the corpus in `folder` after excluding these sources from updates.

    The papers stay, and so does the entry of each source, with its licence and whether it may be shared. A build from a
    dropped source adds it to the updates again. Raises `UsageError` for a source that the corpus does not list or that
    has already been dropped.
    """

    def change(entries: tuple[SourceEntry, ...]) -> tuple[SourceEntry, ...]:
        for source in sources:
            entry = _entry_of(entries, source, folder)
            if entry.dropped:
                raise UsageError(f"updates of {folder} already leave out {entry.source!r}: nothing was changed")
            entries = _replace(entries, entry, replace(entry, dropped=True))
        return entries

    return _change(folder, change)


def move_source(folder: Path, old: str, new: Path) -> Manifest:
    """Return the manifest of the corpus in `folder` after moving the entry of the file or folder `old` to `new`, its
    new name or location, from which later updates read.

    Raises `UsageError` if `old` is not a listed file or folder, or if `new` does not exist, is already listed, or is
    not of the same kind.
    """

    def change(entries: tuple[SourceEntry, ...]) -> tuple[SourceEntry, ...]:
        entry = _entry_of(entries, old, folder)
        at = path_of(entry, folder)
        if at is None:
            raise UsageError(f"{old!r} is not a file or folder, so it cannot be moved: drop it, and build from another")
        if not new.exists():
            raise UsageError(f"{new} does not exist: name the file or folder that {entry.source!r} has become")
        if at.exists() and at.is_dir() != new.is_dir():
            raise UsageError(
                f"{at} and {new} must both be files or both be folders: drop the first, and build from the second"
            )
        others = [each for each in entries if each is not entry]
        if any(each.source == str(new) or _is_same(path_of(each, folder), new) for each in others):
            raise UsageError(f"{folder} lists {new} as a source of its own: drop {entry.source!r} instead")
        from_corpus = None if new.is_absolute() else os.path.relpath(new.resolve(), folder.resolve())
        first_name = entry.first_name or Path(entry.source).name
        new_entry = replace(entry, source=str(new), from_corpus=from_corpus, first_name=first_name)
        return _replace(entries, entry, new_entry)

    return _change(folder, change)


def _change(folder: Path, change: Callable[[tuple[SourceEntry, ...]], tuple[SourceEntry, ...]]) -> Manifest:
    read_manifest(folder)  # so that no lock is left behind where there is no corpus
    with lock_corpus(folder):
        before, _ = read_manifest(folder)
        manifest = replace(before, sources=change(before.sources))
        write_manifest(folder, manifest)
    return manifest


def _entry_of(entries: Sequence[SourceEntry], source: str, folder: Path) -> SourceEntry:
    """Return the entry that names a source in the same words or, for a file, has the same path."""
    for entry in entries:
        if entry.source == source:
            return entry
    if parse_source(source, SOURCES).scheme == FILE:
        for entry in entries:
            if _is_same(path_of(entry, folder), Path(source)):
                return entry
    names = ", ".join(repr(entry.source) for entry in entries) or "none"
    raise UsageError(f"{folder} does not list the source {source!r}: name one of its sources ({names})")


def _replace(entries: Sequence[SourceEntry], before: SourceEntry, after: SourceEntry) -> tuple[SourceEntry, ...]:
    return tuple(after if entry is before else entry for entry in entries)


def _is_same(listed_path: Path | None, path: Path) -> bool:
    return listed_path is not None and listed_path.resolve() == path.resolve()


@dataclass(frozen=True, slots=True)
class ExtraInputs:
    """Contents of the files; `None` for a file that was not specified."""

    thesaurus: ThesaurusFile | None
    reviews: ReviewList | None
    profile: bytes | None
    """Content of a valid `profile.toml`."""
    files: tuple[str, ...]
    """Names of the files."""

    @property
    def rejected_rows(self) -> tuple[RejectedRow, ...]:
        """Entries that could not be used."""
        return tuple(entry for part in (self.thesaurus, self.reviews) if part for entry in part.rejected_rows)

    def profile_of_corpus(self, previous: Corpus | None) -> Profile:
        """Return the profile that the corpus will have: the one in the file, the earlier one, or astronomy's."""
        if self.profile is not None:
            return parse_profile(self.profile, "profile.toml")
        return previous.profile if previous is not None else astronomy()


NO_INPUTS = ExtraInputs(None, None, None, ())


def read_extra_inputs(thesaurus: Path | None, reviews: Path | None, profile: Path | None) -> ExtraInputs:
    """Read all the files in advance, so that a build with an unreadable file stops before it begins. Raises
    `CorpusError`.
    """
    return ExtraInputs(
        read_thesaurus(thesaurus) if thesaurus else None,
        read_reviews(reviews) if reviews else None,
        read_profile(profile)[1] if profile else None,
        tuple(path.name for path in (thesaurus, reviews) if path),
    )
