"""Every route against everything that should not get in: no bypass, no 500."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from pi_board.record.journal import Journal
from pi_board.web.access import COOKIE, LARGEST_BODY, PROXY_HEADERS, Gatekeeper, Limiter, load_token
from tests.web.site import TOKEN, Bench

#: Never-ending answers; asked with HEAD, which passes the same door.
STREAMS = ("/api/events", "/api/video", "/api/clip")


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    yield Bench(tmp_path_factory.mktemp("games"))


def routes(bench: Bench) -> list[tuple[str, str]]:
    """(method, path) of every route that the application itself has, with its parameters filled in."""
    found = []
    for route in bench.app.routes:
        path = route.path.replace("{number}", "0").replace("{kind}", "mat").replace("{step}", "find")
        path = path.replace("{whom}", "player").replace("{piece}", "0").replace("{file}", "after.jpg")
        # A parameter that nobody foresaw here is attacked all the same.
        path = re.sub(r"\{\w+(:\w+)?\}", "0", path)
        for method in sorted((route.methods or {"GET"}) - {"HEAD"}):
            found.append(("HEAD" if path in STREAMS else method, path))
    return found


def ask(client: Any, method: str, path: str, **more: Any) -> Any:
    if method == "POST":
        more.setdefault("json", {"type": "pause", "word": "hint"})
    return client.request(method, path, follow_redirects=False, **more)


#: The limits on speed have tests of their own (test_limits.py).
@pytest.fixture(autouse=True)
def patient_door(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Limiter, "allows", lambda self, client: True)


def test_the_matrix_has_every_route(bench: Bench) -> None:
    paths = {p for _, p in routes(bench)}
    assert {
        "/",
        "/setup",
        "/history",
        "/api/command",
        "/api/setup/find",
        "/api/games/0/mat",
        "/api/games/0/coach",
    } <= paths
    assert {"/api/clip", "/api/games/0/evidence", "/api/games/0/evidence/0/after.jpg"} <= paths
    assert {
        "/overlay",
        "/devices",
        "/api/devices",
        "/api/devices/player.svg",
        "/api/devices/forget",
        "/api/devices/renew",
    } <= paths
    assert len(paths) >= 24


def test_a_new_route_is_attacked_by_itself(tmp_path: Path) -> None:
    bench = Bench(tmp_path)

    async def careless(request: Any) -> PlainTextResponse:
        return PlainTextResponse("anything")

    bench.app.router.routes.append(Route("/api/new/{thing:int}", careless, methods=["GET", "POST"]))
    assert {("GET", "/api/new/0"), ("POST", "/api/new/0")} <= set(routes(bench))
    for method in ("GET", "POST"):
        assert ask(bench.client(), method, "/api/new/0").status_code == 401, (
            "shut without anybody thinking of it"
        )


ATTACKS: dict[str, dict[str, Any]] = {
    "no token": {},
    "wrong token": {"params": {"token": "guess"}},
    "wrong watch word": {"params": {"watch": "guess"}},
    "wrong cookie": {"cookies": {"pi_board": "guess"}},
    "empty cookie": {"cookies": {"pi_board": ""}},
    "token in another case": {"params": {"token": TOKEN.upper()}},
    "says it is this machine": {"headers": {"x-forwarded-for": "127.0.0.1"}},
    "claims a local origin": {"headers": {"origin": "http://board.local"}},
    "says it is a proxy of this machine": {
        "headers": {"x-real-ip": "127.0.0.1", "forwarded": "for=127.0.0.1", "via": "1.1 localhost"}
    },
    "token in a header": {"headers": {"authorization": f"Bearer {TOKEN}", "x-token": TOKEN}},
    "token as a form": {"params": {"Token": TOKEN, "token[]": TOKEN}},
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_strangers_get_nothing(bench: Bench, attack: str) -> None:
    how = dict(ATTACKS[attack])
    cookies = how.pop("cookies", {})
    for method, path in routes(bench):
        client = bench.client(cookie=cookies.get("pi_board", ""))
        answer = ask(client, method, path, **how)
        assert answer.status_code in (401, 403), (attack, method, path, answer.status_code)
        assert "set-cookie" not in answer.headers
    assert not bench.desk.asked and not bench.setup.steps


def test_a_stranger_s_browser_is_told_what_this_is_and_how_to_get_in(bench: Bench) -> None:
    for path in ("/", "/history", "/?token=guess"):
        answer = bench.client().get(path, headers={"accept": "text/html,*/*;q=0.8"})
        assert answer.status_code == 401 and answer.headers["content-type"].startswith("text/html")
        assert "QR code" in answer.text and "spectators" in answer.text
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert "set-cookie" not in answer.headers and TOKEN not in answer.text
    # Programs get one line.
    assert bench.client().get("/api/state").text.count("\n") == 1


HOSTS = [
    "evil.example",
    "evil.example@127.0.0.1",
    "evil.example@board.local",
    "board.local:x",
    "board.local/",
    "board.local#",
    "board.local.evil.example",
    "",
    "[::1",
    "board.local@evil.example",
    "8.8.8.8",
    "x" * 3000,
]


@pytest.mark.parametrize("host", HOSTS)
def test_other_names_are_refused(bench: Bench, host: str) -> None:
    """DNS rebinding: the browser believes that evil.example is this machine."""
    for method, path in routes(bench):
        for address in (("192.168.1.50", 1), ("127.0.0.1", 1)):
            client = bench.client(address, cookie=TOKEN)
            assert ask(client, method, path, headers={"host": host}).status_code == 421, (method, path)
    assert not bench.desk.asked


@pytest.mark.parametrize(
    "host", ["board.local", "board.local:8064", "localhost", "127.0.0.1:8064", "192.168.1.9", "[::1]:8064"]
)
def test_own_names_are_answered(bench: Bench, host: str) -> None:
    assert bench.client(cookie=TOKEN).get("/api/state", headers={"host": host}).status_code == 200


ORIGINS = [
    "http://evil.example",
    "null",
    "http://board.local.evil.example",
    "http://board.local:1",
    "http://[",
    "file://",
]


@pytest.mark.parametrize("origin", ORIGINS)
def test_foreign_pages_cannot_act(bench: Bench, origin: str) -> None:
    """Even with the player's cookie, and even on this machine, where no cookie is needed."""
    for method, path in routes(bench):
        if method != "POST":
            continue
        for address in (("192.168.1.50", 1), ("127.0.0.1", 1)):
            answer = ask(bench.client(address, cookie=TOKEN), method, path, headers={"origin": origin})
            assert answer.status_code == 403, (path, answer.status_code)
    answer = ask(bench.client(cookie=TOKEN), "POST", "/api/press", headers={"sec-fetch-site": "cross-site"})
    assert answer.status_code == 403
    assert not bench.desk.asked


def test_foreign_pages_cannot_read(bench: Bench) -> None:
    for method, path in routes(bench):
        if method != "POST":
            answer = ask(bench.client(cookie=TOKEN), method, path, headers={"origin": "http://evil.example"})
            assert "access-control-allow-origin" not in answer.headers
            assert answer.headers["cross-origin-resource-policy"] == "same-origin"


def test_spectators_look_but_do_not_touch(bench: Bench) -> None:
    for method, path in routes(bench):
        answer = ask(bench.client(cookie=bench.keeper.spectator_word), method, path)
        players = method == "POST" or path.startswith(("/api/setup", "/api/devices"))
        expected = {403} if players else {200, 303, 404}
        assert answer.status_code in expected, (method, path, answer.status_code)
        assert TOKEN not in answer.text and bench.keeper.short_word not in answer.text
        assert "set-cookie" not in answer.headers
    assert not bench.desk.asked and not bench.setup.steps


def test_the_spectator_word_does_not_give_the_token_away(bench: Bench) -> None:
    answer = bench.client().get(f"/enter?watch={bench.keeper.spectator_word}", follow_redirects=False)
    assert answer.status_code == 303 and bench.keeper.spectator_word in answer.headers["set-cookie"]
    assert TOKEN not in answer.headers["set-cookie"]
    assert (
        bench.client(cookie=TOKEN).get("/api/state").json()["spectator"].endswith(bench.keeper.spectator_word)
    )
    assert "spectator" not in bench.client(cookie=bench.keeper.spectator_word).get("/api/state").json()


TRAVERSALS = [
    "/static/..%2f..%2fserver.py", "/static/../server.py", "/static/%2e%2e/server.py", "/static//etc/passwd", "/..%2fetc%2fpasswd",
    "/api/games/..%2f..%2fetc/mat", "/api/games/0/..%2f..%2f", "/api/games/-1", "/api/games/0x0", "/api/games/²", "/api/games/" + "9" * 5000,
    "/api/games/0/mat%00", "/api/games/0/MAT", "/api/games/0/sh", "/api/games/999999", "/api/setup/..%2fsave", "/static/live.js%00.html",
    "/api/games/0/evidence/0/verdict.json", "/api/games/0/evidence/0/..%2fverdict.json", "/api/games/0/evidence/-1/after.jpg",
    "/api/games/0/evidence/²/after.jpg", "/api/games/0/evidence/0/after.jpg%00", "/api/games/0.99999/mat", "/api/games/0.-1/mat", "/static/live.html",
]  # fmt: skip


@pytest.mark.parametrize("path", TRAVERSALS)
def test_nothing_outside_is_served(bench: Bench, path: str) -> None:
    answer = bench.client(cookie=TOKEN).get(path)
    assert answer.status_code in (404, 405), (path, answer.status_code)
    assert "root:" not in answer.text and "import" not in answer.text


def test_links_in_the_folder_are_not_followed(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "games")
    secret = tmp_path / "secret.jsonl"
    secret.write_bytes(next((tmp_path / "games").glob("*.jsonl")).read_bytes())
    (tmp_path / "games" / "session-20200101-000000.jsonl").symlink_to(secret)
    (tmp_path / "games" / "session-20200102-000000.jsonl").symlink_to("/etc/passwd")
    (tmp_path / "games" / "session-20200103-000000.jsonl").mkdir()
    client = bench.client(cookie=TOKEN)
    for number in (0, 1, 2):
        assert client.get(f"/api/games/{number}").status_code == 404
        assert client.get(f"/api/games/{number}/mat").status_code == 404
    assert [s["number"] for s in client.get("/api/games").json()["sessions"]] == ["3.0"]
    assert client.get("/api/statistics").json()["rolls"] == 0


def test_large_bodies(bench: Bench) -> None:
    for method, path in routes(bench):
        if method != "POST":
            continue
        client = bench.client(cookie=TOKEN)
        big = b'{"x": "' + b"a" * 10_000_000 + b'"}'
        head = {"content-type": "application/json"}
        assert client.post(path, content=big, headers=head).status_code == 413
        pieces = (b"a" * 50_000 for _ in range(200))  # chunked: no Content-Length to go by
        assert client.post(path, content=pieces, headers=head).status_code == 413
        assert client.post(path, content=b"{}", headers={**head, "content-length": b"\xb2"}).status_code in (
            400,
            413,
        )
    assert LARGEST_BODY < 1_000_000 and not bench.desk.asked


BODIES: list[tuple[bytes, str]] = [
    (b"", "application/json"), (b"{", "application/json"), (b"[]", "application/json"), (b"null", "application/json"), (b"1" * 5000, "application/json"),
    (b"\xff\xfe", "application/json"), (b"[" * 60_000, "application/json"), (b'{"type": "pause"}', "text/plain"),
    (b'{"type": "pause"}', "application/x-www-form-urlencoded"), (b'{"type": "pause"}', ""), (b'{"type": 7}', "application/json"), (b'{"word": ["hint"]}', "application/json"),
    (b'{"type": []}', "application/json"), (b'{"type": "set_dice", "dice": [1e999, 2]}', "application/json"), (b'{"type": "set_dice", "dice": "31"}', "application/json"),
    (b'{"type": "set_position", "position": {"points": [99]}}', "application/json"), (b'{"type": "set_position", "position": 3}', "application/json"),
    (b'{"type": "resign", "side": "green"}', "application/json"), (b'{"type": "resign"}', "application/json"), (b'{"word": "shutdown"}', "application/json"),
    (b'{"word": "hint; reboot"}', "application/json"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "kind"), BODIES)
def test_wrong_bodies(bench: Bench, body: bytes, kind: str) -> None:
    for path in ("/api/command", "/api/press"):
        answer = bench.client(cookie=TOKEN).post(
            path, content=body, headers={"content-type": kind} if kind else {}
        )
        assert answer.status_code == 400, (path, answer.status_code, answer.text)
        assert len(answer.json()["error"]) < 1000
    assert not bench.desk.asked


def test_no_body_is_a_fault_of_ours(bench: Bench) -> None:
    """Whatever is sent to whichever route: refused, or done, but never 500."""
    for method, path in routes(bench):
        for body, kind in BODIES if method == "POST" else []:
            answer = bench.client(cookie=TOKEN).post(path, content=body, headers={"content-type": kind} if kind else {})  # fmt: skip
            assert answer.status_code < 500, (path, body, answer.status_code)
    assert not bench.desk.asked


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"])
def test_other_methods(bench: Bench, method: str) -> None:
    for _, path in routes(bench):
        assert bench.client(cookie=TOKEN).request(method, path).status_code in (403, 405), path


def test_what_is_allowed_works(bench: Bench) -> None:
    client = bench.client(cookie=TOKEN)
    try:
        assert client.post("/api/press", json={"word": "hint"}).status_code == 202
        assert client.post("/api/command", json={"type": "set_dice", "dice": [3, 1]}).status_code == 202
        assert client.post("/api/setup/find", json={"profile": "x"}).status_code == 200
        assert client.post("/api/setup/busy", json={}).status_code == 409
        assert client.post("/api/setup/rm", json={}).status_code == 400
        assert [getattr(c, "type", c) for c in bench.desk.asked] == ["hint", "set_dice"]
        bench.desk.full = True
        assert client.post("/api/press", json={"word": "hint"}).status_code == 503
    finally:
        bench.desk.full = False
        bench.desk.asked.clear()
        bench.setup.steps.clear()


def test_this_machine_needs_a_token_too(bench: Bench) -> None:
    """A proxy here asks from this machine's address, whoever asked it."""
    for method, path in routes(bench):
        assert ask(bench.client(("127.0.0.1", 1), host="localhost"), method, path).status_code == 401, path


def test_trust_in_this_machine_is_opt_in_and_ends_at_a_proxy(tmp_path: Path) -> None:
    trusting = Bench(tmp_path, trusting=True)
    local = trusting.client(("127.0.0.1", 1), host="localhost")
    assert local.get("/api/state").json()["role"] == "player"
    for name in PROXY_HEADERS:
        assert local.get("/api/state", headers={name: "1.2.3.4"}).status_code == 401, name
    assert trusting.client().get("/api/state").status_code == 401


@pytest.mark.parametrize("query", ["token=wrong", "watch=wrong", "token=", "token=wrong&watch=wrong"])
def test_a_wrong_word_earns_no_right_one(tmp_path: Path, query: str) -> None:
    local = Bench(tmp_path, trusting=True).client(("127.0.0.1", 1), host="localhost")
    assert "set-cookie" not in local.get(f"/enter?{query}", follow_redirects=False).headers


def test_a_journal_without_a_match_is_no_fault_of_ours(tmp_path: Path) -> None:
    """As in a session's first seconds."""
    bench = Bench(tmp_path)
    Journal.create(tmp_path).close()
    (tmp_path / "session-20991231-235959.jsonl").write_text(
        '{"type": "paused", "time": 1.0, "seq": -1, "frame": ""}\n'
    )
    client = bench.client(cookie=TOKEN)
    for number in range(4):
        for method, path in routes(bench):
            answer = ask(client, method, path.replace("/0", f"/{number}", 1))
            assert answer.status_code < 500 or answer.text == "no picture yet\n", (method, path, number)
    bench.desk.asked.clear()


def test_a_fault_of_ours_has_the_headers_too(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench.hub, "state", lambda: 1 / 0)
    answer = bench.client(cookie=TOKEN).get("/api/state")
    assert answer.status_code == 500 and answer.text == "this did not work\n"
    assert "default-src 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"light_name": "x" * 60_000},
        {"dark_name": "a\nb"},
        {"light_name": ""},
        {"dark_name": "\x1b[2J"},
        {"match_length": 10**9},
        {"match_length": -1},
    ],
)
def test_names_that_no_score_sheet_can_hold(bench: Bench, wrong: dict[str, Any]) -> None:
    answer = bench.client(cookie=TOKEN).post("/api/command", json={"type": "new_match", **wrong})
    assert answer.status_code == 400 and len(answer.json()["error"]) < 300
    assert not bench.desk.asked


@pytest.mark.parametrize(
    ("host", "trusted"),
    [("localhost", True), ("127.0.0.1:8064", True), ("192.168.1.9", False), ("board.local", False)],
)
def test_headers_that_a_browser_would_only_complain_of(bench: Bench, host: str, trusted: bool) -> None:
    answer = bench.client(cookie=TOKEN).get("/", headers={"host": host})
    assert ("cross-origin-opener-policy" in answer.headers) is trusted


def test_headers_on_every_answer(bench: Bench) -> None:
    for method, path in [*routes(bench), ("GET", "/nothing")]:
        answer = ask(bench.client(cookie=TOKEN), method, path)
        assert "default-src 'none'" in answer.headers["content-security-policy"], path
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
    bench.desk.asked.clear()
    bench.setup.steps.clear()


def test_cookie_is_strict(bench: Bench) -> None:
    answer = bench.client().get(f"/enter?token={TOKEN}", follow_redirects=False)
    assert answer.status_code == 303 and answer.headers["location"] == "/"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie


@pytest.mark.parametrize("change", [str, str.lower])
def test_short_address_for_the_display(bench: Bench, change: Callable[[str], str]) -> None:
    """The QR code's address: no secret in a query, the token as a cookie afterwards, whatever case it was typed in."""
    assert re.fullmatch(r"/P/[A-Z2-7]{16}", bench.keeper.short_path)
    answer = bench.client().get(change(bench.keeper.short_path), follow_redirects=False)
    assert answer.status_code == 303 and answer.headers["location"] == "/"
    cookie = answer.headers["set-cookie"]
    assert (
        f"{COOKIE}=" in cookie
        and TOKEN not in cookie
        and "httponly" in cookie.lower()
        and "samesite=strict" in cookie.lower()
    )
    assert "default-src 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("way", ["short address", "token"])
def test_a_spectator_becomes_a_player_by_the_players_address(bench: Bench, way: str) -> None:
    client = bench.client()
    client.get(f"/enter?watch={bench.keeper.spectator_word}")
    assert client.get("/api/state").json()["role"] == "spectator"
    client.get(bench.keeper.short_path if way == "short address" else f"/enter?token={TOKEN}")
    assert client.get("/api/state").json()["role"] == "player"
    # And not the other way round by a link that somebody sends.
    client.get(f"/enter?watch={bench.keeper.spectator_word}")
    assert client.get("/api/state").json()["role"] == "player"


def test_a_wrong_short_address_is_refused(bench: Bench) -> None:
    client = bench.client()
    for path in (
        "/P/" + "A" * 16,
        "/P/",
        "/p/é",
        bench.keeper.short_path + "A",
        bench.keeper.short_path + "/",
    ):
        answer = client.get(path, follow_redirects=False)
        assert answer.status_code == 401 and "set-cookie" not in answer.headers, path


def test_pages_are_small_and_need_nobody_else(bench: Bench) -> None:
    """One page with everything it loads stays far below 200 KB and names no other machine."""
    assert sum(len(data) for data in bench.site.files.values()) < 200_000
    for name, data in bench.site.files.items():
        text = data.decode()
        assert "style=" not in text and "onclick" not in text, name
        others = [w for w in re.findall(r"""["'(=](https?:\S+|//\w\S+)""", text) if "www.w3.org" not in w]
        assert not others, (name, others)


@pytest.mark.parametrize("page", ["live", "setup", "history", "devices", "overlay"])
def test_a_first_view_is_light(bench: Bench, page: str) -> None:
    """Everything that a page loads before it shows anything, followed from file to file: 60 KB at the most."""
    wanted, loaded = [f"{page}.html"], set()
    while wanted:
        if (name := wanted.pop()) in loaded:
            continue
        loaded.add(name)
        text = bench.site.files[name].decode()
        wanted += re.findall(r'(?:href|src)="/static/([\w.-]+)"', text) if name.endswith(".html") else []
        wanted += re.findall(r'from "\./([\w.-]+)"', text) if name.endswith(".js") else []
    assert len(loaded) >= 4, "the page, its script, its style, its icon"
    assert sum(len(bench.site.files[name]) for name in loaded) <= 60_000


def test_token_is_made_once_and_kept_private(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "token"
    token = load_token(file)
    assert len(token) >= 20 and load_token(file) == token
    assert file.stat().st_mode & 0o077 == 0
    file.write_text("short\n")
    assert load_token(file) != "short"
    assert Gatekeeper(token, ()).spectator_word != Gatekeeper(token + "x", ()).spectator_word


def test_events_begin_with_the_state(bench: Bench) -> None:
    number, text, items = bench.hub.news_after(-1)
    assert number >= 1 and json.loads(text)["phase"] == "roll" and not items
