import { drawBoard, el } from "./board.js";
import { $, START, add, ask, fault, mark, safely, showRole } from "./page.js";
import { drawHoles } from "./solitaire.js";

let match = null, game = 0, at = 0, session = "", settings = {}, evidence = [], shown = null, role = "spectator";
const GRADES = ["fine", "doubtful", "error", "blunder"], SIGNS = ["", "?!", "?", "??"], MARKS = ["", "●", "▲", "◆"];
const solitaire = () => match?.kind === "solitaire";

async function get(path) {
  const found = await ask(path);
  fault(found.error ? `This cannot be shown: ${found.error}` : "");
  return found.error ? null : found;
}

function words(a) {
  if (a.type === "jump_made") return a.jumps.join(", ");
  if (a.type === "jump_taken_back") return "taken back";
  if (a.type === "holes_corrected") return "the board was corrected by hand";
  if (a.type === "double") return `${mark(a.side)} doubles to ${a.value}`;
  if (a.type === "take") return `${mark(a.side)} takes`;
  if (a.type === "drop") return `${mark(a.side)} passes`;
  const dice = a.dice.join("");
  if (a.moves === null) return `${mark(a.side)} ${dice}: resigned`;
  if (a.stood) return `${mark(a.side)} ${dice}: an illegal play that stood`;
  return `${mark(a.side)} ${dice}: ${a.play || "no play"}`;
}
// "12.4 s", and what the player's clock showed afterwards. Tenths only where they tell something.
const seconds = (a) => `${a.seconds < 10 ? a.seconds.toFixed(1) : Math.round(a.seconds)} s`;
const bank = (s) => `${s < 0 ? "-" : ""}${Math.floor(Math.abs(s) / 60)}:${String(Math.floor(Math.abs(s) % 60)).padStart(2, "0")}`;
const timed = (a) => (a?.seconds === undefined ? "" : ` (${seconds(a)}${a.left === undefined ? "" : `, ${bank(a.left)} left`})`);
const named = (side) => match.names[side === "light" ? 0 : 1];
// "vacancy-7" is what a journal calls the problem with hole 7 empty.
const problem = (key) => (key.startsWith("vacancy-") ? `Hole ${key.slice(8)} empty` : key[0].toUpperCase() + key.slice(1).replaceAll("-", " "));

function choice(list, text, f) {
  const b = add("button", add("li", list), text, { type: "button" });
  b.addEventListener("click", f);
  return b;
}
function downloads(into, number, date) {
  for (const kind of ["mat", "sgf", "txt", "json"]) add("a", into, kind, { href: `/api/games/${number}/${kind}`, download: "" }).setAttribute("aria-label", `${date} as ${kind}`);
}

// --------------------------------------------------------------------------------------- sessions
let sessions = [];
async function listSessions() {
  const found = await get("/api/games");
  if (!found) return;
  sessions = found.sessions;
  $("none").hidden = sessions.length > 0;
  $("sessions").replaceChildren(...sessions.map((s) => {
    const li = add("li"), other = s.kind === "solitaire";
    add("button", li, s.date, { type: "button" }).addEventListener("click", () => openSession(s.number));
    add("span", li, other ? "Solitaire" : `${mark("light")} ${s.names[0]} – ${mark("dark")} ${s.names[1]}`, { className: "who" });
    add("span", li, other ? `${s.won} of ${s.games} won` : `${s.score[0]}–${s.score[1]}${s.length ? ` (to ${s.length})` : ""}, ${s.games} game${s.games === 1 ? "" : "s"}`);
    if (!other) downloads(add("span", li, undefined, { className: "files" }), s.number, s.date);
    return li;
  }));
}

async function openSession(number, g = 0) {
  const m = await get(`/api/games/${number}`);
  if (!m) return;
  match = m; session = number;
  document.body.dataset.game = solitaire() ? "solitaire" : "backgammon";
  $("games").replaceChildren(...m.games.map((one, i) => new Option(title(one, i), i)));
  const about = sessions.find((s) => s.number === number);
  $("files").replaceChildren();
  if (!solitaire()) {
    downloads($("files"), number, about?.date || "This session");
    $("by").replaceChildren(new Option("Both players", ""), ...["light", "dark"].map((side) => new Option(`${mark(side)} ${named(side)}`, side)));
  } else $("by").replaceChildren(new Option("", ""));
  await listEvidence();
  openGame(Math.max(0, Math.min(g, m.games.length - 1)));
}
function title(one, i) {
  if (solitaire()) return `${i + 1}: ${problem(one.problem)}${one.won ? " – won" : one.remaining ? ` – ${one.remaining} left` : " – unfinished"}`;
  return `Game ${i + 1} (${one.score.join("–")})${one.winner ? ` – ${mark(one.winner)} wins ${one.points}` : " – unfinished"}`;
}

function openGame(i) {
  game = i;
  const g = match.games[i];
  $("games").value = i;
  $("replay").hidden = false;
  $("r").textContent = solitaire() ? problem(g.problem) : `${mark("light")} ${match.names[0]} – ${mark("dark")} ${match.names[1]}`;
  $("slider").max = g.actions.length;
  if (![...$("what").options].some((o) => o.value === $("what").value)) $("what").value = "all";
  $("what").options[1].hidden = $("what").options[1].disabled = !match.coach;
  coachButton(g);
  listMoves();
  go(0);
  showSummary(g);
  $("r").focus({ preventScroll: true });
  $("replay").scrollIntoView({ block: "start" });
}
function coachButton(g) { $("ask-coach").hidden = role !== "player" || !match.coach || !!g.coached; }

// The worst that the coach found in an action.
const worst = (k) => Math.max(0, ...(match.games[game].coached?.actions[k] || []).map((r) => GRADES.indexOf(r.grade)));
const lost = (k) => (match.games[game].coached?.actions[k] || []).reduce((sum, r) => sum + r.loss, 0);
const whose = (side) => !$("by").value || $("by").value === side;
const illegal = () => evidence.filter((e) => e.game === game && e.reason);

const listMoves = safely("list of moves", () => {
  const list = $("plays"), what = $("what").value, g = match.games[game];
  stow();
  list.replaceChildren();
  const wrong = (k) => {
    if (what === "errors") return;
    for (const e of illegal().filter((e) => e.actions === k && whose(e.side))) {
      const b = choice(list, `✕ ${e.side ? `${mark(e.side)} ` : ""}${e.dice ? `${e.dice.join("")} ` : ""}illegal: ${e.reason}`, () => openPictures(e, b.parentElement));
      b.className = "illegal";
      b.dataset.piece = e.piece;
      b.dataset.place = k + 0.5;
    }
  };
  g.actions.forEach((a, k) => {
    wrong(k);
    if (what === "illegal" || !whose(a.side) || (what === "errors" && !worst(k))) return;
    const b = choice(list, `${k + 1}. ${words(a)}`, () => go(k + 1));
    b.dataset.at = b.dataset.place = k + 1;
    if (a.seconds !== undefined) add("small", b.parentElement, seconds(a), { className: "took", title: "what the turn took" });
    if (!worst(k)) return;
    b.dataset.grade = GRADES[worst(k)];
    add("span", b, ` ${SIGNS[worst(k)]} ${MARKS[worst(k)]}`, { ariaHidden: "true" });
    add("span", b, `, ${GRADES[worst(k)]}`, { className: "skip" });
    add("small", b.parentElement, `−${lost(k).toFixed(2)}`, { title: "points given away, on average" });
  });
  wrong(g.actions.length);
  if (!list.children.length) add("li", list, what !== "errors" ? "Nothing here." : g.coached ? "No errors." : role === "player" ? "Which plays were errors is known when the coach has been asked." : "The coach has not looked over this game yet; a player can ask it.", { className: "muted" });
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
  shown = null;
  stow();
  place(n);
}
function place(n) {
  const g = match.games[game];
  at = Math.max(0, Math.min(g.actions.length, n));
  const a = at ? g.actions[at - 1] : null;
  const over = at !== g.actions.length ? "" : g.winner ? ` — ${mark(g.winner)} wins ${g.points} (${g.kind})` : g.won ? " — won" : g.remaining ? ` — ${g.remaining} pieces left` : "";
  $("action").textContent = shown ? `✕ ${shown.reason}` : (a ? words(a) + timed(a) : "Starting position") + over;
  $("action").classList.toggle("illegal", !!shown);
  $("slider").value = at;
  $("slider").setAttribute("aria-valuetext", $("action").textContent);
  showBoard(a, g); showPlace(); curve(g); showCoach(g);
  history.replaceState(null, "", `#${session},${game},${at}`);
}
// An illegal play is shown as it lay there, with what is wrong marked on it.
const showBoard = safely("board", (a, g) => {
  const lay = shown?.seen, wanted = shown?.position;
  if (solitaire()) { $("board").replaceChildren(drawHoles(lay || a?.holes || g.start, lay ? { wanted } : { last: a?.jumps?.at(-1) })); return; }
  $("board").replaceChildren(drawBoard({ position: lay || (a ? a.position : g.start || START), dice: shown?.dice || a?.dice || null, side: shown?.side || a?.side, ...cube(at) }, lay ? { ...settings, wanted } : settings));
});
const showPlace = safely("list of moves", () => {
  const list = $("plays");
  for (const b of list.querySelectorAll("button[data-at], button[data-piece]")) {
    if (shown ? b.dataset.piece === String(shown.piece) : Number(b.dataset.at) === at) { b.setAttribute("aria-current", "true"); reveal(b.parentElement); } else b.removeAttribute("aria-current");
  }
});
function reveal(li) {
  const list = $("plays");
  // Pictures make an entry taller than the list once they have come: its beginning must be seen.
  if (list.scrollHeight > list.clientHeight) list.scrollTop = li.offsetTop - (shown ? 0 : 1) * Math.max(0, (list.clientHeight - li.offsetHeight) / 2);
}

const curve = safely("curve", (g) => {
  const values = [g.light_wins, ...g.actions.map((a) => a.light_wins)];
  $("curve-box").hidden = values.some((v) => v === undefined || v === null);
  if ($("curve-box").hidden) return;
  $("curve-name").textContent = `${named("light")}'s chance to win`;
  const w = 600, h = 150, left = 48, x = (k) => left + (w - left - 12) * (k / Math.max(1, values.length - 1)), y = (v) => 8 + (h - 16) * (1 - v);
  const svg = picture(w, h, `${named("light")}'s chance to win after ${at} moves: ${Math.round(100 * values[at])} percent`);
  for (const v of [0, 0.25, 0.5, 0.75, 1]) { el("line", { x1: left, x2: w - 12, y1: y(v), y2: y(v), class: v === 0.5 ? "grid half" : "grid" }, svg); if (v * 2 % 1 === 0) el("text", { x: left - 6, y: y(v) + 4, "text-anchor": "end", "font-size": 13, fill: "var(--ink)" }, svg, `${100 * v} %`); }
  el("line", { x1: x(at), x2: x(at), y1: y(0), y2: y(1), class: "here" }, svg);
  el("polyline", { points: values.map((v, k) => `${x(k).toFixed(1)},${y(v).toFixed(1)}`).join(" "), fill: "none", class: "line" }, svg);
  const what = $("what").value, kinds = new Set();
  // Illegal plays lie on the bottom line, where no error's mark covers them.
  const put = (k, sign, kind, at = y(values[k]) + 6) => { kinds.add(kind); el("text", { x: x(k), y: at, "text-anchor": "middle", "font-size": 17, class: `fault-mark ${kind}` }, svg, sign); };
  if (what !== "illegal") g.actions.forEach((a, k) => { if (worst(k) && whose(a.side)) put(k + 1, MARKS[worst(k)], GRADES[worst(k)]); });
  if (what !== "errors") for (const e of illegal()) if (whose(e.side)) put(Math.min(e.actions, values.length - 1), "✕", "illegal", y(0) - 1);
  el("circle", { cx: x(at), cy: y(values[at]), r: 5, class: "dot" }, svg);
  el("text", { x: Math.min(w - 30, Math.max(left + 22, x(at))), y: y(values[at]) + (values[at] > 0.75 ? 24 : -12), "text-anchor": "middle", "font-size": 14, "font-weight": 700, class: "value" }, svg, `${Math.round(100 * values[at])} %`);
  svg.addEventListener("click", (e) => { const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(svg.getScreenCTM().inverse()); go(Math.round(((p.x - left) / (w - left - 12)) * (values.length - 1))); });
  $("curve").replaceChildren(svg);
  const key = [["doubtful", MARKS[1]], ["error", MARKS[2]], ["blunder", MARKS[3]], ["illegal", "✕"]].filter(([kind]) => kinds.has(kind));
  $("curve-key").replaceChildren(...key.flatMap(([kind, sign]) => [add("span", null, sign, { className: `fault-mark ${kind}` }), ` ${kind} `]));
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
  const said = (!shown && at && g.coached?.actions[at - 1]) || [];
  $("coach").textContent = said.filter((r) => r.what === "play" || r.grade !== "fine" || r.choice !== "no_double").map((r) => r.words).join(" ");
  $("coach").dataset.grade = at && !shown ? GRADES[worst(at - 1)] : "fine";
});
const showSummary = safely("coach's summary", (g) => {
  const box = $("summary");
  box.replaceChildren();
  (g.coached?.summary || []).forEach((line, i) => {
    add("p", box, `${mark(["light", "dark"][i])} ${match.names[i]}${line.replace(/^\w+/, "")}`);
    if (g.coached.explained) add("p", box, g.coached.explained[i], { className: "muted" });
  });
  if (g.coached?.scale) add("p", box, g.coached.scale, { className: "muted" });
  (g.times || []).forEach((line, i) => { if (line) add("p", box, `${mark(["light", "dark"][i])} ${line}`, { className: "times" }); });
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
  if (m === match && i === game) { b.hidden = true; listMoves(); go(at); showSummary(m.games[i]); }
}

// ---------------------------------------------------------------------------------------- evidence
async function listEvidence() {
  const number = session, found = await ask(`/api/games/${number}/evidence`);
  if (number !== session) return;
  evidence = found.evidence || [];
  // Illegal plays stand in the list of moves, where they were made; these belong to no play.
  const others = evidence.filter((e) => !e.reason);
  $("evidence-box").hidden = !others.length;
  stow();
  $("evidence").replaceChildren();
  others.forEach((e, i) => { const b = choice($("evidence"), `Pictures ${i + 1}`, () => openPictures(e, b.parentElement)); });
}
let clipAt = "";
function playClip() { $("clip").hidden = false; $("clip").src = `${clipAt}?t=${Date.now()}`; }
function stow() { $("pictures").hidden = true; $("pictures-home").append($("pictures")); }
function openPictures(e, li) {
  const at_ = `/api/games/${session}/evidence/${e.piece}`;
  shown = e.reason ? e : null;
  li.append($("pictures"));
  $("pictures").hidden = false;
  for (const one of ["before", "after"]) { $(one).parentElement.hidden = !e.files.includes(one); $(one).src = e.files.includes(one) ? `${at_}/${one}.jpg` : "data:,"; }
  $("clip-box").hidden = !e.files.includes("clip");
  $("clip-file").href = `${at_}/clip.avi`;
  clipAt = `${at_}/clip`;
  // Moving pictures begin when they are asked for.
  $("clip").hidden = true;
  $("clip").src = "data:,";
  if (shown) place(e.actions); else li.scrollIntoView({ block: "nearest" });
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
  if (!match || e.altKey || e.ctrlKey || e.metaKey || e.shiftKey || e.target.closest("input, select, textarea, .scroll")) return;
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: Infinity }[e.key];
  if (to !== undefined) go(to);
  else if (e.key === "ArrowUp" || e.key === "ArrowDown") {
    const entries = [...$("plays").querySelectorAll("button[data-at], button[data-piece]")];
    // Where the game stands; an illegal play lies between two moves. The filter may hide that very entry.
    const here = shown ? shown.actions + 0.5 : at, off = (b) => Number(b.dataset.place) - here;
    (e.key === "ArrowDown" ? entries.find((b) => off(b) > 0) : entries.findLast((b) => off(b) < 0))?.click();
  } else return;
  e.preventDefault();
}

async function begin() {
  document.addEventListener("keydown", step);
  $("first").addEventListener("click", () => go(0));
  $("prev").addEventListener("click", () => go(at - 1));
  $("next").addEventListener("click", () => go(at + 1));
  $("last").addEventListener("click", () => go(Infinity));
  $("slider").addEventListener("input", (e) => go(Number(e.target.value)));
  $("games").addEventListener("change", (e) => openGame(Number(e.target.value)));
  for (const id of ["what", "by"]) $(id).addEventListener("change", () => { shown = null; listMoves(); place(at); });
  $("ask-coach").addEventListener("click", askCoach);
  $("play-clip").addEventListener("click", playClip);
  let s = await get("/api/state");
  while (!s) { await new Promise((r) => setTimeout(r, 3000)); s = await get("/api/state"); }
  role = s.role;
  settings = { near: s.near || "light", home: s.home || "right" };
  showRole(role);
  const hash = location.hash.slice(1).split(",");
  await listSessions();
  if (hash.length === 3 && sessions.some((one) => one.number === hash[0])) {
    await openSession(hash[0], Number(hash[1]) || 0);
    go(Number(hash[2]) || 0);
  }
  statistics();
}
begin();
