// The club's page: boards as they are heard, tournaments, results. Everything that comes from elsewhere is set as text, never as markup.
import { drawBoard } from "/static/board.js";
import { $, add, ask, fault, showRole } from "/static/page.js";

const VERDICTS = { none: "", green: "all well", amber: "unclear", red: "illegal play" };
let state = { boards: [] }, shown = "", role = "none";

const who = (v) => `${v.names?.[0] ?? "Light"} ${v.score?.[0] ?? 0} : ${v.score?.[1] ?? 0} ${v.names?.[1] ?? "Dark"}`;

const minutes = (n) => `${n < 0 ? "-" : ""}${Math.floor(Math.abs(n) / 60)}:${String(Math.abs(n) % 60).padStart(2, "0")}`;

function card(b) {
  const item = document.createElement("li"), v = b.view;
  const button = add("button", item, "", { type: "button" });
  button.dataset.verdict = b.online ? v.verdict || "none" : "none";
  if (!b.online) button.className = "gone";
  const head = add("span", button, ""); head.className = "head";
  add("span", head, b.name);
  const right = add("span", head, b.online ? VERDICTS[v.verdict] || "" : "gone");
  if (b.calls) { right.className = "calls"; right.textContent = b.director === "called" ? `wants the director, ${b.waiting} s` : `${VERDICTS[v.verdict]} ${b.waiting} s`; }
  if (b.director === "called") button.classList.add("called");
  if (b.director === "coming") add("span", button, "The director is on the way.").className = "muted";
  const score = add("span", button, v.names ? who(v) : "waiting"); score.className = "score";
  if (v.match_length) add("span", button, `to ${v.match_length} points${v.crawford_game ? ", Crawford" : ""}`).className = "muted";
  if (v.clock) add("span", button, `${minutes(v.clock.light)} - ${minutes(v.clock.dark)}${v.clock.running ? "" : " (stands)"}`);
  const turn = v.side ? `${v.side === "light" ? v.names[0] : v.names[1]}${v.dice ? ` ${v.dice.join("-")}` : ""}` : "";
  add("span", button, [turn, v.cube > 1 ? `cube ${v.cube}` : ""].filter(Boolean).join(", ")).className = "muted";
  if (v.verdict === "red" || v.verdict === "amber") add("span", button, v.message);
  if (b.banner && !b.director) add("span", button, b.banner).className = "muted";
  button.addEventListener("click", () => open(b.name));
  return item;
}

function draw() {
  const focused = document.activeElement?.closest?.("#grid li"), at = focused ? [...$("grid").children].indexOf(focused) : -1;
  $("grid").replaceChildren(...state.boards.map(card));
  if (at >= 0) $("grid").children[at]?.querySelector("button").focus();
  const online = state.boards.filter((b) => b.online).length, calling = state.boards.filter((b) => b.calls).map((b) => b.name);
  $("summary").textContent = `${online} of ${state.boards.length} boards are here.` + (calling.length ? ` Wanted at: ${calling.join(", ")}.` : "");
  fault(state.fault || (state.connected ? "" : "No connection to the broker; the boards keep what they have to say."));
  if (shown) enlarge();
}

function enlarge() {
  const b = state.boards.find((x) => x.name === shown);
  if (!b) return;
  const v = b.view;
  $("large-title").textContent = `${b.name}: ${v.names ? who(v) : "waiting"}`;
  $("large-board").replaceChildren(...(v.position ? [drawBoard(v)] : []));
  $("large-words").textContent = b.online ? v.message || "" : "This board is gone.";
  $("large-words").dataset.verdict = v.verdict || "none";
  $("come").hidden = role !== "player" || b.director !== "called";
  $("large-picture").hidden = !b.picture;
  if (b.picture) $("large-picture").src = `/api/boards/${encodeURIComponent(b.name)}/picture?${(v.last_plays || []).length}-${v.game}-${v.phase}`;
  $("large-plays").replaceChildren();
  for (const [side, dice, play] of (v.last_plays || []).slice(-8).reverse()) add("li", $("large-plays"), `${side} ${dice}: ${play || "no legal move"}`);
}

function open(name) { shown = name; enlarge(); $("large").showModal(); }
$("come").addEventListener("click", () => send("/api/come", { board: shown }));
$("close").addEventListener("click", () => $("large").close());
$("large").addEventListener("close", () => { shown = ""; });

function table(where, head, rows) {
  where.replaceChildren();
  const top = add("tr", add("thead", where, ""), "");
  for (const h of head) add("th", top, h, { scope: "col" });
  const body = add("tbody", where, "");
  for (const row of rows) { const line = add("tr", body, ""); for (const cell of row) cell instanceof Node ? add("td", line, "").append(cell) : add("td", line, String(cell)); }
  return where;
}

async function send(path, body) {
  const found = await ask(path, body ?? {});
  fault(found.error || "");
  if (!found.error) await slow(true);
}

function resultForm(cup, pair) {
  const form = document.createElement("form");
  const boxes = [pair.first, pair.second].map((name, i) => {
    const box = add("input", form, "", { type: "number", min: "0", max: "200", value: String(pair.score[i]) });
    box.setAttribute("aria-label", `points of ${name}`);
    return box;
  });
  add("button", form, pair.winner ? "Correct" : "Enter");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(`/api/tournaments/${cup.number}/result`, { first: pair.first, second: pair.second, score: boxes.map((b) => Number(b.value)) });
  });
  return form;
}

// A part that may be wider than the screen: reached and moved by keys too.
function scrolls(parent, name) {
  const part = add("div", parent, "", { className: "scroll", tabIndex: 0, role: "region" });
  part.setAttribute("aria-label", name);
  return part;
}

function cupCard(cup) {
  const card = document.createElement("article"); card.className = "card";
  add("h3", card, `${cup.name}: round ${cup.played.length} of ${cup.all_rounds}${cup.over ? ", over" : ""}`);
  const round = cup.played[cup.played.length - 1] || [];
  const scroll = scrolls(card, `Matches of ${cup.name}`);
  const list = add("table", scroll, ""); list.className = "list";
  table(list, ["table", "match", "score", ""], round.map((p) => [
    p.table ? `${p.table}${cup.tables[p.table] ? ` (${cup.tables[p.table]})` : ""}` : "-",
    p.second && p.first ? `${p.first} - ${p.second}${p.draw === "consolation" ? " (consolation)" : ""}` : `${p.first || p.second} (free)`,
    p.winner && p.table ? p.score.join(":") : "", role === "player" && p.table ? resultForm(cup, p) : ""]));
  const ranks = scrolls(card, `Standings of ${cup.name}`);
  const standing = add("table", ranks, ""); standing.className = "list";
  table(standing, ["", "player", "won", "played", "points", "opponents' wins"],
    cup.standings.map((s, i) => [i + 1, s.name + (s.out ? " (out)" : ""), s.won, s.played, `${s.for}:${s.against}`, s.buchholz]));
  const buttons = add("div", card, ""); buttons.className = "buttons";
  if (role === "player" && !cup.over) {
    const next = add("button", buttons, "Draw the next round", { type: "button" });
    next.disabled = cup.open > 0;
    next.addEventListener("click", () => send(`/api/tournaments/${cup.number}/round`));
    const tables = add("button", buttons, "Send the players to their boards", { type: "button" });
    tables.disabled = cup.open === 0;
    tables.addEventListener("click", () => send(`/api/tournaments/${cup.number}/tables`));
  }
  for (const kind of ["csv", "html"]) { const a = add("a", buttons, `Standings (${kind.toUpperCase()})`); a.href = `/api/tournaments/${cup.number}/standings.${kind}`; a.className = "button"; }
  return card;
}

async function slow(changed = false) {
  // Not under somebody's hands, unless they have just changed something.
  if (changed || !document.activeElement?.closest?.("#cups form")) {
    const cups = (await ask("/api/tournaments")).tournaments || [];
    $("cups").replaceChildren(...cups.reverse().map(cupCard));
    if (!cups.length) add("p", $("cups"), "None yet.").className = "muted";
  }
  const found = await ask("/api/results");
  if (found.error) return;
  table($("last"), ["when", "board", "match", "score"], found.results.slice(-30).reverse().map((r) => [r.at.slice(0, 16).replace("T", " "), r.board, `${r.light} - ${r.dark} (${r.length})`, r.score.join(":")]));
  table($("ratings"), ["player", "rating", "experience"], found.ratings.map((r) => [r.name, r.rating.toFixed(1), r.experience]));
}

$("notice").addEventListener("submit", (event) => { event.preventDefault(); send("/api/notice", { words: $("words").value.trim() }); });
$("new").addEventListener("submit", async (event) => {
  event.preventDefault();
  const players = $("players").value.split("\n").map((n) => n.trim()).filter(Boolean);
  await send("/api/tournaments", { name: $("name").value.trim(), kind: $("kind").value, length: Number($("length").value), players, seed: Math.floor(Math.random() * 2 ** 31) });
});

const stream = new EventSource("/api/events");
stream.onmessage = (event) => { state = JSON.parse(event.data); draw(); };
stream.onerror = () => fault("No connection to the hub.");
ask("/api/me").then((me) => { role = me.role || "none"; showRole(role); return slow(); });
setInterval(() => slow(), 10000);
