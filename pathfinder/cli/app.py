"""Explore the literature from the command line: search it, get answers with citations, and draw its map.

Results go to standard output, everything else to standard error. The exit status is 0 for a result, 2 for a usage error
and 1 for any other error; one line on standard error says what to do.
"""

import logging
from collections.abc import Collection, Sequence
from functools import cache, cached_property
from typing import Any

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException
from typer.main import get_command_name

from pathfinder.cli.extension_help import ExtensionHelp, FolderFirst
from pathfinder.cli.operations import OperationCommand
from pathfinder.cli.output import check_memory, complain, prepare_process
from pathfinder.cli.serve import app as page
from pathfinder.cli.serve import mcp, serve
from pathfinder.errors import PathfinderError
from pathfinder.operations import OPERATIONS
from pathfinder.plugins import Registry

# Commands import their modules when they run, so that `--help` and usage errors are fast.

_LOG = logging.getLogger(__name__)
app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False, help=__doc__)

GROUPS: Registry[str] = Registry(
    "pathfinder.command_groups",
    str,
    {
        "data": "Readers' work (feedback, shelves, standing questions, screenings), in the folder PATHFINDER_DATA: "
        "list it, back it up, move it to another corpus, delete it.",
        "evaluate": "Measure how good the search is.",
        "fulltext": "Read the full text of papers, and store it in a corpus.",
        "shelf": "Keep papers from a corpus under a name, with notes, tags and states, in the folder PATHFINDER_DATA.",
    },
    "group of commands",
)
"""Groups of commands, each by its help."""
_INTERRUPT_STATUS = 130
"""Exit status that Typer returns after Ctrl-C."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command, by default with the arguments of this process; return the exit status."""
    if arguments is None:
        prepare_process()
        if (status := check_memory()) is not None:
            return status
    try:
        # Typer's own way of calling an app would replace the hook for unexpected errors.
        status = int(command_line()(arguments, prog_name="pathfinder", standalone_mode=False) or 0)
    except (TyperException, PathfinderError, OSError, typer.Abort) as error:
        return complain(error)
    return complain(typer.Abort()) if status == _INTERRUPT_STATUS else status


class CommandGroup(TyperGroup):
    """A group of commands, whose modules are imported when one of them is asked for."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(rich_markup_mode=None, **attributes)
        del self.commands  # until they are asked for

    @cached_property
    def commands(self) -> Any:  # type: ignore[override]
        """The commands of the group, by name."""
        return _filled(typer.Typer(rich_markup_mode=None, callback=lambda: None), str(self.name)).commands


@cache
def command_line() -> Any:
    """Return the command `pathfinder` with all its subcommands. Operations are read here, because plug-ins and the
    settings may hold a mistake, which is to be told in one line.
    """
    app.command("app")(page)
    for command in (serve, mcp):
        app.command()(command)
    texts = GROUPS.all()  # before the names, which then lack those that fail
    groups = {name: CommandGroup(name=name, help=text) for name, text in zip(GROUPS.names(), texts, strict=True)}
    for words in map(str.split, OPERATIONS.names()):
        if len(words) > 1 and words[0] not in groups:
            _LOG.warning("the operation %r is no command, because there is no group %r", " ".join(words), words[0])
    whole = _filled(app, "", groups)
    for name, group in groups.items():
        whole.add_command(group, name)
    return whole


def _filled(app: typer.Typer, group: str, groups: Collection[str] = ()) -> Any:
    """Return the command of `app`, with the operations in a group, and what add-ons and packages add to it; those whose
    name is `taken`, or that of another, are left out.
    """
    taken = {each.name or get_command_name(each.callback.__name__) for each in app.registered_commands if each.callback}
    taken.update(groups)
    for operation in OPERATIONS.all(lambda name: name.rpartition(" ")[0] == group):
        name = operation.command or operation.name.split()[-1]
        if not operation.is_command:
            continue
        if name in taken:
            _LOG.warning("the operation %r is no command, because Pathfinder has one of that name", operation.name)
            continue
        taken.add(name)
        kind = FolderFirst if operation.folder_first else ExtensionHelp
        app.command(name, cls=kind, hidden=operation.is_hidden)(OperationCommand(operation))

    def fault_of_name(name: str) -> str | None:
        return f"Pathfinder has a command {name} already" if name in taken else None

    place = f"pathfinder.commands.{group}" if group else "pathfinder.commands"
    commands: Registry[Any] = Registry(place, object, {}, "command", fault_of_name=fault_of_name)
    for command, name in zip(commands.all(), commands.names(), strict=True):
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name, cls=ExtensionHelp)(command)
    return typer.main.get_command(app)
