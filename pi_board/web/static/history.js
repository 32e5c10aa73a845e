import { drawBoard, el } from "./board.js";

const $ = (id) => document.getElementById(id);
let match = null, game = 0, at = 0, session = -1, settings = {};
const EMPTY = { light: 0, dark: 0 };
const START = { points: [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2], bar: EMPTY, off: EMPTY };
const mark = (side) => (side === "light" ? "○" : "●");

async function get(path) {
  const b = $("fault");
  try {
    const r = await fetch(path);
    if (!r.ok) throw new Error(r.status === 401 ? "open the page with the address that the board's display shows" : `answer ${r.status}`);
    b.hidden = true;
    return await r.json();
  } catch (e) { b.hidden = false; b.textContent = `This cannot be shown: ${e.message}.`; return null; }
}

function words(a) {
  if (a.type === "double") return `${mark(a.side)} doubles to ${a.value}`;
  if (a.type === "take") return `${mark(a.side)} takes`;
  if (a.type === "drop") return `${mark(a.side)} passes`;
  const dice = a.dice.join("");
  if (a.moves === null) return `${mark(a.side)} ${dice}: resigned`;
  if (a.stood) return `${mark(a.side)} ${dice}: an illegal play that stood`;
  return `${mark(a.side)} ${dice}: ${a.play || "no play"}`;
}

async function listSessions() {
  const found = await get("/api/games");
  if (!found) return;
  $("none").hidden = found.sessions.length > 0;
  $("sessions-head").hidden = !found.sessions.length;
  $("sessions").replaceChildren(...found.sessions.map((s) => {
    const row = document.createElement("tr"), open = document.createElement("button");
    open.type = "button";
    open.textContent = s.date;
    open.addEventListener("click", () => openSession(s.number));
    row.insertCell().append(open);
    row.insertCell().textContent = `○ ${s.names[0]} – ● ${s.names[1]}`;
    row.insertCell().textContent = `${s.score[0]}–${s.score[1]}${s.length ? ` (to ${s.length})` : ""}`;
    row.insertCell().textContent = s.games;
    const files = row.insertCell();
    for (const kind of ["mat", "sgf", "txt", "json"]) {
      const a = document.createElement("a");
      a.href = `/api/games/${s.number}/${kind}`;
      a.textContent = kind;
      a.download = "";
      a.setAttribute("aria-label", `${s.date} as ${kind}`);
      files.append(a, " ");
    }
    return row;
  }));
  return found.sessions;
}

async function openSession(number, g = 0) {
  const m = await get(`/api/games/${number}`);
  if (!m) return;
  match = m; session = number;
  $("games-box").hidden = false;
  $("games").replaceChildren(...m.games.map((one, i) => {
    const li = document.createElement("li"), b = document.createElement("button");
    b.type = "button";
    b.textContent = `Game ${i + 1} (${one.score.join("–")})${one.winner ? `: ${mark(one.winner)} wins ${one.points}, ${one.kind}` : ": unfinished"}`;
    b.addEventListener("click", () => openGame(i));
    li.append(b);
    return li;
  }));
  openGame(Math.min(g, m.games.length - 1));
}

function openGame(i) {
  game = i;
  const g = match.games[i];
  $("replay").hidden = $("plays-box").hidden = false;
  $("r").textContent = `Game ${i + 1}: ○ ${match.names[0]} – ● ${match.names[1]}`;
  $("slider").max = g.actions.length;
  $("plays").replaceChildren(...g.actions.map((a, k) => {
    const li = document.createElement("li"), b = document.createElement("button");
    b.type = "button";
    b.textContent = `${k + 1}. ${words(a)}`;
    b.addEventListener("click", () => go(k + 1));
    li.append(b);
    return li;
  }));
  go(0);
  $("r").focus({ preventScroll: true });
  $("replay").scrollIntoView({ block: "start" });
}

function cube(upTo) {
  let value = 1, owner = null;
  for (const a of match.games[game].actions.slice(0, upTo)) {
    if (a.type === "double") value = a.value;
    if (a.type === "take") owner = a.side;
  }
  return { cube: value, cube_owner: owner };
}

function go(n) {
  const g = match.games[game];
  at = Math.max(0, Math.min(g.actions.length, n));
  const a = at ? g.actions[at - 1] : null;
  const position = a ? a.position : g.start || START;
  $("board").replaceChildren(drawBoard({ position, dice: a?.dice || null, side: a?.side, ...cube(at) }, settings));
  const over = at === g.actions.length && g.winner ? ` — ${mark(g.winner)} wins ${g.points} (${g.kind})` : "";
  $("action").textContent = (a ? words(a) : "Starting position") + over;
  $("slider").value = at;
  $("slider").setAttribute("aria-valuetext", $("action").textContent);
  [...$("plays").querySelectorAll("button")].forEach((b, k) => { if (k === at - 1) { b.setAttribute("aria-current", "true"); const l = $("plays"), li = b.parentElement; l.scrollTop = li.offsetTop - l.offsetTop - l.clientHeight / 2; } else b.removeAttribute("aria-current"); });
  curve(g);
  history.replaceState(null, "", `#${session},${game},${at}`);
}

function curve(g) {
  const values = [g.light_wins, ...g.actions.map((a) => a.light_wins)];
  $("curve-box").hidden = values.some((v) => v === undefined || v === null);
  if ($("curve-box").hidden) return;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg"), w = 600, h = 150, x = (k) => 34 + (w - 44) * (k / Math.max(1, values.length - 1)), y = (v) => 8 + (h - 16) * (1 - v);
  svg.setAttribute("viewBox", `0 0 ${w} ${h}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `Light's chance to win after ${at} moves: ${Math.round(100 * values[at])} percent`);
  for (const v of [0, 0.5, 1]) { el("line", { x1: 34, x2: w - 10, y1: y(v), y2: y(v), class: "grid" }, svg); el("text", { x: 28, y: y(v) + 4, "text-anchor": "end", "font-size": 11, fill: "var(--ink)" }, svg, `${100 * v} %`); }
  el("polyline", { points: values.map((v, k) => `${x(k).toFixed(1)},${y(v).toFixed(1)}`).join(" "), fill: "none", class: "line" }, svg);
  el("circle", { cx: x(at), cy: y(values[at]), r: 5, class: "dot" }, svg);
  svg.addEventListener("click", (e) => { const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(svg.getScreenCTM().inverse()); go(Math.round(((p.x - 34) / (w - 44)) * (values.length - 1))); });
  $("curve").replaceChildren(svg);
}

async function statistics() {
  const s = await get("/api/statistics");
  if (!s) return;
  $("players").replaceChildren(...Object.entries(s.players).map(([name, p]) => {
    const row = document.createElement("tr");
    for (const v of [name, p.games, p.won, p.points, p.seconds_per_turn ?? "–", Object.values(p.illegal).reduce((a, b) => a + b, 0)]) row.insertCell().textContent = v;
    return row;
  }));
  const counts = [1, 2, 3, 4, 5, 6].map((n) => s.dice[n]), total = counts.reduce((a, b) => a + b, 0), top = Math.max(1, ...counts);
  if (!total) { $("fair").textContent = "No dice have been thrown yet."; return; }
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 320 130");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `How often each number was thrown: ${counts.map((c, i) => `${i + 1}: ${c}`).join(", ")}`);
  counts.forEach((c, i) => {
    const h = 80 * (c / top), x = 10 + i * 50;
    el("rect", { x: x + 6, y: 100 - h, width: 34, height: h, class: "bar" }, svg);
    el("text", { x: x + 23, y: 95 - h, "text-anchor": "middle", "font-size": 12, fill: "var(--ink)" }, svg, c);
    el("text", { x: x + 23, y: 118, "text-anchor": "middle", "font-size": 13, fill: "var(--ink)" }, svg, i + 1);
  });
  el("line", { x1: 10, x2: 310, y1: 100 - (80 * total) / 6 / top, y2: 100 - (80 * total) / 6 / top, class: "expected" }, svg);
  $("dice").replaceChildren(svg);
  $("fair").textContent = `${total} dice, ${s.doubles} doubles in ${s.rolls} rolls. The dashed line is what fair dice would give on average.`;
}

async function begin() {
  $("first").addEventListener("click", () => go(0));
  $("prev").addEventListener("click", () => go(at - 1));
  $("next").addEventListener("click", () => go(at + 1));
  $("last").addEventListener("click", () => go(Infinity));
  $("slider").addEventListener("input", (e) => go(Number(e.target.value)));
  const s = await get("/api/state");
  if (s) {
    settings = { near: s.near || "light", home: s.home || "right" };
    for (const e of document.querySelectorAll(".actions")) e.hidden = s.role !== "player";
  }
  const hash = location.hash.slice(1).split(",").map(Number);
  const found = await listSessions();
  if (hash.length === 3 && found?.some((one) => one.number === hash[0])) {
    await openSession(hash[0], hash[1]);
    go(hash[2]);
  }
  statistics();
}
begin();
