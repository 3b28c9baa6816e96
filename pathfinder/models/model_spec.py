"""Names of models that onnxruntime runs: a folder on this machine, or ORG/NAME on the Hugging Face hub, fetched once.

`onnx:ORG/NAME[@REVISION][/FILE.onnx]` and `onnx:/FOLDER[/FILE.onnx]`: a name that begins with a slash, a dot or a
tilde, or has no slash, is a folder.
"""

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote

from filelock import FileLock

from pathfinder.errors import ModelError, UsageError
from pathfinder.models.model_folder import MAX_JSON, MAX_TOKENIZER, MAX_WEIGHTS, MB, ModelFolder
from pathfinder.settings import Settings, user_data_folder
from pathfinder.text.strict_json import parse_json

if TYPE_CHECKING:
    from pathfinder.sources.http.web import FetchReply, Web

_HUB = re.compile(r"(?P<model>\w[\w.-]*/\w[\w.-]*)(?:@(?P<revision>\w[\w.-]*))?(?:/(?P<weights>[\w./-]+\.onnx))?")
_REVISION = re.compile(r"[0-9a-f]{40}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_SETTINGS = re.compile(
    r"(?:config|modules|config_sentence_transformers|sentence_bert_config|tokenizer|tokenizer_config)\.json"
    r"|[\w-]+/config\.json"
)
"""Files of settings that are fetched; those in folders belong to modules."""
_LAYERS = re.compile(r"\d+_\w+/model\.safetensors")
"""Weights of a Dense module."""
STANDARD_WEIGHTS = ("onnx/model.onnx", "model.onnx")
"""Files of weights that are taken if none is named."""
TENSORS = "model.safetensors"
COMPLETE = "fetched.txt"
"""File that is written last; its lines are the revision and the weights for a name without a file, if there are any."""


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A model, as somebody names it."""

    name: str
    """Name as `vendor:model`; a folder in it is absolute."""
    weights: str | None = None
    """File of weights in the model's folder; `None` for the usual one."""
    folder: Path | None = None
    """Folder on this machine; `None` for a model of the hub."""
    model: str = ""
    """ORG/NAME on the hub."""
    revision: str | None = None
    """Commit, tag or branch; `None` for the newest."""

    @classmethod
    def parse(cls, vendor: str, text: str) -> Self:
        """Read a name without its vendor. Raises `UsageError` for what names no model."""
        if text[0] not in "/.~" and "/" in text:
            match = _HUB.fullmatch(text)
            if match is None or ".." in text:
                raise UsageError(
                    f"{vendor}:{text} names no model: write {vendor}:ORG/NAME, {vendor}:ORG/NAME@REVISION or "
                    f"{vendor}:/FOLDER, each with /FILE.onnx behind it for other than the usual weights"
                )
            return cls(f"{vendor}:{text}", match["weights"], None, match["model"], match["revision"])
        path, weights = Path(text).expanduser().absolute(), None
        folder = path
        if path.suffix == ".onnx":
            folder = path.parents[1] if path.parent.name == "onnx" else path.parent
            weights = path.relative_to(folder).as_posix()
        return cls(f"{vendor}:{path}", weights, folder)

    def fetched(self, settings: Settings) -> Path:
        """Return the folder of the model; a model of the hub is fetched if it is not on this machine.

        Raises `ModelError` if there is no such folder or a file is too large, and `ProviderError` if the hub fails.
        """
        if self.folder is not None:
            if not self.folder.is_dir():
                raise ModelError(
                    f"{self.name} is no folder: name the folder of a model, or ORG/NAME on the Hugging Face hub"
                )
            return self.folder
        at = "" if self.revision is None else f"@{self.revision}"
        place = (settings.data or user_data_folder()) / "models" / f"{self.model}{at}"
        if self._is_complete(place):
            return place
        place.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(place.with_name(f"{place.name}.lock")):
            if not self._is_complete(place):
                self._fetch(place, settings)
        return place

    def _is_complete(self, place: Path) -> bool:
        if not (place / COMPLETE).is_file():
            return False
        usual = (place / COMPLETE).read_text(encoding="utf-8").splitlines()[1:2]
        # A folder without that note is complete if it has the weights that come before all others.
        return (place / (self.weights or "".join(usual) or STANDARD_WEIGHTS[0])).is_file()

    def _fetch(self, place: Path, settings: Settings) -> None:
        """Fetch the files of settings and the weights; if only other weights are wanted than before, these alone, of
        the same revision.
        """
        from pathfinder.sources.http.host import hub
        from pathfinder.sources.http.pace import Clock
        from pathfinder.sources.http.web import Web, surroundings_of

        notes = (place / COMPLETE).read_text(encoding="utf-8") if (place / COMPLETE).is_file() else ""
        earlier = notes.partition("\n")[0]
        with Web(hub(settings), surroundings_of(settings, Clock(), lambda _text: None)) as web:
            wanted = earlier or self.revision
            path = f"api/models/{self.model}" + (f"/revision/{quote(wanted, safe='')}" if wanted else "")
            files = web.get(path, {"blobs": "true"}, _read_listing)
            folder = place if earlier else place.with_name(f".{place.name}-{files.revision[:12]}")
            for name in sorted(files.sizes):
                if _SETTINGS.fullmatch(name) or _LAYERS.fullmatch(name):
                    self._download(web, files, name, folder)
            config = ModelFolder(folder).settings("config.json")
            usual = choose_weights(files.sizes, None, config.get("model_type"))
            weights = choose_weights(files.sizes, self.weights, None) if self.weights else usual
            if weights is None:
                raise ModelError(f"{self.name} {no_weights(files.sizes, self.weights)}")
            for name in sorted(files.sizes):
                if name.startswith(weights):
                    self._download(web, files, name, folder)
        (folder / COMPLETE).write_text(f"{files.revision}\n{usual or ''}\n", encoding="utf-8")
        if not earlier:
            folder.rename(place)

    def _download(self, web: "Web", files: "_Listing", name: str, folder: Path) -> None:
        limit = MAX_WEIGHTS if "json" not in name else MAX_TOKENIZER if name == "tokenizer.json" else MAX_JSON
        if files.sizes[name] > limit:
            raise ModelError(
                f"{self.name}: {name} has {files.sizes[name] / MB:,.0f} MB, and such a file may have "
                f"{limit / MB:,.0f}: choose a smaller model"
            )
        path = web.download(
            f"{self.model}/resolve/{files.revision}/{quote(name)}", folder / name, max_bytes=files.sizes[name]
        )
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        if path.stat().st_size != files.sizes[name] or files.digests.get(name, digest) != digest:
            path.unlink()
            raise ModelError(
                f"{self.name}: {name} did not arrive as it is listed, and was deleted: run the command again"
            )


def choose_weights(names: Collection[str], asked: str | None, model_type: object) -> str | None:
    """Return which of the files `names` holds the weights: the one that was asked for, one in its usual place, BERT's
    tensors, or the only ONNX file; `None` if there is no such file or if several qualify.
    """
    usual = [asked] if asked is not None else [*STANDARD_WEIGHTS, *([TENSORS] if model_type == "bert" else [])]
    found = [name for name in usual if name in names]
    graphs = [name for name in names if name.endswith(".onnx") and asked is None]
    return found[0] if found else graphs[0] if len(graphs) == 1 else None


def no_weights(names: Iterable[str], asked: str | None) -> str:
    """Say which ONNX files a model has instead of those that were looked for."""
    graphs = sorted(name for name in names if name.endswith(".onnx"))
    missing = f"no file {asked}" if asked else f"neither {' nor '.join(STANDARD_WEIGHTS)}"
    if graphs:
        return f"has {missing}: name one of its files, as in onnx:MODEL/{graphs[0]} (it has {', '.join(graphs[:20])})"
    return (
        f"has {missing}, nor any other ONNX weights: choose a model that has some, or export it on a machine with "
        "torch (`optimum-cli export onnx --model NAME --library transformers FOLDER`)"
    )


@dataclass(frozen=True, slots=True)
class _Listing:
    """The files of a model at one revision."""

    revision: str
    sizes: Mapping[str, int]
    """Bytes of each file."""
    digests: Mapping[str, str]
    """SHA-256 of the large files."""


def _read_listing(reply: "FetchReply") -> _Listing:
    """Read the description of a model. Raises `ValueError` for anything else."""
    from pathfinder.sources.http.host import is_safe

    try:
        about = parse_json(reply.content.decode())
    except RecursionError as error:
        raise ValueError("JSON that is nested too deeply") from error
    revision, siblings = _field(about, "sha"), _field(about, "siblings")
    if not isinstance(revision, str) or not _REVISION.fullmatch(revision):
        raise ValueError("JSON without a revision")
    sizes: dict[str, int] = {}
    digests: dict[str, str] = {}
    for entry in siblings if isinstance(siblings, list) else []:
        name, size, large = (_field(entry, field) for field in ("rfilename", "size", "lfs"))
        if isinstance(name, str) and is_safe(name) and isinstance(size, int) and size >= 0:
            sizes[name] = size
            digest = _field(large, "sha256")
            if isinstance(digest, str) and _SHA256.fullmatch(digest):
                digests[name] = digest
    return _Listing(revision, sizes, digests)


def _field(value: Any, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else None
