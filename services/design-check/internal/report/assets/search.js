"use strict";
// names looks nets, parts and pads up that the files state, and shows them on the board. view gives
// what the report's own script has: the drawing and how to look at a place of it.
const names = view => {
  const panel = document.getElementById("hits"), box = document.getElementById("search"), group = document.getElementById("found");
  if (!panel || !view.served) return { look: () => {}, leave: () => {} };
  const list = panel.querySelector("ul"), count = document.getElementById("count"), most = 50;
  const files = new Map(), say = view.say, order = new Intl.Collator(undefined, { numeric: true });
  let index = null, all = null, shown = null;

  // load gets what can be found, once, as entries with the words that they are found by.
  function load() {
    if (!index) {
      index = fetch("search.json").then(r => r.ok ? r.json() : Promise.reject(r.status)).then(got => {
        all = [...got.nets.map((n, i) => ({ kind: "net", i, n, words: [n.name.toLowerCase()] })),
          ...got.parts.map(p => ({ kind: "part", p, words: [p.ref.toLowerCase(), (p.value || "").toLowerCase()] }))];
        all.nets = got.nets;
        all.parts = got.parts;
      });
      index.catch(() => { index = null; });
    }
    return index;
  }

  // pads gives the pads that are asked for as U1-3, U1.3 or U1 3.
  function pads(wanted) {
    const m = /^(.+?)[-. ]+([^-. ]*)$/.exec(wanted);
    return m ? all.parts.filter(p => p.ref.toLowerCase() === m[1]).flatMap(p => (p.pads || []).filter(d => d[0].toLowerCase().startsWith(m[2])).map(d => ({ kind: "pad", p, d, words: [d[0].toLowerCase() === m[2] ? wanted : wanted + "…"] }))) : [];
  }

  // rank tells how well an entry is what is wanted: 0 is it, 3 is something else.
  const rank = (e, wanted) => Math.min(...e.words.map(w => w === wanted ? 0 : w.startsWith(wanted) ? 1 : w.includes(wanted) ? 2 : 3));
  const title = e => e.kind === "net" ? e.n.name : e.kind === "part" ? e.p.ref : e.p.ref + "-" + e.d[0];

  function about(e) {
    if (e.kind === "net") return say("net, pads: {1}", e.n.pads);
    if (e.kind === "part") return e.p.value ? say("part, {1}", e.p.value) : say("part");
    return e.d[3] >= 0 ? say("pad, net {1}", all.nets[e.d[3]].name) : say("pad");
  }

  // look lists what has the words that are wanted.
  function look(wanted, findings) {
    if (wanted === "") {
      panel.hidden = true;
      list.replaceChildren();
      count.textContent = "";
      leave();
      return;
    }
    load().then(() => {
      if (box.value.trim().toLowerCase() !== wanted) return; // more was typed
      const hits = [...all, ...pads(wanted)].map(e => ({ e, r: rank(e, wanted) })).filter(h => h.r < 3);
      hits.sort((a, b) => a.r - b.r || order.compare(title(a.e), title(b.e)));
      const of = kind => hits.filter(h => h.e.kind === kind).length;
      const at = [...list.querySelectorAll("button")].indexOf(document.activeElement); // a list that comes later keeps the focus
      list.replaceChildren(...hits.slice(0, most).map(h => line(h.e)));
      count.textContent = say("Findings: {1} · nets: {2} · parts: {3} · pads: {4}", findings(), of("net"), of("part"), of("pad")) + (hits.length > most ? " · " + say("the first {1} are listed", most) : "");
      panel.hidden = hits.length === 0;
      if (at >= 0) (list.querySelectorAll("button")[at] ?? box).focus();
    }, () => {
      panel.hidden = true;
      list.replaceChildren();
      count.textContent = say("Nets and parts cannot be fetched now: findings alone were searched.");
    });
  }

  function line(e) {
    const item = document.createElement("li"), button = document.createElement("button"), name = document.createElement("bdi"), small = document.createElement("small");
    button.type = "button";
    button.setAttribute("aria-pressed", String(shown === e));
    name.textContent = title(e);
    small.textContent = about(e);
    button.append(name, " ", small);
    button.addEventListener("click", () => choose(e, button));
    item.append(button);
    return item;
  }

  // choose shows an entry, or the whole board when it is chosen again.
  function choose(e, button) {
    const again = button.getAttribute("aria-pressed") === "true";
    leave();
    if (again) { view.look(...view.all); return; }
    view.clear();
    shown = e;
    button.setAttribute("aria-pressed", "true");
    const net = e.kind === "net" ? e.i : e.kind === "pad" ? e.d[3] : -1, file = net >= 0 ? all.nets[net].file : -1;
    if (file < 0) { show(e, []); return; }
    if (!files.has(file)) {
      files.set(file, fetch("nets-" + file + ".json").then(r => r.ok ? r.json() : Promise.reject(r.status)));
      files.get(file).catch(() => files.delete(file));
    }
    files.get(file).then(got => { if (shown === e) show(e, got[net] || []); }, () => { if (shown === e) { show(e, []); view.tell(say("The copper of this net cannot be fetched now.")); } });
  }

  // show draws an entry: the copper of its net, rings round its pads, a frame round a part.
  function show(e, paths) {
    const kinds = paths.map(p => view.kindOf(p.l)), below = kinds.length ? kinds.every(k => k.includes("bottom")) : e.kind !== "net" && e.p.side === "bottom";
    view.flip(e.kind === "pad" ? e.p.side === "bottom" : below);
    for (const [i, p] of paths.entries()) {
      const side = below ? "bottom" : "top";
      view.shape("path", { d: p.d, class: (p.w ? "track" : "area") + (kinds[i].includes(side) ? "" : " beneath"), ...(p.w ? { "stroke-width": p.w } : {}) }, group);
    }
    const frame = { l: Infinity, t: Infinity, r: -Infinity, b: -Infinity };
    const take = (x, y, m) => { frame.l = Math.min(frame.l, x - m); frame.t = Math.min(frame.t, y - m); frame.r = Math.max(frame.r, x + m); frame.b = Math.max(frame.b, y + m); };
    const ring = (x, y, m) => { for (const c of ["place", "place line"]) view.shape("circle", { cx: x, cy: y, r: m, class: c }, group); take(x, y, m); };
    if (e.kind === "net" && paths.length) {
      const b = group.getBBox();
      take(b.x, b.y, 300);
      take(b.x + b.width, b.y + b.height, 300);
    } else if (e.kind === "net") {
      for (const p of all.parts) for (const d of p.pads || []) if (d[3] === e.i) ring(d[1], d[2], 300);
    } else if (e.kind === "pad") {
      ring(e.d[1], e.d[2], 500);
    } else if ((e.p.pads || []).length > 1) {
      for (const d of e.p.pads) take(d[1], d[2], 400);
      for (const c of ["place", "place line"]) view.shape("rect", { x: frame.l, y: frame.t, width: frame.r - frame.l, height: frame.b - frame.t, class: c }, group);
    } else if (e.p.at) {
      ring(e.p.at[0], e.p.at[1], 1000);
    }
    const layers = [...new Set(paths.map(p => view.nameOf(p.l)).reverse().filter(Boolean))];
    view.tell([title(e), about(e), ...layers].join(" · "));
    if (frame.l > frame.r) { view.tell(title(e) + " · " + say("The files do not say where this is.")); return; }
    view.mark(true);
    const span = Math.max(frame.r - frame.l, frame.b - frame.t);
    view.near((frame.l + frame.r) / 2, (frame.t + frame.b) / 2, Math.max(e.kind === "net" ? span / 2.6 : e.kind === "pad" ? span * 1.5 : span / 1.5, 300));
  }

  // leave takes away what was shown.
  function leave() {
    if (!shown) return;
    shown = null;
    group.replaceChildren();
    view.mark(false);
    for (const b of list.querySelectorAll("[aria-pressed=true]")) b.setAttribute("aria-pressed", "false");
  }

  box.addEventListener("keydown", e => {
    const first = list.querySelector("button");
    if (!first || panel.hidden) return;
    if (e.key === "ArrowDown") first.focus();
    else if (e.key === "Enter" && first.getAttribute("aria-pressed") === "false") first.click();
    else return;
    e.preventDefault();
  });
  list.addEventListener("keydown", e => {
    const buttons = [...list.querySelectorAll("button")], at = buttons.indexOf(document.activeElement);
    const to = { ArrowDown: Math.min(at + 1, buttons.length - 1), ArrowUp: at - 1, Home: 0, End: buttons.length - 1, Escape: -1 }[e.key];
    if (to === undefined) return;
    if (to < 0) box.focus(); else buttons[to].focus();
    e.preventDefault();
  });
  return { look, leave };
};
