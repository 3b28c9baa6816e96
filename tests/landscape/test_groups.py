import json

import numpy as np
import pytest

from pathfinder.errors import CorpusDamaged
from pathfinder.landscape.data.groups import Groups, open_groups, write_groups

GROUPS = Groups.of({"a": [3, 1, 3], "b": [], "ü": [0]})


@pytest.fixture
def folder(tmp_path):
    write_groups(GROUPS, tmp_path, "kinds")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("ends", np.array([2, 1, 3])),
        ("ends", np.array([2, 2])),
        ("ends", np.array([2, 2, 9])),
        ("ends", np.array([2.0, 2.0, 3.0])),
        ("rows", np.array([1, 3, -1], dtype=np.int32)),
        ("rows", np.array([1, 3, 4], dtype=np.int32)),
    ],
)
def test_arrays_that_do_not_fit_are_refused(folder, name, content):
    np.save(folder / f"kinds_{name}.npy", content)
    with pytest.raises(CorpusDamaged, match=r"not the groups of 4 papers|cannot be read"):
        open_groups(folder, "kinds", 4)


@pytest.mark.parametrize("names", [{"a": 1}, ["a", 2, "b"], ["a"]])
def test_names_that_do_not_fit_are_refused(folder, names):
    (folder / "kinds_names.json").write_text(json.dumps(names))
    with pytest.raises(CorpusDamaged, match=r"not the groups of 4 papers|cannot be read"):
        open_groups(folder, "kinds", 4)


def test_groups_come_back_as_they_were(folder):
    groups = open_groups(folder, "kinds", 4)
    assert groups.names == ("a", "b", "ü")
    assert [groups.rows_of(name).tolist() for name in ("a", "b", "ü", "other")] == [[1, 3], [], [0], []]
    assert groups.sizes().tolist() == [2, 0, 1]


def test_no_groups_at_all_can_be_written_and_read(tmp_path):
    write_groups(Groups.of({}), tmp_path, "none")
    assert open_groups(tmp_path, "none", 0).names == ()
