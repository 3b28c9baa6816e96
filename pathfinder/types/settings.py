"""Settings, each declared once: its check, its widget, its place in a link, its command-line option and its help.

A setting is declared where its field is, by `declare`:

    depth: int = declare(0, WholeNumber(0, 3), label="Rounds of refined questions", help="...", link="depth", ...)

`settings_of` lists the declarations of a dataclass. Request, page, link, command line and docs read that list.
"""

from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from enum import StrEnum
from functools import partial
from typing import Any, TypeVar

from pathfinder.types.setting_kinds import Kind, Switch

Value = TypeVar("Value")
_SETTING = "setting"
_SETTINGS_OF: "dict[type[Any], tuple[Setting, ...]]" = {}
"""Settings of each dataclass, kept once they have been listed, because a page asks for them some forty times."""


class SidebarSection(StrEnum):
    """A section of the page's sidebar."""

    FILTERS = "filters"
    PROPERTIES = "properties"
    STAGES = "stages"
    WEIGHTS = "weights"
    ANSWER = "answer"


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """A setting: the one place that defines how it is checked, changed, written in links and explained."""

    name: str
    """Name of its field in the request."""
    kind: Kind
    default: Any
    label: str
    help: str
    """Explanation in one sentence, for the page, the command line and the docs."""
    link: str | None = None
    """Query parameter in a link; `None` for a setting that does not appear on any page."""
    option: str | None = None
    """Command-line option, such as "--depth"; several names are separated by spaces, the preferred one first."""
    section: SidebarSection | None = None
    """Section of the page that contains its widget; `None` for a setting without a standard widget."""
    placeholder: str = ""
    applies: Callable[[Any], bool] | None = None
    """Function that returns true if the setting has an effect, given the other settings; the page hides widgets that
    have no effect.
    """
    needs_question: bool = False
    """True if the setting is meaningless in a search for similar papers."""
    needs_chat: bool = False
    """True if the setting is meaningless without a chat model."""
    calls_chat: Callable[[Any], bool] | None = None
    """Function that returns true for a value with which a search calls a chat model, provided that there is one."""
    stage: str | None = None
    """Name of the stage that the setting switches on or controls."""


def declare(default: Value, kind: Kind | None = None, **entries: Any) -> Value:
    """Declare a dataclass field as a setting; `entries` are fields of `Setting`. By default, its kind is a switch, and
    its option has the name of its query parameter in links.
    """
    named = {"option": f"--{entries['link']}"} if entries.get("link") else {}
    setting = Setting("", kind or Switch(), default, **(named | entries))
    setting_field: Value = field(default=default, metadata={_SETTING: setting})
    return setting_field


declare_filter = partial(declare, section=SidebarSection.FILTERS)
declare_property = partial(declare, section=SidebarSection.PROPERTIES)
declare_stage = partial(declare, section=SidebarSection.STAGES, needs_question=True)
declare_answer = partial(declare, section=SidebarSection.ANSWER)


def settings_of(request: type[Any]) -> tuple[Setting, ...]:
    """List the settings that a dataclass declares, in the order of its fields."""
    if request not in _SETTINGS_OF:
        entries = ((entry.name, entry.metadata.get(_SETTING)) for entry in _fields(request))
        _SETTINGS_OF[request] = tuple(replace(setting, name=name) for name, setting in entries if setting is not None)
    return _SETTINGS_OF[request]


def check_settings(request: Any) -> None:
    """Check every setting of a request. Raises `UsageError` for the first invalid one."""
    for setting in settings_of(type(request)):
        setting.kind.check(setting.name, getattr(request, setting.name))


def _fields(request: type[Any]) -> tuple[Field[Any], ...]:
    return tuple(entry for entry in fields(request) if entry.default is not MISSING)
