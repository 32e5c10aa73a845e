// The 37-hole game in the live view: its board, how it stands, and setting the position by tapping holes.
import { el } from "./board.js";
import { $, add } from "./page.js";

const ROWS = [3, 5, 7, 7, 7, 5, 3], STEP = 60, SIDE = 7.8 * STEP;
const PLACES = ROWS.flatMap((n, row) => Array.from({ length: n }, (_, i) => [(7 - n) / 2 + i, row]));
const numbers = (holes, value) => holes.flatMap((h, i) => (h === value ? [i + 1] : []));

export function describe(holes) {
  const empty = numbers(holes, 0), full = numbers(holes, 1);
  return `${full.length} pieces. ${full.length < empty.length ? "Pieces on " + full.join(", ") : "Empty: " + empty.join(", ")}`;
}

// how: {wanted: the holes as they should be, hint: "17-19", last: "5-18-20", tap(index)}
export function drawHoles(holes, how = {}) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${SIDE} ${SIDE}`);
  svg.setAttribute("role", how.tap ? "group" : "img");
  svg.setAttribute("aria-label", "Board. " + describe(holes));
  el("rect", { x: 2, y: 2, width: SIDE - 4, height: SIDE - 4, rx: 24, fill: "var(--field)", stroke: "var(--line)" }, svg);
  const at = (i) => PLACES[i].map((v) => (v + 0.9) * STEP);
  const jumped = (how.last || "").split("-").map(Number), next = (how.hint || "").split("-").map(Number);
  holes.forEach((h, i) => {
    const [x, y] = at(i);
    el("circle", { cx: x, cy: y, r: 21, fill: h ? "#22252a" : "var(--field)", stroke: h ? "#b4b9c0" : "var(--ink)", "stroke-width": h ? 2 : 1.5, class: h ? "piece" : "hole" }, svg);
    el("text", { x, y: y + 5, "text-anchor": "middle", "font-size": 14, fill: h ? "#fbf7ee" : "var(--ink)" }, svg, i + 1);
    if (jumped.includes(i + 1) && !how.wanted) el("circle", { cx: x, cy: y, r: 25, fill: "none", stroke: "var(--ink)", "stroke-width": 1.5, class: "last" }, svg);
  });
  if (next.length === 2) {
    const [a, b] = [at(next[0] - 1), at(next[1] - 1)];
    el("line", { x1: a[0], y1: a[1], x2: b[0], y2: b[1], stroke: "#2b6cd4", "stroke-width": 7, "stroke-linecap": "round", class: "next" }, svg);
    el("circle", { cx: b[0], cy: b[1], r: 12, fill: "#2b6cd4" }, svg);
  }
  (how.wanted || []).forEach((h, i) => {
    if (h === holes[i]) return;
    const [x, y] = at(i);
    // Told apart without colour: a cross on a piece that must go, a broken ring where one is missing.
    el("circle", { cx: x, cy: y, r: 25, fill: "none", stroke: "#b3261e", "stroke-width": 4, ...(h ? { "stroke-dasharray": "9 6" } : {}), class: h ? "missing" : "wrong" }, svg);
    if (!h) el("path", { d: `M${x - 14},${y - 14} l28,28 m0,-28 l-28,28`, stroke: "#ff6b60", "stroke-width": 5 }, svg);
  });
  if (how.tap) holes.forEach((h, i) => {
    const [x, y] = at(i);
    const c = el("circle", { cx: x, cy: y, r: 28, fill: "transparent", tabindex: 0, role: "checkbox", "aria-checked": h ? "true" : "false", "aria-label": `hole ${i + 1}` }, svg);
    c.style.cursor = "pointer";
    c.addEventListener("click", () => how.tap(i));
    c.addEventListener("keydown", (k) => { if (k.key === "Enter" || k.key === " ") { k.preventDefault(); how.tap(i); } });
  });
  return svg;
}

export function showSolitaire(s) {
  const wrong = s.state === "wrong";
  $("board").replaceChildren(wrong ? drawHoles(s.seen, { wanted: s.holes }) : drawHoles(s.holes, s));
  const winnable = { true: "yes", false: "no", null: s.progress ? `not known yet: ${s.progress}` : "not known yet" }[s.winnable];
  const facts = [["Problem", s.name], ["Pieces left", s.state === "set_up" ? "" : s.pieces], ["Jumps", s.jumps || ""], ["Last jump", s.last], ["Can still be won", s.state === "play" || wrong ? winnable : ""], ["Next jump", s.hint ? `${s.hint} (leads to ${s.best})` : ""]];
  const list = $("solitaire-facts");
  list.replaceChildren();
  for (const [name, value] of facts) if (value !== "") { add("dt", list, name); add("dd", list, value); }
  $("plays").replaceChildren(...s.line.slice(-12).reverse().map((jump) => add("li", null, jump)));
  $("expected").hidden = !wrong;
  $("seen-box").hidden = !wrong;
  if (!wrong) return;
  $("expected-board").replaceChildren(drawHoles(s.holes));
  $("seen-board").replaceChildren(drawHoles(s.seen));
}
