"""The icon of a profile: a single emoji, or the name of a Material symbol."""

import re

from pydantic_core import PydanticCustomError

_PICTURES = (
    r"[\U0001f000-\U0001faff©®"
    r"\u203c\u2049\u2122\u2139\u2194-\u2199\u21a9-\u21aa\u231a-\u231b\u2328\u23cf\u23e9-\u23f3\u23f8-\u23fa"
    r"\u24c2\u25aa-\u25ab\u25b6\u25c0\u25fb-\u25fe\u2600-\u2604\u260e\u2611\u2614-\u2615\u2618\u261d\u2620"
    r"\u2622-\u2623\u2626\u262a\u262e-\u262f\u2638-\u263a\u2640\u2642\u2648-\u2653\u265f-\u2660\u2663"
    r"\u2665-\u2666\u2668\u267b\u267e-\u267f\u2692-\u2697\u2699\u269b-\u269c\u26a0-\u26a1\u26a7\u26aa-\u26ab"
    r"\u26b0-\u26b1\u26bd-\u26be\u26c4-\u26c5\u26c8\u26ce-\u26cf\u26d1\u26d3-\u26d4\u26e9-\u26ea\u26f0-\u26f5"
    r"\u26f7-\u26fa\u26fd\u2702\u2705\u2708-\u270d\u270f\u2712\u2714\u2716\u271d\u2721\u2728\u2733-\u2734\u2744"
    r"\u2747\u274c\u274e\u2753-\u2755\u2757\u2763-\u2764\u2795-\u2797\u27a1\u27b0\u27bf\u2934-\u2935"
    r"\u2b05-\u2b07\u2b1b-\u2b1c\u2b50\u2b55\u3030\u303d\u3297\u3299"
    r"]"
)
"""Characters that are emoji by themselves (Unicode Technical Standard 51), and the block of pictographs."""
_MODIFIERS = r"[\ufe0f\U0001f3fb-\U0001f3ff\U000e0062-\U000e007f]*"
_EMOJI = re.compile(
    rf"[\U0001f1e6-\U0001f1ff]{{2}}|[0-9#*]\ufe0f?\u20e3|{_PICTURES}{_MODIFIERS}(?:\u200d{_PICTURES}{_MODIFIERS})*"
)
_SYMBOL = re.compile(r":material/[a-z0-9_]+:")


def check_icon(icon: str) -> str:
    """Return `icon` if it is a single emoji or `:material/name:`; otherwise, validation fails and states this rule."""
    if _EMOJI.fullmatch(icon) is None and _SYMBOL.fullmatch(icon) is None:
        raise PydanticCustomError("icon", "an icon must be a single emoji, or ':material/name:'")
    return icon
