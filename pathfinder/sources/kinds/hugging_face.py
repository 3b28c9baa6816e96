"""Data sets on Hugging Face: their files are fetched one by one and read like any other files of papers."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from pathfinder.corpus.readers import RejectedRow
from pathfinder.errors import CorpusError, UsageError
from pathfinder.sources.http.host import hub, is_safe
from pathfinder.sources.json_pages import json_object, list_of
from pathfinder.sources.kind import Access, Row, SourceKind, Window
from pathfinder.sources.spec import SourceSpec
from pathfinder.types import Provenance

if TYPE_CHECKING:
    from pathfinder.sources.http.web import FetchReply, Web

_NAME = re.compile(r"([\w.-]+/[\w.-]+)(?:/(.+))?")
_REVISION = re.compile(r"[0-9a-f]{40}")
_ENDINGS = (".parquet", ".jsonl", ".jsonl.gz", ".csv", ".csv.gz")


@dataclass(frozen=True, slots=True)
class _DataSet:
    """The files of a data set at one revision."""

    revision: str
    files: tuple[str, ...]
    licence: str | None


def open_hugging_face(spec: SourceSpec, window: Window, access: Access) -> Iterator[Row]:
    """Yield the papers in a data set's files, in order of file name, or nothing if the data set has not changed since
    it was last read. A file fetched before a build stopped is not fetched again.
    """
    from pathfinder.sources.http.web import Web, surroundings_of

    around = surroundings_of(access.settings, access.clock, access.say)
    return _rows(Web(hub(access.settings), around), access.folder or around.folder / "hf", spec, window, access)


def _rows(web: "Web", folder: Path, spec: SourceSpec, window: Window, access: Access) -> Iterator[Row]:
    name, path = _parts(spec.rest)
    number = n_papers = 0
    with web:
        data_set = web.get(f"api/datasets/{name}", {}, _read)
        access.memory.next = data_set.revision
        if data_set.revision == access.memory.last:
            return
        inside = [name for name in data_set.files if path is None or name == path or name.startswith(f"{path}/")]
        data_files = [name for name in inside if name.lower().endswith(_ENDINGS)]
        if not data_files:
            raise CorpusError(
                f"the data set {name} has no file of papers{f' at {path}' if path else ''}: name a file or folder "
                f"in it; files of papers end in {', '.join(_ENDINGS)}"
            )
        for file in data_files:
            address = f"datasets/{name}/resolve/{data_set.revision}/{quote(file)}"
            local = web.download(address, folder / data_set.revision[:12] / file)
            for _, row in access.read(local):
                number += 1
                if isinstance(row, RejectedRow):
                    yield number, replace(row, file=str(spec), line=number)
                elif window.includes(row):
                    n_papers += 1
                    record_id = f"{name}:{row.paper_id}"
                    record = Provenance("hf", record_id, data_set.revision[:12], access.today, data_set.licence)
                    yield number, replace(row, provenance=(record,))
                if n_papers == window.max_papers:
                    access.memory.next = access.memory.last
                    return


def _read(reply: "FetchReply") -> _DataSet:
    """Read the description of a data set. Raises `ValueError` for anything else."""
    about = json_object(reply.content)
    revision, card = about.get("sha"), about.get("cardData")
    if not isinstance(revision, str) or not _REVISION.fullmatch(revision):
        raise ValueError("JSON without a revision")
    names = (entry.get("rfilename") for entry in list_of(about, "siblings") if isinstance(entry, dict))
    safe = sorted(name for name in names if isinstance(name, str) and is_safe(name))
    licence = card.get("license") if isinstance(card, dict) else None
    return _DataSet(revision, tuple(safe), licence if isinstance(licence, str) else None)


def _parts(rest: str) -> tuple[str, str | None]:
    """Return the name of the data set and the path in it. Raises `UsageError` if no data set is named."""
    match = _NAME.fullmatch(rest)
    if match is None or not is_safe(rest):
        raise UsageError(f"hf: needs ORG/NAME or ORG/NAME/PATH, such as hf:open-index/open-arxiv/data, got {rest!r}")
    return match[1], match[2]


def _check(rest: str) -> None:
    _parts(rest)


HUGGING_FACE = SourceKind(
    scheme="hf",
    label="Hugging Face data sets",
    form="hf:ORG/NAME[/PATH]",
    examples=("hf:open-index/open-arxiv/data/2026", "hf:kiyer/pathfinder_arxiv_data"),
    gives="whatever the files contain: Parquet, JSON lines or CSV, with plainly named fields or those in arXiv's dump",
    terms="The data set has its own terms; its licence is kept with each paper.",
    cost="none",
    open=open_hugging_face,
    has_files=True,
    check=_check,
    key="HF_TOKEN",
    key_opens_private=True,
)
