"""Pages are drawn a few at a time, in the order in which their visitors arrived, short ones first."""

from collections.abc import Callable
from queue import SimpleQueue
from threading import Event, Thread

import pytest

from pathfinder.ui.shared.jobs import Turns

PATIENCE = 30.0


class Left(Exception):
    """The visitor has left."""


class Visitor:
    """A thread that takes a turn and keeps it until it is told to end."""

    def __init__(
        self,
        turns: Turns,
        name: str,
        began: SimpleQueue[str],
        tell: Callable[[int], None] | None = None,
        *,
        is_short: bool = False,
    ) -> None:
        self.waiting, self.end = Event(), Event()
        self._turns, self._name, self._began, self._is_short = turns, name, began, is_short
        self._tell = tell or (lambda _: self.waiting.set())
        self.thread = Thread(target=self._visit)
        self.thread.start()

    def _visit(self) -> None:
        try:
            with self._turns.turn(self._tell, is_short=self._is_short):
                self._began.put(self._name)
                assert self.end.wait(PATIENCE)
        except Left:
            self._began.put(f"{self._name} left")

    def leave(self) -> None:
        self.end.set()
        self.thread.join(PATIENCE)


def test_more_visitors_than_places_wait_and_come_in_their_order() -> None:
    turns, began = Turns(at_once=2, tell_seconds=0.01), SimpleQueue[str]()
    first, second = Visitor(turns, "first", began), Visitor(turns, "second", began)
    assert {began.get(timeout=PATIENCE), began.get(timeout=PATIENCE)} == {"first", "second"}
    third = Visitor(turns, "third", began)
    assert third.waiting.wait(PATIENCE)
    fourth = Visitor(turns, "fourth", began)
    assert fourth.waiting.wait(PATIENCE)
    assert began.empty()
    for visitor, follower in ((second, "third"), (first, "fourth")):
        visitor.leave()
        assert began.get(timeout=PATIENCE) == follower
    third.leave()
    fourth.leave()


def test_who_waits_is_told_how_many_are_before() -> None:
    turns, began, places = Turns(at_once=1, tell_seconds=0.01), SimpleQueue[str](), SimpleQueue[int]()
    first = Visitor(turns, "first", began)
    assert began.get(timeout=PATIENCE) == "first"
    second = Visitor(turns, "second", began)
    assert second.waiting.wait(PATIENCE)
    third = Visitor(turns, "third", began, places.put)
    assert places.get(timeout=PATIENCE) == 1
    for visitor in (first, second, third):
        visitor.leave()


def test_short_turns_go_before_the_others_and_in_their_order() -> None:
    turns, began = Turns(at_once=1, tell_seconds=0.01), SimpleQueue[str]()
    visitors = [Visitor(turns, "first", began)]
    assert began.get(timeout=PATIENCE) == "first"
    for name, is_short in (("long", False), ("short", True), ("other short", True), ("other long", False)):
        visitors.append(Visitor(turns, name, began, is_short=is_short))
        assert visitors[-1].waiting.wait(PATIENCE)
    order = []
    for visitor in (visitors[place] for place in (0, 2, 3, 1)):
        visitor.leave()
        order.append(began.get(timeout=PATIENCE))
    assert order == ["short", "other short", "long", "other long"]
    visitors[4].leave()


def test_who_leaves_the_line_holds_nobody_up() -> None:
    turns, began = Turns(at_once=1, tell_seconds=0.01), SimpleQueue[str]()

    def leave(_: int) -> None:
        raise Left

    first = Visitor(turns, "first", began)
    assert began.get(timeout=PATIENCE) == "first"
    impatient = Visitor(turns, "impatient", began, leave)
    assert began.get(timeout=PATIENCE) == "impatient left"
    third = Visitor(turns, "third", began)
    first.leave()
    assert began.get(timeout=PATIENCE) == "third"
    impatient.leave()
    third.leave()


def test_an_error_in_a_page_gives_its_place_back() -> None:
    turns = Turns(at_once=1)
    with pytest.raises(Left), turns.turn(lambda _: None):
        raise Left
    with turns.turn(lambda _: None):
        pass
