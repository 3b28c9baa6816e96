"""Kinds of commands: one whose help names the extensions that are installed, and one whose first argument may name the
corpus.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from typer.core import TyperCommand

from pathfinder.settings import read_settings

_FOR_TESTS = "fake"
"""Vendor of fake models, for tests."""


class ExtensionHelp(TyperCommand):
    """A command whose help names the readers of its sources and the vendors of its models.

    They are looked up only when the help is printed, so that no other command waits for the metadata of packages.
    """

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help: an option's vendors follow its own help; the readers, and the vendors of chat models, come at
        the end.
        """
        names = {f"{parameter.param_type_name} {parameter.name}" for parameter in self.params}
        for parameter in self.params:
            if vendors := _vendors(str(parameter.name)):
                option: Any = parameter
                option.help = f"{option.help.partition(' Vendors: ')[0]} Vendors: {vendors}."
        self.epilog = " ".join(_epilog(names)) or None
        super().format_help(ctx, formatter)


def _vendors(name: str) -> str:
    """Return the vendors whose models the option called `name` accepts; empty if it takes no model."""
    from pathfinder.models.loading import EMBEDDERS, RERANKERS

    registries: dict[str, Iterable[str]] = {"embedder": EMBEDDERS, "reranker": RERANKERS}
    return _join(registries[name]) if name in registries else ""


def _epilog(names: set[str]) -> Iterator[str]:
    """Yield a sentence on the readers for a command with sources, and on the chat models for one that answers.

    `names` holds the kinds and names of the parameters, such as "argument sources"; "option sources" is a filter.
    """
    if "argument sources" in names:
        from pathfinder.corpus.readers import READERS

        yield f"Readers of sources: {', '.join(READERS.names())}."
    if "option generation" in names:
        from pathfinder.models.loading import CHAT_MODELS

        yield (
            "The chat model is set by PATHFINDER_CHAT_MODEL=VENDOR:MODEL. "
            f"Vendors: {_join(CHAT_MODELS)}, and those of LangChain, such as openai."
        )


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
