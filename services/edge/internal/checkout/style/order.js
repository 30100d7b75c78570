// Lets the order page follow its order. Without it the page comes again by itself
// once a minute.
(() => {
  "use strict";
  const at = document.getElementById("live")?.dataset.follow;
  if (!at || !window.EventSource) return;
  const events = new EventSource(at);
  events.onmessage = async () => {
    try {
      const reply = await fetch(location.href);
      if (!reply.ok) return;
      const page = new DOMParser().parseFromString(await reply.text(), "text/html");
      const [now, next] = [document.getElementById("live"), page.getElementById("live")];
      if (!now || !next) { location.reload(); return; }
      const open = [...now.querySelectorAll("details[open]")].map((d) => d.id);
      now.replaceChildren(...document.importNode(next, true).childNodes);
      for (const id of open) if (id) document.getElementById(id)?.setAttribute("open", "");
      document.title = page.title;
      if (!next.dataset.follow) events.close();
    } catch { /* the next event comes */ }
  };
})();
