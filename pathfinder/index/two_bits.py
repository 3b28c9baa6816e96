"""Unit vectors stored with two bits per coordinate, four coordinates per byte.

The four levels minimise the squared error for a normal variable (Max 1960, doi:10.1109/TIT.1960.1057548), which the
coordinates of unit vectors resemble once the axes are rotated at random.
"""

import numpy as np
from numpy.typing import NDArray

THRESHOLD, INNER, OUTER = 0.9816, 0.4528, 1.510
"""Threshold between the inner and outer levels, and the levels themselves, in units of the standard deviation, which is
`1 / sqrt(d)` in d dimensions.
"""

PER_BYTE = 4
_SHIFTS = np.arange(0, 8, 2)
_LEVELS = np.array([-OUTER, -INNER, INNER, OUTER])
_TABLE = _LEVELS[(np.arange(256)[:, np.newaxis] >> _SHIFTS) & 3].astype(np.float32)


def pack(vectors: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Pack unit vectors of shape (n, d), where d is a multiple of 4, into bytes of shape (n, d / 4)."""
    n, d = vectors.shape
    threshold = THRESHOLD / np.sqrt(d)
    codes = 1 + (vectors >= 0).astype(np.int64) + (vectors > threshold) - (vectors < -threshold)
    fours = codes.reshape(n, d // PER_BYTE, PER_BYTE) << _SHIFTS
    return np.asarray(fours.sum(axis=2), dtype=np.uint8)


def unpack(codes: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Unpack bytes of shape (n, d / 4) into vectors of approximately unit length, shape (n, d)."""
    n, n_bytes = codes.shape
    d = n_bytes * PER_BYTE
    table = _TABLE / np.float32(np.sqrt(max(d, 1)))
    return np.take(table, codes, axis=0).reshape(n, d)
