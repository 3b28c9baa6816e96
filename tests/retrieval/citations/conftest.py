"""The golden corpus with references between its papers."""

import pytest

from pathfinder.facade import Pathfinder
from tests.linked import with_references


@pytest.fixture(scope="session")
def linked(pf: Pathfinder, tmp_path_factory: pytest.TempPathFactory) -> Pathfinder:
    return with_references(pf, tmp_path_factory.mktemp("linked") / "network")
