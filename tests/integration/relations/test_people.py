"""Who signs up can log in: on an app that keeps people, one that does not, and those that want more of a person first."""

# The pages are read more easily with a line a piece of theirs.
# ruff: noqa: E501

from __future__ import annotations

import pytest

from tests.integration.relations.conftest import Bench

pytestmark = pytest.mark.long  # each trial waits for what is late; a room takes minutes

APP = """
<main id=root></main><script>
const LOG_OUT = `<svg class="lucide lucide-log-out" width=16 height=16 viewBox="0 0 24 24" stroke="black"><path d="m16 17 5-5-5-5M21 12H9"/></svg>`;
const people = JSON.parse(localStorage.people ?? '{{}}');
const views = {{
  login: `<h1>Log in</h1><p id=e role=alert></p><form id=f><label>User name <input id=u></label><label>Password <input id=p type=password></label>
    <button>Log in</button></form><button id=other>Sign up</button>`,
  signup: `<h1>New member</h1><p id=e role=alert></p><form id=f><label>User name <input id=u></label><label>E-mail <input id=m type=email></label>
    <label>Password <input id=p type=password></label><label>Password again <input id=q type=password></label><button>Sign up</button></form>
    <button id=other>Log in</button>`,
  inside: `<h1>Welcome</h1><p id=who></p><button id=out>Log out</button>`,
}};
const show = (view, words = '') => {{
  root.innerHTML = views[view];
  if (view === 'inside') {{ who.textContent = `Signed in as ${{words}}`; out.onclick = () => show('login'); return; }}
  e.textContent = words;
  other.onclick = () => show(view === 'login' ? 'signup' : 'login');
  f.onsubmit = (event) => {{ event.preventDefault(); (view === 'login' ? login : signup)(u.value, p.value); }};
}};
const login = (user, password) => (people[user] === password && password ? show('inside', user) : show('login', 'Wrong user name or password'));
const signup = (user, password) => {{ {signup} }};
show('{start}');
</script>
"""
KEEPS = "people[user] = password; localStorage.people = JSON.stringify(people);"
FORGETS = "localStorage.people = JSON.stringify(people);"
NOTE = "root.insertAdjacentHTML('afterbegin', '<p>{words}</p>');"
WAYS = {
    "to the log-in": "{keeps} show('login');",
    "logged in at once": "{keeps} show('inside', user);",
    "logged in at once, an icon logs out": "{keeps} show('inside', user); out.innerHTML = LOG_OUT;",
    "stays, with a message": "{keeps} f.reset(); root.insertAdjacentHTML('afterbegin', '<p>Your account was created.</p>');",
}


async def _tried(bench: Bench, signup: str, relation: str = "signed_up_can_log_in", app: str = APP) -> list[str]:
    seen, page = (app.format(start=start, signup=signup) for start in ("login", "signup"))
    return await bench.tried(relation, page, seen=[seen])


@pytest.mark.parametrize("way", WAYS)
async def test_who_is_kept_logs_in_and_who_is_not_does_not(bench: Bench, way: str) -> None:
    """Wherever the sign-up leads; what forgets people is broken for others, too."""
    assert await _tried(bench, WAYS[way].format(keeps=KEEPS)) == ["held"], bench.told()
    assert await _tried(bench, WAYS[way].format(keeps=FORGETS)) == ["violated"], bench.told()


@pytest.mark.parametrize(
    "signup",
    [
        "f.reset(); root.insertAdjacentHTML('afterbegin', '<p>Please check your inbox and confirm your e-mail address.</p>');",
        "show('signup', 'The password must have a picture of a fish in it'); p.value = password;",
        "people.other = 1; const first = Object.keys(people).length === 1; if (!first || localStorage.n) people[user] = password; localStorage.n = 1; show('login');",
    ],
    ids=["a message to confirm", "refused", "another person can"],
)
async def test_where_more_is_wanted_nobody_is_accused(bench: Bench, signup: str) -> None:
    """An address to be confirmed, a sign-up that is refused, and what is so for one set of values alone."""
    found = await _tried(bench, signup)
    assert found, "no trial"
    assert set(found) <= {"stopped", "cannot tell", "explained"}, bench.told()


ANYTHING = APP.replace("people[user] === password && password ?", "people[user] ?")


@pytest.mark.parametrize(
    ("app", "wanted"),
    [
        (APP, ["held"]),
        (ANYTHING, ["violated"]),
        (ANYTHING.replace("<h1>Log in</h1>", "<h1>Log in</h1><p>This is a demo: any password works.</p>"), []),
    ],
    ids=["checked", "not checked", "says that it is not"],
)
async def test_another_password_is_refused(bench: Bench, app: str, wanted: list[str]) -> None:
    """Only by who it is, anybody is let in."""
    assert await _tried(bench, WAYS["to the log-in"].format(keeps=KEEPS), "wrong_password_is_refused", app) == wanted, (
        bench.told()
    )
