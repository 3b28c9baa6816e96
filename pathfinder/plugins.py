"""Registries of named extensions, such as readers, answer modes, ranking factors, operations and pages.

Extensions come with the core, from add-ons, which are folders in `pathfinder/addons`, and from other packages. An
add-on declares its extensions as another package does: by entry points, in the file `entry_points.txt` of its folder.
"""

import logging
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, EntryPoints, PathDistribution, entry_points
from pathlib import Path
from pkgutil import iter_modules
from threading import RLock
from typing import Generic, TypeVar

from pathfinder.errors import PathfinderError, PluginFailed, UsageError
from pathfinder.settings import read_settings

API_VERSION = 1
"""Version of the plug-in interface. A plug-in's module, or a package that holds it, declares the version that it was
written for: `PATHFINDER_API = 1`.
"""

ADDONS = Path(__file__).with_name("addons")
"""The folder of the add-ons."""

T = TypeVar("T")
R = TypeVar("R")

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PluginProblem:
    """A plug-in that was left out."""

    group: str
    """Entry-point group, such as `pathfinder.layers`."""
    name: str
    package: str
    """Distribution that declares it, or its module if the distribution is unknown."""
    reason: str

    def __str__(self) -> str:
        return (
            f"plug-in {self.name!r} of {self.package} ({self.group}) was left out: {self.reason}; "
            f"upgrade or uninstall the package, or switch it off with PATHFINDER_ADDONS=-{self.package}"
        )


class Addon(PathDistribution):
    """An add-on, read as an installed package is; its name is that of its folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._folder = folder

    @property
    def name(self) -> str:
        """Name of the add-on."""
        return self._folder.name


@cache
def addons() -> tuple[Addon, ...]:
    """Return the add-ons that come with Pathfinder, by name, whether in use or not."""
    return tuple(Addon(file.parent) for file in sorted(ADDONS.glob("*/entry_points.txt")))


@cache
def _installed(_folders: tuple[str, ...]) -> EntryPoints:
    """Return the entry points of the packages in `sys.path`, whose metadata are read once for all registries."""
    found = entry_points()
    return EntryPoints(point for group in found.groups for point in found.select(group=group))


@cache
def _check_left_out(left_out: frozenset[str]) -> None:
    """Warn of names in PATHFINDER_ADDONS that no add-on and no installed package with extensions has."""
    left_out_names = {name.removeprefix("-") for name in left_out} - {addon.name for addon in addons()}
    if not left_out_names:
        return
    packages = {package_of(point) for point in _installed(tuple(sys.path)) if point.group.startswith("pathfinder.")}
    for name in sorted(left_out_names - packages):
        _LOG.warning(
            "PATHFINDER_ADDONS leaves out %r, but nothing has that name: the add-ons are %s",
            name,
            ", ".join(addon.name for addon in addons()),
        )


class Registry(Generic[T]):
    """Named extensions of one kind: those of the core first, then those of add-ons and other packages, sorted by name.

    Names are read from package metadata, so listing them does not import anything; the code behind a name is imported
    when the name is first looked up. A plug-in that cannot be loaded, clashes with an extension already in use, or was
    written for another version of the interface is left out and listed by `problems`. PATHFINDER_ADDONS=-NAME leaves
    out an add-on or a package, and PATHFINDER_PLUGINS=off all packages. Threads may share a registry.
    """

    def __init__(
        self,
        group: str,
        kind: type[T] | tuple[type[T], ...],
        own: Mapping[str, T | Callable[[], T]],
        noun: str,
        name_of: Callable[[T], str] | None = None,
        fault_of_name: Callable[[str], str | None] = lambda _: None,
        fault_beside: Callable[[T, Sequence[T]], str | None] | None = None,
    ) -> None:
        """Create a registry; `own` maps each built-in name to its extension or to a function that imports it.

        `group` is the entry-point group, and `noun` is the word for one extension in messages: "map layer". `name_of`
        reads the name that an extension gives itself; the entry point of a plug-in must then have the same name.
        `fault_of_name` returns the reason why a plug-in may not use a name, or `None`; `fault_beside` returns the
        reason why it could not work alongside the extensions already in use, or `None`.
        """
        self.group, self.noun = group, noun
        self._kind, self._own, self._name_of, self._fault_of_name = kind, dict(own), name_of, fault_of_name
        self._fault_beside = fault_beside
        self._loaded_extensions: dict[str, T] = {}
        self._problems: dict[str, PluginProblem] = {}
        self._faults: dict[str, PluginProblem] = {}
        self._lock = RLock()

    def __contains__(self, name: object) -> bool:
        return name in self._own or (name in self._plugins and name not in self._problems)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names in use."""
        return iter(self.names())

    def names(self) -> tuple[str, ...]:
        """List the names in use, built-in ones first, without importing a plug-in."""
        return (*self._own, *(name for name in self._plugins if name not in self._problems))

    def get(self, name: str) -> T:
        """Return the extension with this name. Raises `UsageError` for a name that is unknown or was left out."""
        with self._lock:
            if name not in self._loaded_extensions:
                extension = self._built_in(name) if name in self._own else self._plug_in(name)
                if extension is None:
                    raise UsageError(self._unknown(name))
                self._loaded_extensions[name] = extension
            return self._loaded_extensions[name]

    def all(self, is_wanted: Callable[[str], bool] = lambda _: True) -> tuple[T, ...]:
        """Load and return every extension whose name is wanted; a plug-in that fails is left out and listed by
        `problems`.
        """
        with self._lock:
            for name in filter(is_wanted, list(self._plugins)):
                if name not in self._loaded_extensions and (extension := self._plug_in(name)) is not None:
                    self._loaded_extensions[name] = extension
            return tuple(self.get(name) for name in self.names() if is_wanted(name))

    def attempt(
        self, name: str, call: Callable[[], R], expected_errors: tuple[type[Exception], ...] = ()
    ) -> R | PluginProblem:
        """Return the result of `call`, which runs code from the extension called `name`.

        If a plug-in fails, return the problem instead, so that the caller can continue without it. Errors from built-in
        extensions, and those in `expected_errors`, are raised.
        """
        point = self._outside.get(name)
        if point is None:
            return call()
        try:
            return call()
        except expected_errors:
            raise
        except (Exception, SystemExit) as error:  # noqa: BLE001 - another package's code may raise anything; its fault is named
            return self._fault_in(point, error)

    def _fault_in(self, point: EntryPoint, error: BaseException) -> PluginProblem:
        """List and log a plug-in's failure in use."""
        with self._lock:
            fault = PluginProblem(self.group, point.name, package_of(point), _fault(error))
            if self._faults.get(point.name) != fault:
                self._faults[point.name] = fault
                _LOG.warning("%s", fault)
        return fault

    def use(self, name: str, call: Callable[[], R], expected_errors: tuple[type[Exception], ...] = ()) -> R:
        """Return the result of `call`, which runs code from the extension called `name`. Raises `PluginFailed` with the
        problem if a plug-in fails; errors from Pathfinder itself, and those in `expected_errors`, are raised as they
        are.
        """
        result = self.attempt(name, call, (PathfinderError, *expected_errors))
        if isinstance(result, PluginProblem):
            raise PluginFailed(str(result))
        return result

    @contextmanager
    def contain(self, name: str) -> Iterator[None]:
        """Like `use`, for a block that runs code from the extension called `name`, but raise `PluginFailed` for a fault
        in a built-in extension as well, and log its traceback: for work that must go on without it. Errors that say
        what a user can do, a lack of memory and failed checks are raised as they are.
        """
        point = self._outside.get(name)
        try:
            yield
        except PathfinderError:
            raise
        except (Exception, SystemExit) as error:
            if point is not None:
                raise PluginFailed(str(self._fault_in(point, error))) from error
            if isinstance(error, MemoryError | AssertionError | Warning | SystemExit):
                raise
            # a reader must not lose what else was found because of our fault
            _LOG.exception("the %s %r failed", self.noun, name)
            raise PluginFailed(f"the {self.noun} {name!r} failed: {_fault(error)}; please report this") from error

    def problems(self) -> tuple[PluginProblem, ...]:
        """List the plug-ins left out so far: those with clashing names at once, others once they fail to load or
        fail in use.
        """
        return (*self._declarations[1], *self._problems.values(), *self._faults.values())

    def plug_ins(self) -> tuple[str, ...]:
        """Describe each working plug-in by its noun, name and package: "map layer toycorner, from toybox"."""
        return tuple(
            f"{self.noun} {name}, from {package_of(point)}"
            for name, point in self._outside.items()
            if name not in self._problems and name not in self._faults
        )

    @property
    def _plugins(self) -> Mapping[str, EntryPoint]:
        return self._declarations[0]

    @property
    def _outside(self) -> Mapping[str, EntryPoint]:
        """Return the usable entry points of other packages, by name."""
        return {name: point for name, point in self._plugins.items() if not isinstance(point.dist, Addon)}

    @cached_property
    def _declarations(self) -> tuple[dict[str, EntryPoint], tuple[PluginProblem, ...]]:
        """Return the usable entry points by name, and a problem for each one whose name is taken or not allowed."""
        points: dict[str, EntryPoint] = {}
        clashes = []
        for point in self._declared():
            if point.name in self._own or point.name in points:
                owner = "Pathfinder itself" if point.name in self._own else package_of(points[point.name])
                clashes.append(self._problem(point, f"{owner} has a {self.noun} of that name"))
            elif fault := self._fault_of_name(point.name):
                clashes.append(self._problem(point, fault))
            else:
                points[point.name] = point
        return points, tuple(clashes)

    def _declared(self) -> Iterator[EntryPoint]:
        """Yield the entry points of the add-ons and packages in use, add-ons first, by name."""
        settings = read_settings()
        _check_left_out(settings.addons)
        points = [point for addon in addons() for point in addon.entry_points.select(group=self.group)]
        if settings.plugins == "on":
            points += _installed(tuple(sys.path)).select(group=self.group)
        for point in sorted(points, key=lambda each: (not isinstance(each.dist, Addon), each.name, package_of(each))):
            if f"-{package_of(point)}" not in settings.addons:
                yield point

    def _built_in(self, name: str) -> T:
        extension = self._own[name]
        return extension if isinstance(extension, self._kind) else extension()  # type: ignore[operator]

    def _plug_in(self, name: str) -> T | None:
        """Import a plug-in; return `None` and record the problem if it cannot be used."""
        point = self._plugins.get(name)
        if point is None or name in self._problems:
            return None
        try:
            return self._loaded_from(point)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - another package's module may raise anything; its fault is named
            self._problems[name] = self._problem(point, _fault(error))
            return None

    def _loaded_from(self, point: EntryPoint) -> T:
        """Import a plug-in, and raise `UsageError` with the reason if it does not fit this registry."""
        extension, version = point.load(), _declared_version(point)
        if version != API_VERSION:
            raise UsageError(
                f"its module declares PATHFINDER_API = {version!r}, but this Pathfinder has version {API_VERSION} "
                "of the plug-in interface"
            )
        if not isinstance(extension, self._kind):
            kinds = self._kind if isinstance(self._kind, tuple) else (self._kind,)
            expected = " or a ".join(kind.__name__ for kind in kinds)
            raise UsageError(f"{point.value} is a {type(extension).__name__}, not a {expected}")
        if self._name_of is not None and (own_name := self._name_of(extension)) != point.name:
            raise UsageError(
                f"its entry point is called {point.name!r}, but it calls itself {own_name!r}: use one name for both"
            )
        if self._fault_beside is not None and (fault := self._fault_beside(extension, self._in_use())):
            raise UsageError(fault)
        return extension

    def _in_use(self) -> Sequence[T]:
        """Return Pathfinder's own extensions, and the plug-ins loaded so far."""
        plug_ins = (extension for name, extension in self._loaded_extensions.items() if name not in self._own)
        return (*map(self._built_in, self._own), *plug_ins)

    def _problem(self, point: EntryPoint, reason: str) -> PluginProblem:
        """Describe a plug-in that is left out, and log it for the operator on the terminal or in the server's log."""
        problem = PluginProblem(self.group, point.name, package_of(point), reason)
        _LOG.warning("%s", problem)
        return problem

    def _unknown(self, name: str) -> str:
        if name in self._problems:
            return str(self._problems[name])
        if not self.names():
            return f"there is no {self.noun} {name!r}, nor any other: install or switch on what brings it"
        return f"there is no {self.noun} {name!r}: choose one of {', '.join(self.names())}"


def declared_groups(beginning: str) -> tuple[str, ...]:
    """List the entry-point groups of add-ons and packages whose names begin so, such as `pathfinder.panels.`."""
    groups = {point.group for addon in addons() for point in addon.entry_points} | _installed(tuple(sys.path)).groups
    return tuple(sorted(group for group in groups if group.startswith(beginning)))


def declared_in(package: str, kind: type[T]) -> tuple[T, ...]:
    """Import the modules in a package, and return the constants of type `kind` that they declare, module by module."""
    folder = import_module(package).__path__
    modules = (import_module(f"{package}.{module.name}") for module in iter_modules(folder))
    return tuple(value for module in modules for value in vars(module).values() if isinstance(value, kind))


def package_of(point: EntryPoint) -> str:
    """Return the name of the distribution that declares `point`, or its module's name."""
    return point.dist.name if point.dist is not None else point.module


def _fault(error: BaseException) -> str:
    """Describe a plug-in's error on one line: only the message if the error is Pathfinder's own, otherwise the type as
    well.
    """
    words = " ".join(str(error).split())
    return words if isinstance(error, PathfinderError) else f"{type(error).__name__}: {words}"


def _declared_version(point: EntryPoint) -> object:
    """Return the version that the module of `point`, or the nearest package that holds it, declares."""
    name = point.module
    while name:
        if (version := getattr(import_module(name), "PATHFINDER_API", None)) is not None:
            return version
        name = name.rpartition(".")[0]
    return None
