(() => {
  "use strict";
  const texts = JSON.parse(document.getElementById("texts").textContent), lang = document.documentElement.lang, comma = (1.5).toLocaleString(lang)[1];
  // say is one of our texts in the page's language, with {1}, {2} filled in.
  const say = (text, ...gaps) => (texts[text] || text).replace(/\{(\d)\}/g, (_, n) => gaps[n - 1]);
  // figures writes numbers as the page's language does.
  const figures = text => String(text).replace(/(\d)\.(?=\d)/g, "$1" + comma);
  const things = ["pad of {1}", "track of {1}", "via of {1}", "area of {1}", "plane of {1}", "opening of {1}", "text {1}", "pad {1}", "pad", "track", "via", "area", "plane", "copper text", "drawn line", "hole", "plated hole", "non-plated hole", "slot", "plated slot", "non-plated slot", "land", "fiducial", "test pad", "mask opening", "edge of the board", "inner corner", "piece of board", "end of a line", "line of the silkscreen"];
  // thing is what lies at a place, in the page's language.
  function thing(words) {
    const form = things.find(t => t.endsWith("{1}") ? words.startsWith(t.slice(0, -3)) : t === words);
    return form ? say(form, words.slice(form.length - 3)) : words;
  }
  document.getElementById("print").addEventListener("click", () => print());
  const served = location.pathname.endsWith("/report.html");
  const file = document.getElementById("data");
  if (file) file.hidden = !served; // elsewhere there is no such address
  const languages = document.getElementById("languages");
  languages.hidden = !served;
  for (const a of languages.children) if (a.lang === lang) a.setAttribute("aria-current", "true");
  const rows = [...document.querySelectorAll(".findings li")], data = JSON.parse(document.getElementById("places").textContent);
  const search = document.getElementById("search"), unhide = document.getElementById("unhide"), hiddenRules = new Set();

  // words are what a finding is searched in: what the page says of it, and of all its places.
  function words(row) {
    const places = data.places[Number(row.id.slice(1)) - 1] || [];
    return (row.textContent + " " + places.map(p => [p.layer, ...(p.nets || []), ...(p.objects || [])].join(" ")).join(" ")).toLowerCase();
  }

  // filter shows the findings of the levels, rules and words that are wanted.
  function filter() {
    const levels = [...document.querySelectorAll("[data-level]")].filter(l => !l.checked).map(l => l.dataset.level);
    const wanted = search ? search.value.trim().toLowerCase() : "";
    for (const r of rows) {
      r.hidden = levels.includes(r.className) || hiddenRules.has(r.dataset.rule) || wanted !== "" && !words(r).includes(wanted);
      const mark = document.querySelector(`[data-mark="${r.id.slice(1)}"]`);
      if (mark) mark.classList.toggle("filtered", r.hidden);
    }
    if (unhide) {
      unhide.hidden = hiddenRules.size === 0;
      unhide.textContent = say("Show hidden rules ({1})", hiddenRules.size);
    }
    if (search) document.getElementById("nothing").textContent = rows.length && rows.every(r => r.hidden) ? say("No finding is about that.") : "";
  }
  for (const f of document.querySelectorAll("[data-level]")) f.addEventListener("change", filter);
  for (const h of document.querySelectorAll("[data-hide]")) {
    h.addEventListener("click", () => { hiddenRules.add(h.dataset.hide); filter(); unhide.focus(); });
  }
  if (unhide) {
    unhide.addEventListener("click", () => { hiddenRules.clear(); filter(); search.focus(); });
    search.addEventListener("input", () => { filter(); lookUp(); if (search.value.trim() && served) fetchAll().then(() => { filter(); lookUp(); }, () => {}); });
  }
  addEventListener("beforeprint", () => { for (const d of document.querySelectorAll("details")) d.open = true; });

  let beside = null; // what is fetched from beside the page: all places, and more crops
  // fetchAll gets all places and crops, once.
  function fetchAll() {
    if (!beside) {
      beside = served ? fetch("places.json").then(r => r.ok ? r.json() : Promise.reject(r.status)) : Promise.reject("no address");
      beside.then(all => {
        data.places = data.places.map((p, i) => all.places[i] && all.places[i].length > (p || []).length ? all.places[i] : p);
        data.crops = Object.assign(all.crops, data.crops);
        for (const [n, drawing] of Object.entries(all.layers || {})) addLayer(n, drawing);
      }, () => { beside = null; });
    }
    return beside;
  }

  let found = null; // what looks up nets and parts, where there is a drawing to show them on
  function lookUp() {
    if (found) found.look(search.value.trim().toLowerCase(), () => rows.filter(r => !r.hidden).length);
  }

  const svg = document.getElementById("board");
  if (!svg) return;
  for (const b of document.querySelectorAll("[data-marked], .at")) b.disabled = false;
  const all = svg.getAttribute("viewBox").split(" ").map(Number);
  const marks = document.getElementById("marks");
  const circles = [...marks.querySelectorAll("circle")], labels = [...marks.querySelectorAll("text")];
  const buttons = [...document.querySelectorAll("[data-finding]")];
  const boxes = new Map([...document.querySelectorAll("[data-layer]")].map(b => [b.dataset.layer, b]));
  const layers = new Map([...svg.querySelectorAll(".layer")].map(g => [g.dataset.of, g]));
  const world = document.getElementById("world");
  const cropped = document.getElementById("crop"), arrow = document.getElementById("arrow"), strip = document.getElementById("spot");
  let view = all.slice(), chosen = null, below = false;
  let spot = null; // the place that is shown from near: finding and place by number, where it is, how long
  svg.style.aspectRatio = all[2] + " / " + all[3];

  // addLayer takes in a layer that lay beside the page.
  function addLayer(n, drawing) {
    if (layers.has(n) || !boxes.has(n)) return;
    const parsed = new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${drawing}</svg>`, "image/svg+xml");
    const g = shape("g", { class: "layer off", "data-of": n, opacity: ".82" }, world);
    for (const c of [...parsed.documentElement.children]) g.append(document.importNode(c, true));
    world.insertBefore(g, cropped);
    layers.set(n, g);
    boxes.get(n).removeAttribute("data-late");
  }

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
    point(u);
    ruler.replaceChildren();
    if (ruled) ruled(u);
  }

  function shape(name, attributes, parent, text) {
    const e = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    if (text) e.textContent = text;
    parent.append(e);
    return e;
  }

  function label(parent, at, flat, text, u) {
    shape("text", { x: at.x + (flat ? 0 : 14 * u), y: at.y + (flat ? -12 * u : 5 * u), "font-size": 15 * u, "text-anchor": flat ? "middle" : "start" }, parent, text);
  }

  // drawArrow draws what is measured from a to b. One pixel of the screen is u of the board.
  function drawArrow(parent, a, b, text, u) {
    const long = Math.hypot(b.x - a.x, b.y - a.y);
    if (long === 0) return;
    const dx = (b.x - a.x) / long, dy = (b.y - a.y) / long, out = long < 40 * u; // the heads point from outside where there is little room
    const h = 10 * u, w = 5 * u, k = out ? -1 : 1, tail = out ? 18 * u : 0;
    const head = (x, y, s) => `M${x} ${y}L${x + s * h * dx - w * dy} ${y + s * h * dy + w * dx}L${x + s * h * dx + w * dy} ${y + s * h * dy - w * dx}z`;
    const line = `M${a.x - tail * dx} ${a.y - tail * dy}L${b.x + tail * dx} ${b.y + tail * dy}`;
    for (const c of ["halo", "line"]) shape("path", { d: line, class: c }, parent);
    shape("path", { d: head(a.x, a.y, k) + head(b.x, b.y, -k), class: "head" }, parent);
    if (text) label(parent, { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, Math.abs(dx) >= Math.abs(dy), text, u);
  }

  // point draws the measured arrow of the place that is shown, with its value and limit, or a
  // ring where nothing was measured. One pixel of the screen is u of the board.
  function point(u) {
    arrow.replaceChildren();
    if (!spot) return;
    const [ax, bx] = [spot.a.x, spot.b.x].map(seen), [ay, by] = [spot.a.y, spot.b.y];
    const long = Math.hypot(bx - ax, by - ay);
    if (long > 0) {
      drawArrow(arrow, { x: ax, y: ay }, { x: bx, y: by }, spot.label, u);
    } else if (!spot.bridged) {
      for (const c of ["halo", "line"]) shape("circle", { cx: ax, cy: ay, r: 12 * u, class: c }, arrow);
    }
    if (long === 0 && spot.label) label(arrow, { x: ax, y: ay - 14 * u }, true, spot.label, u);
  }

  const pixel = at => ({ x: (at[0] - data.origin[0]) * 1000, y: (data.origin[1] - at[1]) * 1000 });
  const reach = f => data.places[f] ? (served ? data.about[f].count : data.places[f].length) : 0;

  // show shows one place of a finding from near. What the page does not hold is fetched.
  function show(f, n) {
    const list = data.places[f] || [], p = list[n];
    if (!p) {
      fetchAll().then(() => { if (data.places[f][n]) show(f, n); else tell(say("This place is not listed: there are too many.")); },
        () => tell(say("This place cannot be fetched now. The report as JSON has all of them.")));
      return;
    }
    const about = data.about[f], a = pixel(p.at_mm), b = p.to_mm ? pixel(p.to_mm) : a;
    const value = p.value_mm !== undefined ? figures(p.value_mm) + " mm" : "", limit = value && about.limit ? say("limit {1}", figures(about.limit)) : "";
    spot = { f, n, a, b, value, limit, label: limit ? value + " (" + limit + ")" : value, long: Math.max(Math.hypot(b.x - a.x, b.y - a.y), 20) };
    if (a.x === b.x && a.y === b.y) spot.long = about.usual;
    arrow.setAttribute("class", chosen.closest("li").className);
    const crop = data.crops[f + "." + n]; // of what is too long there is none
    paintCrop(crop);
    if (!crop && served) fetchAll().then(() => { if (spot && spot.f === f && spot.n === n) { paintCrop(data.crops[f + "." + n]); describe(p, about, data.crops[f + "." + n]); draw(); } }, () => {});
    marks.classList.add("near");
    open(true);
    for (const s of strip.querySelectorAll("[data-place]")) s.disabled = reach(f) < 2;
    document.getElementById("everywhere").hidden = reach(f) < 2;
    describe(p, about, crop);
    near((a.x + b.x) / 2, (a.y + b.y) / 2, spot.long);
  }

  // open shows the strip that tells what is seen from near, with steps through places or without.
  function open(steps) {
    strip.hidden = false;
    document.getElementById("steps").hidden = !steps;
  }

  function tell(words) { document.getElementById("where").textContent = words; }

  // describe says in words what is shown.
  function describe(p, about, crop) {
    const parts = [], where = document.getElementById("where");
    if (reach(spot.f) > 1) parts.push(about.ranks && spot.n === 0 ? say("Place {1} of {2}, the worst", 1, reach(spot.f)) : say("Place {1} of {2}", spot.n + 1, reach(spot.f)));
    if (p.layer) parts.push(p.layer);
    if (spot.value) parts.push(spot.limit ? spot.value + ", " + spot.limit : spot.value);
    if (p.objects) parts.push(p.objects.map(thing).join(" / "));
    where.textContent = parts.join(" · ");
    const split = crop && crop.p.some(q => q[0] === "a" || q[0] === "b");
    for (const [i, net] of (p.nets || []).entries()) {
      where.append(i || parts.length ? " · " : "");
      const s = document.createElement("bdi");
      s.textContent = net;
      if (split) s.className = "net " + "ab"[i];
      where.append(s);
    }
    if (crop && crop.p.some(q => q[0] === "bridge")) {
      const s = document.createElement("span");
      s.className = "net bridge";
      s.textContent = say("where they meet");
      where.append(" · ", s);
    }
  }

  // paintCrop shows the copper round a place with its true edges.
  function paintCrop(crop) {
    cropped.replaceChildren();
    if (!crop) return;
    const g = shape("svg", { x: crop.x, y: crop.y, width: crop.s, height: crop.s, viewBox: `0 0 ${crop.s * 10} ${crop.s * 10}` }, cropped);
    shape("rect", { width: crop.s * 10, height: crop.s * 10, class: "ground" }, g);
    const split = crop.p.some(q => q[0] === "a" || q[0] === "b");
    spot.bridged = crop.p.some(q => q[0] === "bridge");
    for (const [kind, colour, d] of crop.p) shape("path", { d, fill: colour, class: kind === "about" && split ? "other" : kind }, g);
  }

  // leave goes back to the board as a whole.
  function leave() {
    spot = null;
    cropped.replaceChildren();
    arrow.replaceChildren();
    marks.classList.remove("near");
    strip.hidden = true;
    if (found) found.leave();
  }

  // flip shows the board from its other side.
  function flip(to) {
    if (below === to) return;
    below = to;
    world.setAttribute("transform", below ? `translate(${2 * all[0] + all[2]} 0) scale(-1 1)` : "");
    document.getElementById("flip").setAttribute("aria-pressed", String(below));
    document.getElementById("side").textContent = below ? say("Seen from below.") : say("Seen from the top.");
    view[0] = 2 * all[0] + all[2] - view[0] - view[2];
    if (points) stopMeasuring(); else draw();
  }

  // seen is where on the page's drawing an x of the board lies.
  const seen = x => below ? 2 * all[0] + all[2] - x : x;

  function look(x, y, w, h) {
    const least = 20, most = 2 * Math.max(all[2], all[3]);
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
    const side = Math.max(span * 3, 60); // a third of the window
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
    near((l + r) / 2, (t + b) / 2, Math.max((Math.max(r - l, b - t, span) / 2 + span), Math.max(all[2], all[3]) / 42));
  }

  function paint() {
    const on = chosen ? chosen.dataset.lit.split(" ").filter(Boolean) : [];
    if (served && [...boxes].some(([n, box]) => box.hasAttribute("data-late") && (box.checked || on.includes(n)))) fetchAll().then(paint, () => {});
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
    leave();
    if (group) marks.append(group);
    if (still) return;
    if (!chosen) look(...all);
    else if (reach(Number(chosen.dataset.finding) - 1)) show(Number(chosen.dataset.finding) - 1, 0);
    else if (group) focus(group);
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
  for (const box of boxes.values()) {
    box.addEventListener("change", paint);
    box.disabled = box.hasAttribute("data-late") && !served; // there is nothing beside a page that was saved
  }
  for (const a of document.querySelectorAll(".at")) {
    a.addEventListener("click", () => {
      const b = buttons.find(b => b.dataset.finding === a.dataset.of);
      if (b && b !== chosen) choose(b, true);
      show(Number(a.dataset.of) - 1, Number(a.dataset.p));
      svg.scrollIntoView({ block: "nearest" });
    });
  }
  for (const s of strip.querySelectorAll("[data-place]")) {
    s.addEventListener("click", () => { if (spot) show(spot.f, (spot.n + Number(s.dataset.place) + reach(spot.f)) % reach(spot.f)); });
  }
  document.getElementById("everywhere").addEventListener("click", () => {
    leave();
    const group = marks.querySelector(".chosen");
    if (group) focus(group);
  });
  for (const z of document.querySelectorAll("[data-zoom]")) {
    z.addEventListener("click", () => {
      if (z.dataset.zoom === "all") look(...all); else zoom(z.dataset.zoom === "in" ? 1 / 1.6 : 1.6);
    });
  }

  // Measuring. What is copper is asked of the shapes that are drawn, so that a point snaps to
  // their true edges, in a crop and on layers that are drawn as paths.
  const ruler = document.getElementById("ruler"), measure = document.getElementById("measure"), measured = document.getElementById("measured");
  let points = null; // that were chosen, while people measure
  let ruled = null; // draws what was measured

  // insideOf gives whether a point of the drawing lies in what is drawn round a place.
  function insideOf(at, far) {
    const frame = cropped.querySelector("svg");
    const near = frame && at.x > +frame.getAttribute("x") && at.y > +frame.getAttribute("y") &&
      at.x < +frame.getAttribute("x") + +frame.getAttribute("width") && at.y < +frame.getAttribute("y") + +frame.getAttribute("height");
    const groups = near ? [frame] : [...layers.values()].filter(g => !g.classList.contains("off") && !g.classList.contains("dim"));
    const shapes = [];
    for (const g of groups) {
      for (const e of g.querySelectorAll(near ? ".about, .a, .b, .other" : "path, use")) {
        if (e.id) continue; // the shape of an aperture, which others use
        const path = e.tagName === "use" ? document.querySelector(e.getAttribute("href")) : e;
        if (!path || !path.isPointInFill) continue;
        const m = svg.getScreenCTM().inverse().multiply(e.getScreenCTM()), back = m.inverse();
        const x = e.tagName === "use" ? Number(e.getAttribute("x")) : 0, y = e.tagName === "use" ? Number(e.getAttribute("y")) : 0;
        const p = new DOMPoint(at.x, at.y).matrixTransform(back), box = e.getBBox(), room = far / Math.abs(m.a || m.b) + Number(e.getAttribute("stroke-width") || 0);
        if (p.x < box.x - room || p.x > box.x + box.width + room || p.y < box.y - room || p.y > box.y + box.height + room) continue;
        shapes.push({ path, back, x, y, stroke: e.getAttribute("fill") === "none", clear: e.parentNode.getAttribute("fill") === "#000" });
      }
    }
    return q => {
      let copper = false;
      for (const s of shapes) { // what is clear erases what was drawn before
        if (copper !== s.clear) continue;
        const p = new DOMPoint(q.x, q.y).matrixTransform(s.back);
        p.x -= s.x; p.y -= s.y;
        if (s.stroke ? s.path.isPointInStroke(p) : s.path.isPointInFill(p)) copper = !s.clear;
      }
      return copper;
    };
  }

  // edge finds where on the way from a point in a direction copper begins or ends; null where it does not.
  function edge(inside, from, angle, far, step) {
    const c = Math.cos(angle), s = Math.sin(angle), at = d => ({ x: from.x + c * d, y: from.y + s * d });
    const was = inside(from);
    for (let d = step; d <= far; d += step) {
      if (inside(at(d)) === was) continue;
      let low = d - step, high = d;
      while (high - low > step / 256) {
        const mid = (low + high) / 2;
        if (inside(at(mid)) === was) low = mid; else high = mid;
      }
      return { d: high, ...at(high) };
    }
    return null;
  }

  // snap moves a point to the nearest edge of copper, where one is close on the screen.
  function snap(at) {
    const u = unit(), inside = insideOf(at, 14 * u);
    let best = null;
    for (let k = 0; k < 48; k++) {
      const e = edge(inside, at, k * Math.PI / 24, 14 * u, u);
      if (e && (!best || e.d < best.d)) best = e;
    }
    return best || at;
  }

  // width is the narrowest way across the copper, or the gap, at a point.
  function width(at) {
    const u = unit(), far = 400 * u, inside = insideOf(at, far);
    let best = null;
    for (let k = 0; k < 48; k++) {
      const a = edge(inside, at, k * Math.PI / 48, far, 3 * u), b = a && edge(inside, at, k * Math.PI / 48 + Math.PI, far, 3 * u);
      if (b && (!best || a.d + b.d < best.long)) best = { a, b, long: a.d + b.d, copper: inside(at) };
    }
    return best;
  }

  const length = um => figures((um / 1000).toFixed(3)) + " mm";

  // take takes a point that was pressed on: the first tells how wide it is there, the second how
  // far it is from the first.
  function take(at) {
    if (points.length > 1) points = [];
    points.push(snap(at));
    const [a, b] = points;
    if (b) {
      const long = Math.hypot(b.x - a.x, b.y - a.y);
      ruled = u => drawArrow(ruler, a, b, length(long), u);
      measured.textContent = say("Distance {1} (x {2}, y {3}).", length(long), length(Math.abs(b.x - a.x)), length(Math.abs(b.y - a.y)));
    } else {
      const w = width(at);
      ruled = u => {
        shape("circle", { cx: a.x, cy: a.y, r: 5 * u, class: "line" }, ruler);
        if (w) drawArrow(ruler, w.a, w.b, length(w.long), u);
      };
      measured.textContent = (w ? (w.copper ? say("Copper is {1} wide here.", length(w.long)) : say("The gap is {1} wide here.", length(w.long))) + " " : "") + say("Choose a second point for a distance.");
    }
    draw();
  }

  // stopMeasuring takes away what was measured.
  function stopMeasuring() {
    points = ruled = null;
    measured.textContent = "";
    measure.setAttribute("aria-pressed", "false");
    svg.closest(".stage").classList.remove("measuring");
    draw();
  }
  measure.addEventListener("click", () => {
    if (points) { stopMeasuring(); return; }
    points = [];
    measure.setAttribute("aria-pressed", "true");
    svg.closest(".stage").classList.add("measuring");
    measured.textContent = say("Choose a point: it snaps to the edges of copper.");
  });
  svg.addEventListener("click", e => { if (points && moved < 5) take(place(e)); });

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
    const b = g && !points && moved < 5 && buttons.find(b => b.dataset.finding === g.dataset.mark);
    if (!b) return;
    if (b !== chosen) choose(b, true);
    show(Number(b.dataset.finding) - 1, Number(e.target.dataset.p || 0));
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
  addEventListener("beforeprint", () => { leave(); look(...all); });
  paint();
  draw();
  const linked = () => buttons.find(b => "#f" + b.dataset.finding === location.hash && !b.disabled);
  addEventListener("hashchange", () => { const b = linked(); if (b && b !== chosen) choose(b); });
  if (linked()) choose(linked());
  const boxOf = n => boxes.get(String(n));
  found = names({
    all, shape, near, flip, served, look, say,
    clear: () => { if (chosen) choose(chosen); else leave(); },
    mark: on => { world.classList.toggle("searched", on); marks.classList.toggle("near", on); if (!on) strip.hidden = true; },
    tell: words => { open(false); tell(words); },
    kindOf: n => boxOf(n) ? boxOf(n).dataset.kind : "",
    nameOf: n => boxOf(n) ? boxOf(n).closest("label").childNodes[2].textContent.trim() : "",
  });
  comparison({ data, say, figures, all, shape, look, near, leave, load: () => served ? fetchAll() : Promise.reject("no address") });
})();
