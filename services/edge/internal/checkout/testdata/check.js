(() => {
  const found = [];
  const say = (what, e) => found.push(what + (e ? ": " + e.outerHTML.slice(0, 120) : ""));
  const all = (s) => [...document.querySelectorAll(s)];
  const seen = (e) => e.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true }) && !e.closest(".hidden");

  if (!document.documentElement.lang) say("the page has no language");
  if (!document.title) say("the page has no title");
  if (all("h1").length !== 1) say("there are " + all("h1").length + " h1");
  let level = 0;
  for (const h of all("h1, h2, h3, h4, legend").filter(seen)) {
    const n = h.tagName === "LEGEND" ? 2 : +h.tagName[1];
    if (n > level + 1 && level) say("a heading skips a level", h);
    level = n;
  }
  const ids = new Set();
  for (const e of all("[id]")) {
    if (ids.has(e.id)) say("an id is used twice", e);
    ids.add(e.id);
  }
  for (const e of all("[aria-describedby], [aria-labelledby]"))
    for (const id of ((e.getAttribute("aria-describedby") || "") + " " + (e.getAttribute("aria-labelledby") || "")).split(" "))
      if (id && !ids.has(id)) say("it refers to nothing, " + id, e);
  for (const e of all("a[href^='#']")) if (!ids.has(e.getAttribute("href").slice(1))) say("a link leads nowhere", e);
  for (const e of all("input:not([type=hidden]), select, textarea")) if (!e.labels.length) say("an input has no label", e);
  for (const e of all("button, a")) if (!e.textContent.trim()) say("it has no name", e);
  for (const e of all("img")) {
    if (!e.hasAttribute("alt")) say("a picture has no alt", e);
    if (e.checkVisibility() && (!e.complete || !e.naturalWidth)) say("a picture does not load", e); // a folded one is fetched when it is asked for
  }
  for (const e of all("[style], script:not([src]), style")) say("it would need inline code", e);

  if (document.documentElement.scrollWidth > window.innerWidth) {
    say("the page is wider than the window by " + (document.documentElement.scrollWidth - window.innerWidth));
    for (const e of all("main *")) if (e.getBoundingClientRect().right > window.innerWidth + 1 && seen(e)) { say("too wide", e); break; }
  }
  for (const e of all("button:not(.hidden), .button, select, textarea, input:not([type=hidden], [type=radio], [type=checkbox]), summary, .choice").filter(seen))
    if (e.getBoundingClientRect().height < 34) say("too small to press", e);

  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (c) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = c;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => {
    const f = (v) => ((v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b);
  };
  const ground = (e) => {
    for (; e; e = e.parentElement) {
      const c = rgba(getComputedStyle(e).backgroundColor);
      if (c[3] > 250) return c;
    }
    return [255, 255, 255, 255];
  };
  const done = new Set();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const e = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || done.has(e) || !seen(e)) continue;
    done.add(e);
    const style = getComputedStyle(e), size = parseFloat(style.fontSize);
    const [a, b] = [light(rgba(style.color)), light(ground(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const large = size >= 24 || (size >= 18.6 && +style.fontWeight >= 700);
    if (ratio < (large ? 3 : 4.5)) say("contrast " + ratio.toFixed(2), e);
    if (size < 13) say("small print of " + size + " px", e);
  }
  return found;
})()
