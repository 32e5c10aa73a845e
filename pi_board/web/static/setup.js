import { drawBoard, el } from "./board.js";
import { $, AWAY, START, add, ask as askServer, fault, showRole } from "./page.js";

const sections = [...document.querySelectorAll(".step")];
const NAMES = ["far left corner", "far right corner", "near right corner", "near left corner", "far left edge of the bar", "far right edge of the bar", "near right edge of the bar", "near left edge of the bar"];
let at = 0, setup = null, fit = null, handles = null, barByHand = false, seatedByHand = false, busy = false, mine = false, good = { light: false, start: 0, throws: [] };
// This page, told apart from others of the same device; it stays the same when it is loaded again.
const who = sessionStorage.getItem("who") || Math.random().toString(36).slice(2, 14);
sessionStorage.setItem("who", who);

async function ask(path, body) {
  const a = await askServer(path, body && { ...body, who });
  fault(a.error === AWAY ? a.error : "");
  return a;
}

// ------------------------------------------------------------------------------------ whose set-up it is
// One device at a time does the set-up, and says every few seconds that it still does; how far it came is kept at the board.
async function hold(more = {}) {
  const a = await ask("/api/setup/hold", more);
  if (a.mine === undefined) { fault(a.error); return; }
  good = a.progress;
  const was = mine;
  mine = a.mine;
  if (!mine) elsewhere("Somebody else is setting up the board", `${a.holder || "Another device"} is doing it now, at the step “${a.progress.at}”. It goes on here as soon as that one leaves it.`, [], true);
  else if (!was) resume();
}
const typed = () => ({ rules: $("rules").value, match_length: Number($("match_length").value) || 0, light_name: $("light_name").value, dark_name: $("dark_name").value });
const say = () => hold({ at: sections[at].dataset.step, ...($("game").checkValidity() ? { game: typed() } : {}) });
async function resume() {
  const now = await ask("/api/setup");
  if (now.error) return;
  setup = now;
  good = setup.progress;
  for (const [key, value] of Object.entries({ ...setup.game, ...good.game })) $(key).value = value;
  for (const [key, value] of Object.entries(setup.match)) $(key).value = value;
  if (setup.found) adopt(setup.found);
  $("seating").hidden = !setup.found;
  $("seat").textContent = `${setup.board.near === "light" ? "Light" : "Dark"} sits at the bottom of the picture and bears off to the ${setup.board.home}.`;
  for (const key of ["near", "home"]) document.querySelector(`[name=${key}][value=${setup.board[key]}]`).checked = true;
  $("elsewhere").hidden = true;
  $("wizard").hidden = false;
  const n = sections.findIndex((e) => e.dataset.step === good.at);
  show(fit ? n : Math.min(1, n));
}
// A page for whoever has nothing to do in the wizard: what is so, and what can be done.
function elsewhere(title, text, ways = [], take = false) {
  if (!$("wizard").hidden) { looking++; $("wizard").hidden = true; }
  $("el").textContent = title;
  $("elsewhere-word").textContent = text;
  $("elsewhere-ways").replaceChildren(...ways.map((w) => add("li", null, w)));
  $("take-over").hidden = !take;
  $("elsewhere").hidden = false;
}

const radio = (name) => document.querySelector(`[name=${name}]:checked`)?.value;
const choices = () => ({ profile: $("profile").value, ...seating() });
const seating = () => ({ near: radio("near"), home: radio("home") });

// ------------------------------------------------------------------------------------------ steps
// The game rests while the dice are looked at, and goes on wherever one goes from there.
function leave(gone) {
  if (mine && (gone || at === 4)) fetch("/api/setup/leave", { method: "POST", keepalive: true, headers: { "content-type": "application/json" }, body: JSON.stringify({ gone, who }) }).catch(() => {});
}
function show(n) {
  if (n !== 4) leave(false);
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
  say();
  $("next").hidden = at === sections.length - 1;
  steer();
  sections[at].querySelector("h2").focus({ preventScroll: true });
  $("steps").children[at].scrollIntoView({ inline: "center", block: "nearest" });
  scrollTo(0, 0);
  if (at === 1) { drawFit(); if (!fit && !busy) find(); else if (!busy && !$("found").textContent) $("found").textContent = "Found before. Do the lines fit?"; }
  if (at === 3) drawStart([]);
  if (at === 5) summary();
  look();
}
function steer() {
  $("next").disabled = at === 1 && !fit;
  $("find").classList.toggle("main", !fit);
  const done = [true, !!fit, good.light, good.start === 24, good.throws.length >= 2][at];
  $("leave").hidden = at === 5 && !missing().length;
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
  if (a.seating) { seatAs(a.seating); $("seat").textContent = `${a.seating.words[0].toUpperCase()}${a.seating.words.slice(1)}${a.seating.known ? "." : "? Set up the starting position to have it seen, or turn it."}`; $("seating").hidden = false; }
  if (a.found) { adopt(a.found); barByHand = false; good = { ...good, light: false, start: 0, throws: [] }; $("found").textContent = `Found (${Math.round(100 * fit.confidence)} % sure). Do the lines fit?`; }
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
  if (a.found) { adopt(a.found); good = { ...good, light: false, start: 0, throws: [] }; $("found").textContent = "Set by hand. Do the lines fit?"; } else $("found").textContent = a.error;
  after();
}
function working(text) { busy = true; $("found").textContent = text; $("find").disabled = true; }
function after() { $("find").disabled = false; drawFit(); steer(); for (const b of document.querySelectorAll(".steps button")) b.disabled = false; }
function adopt(found) { fit = found; handles = [...found.corners, ...found.bar_edges].map((p) => [...p]); }

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
  const step = at, round = ++looking;
  const what = { 2: lightStep, 3: startStep, 4: diceStep }[step];
  while (what && at === step && round === looking) {
    // The set-up does one thing at a time: wait for what the step before asked last.
    if (!document.hidden) await (last = last.then(() => (at === step && round === looking ? what() : null), () => null));
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
  good.start = Math.max(good.start, a.good);
  drawStart(a.ticks);
  const wrong = a.ticks.filter((t) => !t.good).map((t) => `point ${t.point}: ${t.expected ? `${Math.abs(t.expected)} ${t.expected > 0 ? "light" : "dark"}` : "nothing"} expected, ${t.seen ? `${Math.abs(t.seen)} ${t.seen > 0 ? "light" : "dark"}` : "nothing"} seen`);
  $("start-word").textContent = a.good === 24 ? `✓ All 24 points are right. ${a.learned ? "The colours are learned." : "Learning the colours…"}` : `${a.good} of 24 points are right. ${wrong.slice(0, 3).join("; ")}${wrong.length > 3 ? "; …" : ""}.`;
  steer();
}
async function diceStep() {
  const a = await ask("/api/setup/dice", {});
  if (a.error) { $("dice-now").textContent = a.error; return; }
  good.throws = a.throws;
  $("dice-now").textContent = a.dice.length ? `Seen: ${a.dice.map((d) => (d.cocked ? "a cocked die" : d.value || "?")).join(" and ")}` : "No dice seen yet.";
  $("throws").replaceChildren(...[0, 1].map((i) => mark(document.createElement("li"), !!good.throws[i], `roll ${i + 1}: ${good.throws[i] || "not yet"}`)));
  steer();
}

// ------------------------------------------------------------------------------------------------ saving
// What no step has seen yet: [step, what is missing and what follows from it].
function missing() {
  return [
    [1, !fit && "The board has not been found: nothing can be refereed."],
    [2, !good.light && "Light and focus were not all fine: the referee may have to ask more often."],
    [3, good.start < 24 && `The starting position was right on ${good.start} of 24 points: the colours of the checkers are learned when the first game begins.`],
    [4, good.throws.length < 2 && `${good.throws.length} of 2 rolls were read: whether it can read these dice is not known.`],
  ].filter(([, text]) => text);
}
function summary() {
  const rows = [["Set", $("profile").selectedOptions[0].textContent], ["Rules", $("rules").selectedOptions[0].textContent], ["Players", `${$("light_name").value} (light), ${$("dark_name").value} (dark)`], ["Match", Number($("match_length").value) ? `to ${$("match_length").value}` : "no match"], ["Board", fit ? (fit.how === "corners" ? "set by hand" : "found by itself, and looked for again at every start") : "as before"], ["Light", good.light ? "fine" : "not fine, or not looked at"], ["Starting position", `${good.start} of 24 points`], ["Dice", `${good.throws.length} of 2 throws seen`]];
  const open = missing();
  $("s6").textContent = open.length ? "Not everything has been seen yet" : "All set";
  $("save-why").textContent = open.length ? "You can save and play all the same; what is missing may cost questions during the game." : "The settings are kept when the board is switched off.";
  $("missing").replaceChildren(...open.map(([n, text]) => {
    const li = mark(document.createElement("li"), false, `${text} `);
    add("button", li, `Go to ${sections[n].dataset.step}`, { type: "button" }).addEventListener("click", () => show(n));
    return li;
  }));
  $("save").textContent = open.length ? "Save and play all the same" : "Save and play";
  $("summary").replaceChildren(...rows.flatMap(([k, v]) => { const dt = document.createElement("dt"), dd = document.createElement("dd"); dt.textContent = k; dd.textContent = v; return [dt, dd]; }));
}
async function save() {
  $("save").disabled = true;
  const a = await ask("/api/setup/save", { ...choices(), mode: $("mode").value, clock: $("clock").value, rules: $("rules").value, match_length: Number($("match_length").value), light_name: $("light_name").value, dark_name: $("dark_name").value });
  $("save").disabled = false;
  $("saved").textContent = a.error || "Saved. Going to the live view…";
  if (!a.error) setTimeout(() => { location.href = "/"; }, 900);
}

async function begin() {
  const s = await askServer("/api/state");
  if (s.error === AWAY) { fault(AWAY); setTimeout(begin, 3000); return; }
  fault("");
  showRole(s.role);
  if (s.role === "spectator") {
    elsewhere("Setting up is for the players", "You came with the spectators' code: you can watch everything and change nothing.", ["Watch the game, full screen on a projector too.", "Step through the recorded games.", "To take part, ask a player for the players' code: it stands on the page “Devices”."]);
    return;
  }
  if (s.view?.solitaire) {
    elsewhere("This board sets itself up", "The 37-hole board is found by itself, at every start and whenever it was moved.", ["Put the pieces as a problem begins: the game starts when it is recognised.", "Nothing is recognised? The whole board must be in the picture (Live, “Show the camera's picture”), with light from more than one side.", "Still wrong? Live, “More actions”, “Correct the position…”.", "Backgammon again: begin the program with a backgammon set; the page “Set-up” then has its steps."]);
    return;
  }
  setup = await ask("/api/setup");
  if (setup.error === AWAY) { setTimeout(begin, 3000); return; }
  if (setup.error) { elsewhere("There is nothing to set up here", setup.error, []); return; }
  const fill = (select, list, chosen) => select.replaceChildren(...list.map((o) => new Option(o.title, o.name, false, o.name === chosen)));
  fill($("profile"), setup.profiles, setup.board.profile);
  fill($("rules"), setup.rules, setup.game.rules);
  $("game").addEventListener("submit", (e) => { e.preventDefault(); show(1); });
  for (const e of document.querySelectorAll("#profile, [name=near], [name=home]")) e.addEventListener("change", () => { fit = null; });
  $("find").addEventListener("click", find);
  $("turn").addEventListener("click", turn);
  $("by-hand").addEventListener("click", byHand);
  $("show-rings").addEventListener("change", drawFit);
  $("next").addEventListener("click", () => { if (at > 0 || $("game").reportValidity()) show(at + 1); });
  $("back").addEventListener("click", () => show(at - 1));
  $("save").addEventListener("click", save);
  $("take-over").addEventListener("click", () => hold({ take: true }));
  $("game").addEventListener("change", () => { if (mine) say(); });
  addEventListener("pagehide", () => leave(true));
  await hold();
  setInterval(() => { if (!document.hidden) hold(); }, 5000);
  pictures();
}
begin();
