"""Objects that the garbage collector skips."""

import gc
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from pathfinder.ui.shared.jobs import freeze_libraries


@pytest.fixture(autouse=True)
def _thawed() -> Iterator[None]:
    yield
    gc.unfreeze()
    gc.freeze()  # as after the tests were found; a collection would visit millions of objects


def test_what_a_new_library_brings_is_walked_over_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    freeze_libraries()
    new_objects = [[n] for n in range(1000)]
    monkeypatch.setitem(sys.modules, "a_library_that_came_later", ModuleType("a_library_that_came_later"))
    assert any(each is new_objects for each in gc.get_objects())
    freeze_libraries()
    assert not any(each is new_objects for each in gc.get_objects())
    assert gc.get_freeze_count() > len(new_objects)


def test_what_a_visitor_leaves_behind_is_still_collected() -> None:
    freeze_libraries()
    frozen = gc.get_freeze_count()
    left: list[object] = []
    left.append(left)  # only the collector can tell that nobody holds it
    del left
    freeze_libraries()  # nothing was loaded since
    assert gc.get_freeze_count() <= frozen  # some may be gone, as when a thread ends, but none has joined
    assert gc.collect() > 0
