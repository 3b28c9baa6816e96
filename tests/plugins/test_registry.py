"""Extensions of other packages, declared as installers declare them: by entry points in a `.dist-info` folder."""

import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from pathfinder.errors import PluginFailed, UsageError
from pathfinder.plugins import Registry
from tests.plugins.conftest import GROUP, Install


@dataclass(frozen=True)
class Toy:
    label: str


GOOD = "from tests.plugins.test_registry import Toy\nPATHFINDER_API = 1\n"


def toys() -> Registry[Toy]:
    return Registry(GROUP, Toy, {"kite": Toy("a kite"), "top": lambda: Toy("a top")}, "toy")


def test_own_extensions_come_first_and_are_imported_when_they_are_looked_up():
    registry = toys()
    assert registry.names() == ("kite", "top")
    assert registry.get("kite") == Toy("a kite")
    assert registry.get("top") == Toy("a top")


def test_a_plug_in_is_listed_before_its_code_is_imported(install: Install):
    install("toyshop", GOOD + "ball = Toy('a ball')", ball="toyshop:ball")
    registry = toys()
    assert registry.names() == ("kite", "top", "ball")
    assert "toyshop" not in sys.modules
    assert registry.get("ball") == Toy("a ball")
    assert registry.problems() == ()


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("PATHFINDER_API = 1\n1 / 0", "ZeroDivisionError: division by zero"),
        ("PATHFINDER_API = 1\nimport no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("PATHFINDER_API = 1\nball = 'a ball'", "toyshop:ball is a str, not a Toy"),
        (GOOD.replace("1", "0") + "ball = Toy('')", "declares PATHFINDER_API = 0, but this Pathfinder has version 1"),
        (GOOD.replace("PATHFINDER_API = 1", "") + "ball = Toy('')", "declares PATHFINDER_API = None"),
        ("PATHFINDER_API = 1", "AttributeError"),
        ("class Broken(Exception): ...\nraise Broken('no toys today')", "Broken: no toys today"),
    ],
)
def test_a_broken_or_old_plug_in_is_named_and_left_out(install: Install, source: str, reason: str):
    install("toyshop", source, ball="toyshop:ball")
    registry = toys()
    assert registry.all() == (Toy("a kite"), Toy("a top"))
    assert "ball" not in registry
    (problem,) = registry.problems()
    assert (problem.group, problem.name, problem.package) == (GROUP, "ball", "toyshop")
    assert reason in problem.reason
    with pytest.raises(UsageError, match="'ball' of toyshop"):
        registry.get("ball")


def test_a_plug_in_cannot_take_the_place_of_a_built_in(install: Install):
    install("toyshop", GOOD + "kite = Toy('another kite')", kite="toyshop:kite")
    registry = toys()
    assert registry.get("kite") == Toy("a kite")
    assert [problem.reason for problem in registry.problems()] == ["Pathfinder itself has a toy of that name"]


def test_of_two_plug_ins_of_one_name_the_first_by_package_name_is_used(install: Install):
    install("bazaar", GOOD + "ball = Toy('from the bazaar')", ball="bazaar:ball")
    install("arcade", GOOD + "ball = Toy('from the arcade')", ball="arcade:ball")
    registry = toys()
    assert registry.get("ball") == Toy("from the arcade")
    (problem,) = registry.problems()
    assert (problem.package, problem.reason) == ("bazaar", "arcade has a toy of that name")


def test_a_plug_in_under_two_names_is_named_and_left_out(install: Install):
    install(
        "toyshop", GOOD + "ball = Toy('round')\nrattle = Toy('rattle')", ball="toyshop:ball", rattle="toyshop:rattle"
    )
    registry = Registry(GROUP, Toy, {}, "toy", lambda toy: toy.label)
    assert registry.all() == (Toy("rattle"),)
    (problem,) = registry.problems()
    assert problem.reason == "its entry point is called 'ball', but it calls itself 'round': use one name for both"


def test_a_plug_in_that_fails_in_use_is_named_logged_once_and_left_out(install: Install, caplog):
    install("toyshop", GOOD + "ball = Toy('a ball')", ball="toyshop:ball")
    registry = toys()
    assert registry.plug_ins() == ("toy ball, from toyshop",)

    def burst() -> int:
        raise EOFError("burst\nin two")

    faults = [registry.attempt("ball", burst) for _ in range(2)]
    assert "plug-in 'ball' of toyshop (pathfinder.toys) was left out: EOFError: burst in two;" in str(faults[0])
    assert registry.problems() == (faults[0],) == (faults[1],)
    assert registry.plug_ins() == ()
    assert len(caplog.records) == 1
    assert registry.attempt("ball", lambda: 3) == 3
    with pytest.raises(EOFError):
        registry.attempt("ball", burst, (EOFError,))
    with pytest.raises(EOFError):
        registry.attempt("kite", burst)


def test_a_misspelt_addon_to_leave_out_is_logged_once(monkeypatch: pytest.MonkeyPatch, caplog):
    monkeypatch.setenv("PATHFINDER_ADDONS", "-timelin,-timeline")
    for _ in range(2):
        toys().names()
    assert [record.args[0] for record in caplog.records] == ["timelin"]


def test_plug_ins_can_be_switched_off(install: Install, monkeypatch: pytest.MonkeyPatch):
    install("toyshop", GOOD + "ball = Toy('a ball')", ball="toyshop:ball")
    monkeypatch.setenv("PATHFINDER_PLUGINS", "off")
    assert toys().names() == ("kite", "top")


def test_an_unknown_name_is_answered_with_the_names_that_there_are():
    with pytest.raises(UsageError, match=r"'ball'.*kite, top"):
        toys().get("ball")


def test_a_plug_in_that_ends_the_program_when_it_is_imported_is_left_out(install):
    install("quitter", "raise SystemExit(3)", ball="quitter:ball")
    toys = Registry(GROUP, Toy, {}, "toy")
    assert toys.all() == ()
    assert [str(problem.reason) for problem in toys.problems()] == ["SystemExit: 3"]


def test_a_plug_in_that_fails_when_it_is_used_is_named_and_errors_of_pathfinder_pass(install):
    install("wobbly", f"PATHFINDER_API = 1\nfrom {__name__} import Toy\nball = Toy('a ball')", ball="wobbly:ball")
    toys = Registry(GROUP, Toy, {"cube": Toy("a cube")}, "toy")

    def fail(error: Exception) -> Callable[[], None]:
        def call() -> None:
            raise error

        return call

    with pytest.raises(PluginFailed, match=r"'ball' of wobbly.*ValueError: it rolled away"):
        toys.use("ball", fail(ValueError("it rolled away")))
    with pytest.raises(UsageError, match="no ball"):
        toys.use("ball", fail(UsageError("no ball")))
    with pytest.raises(ValueError, match="our own"):
        toys.use("cube", fail(ValueError("our own")))
    with pytest.raises(PluginFailed, match=r"'cube'.*ValueError: our own"), toys.contain("cube"):
        raise ValueError("our own")
    with pytest.raises(UsageError, match="no cube"), toys.contain("cube"):
        raise UsageError("no cube")
    with (
        pytest.raises(PluginFailed, match="it rolled on"),
        toys.contain("ball"),
    ):
        raise ValueError("it rolled on")
