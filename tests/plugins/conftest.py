import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

GROUP = "pathfinder.toys"

Install: TypeAlias = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Put a package on the path as pip would: `install("toyshop", "PATHFINDER_API = 1...", ball="toyshop:ball")`."""

    def put(package: str, source: str, *, group: str = GROUP, **points: str) -> None:
        folder = tmp_path / package
        info = folder / f"{package}-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8")
        lines = "".join(f"{name} = {value}\n" for name, value in points.items())
        (info / "entry_points.txt").write_text(f"[{group}]\n{lines}", encoding="utf-8")
        (folder / f"{package}.py").write_text(source, encoding="utf-8")
        monkeypatch.syspath_prepend(folder)
        monkeypatch.delitem(sys.modules, package, raising=False)

    return put
