"""The libraries, kept out of the garbage collector's way.

Streamlit has the collector walk over every object after each run of a page or of a part of one. The libraries that are
loaded here are some 300,000 objects that never become garbage: 0.05 to 0.15 s a walk, and several walks a second for
each visitor whose answer is being written. Frozen, they are not walked over.
"""

import gc
import sys
from dataclasses import dataclass, field
from threading import Lock


@dataclass
class _Settled:
    """How many modules were loaded when the collector was last told what stays."""

    n_modules: int = 0
    lock: Lock = field(default_factory=Lock)


_settled = _Settled()


def settle_libraries() -> None:
    """Tell the collector that all there is now stays, where modules were loaded since this was last done."""
    with _settled.lock:
        n_modules = len(sys.modules)
        if n_modules > _settled.n_modules:
            _settled.n_modules = n_modules
            gc.collect()  # what is garbage already need not stay
            gc.freeze()
