import { drawBoard, el } from "./board.js";
import { $, START, add, ask, fault, mark, safely, showRole } from "./page.js";

let match = null, game = 0, at = 0, session = "", settings = {}, evidence = [], role = "spectator";
const GRADES = ["fine", "doubtful", "error", "blunder"];

async function get(path) {
  const found = await ask(path);
  fault(found.error ? `This cannot be shown: ${found.error}` : "");
  return found.error ? null : found;
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

function choice(list, text, f) {
  const b = add("button", add("li", list), text, { type: "button" });
  b.addEventListener("click", f);
  return b;
}

async function listSessions() {
  const found = await get("/api/games");
  if (!found) return [];
  $("none").hidden = found.sessions.length > 0;
  $("sessions-head").hidden = !found.sessions.length;
  $("sessions").replaceChildren(...found.sessions.map((s) => {
    const row = add("tr");
    add("button", row.insertCell(), s.date, { type: "button" }).addEventListener("click", () => openSession(s.number));
    for (const v of [`${mark("light")} ${s.names[0]} – ${mark("dark")} ${s.names[1]}`, `${s.score[0]}–${s.score[1]}${s.length ? ` (to ${s.length})` : ""}`, s.games]) row.insertCell().textContent = v;
    const files = row.insertCell();
    for (const kind of ["mat", "sgf", "txt", "json"]) {
      add("a", files, kind, { href: `/api/games/${s.number}/${kind}`, download: "" }).setAttribute("aria-label", `${s.date} as ${kind}`);
      files.append(" ");
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
  $("games").replaceChildren();
  m.games.forEach((one, i) => choice($("games"), `Game ${i + 1} (${one.score.join("–")})${one.winner ? `: ${mark(one.winner)} wins ${one.points}, ${one.kind}` : ": unfinished"}`, () => openGame(i)));
  await listEvidence();
  openGame(Math.max(0, Math.min(g, m.games.length - 1)));
}

function openGame(i) {
  game = i;
  const g = match.games[i];
  $("replay").hidden = $("plays-box").hidden = false;
  $("r").textContent = `Game ${i + 1}: ${mark("light")} ${match.names[0]} – ${mark("dark")} ${match.names[1]}`;
  $("slider").max = g.actions.length;
  $("ask-coach").hidden = role !== "player" || !match.coach || !!g.coached;
  listMoves();
  go(0);
  $("r").focus({ preventScroll: true });
  $("replay").scrollIntoView({ block: "start" });
}

// The worst that the coach found in an action.
const worst = (k) => Math.max(0, ...(match.games[game].coached?.actions[k] || []).map((r) => GRADES.indexOf(r.grade)));
const sign = (k) => ["", " ?!", " ?", " ??"][worst(k)];

const listMoves = safely("list of moves", () => {
  const list = $("plays");
  list.replaceChildren();
  match.games[game].actions.forEach((a, k) => {
    for (const e of evidence.filter((e) => e.game === game && e.actions === k && e.reason)) {
      const b = choice(list, `✕ ${mark(e.side)} illegal: ${e.reason}`, () => openPictures(e));
      b.className = "illegal";
    }
    const b = choice(list, `${k + 1}. ${words(a)}${sign(k)}`, () => go(k + 1));
    b.dataset.at = k + 1;
    if (worst(k)) { b.dataset.grade = GRADES[worst(k)]; b.setAttribute("aria-label", `${b.textContent.replace(/ \?.*$/, "")}, ${GRADES[worst(k)]}`); }
  });
});

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
  const over = at === g.actions.length && g.winner ? ` — ${mark(g.winner)} wins ${g.points} (${g.kind})` : "";
  $("action").textContent = (a ? words(a) : "Starting position") + over;
  $("slider").value = at;
  $("slider").setAttribute("aria-valuetext", $("action").textContent);
  showBoard(a, g); showPlace(); curve(g); showCoach(g);
  history.replaceState(null, "", `#${session},${game},${at}`);
}
const showBoard = safely("board", (a, g) => { $("board").replaceChildren(drawBoard({ position: a ? a.position : g.start || START, dice: a?.dice || null, side: a?.side, ...cube(at) }, settings)); });
const showPlace = safely("list of moves", () => {
  const list = $("plays");
  for (const b of list.querySelectorAll("button")) {
    if (Number(b.dataset.at) === at) { b.setAttribute("aria-current", "true"); list.scrollTop = b.parentElement.offsetTop - list.clientHeight / 2; } else b.removeAttribute("aria-current");
  }
});

const curve = safely("curve", (g) => {
  const values = [g.light_wins, ...g.actions.map((a) => a.light_wins)];
  $("curve-box").hidden = values.some((v) => v === undefined || v === null);
  if ($("curve-box").hidden) return;
  const w = 600, h = 170, left = 48, x = (k) => left + (w - left - 10) * (k / Math.max(1, values.length - 1)), y = (v) => 10 + (h - 20) * (1 - v);
  const svg = picture(w, h, `Light's chance to win after ${at} moves: ${Math.round(100 * values[at])} percent`);
  for (const v of [0, 0.25, 0.5, 0.75, 1]) { el("line", { x1: left, x2: w - 10, y1: y(v), y2: y(v), class: "grid" }, svg); if (v * 2 % 1 === 0) el("text", { x: left - 6, y: y(v) + 4, "text-anchor": "end", "font-size": 12, fill: "var(--ink)" }, svg, `${100 * v} %`); }
  el("polyline", { points: values.map((v, k) => `${x(k).toFixed(1)},${y(v).toFixed(1)}`).join(" "), fill: "none", class: "line" }, svg);
  g.actions.forEach((_, k) => { const n = worst(k); if (n) el("text", { x: x(k + 1), y: y(values[k + 1]) + 5, "text-anchor": "middle", "font-size": 15, class: `fault-mark ${GRADES[n]}` }, svg, ["", "●", "▲", "✕"][n]); });
  el("line", { x1: x(at), x2: x(at), y1: y(0), y2: y(1), class: "here" }, svg);
  el("circle", { cx: x(at), cy: y(values[at]), r: 5, class: "dot" }, svg);
  el("text", { x: Math.min(w - 30, Math.max(left + 20, x(at))), y: y(values[at]) + (values[at] > 0.8 ? 20 : -10), "text-anchor": "middle", "font-size": 13, "font-weight": 700, fill: "var(--ink)" }, svg, `${Math.round(100 * values[at])} %`);
  svg.addEventListener("click", (e) => { const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(svg.getScreenCTM().inverse()); go(Math.round(((p.x - left) / (w - left - 10)) * (values.length - 1))); });
  $("curve").replaceChildren(svg);
});

function picture(w, h, label) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${w} ${h}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  return svg;
}

// --------------------------------------------------------------------------------------- the coach
const showCoach = safely("coach", (g) => {
  $("curve-key").hidden = !g.coached;
  $("summary").textContent = g.coached ? g.coached.summary.join(" · ") : "";
  const said = (at && g.coached?.actions[at - 1]) || [];
  $("coach").textContent = said.filter((r) => r.what === "play" || r.grade !== "fine" || r.choice !== "no_double").map((r) => r.words).join(" ");
  $("coach").dataset.grade = at ? GRADES[worst(at - 1)] : "fine";
});
async function askCoach() {
  const m = match, i = game, b = $("ask-coach");
  b.disabled = true;
  b.textContent = "The coach is looking…";
  let found = {};
  for (let n = 0; n < 20; n++) {
    found = await ask(`/api/games/${session}/coach`, { game: i });
    if (!found.error?.includes("try again")) break;
    await new Promise((r) => setTimeout(r, 3000));
  }
  b.disabled = false;
  b.textContent = "Ask the coach";
  fault(found.error);
  if (found.error) return;
  m.games[i].coached = found;
  if (m === match && i === game) { b.hidden = true; listMoves(); go(at); }
}

// ---------------------------------------------------------------------------------------- evidence
async function listEvidence() {
  const number = session, found = await ask(`/api/games/${number}/evidence`);
  if (number !== session) return;
  evidence = found.evidence || [];
  $("evidence-box").hidden = !evidence.length;
  $("pictures").hidden = true;
  $("evidence").replaceChildren();
  for (const e of evidence) choice($("evidence"), e.reason ? `Game ${e.game + 1}, after move ${e.actions}: ${mark(e.side)} ${e.dice.join("")}: ${e.reason}` : "Pictures that were asked for", () => openPictures(e));
}
let clipAt = "";
function playClip() { $("clip").hidden = false; $("clip").src = `${clipAt}?t=${Date.now()}`; }
function openPictures(e) {
  const at_ = `/api/games/${session}/evidence/${e.piece}`;
  if (e.reason) { if (e.game !== game) openGame(e.game); go(e.actions); }
  $("pictures").hidden = false;
  for (const one of ["before", "after"]) { $(one).parentElement.hidden = !e.files.includes(one); $(one).src = e.files.includes(one) ? `${at_}/${one}.jpg` : "data:,"; }
  $("clip-box").hidden = !e.files.includes("clip");
  $("clip-file").href = `${at_}/clip.avi`;
  clipAt = `${at_}/clip`;
  // Moving pictures begin when they are asked for.
  $("clip").hidden = true;
  $("clip").src = "data:,";
  $("pictures").scrollIntoView({ block: "nearest" });
}

// -------------------------------------------------------------------------------------- statistics
const showFigures = safely("figures", (s) => {
  $("players").replaceChildren(...Object.entries(s.players).map(([name, p]) => {
    const row = add("tr");
    for (const v of [name, p.games, p.won, p.points, p.seconds_per_turn ?? "–", Object.values(p.illegal).reduce((a, b) => a + b, 0)]) row.insertCell().textContent = v;
    return row;
  }));
  const total = Object.values(s.dice).reduce((a, b) => a + b, 0);
  $("fair").textContent = total ? `${total} dice, ${s.doubles} double${s.doubles === 1 ? "" : "s"} in ${s.rolls} rolls. The dashed line is what fair dice would give on average.` : "No dice have been thrown yet.";
});
const showPlots = safely("plots", (s) => {
  $("plots").replaceChildren(...Object.values(s.plots || {}).map((text) => {
    const svg = document.adoptNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", [...svg.querySelectorAll("text")].map((t) => t.textContent).join(", "));
    svg.removeAttribute("width"); svg.removeAttribute("height");
    return svg;
  }));
});
async function statistics() {
  const s = await get("/api/statistics");
  if (s) { showFigures(s); if (s.rolls) showPlots(s); }
}

// Arrow keys step through the game, wherever the eyes are; fields and the slider have arrows of their own.
function step(e) {
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: Infinity }[e.key];
  if (to === undefined || !match || e.altKey || e.ctrlKey || e.metaKey || e.shiftKey || e.target.closest("input, select, textarea, .scroll")) return;
  e.preventDefault();
  go(to);
}

async function begin() {
  document.addEventListener("keydown", step);
  $("first").addEventListener("click", () => go(0));
  $("prev").addEventListener("click", () => go(at - 1));
  $("next").addEventListener("click", () => go(at + 1));
  $("last").addEventListener("click", () => go(Infinity));
  $("slider").addEventListener("input", (e) => go(Number(e.target.value)));
  $("ask-coach").addEventListener("click", askCoach);
  $("play-clip").addEventListener("click", playClip);
  let s = await get("/api/state");
  while (!s) { await new Promise((r) => setTimeout(r, 3000)); s = await get("/api/state"); }
  if (s) {
    role = s.role;
    settings = { near: s.near || "light", home: s.home || "right" };
    showRole(role);
  }
  const hash = location.hash.slice(1).split(",");
  const found = await listSessions();
  if (hash.length === 3 && found.some((one) => one.number === hash[0])) {
    await openSession(hash[0], Number(hash[1]) || 0);
    go(Number(hash[2]) || 0);
  }
  statistics();
}
begin();
