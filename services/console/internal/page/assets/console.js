// Everything works without this file; with it, lists refresh themselves, new
// events appear as they happen, and a price adds up while it is typed.
"use strict";

// A sign-in link needs one click; this is it.
document.querySelectorAll("form[data-go]").forEach((form) => form.submit());

document.querySelectorAll("a[data-follow]").forEach((link) => location.replace(link.href));

// A browser that is led to a part of the page gives the focus to nothing by itself.
if (location.hash) document.querySelector("[autofocus]")?.focus();

// On a wide screen the menu is open, also in a browser whose style sheet cannot say so.
const menu = document.querySelector("details.menu");
if (menu && !CSS.supports("selector(::details-content)") && matchMedia("(min-width: 60.01rem)").matches) menu.open = true;

// A part of the page that is fetched again every so many seconds, unless
// somebody is working in it.
const live = document.querySelector("#live[data-refresh]");
if (live && Number(live.dataset.refresh) > 0) {
  setInterval(async () => {
    if (document.hidden || live.contains(document.activeElement) || live.querySelector(":checked")) return;
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

// Lines of a price are added and removed in place; the last one is emptied.
document.querySelectorAll("[data-lines]").forEach((lines) => {
  const rows = () => [...lines.children];
  const empty = (row) => {
    row.querySelectorAll("input").forEach((input) => { input.value = ""; input.removeAttribute("aria-invalid"); input.removeAttribute("aria-describedby"); });
    row.querySelectorAll("select").forEach((select) => { select.value = "other"; });
    row.querySelector(".wrong")?.remove();
    return row;
  };
  const number = () => rows().forEach((row, i) => {
    row.setAttribute("aria-label", `Line ${i + 1}`);
    row.querySelector("[data-drop]").setAttribute("aria-label", `Remove line ${i + 1}`);
    row.querySelectorAll("[data-n]").forEach((n) => { n.textContent = i + 1; });
    lines.dispatchEvent(new Event("input", { bubbles: true }));
  });
  const focus = (row) => row.querySelector("input").focus();
  lines.addEventListener("click", (e) => {
    const row = e.target.closest("[data-drop]")?.closest(".line");
    if (!row) return;
    e.preventDefault();
    const next = row.nextElementSibling ?? row.previousElementSibling ?? row;
    next === row ? empty(row) : row.remove();
    number();
    focus(next);
  });
  const more = lines.parentElement.querySelector("[data-add]"), most = 40;
  more.addEventListener("click", (e) => {
    e.preventDefault();
    if (rows().length >= most) return;
    lines.append(empty(lines.lastElementChild.cloneNode(true)));
    number();
    focus(lines.lastElementChild);
  });
});

// The total of a price while it is typed; what counts is added up by the server.
document.querySelectorAll("[data-price]").forEach((price) => {
  const total = price.querySelector("[data-total]");
  const cents = (text) => {
    const t = text.trim().replace(/^\$/, "").replace("−", "-");
    if (t === "") return 0;
    const point = /,\d{0,2}$/.test(t) ? "," : ".", plain = t.replaceAll(point === "," ? "." : ",", "").replace(",", ".");
    return (point === "," ? /^-?(\d+|\d{1,3}(\.\d{3})+),\d{1,2}$/ : /^-?(\d+|\d{1,3}(,\d{3})+)(\.\d{1,2})?$/).test(t) ? Math.round(Number(plain) * 100) : NaN;
  };
  const add = () => {
    const found = [...price.querySelectorAll(".part")].filter((row) => row.querySelector('[name="fitting"]').value === "fitted").map((row) => row.querySelector('[name="cost"]'));
    const sum = [...price.querySelectorAll("[data-amount]"), ...found].reduce((n, input) => n + cents(input.value), 0);
    total.textContent = Number.isNaN(sum) ? "–" : (sum < 0 ? "−" : "") + "$" + (Math.abs(sum) / 100).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  };
  price.addEventListener("input", add);
  add();
});

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

// Keys lead through the menu and along the rows, as the list of them says; those of rows are in
// it where there are rows. They rest while somebody types, which nobody does into a box to
// tick, and whoever does not want them switches them off.
const keys = document.getElementById("keys");
const links = () => [...document.querySelectorAll("main tbody th a")].filter((link) => link.checkVisibility());
if (keys) {
  const button = document.querySelector("[data-keys]"), wanted = keys.querySelector("[data-keys-on]"), store = "keys-off";
  const find = document.getElementById("what");
  let off = false, begun = -Infinity;
  try { off = localStorage.getItem(store) !== null; } catch { /* this browser keeps nothing */ }
  wanted.checked = !off;
  wanted.addEventListener("change", () => {
    off = !wanted.checked;
    try { off ? localStorage.setItem(store, "1") : localStorage.removeItem(store); } catch { /* until the page is left */ }
  });
  button.hidden = false;
  const help = () => {
    keys.querySelectorAll("[data-row-keys]").forEach((one) => { one.hidden = !links().length; });
    keys.showModal();
  };
  button.addEventListener("click", help);
  const step = (by) => {
    const all = links(), row = document.activeElement?.closest("tbody tr"), at = row ? all.findIndex((link) => row.contains(link)) : -1;
    all[at < 0 ? 0 : Math.min(Math.max(at + by, 0), all.length - 1)]?.focus();
  };
  const acts = {
    "/": () => { menu.open = true; find.focus(); },
    "?": help, j: () => step(1), k: () => step(-1),
  };
  document.addEventListener("keydown", (e) => {
    if (off || keys.open || e.ctrlKey || e.altKey || e.metaKey || e.isComposing || e.target.closest?.("input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]")) return;
    const leads = performance.now() - begun < 1500;
    begun = -Infinity;
    const link = leads && [...document.querySelectorAll("nav [data-key]")].find((one) => one.dataset.key === e.key);
    if (link) {
      e.preventDefault();
      location.assign(link.href);
    } else if (e.key === "g") {
      begun = performance.now();
    } else if (acts[e.key]) {
      e.preventDefault();
      acts[e.key]();
    }
  });
}

// The first row is two steps away, however long the menu is.
const skip = document.getElementById("to-rows");
if (skip && links().length) {
  skip.hidden = false;
  skip.addEventListener("click", (e) => {
    e.preventDefault();
    links()[0].focus();
  });
}

// Filters of a list are kept in this browser, as links above it.
const filter = document.querySelector("form.filter[method=get]");
if (filter && new URL(filter.action).pathname === location.pathname) {
  const store = `filters ${location.pathname}`, row = document.createElement("p");
  const load = () => { try { return JSON.parse(localStorage.getItem(store)) ?? []; } catch { return []; } };
  const save = (all) => { try { localStorage.setItem(store, JSON.stringify(all)); } catch { /* this browser keeps nothing */ } draw(); };
  const chosen = [...filter.elements].filter((field) => field.name && field.value && (field.type !== "checkbox" || field.checked));
  const query = new URLSearchParams(chosen.map((field) => [field.name, field.value])).toString();
  const words = chosen.map((field) => field.selectedOptions?.[0].text ?? field.value).join(", ");
  const press = (text, label, act) => {
    const button = document.createElement("button");
    button.type = "button"; button.textContent = text; button.setAttribute("aria-label", label);
    button.addEventListener("click", act);
    return button;
  };
  const draw = () => {
    const all = load();
    row.replaceChildren(...all.flatMap((one) => {
      const link = document.createElement("a");
      link.href = `${location.pathname}?${one.query}`; link.textContent = one.words;
      if (one.query === query) link.setAttribute("aria-current", "true");
      return [link, press("×", `Forget the filter ${one.words}`, () => save(load().filter((other) => other.query !== one.query)))];
    }));
    if (query && location.search.length > 1 && !all.some((one) => one.query === query)) row.append(press("Keep this filter", `Keep this filter: ${words}`, () => save([...load(), { query, words }])));
    row.hidden = !row.children.length;
  };
  row.className = "views";
  filter.after(row);
  draw();
}
