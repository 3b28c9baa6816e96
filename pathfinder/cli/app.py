"""Explore the literature from the command line: search it, get answers with citations, and draw its map.

Results go to standard output, everything else to standard error. The exit status is 0 for a result, 2 for a usage error
and 1 for any other error; one line on standard error says what to do.
"""

import logging
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import typer
from typer.exceptions import TyperException
from typer.main import get_command_name

from pathfinder.cli.corpus_folder import take_corpus
from pathfinder.cli.evaluate import evaluate
from pathfinder.cli.extension_help import ExtensionHelp
from pathfinder.cli.operations import command_of
from pathfinder.cli.output import check_memory, complain, prepare_process
from pathfinder.cli.serve import app as page
from pathfinder.cli.serve import mcp, serve
from pathfinder.errors import PathfinderError
from pathfinder.operations import OPERATIONS
from pathfinder.operations.operation import AnyOperation
from pathfinder.plugins import Registry

# Commands import their modules when they run, so that `--help` and usage errors are fast.

_LOG = logging.getLogger(__name__)
app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False, help=__doc__)

_GROUPS = {
    "data": "Readers' work (feedback, shelves, standing questions, screenings), in the folder PATHFINDER_DATA: list "
    "it, back it up, move it to another corpus, delete it.",
    "fulltext": "Read the full text of papers, and store it in a corpus.",
    "shelf": "Keep papers from a corpus under a name, with notes, tags and states, in the folder PATHFINDER_DATA.",
}
"""Groups of commands that are operations, with their help."""
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


@cache
def command_line() -> Any:
    """Return the command `pathfinder` with all its subcommands. Operations are read here, because plug-ins and the
    settings may hold a mistake, which is to be told in one line.
    """
    app.command("app")(page)
    for command in (serve, mcp):
        app.command()(command)
    groups = {name: typer.Typer(rich_markup_mode=None, help=help_text) for name, help_text in _GROUPS.items()}
    groups["evaluate"] = evaluate
    for name, group in groups.items():
        app.add_typer(group, name=name)
    for operation in OPERATIONS.all():
        if operation.is_command:
            _add_operation(operation, groups)
    for name, group in groups.items():
        _add_commands(group, f"pathfinder.commands.{name}")
    _add_commands(app, "pathfinder.commands")
    command = typer.main.get_command(app)
    take_corpus(command)
    return command


def _add_operation(operation: AnyOperation, groups: Mapping[str, typer.Typer]) -> None:
    """Add the command of an operation to its group; what Pathfinder has, or what is in no group, is left out."""
    *group, name = (operation.command or operation.name).split()
    place = groups.get(group[0]) if group else app
    if place is None:
        _LOG.warning("the operation %r is no command, because there is no group %r", operation.name, group[0])
    elif name in _names(place):
        _LOG.warning("the operation %r is no command, because Pathfinder has one of that name", operation.name)
    else:
        place.command(name, cls=ExtensionHelp, hidden=operation.is_hidden)(command_of(operation))


def _names(group: typer.Typer) -> set[str]:
    """Return the names of the commands, and groups of commands, of a group."""
    names = {
        each.name or get_command_name(each.callback.__name__) for each in group.registered_commands if each.callback
    }
    return names | {str(each.name) for each in group.registered_groups}


def _add_commands(group: typer.Typer, place: str) -> None:
    """Add the commands, and groups of commands, that add-ons and packages declare for a place."""
    taken = _names(group)

    def fault_of_name(name: str) -> str | None:
        return f"Pathfinder has a command {name} already" if name in taken else None

    commands: Registry[Any] = Registry(place, object, {}, "command", fault_of_name=fault_of_name)
    for command, name in zip(commands.all(), commands.names(), strict=True):
        if isinstance(command, typer.Typer):
            group.add_typer(command, name=name)
        else:
            group.command(name, cls=ExtensionHelp)(command)
