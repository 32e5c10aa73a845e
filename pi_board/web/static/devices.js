// Who may come in: the addresses with their codes, the devices that were let in, a new way in for everybody.
import { $, add, ask, fault, safely, showRole } from "./page.js";

const ago = (seconds) => {
  const minutes = Math.round((Date.now() / 1000 - seconds) / 60);
  if (minutes < 2) return "just now";
  if (minutes < 90) return `${minutes} minutes ago`;
  return minutes < 36 * 60 ? `${Math.round(minutes / 60)} hours ago` : new Date(seconds * 1000).toLocaleDateString();
};

const showWays = safely("addresses", (found) => {
  $("ways").hidden = false;
  $("only-here").hidden = found.reachable;
  for (const one of ["player", "spectator", "overlay"]) $(one).value = found[one];
  // The changed address in the query makes the browser ask again after a renewal.
  for (const one of ["player", "spectator"]) $(`${one}-code`).src = `/api/devices/${one}.svg?t=${Date.now()}`;
});

const showDevices = safely("list of devices", (found) => {
  $("none").hidden = found.devices.length > 0;
  $("devices").replaceChildren(...found.devices.map((d) => {
    const row = add("li"), words = add("span", row);
    add("strong", words, d.name);
    words.append(d.this ? " (this device)" : "");
    add("span", words, `let in ${new Date(d.created * 1000).toLocaleDateString()}, last here ${ago(d.seen)}`, { className: "muted" });
    const b = add("button", row, "Remove", { type: "button" });
    b.setAttribute("aria-label", `Remove ${d.name}, last here ${ago(d.seen)}`);
    b.addEventListener("click", () => forget(d));
    return row;
  }));
});

async function forget(device) {
  if (device.this && !confirm("Remove this very device? You will have to scan the code again.")) return;
  const a = await ask("/api/devices/forget", { number: device.number });
  $("done").textContent = a.error || `${device.name} has been removed.`;
  if (device.this && !a.error) location.reload();
  await list();
  $("dv").focus();
}
async function renew() {
  if (!confirm("Make new addresses? Everybody else, players and spectators, must scan the new codes.")) return;
  const a = await ask("/api/devices/renew", { sure: true });
  await list();
  $("done").textContent = a.error || "New addresses have been made; the board's display shows the players' one too.";
}
async function copy(name) {
  let good = false;
  $(name).select();
  // Browsers offer the clipboard only to pages that came over https or from this machine; the old way works everywhere.
  try { await navigator.clipboard.writeText($(name).value); good = true; } catch { good = document.execCommand("copy"); }
  $("done").textContent = good ? "Copied." : "Select the address and copy it by hand.";
}
async function list() {
  const found = await ask("/api/devices");
  fault(found.error);
  if (found.error) return;
  showRole("player"); showWays(found); showDevices(found);
}

for (const b of document.querySelectorAll("[data-copy]")) b.addEventListener("click", () => copy(b.dataset.copy));
for (const i of document.querySelectorAll("input[readonly]")) i.addEventListener("focus", () => i.select());
$("renew").addEventListener("click", renew);
list();
