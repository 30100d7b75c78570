"use strict";
// comparison shows what copper, and what else, was added and removed since an earlier report, whose
// drawing it takes out of that page. view gives what the report's own script has: the drawing and
// how to look at a place of it.
const comparison = view => {
  const panel = document.getElementById("compare"), form = panel && panel.querySelector(".earlier");
  if (!form) return;
  const said = panel.querySelector("[role=status]"), result = panel.querySelector(".result"), address = form.querySelector("[name=address]"), saved = form.querySelector("[name=page]");
  const table = result.querySelector("tbody"), steps = [...result.querySelectorAll("[data-change]")];
  const group = document.getElementById("changes");
  const { say, figures } = view;
  const most = { pixels: 2400, page: 16 << 20, places: 100, layers: 60 };
  let places = [], at = -1;

  const allowed = new Set(["g", "defs", "mask", "rect", "path", "use", "circle", "image"]);
  const attributes = new Set(["id", "x", "y", "width", "height", "fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "d", "transform", "mask", "maskUnits", "href", "cx", "cy", "r", "preserveAspectRatio", "fill-rule", "clip-rule"]);

  // copy takes over a drawing of another page: shapes alone, with ids of their own. That page may
  // be anybody's.
  function copy(from, prefix) {
    if (!allowed.has(from.tagName)) return null;
    const to = document.createElementNS("http://www.w3.org/2000/svg", from.tagName);
    for (const a of from.attributes) {
      let value = a.value;
      if (!attributes.has(a.name)) continue;
      if (a.name === "id") value = prefix + value;
      if (a.name === "mask") value = value.replace(/^url\(#(.*)\)$/, (_, id) => `url(#${prefix}${id})`);
      if (a.name === "href") {
        if (value.startsWith("#")) value = "#" + prefix + value.slice(1);
        else if (!value.startsWith("data:image/png;base64,")) continue;
      }
      to.setAttribute(a.name, value);
    }
    for (const child of from.children) {
      const c = copy(child, prefix);
      if (c) to.append(c);
    }
    return to;
  }

  // drawings lists what a page draws: its layers, its holes and the board itself. beside has the
  // drawings that lie beside the page; of a layer without any there are no nodes.
  function drawings(page, beside) {
    const out = [], world = page.getElementById("world");
    if (!world) return out;
    for (const box of page.querySelectorAll("[data-layer]")) {
      const label = box.closest("label"), small = label && label.querySelector("small");
      if (!small) continue;
      const n = box.dataset.layer, role = box.dataset.role || small.textContent, name = label.textContent.trim().slice(0, -small.textContent.length).trim();
      let g = world.querySelector(`:scope > .layer[data-of="${CSS.escape(n)}"]`);
      if (!g && typeof beside[n] === "string") {
        g = new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${beside[n]}</svg>`, "image/svg+xml").documentElement;
      }
      out.push({ name, role, kind: box.dataset.kind, nodes: g ? [...g.children] : null });
    }
    for (const [id, name] of [["holes-it", say("Holes")], ["body-it", say("Board and cut-outs")]]) {
      const mask = page.getElementById(id);
      if (mask && mask.closest("#world")) out.push({ name, role: id, kind: id, nodes: [mask.closest("#world > g")] });
    }
    return out.slice(0, most.layers);
  }

  // counterpart finds the same layer of the earlier page: by name, or as the only one of its kind.
  function counterpart(layer, earlier) {
    const kin = earlier.filter(e => e.role === layer.role && e.kind === layer.kind);
    return kin.find(e => e.name === layer.name) || (kin.length === 1 && kin[0]) || null;
  }

  // fill draws a layer in one colour. A layer that is a picture takes it by a filter, black or white.
  function fill(layer, parent, prefix, shift, colour) {
    const g = view.shape("g", { transform: `translate(${shift.x} ${shift.y})` }, parent);
    for (const n of layer.nodes) {
      const c = copy(n, prefix);
      if (!c) continue;
      g.append(c);
      for (const r of c.tagName === "image" ? [] : c.querySelectorAll("rect[mask]")) r.setAttribute("fill", colour);
      for (const i of c.tagName === "image" ? [c] : c.querySelectorAll("image")) i.style.filter = colour === "#fff" ? "brightness(0) invert(1)" : "brightness(0)";
    }
    return g;
  }

  // paint shows what one of two has and the other has not, with its true edges.
  function paint(name, one, other, ground) {
    const id = `${name}-mask`;
    const mask = view.shape("mask", { id, maskUnits: "userSpaceOnUse", x: ground.x, y: ground.y, width: ground.w, height: ground.h }, group);
    if (one) fill(one.layer, mask, `${name}-1-`, one.shift, "#fff");
    if (other) fill(other.layer, mask, `${name}-2-`, other.shift, "#000");
    view.shape("rect", { x: ground.x, y: ground.y, width: ground.w, height: ground.h, mask: `url(#${id})`, class: name }, group);
  }

  // raster draws a layer for counting: the opacity of each pixel.
  async function raster(one, ground, scale) {
    const w = Math.ceil(ground.w * scale), h = Math.ceil(ground.h * scale);
    if (!one) return new Uint8ClampedArray(w * h * 4);
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    for (const [k, v] of Object.entries({ width: w, height: h, viewBox: `${ground.x} ${ground.y} ${w / scale} ${h / scale}` })) svg.setAttribute(k, v);
    const g = view.shape("g", { transform: `translate(${one.shift.x} ${one.shift.y})` }, svg);
    for (const n of one.layer.nodes) { const c = copy(n, ""); if (c) g.append(c); }
    const image = new Image();
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(new XMLSerializer().serializeToString(svg));
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = w; canvas.height = h;
    const c = canvas.getContext("2d", { willReadFrequently: true });
    c.drawImage(image, 0, 0);
    return c.getImageData(0, 0, w, h).data;
  }

  // changes finds where two drawings differ: areas by place, the largest first. A picture has no
  // true edges: there a difference of one pixel is none.
  function changes(now, was, w, h, coarse) {
    const step = 12, columns = Math.ceil(w / step), cells = new Map();
    const differ = (x, y) => (now[(y * w + x) * 4 + 3] > 127 ? 1 : 0) - (was[(y * w + x) * 4 + 3] > 127 ? 1 : 0);
    const whole = (x, y, d) => !coarse || x > 0 && y > 0 && x < w - 1 && y < h - 1 && differ(x - 1, y) === d && differ(x + 1, y) === d && differ(x, y - 1) === d && differ(x, y + 1) === d;
    for (let y = 0; y < h; y++) {
      for (let x = 0; x < w; x++) {
        const d = differ(x, y);
        if (d === 0 || !whole(x, y, d)) continue;
        const key = Math.floor(y / step) * columns + Math.floor(x / step);
        const c = cells.get(key) || { added: 0, removed: 0, l: x, t: y, r: x, b: y };
        if (d > 0) c.added++; else c.removed++;
        c.l = Math.min(c.l, x); c.r = Math.max(c.r, x); c.b = y;
        cells.set(key, c);
      }
    }
    const out = [];
    for (const key of [...cells.keys()]) {
      const first = cells.get(key);
      if (!first) continue;
      cells.delete(key);
      const place = { ...first }, queue = [key];
      while (queue.length) {
        const k = queue.pop(), x = k % columns;
        for (const [dx, dy] of [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]]) {
          const next = k + dy * columns + dx, c = x + dx < 0 || x + dx >= columns ? null : cells.get(next);
          if (!c) continue;
          cells.delete(next);
          queue.push(next);
          place.added += c.added; place.removed += c.removed;
          place.l = Math.min(place.l, c.l); place.t = Math.min(place.t, c.t); place.r = Math.max(place.r, c.r); place.b = Math.max(place.b, c.b);
        }
      }
      out.push(place);
    }
    return out.sort((a, b) => b.added + b.removed - a.added - a.removed);
  }

  const isPicture = layer => layer.nodes.some(n => n.tagName === "image" || n.querySelector("image"));
  const area = (pixels, scale) => figures((pixels / scale / scale / 1e6).toFixed(2)) + " mm²";

  // shiftOf is where the earlier drawing lies in this one: at the files' own positions, or with
  // its lower left corner on this one's where the board was moved as a whole.
  function shiftOf(earlier, now, then) {
    const shift = { x: (earlier.origin[0] - view.data.origin[0]) * 1000, y: (view.data.origin[1] - earlier.origin[1]) * 1000 };
    const [a, b] = [now, then].map(list => list.find(l => l.role === "body-it"));
    if (!a || !b) return { shift, moved: false };
    const na = boxOf(a), nb = boxOf(b);
    if (!na || !nb) return { shift, moved: false };
    const dx = na.x - nb.x, dy = na.y + na.height - nb.y - nb.height;
    if (Math.abs(dx - shift.x) < 2 && Math.abs(dy - shift.y) < 2) return { shift, moved: false };
    return { shift: { x: dx, y: dy }, moved: true };
  }

  // boxOf is where a drawing's shapes lie, which have to be in the page to be measured.
  function boxOf(layer) {
    const g = view.shape("g", {}, group);
    for (const n of layer.nodes) {
      for (const m of n.querySelectorAll("mask")) {
        const holder = view.shape("g", { transform: n.getAttribute("transform") }, g);
        for (const c of m.children) { const d = copy(c, "box-"); if (d) holder.append(d); }
      }
    }
    const box = g.getBBox();
    g.remove();
    return box.width ? box : null;
  }

  async function compare(text, beside) {
    const page = new DOMParser().parseFromString(text, "text/html"), board = page.getElementById("board"), holder = page.getElementById("places");
    if (!board || !holder) throw new Error(say("This is no report with a drawing."));
    const earlier = JSON.parse(holder.textContent), size = board.getAttribute("viewBox").split(" ").map(Number);
    if (!Array.isArray(earlier.origin) || earlier.origin.length !== 2 || ![...earlier.origin, ...size].every(Number.isFinite)) throw new Error(say("This is no report with a drawing."));
    end();
    await view.load().catch(() => {}); // what cannot be fetched is not compared, and said
    const now = drawings(document, {}), then = drawings(page, beside), { shift, moved } = shiftOf(earlier, now, then);
    const l = Math.min(0, shift.x), t = Math.min(0, shift.y);
    const ground = { x: l, y: t, w: Math.max(view.all[2], shift.x + size[2]) - l, h: Math.max(view.all[3], shift.y + size[3]) - t };
    const scale = most.pixels / Math.max(ground.w, ground.h), zero = { x: 0, y: 0 };
    const left = new Set(then), rows = [];
    for (const layer of now) {
      const other = counterpart(layer, [...left]);
      left.delete(other);
      rows.push({ name: layer.name, now: { layer, shift: zero }, was: other && { layer: other, shift } });
    }
    for (const layer of left) rows.push({ name: layer.name, now: null, was: { layer, shift } });
    for (const row of rows) {
      row.skipped = [row.now, row.was].some(one => one && !one.layer.nodes);
      row.found = [];
      if (row.skipped) continue;
      const w = Math.ceil(ground.w * scale), h = Math.ceil(ground.h * scale);
      const coarse = [row.now, row.was].some(one => one && isPicture(one.layer));
      row.found = changes(await raster(row.now, ground, scale), await raster(row.was, ground, scale), w, h, coarse);
    }
    show(rows, ground, scale, moved, page.querySelector("h1") ? page.querySelector("h1").textContent : "");
  }

  function show(rows, ground, scale, moved, title) {
    table.replaceChildren();
    places = [];
    const changed = rows.filter(r => !r.skipped && (r.found.length || !r.now || !r.was));
    const skipped = rows.filter(r => r.skipped).map(r => r.name);
    for (const r of changed) {
      const line = table.insertRow(), head = document.createElement("th");
      head.scope = "row";
      head.textContent = !r.now ? say("{1} (only in the earlier one)", r.name) : !r.was ? say("{1} (not in the earlier one)", r.name) : r.name;
      line.append(head);
      line.insertCell().textContent = area(r.found.reduce((n, p) => n + p.added, 0), scale);
      line.insertCell().textContent = area(r.found.reduce((n, p) => n + p.removed, 0), scale);
      const first = places.length, cell = line.insertCell();
      for (const p of r.found.slice(0, most.places)) places.push({ row: r, p });
      if (r.found.length) {
        const b = document.createElement("button");
        b.type = "button";
        b.className = "at";
        b.textContent = r.found.length === 1 ? say("1 place") : say("{1} places", r.found.length);
        b.addEventListener("click", () => visit(first));
        cell.append(b);
      } else cell.textContent = say("nothing drawn");
    }
    result.hidden = false;
    result.querySelector("table").hidden = changed.length === 0;
    for (const s of steps) s.disabled = places.length === 0;
    const least = figures((2 / scale / 1000).toFixed(2));
    said.textContent = [
      !changed.length ? say("Nothing differs from “{1}”.", title) : places.length === 1 ? say("1 place differs from “{1}”.", title) : say("{1} places differ from “{2}”.", places.length, title),
      skipped.length ? say("Not compared, for a saved page does not have them: {1}.", skipped.join(", ")) : "",
      moved ? say("The board was moved as a whole; its lower left corners are laid on each other.") : "",
      say("What is smaller than {1} mm may not be listed.", least),
    ].filter(Boolean).join(" ");
    ground.scale = scale;
    result.ground = ground;
    if (places.length) visit(0);
  }

  // visit shows one place, with its layer's changes.
  function visit(n) {
    at = (n + places.length) % places.length;
    const { row, p } = places[at], ground = result.ground, s = ground.scale;
    view.leave();
    group.replaceChildren();
    view.shape("rect", { x: ground.x, y: ground.y, width: ground.w, height: ground.h, class: "ground" }, group);
    paint("removed", row.was, row.now, ground);
    paint("added", row.now, row.was, ground);
    paint("kept", row.now, null, ground);
    group.querySelector(".kept").setAttribute("opacity", ".28");
    const x = ground.x + p.l / s, y = ground.y + p.t / s, w = Math.max((p.r - p.l + 1) / s, 20), h = Math.max((p.b - p.t + 1) / s, 20);
    view.near(x + w / 2, y + h / 2, Math.max(w, h));
    result.querySelector(".where").textContent = say("Change {1} of {2} · {3} · added {4}, removed {5}", at + 1, places.length, row.name, area(p.added, s), area(p.removed, s));
  }

  function end() {
    group.replaceChildren();
    result.hidden = true;
    said.textContent = "";
    places = [];
    at = -1;
  }

  async function earlierPage() {
    const file = saved.files[0];
    if (file) {
      if (file.size > most.page) throw new Error(say("This file is too large for a report."));
      return [await file.text(), {}];
    }
    const url = new URL(address.value.trim());
    if (!url.pathname.endsWith("/report.html")) throw new Error(say("The address of a report ends in /report.html."));
    let reply = null;
    do {
      if (reply) await new Promise(resolve => setTimeout(resolve, 2000));
      reply = await fetch(url).catch(() => null);
    } while (reply && reply.status === 202); // it is still being made
    if (!reply || !reply.ok) throw new Error(say("The earlier report cannot be fetched: it may have expired, or be elsewhere. Choose the page as you saved it."));
    const beside = await fetch(new URL("places.json", url)).then(r => r.ok ? r.json() : {}).catch(() => ({}));
    return [await reply.text(), beside.layers || {}];
  }

  panel.hidden = false;
  // begin compares with what was chosen. A sandbox knows no forms.
  async function begin() {
    if (!address.value.trim() && !saved.files.length) {
      said.textContent = say("Give the address of the earlier report, or choose the page as you saved it.");
      address.focus();
      return;
    }
    said.textContent = say("Comparing …");
    try {
      await compare(...await earlierPage());
    } catch (failure) {
      end();
      said.textContent = failure instanceof TypeError && !saved.files.length ? say("This is no address of a report.") : failure instanceof SyntaxError ? say("This is no report with a drawing.") : failure.message;
    }
  }
  form.querySelector("[data-compare]").addEventListener("click", begin);
  address.addEventListener("keydown", e => { if (e.key === "Enter") begin(); });
  // A link may name the earlier report. One that is elsewhere is fetched at a person's word only.
  function follow() {
    const named = new URLSearchParams(location.hash.slice(1)).get("earlier");
    if (!named || !URL.canParse(named) || new URL(named).origin !== new URL(location.href).origin) return;
    panel.open = true;
    address.value = named;
    begin();
  }
  addEventListener("hashchange", follow);
  follow();
  for (const s of steps) s.addEventListener("click", () => visit(at + Number(s.dataset.change)));
  result.querySelector("[data-end]").addEventListener("click", () => { end(); view.look(...view.all); address.focus(); });
};
