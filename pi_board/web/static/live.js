import { drawBoard, playArrows } from "./board.js";
import { $, AWAY, ask, mark, safely, showRole } from "./page.js";
import { drawHoles, showSolitaire as drawSolitaire } from "./solitaire.js";

let view = null, role = "spectator", settings = { near: "light", home: "right" };

async function post(path, body) { $("answer").textContent = (await ask(path, body)).error || ""; }

// The board as this device wants it: turned round, the other player sits below and bears off to the other hand.
function seating() {
  if (!$("turned").checked) return settings;
  return { near: settings.near === "light" ? "dark" : "light", home: settings.home === "right" ? "left" : "right" };
}
let hint = null;
const showBoard = safely("board", () => {
  const at = JSON.stringify([view.position, view.dice]);
  if (hint && hint.at !== at) { hint = null; $("advice").hidden = true; }
  const wrong = view.expected && (view.verdict === "red" || view.verdict === "amber");
  const last = (view.last_plays || []).at(-1), [side, , play] = Array.isArray(last) ? last : [];
  const arrows = wrong ? [] : hint ? hint.moves.map((m) => ({ move: m, side: hint.side, kind: "advice" })) : playArrows(side, play);
  const lies = wrong ? view.seen || view.position : view.position;
  $("board").replaceChildren(drawBoard({ ...view, position: lies }, { ...seating(), arrows, wanted: wrong ? view.expected : null }));
});

// The one or two things that can sensibly be done now stand under the verdict; everything else is behind "More actions".
const NOW = { roll: ["ask-hint", "double"], play: ["ask-hint"], played: ["end-turn", "take-back"], illegal: ["stands", "correct"], doubled: ["take", "pass"], resigned: ["accept", "refuse"], paused: ["go-on"], over: ["new-game"] };
const ONLY = { take: "doubled", pass: "doubled", accept: "resigned", refuse: "resigned", "go-on": "paused" };
const homes = new Map();
const showActions = safely("actions", () => {
  let now = view.question ? [] : NOW[view.phase] || [];
  if (!view.question && view.verdict === "amber" && view.expected) now = ["stands", "correct"];
  // Whoever is to roll may ask about the play before, and nobody is offered a hint that the players have locked.
  if (view.mode === "responsible" && view.phase === "roll" && !view.question) now = ["challenge", ...now];
  if (view.mode === "recorder") now = now.filter((id) => id !== "stands");
  if (view.hints_locked) now = now.filter((id) => id !== "ask-hint");
  $("challenge").hidden = view.mode !== "responsible";
  $("ask-hint").hidden = Boolean(view.hints_locked);
  if (view.solitaire) now = view.question ? [] : [view.solitaire.state === "wrong" ? "stands" : "ask-hint"];
  for (const [id, phase] of Object.entries(ONLY)) $(id).hidden = view.phase !== phase;
  $("pause").hidden = view.phase === "paused";
  const there = [...$("now").children].map((b) => b.id);
  if (there.join() === now.join()) return;
  for (const id of there) { homes.get(id).replaceWith($(id)); $(id).classList.remove("main"); homes.delete(id); }
  for (const id of now) {
    const home = document.createComment(id);
    homes.set(id, home);
    $(id).replaceWith(home);
    $("now").append(home.ownerDocument.adoptNode(buttons[id]));
    buttons[id].classList.toggle("main", id === now[0]);
  }
});
const buttons = Object.fromEntries([...document.querySelectorAll("#more button[id]")].map((b) => [b.id, b]));
const showVerdict = safely("verdict", () => {
  const v = $("verdict");
  v.dataset.verdict = view.verdict;
  const word = { green: "✓ ", amber: "? ", red: "✕ ", none: "" }[view.verdict] || "";
  const text = word + (view.message || "");
  if (v.textContent !== text) { v.textContent = text; speak(text); }
  $("question").textContent = view.question || "";
  $("answers").hidden = !view.question || role !== "player";
});
const minutes = (s) => `${s < 0 ? "−" : ""}${Math.floor(Math.abs(s) / 60)}:${String(Math.abs(s) % 60).padStart(2, "0")}`;
const showClocks = safely("clocks", () => {
  const clock = view.clock;
  $("clocks").hidden = !clock || Boolean(view.solitaire);
  if (!clock) return;
  for (const [i, side] of ["light", "dark"].entries()) {
    const box = $(`clock-${side}`);
    box.textContent = `${mark(side)} ${minutes(clock[side])}`;
    box.setAttribute("aria-label", `${view.names[i]}: ${minutes(clock[side])} left`);
    box.className = [clock.side === side ? (clock.running ? "runs" : "stands") : "", clock[side] <= 0 ? "out" : ""].join(" ").trim();
  }
});
const showPlayers = safely("score", () => {
  const body = $("players");
  body.replaceChildren();
  ["light", "dark"].forEach((side, i) => {
    const row = body.insertRow();
    row.className = view.side === side ? "turn" : "";
    row.insertCell().textContent = view.side === side ? "▶" : "";
    row.insertCell().textContent = `${mark(side)} ${view.names[i]}`;
    row.insertCell().textContent = view.score[i];
    row.insertCell().textContent = view.pips ? view.pips[i] : "";
    row.insertCell().textContent = view.cube_owner === side ? view.cube : "";
  });
  $("facts").textContent = `Game ${view.game} · ${view.match_length ? "match to " + view.match_length : "money game"}${view.crawford_game ? " · Crawford" : ""} · ${view.rules}${view.dice ? " · dice " + view.dice.join("-") : ""}${view.cube_owner ? "" : " · cube in the middle"}`;
});
const showPlays = safely("list of plays", () => {
  const list = $("plays");
  list.replaceChildren(...(view.last_plays || []).slice(-8).reverse().map(([side, dice, play]) => {
    const li = document.createElement("li");
    li.textContent = `${mark(side)} ${dice}: ${play || "no play"}`;
    return li;
  }));
});
const showExpected = safely("expected position", () => {
  const box = $("expected"), both = view.expected && view.position;
  box.hidden = !both;
  if (!both) return;
  const lies = (view.seen || view.position).points;
  const ticks = view.expected.points.flatMap((n, i) => (n === lies[i] ? [] : [{ point: i + 1, good: false }]));
  $("expected-board").replaceChildren(drawBoard({ ...view, position: view.expected, dice: null }, { ...seating(), ticks }));
  // Often the large board shows already what is seen.
  const other = view.seen && JSON.stringify(view.seen) !== JSON.stringify(view.position);
  $("seen-box").hidden = !other;
  $("seen-board").replaceChildren(other ? drawBoard({ ...view, position: view.seen, dice: null }, seating()) : "");
});
const showEvidence = safely("pictures of the play", () => {
  const red = view.phase === "illegal" && view.pictures;
  for (const f of document.querySelectorAll("#expected .picture")) f.hidden = !red;
  if (!red || $("before").dataset.n === String(view.pictures)) return;
  // The number only tells the browser that these are other pictures than the last ones.
  for (const one of ["before", "after"]) { $(one).dataset.n = view.pictures; $(one).src = `/api/${one}.jpg?n=${view.pictures}`; }
  $("clip").hidden = true;
  $("clip").src = "data:,";
  $("clip-word").textContent = "";
});
function playClip() {
  const clip = $("clip");
  clip.hidden = false;
  $("clip-word").textContent = "";
  clip.onerror = () => { if (clip.src.includes("/api/clip")) { clip.hidden = true; $("clip-word").textContent = "No clip has been kept of this."; } };
  clip.src = `/api/clip?t=${Date.now()}`;
}
function showAll() {
  const b = $("banner");
  b.hidden = !view.banner;
  b.textContent = view.banner || "";
  // Only where there is a club.
  $("director").hidden = view.director === undefined || view.director === null;
  $("director").textContent = view.director === "called" ? "Director not needed any more" : "Call the director";
  document.body.dataset.game = view.solitaire ? "solitaire" : "backgammon";
  showVerdict(); showActions();
  if (view.solitaire) showSolitaire(view.solitaire);
  else { showBoard(); showClocks(); showPlayers(); showPlays(); showExpected(); }
  showEvidence();
  document.body.dataset.phase = view.phase;
}

const showSolitaire = safely("board", drawSolitaire);

const showHint = safely("hint", (found) => {
  const box = $("hint");
  $("advice").hidden = false;
  box.replaceChildren();
  hint = { side: found.side, moves: found.lines[0]?.moves || [], at: JSON.stringify([view?.position, view?.dice]) };
  if (view) showBoard();
  if (found.cube) { box.insertRow().insertCell().textContent = `${found.side}: ${found.cube}`; return; }
  for (const line of found.lines) {
    const row = box.insertRow();
    row.insertCell().textContent = line.play;
    row.insertCell().textContent = (line.equity >= 0 ? "+" : "") + line.equity.toFixed(3);
    row.insertCell().textContent = (100 * line.win).toFixed(0) + " %";
  }
});
const showCoach = safely("coach", (c) => {
  $("advice").hidden = false;
  $("coach").textContent = c.grade === "fine" ? `${c.play}: fine` : `${c.play}: ${c.grade} (${c.loss.toFixed(3)}); ${c.best} was better. ${c.words}`;
});

const speak = safely("voice", (text) => {
  if (!$("voice").checked || !window.speechSynthesis || !text) return;
  speechSynthesis.cancel();
  speechSynthesis.speak(new SpeechSynthesisUtterance(text.replace(/^[✓?✕] /, "")));
});
let audio = null;
const beep = safely("sound", () => {
  if (!$("sound").checked) return;
  audio = audio || new AudioContext();
  const o = audio.createOscillator(), g = audio.createGain();
  o.frequency.value = 440; g.gain.value = 0.15;
  o.connect(g).connect(audio.destination); o.start(); o.stop(audio.currentTime + 0.3);
});

function listen() {
  const source = new EventSource("/api/events");
  source.onopen = () => {
    // Who looks, and from which side, is not known yet to a page that was opened while the board was away.
    if (!known) learn();
    if ($("answer").textContent === AWAY) $("answer").textContent = "";
    if (!$("offline").hidden && $("show-camera").checked) $("camera").src = `/api/video?again=${Date.now()}`;
    $("offline").hidden = true;
  };
  source.addEventListener("view", (e) => { const v = JSON.parse(e.data); $("offline").hidden = true; if (v.names) { view = v; showAll(); } });
  source.addEventListener("news", (e) => {
    const item = JSON.parse(e.data);
    if (item.kind === "hint") showHint(item.hint);
    if (item.kind === "coach") showCoach(item.coach);
    if (item.kind === "event" && ["play_illegal", "jump_illegal"].includes(item.event.type)) beep();
    if (item.kind === "event" && ["refused", "noticed"].includes(item.event.type)) $("answer").textContent = item.event.reason;
  });
  source.onerror = () => {
    $("offline").hidden = false;
    // The browser tries again by itself, except after a refusal.
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, 3000);
  };
}

// ------------------------------------------------------------------ correcting the position by tapping
let draft = null, brush = "light";
function redraw() {
  if (view.solitaire) {
    $("edit-board").replaceChildren(drawHoles(draft, { tap: tapHole }));
    $("count-light").textContent = `${draft.filter((h) => h).length} pieces`;
    $("count-dark").textContent = "";
    $("edit-save").disabled = !draft.includes(1);
    return;
  }
  $("edit-board").replaceChildren(drawBoard({ position: draft }, { ...seating(), tap }));
  for (const side of ["light", "dark"]) {
    const s = side === "light" ? 1 : -1;
    const on = draft.points.reduce((a, n) => a + Math.max(0, s * n), 0) + draft.bar[side] + draft.off[side];
    $(`count-${side}`).textContent = `${side}: ${on} of 15`;
    if (on !== 15) $("edit-save").disabled = true;
  }
  const total = ["light", "dark"].every((side) => $(`count-${side}`).textContent.includes(" 15 of 15"));
  $("edit-save").disabled = !total;
}
function tap(slot) {
  const s = brush === "light" ? 1 : -1;
  if (slot === "bar" || slot === "off") draft[slot][brush === "less" ? "light" : brush] = Math.max(0, (draft[slot][brush === "less" ? "light" : brush] + (brush === "less" ? -1 : 1)));
  else {
    const n = draft.points[slot - 1];
    if (brush === "less") draft.points[slot - 1] = n - Math.sign(n);
    else draft.points[slot - 1] = n * s < 0 ? s : n + s;
  }
  redrawInPlace();
}
function tapHole(i) { draft[i] = 1 - draft[i]; redrawInPlace(); }
function redrawInPlace() {
  // The board is drawn anew: whoever works with the keyboard stays where he was.
  const place = document.activeElement?.getAttribute("aria-label");
  redraw();
  if (place) $("edit-board").querySelector(`[aria-label="${place}"]`)?.focus();
}
const openEdit = safely("correction", () => {
  const s = view.solitaire;
  draft = s ? [...(s.seen.length ? s.seen : s.holes)] : structuredClone(view.seen || view.position || { points: Array(24).fill(0), bar: { light: 0, dark: 0 }, off: { light: 0, dark: 0 } });
  $("edit-side").value = "";
  $("edit").showModal();
  redraw();
});

function wire() {
  for (const b of document.querySelectorAll("[data-press]")) b.addEventListener("click", () => post("/api/press", { word: b.dataset.press }));
  for (const b of document.querySelectorAll("[data-command]")) b.addEventListener("click", () => {
    if (b.dataset.sure && !confirm(b.dataset.sure)) return;
    post("/api/command", JSON.parse(b.dataset.command));
  });
  $("yes").addEventListener("click", () => post("/api/command", { type: "answer", yes: true }));
  $("no").addEventListener("click", () => post("/api/command", { type: "answer", yes: false }));
  $("set-dice").addEventListener("click", () => post("/api/command", { type: "set_dice", dice: [Number($("die1").value), Number($("die2").value)] }));
  $("resign").addEventListener("click", () => { if (view && view.side && confirm(`${view.side} resigns?`)) post("/api/command", { type: "resign", side: view.side, kind: Number($("resign-kind").value) }); });
  $("correct").addEventListener("click", openEdit);
  for (const r of document.querySelectorAll("[name=brush]")) r.addEventListener("change", () => { brush = r.value; });
  $("edit-save").addEventListener("click", () => { const side = $("edit-side").value; post("/api/command", view.solitaire ? { type: "set_holes", holes: draft } : { type: "set_position", position: draft, ...(side ? { side } : {}) }); $("edit").close(); });
  $("edit-close").addEventListener("click", () => $("edit").close());
  $("turned").checked = localStorage.getItem("turned") === "yes";
  $("turned").addEventListener("change", (e) => { localStorage.setItem("turned", e.target.checked ? "yes" : ""); if (view) showAll(); });
  $("play-clip").addEventListener("click", playClip);
  $("full").addEventListener("click", () => {
    const on = document.body.classList.toggle("projector");
    $("full").textContent = on ? "Leave full screen" : "Full screen";
    if (on) document.documentElement.requestFullscreen?.().catch(() => {}); else if (document.fullscreenElement) document.exitFullscreen();
  });
  // Escape leaves the large view too.
  document.addEventListener("fullscreenchange", () => { if (!document.fullscreenElement && document.body.classList.contains("projector")) $("full").click(); });
  $("show-camera").addEventListener("change", (e) => { const i = $("camera"); i.hidden = !e.target.checked; i.src = e.target.checked ? "/api/video" : "data:,"; });
}

let known = false;
async function learn() {
  const s = await ask("/api/state");
  if (s.error) $("offline").hidden = false;
  else {
    known = true;
    role = s.role;
    if (s.near) settings = { near: s.near, home: s.home };
    showRole(role);
    if (s.view && s.view.names) { view = s.view; showAll(); performance.mark("usable"); }
  }
}
async function begin() { wire(); await learn(); listen(); }
begin();
