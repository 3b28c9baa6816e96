"""One way to name a corpus: every command takes `--corpus`, and PATHFINDER_CORPUS if no corpus is named."""

from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

from pathfinder.cli.extension_help import ExtensionHelp
from pathfinder.cli.options import FOLDER_HELP, CorpusFolder
from pathfinder.settings import read_settings


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


def take_corpus(group: Any) -> None:
    """Let every command of `group` whose first argument is the folder of a corpus take `--corpus` in its place."""
    for command in group.commands.values():
        if isinstance(command, TyperGroup):
            take_corpus(command)
        elif command.params and getattr(command.params[0], "help", None) == FOLDER_HELP:
            command.__class__ = FolderFirst
            command.params.append(_option())


def _option() -> Any:
    def with_corpus(corpus_in_place_of_folder: CorpusFolder = None) -> None: ...

    app = typer.Typer(add_completion=False)
    app.command()(with_corpus)
    command: Any = typer.main.get_command(app)
    (option,) = command.params
    option.expose_value = False
    return option
