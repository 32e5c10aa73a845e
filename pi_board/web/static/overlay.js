// Score, clock, dice and the last play, for a stream. Whoever is asked for nothing can be in the way of nobody.
const $ = (id) => document.getElementById(id);
const NS = "http://www.w3.org/2000/svg";
const PIPS = { 1: [[0, 0]], 2: [[-1, -1], [1, 1]], 3: [[-1, -1], [0, 0], [1, 1]], 4: [[-1, -1], [-1, 1], [1, -1], [1, 1]], 5: [[-1, -1], [-1, 1], [0, 0], [1, -1], [1, 1]], 6: [[-1, -1], [-1, 0], [-1, 1], [1, -1], [1, 0], [1, 1]] };
let since = null;

function die(value, side) {
  const svg = document.createElementNS(NS, "svg"), dark = side === "dark";
  const put = (kind, at) => { const e = document.createElementNS(NS, kind); for (const k in at) e.setAttribute(k, at[k]); svg.append(e); };
  svg.setAttribute("viewBox", "0 0 34 34");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", String(value));
  put("rect", { x: 1, y: 1, width: 32, height: 32, rx: 6, fill: dark ? "#22252a" : "#fbf7ee", stroke: "#b4b9c0" });
  for (const [a, b] of PIPS[value] || []) put("circle", { cx: 17 + 9 * a, cy: 17 + 9 * b, r: 3.2, fill: dark ? "#fbf7ee" : "#22252a" });
  return svg;
}
function words(parent, list) {
  parent.replaceChildren(...list.filter(([, text]) => text !== "").map(([name, text]) => Object.assign(document.createElement("span"), { className: name, textContent: text })));
}
function clock() {
  const s = Math.floor((Date.now() - since) / 1000);
  $("clock").textContent = since === null ? "" : `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
}
const minutes = (s) => `${s < 0 ? "−" : ""}${Math.floor(Math.abs(s) / 60)}:${String(Math.abs(s) % 60).padStart(2, "0")}`;
let turn = "";
function show(v) {
  $("bar").hidden = Boolean(v.solitaire);
  if (v.solitaire) {
    const s = v.solitaire;
    $("last").hidden = false;
    $("last").textContent = [s.name, `${s.pieces} pieces`, s.last].filter(Boolean).join(" · ");
    return;
  }
  ["light", "dark"].forEach((side, i) => {
    words($(side), [["disc", side === "light" ? "●" : "○"], ["name", v.names[i]], ["pips", v.pips ? `${v.pips[i]} pips` : ""], ["cube", v.cube_owner === side ? `[${v.cube}]` : ""], ["time", v.clock ? minutes(v.clock[side]) : ""], ["points", v.score[i]]]);
    $(side).classList.toggle("runs", Boolean(v.clock && v.clock.running && v.clock.side === side));
    $(side).classList.toggle("turn", v.side === side);
  });
  $("match").textContent = `${v.match_length ? `to ${v.match_length}` : "money"}${v.crawford_game ? " · Crawford" : ""}`;
  // How long this turn has lasted, as far as this page has seen it.
  const key = v.side && v.phase !== "over" ? `${v.game} ${v.side} ${(v.last_plays || []).length} ${JSON.stringify((v.last_plays || []).at(-1))}` : "";
  if (key !== turn) { turn = key; since = key ? Date.now() : null; }
  $("dice").replaceChildren(...(v.dice || []).map((n) => die(n, v.side)));
  const last = (v.last_plays || []).at(-1), wrong = v.verdict === "red";
  const said = wrong ? v.message : last ? `${v.names[last[0] === "light" ? 0 : 1]} ${last[1]}: ${last[2] || "no play"}` : "";
  $("last").hidden = !said;
  $("last").classList.toggle("wrong", wrong);
  if ($("last").textContent !== said) $("last").textContent = said;
  clock();
  // Where the players have clocks, how long the turn has lasted is no news.
  $("clock").hidden = Boolean(v.clock);
}
function listen() {
  const source = new EventSource("/api/events");
  source.addEventListener("view", (e) => { const v = JSON.parse(e.data); if (v.names) show(v); });
  // The last state stays in the picture until the board is there again.
  source.onerror = () => { if (source.readyState === EventSource.CLOSED) setTimeout(listen, 3000); };
}
setInterval(clock, 1000);
listen();
