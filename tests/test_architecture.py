"""Who may speak to what, and what nobody does. Who may import whom, the contracts of import-linter say (pyproject.toml,
checked by `make lint`).
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.syntax_trees import nodes_of, tree_of

pytestmark = pytest.mark.usefixtures("collector_rests")

ROOT = Path(__file__).parents[1]

OWNERS = {
    "streamlit": {"ui", "addons"},
    "faiss": {"index.dense"},
    "bm25s": set(),
    "umap": {"landscape.projection.projection"},
    "contourpy": {"landscape.layers.topics"},
    "matplotlib": {"landscape.picture_files", "landscape.figures.values_drawing"},
    "onnx": {"models.bert_graph", "models.onnx_network"},
    "onnxruntime": {"models.onnx_network"},
    "tokenizers": {"models.onnx_models", "models.onnx_network"},
    "openai": {"models.openai_embedder", "models.openai_moderator"},
    "cohere": {"models.cohere_reranker"},
    "langchain": {"llm.langchain_chat"},
    "pypdfium2": {"fulltext.pdf.layout.glyphs"},
    "rapidocr": {"fulltext.pdf.page_reader"},
    "rapidfuzz": {"text.spelling"},
    "lark": {"answering.ads_query"},
    "networkx": {"retrieval.citations.ties", "addons.network"},
    "citeproc": {"operations.export.references"},
    "lxml": {"corpus.readers.xml_files", "corpus.schemas.markup", "corpus.thesaurus", "operations.export.references"},
    "docx": {"addons.drafts", "fulltext.docx_file"},
    "ray": {"addons.scale.ray_cluster"},
    "pymilvus": {"addons.milvus"},
    "grpc": {"addons.milvus.server"},
    "langgraph": set(),
    "langchain_core": {"llm.langchain_chat"},
    "langchain_openai": set(),
    "sentence_transformers": {"models.sentence_transformers_models"},
    "ir_measures": {"operations.evaluation"},
    "typer": {"cli", "addons"},
    "fastapi": {"serving"},
    "starlette": {"serving"},
    "uvicorn": {"cli.serve", "serving.slow_callers"},
    "mcp": {"serving"},
    "limits": {"serving"},
    "prometheus_client": {"serving"},
    "rich": {"cli"},
    "torch": set(),
    "httpx": {"addons.feedback.hub_copy", "llm.langchain_chat"},
    "httpx2": {"sources.http"},
    "hishel": {"sources.http.web"},
    "filelock": {"sources.http.pace", "models.model_spec", "addons.screening.store"},
    # Beyond feedback, it would ask other servers than the one that it is pointed at.
    "huggingface_hub": {"addons.feedback.hub_copy"},
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
    *("answering.digest.scoring", "answering.assessment.consensus.local", "retrieval.reranking.local.model"),  # weights
    "answering.assessment.relevance",  # weights, too
    *("building.intake", "building.embedding", "ui.corpus.overview"),  # the files of a build
    "operations.ask",  # a trace that it has just written
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
    *("corpus.history.merges", "corpus.missions.catalogue"),  # files of a corpus, and a file that came with it
    *("operations.child.orders", "operations.child.program", "fulltext.child"),  # processes of ours
    "addons.audit.draft",  # another
    "answering.assessment.evidence.ledger",  # it reads the text strictly, too
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
        "answering.ads_query.query_from_question",
        "answering.modes.ads_query",
    ),  # queries for ADS
    *(
        "sources.kinds.ads",
        "sources.kinds.arxiv",
        "sources.kinds.semantic_scholar",
        "sources.published_lists",
        "corpus.schemas.ads",
    ),  # services
    *(
        "corpus.schemas.journal_macros",
        "corpus.thesaurus.thesaurus_file",
        "operations.upkeep",
    ),  # formats of the field, and its thesaurus
    *("corpus.missions.catalogue", "corpus.missions.matching", "ui.world.world_page"),  # the catalogue
    *(
        "profile",
        "profile.profile",
        "profile.quantity",
        "profile.profile_file",
        "building.graph",
        "ui.corpus.new_panel",
    ),
    *(
        "text.quantities.measurements",
        "text.quantities.unit_table",
        "answering.assessment.values.kinds",
    ),  # units of every field
    "answering.assessment.values.measured_sentence",  # and their names in texts
    *("text.latex.letters", "text.latex.search_text"),  # the sign of the Sun
    *(
        "addons.evaluation.multi_paper",
        "answering.assessment.target_names.name_in_text",
    ),  # questions and surveys as astronomers write them
    *(
        "answering.assessment.evidence.polarity",
        "addons.tensions.tensions",
    ),  # luminosity, a kind of quantity of every field
    *("models.minilm", "types.setting_kinds"),  # examples
    "operations.map",  # the night sky, a way to draw every map
    "retrieval.years.in_questions",  # solstices and equinoxes, the seasons
    *(
        "text.inflection",
        "text.language.lexicon_tagger",
        "text.sentences",
    ),  # plurals, tags and abbreviations of English
    "text.language.tagged_text",  # nouns for people and tools, in keywords of every corpus
}
"""Modules that hold words of astronomy, because they are about it or about a service or a file of it."""


READING_CALLS = {
    *("open", "read", "read_text", "read_bytes", "iterdir", "glob", "rglob", "exists", "is_file", "stat", "load"),
    *("getenv", "today", "now", "time", "version", "run", "Popen", "urlopen", "Settings", "print", "input"),
}
"""Calls that look at the machine, the clock or the world."""


def paths() -> dict[str, Path]:
    """The file of every module of the package and the app by its name, the leading `pathfinder.` left out."""
    files = {"server": ROOT / "server.py"}
    for path in (ROOT / "pathfinder").rglob("*.py"):
        parts = path.relative_to(ROOT / "pathfinder").with_suffix("").parts
        files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return dict(sorted(files.items()))


PATHS = paths()


@cache
def modules() -> dict[str, ast.Module]:
    """Every module with its tree. Trees are made at the first test, not by every process that collects the tests."""
    return {name: tree_of(path) for name, path in PATHS.items()}


def rooms_around(name: str) -> list[str]:
    """All rooms that a module is in: `corpus.readers` and `corpus` for `corpus.readers.arxiv`."""
    parts = name.split(".")
    return [".".join(parts[:depth]) for depth in range(1, len(parts))] or [name]


def imports(tree: ast.AST) -> Iterator[str]:
    """The full names of what is imported anywhere in a module, also within functions and for types only."""
    for node in nodes_of(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports name the whole path"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


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
def all_nodes() -> list[tuple[str, ast.AST]]:
    return [(name, node) for name, tree in modules().items() for node in nodes_of(tree)]


def all_calls() -> list[tuple[str, ast.Call]]:
    return [(name, node) for name, node in all_nodes() if isinstance(node, ast.Call)]


# Who imports whom -----------------------------------------------------------------------------------


def test_each_tool_is_known_to_its_owner_only() -> None:
    strangers = {
        (name, tool)
        for name, tree in modules().items()
        for tool in {other.partition(".")[0] for other in imports(tree)} & OWNERS.keys()
        if not {name, *rooms_around(name)} & OWNERS[tool]
    }
    assert strangers == set()


def test_the_diagram_of_the_docs_shows_the_contract() -> None:
    diagram = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").split("```")[1]
    lines = [
        set(re.findall(r"(\w+)(?:/(?!\w)|\.py)", part)) - {"ports"}
        for part in re.sub(r"(?<=\S)   +.*", "", diagram).split("\n  |\n")[1:]
    ]
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    layers = next(contract["layers"] for contract in contracts["contracts"] if contract["type"] == "layers")
    assert lines == [set(layer.split(" : ")) for layer in layers]


# What nobody does -----------------------------------------------------------------------------------


def test_no_error_is_suppressed_whatever_it_is() -> None:
    everything = {"Exception", "BaseException"}
    assert [
        (name, call.lineno)
        for name, call in all_calls()
        if name_of(call.func) == "suppress" and {name_of(kind) for kind in call.args} & everything
    ] == []


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
    names = {name for name in modules_with(ASTRONOMY) if not name.startswith("ui.places")}
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


def test_nothing_is_read_at_import() -> None:
    run = [
        (name, node)
        for name, tree in modules().items()
        if name != "server" and not name.startswith("ui.places.")  # Streamlit runs them, nobody imports them.
        for statement in tree.body
        for node in executed_at_import(statement)
    ]
    reading_calls = {
        (name, node.lineno) for name, node in run if isinstance(node, ast.Call) and name_of(node.func) in READING_CALLS
    }
    environ = {(name, node.lineno) for name, node in run if isinstance(node, ast.Attribute) and node.attr == "environ"}
    assert reading_calls | environ == set()
