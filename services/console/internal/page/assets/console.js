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

// What happens, newest on top. The server counts everything and sends some of it to
// show, four times a second at most, so that no number of events is too many.
const tail = document.querySelector("[data-live]");
const past = new URLSearchParams(location.search);
if (tail && window.EventSource && !past.has("before") && !past.get("at")) {
  const rows = document.querySelector("[data-rows]"), pattern = document.getElementById("row");
  const find = (name) => tail.querySelector(`[data-${name}]`);
  const state = find("state"), pause = find("pause"), counts = find("counts");
  const most = 200, kinds = new Map(), recent = [];
  let paused = false, total = 0, shown = 0, held = 0;
  tail.hidden = false;
  const say = (text, on) => { state.textContent = text; tail.classList.toggle("on", on); };
  const row = (e) => {
    const row = pattern.content.cloneNode(true);
    for (const name of ["at", "event", "short", "account", "cause", "operation", "size"]) row.querySelector(`[data-f="${name}"]`).textContent = e[name];
    row.querySelector('[data-f="event"]').href = `/events/${encodeURIComponent(e.aggregate)}/${encodeURIComponent(e.id)}`;
    row.querySelector('[data-f="size"]').href = `/event/${encodeURIComponent(e.aggregate)}/${e.seq}`;
    return row;
  };
  const add = (events) => {
    rows.querySelector(".empty")?.remove();
    const batch = document.createDocumentFragment();
    events.toReversed().forEach((e) => batch.append(row(e)));
    rows.prepend(batch);
    while (rows.children.length > most) rows.lastElementChild.remove();
    shown += events.length;
    find("shown").textContent = shown.toLocaleString("en-US");
  };
  const count = (batch) => {
    const now = performance.now();
    total += batch.total;
    recent.push([now, batch.total]);
    for (const [kind, n] of Object.entries(batch.counts)) kinds.set(kind, (kinds.get(kind) ?? 0) + n);
    find("total").textContent = total.toLocaleString("en-US");
    find("total").dataset.n = total;
    // What a message waited in the streams and the console, and then in this browser.
    const late = Math.max(0, Date.now() - batch.sent), behind = find("behind");
    behind.textContent = (batch.behind + late).toLocaleString("en-US");
    behind.dataset.browser = Math.max(late, Number(behind.dataset.browser ?? 0));
    behind.dataset.worst = Math.max(batch.behind + late, Number(behind.dataset.worst ?? 0));
  };
  setInterval(() => {
    const now = performance.now(), span = 3000;
    while (recent.length && now - recent[0][0] > span) recent.shift();
    find("rate").textContent = Math.round(recent.reduce((n, [, m]) => n + m, 0) * 1000 / span).toLocaleString("en-US");
    if (!counts.closest("details").open) return;
    counts.replaceChildren(...[...kinds].sort((a, b) => b[1] - a[1]).map(([kind, n]) => {
      const line = document.createElement("tr"), name = document.createElement("th"), number = document.createElement("td");
      name.scope = "row"; name.textContent = kind; number.textContent = n.toLocaleString("en-US"); number.className = "n";
      line.append(name, number);
      return line;
    }));
  }, 1000);
  const source = new EventSource(tail.dataset.live);
  source.onopen = () => say(paused ? "paused" : "live", !paused);
  source.onerror = () => say("connecting", false);
  source.onmessage = (m) => {
    const batch = JSON.parse(m.data);
    count(batch);
    if (!paused) return add(batch.events);
    held += batch.total;
    say(`paused; ${held.toLocaleString("en-US")} new`, false);
  };
  pause.addEventListener("click", () => {
    paused = !paused;
    held = 0;
    pause.setAttribute("aria-pressed", String(paused));
    pause.textContent = paused ? "Go on" : "Pause";
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
    const found = [...price.querySelectorAll(".part")].filter((row) => row.querySelector('[name="fitting"]').value === "fitted").map((row) => row.querySelector('[name="cost"]'));
    const sum = [...price.querySelectorAll('[name="amount"], [name="tax"]'), ...found].reduce((n, input) => n + cents(input.value), 0);
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
