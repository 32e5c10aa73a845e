// Draws a position as SVG. Shared by the live view, the correction dialog and the history.
const NS = "http://www.w3.org/2000/svg";
const CELL = 40, BAR = 44, M = 24, TRAY = 50, H = 12.2 * 40;

export function el(kind, at, parent, text) {
  const e = document.createElementNS(NS, kind);
  for (const k in at) e.setAttribute(k, at[k]);
  if (text !== undefined) e.textContent = text;
  parent.appendChild(e);
  return e;
}

const PIPS = { 1: [[0, 0]], 2: [[-1, -1], [1, 1]], 3: [[-1, -1], [0, 0], [1, 1]], 4: [[-1, -1], [-1, 1], [1, -1], [1, 1]], 5: [[-1, -1], [-1, 1], [0, 0], [1, -1], [1, 1]], 6: [[-1, -1], [-1, 0], [-1, 1], [1, -1], [1, 0], [1, 1]] };

export function describe(position) {
  const words = [];
  position.points.forEach((n, i) => { if (n) words.push(`${i + 1}: ${Math.abs(n)} ${n > 0 ? "light" : "dark"}`); });
  for (const side of ["light", "dark"]) {
    if (position.bar[side]) words.push(`bar: ${position.bar[side]} ${side}`);
    if (position.off[side]) words.push(`off: ${position.off[side]} ${side}`);
  }
  return words.join(", ");
}

// Moves of a play as written ("bar/22*/18 13/11(2)"), as arrows; from and to in the mover's numbering, 25 = bar, 0 = off.
export function playArrows(side, play) {
  const number = (w) => (/^bar$/i.test(w) ? 25 : /^off$/i.test(w) ? 0 : Number(w));
  return [...(play || "").matchAll(/(\w+\*?(?:\/\w+\*?)+)(?:\((\d)\))?/g)].flatMap(([, path]) => {
    const stops = path.replaceAll("*", "").split("/").map(number);
    return stops.some(Number.isNaN) ? [] : stops.slice(1).map((to, i) => ({ move: [stops[i], to], side, kind: "played" }));
  });
}

// view: {position, dice, side, cube, cube_owner}; how: {near, home, tap(slot), ticks, arrows, wanted}; slot: 1-24, "bar", "off";
// arrows: [{move: [from, to], side, kind: played | advice}]; wanted: a position: what lies there too much is ringed, what is missing is a ghost;
// ticks: [{point, good}], a green tick or a red cross at each point.
export function drawBoard(view, how = {}) {
  const near = how.near || "light", left = how.home === "left";
  const W = 2 * M + 12 * CELL + BAR + TRAY, T = 2 * M + H;
  const svg = document.createElementNS(NS, "svg");
  svg.setAttribute("viewBox", `0 0 ${W} ${T}`);
  svg.setAttribute("role", how.tap ? "group" : "img");
  const p = view.position;
  svg.setAttribute("aria-label", p ? "Board. " + describe(p) : "Board");
  if (!p) return svg;
  const x0 = M + (left ? TRAY : 0), y0 = M, y1 = M + H, field = 12 * CELL + BAR, my0 = (y0 + y1) / 2;
  el("rect", { x: x0, y: y0, width: field, height: H, fill: "var(--field)", stroke: "var(--line)" }, svg);
  el("rect", { x: x0 + 6 * CELL, y: y0, width: BAR, height: H, fill: "var(--bar)" }, svg);
  const tray = left ? M : x0 + field + 6;
  el("rect", { x: tray, y: y0, width: TRAY - 6, height: H, fill: "var(--bar)" }, svg);
  const place = (point) => {
    const own = near === "light" ? point : 25 - point, lower = own <= 12;
    let c = lower ? 12 - own : own - 13;
    if (left) c = 11 - c;
    return [x0 + (c + 0.5) * CELL + (c > 5 ? BAR : 0), lower, c];
  };
  const checker = (x, y, side) => el("circle", { cx: x, cy: y, r: CELL / 2 - 1, fill: side === "light" ? "#fbf7ee" : "#22252a", stroke: side === "light" ? "#22252a" : "#b4b9c0", "stroke-width": 1.4 }, svg);
  const stack = (x, base, d, n, side) => {
    for (let i = 0; i < Math.min(n, 5); i++) checker(x, base + d * (CELL / 2 + i * (CELL - 1)), side);
    if (n > 5) el("text", { x, y: base + d * (CELL / 2 + 4 * (CELL - 1)) + 6, "text-anchor": "middle", "font-size": 18, fill: side === "light" ? "#22252a" : "#fbf7ee" }, svg, n);
  };
  for (let q = 1; q <= 24; q++) {
    const [x, lower] = place(q), b = lower ? y1 : y0, t = lower ? y1 - 4.6 * CELL : y0 + 4.6 * CELL;
    el("polygon", { points: `${x - CELL / 2},${b} ${x + CELL / 2},${b} ${x},${t}`, fill: q % 2 ? "var(--odd)" : "var(--even)" }, svg);
    // Numbers as the player below counts them.
    el("text", { x, y: lower ? y1 + 17 : y0 - 7, "text-anchor": "middle", "font-size": 13, fill: "var(--ink)" }, svg, near === "light" ? q : 25 - q);
  }
  for (let q = 1; q <= 24; q++) {
    const n = p.points[q - 1], [x, lower] = place(q);
    if (n) stack(x, lower ? y1 : y0, lower ? -1 : 1, Math.abs(n), n > 0 ? "light" : "dark");
  }
  const middle = x0 + 6 * CELL + BAR / 2;
  // Where the i-th checker of a point lies; the tray and the bar are places too.
  const spot = (slot, side, i) => {
    const up = side === near;
    if (slot === "bar") return [middle, my0 + (up ? -1 : 1) * (24 + CELL / 2 + i * (CELL - 1))];
    if (slot === "off") return [tray + (TRAY - 6) / 2, up ? y1 - 20 : y0 + 20];
    const [x, lower] = place(slot);
    return [x, lower ? y1 - CELL / 2 - Math.min(i, 4) * (CELL - 1) : y0 + CELL / 2 + Math.min(i, 4) * (CELL - 1)];
  };
  if (how.wanted) {
    const slots = [...Array(24).keys()].map((i) => [i + 1, p.points[i], how.wanted.points[i]]);
    for (const [slot, lies, wanted] of slots) for (const side of ["light", "dark"]) {
      const s = side === "light" ? 1 : -1, a = Math.max(0, s * lies), b = Math.max(0, s * wanted);
      for (let i = b; i < a; i++) mark(spot(slot, side, i), "wrong", side);
      for (let i = a; i < b; i++) mark(spot(slot, side, i), "ghost", side);
    }
    for (const side of ["light", "dark"]) {
      for (let i = how.wanted.bar[side]; i < p.bar[side]; i++) mark(spot("bar", side, i), "wrong", side);
      for (let i = p.bar[side]; i < how.wanted.bar[side]; i++) mark(spot("bar", side, i), "ghost", side);
    }
  }
  function mark([x, y], kind, side) {
    const at = { cx: x, cy: y, r: CELL / 2 - 2, fill: "none", class: kind, "stroke-width": 4 };
    if (kind === "wrong") { el("circle", { ...at, stroke: "#b3261e" }, svg); el("text", { x, y: y + 6, "text-anchor": "middle", "font-size": 18, "font-weight": 700, fill: "#b3261e", stroke: "#fff", "stroke-width": 3, "paint-order": "stroke" }, svg, "✕"); }
    else el("circle", { ...at, fill: side === "light" ? "#fbf7ee88" : "#22252a88", stroke: "#1d7a3a", "stroke-dasharray": "6 4" }, svg);
  }
  for (const { move: [from, to], side, kind } of how.arrows || []) {
    const slot = (n) => (n === 25 ? "bar" : n === 0 ? "off" : side === "light" ? n : 25 - n);
    const count = (n) => (typeof slot(n) === "number" ? Math.abs(p.points[slot(n) - 1]) : 0);
    const a = spot(slot(from), side, kind === "advice" ? Math.max(0, count(from) - 1) : count(from));
    const b = spot(slot(to), side, kind === "advice" ? count(to) : Math.max(0, count(to) - 1));
    const l = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1, [ux, uy] = [(b[0] - a[0]) / l, (b[1] - a[1]) / l];
    const tip = [b[0] - ux * 6, b[1] - uy * 6], base = [tip[0] - ux * 14, tip[1] - uy * 14];
    const colour = kind === "advice" ? "#1f6fd6" : "#e8a200", g = el("g", { class: `arrow ${kind}`, opacity: kind === "advice" ? 0.95 : 0.7 }, svg);
    el("line", { x1: a[0], y1: a[1], x2: base[0], y2: base[1], stroke: colour, "stroke-width": 6, "stroke-linecap": "round" }, g);
    el("polygon", { points: `${tip} ${base[0] - uy * 9},${base[1] + ux * 9} ${base[0] + uy * 9},${base[1] - ux * 9}`, fill: colour }, g);
  }
  for (const t of how.ticks || []) {
    const [x, lower] = place(t.point), y = my0 + (lower ? 18 : -18);
    el("circle", { cx: x, cy: y, r: 12, fill: t.good ? "#1d7a3a" : "#b3261e" }, svg);
    el("text", { x, y: y + 5.5, "text-anchor": "middle", "font-size": 16, "font-weight": 700, fill: "#fff", class: t.good ? "tick" : "cross" }, svg, t.good ? "✓" : "✕");
  }
  const mx = x0 + 6 * CELL + BAR / 2, my = (y0 + y1) / 2;
  for (const side of ["light", "dark"]) {
    const up = side === near;
    if (p.bar[side]) stack(mx, my + (up ? -24 : 24), up ? -1 : 1, p.bar[side], side);
    for (let i = 0; i < p.off[side]; i++) el("rect", { x: tray + 4, y: side === near ? y1 - (i + 1) * 14 : y0 + i * 14, width: TRAY - 14, height: 12, fill: side === "light" ? "#fbf7ee" : "#22252a", stroke: "#8a8f96" }, svg);
  }
  const owner = view.cube_owner, cy = !owner ? my : owner === near ? y1 - 24 : y0 + 24;
  const cx = owner ? tray + (TRAY - 6) / 2 : mx;
  if (!owner && (p.bar.light || p.bar.dark)) { /* the cube would hide checkers on the bar: it is named in the table */ } else {
    el("rect", { x: cx - 15, y: cy - 15, width: 30, height: 30, rx: 4, fill: "#fbf7ee", stroke: "#22252a" }, svg);
    el("text", { x: cx, y: cy + 5, "text-anchor": "middle", "font-size": 14, fill: "#22252a" }, svg, view.cube === 1 || !view.cube ? 64 : view.cube);
  }
  if (view.dice) {
    const right = !view.side || view.side === near, c = right ? 8 : 3;
    const dx = x0 + (c + 0.5) * CELL + (c > 5 ? BAR : 0);
    view.dice.forEach((v, i) => {
      const x = dx + (i - 0.5) * 48, dark = view.side === "dark";
      el("rect", { x: x - 17, y: my - 17, width: 34, height: 34, rx: 6, fill: dark ? "#22252a" : "#fbf7ee", stroke: "#8a8f96" }, svg);
      for (const [a, b] of PIPS[v]) el("circle", { cx: x + 9 * a, cy: my + 9 * b, r: 3.2, fill: dark ? "#fbf7ee" : "#22252a" }, svg);
    });
  }
  if (how.tap) {
    const area = (x, y, w, h, slot, name) => {
      const r = el("rect", { x, y, width: w, height: h, fill: "transparent", tabindex: 0, role: "button", "aria-label": name }, svg);
      r.style.cursor = "pointer";
      r.addEventListener("click", () => how.tap(slot));
      r.addEventListener("keydown", (k) => { if (k.key === "Enter" || k.key === " ") { k.preventDefault(); how.tap(slot); } });
    };
    for (let q = 1; q <= 24; q++) { const [x, lower] = place(q); area(x - CELL / 2, lower ? my + 20 : y0, CELL, H / 2 - 20, q, `point ${q}`); }
    area(x0 + 6 * CELL, y0, BAR, H, "bar", "bar");
    area(tray, y0, TRAY - 6, H, "off", "borne off");
  }
  return svg;
}
