import numpy as np

from pathfinder.index.token_codecs import pack, unpack


def test_four_coordinates_share_a_byte_and_the_first_has_its_lowest_bits():
    # In four dimensions a standard deviation is 1/2, so the outer levels begin at 0.4908.
    vectors = np.array([[-0.7, -0.1, 0.1, 0.7], [0.4, 0.6, -0.4, -0.6]], dtype=np.float32)
    assert pack(vectors).tolist() == [[0 + 1 * 4 + 2 * 16 + 3 * 64], [2 + 3 * 4 + 1 * 16 + 0 * 64]]
    np.testing.assert_allclose(
        unpack(pack(vectors)), [[-0.755, -0.2264, 0.2264, 0.755], [0.2264, 0.755, -0.2264, -0.755]]
    )


def test_what_comes_back_points_where_it_went_in():
    samples = np.random.default_rng(0).standard_normal((50, 256))
    vectors = (samples / np.linalg.norm(samples, axis=1, keepdims=True)).astype(np.float32)
    back = unpack(pack(vectors))
    cosines = np.einsum("ij,ij->i", vectors, back) / np.linalg.norm(back, axis=1)
    # The least squared error of four levels is 0.1175 of the variance: a cosine of sqrt(1 - 0.1175) = 0.939.
    assert abs(cosines.mean() - 0.939) < 0.01
    assert unpack(pack(np.zeros((0, 8), dtype=np.float32))).shape == (0, 8)
