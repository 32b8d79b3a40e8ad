"""What asks for consent, which button answers, and which briefs are about such a banner: by meaning, in many languages."""

from __future__ import annotations

import pytest

from evaluator.relations.consent import answer_of, asks_for_consent, is_about_consent

ASKS = [
    "We use cookies to improve your experience. Read our privacy policy.",
    "Wir verwenden Cookies, um Inhalte zu personalisieren.", "Nous utilisons des cookies pour améliorer votre expérience.",
    "本网站使用Cookie来改善您的体验。", "Мы используем файлы cookie",
    "Your privacy choices. We and our 842 partners process personal data such as your IP address.",
]  # fmt: skip
OTHERS = [
    "Subscribe to our newsletter! Get news and offers weekly.", "Delete this task? This cannot be undone.",
    "Bake cookies: chocolate chip cookie recipe, 20 minutes", "Sign in to continue. Forgot password? Privacy policy",
    "© 2026 My Shop. Imprint. Privacy policy.", "Cookie clicker: buy a grandma for 100 cookies", "Tasks Calendar Settings",
]  # fmt: skip


@pytest.mark.parametrize("text", ASKS)
def test_a_banner_about_cookies_is_known(text: str) -> None:
    """By what it says."""
    assert asks_for_consent(text)


@pytest.mark.parametrize("text", OTHERS)
def test_other_layers_are_none(text: str) -> None:
    """A newsletter, a question, a footer, an app about cookies that are eaten."""
    assert not asks_for_consent(text)


@pytest.mark.parametrize(
    ("names", "answer"),
    [
        (["Accept all", "Reject all", "Manage"], (1, "refused")),
        (["Alle akzeptieren", "Nur notwendige Cookies", "Einstellungen"], (1, "refused")),
        (["Tout accepter", "Continuer sans accepter"], (1, "refused")),
        (["接受所有", "拒绝", "设置"], (1, "refused")),
        (["Cookie settings", "Accept"], (1, "accepted")),
        (["Got it!"], (0, "accepted")),
        (["Cookie policy"], None),
        ([], None),
    ],
)
def test_what_refuses_is_pressed_else_what_accepts(names: list[str], answer: tuple[int, str] | None) -> None:
    """Settings and policies are neither."""
    assert answer_of(names) == answer


def test_a_brief_about_such_a_banner_leaves_it_alone() -> None:
    """It is the app then; a bakery's cookies are none."""
    assert is_about_consent("Build a landing page. It has a cookie consent banner with accept and reject.")
    assert is_about_consent("Ein DSGVO-Dialog, der um Zustimmung zu Cookies bittet")
    assert not is_about_consent("A shop of a bakery that sells cookies and cakes. Items go into a cart.")
    assert not is_about_consent("A todo list with login and a banner for messages")
    assert not is_about_consent("")
