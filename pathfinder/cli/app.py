"""Explore the literature from the command line: search it, get answers with citations, and draw its map.

Results go to standard output, everything else to standard error. The exit status is 0 for a result, 2 for a usage error
and 1 for any other error; one line on standard error says what to do.
"""

import logging
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException
from typer.main import get_command_name

from pathfinder.cli.operations import OperationCommand
from pathfinder.cli.output import check_memory, complain, prepare_process
from pathfinder.cli.serve import app as page
from pathfinder.cli.serve import mcp, serve
from pathfinder.errors import PathfinderError
from pathfinder.operations import OPERATIONS
from pathfinder.plugins import Registry
from pathfinder.settings import read_settings

_FOR_TESTS = "fake"
"""Vendor of fake models, for tests."""


class ExtensionHelp(TyperCommand):
    """A command whose help names the readers of its sources, the vendors of its models and the engines for its vectors.

    They are looked up only when the help is printed, so that no other command waits for the metadata of packages.
    """

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help: an option's choices follow its own help; the readers, and the vendors of chat models, come at
        the end.
        """
        names = {f"{parameter.param_type_name} {parameter.name}" for parameter in self.params}
        for parameter in self.params:
            if choices := _choices(str(parameter.name)):
                option: Any = parameter
                option.help = f"{option.help.partition(choices)[0]}{choices}"
        self.epilog = " ".join(_epilog(names)) or None
        super().format_help(ctx, formatter)


def _choices(name: str) -> str:
    """Return a sentence on the vendors or engines that the option called `name` accepts; empty if it takes neither."""
    from pathfinder.models.loading import EMBEDDERS, RERANKERS

    if name == "engine":  # by name alone: the indexes are not imported
        return f" Engines: {', '.join(Registry('pathfinder.engines', object, {}, 'engine')) or 'none'}."
    registries: dict[str, Iterable[str]] = {"embedder": EMBEDDERS, "reranker": RERANKERS}
    return f" Vendors: {_join(registries[name])}." if name in registries else ""


def _epilog(names: set[str]) -> Iterator[str]:
    """Yield a sentence on the readers for a command with sources, and on the chat models for one that answers.

    `names` holds the kinds and names of the parameters, such as "argument sources"; "option sources" is a filter.
    """
    if "argument sources" in names:
        from pathfinder.corpus.readers import READERS

        yield f"Readers of sources: {', '.join(READERS.names())}."
    if "option generation" in names:
        from pathfinder.models.loading import CHAT_MODELS

        own = _join(CHAT_MODELS)
        vendors = f"{own}, and those of LangChain" if own else "those of LangChain"
        yield f"The chat model is set by PATHFINDER_CHAT_MODEL=VENDOR:MODEL. Vendors: {vendors}, such as openai."


def _join(vendors: Iterable[str]) -> str:
    return ", ".join(vendor for vendor in vendors if vendor != _FOR_TESTS)


# One way to name a corpus: every command takes `--corpus`, and PATHFINDER_CORPUS if no corpus is named.


class FolderFirst(ExtensionHelp):
    """A command whose first argument, DIR, is the folder of a corpus. It is left out if `--corpus` names the folder,
    and if PATHFINDER_CORPUS does, unless the first argument is the folder of a corpus.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the folder in the first place."""
        from pathfinder.corpus.manifest import is_corpus

        given, _, _ = self.make_parser(ctx).parse_args(args=list(args))
        folder, first = given.get(self.params[-1].name), given.get(self.params[0].name)
        if not isinstance(folder, str) and not (isinstance(first, str) and is_corpus(Path(first))):
            folder = read_settings().corpus
        return super().parse_args(ctx, [str(folder), *args] if folder else args)


# Commands import their modules when they run, so that `--help` and usage errors are fast.

_LOG = logging.getLogger(__name__)
app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False, help=__doc__)

GROUPS: Registry[str] = Registry(
    "pathfinder.command_groups",
    str,
    {
        "data": "Readers' work, such as shelves, in the folder PATHFINDER_DATA: list it, back it up, move it to "
        "another corpus, delete it.",
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
