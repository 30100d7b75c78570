(() => {
  "use strict";
  document.getElementById("print").addEventListener("click", () => print());
  const data = document.getElementById("data");
  if (data) data.hidden = !location.pathname.endsWith("/report.html"); // elsewhere there is no such address
  const svg = document.getElementById("board");
  if (!svg) return;
  const all = svg.getAttribute("viewBox").split(" ").map(Number);
  const marks = document.getElementById("marks");
  const circles = [...marks.querySelectorAll("circle")], labels = [...marks.querySelectorAll("text")];
  const buttons = [...document.querySelectorAll("[data-finding]")];
  const boxes = new Map([...document.querySelectorAll("[data-layer]")].map(b => [b.dataset.layer, b]));
  const layers = new Map([...svg.querySelectorAll(".layer")].map(g => [g.dataset.of, g]));
  const world = document.getElementById("world"), rows = [...document.querySelectorAll(".findings li")];
  let view = all.slice(), chosen = null, below = false;
  svg.style.aspectRatio = all[2] + " / " + all[3];

  // unit is how much of the board one pixel of the screen shows.
  const unit = () => Math.max(view[2] / Math.max(svg.clientWidth, 1), view[3] / Math.max(svg.clientHeight, 1));

  function draw() {
    svg.setAttribute("viewBox", view.map(v => v.toFixed(2)).join(" "));
    const u = unit();
    for (const c of circles) c.setAttribute("r", Math.max(Number(c.dataset.r) + 6 * u, 9 * u));
    for (const t of labels) {
      const r = Number(t.parentNode.querySelector("circle").getAttribute("r"));
      t.setAttribute("font-size", 14 * u);
      const dx = r * 0.75 + 2 * u, dy = -r * 0.75;
      t.setAttribute("transform", below ? `translate(${2 * t.getAttribute("x")} 0) scale(-1 1)` : "");
      t.setAttribute("dx", dx);
      t.setAttribute("dy", dy);
    }
  }

  // flip shows the board from its other side.
  function flip(to) {
    if (below === to) return;
    below = to;
    world.setAttribute("transform", below ? `translate(${2 * all[0] + all[2]} 0) scale(-1 1)` : "");
    document.getElementById("flip").setAttribute("aria-pressed", String(below));
    document.getElementById("side").textContent = below ? "Seen from below." : "Seen from the top.";
    view[0] = 2 * all[0] + all[2] - view[0] - view[2];
    draw();
  }

  // seen is where on the page's drawing an x of the board lies.
  const seen = x => below ? 2 * all[0] + all[2] - x : x;

  function look(x, y, w, h) {
    const least = Math.max(all[2], all[3]) / 4000, most = 2 * Math.max(all[2], all[3]);
    const side = Math.max(w, h), f = Math.min(Math.max(side, least), most) / side;
    view = [x + w / 2 - w * f / 2, y + h / 2 - h * f / 2, w * f, h * f];
    draw();
  }

  function zoom(f, x, y) {
    if (x === undefined) { x = view[0] + view[2] / 2; y = view[1] + view[3] / 2; }
    look(x - (x - view[0]) * f, y - (y - view[1]) * f, view[2] * f, view[3] * f);
  }

  // place is where on the board a point of the screen is.
  function place(e) {
    const m = svg.getScreenCTM().inverse();
    return { x: m.a * e.clientX + m.e, y: m.d * e.clientY + m.f };
  }

  function near(x, y, span) {
    x = seen(x);
    const side = Math.max(span * 3, Math.max(all[2], all[3]) / 14);
    look(x - side / 2, y - side / 2, side, side);
  }

  function focus(group) {
    let l = Infinity, t = Infinity, r = -Infinity, b = -Infinity, span = 0;
    for (const c of group.querySelectorAll("circle")) {
      const x = Number(c.getAttribute("cx")), y = Number(c.getAttribute("cy"));
      span = Math.max(span, 2 * Number(c.dataset.r));
      l = Math.min(l, x); r = Math.max(r, x); t = Math.min(t, y); b = Math.max(b, y);
    }
    for (const c of group.querySelectorAll("line")) { // what is long is seen along its whole length
      for (const [x, y] of [["x1", "y1"], ["x2", "y2"]].map(k => k.map(a => Number(c.getAttribute(a))))) {
        l = Math.min(l, x); r = Math.max(r, x); t = Math.min(t, y); b = Math.max(b, y);
      }
    }
    near((l + r) / 2, (t + b) / 2, Math.max(r - l, b - t, span) / 2 + span);
  }

  function paint() {
    const on = chosen ? chosen.dataset.lit.split(" ").filter(Boolean) : [];
    for (const [n, box] of boxes) {
      const g = layers.get(n);
      if (!g) continue;
      g.classList.toggle("off", !box.checked && !on.includes(n));
      g.classList.toggle("dim", on.length > 0 && !on.includes(n));
    }
  }

  function choose(button, still) {
    chosen = chosen === button && !still ? null : button;
    for (const b of buttons) b.setAttribute("aria-pressed", String(b === chosen));
    for (const g of marks.children) g.classList.toggle("chosen", chosen !== null && g.dataset.mark === chosen.dataset.finding);
    marks.classList.toggle("some", chosen !== null);
    if (chosen) {
      const lit = chosen.dataset.lit.split(" ").filter(Boolean).map(n => boxes.get(n)).filter(Boolean);
      if (lit.length && lit.every(b => b.dataset.kind.includes("bottom"))) flip(true);
      else if (lit.some(b => b.dataset.kind.includes("top"))) flip(false);
      try { history.replaceState(null, "", "#f" + chosen.dataset.finding); } catch { /* a sandbox may forbid it */ }
    }
    paint();
    const group = chosen && marks.querySelector(".chosen");
    if (group) { marks.append(group); if (!still) focus(group); } else if (!still) look(...all);
  }

  for (const b of buttons) b.addEventListener("click", () => choose(b));

  // step chooses the next finding, or the one before, among those that are shown.
  function step(by) {
    const shown = buttons.filter(b => !b.disabled && !b.closest("li").hidden);
    if (!shown.length) return;
    const at = shown.indexOf(chosen);
    const next = shown[at < 0 ? (by > 0 ? 0 : shown.length - 1) : (at + by + shown.length) % shown.length];
    if (next !== chosen) choose(next);
    next.scrollIntoView({ block: "nearest" });
  }
  for (const s of document.querySelectorAll("[data-step]")) s.addEventListener("click", () => step(Number(s.dataset.step)));
  document.getElementById("flip").addEventListener("click", () => flip(!below));
  for (const p of document.querySelectorAll("[data-preset]")) {
    p.addEventListener("click", () => {
      const want = p.dataset.preset;
      for (const b of boxes.values()) {
        const kind = b.dataset.kind.split(" ");
        b.checked = want === "copper" ? kind.includes("copper") : kind[0] === want;
      }
      if (want === "top" || want === "bottom") flip(want === "bottom");
      paint();
    });
  }
  for (const f of document.querySelectorAll("[data-level]")) {
    f.addEventListener("change", () => {
      for (const r of rows) if (r.classList.contains(f.dataset.level)) r.hidden = !f.checked;
      for (const g of marks.querySelectorAll(".mark." + f.dataset.level)) g.classList.toggle("filtered", !f.checked);
    });
  }
  for (const box of boxes.values()) box.addEventListener("change", paint);
  for (const a of document.querySelectorAll(".at")) {
    a.addEventListener("click", () => {
      const b = buttons.find(b => b.dataset.finding === a.dataset.of);
      if (b) choose(b, true);
      near(Number(a.dataset.x), Number(a.dataset.y), 0);
      svg.scrollIntoView({ block: "nearest" });
    });
  }
  for (const z of document.querySelectorAll("[data-zoom]")) {
    z.addEventListener("click", () => {
      if (z.dataset.zoom === "all") look(...all); else zoom(z.dataset.zoom === "in" ? 1 / 1.6 : 1.6);
    });
  }

  svg.addEventListener("wheel", e => {
    if (!e.ctrlKey && !e.metaKey) return; // the page scrolls
    e.preventDefault();
    const p = place(e);
    zoom(Math.exp(Math.max(-60, Math.min(60, e.deltaY)) * 0.004), p.x, p.y);
  }, { passive: false });

  const fingers = new Map();
  let moved = 0;
  svg.addEventListener("pointerdown", e => { fingers.set(e.pointerId, e); moved = 0; });
  svg.addEventListener("pointermove", e => {
    const before = fingers.get(e.pointerId);
    if (!before) return;
    const u = unit(), dx = e.clientX - before.clientX, dy = e.clientY - before.clientY;
    moved += Math.abs(dx) + Math.abs(dy);
    if (moved > 4 && !svg.hasPointerCapture(e.pointerId)) svg.setPointerCapture(e.pointerId);
    if (fingers.size === 1 && e.pointerType !== "touch") { // one finger scrolls the page
      look(view[0] - dx * u, view[1] - dy * u, view[2], view[3]);
    } else if (fingers.size === 2) {
      const other = [...fingers].find(([id]) => id !== e.pointerId)[1];
      const was = Math.hypot(before.clientX - other.clientX, before.clientY - other.clientY);
      const is = Math.hypot(e.clientX - other.clientX, e.clientY - other.clientY);
      const mid = place({ clientX: (e.clientX + other.clientX) / 2, clientY: (e.clientY + other.clientY) / 2 });
      look(view[0] - dx * u / 2, view[1] - dy * u / 2, view[2], view[3]);
      if (is > 0) zoom(was / is, mid.x, mid.y);
    }
    fingers.set(e.pointerId, e);
  });
  for (const end of ["pointerup", "pointercancel"]) svg.addEventListener(end, e => fingers.delete(e.pointerId));
  marks.addEventListener("click", e => {
    const g = e.target.closest(".mark");
    const b = g && moved < 5 && buttons.find(b => b.dataset.finding === g.dataset.mark);
    if (!b) return;
    choose(b);
    b.scrollIntoView({ block: "nearest" });
  });

  svg.addEventListener("keydown", e => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
    if (step) look(view[0] + step[0] * view[2] / 8, view[1] + step[1] * view[3] / 8, view[2], view[3]);
    else if (e.key === "+" || e.key === "=") zoom(1 / 1.4);
    else if (e.key === "-") zoom(1.4);
    else if (e.key === "0") look(...all);
    else return;
    e.preventDefault();
  });
  addEventListener("resize", draw);
  addEventListener("beforeprint", () => look(...all));
  paint();
  draw();
  const linked = () => buttons.find(b => "#f" + b.dataset.finding === location.hash && !b.disabled);
  addEventListener("hashchange", () => { const b = linked(); if (b && b !== chosen) choose(b); });
  if (linked()) choose(linked());
})();
