// Keeps the price on the checkout in step with what is chosen. Without it the
// page works by its button "Update price"; it asks the same question and takes
// the parts that depend on the answer out of the same page.
(() => {
  "use strict";
  const form = document.getElementById("order");
  if (!form) return;
  const parts = ["sum", "pay", "made", "count", "boards", "ways", "stale", "bar"];
  const byId = (id) => document.getElementById(id);
  let running, timer, sent = false;

  // What is typed survives a reload: the tab keeps it, and nothing else does, until the
  // server has it or the tab is closed. What the server has meanwhile comes first.
  const shelf = "typed " + location.pathname;
  const fields = () => [...form.elements].filter((e) => e.name && (e.type !== "hidden" && e.type !== "submit"));
  const keyOf = (e) => e.type === "checkbox" ? e.name + "=" + e.value : e.name;

  // The value that the page came with, and the one that is there now, by field.
  function values(now) {
    const out = {};
    for (const e of fields()) {
      if (e.type === "radio") { if (now ? e.checked : e.defaultChecked) out[e.name] = e.value; }
      else if (e.type === "checkbox") out[keyOf(e)] = now ? e.checked : e.defaultChecked;
      else if (e.tagName === "SELECT") out[e.name] = now ? e.value : ([...e.options].find((o) => o.defaultSelected) || e.options[0]).value;
      else out[e.name] = now ? e.value : e.defaultValue;
    }
    return out;
  }

  function keep() {
    const [was, now] = [values(false), values(true)];
    const typed = Object.keys(now).filter((k) => now[k] !== was[k]).map((k) => [k, was[k], now[k]]);
    try {
      if (typed.length) sessionStorage.setItem(shelf, JSON.stringify(typed)); else sessionStorage.removeItem(shelf);
    } catch { /* storage is off or full: the page works without it */ }
  }

  function restore() {
    let typed = [];
    try { typed = JSON.parse(sessionStorage.getItem(shelf)) || []; } catch { /* as though there were none */ }
    const was = values(false);
    let priced = false;
    for (const [key, before, value] of typed) {
      if (was[key] !== before) continue;
      for (const e of fields().filter((e) => keyOf(e) === key)) {
        if (e.type === "radio") e.checked ||= e.value === value;
        else if (e.type === "checkbox") e.checked = value;
        else if (e.tagName !== "SELECT" || [...e.options].some((o) => o.value === value)) e.value = value;
        priced ||= e.matches(pricing);
        if (e.closest("#more-fields")) byId("more-fields").open = true;
      }
    }
    keep();
    if ((priced || "update" in form.dataset) && "live" in form.dataset) refresh();
  }
  document.addEventListener("input", (e) => { if (e.target.form === form) keep(); });

  const pricing = "[type=radio], [name=country], [name=state], [name=postal_code], [name=tax_id], [name=quantity]";

  // What follows from a value that was typed is asked for when the field is left.
  form.addEventListener("change", (e) => {
    if (!("live" in form.dataset) || !e.target.matches(pricing)) return;
    clearTimeout(timer);
    running?.abort(); // its answer is about an earlier choice
    timer = setTimeout(refresh, 150);
  });

  // A second press of Pay while the first is on its way does nothing.
  form.addEventListener("submit", (e) => {
    if (sent) { e.preventDefault(); return; }
    running?.abort();
    sent = true;
    // Who comes back from the card page gets this page anew: one that answered a form
    // would be asked for by sending the form again, which browsers refuse.
    history.replaceState(null, "", location.href);
    setTimeout(() => { sent = false; }, 15000);
  });
  addEventListener("pageshow", () => { sent = false; });

  // A price card that is higher than the window is scrolled to its end before it stays.
  const card = byId("price");
  const sheet = new CSSStyleSheet();
  const place = () => sheet.replaceSync(`.pay > .side { top: ${Math.min(16, innerHeight - card.offsetHeight - 16)}px; }`);
  if (card) {
    document.adoptedStyleSheets.push(sheet);
    new ResizeObserver(place).observe(card);
    addEventListener("resize", place);
  }

  // Countries write their addresses in another order.
  function reorder(page) {
    const list = byId("fields"), boxes = [...list?.children ?? []];
    const next = [...page.querySelectorAll("#fields > .field :is(input, select)")].map((e) => byId(e.id)?.closest(".field")).filter((e) => e?.parentElement === list);
    if (next.every((e, n) => e === boxes.filter((b) => next.includes(b))[n])) return;
    for (const e of next) list.append(e);
  }

  async function refresh() {
    running?.abort();
    const mine = running = new AbortController();
    const price = byId("price");
    price.setAttribute("aria-busy", "true");
    const body = new URLSearchParams(new FormData(form));
    body.set("do", "estimate");
    try {
      const reply = await fetch(form.action, { method: "POST", body, signal: mine.signal });
      const page = new DOMParser().parseFromString(await reply.text(), "text/html");
      if (!page.getElementById("sum")) { location.assign(form.action); return; }
      take(page, body.get("quantity"));
    } catch (e) {
      if (e.name === "AbortError") return;
      const p = document.createElement("p");
      p.textContent = form.dataset.failed;
      byId("sum").replaceChildren(p);
    }
    price.removeAttribute("aria-busy");
  }

  function take(page, quantity) {
    const focus = document.activeElement?.id;
    const save = byId("save")?.checked;
    const seen = byId("seen")?.checked;
    const folds = [...document.querySelectorAll("details[id]")].map((e) => [e.id, e.open]);
    for (const id of parts) {
      if (id === "count" && byId("f-quantity")?.value !== quantity) continue; // somebody is typing
      const [now, next] = [byId(id), page.getElementById(id)];
      if (now && next) now.replaceChildren(...document.importNode(next, true).childNodes);
    }
    for (const e of fields()) { // what the server has of the rest is no longer only typed
      const next = page.getElementById(e.id);
      if (!next || e.type === "radio" || e.type === "checkbox") continue;
      const [box, other] = [e.closest(".field"), next.closest(".field")];
      const fold = box?.closest("details");
      if (fold?.id === "more-fields" && !other.closest("details#more-fields")) fold.open = true; // it is needed there
      if (box && other && e.name === "state") { // another country calls it otherwise, or has none
        box.hidden = other.hidden;
        box.querySelector("label").replaceChildren(...document.importNode(other.querySelector("label"), true).childNodes);
      }
      if (e.tagName === "SELECT") for (const o of e.options) o.defaultSelected = [...next.options].some((n) => n.defaultSelected && n.value === o.value);
      else { const value = e.value; e.defaultValue = next.defaultValue; e.value = value; }
    }
    reorder(page);
    if (byId("save") && save !== undefined) byId("save").checked = save;
    if (byId("seen") && seen !== undefined) byId("seen").checked = seen;
    for (const [id, open] of folds) if (byId(id)) byId(id).open = open || byId(id).open;
    keep();
    if (focus && document.activeElement?.id !== focus) byId(focus)?.focus({ preventScroll: true });
  }

  restore();
})();
