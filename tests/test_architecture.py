"""The house's plan, held: who may import whom, who may speak to what, and what nobody does.

Imports run one way, from the ground up; a room may import rooms of its own level and below, and no two modules or
folders import each other, by whatever way round.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.syntax_trees import nodes_of, tree_of

pytestmark = pytest.mark.usefixtures("collector_rests")

ROOT = Path(__file__).parents[1]

LEVELS = (
    {"types", "errors", "settings", "profile"},
    {"plugins", "text", "llm", "models.ports", "user_data"},
    {"corpus", "index", "missions"},
    {"retrieval", "grounding", "sources", "screening", "shelves"},
    {"assessment", "export"},
    {"answering", "landscape", "fulltext", "capsules", "drafts", "features", "hypotheses", "standing"},
    {"models"},
    {"evaluation", "building", "session", "live", "feedback", "blind_studies", "figures"},
    {""},  # pathfinder/__init__.py, the public names
    {"operations"},
    {"serving"},
    {"ui", "cli"},
    {"addons"},
    {"pages", "app", "server"},
)
"""Rooms from the ground up. `models` are the vendors' adapters: above, so that nobody below chooses one."""

OWNERS = {
    "streamlit": {"ui", "addons", "pages", "app", "server"},
    "faiss": {"index.dense"},
    "bm25s": set(),
    "umap": {"landscape.projection.projection"},
    "contourpy": {"landscape.layers.footprints.topics"},
    "matplotlib": {"landscape.picture_files", "figures.values_drawing"},
    "onnx": {"models.minilm"},
    "onnxruntime": {"models.minilm"},
    "tokenizers": {"models.minilm"},
    "xllamacpp": {"models.llama_process"},
    "openai": {"models.openai_embedder", "models.openai_moderator"},
    "cohere": {"models.cohere_reranker"},
    "langchain": {"llm.langchain_chat"},
    "pypdfium2": {"fulltext.pdf.layout.glyphs"},
    "rapidocr": {"fulltext.pdf.page_reader"},
    "rapidfuzz": {"text.spelling"},
    "lark": {"answering.ads_query"},
    "networkx": {"retrieval.network", "addons.network.operation"},
    "citeproc": {"export.references"},
    "lxml": {"export.references", "corpus.schemas.markup"},
    "docx": {"drafts.forms"},
    "ray": {"building.ray_shards"},
    "langgraph": set(),
    "langchain_core": {
        "llm.langchain_chat",
        "llm.langchain_replies",
    },
    "langchain_openai": set(),
    "sentence_transformers": {"models.sentence_transformers_embedder", "models.cross_encoder_reranker"},
    "ir_measures": {"evaluation"},
    "typer": {"cli"},
    "fastapi": {"serving"},
    "starlette": {"serving"},
    "uvicorn": {"cli.serve", "serving.slow_callers"},
    "mcp": {"serving"},
    "limits": {"serving"},
    "prometheus_client": {"serving"},
    "rich": {"cli"},
    "torch": set(),
    "httpx": {"evaluation.providers.web", "feedback.hub_copy", "llm.closable_client"},
    "httpx2": {"sources.http"},
    "hishel": {"sources.http.web"},
    "filelock": {"sources.http.pace"},
    # Beyond feedback, it would ask other servers than the one that it is pointed at.
    "huggingface_hub": {"feedback.hub_copy"},
    "requests": set(),
    "pickle": set(),
    "marshal": set(),
    "shelve": set(),
    "joblib": set(),
    "dill": set(),
    "cloudpickle": set(),
}
"""Who may import what: a room, a room in it, or a module. An empty set: nobody, ever."""

OWN_JSON = {
    *("answering.digest.scoring", "assessment.consensus.local", "retrieval.reranking.local.model"),  # weights
    *("assessment.relevance", "models.minilm"),  # weights, too
    *("building.intake", "building.embedding", "ui.corpus.overview"),  # the files of a build
    *("models.llama_server", "models.llama_process"),  # a process of ours
    "export.records",  # a trace that it has just written
}
"""Modules that read JSON that Pathfinder wrote itself, or that came with it."""

JSON_READERS = {
    *("json.load", "json.loads", "json.JSONDecoder", "json.decoder.JSONDecoder"),
    *("pydantic_core.from_json", "pandas.read_json", "pyarrow.json.read_json"),
}
"""Calls and imports that read JSON and keep the last of two equal keys."""
JSON_PARSERS = {"orjson", "ujson", "simplejson", "simdjson", "rapidjson", "msgspec", "ijson", "jiter"}
"""Packages that read JSON, none of which is needed."""
RECORD_READERS = {"validate_json", "model_validate_json", "parse_raw"}

OWN_RECORDS = {
    *("corpus.history.merges", "missions.catalogue"),  # files of a corpus, and a file that came with it
    *("building.child.orders", "fulltext.child"),  # processes of ours
    "assessment.evidence.ledger",  # it reads the text strictly, too
}
"""Modules that let a type adapter read JSON, which keeps the last of two equal keys."""

ASTRONOMY = re.compile(
    r"astronom|astroph|galax|galact|milky|magellan|pulsar|quasar|blazar|nova[es]?\b|planet|nebula|redshift|luminosit|"
    r"metallicit|parallax|cepheid|andromeda|jupiter|parsec|telescope|spacecraft|satellite|stellar|baryon|cosmolog|"
    r"dwarf|asteroid|comet|meteor|lunar|celest|eclips|virial|\b(?:abell|messier|gliese|kepler|hubble|planck|gaia|ngc|"
    r"wasp|lyman|lcdm|grb|kpc|sun|solar|moons?|mars|venus|saturn|sky|black hole)\b|\b(?:the |\|)earth\b|"
    r"photometr|light[- ]?curve|microlens|interstellar|starlight|starburst|\b(?:mjd|jd|multipoles?|equinox|solstice|"
    r"perihelion|ecliptic|redden\w*|accretion|albedo|declination|neutron star|h ?alpha|[hly]{1,2}alpha)\b",
    re.IGNORECASE,
)
OF_ASTRONOMY = {
    *(
        "answering.ads_query.question_text",
        "answering.ads_query.fields",
        "answering.ads_query.reading",
        "answering.modes.ads_query",
    ),  # queries for ADS
    *(
        "sources.kinds.ads",
        "sources.kinds.arxiv",
        "sources.kinds.semantic_scholar",
        "sources.uat",
        "corpus.schemas.ads",
    ),  # services
    *(
        "corpus.schemas.journal_macros",
        "corpus.thesaurus.reading",
        "cli.app",
    ),  # formats of the field, and its thesaurus
    *("missions.catalogue", "missions.matching", "ui.world.panels"),  # the catalogue
    *("profile", "profile.profile", "profile.quantity", "profile.reading", "building.graph", "ui.corpus.build_choices"),
    *("text.quantities.measurements", "text.quantities.unit_table", "assessment.values.kinds"),  # units of every field
    *("text.quantities.spellings", "assessment.values.measured_sentence"),  # and their names in texts
    *("text.latex.symbols", "text.latex.search_text"),  # the sign of the Sun
    *(
        "evaluation.multi_paper",
        "assessment.target_names.name_in_text",
    ),  # questions and surveys as astronomers write them
    *("assessment.evidence.polarity", "addons.tensions.tensions"),  # luminosity, a kind of quantity of every field
    *("models.minilm", "types.setting_kinds"),  # examples
    "cli.map",  # the night sky, a way to draw every map
    "retrieval.years.phrases",  # solstices and equinoxes, the seasons
    *(
        "text.inflection",
        "text.language.contextual_rules",
        "text.language.lexicon_tagger",
        "text.sentences",
    ),  # plurals, tags and abbreviations of English
    "text.language.stop_words",  # nouns for people and tools, in keywords of every corpus
}
"""Modules that hold words of astronomy, because they are about it or about a service or a file of it."""


READING_CALLS = {
    *("open", "read", "read_text", "read_bytes", "iterdir", "glob", "rglob", "exists", "is_file", "stat", "load"),
    *("getenv", "today", "now", "time", "version", "run", "Popen", "urlopen", "Settings", "print", "input"),
}
"""Calls that look at the machine, the clock or the world."""


def paths() -> dict[str, Path]:
    """The file of every module of the package and the app by its name, the leading `pathfinder.` left out."""
    files = {"app": ROOT / "app.py", "server": ROOT / "server.py"} | {
        f"pages.{path.stem}": path for path in (ROOT / "pages").glob("*.py")
    }
    for path in (ROOT / "pathfinder").rglob("*.py"):
        parts = path.relative_to(ROOT / "pathfinder").with_suffix("").parts
        files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return dict(sorted(files.items()))


PATHS = paths()


@cache
def modules() -> dict[str, ast.Module]:
    """Every module with its tree. Trees are made at the first test, not by every process that collects the tests."""
    return {name: tree_of(path) for name, path in PATHS.items()}


def room(name: str) -> str:
    """The room that a module is in: `corpus` for `corpus.readers.arxiv`."""
    if name == "models.ports":
        return name
    return name.partition(".")[0]


def rooms_around(name: str) -> list[str]:
    """All rooms that a module is in: `corpus.readers` and `corpus` for `corpus.readers.arxiv`."""
    parts = name.split(".")
    return [".".join(parts[:depth]) for depth in range(1, len(parts))] or [name]


def level(name: str) -> int:
    return next((height for height, rooms in enumerate(LEVELS) if room(name) in rooms), -1)


def imports(tree: ast.AST) -> Iterator[str]:
    """The full names of what is imported anywhere in a module, also within functions and for types only."""
    for node in nodes_of(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports name the whole path"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def our_imports(tree: ast.AST) -> set[str]:
    """The modules of ours that are imported, named as `modules` names them."""
    names = set()
    for name in imports(tree):
        if name == "pathfinder" or name.startswith("pathfinder."):
            inner = name.removeprefix("pathfinder").removeprefix(".")
            while inner not in modules():
                inner = inner.rpartition(".")[0]
            names.add(inner)
    return names


def executed_at_import(node: ast.AST) -> Iterator[ast.AST]:
    """`node` and what is run with it, the bodies of functions left out, their defaults and decorators not."""
    yield node
    is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
    for name, value in ast.iter_fields(node):
        if not (is_function and name in {"body", "returns"}):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from executed_at_import(child)


def name_of(node: ast.expr | None) -> str:
    """`Exception` for `Exception` and `builtins.Exception`; nothing for what has no name."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def calls(nodes: Iterator[ast.AST]) -> Iterator[ast.Call]:
    return (node for node in nodes if isinstance(node, ast.Call))


@cache
def all_imports() -> dict[str, set[str]]:
    return {name: our_imports(tree) for name, tree in modules().items()}


@cache
def all_nodes() -> list[tuple[str, ast.AST]]:
    return [(name, node) for name, tree in modules().items() for node in nodes_of(tree)]


def all_calls() -> list[tuple[str, ast.Call]]:
    return [(name, node) for name, node in all_nodes() if isinstance(node, ast.Call)]


# Who imports whom -----------------------------------------------------------------------------------


def test_every_module_has_its_place() -> None:
    assert {room(name) for name in modules() if level(name) < 0} == set(), "say in LEVELS where these rooms stand"


def test_imports_run_one_way() -> None:
    upward = {(name, other) for name, others in all_imports().items() for other in others if level(other) > level(name)}
    assert upward == set()


def test_no_module_imports_itself_by_a_way_round() -> None:
    graph = {name: others - {name} for name, others in all_imports().items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


def folder(name: str) -> str:
    """The folder of a module: `corpus.readers` for `corpus.readers.bibtex`. A module at the root, and the ports that
    models implement, stand for themselves.
    """
    folder, package = PATHS[name].parent, ROOT / "pathfinder"
    inside = ".".join(folder.relative_to(package).parts) if folder.is_relative_to(package) else ""
    return name if name == "models.ports" or not inside else inside


def test_no_folder_imports_itself_by_a_way_round() -> None:
    graph: dict[str, set[str]] = {}
    for name, others in all_imports().items():
        graph.setdefault(folder(name), set()).update(map(folder, others - {name}))
    try:
        TopologicalSorter({name: others - {name} for name, others in graph.items()}).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


def test_nothing_names_an_addon_except_the_addon_itself() -> None:
    named = {
        (name, other)
        for name, others in all_imports().items()
        for other in others
        if other.startswith("addons.") and name.split(".")[:2] != other.split(".")[:2]
    }
    assert named == set(), "declare it in the entry_points.txt of the add-on"


def test_models_know_nothing_of_papers() -> None:
    allowed = {"types", "errors", "settings", "plugins", "llm", "models.ports", "models"}
    pairs = {(name, room(other)) for name in modules() if room(name) == "models" for other in all_imports()[name]}
    assert {(name, other) for name, other in pairs if other not in allowed} == set()


def test_each_tool_is_known_to_its_owner_only() -> None:
    strangers = {
        (name, tool)
        for name, tree in modules().items()
        for tool in {other.partition(".")[0] for other in imports(tree)} & OWNERS.keys()
        if not {name, *rooms_around(name)} & OWNERS[tool]
    }
    assert strangers == set()


def test_the_diagram_of_the_docs_shows_the_levels() -> None:
    diagram = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").split("```")[1]
    rooms = [
        {name.removesuffix("/").removesuffix(".py").replace("/", ".") for name in re.findall(r"[\w/]+(?:/|\.py)", part)}
        for part in re.sub(r"(?<=\S)   +.*", "", diagram).split("\n  |\n")
    ]
    assert list(reversed(rooms)) == [level for level in LEVELS if level != {""}]


# What nobody does -----------------------------------------------------------------------------------


BORDER = "plugins"
"""The only module that runs code of other packages, which may raise anything: it names the fault and goes on."""


def test_nobody_catches_everything_except_from_plug_ins() -> None:
    everything = {"Exception", "BaseException"}
    handlers = ((name, node) for name, node in all_nodes() if isinstance(node, ast.ExceptHandler) and name != BORDER)
    caught = {
        (name, node.lineno)
        for name, node in handlers
        for kind in (node.type.elts if isinstance(node.type, ast.Tuple) else [node.type])
        if kind is None or name_of(kind) in everything
    }
    suppressed = {
        (name, call.lineno)
        for name, call in all_calls()
        if name_of(call.func) == "suppress" and {name_of(kind) for kind in call.args} & everything
    }
    assert caught | suppressed == set()


def test_only_the_command_line_prints() -> None:
    assert {
        (name, call.lineno) for name, call in all_calls() if room(name) != "cli" and name_of(call.func) == "print"
    } == set()


def test_nothing_is_unpickled() -> None:
    allowed = {
        (name, call.lineno)
        for name, call in all_calls()
        for keyword in call.keywords
        if keyword.arg == "allow_pickle" and getattr(keyword.value, "value", None) is not False
    }
    assert allowed == set()


def reads_json(tree: ast.AST) -> bool:
    """Whether a module reads JSON by itself: with `json`, another parser, or the method of an HTTP response."""
    from_modules = any(name in JSON_READERS or name.partition(".")[0] in JSON_PARSERS for name in imports(tree))
    return from_modules or any(
        ast.unparse(call.func) in JSON_READERS
        or name_of(call.func) == "raw_decode"
        or (name_of(call.func) == "json" and isinstance(call.func, ast.Attribute))
        for call in calls(nodes_of(tree))
    )


def test_json_from_outside_is_read_strictly() -> None:
    readers = {name for name, tree in modules().items() if reads_json(tree)}
    assert readers == {"text.strict_json"} | OWN_JSON, "use text/strict_json: a key that occurs twice would be lost"


def test_records_from_outside_are_read_strictly() -> None:
    adapters = {name for name, call in all_calls() if name_of(call.func) in RECORD_READERS}
    assert adapters == {"text.strict_json"} | OWN_RECORDS, "use parse_as: of two equal keys, an adapter keeps the last"


@pytest.mark.parametrize(
    ("source", "is_seen"),
    [
        ("import json\njson.loads(text)", True),
        ("import json\njson.load(file)", True),
        ("from json import loads as parse", True),
        ("import json\njson.JSONDecoder()", True),
        ("decoder.raw_decode(text, 0)", True),
        ("from pydantic_core import from_json", True),
        ("import pydantic_core\npydantic_core.from_json(text)", True),
        ("import orjson", True),
        ("body = response.json()", True),
        ("import json\njson.dumps(record)", False),
        ("from pathfinder.text.strict_json import from_json", False),
    ],
)
def test_every_way_to_read_json_is_seen(source: str, is_seen: bool) -> None:
    assert reads_json(ast.parse(source)) == is_seen


def modules_with(pattern: re.Pattern[str]) -> set[str]:
    """The modules with a string, other than a docstring, that matches `pattern`."""
    prose = {id(node.value) for _, node in all_nodes() if isinstance(node, ast.Expr)}
    return {
        name
        for name, node in all_nodes()
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose
        if pattern.search(node.value)
    }


def test_words_of_astronomy_stand_in_its_profile() -> None:
    names = {name for name in modules_with(ASTRONOMY) if name.partition(".")[0] not in {"pages", "app"}}
    assert names == OF_ASTRONOMY, "docs/profiles.md says what a profile can hold"


@pytest.mark.parametrize(
    ("home", "fact"),
    [
        ("text.identifiers", r"10\\?\.48550"),
        ("text.author_names", r"(?s)\bvan\b.*\bvon\b|\bvon\b.*\bvan\b"),
        ("text.author_names", r"\bjr\|sr\b"),
    ],
)
def test_a_fact_about_papers_stands_in_one_module(home: str, fact: str) -> None:
    assert modules_with(re.compile(fact)) == {home}


@pytest.mark.parametrize(
    "text",
    [
        "abell corot epic gj ngc",
        "galactocentric|projected",
        "\\b(?:us|sun|earth)\\b",
        "(?<!baryonic )total",
        "(?!Planck)",
        "dwarf dwarfs giant giants",
        "(?<!abell\\s)",
        "satellite|\\w*craft",
        "S/N|equinox|MJD|JD",
        "photometry|light curves?",
    ],
)
def test_words_of_astronomy_are_noticed(text: str) -> None:
    assert ASTRONOMY.search(text) is not None


def test_nothing_is_read_at_import() -> None:
    run = [
        (name, node)
        for name, tree in modules().items()
        if room(name) not in {"pages", "app", "server"}  # Streamlit runs them, nobody imports them.
        for statement in tree.body
        for node in executed_at_import(statement)
    ]
    reading_calls = {
        (name, node.lineno) for name, node in run if isinstance(node, ast.Call) and name_of(node.func) in READING_CALLS
    }
    environ = {(name, node.lineno) for name, node in run if isinstance(node, ast.Attribute) and node.attr == "environ"}
    assert reading_calls | environ == set()


# The checks themselves ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import os.path, pickle", {"os.path", "pickle"}),
        ("from pathfinder.corpus import store, papers", {"pathfinder.corpus.store", "pathfinder.corpus.papers"}),
        ("def later():\n    import umap", {"umap"}),
        ("if TYPE_CHECKING:\n    from faiss import Index", {"faiss.Index"}),
    ],
)
def test_imports_are_seen_wherever_they_stand(source: str, expected: set[str]) -> None:
    assert set(imports(ast.parse(source))) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("from pathfinder.models import loading, ports", {"models.loading", "models.ports"}),
        ("from pathfinder.corpus.papers import PaperTable", {"corpus.papers"}),
        ("import pathfinder.corpus.papers", {"corpus.papers"}),
        ("from pathfinder import Paper", {""}),
        ("import numpy.pathfinder", set()),
    ],
)
def test_our_modules_are_told_from_what_is_in_them(source: str, expected: set[str]) -> None:
    assert our_imports(ast.parse(source)) == expected


def test_levels_rise_from_the_nouns_to_the_pages() -> None:
    way_up = [
        "types",
        "models.ports",
        "corpus.store",
        "retrieval.search",
        "answering.modes.rag",
        "models.loading",
        "session",
    ]
    heights = [level(name) for name in [*way_up, "", "cli.evaluate", "pages.ask"]]
    assert heights == sorted(set(heights))
    assert level("unheard_of") == -1


@pytest.mark.parametrize(
    ("source", "is_run"),
    [
        ("read()", True),
        ("class A:\n    x = read()", True),
        ("def f(x=read()): pass", True),
        ("@read()\ndef f(): pass", True),
        ("if True:\n    y = [read() for _ in 'x']", True),
        ("def f():\n    read()", False),
        ("f = lambda: read()", False),
        ("class A:\n    def f(self):\n        read()", False),
    ],
)
def test_what_is_run_at_import_is_told_from_what_is_not(source: str, is_run: bool) -> None:
    assert any(True for _ in calls(executed_at_import(ast.parse(source)))) == is_run
