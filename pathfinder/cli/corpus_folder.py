"""One way to name a corpus: every command takes `--corpus`, and PATHFINDER_CORPUS if no corpus is named."""

from pathlib import Path
from typing import Any

from pathfinder.cli.extension_help import ExtensionHelp
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
