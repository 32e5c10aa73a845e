import { drawBoard, el } from "./board.js";
import { $, AWAY, START, ask as askServer, fault } from "./page.js";

const sections = [...document.querySelectorAll(".step")];
const NAMES = ["far left corner", "far right corner", "near right corner", "near left corner", "far left edge of the bar", "far right edge of the bar", "near right edge of the bar", "near left edge of the bar"];
let at = 0, setup = null, fit = null, handles = null, barByHand = false, seatedByHand = false, busy = false, good = { light: false, start: 0, throws: [] };

async function ask(path, body) {
  const a = await askServer(path, body);
  fault(a.error === AWAY ? a.error : "");
  return a;
}

const radio = (name) => document.querySelector(`[name=${name}]:checked`)?.value;
const choices = () => ({ profile: $("profile").value, near: radio("near"), home: radio("home") });
const seating = () => ({ near: radio("near"), home: radio("home") });

// ------------------------------------------------------------------------------------------ steps
// The game rests while the dice are looked at, and goes on wherever one goes from there.
function leaveDice() {
  if (at === 4) fetch("/api/setup/leave", { method: "POST", keepalive: true, headers: { "content-type": "application/json" }, body: "{}" }).catch(() => {});
}
function show(n) {
  if (n !== 4) leaveDice();
  at = Math.max(0, Math.min(sections.length - 1, n));
  sections.forEach((s, i) => { s.hidden = i !== at; });
  $("steps").replaceChildren(...sections.map((s, i) => {
    const li = document.createElement("li"), b = document.createElement("button");
    b.type = "button";
    b.textContent = `${i + 1} ${s.dataset.step}`;
    if (i === at) b.setAttribute("aria-current", "step");
    b.disabled = i > 1 && !fit;
    b.addEventListener("click", () => { if (i === 0 || $("game").reportValidity()) show(i); });
    li.append(b);
    return li;
  }));
  $("back").disabled = at === 0;
  $("next").hidden = at === sections.length - 1;
  steer();
  sections[at].querySelector("h2").focus({ preventScroll: true });
  $("steps").children[at].scrollIntoView({ inline: "center", block: "nearest" });
  scrollTo(0, 0);
  if (at === 1) { drawFit(); if (!fit && !busy) find(); else if (!busy && !$("found").textContent) $("found").textContent = "Found already. Do the lines fit?"; }
  if (at === 3) drawStart([]);
  if (at === 5) summary();
  look();
}
function steer() {
  $("next").disabled = at === 1 && !fit;
  const done = [true, !!fit, good.light, good.start === 24, good.throws.length >= 2][at];
  $("next").textContent = at > 1 && !done ? "Go on anyway" : "Next";
}

// --------------------------------------------------------------------------- the picture, twice a second
function pictures() {
  const shown = at === 1 ? [$("picture")] : [...sections[at].querySelectorAll("img[data-live]")];
  if (!shown.length || document.hidden) { setTimeout(pictures, 500); return; }
  const next = new Image();
  next.onload = () => { for (const i of shown) i.src = next.src; if (at === 1) magnify(); setTimeout(pictures, 500); };
  next.onerror = () => setTimeout(pictures, 1500);
  next.src = `/api/frame.jpg?t=${Date.now()}`;
}

// ------------------------------------------------------------------------------------- finding the board
async function find() {
  working("Looking for the board…");
  const a = await ask("/api/setup/find", { ...choices(), seated: seatedByHand });
  busy = false;
  if (a.seating) { seatAs(a.seating); $("seat").textContent = `${a.seating.words[0].toUpperCase()}${a.seating.words.slice(1)}${a.seating.known ? "." : "? Set up the starting position to have it seen, or turn it."}`; $("turn").hidden = false; }
  if (a.found) { take(a.found); barByHand = false; $("found").textContent = `Found (${Math.round(100 * fit.confidence)} % sure). Do the lines fit?`; }
  else $("found").textContent = a.error || `Not found: ${a.refusal}. Clear the view, or set the corners by hand.`;
  after();
}
// The four seatings, one after the other.
const SEATS = [["light", "right"], ["light", "left"], ["dark", "left"], ["dark", "right"]];
function seatAs(s) { for (const key of ["near", "home"]) document.querySelector(`[name=${key}][value=${s[key]}]`).checked = true; }
function turn() {
  const i = SEATS.findIndex(([near, home]) => near === radio("near") && home === radio("home"));
  const [near, home] = SEATS[(i + 1) % SEATS.length];
  seatAs({ near, home });
  seatedByHand = true;
  find();
}
async function sendFit() {
  working("Fitting…");
  const a = await ask("/api/setup/fit", { ...choices(), corners: handles.slice(0, 4), bar_edges: barByHand ? handles.slice(4) : null });
  busy = false;
  if (a.found) { take(a.found); $("found").textContent = "Set by hand. Do the lines fit?"; } else $("found").textContent = a.error;
  after();
}
function working(text) { busy = true; $("found").textContent = text; $("find").disabled = true; }
function after() { $("find").disabled = false; drawFit(); steer(); for (const b of document.querySelectorAll(".steps button")) b.disabled = false; }
function take(found) { fit = found; handles = [...found.corners, ...found.bar_edges].map((p) => [...p]); good = { light: false, start: 0, throws: [] }; }

function drawFit() {
  const svg = $("over"), [w, h] = fit?.size || setup?.picture || [1280, 720];
  svg.replaceChildren();
  svg.setAttribute("viewBox", `0 0 ${w} ${h}`);
  if (!handles) return;
  const u = w / 640, line = (points, cls, close) => el(close ? "polygon" : "polyline", { points: points.map((p) => p.join(",")).join(" "), class: cls, fill: "none" }, svg);
  if (fit) {
    line(fit.outline, "outline", true);
    for (const a of fit.axes) line(a, "axis");
    if ($("show-rings").checked) for (const r of fit.rings) line(r.ring, `ring ${r.side}`, true);
    for (const n of fit.numbers) el("text", { x: n.at[0], y: n.at[1] + 4 * u, "text-anchor": "middle", "font-size": 11 * u, class: "number" }, svg, n.point);
  }
  line(handles.slice(0, 4), "draft", true);
  line(handles.slice(4), "draft", true);
  handles.forEach(([x, y], i) => {
    const g = el("g", { class: "handle", tabindex: 0, role: "button", "aria-label": `${NAMES[i]}, ${Math.round(x)} ${Math.round(y)}; arrow keys move it`, "data-handle": i }, svg);
    el("circle", { cx: x, cy: y, r: 20 * u, class: "grip" }, g);
    if (i < 4) el("circle", { cx: x, cy: y, r: 7 * u }, g); else el("rect", { x: x - 6 * u, y: y - 6 * u, width: 12 * u, height: 12 * u }, g);
    g.addEventListener("pointerdown", (e) => grab(e, i));
    g.addEventListener("keydown", (e) => {
      const d = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
      if (!d) return;
      e.preventDefault();
      move(i, x + d[0] * (e.shiftKey ? 10 : 1), y + d[1] * (e.shiftKey ? 10 : 1));
      $("over").querySelector(`[data-handle="${i}"]`).focus();
      clearTimeout(grab.later);
      grab.later = setTimeout(sendFit, 700);
    });
  });
}
let held = -1;
function move(i, x, y) {
  handles[i] = [x, y];
  if (i > 3) barByHand = true;
  const f = fit;
  fit = null; // the old fit no longer holds while a handle moves
  drawFit();
  fit = f;
}
function grab(e, i) {
  if (busy) return;
  e.preventDefault();
  const svg = $("over"), point = (v) => { const p = new DOMPoint(v.clientX, v.clientY).matrixTransform(svg.getScreenCTM().inverse()); return [p.x, p.y]; };
  const [px, py] = point(e), dx = handles[i][0] - px, dy = handles[i][1] - py;
  held = i;
  svg.setPointerCapture(e.pointerId);
  const drag = (v) => { const [x, y] = point(v); move(i, x + dx, y + dy); magnify(); };
  const drop = () => {
    svg.removeEventListener("pointermove", drag); svg.removeEventListener("pointerup", drop); svg.removeEventListener("pointercancel", drop);
    held = -1; $("lens").hidden = true; sendFit();
  };
  svg.addEventListener("pointermove", drag); svg.addEventListener("pointerup", drop); svg.addEventListener("pointercancel", drop);
  magnify();
}
// A finger hides what it points at: three times as large, in the corner that is farthest away.
function magnify() {
  const lens = $("lens"), img = $("picture");
  if (held < 0 || !img.naturalWidth) return;
  const [w, h] = fit?.size || setup.picture, [x, y] = handles[held], s = img.naturalWidth / w, c = lens.getContext("2d");
  lens.hidden = false;
  lens.classList.toggle("right", x < w / 2);
  c.fillStyle = "#000";
  c.fillRect(0, 0, 150, 150);
  c.drawImage(img, x * s - 25, y * s - 25, 50, 50, 0, 0, 150, 150);
  c.strokeStyle = "#ff8c1a";
  c.lineWidth = 2;
  c.beginPath();
  c.moveTo(75, 0); c.lineTo(75, 66); c.moveTo(75, 84); c.lineTo(75, 150); c.moveTo(0, 75); c.lineTo(66, 75); c.moveTo(84, 75); c.lineTo(150, 75);
  c.stroke();
}
function byHand() {
  const [w, h] = fit?.size || setup.picture || [1280, 720];
  if (!handles) handles = [[0.2, 0.15], [0.8, 0.15], [0.8, 0.85], [0.2, 0.85], [0.47, 0.15], [0.53, 0.15], [0.53, 0.85], [0.47, 0.85]].map(([x, y]) => [x * w, y * h]);
  drawFit();
  $("found").textContent = "Drag the four circles to the corners of the playing field (where the points end, trays left out).";
}

// ------------------------------------------------------------------------- looking again and again
let looking = 0, last = Promise.resolve();
async function look() {
  const step = at, mine = ++looking;
  const what = { 2: lightStep, 3: startStep, 4: diceStep }[step];
  while (what && at === step && mine === looking) {
    // The set-up does one thing at a time: wait for what the step before asked last.
    if (!document.hidden) await (last = last.then(() => (at === step && mine === looking ? what() : null), () => null));
    await new Promise((r) => setTimeout(r, step === 2 ? 2500 : 1500));
  }
}
function mark(li, ok, text) { li.className = ok ? "good" : "bad"; li.textContent = `${ok ? "✓" : "✕"} ${text}`; return li; }
async function lightStep() {
  const a = await ask("/api/setup/check", {});
  if (a.error) { $("light-word").textContent = a.error; return; }
  $("checks").replaceChildren(...a.checks.map((c) => mark(document.createElement("li"), c.good, c.words)));
  good.light = a.checks.every((c) => c.good);
  $("light-word").textContent = good.light ? "Everything is fine." : "Put it right if you can; it is looked at again and again.";
  steer();
}
function drawStart(ticks) { $("start-board").replaceChildren(drawBoard({ position: START }, { ...seating(), ticks })); }
async function startStep() {
  const a = await ask("/api/setup/start", {});
  if (a.error) { $("start-word").textContent = a.error; return; }
  good.start = a.good;
  drawStart(a.ticks);
  const wrong = a.ticks.filter((t) => !t.good).map((t) => `point ${t.point}: ${t.expected ? `${Math.abs(t.expected)} ${t.expected > 0 ? "light" : "dark"}` : "nothing"} expected, ${t.seen ? `${Math.abs(t.seen)} ${t.seen > 0 ? "light" : "dark"}` : "nothing"} seen`);
  $("start-word").textContent = a.good === 24 ? `✓ All 24 points are right. ${a.learned ? "The colours are learned." : "Learning the colours…"}` : `${a.good} of 24 points are right. ${wrong.slice(0, 3).join("; ")}${wrong.length > 3 ? "; …" : ""}.`;
  steer();
}
let before = "";
async function diceStep() {
  const a = await ask("/api/setup/dice", {});
  if (a.error) { $("dice-now").textContent = a.error; return; }
  const flat = a.dice.filter((d) => d.value && !d.cocked), key = flat.map((d) => `${d.value}@${Math.round(d.x / 12)},${Math.round(d.y / 12)}`).sort().join(" ");
  $("dice-now").textContent = a.dice.length ? `Seen: ${a.dice.map((d) => (d.cocked ? "a cocked die" : d.value || "?")).join(" and ")}` : "No dice seen yet.";
  // Seen the same twice: it lies still.
  if (flat.length >= 2 && key === before && !good.throws.some((t) => t.key === key) && good.throws.length < 2) good.throws.push({ key, words: flat.map((d) => d.value).join("-") });
  before = key;
  $("throws").replaceChildren(...[0, 1].map((i) => mark(document.createElement("li"), !!good.throws[i], `throw ${i + 1}: ${good.throws[i] ? good.throws[i].words : "not yet"}`)));
  steer();
}

// ------------------------------------------------------------------------------------------------ saving
function summary() {
  const rows = [["Set", $("profile").selectedOptions[0].textContent], ["Rules", $("rules").selectedOptions[0].textContent], ["Players", `${$("light_name").value} (light), ${$("dark_name").value} (dark)`], ["Match", Number($("match_length").value) ? `to ${$("match_length").value}` : "no match"], ["Board", fit ? (fit.how === "corners" ? "set by hand" : "found by itself, and looked for again at every start") : "as before"], ["Starting position", `${good.start} of 24 points`], ["Dice", `${good.throws.length} of 2 throws seen`]];
  $("summary").replaceChildren(...rows.flatMap(([k, v]) => { const dt = document.createElement("dt"), dd = document.createElement("dd"); dt.textContent = k; dd.textContent = v; return [dt, dd]; }));
}
async function save() {
  $("save").disabled = true;
  const a = await ask("/api/setup/save", { ...choices(), rules: $("rules").value, match_length: Number($("match_length").value), light_name: $("light_name").value, dark_name: $("dark_name").value });
  $("save").disabled = false;
  $("saved").textContent = a.error || "Saved. Going to the live view…";
  if (!a.error) setTimeout(() => { location.href = "/"; }, 900);
}

async function begin() {
  setup = await ask("/api/setup");
  if (setup.error === AWAY) { setTimeout(begin, 3000); return; }
  if (setup.error) { fault(setup.error); return; }
  const fill = (select, list, chosen) => select.replaceChildren(...list.map((o) => new Option(o.title, o.name, false, o.name === chosen)));
  fill($("profile"), setup.profiles, setup.board.profile);
  fill($("rules"), setup.rules, setup.game.rules);
  for (const key of ["light_name", "dark_name", "match_length"]) $(key).value = setup.game[key];
  for (const key of ["near", "home"]) document.querySelector(`[name=${key}][value=${setup.board[key]}]`).checked = true;
  if (setup.found) take(setup.found);
  $("game").addEventListener("submit", (e) => { e.preventDefault(); show(1); });
  for (const e of document.querySelectorAll("#profile, [name=near], [name=home]")) e.addEventListener("change", () => { fit = null; });
  $("find").addEventListener("click", find);
  $("turn").addEventListener("click", turn);
  $("by-hand").addEventListener("click", byHand);
  $("show-rings").addEventListener("change", drawFit);
  $("next").addEventListener("click", () => { if (at > 0 || $("game").reportValidity()) show(at + 1); });
  $("back").addEventListener("click", () => show(at - 1));
  $("save").addEventListener("click", save);
  addEventListener("pagehide", leaveDice);
  show(0);
  pictures();
}
begin();
