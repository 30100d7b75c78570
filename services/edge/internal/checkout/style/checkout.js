// Keeps the price on the checkout in step with what is chosen. Without it the
// page works by its button "Update price"; it asks the same question and takes
// the parts that depend on the answer out of the same page.
(() => {
  "use strict";
  const form = document.getElementById("order");
  if (!form) return;
  const parts = ["sum", "pay", "made", "count", "boards", "ways", "stale", "pay-again"];
  const byId = (id) => document.getElementById(id);
  let running, timer, sent = false;

  // What follows from a value that was typed is asked for when the field is left.
  form.addEventListener("change", (e) => {
    if (!("live" in form.dataset) || !e.target.matches("[type=radio], [name=country], [name=state], [name=postal_code], [name=tax_id], [name=quantity]")) return;
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
      p.textContent = "The new price could not be fetched. Please press “Update price”.";
      byId("sum").replaceChildren(p);
    }
    price.removeAttribute("aria-busy");
  }

  function take(page, quantity) {
    const focus = document.activeElement?.id;
    const save = byId("save")?.checked;
    const seen = byId("seen")?.checked;
    for (const id of parts) {
      if (id === "count" && byId("f-quantity")?.value !== quantity) continue; // somebody is typing
      const [now, next] = [byId(id), page.getElementById(id)];
      if (now && next) now.replaceChildren(...document.importNode(next, true).childNodes);
    }
    if (byId("save") && save !== undefined) byId("save").checked = save;
    if (byId("seen") && seen !== undefined) byId("seen").checked = seen;
    if (focus && document.activeElement?.id !== focus) byId(focus)?.focus({ preventScroll: true });
  }
})();
