// What is wrong about where things stand: a page wider than the window, text that
// is cut off or lies over other text, what is pressed and too small for a finger.
(() => {
  const found = [];
  const say = (what, e) => found.push(what + ": " + (e.outerHTML || "").replace(/\s+/g, " ").slice(0, 110));
  const seen = (e) => e.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true, opacityProperty: true }) && !e.closest(".hidden, .skip");
  const wide = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > wide) found.push("it scrolls sideways by " + (document.documentElement.scrollWidth - wide));

  // Texts, each with the rectangles of its lines; what scrolls by itself shows a part.
  const texts = [];
  const shown = (e, r) => {
    for (let p = e; p; p = p.parentElement) {
      const s = getComputedStyle(p);
      if (!/auto|scroll|hidden|clip/.test(s.overflowX + s.overflowY)) continue;
      const box = p.getBoundingClientRect();
      if (/hidden|clip/.test(s.overflowX) && (r.right > box.right + 1.5 || r.left < box.left - 1.5)) say("text is cut off", e);
      r = { left: Math.max(r.left, box.left), right: Math.min(r.right, box.right), top: Math.max(r.top, box.top), bottom: Math.min(r.bottom, box.bottom) };
    }
    return r;
  };
  // What a box of its own scrolls sideways, as a table's, can be brought into the window.
  const scrolls = (e) => {
    for (; e && e !== document.body; e = e.parentElement) if (["auto", "scroll"].includes(getComputedStyle(e).overflowX)) return true;
    return false;
  };
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode, e = node.parentElement;
    if (!node.data.trim() || !seen(e) || e.closest("option, noscript, svg")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const whole of range.getClientRects()) {
      if (whole.width < 1 || whole.height < 1) continue;
      if ((whole.left < -0.5 || whole.right > wide + 0.5) && !scrolls(e)) say("text is outside the window", e);
      const r = shown(e, whole);
      if (r.right > r.left && r.bottom > r.top) texts.push({ e, r, node });
    }
  }
  // What sticks to the window lies over what it scrolls past.
  const sticks = (e) => { for (; e; e = e.parentElement) if (["sticky", "fixed"].includes(getComputedStyle(e).position)) return e; return null; };
  texts.sort((a, b) => a.r.top - b.r.top);
  const told = new Set();
  for (let i = 0; i < texts.length; i++)
    for (let j = i + 1; j < texts.length && texts[j].r.top < texts[i].r.bottom; j++) {
      const a = texts[i], b = texts[j];
      if (a.node === b.node || a.e.contains(b.e) || b.e.contains(a.e) || sticks(a.e) !== sticks(b.e)) continue;
      // Lines of one paragraph reach a little into each other, their letters do not.
      const over = Math.min(a.r.right, b.r.right) - Math.max(a.r.left, b.r.left), deep = Math.min(a.r.bottom, b.r.bottom) - Math.max(a.r.top, b.r.top);
      if (over > 2 && deep > 6 && !told.has(a.e)) { told.add(a.e); say("texts overlap by " + over.toFixed() + " × " + deep.toFixed() + ", " + JSON.stringify(b.node.data.slice(0, 40)), a.e); }
    }
  for (const e of document.querySelectorAll("select, input:not([type=hidden]), button, .button"))
    if (seen(e) && e.scrollWidth > e.clientWidth + 2 && e.matches("button, .button")) say("the words of a button are cut off", e);

  // A link inside of a sentence may be as high as its line.
  const inSentence = (e) => [...e.parentElement.childNodes].some((n) => n !== e && n.nodeType === 3 && n.data.trim().length > 3);
  for (const e of document.querySelectorAll("a[href], button, summary, input:not([type=hidden]), select, textarea")) {
    if (!seen(e) || e.matches("button.hidden") || (e.matches("a") && !e.matches(".button") && inSentence(e))) continue;
    const r = (e.matches("input[type=radio]") && e.closest("label") || e).getBoundingClientRect();
    if (r.width < 24 || r.height < 24) say("too small for a finger, " + r.width.toFixed() + " × " + r.height.toFixed(), e);
  }
  return found;
})()
