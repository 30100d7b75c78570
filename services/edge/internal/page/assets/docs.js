// Adds to the reference what needs a script: copying commands, finding endpoints,
// and calling them with a test key. The pages are whole without it.
(() => {
  "use strict";
  for (const pre of document.querySelectorAll(".sample pre")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.setAttribute("aria-label", "Copy the " + pre.getAttribute("aria-label").replace(/^C/, "c"));
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(pre.textContent);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(pre);
        button.textContent = "Selected";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    pre.before(button);
  }

  // The test key stays in this tab, for the other pages of the reference.
  const keep = "boardorder-test-key";
  for (const box of document.querySelectorAll(".try")) {
    box.hidden = false;
    const form = box.querySelector("form");
    const field = (where) => [...form.querySelectorAll(`[data-in="${where}"]`)];
    const [key] = field("key");
    const outcome = box.querySelector(".outcome");
    const shown = box.querySelector("pre");
    box.addEventListener("toggle", () => { key.value ||= sessionStorage.getItem(keep) || ""; });
    key.addEventListener("input", () => key.removeAttribute("aria-invalid"));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const button = form.querySelector("button");
      const test = key.value.trim();
      shown.hidden = true;
      if (!test.startsWith("bo_test_")) {
        key.setAttribute("aria-invalid", "true");
        key.focus();
        outcome.textContent = "Only a key that begins with bo_test_ can be used here.";
        return;
      }
      sessionStorage.setItem(keep, test);
      let path = form.dataset.path;
      for (const p of field("path")) path = path.replace("{" + p.name + "}", encodeURIComponent(p.value.trim()));
      const query = new URLSearchParams(field("query").filter((q) => q.value).map((q) => [q.name, q.value]));
      const headers = { "X-API-Key": test };
      for (const h of field("header")) if (h.value) headers[h.name] = h.value;
      const request = { method: form.dataset.method, headers, cache: "no-store" };
      if (form.dataset.media.startsWith("multipart/")) {
        request.body = new FormData();
        for (const f of field("form")) {
          if (f.type === "file") for (const file of f.files) request.body.append(f.name, file);
          else if (f.value) request.body.append(f.name, f.value);
        }
      } else if (form.dataset.media) {
        headers["Content-Type"] = form.dataset.media;
        request.body = field("body")[0].value;
      }
      button.disabled = true;
      outcome.textContent = "Sending…";
      try {
        const reply = await fetch(path + (query.size ? "?" + query : ""), request);
        const type = reply.headers.get("Content-Type") || "";
        const text = /json|text/.test(type) ? await reply.text() : "";
        outcome.textContent = reply.status + " " + reply.statusText + (text ? "" : type && ", " + type);
        shown.hidden = !text;
        try {
          shown.firstChild.textContent = JSON.stringify(JSON.parse(text), null, 2);
        } catch {
          shown.firstChild.textContent = text;
        }
      } catch {
        outcome.textContent = "There was no reply. Is the service reached from here?";
      }
      button.disabled = false;
    });
  }

  const find = document.getElementById("find");
  if (!find) return;
  find.closest(".find").hidden = false;
  const all = [...document.querySelectorAll(".endpoints li")].map((li) => [li, (li.textContent + " " + li.dataset.words).toLowerCase()]);
  const filter = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    let n = 0;
    for (const [li, text] of all) {
      li.hidden = !words.every((w) => text.includes(w));
      if (!li.hidden) n++;
    }
    for (const s of document.querySelectorAll(".list")) s.hidden = !s.querySelector("li:not([hidden])");
    document.getElementById("found").textContent = words.length ? n + (n === 1 ? " endpoint" : " endpoints") : "";
  };
  find.addEventListener("input", filter);
  filter();
})();
