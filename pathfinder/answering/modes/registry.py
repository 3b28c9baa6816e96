"""The answer modes by name: Pathfinder's own, and those of other packages (entry points `pathfinder.answer_modes`).

To add a mode to Pathfinder, put a module with a constant `MODE` into this folder: `my_mode.py` declares the mode
`my-mode`.
"""

from functools import partial
from importlib import import_module
from operator import attrgetter
from pkgutil import iter_modules

from pathfinder.answering import modes
from pathfinder.answering.modes.base import AnswerMode
from pathfinder.errors import UsageError
from pathfinder.plugins import Registry
from pathfinder.types import AnswerRequest, ModeName, Specialisation

GROUP = "pathfinder.answer_modes"


_FOLDERS = {
    "agent": "agent.agent",
}
"""Modes with their own folder, each with the module that declares it."""

_NOT_MODES = {"base", "registry"}

_NAME_NOW = {"broad": "three-part", "bibliometric": "ads-query"}
"""Earlier names of modes, taken from the modes' styles; requests may still use them."""


def _load(module: str) -> AnswerMode:
    mode: AnswerMode = import_module(module).MODE
    return mode


def mode_registry() -> Registry[AnswerMode]:
    """Return Pathfinder's own modes, and those of the packages currently installed."""
    # They are found without importing them: first those in `ModeName`, in its order, then others.
    files = {module.name for module in iter_modules(modes.__path__) if not module.ispkg} - _NOT_MODES
    modules = {name.replace("_", "-"): name for name in sorted(files)} | _FOLDERS
    names = dict.fromkeys((*ModeName, *modules))
    return Registry(
        GROUP,
        AnswerMode,
        {str(name): partial(_load, f"{modes.__name__}.{modules[name]}") for name in names},
        "answer mode",
        attrgetter("name"),
        _fault_of_name,
    )


def _fault_of_name(name: str) -> str | None:
    """Return the reason why a mode from another package may not have this name; `None` if it may."""
    if name == "auto":
        return "auto means that Pathfinder chooses the mode"
    return f"{name} is an earlier name of {_NAME_NOW[name]}" if name in _NAME_NOW else None


MODES = mode_registry()

MODE_OF_STYLE = {Specialisation.BROAD: "three-part", Specialisation.BIBLIOMETRIC: "ads-query"}
"""Styles of `rag` that have a mode of their own. Readers choose such a mode through the style, not by its name."""


def mode_of(request: AnswerRequest) -> AnswerMode:
    """Return the mode that `request` names.

    Raises `UsageError` for an unknown mode, and for a style that the mode does not support.
    """
    generation, style = str(mode_name_of(request.generation)), request.specialisation
    styles = styles_of(generation)
    if style is None:
        return MODES.get(generation)
    if style not in styles:
        choices = ", ".join(styles)
        raise UsageError(
            f"the answer mode {generation} does not support the style {style.value}: it supports {choices}; choose "
            f"one of these, or the mode {ModeName.RAG.value}"
        )
    if generation == ModeName.RAG:
        generation = MODE_OF_STYLE.get(style, generation)
    return MODES.get(generation)


def styles_of(generation: str) -> tuple[Specialisation, ...]:
    """Return the styles that a mode supports, its default first; for `rag`, also those that are separate modes."""
    own = MODES.get(str(mode_name_of(generation))).styles
    return (*own, *MODE_OF_STYLE) if generation == ModeName.RAG else own


def style_for(generation: str, preferred_style: Specialisation) -> Specialisation:
    """Return the style `preferred_style` if the mode supports it, and the mode's default otherwise."""
    styles = styles_of(generation)
    return preferred_style if preferred_style in styles else styles[0]


def mode_name_of(name: str) -> ModeName | str:
    """Return the `ModeName` with that name; for any other mode, its name, or its present name if it was renamed."""
    return ModeName(name) if name in set(ModeName) else _NAME_NOW.get(name, str(name))


def mode_names() -> tuple[str, ...]:
    """Return the names of the modes that readers choose by name; those in `MODE_OF_STYLE` are chosen by style."""
    return tuple(name for name in MODES.names() if name not in MODE_OF_STYLE.values())
