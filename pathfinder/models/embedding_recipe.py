"""How a sentence-transformers model makes one vector from a text's tokens, as the files in its folder say it.

Read are modules.json with the settings of its modules, config_sentence_transformers.json (prompts, dimension),
sentence_bert_config.json and tokenizer_config.json (length). Pooling is that of Sentence-BERT (Reimers & Gurevych 2019,
arXiv:1908.10084); the first coordinates of a Matryoshka vector are a vector, too (Kusupati et al. 2022,
arXiv:2205.13147).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import erf

from pathfinder.models.model_folder import ModelFolder
from pathfinder.models.ports import Kind

Floats = NDArray[np.float32]
Mask = NDArray[np.int64]

Activation = TypeVar("Activation")

LIBRARY = "sentence_transformers."
ANOTHER = "choose another model, or run this one with `sentence-transformers:` (needs torch)"


def _last(tokens: Floats, mask: Mask) -> Floats:
    last = mask.shape[1] - 1 - np.argmax(mask[:, ::-1], axis=1)
    return np.take_along_axis(tokens, last[:, None, None], axis=1)[:, 0]


def _weighted(tokens: Floats, weights: NDArray[Any], divide_by: NDArray[Any]) -> Floats:
    total = np.einsum("btd,bt->bd", tokens, weights.astype(np.float32))
    return np.asarray(total / np.maximum(divide_by, np.float32(1))[:, None], np.float32)


def _later_weighs_more(tokens: Floats, mask: Mask) -> Floats:
    weights = mask * np.arange(1, mask.shape[1] + 1)
    return _weighted(tokens, weights, weights.sum(axis=1, dtype=np.float32))


POOLING: Mapping[str, Callable[[Floats, Mask], Floats]] = {
    "cls": lambda tokens, mask: np.take_along_axis(tokens, np.argmax(mask, axis=1)[:, None, None], axis=1)[:, 0],
    "max": lambda tokens, mask: np.asarray(np.where(mask[:, :, None], tokens, -np.inf).max(axis=1), np.float32),
    "mean": lambda tokens, mask: _weighted(tokens, mask, mask.sum(axis=1, dtype=np.float32)),
    "mean_sqrt_len_tokens": lambda tokens, mask: _weighted(tokens, mask, np.sqrt(mask.sum(axis=1, dtype=np.float32))),
    "weightedmean": _later_weighs_more,
    "lasttoken": _last,
}
"""Ways to make one vector from those of the tokens, shape (b, t, d), where the mask, shape (b, t), is 1; in this order,
the vectors of several ways are joined.
"""
_FLAGS = {"pooling_mode_cls_token": "cls", "pooling_mode_lasttoken": "lasttoken"} | {
    f"pooling_mode_{mode.removesuffix('_tokens')}_tokens": mode
    for mode in ("max", "mean", "mean_sqrt_len_tokens", "weightedmean")
}
"""Names of the same in files of versions before 6."""

ACTIVATIONS: Mapping[str, Callable[[Floats], Floats]] = {
    "Identity": lambda x: x,
    "Tanh": np.tanh,
    "ReLU": lambda x: np.maximum(x, np.float32(0)),
    "GELU": lambda x: np.asarray(x * (1 + erf(x / np.sqrt(2))) / 2, np.float32),
}


@dataclass(frozen=True, slots=True, eq=False)
class Dense:
    """A layer that maps vectors to others, possibly of another dimension."""

    weight: Floats
    """Shape (out, in)."""
    bias: Floats | None
    activation: Callable[[Floats], Floats]

    def __call__(self, vectors: Floats) -> Floats:
        """Map vectors of shape (n, in) to shape (n, out)."""
        product = vectors @ self.weight.T
        return self.activation(product if self.bias is None else product + self.bias)


@dataclass(frozen=True, slots=True, eq=False)
class Recipe:
    """How to make a vector from a text."""

    max_tokens: int
    """Number of tokens, including those that the model adds, after which a text is cut."""
    lowers: bool
    """True if a text is put in lower case before the tokenizer sees it."""
    prompts: Mapping[Kind, str]
    """Text in front of each query and document."""
    pooling: tuple[str, ...]
    """Names in `POOLING`; none if the network itself makes one vector."""
    pools_prompt: bool
    """False if the tokens of the prompt do not count in the pooling."""
    layers: tuple[Callable[[Floats], Floats], ...]
    """What follows the pooling."""
    dimension: int | None
    """Number of coordinates that are kept (Matryoshka); `None` for all."""

    def pool(self, tokens: Floats, mask: Mask) -> Floats:
        """Return one vector, not normalised, for each text, from those of its tokens."""
        return np.concatenate([POOLING[mode](tokens, mask) for mode in self.pooling], axis=1)

    def finish(self, vectors: Floats) -> Floats:
        """Return the vectors of the model for pooled ones, still not normalised."""
        for layer in self.layers:
            vectors = layer(vectors)
        return vectors[:, : self.dimension]


def normalise(vectors: Floats) -> Floats:
    """Return vectors of length 1 with the same directions; NaN for those without one."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def read_recipe(folder: ModelFolder, config: Mapping[str, Any], *, pools_itself: bool) -> Recipe:
    """Read the recipe from the files in `folder` and from `config`, the content of config.json.

    `pools_itself` is true if the network gives one vector per text. Raises `ModelError` for anything that cannot be
    followed.
    """
    own = folder.settings("config_sentence_transformers.json")
    pooling, pools_prompt, layers = ((), True, ()) if pools_itself else _modules(folder, own)
    short = own.get("truncate_dim")
    if short is not None and not (isinstance(short, int) and short > 0):
        raise folder.fault("config_sentence_transformers.json", f"gives truncate_dim {short!r}, which is no dimension")
    prompts = own.get("prompts") or {}
    if not isinstance(prompts, dict) or not all(isinstance(prompt, str | None) for prompt in prompts.values()):
        raise folder.fault(
            "config_sentence_transformers.json", f"gives prompts {prompts!r}, which are not texts by name"
        )

    def prompt(*names: str | None) -> str:
        return next((prompts[name] for name in names if prompts.get(name)), "")

    default = own.get("default_prompt_name")
    limits = folder.settings("sentence_bert_config.json")
    return Recipe(
        max_tokens=read_max_tokens(folder, config, limits.get("max_seq_length")),
        lowers=bool(limits.get("do_lower_case")),
        prompts={"query": prompt("query", default), "document": prompt("document", "passage", "corpus", default)},
        pooling=pooling,
        pools_prompt=pools_prompt,
        layers=layers,
        dimension=short,
    )


def read_max_tokens(folder: ModelFolder, config: Mapping[str, Any], given: object = None) -> int:
    """Return the number of tokens after which texts are cut: the given one, or else the smaller of those that the
    tokenizer and the network state. Raises `ModelError` if none is stated.
    """
    stated = [given]
    if given is None:
        tokenizer = folder.settings("tokenizer_config.json")
        stated = [tokenizer.get("model_max_length"), config.get("max_position_embeddings")]
    numbers = [int(number) for number in stated if isinstance(number, int | float) and 0 < number < 1_000_000]
    if not numbers:
        raise folder.fault(
            "sentence_bert_config.json",
            "gives no max_seq_length, and no other file a limit",
            'write one, such as {"max_seq_length": 512}',
        )
    return min(numbers)


def _modules(
    folder: ModelFolder, own: Mapping[str, Any]
) -> tuple[tuple[str, ...], bool, tuple[Callable[[Floats], Floats], ...]]:
    """Read the modules after the network: the pooling, whether the prompt counts in it, and what follows."""
    if not folder.has("modules.json"):
        raise folder.fault(
            "modules.json",
            "is missing, so nothing says how the vectors of tokens become one",
            "take the folder of the sentence-transformers model that these weights come from, or add its modules.json, "
            "1_Pooling/config.json and config_sentence_transformers.json",
        )
    modules = folder.value("modules.json")
    kinds, paths = [], []
    for module in modules if isinstance(modules, list) else [None]:
        if (
            not isinstance(module, dict)
            or not isinstance(module.get("type"), str)
            or not isinstance(module.get("path"), str)
        ):
            raise folder.fault("modules.json", "is not a list of modules, each with a type and a path")
        if not module["type"].startswith(LIBRARY):
            raise folder.fault(
                "modules.json", f"names {module['type']}, code of the model's own, which is never run", ANOTHER
            )
        kinds.append(module["type"].rpartition(".")[2])
        paths.append(module["path"])
    if kinds[:2] != ["Transformer", "Pooling"] or paths[0]:
        raise folder.fault(
            "modules.json",
            f"begins with {', '.join(kinds[:2])} (in {paths[0] or '.'}); known is a Transformer in ., then Pooling",
            ANOTHER,
        )
    if own.get("similarity_fn_name") not in (None, "cosine") and kinds[-1] != "Normalize":
        raise folder.fault(
            "config_sentence_transformers.json",
            f"compares vectors by {own['similarity_fn_name']}, and their lengths matter; the indexes here compare "
            "directions alone",
            "choose a model that was trained for the cosine",
        )
    pooling, pools_prompt = _pooling(folder, f"{paths[1]}/config.json")
    layers = [_layer(folder, kind, path) for kind, path in zip(kinds[2:], paths[2:], strict=True)]
    return pooling, pools_prompt, tuple(layers)


def _pooling(folder: ModelFolder, name: str) -> tuple[tuple[str, ...], bool]:
    settings = folder.settings(name, required=True)
    asked = settings.get("pooling_mode")
    modes = [asked] if isinstance(asked, str) else asked
    if modes is None:
        flags = [flag for flag, is_on in settings.items() if flag.startswith("pooling_mode_") and is_on]
        modes = sorted((_FLAGS.get(flag, flag) for flag in flags), key=lambda mode: [*POOLING, mode].index(mode))
    unknown = [mode for mode in modes if mode not in POOLING] if isinstance(modes, list) else [modes]
    if unknown or not modes:
        raise folder.fault(
            name,
            f"asks for the pooling {unknown[0] if unknown else 'of nothing'!r}; known are {', '.join(POOLING)}",
            ANOTHER,
        )
    return tuple(modes), settings.get("include_prompt", True) is not False


def activation_called(named: str, known: Mapping[str, Activation], folder: ModelFolder, file: str) -> Activation:
    """Return one of the `known` activations, which `file` names as a class of torch. Raises `ModelError`."""
    package, _, name = named.rpartition(".")
    if not package.startswith("torch.nn.modules") or name not in known:
        raise folder.fault(file, f"names the activation {named}; known are {', '.join(known)} of torch", ANOTHER)
    return known[name]


def _layer(folder: ModelFolder, kind: str, path: str) -> Callable[[Floats], Floats]:
    if kind == "Normalize":
        return normalise
    if kind != "Dense":
        raise folder.fault(
            "modules.json", f"has the module {kind}; known are Transformer, Pooling, Dense and Normalize", ANOTHER
        )
    name, weights = f"{path}/config.json", f"{path}/model.safetensors"
    settings = folder.settings(name, required=True)
    named = str(settings.get("activation_function", "torch.nn.modules.activation.Tanh"))
    activation = activation_called(named, ACTIVATIONS, folder, name)
    if settings.get("use_residual") or settings.get("module_input_name", "sentence_embedding") != "sentence_embedding":
        raise folder.fault(name, "adds its input again or does not read the pooled vector, which is not known", ANOTHER)
    if not folder.has(weights):
        raise folder.fault(
            weights, "is missing (weights in pytorch_model.bin are a pickle, which is never opened)", ANOTHER
        )
    tensors = folder.tensors(weights)
    try:
        weight, bias = tensors["linear.weight"], tensors.get("linear.bias")
        if weight.shape != (settings["out_features"], settings["in_features"]):
            raise ValueError(f"linear.weight of shape {weight.shape}")
    except (KeyError, ValueError) as error:
        raise folder.fault(weights, f"does not hold the layer that {name} describes ({error})") from error
    return Dense(weight, bias, activation)
