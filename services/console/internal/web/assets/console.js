// Everything works without this file; with it, lists refresh themselves, new
// events appear as they happen, and a price adds up while it is typed.
"use strict";

// A sign-in link needs one click; this is it.
document.querySelectorAll("form[data-go]").forEach((form) => form.submit());

document.querySelectorAll("a[data-follow]").forEach((link) => location.replace(link.href));

// On a narrow screen the menu begins closed.
const menu = document.querySelector("details.menu");
if (menu && matchMedia("(max-width: 60rem)").matches) menu.removeAttribute("open");

// A part of the page that is fetched again every so many seconds, unless
// somebody is working in it.
const live = document.querySelector("#live[data-refresh]");
if (live && Number(live.dataset.refresh) > 0) {
  setInterval(async () => {
    if (document.hidden || live.contains(document.activeElement)) return;
    try {
      const answer = await fetch(location.pathname + location.search, { headers: { Accept: "text/html" } });
      if (!answer.ok || answer.redirected) return;
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("#live");
      if (fresh) live.replaceChildren(...fresh.childNodes);
    } catch { /* the next time may do */ }
  }, Number(live.dataset.refresh) * 1000);
}

// New events, newest on top.
const tail = document.querySelector("[data-live]");
if (tail && window.EventSource && !new URLSearchParams(location.search).has("before")) {
  const rows = document.querySelector("[data-rows]"), pattern = document.getElementById("row");
  const state = tail.querySelector("[data-state]"), pause = tail.querySelector("[data-pause]");
  const most = 300, held = [];
  let paused = false;
  tail.hidden = false;
  const say = (text, on) => { state.textContent = text; tail.classList.toggle("on", on); };
  const add = (e) => {
    const row = pattern.content.cloneNode(true);
    const put = (name, text) => { row.querySelector(`[data-f="${name}"]`).textContent = text; };
    for (const name of ["at", "event", "short", "account", "cause", "operation", "size"]) put(name, e[name]);
    row.querySelector('[data-f="event"]').href = `/events/${encodeURIComponent(e.aggregate)}/${encodeURIComponent(e.id)}`;
    row.querySelector('[data-f="size"]').href = `/event/${encodeURIComponent(e.aggregate)}/${e.seq}`;
    rows.querySelector(".empty")?.remove();
    rows.prepend(row);
    while (rows.children.length > most) rows.lastElementChild.remove();
  };
  const source = new EventSource(tail.dataset.live);
  source.onopen = () => say("live", true);
  source.onerror = () => say("connecting", false);
  source.addEventListener("missed", () => say("live; too fast, some are left out", true));
  source.onmessage = (m) => {
    const e = JSON.parse(m.data);
    if (!paused) return add(e);
    held.push(e);
    if (held.length > most) held.shift();
    say(`paused; ${held.length} new`, false);
  };
  pause.addEventListener("click", () => {
    paused = !paused;
    pause.setAttribute("aria-pressed", String(paused));
    pause.textContent = paused ? "Go on" : "Pause";
    if (!paused) held.splice(0).forEach(add);
    say(paused ? "paused" : "live", !paused);
  });
}

// The total of a price while it is typed; what counts is added up by the server.
const price = document.querySelector("[data-price]");
if (price) {
  const total = price.querySelector("[data-total]");
  const cents = (text) => {
    const t = text.trim().replace(/^\$/, "").replace("−", "-");
    if (t === "") return 0;
    return /^-?\d{1,3}(,\d{3})*(\.\d{1,2})?$|^-?\d+(\.\d{1,2})?$/.test(t) ? Math.round(Number(t.replaceAll(",", "")) * 100) : NaN;
  };
  const add = () => {
    const sum = [...price.querySelectorAll('[name="amount"], [name="tax"]')].reduce((n, input) => n + cents(input.value), 0);
    total.textContent = Number.isNaN(sum) ? "–" : (sum < 0 ? "−" : "") + "$" + (Math.abs(sum) / 100).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  };
  price.addEventListener("input", add);
  add();
}

document.querySelectorAll("[data-copy]").forEach((button) => {
  if (!navigator.clipboard) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.textContent = "Copied";
  });
});

// Layers of a board are switched on and off, and the board is made larger, at once.
document.querySelectorAll("[data-layers]").forEach((view) => {
  view.querySelector("[data-apply]").hidden = true;
  view.querySelectorAll("[data-layer]").forEach((box) => {
    const img = view.querySelector(`[data-of="${box.dataset.layer}"]`);
    const show = () => { img.hidden = !box.checked; };
    box.addEventListener("change", show);
    show();
  });
  const stage = view.querySelector(".stage"), sheet = view.querySelector(".sheet");
  const middle = () => [(stage.scrollLeft + stage.clientWidth / 2) / stage.scrollWidth, (stage.scrollTop + stage.clientHeight / 2) / stage.scrollHeight];
  view.querySelectorAll('[name="zoom"]').forEach((choice) => choice.addEventListener("change", () => {
    const [x, y] = middle();
    sheet.className = `sheet z${choice.value}`;
    stage.scrollLeft = x * stage.scrollWidth - stage.clientWidth / 2;
    stage.scrollTop = y * stage.scrollHeight - stage.clientHeight / 2;
  }));
});
