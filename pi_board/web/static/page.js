// What the three pages share: finding elements, asking the server, saying what went wrong.
export const $ = (id) => document.getElementById(id);
const EMPTY = { light: 0, dark: 0 };
export const START = { points: [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2], bar: EMPTY, off: EMPTY };

// A disc as the checkers look: on a dark page the full one is the light one.
export const mark = (side) => ((side === "light") === matchMedia("(prefers-color-scheme: dark)").matches ? "●" : "○");

export function fault(text) { const b = $("fault"); b.hidden = !text; b.textContent = text || ""; }

// A fault in one widget must not stop the others.
export function safely(name, f) {
  return (...a) => { try { return f(...a); } catch (e) { fault(`The ${name} cannot be shown (${e.message}).`); } };
}

export const AWAY = "No connection to the board.";
// The answer's document, or {error: one line for a person}. With a body it is a POST.
export async function ask(path, body) {
  try {
    // A look of the set-up that is never answered must not end all looking.
    const signal = /setup\/(check|start|dice)$/.test(path) ? AbortSignal.timeout(30000) : null;
    const r = await fetch(path, body === undefined ? { signal } : { signal, method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    const text = await r.text();
    let found = {};
    try { found = JSON.parse(text); } catch { /* plain text */ }
    if (r.ok) return found;
    return { error: r.status === 401 ? "Open the page with the address that the board's display shows." : found.error || text.trim() || `no answer (${r.status})` };
  } catch { return { error: AWAY }; }
}

export function showRole(role) { for (const e of document.querySelectorAll(".actions")) e.hidden = role !== "player"; }

export function add(kind, parent, text, more = {}) {
  const e = Object.assign(document.createElement(kind), more);
  if (text !== undefined) e.textContent = text;
  parent?.append(e);
  return e;
}
