// Sends files with progress, and keeps the price of a board in step with what is chosen.
// Both pages work without it.
(() => {
  "use strict";
  const byId = (id) => document.getElementById(id);
  const words = JSON.parse((byId("send") || byId("choose"))?.dataset.words || "{}"); // in the page's language
  const fill = (name, values) => words[name].replace(/\{(\w+)\}/g, (_, key) => values[key]);
  if (byId("send")) send(byId("send"));
  if (byId("choose")) choose(byId("choose"));

  function send(form) {
    const field = byId("f-files"), folder = byId("f-folder");
    const sender = sending(form.dataset, field);
    byId("drop-words").hidden = byId("folder").hidden = false;
    field.addEventListener("change", () => sender.show([...field.files].map((file) => ({ name: file.name, file }))));
    folder.addEventListener("change", () => sender.show([...folder.files].map((file) => ({ name: file.webkitRelativePath || file.name, file }))));
    for (const kind of ["dragover", "dragleave", "drop"]) document.addEventListener(kind, (e) => {
      if (![...e.dataTransfer.types].includes("Files")) return;
      e.preventDefault();
      form.classList.toggle("over", kind === "dragover");
      if (kind === "drop") dropped([...e.dataTransfer.items]).then(sender.show, () => say(words.unreadable));
    });
    form.addEventListener("submit", (e) => {
      e.preventDefault();
      sender.go(form.getAttribute("action"), [...form.querySelectorAll("input[type=text]")].map((e) => [e.name, e.value]));
    });
  }

  function say(text) { byId("chosen").textContent = text; }

  // What sends the files of a field with progress, within the limits that limits has.
  function sending(limits, field) {
    const { maxFiles, maxFile, maxAll } = { maxFiles: +limits.files, maxFile: +limits.fileMb, maxAll: +limits.mb };
    const needed = field.required;
    let list = [], request; // of {name, file}
    byId("stop").addEventListener("click", () => request?.abort());
    addEventListener("pageshow", () => { request = undefined; byId("progress").hidden = true; });
    return { show, go };

    function show(files) {
      list = files.filter((f) => !/(^|\/)(\.git|__MACOSX|\.DS_Store)(\/|$)/.test(f.name));
      field.required = needed && !list.length;
      const bytes = list.reduce((n, f) => n + f.file.size, 0);
      const large = list.find((f) => f.file.size > maxFile << 20);
      const about = { file: list.length === 1 ? list[0].name : list.length, size: size(bytes) };
      say(list.length === 0 ? "" : fill(list.length === 1 ? "one" : "several", about) +
        (large ? " " + fill("fileLarge", { file: large.name, mb: maxFile }) : bytes > maxAll << 20 ? " " + fill("allLarge", { mb: maxAll }) : ""));
    }

    async function go(action, fields) {
      if (request) return;
      if (!list.length) { say(words.none); field.focus(); return; }
      request = new XMLHttpRequest();
      const mine = request;
      tell(words.ready, 0);
      try {
        const files = list.length > maxFiles || list.some((f) => f.name.includes("/")) ? [{ name: "design.tgz", file: await pack(list) }] : list;
        const asked = await (await fetch(limits.challenge, { signal: AbortSignal.timeout(20000) })).json();
        const answer = await work(asked.challenge, asked.bits);
        const body = new FormData();
        for (const [name, value] of fields) body.append(name, value);
        for (const f of files) body.append("files", f.file, f.name);
        const reply = await post(mine, action.split("?")[0] + "?" + new URLSearchParams({ challenge: asked.challenge, answer }), body);
        if (reply.location) { location.assign(reply.location); return; }
        fail(reply.message, reply.detail);
      } catch (e) {
        fail(e === "stopped" ? words.stopped : words.unsent);
      }
    }

    function post(xhr, address, body) {
      return new Promise((done, failed) => {
        xhr.open("POST", address);
        xhr.setRequestHeader("Accept", "application/json");
        xhr.responseType = "json";
        xhr.upload.onprogress = (e) => e.lengthComputable && tell(e.loaded < e.total ? fill("sending", { size: size(e.loaded), all: size(e.total) }) : words.sent, (100 * e.loaded) / e.total);
        xhr.onload = () => done(xhr.response || {});
        xhr.onerror = () => failed("network");
        xhr.onabort = () => failed("stopped");
        xhr.send(body);
      });
    }

    function tell(text, percent) {
      byId("progress").hidden = false;
      byId("progress-words").textContent = text;
      byId("bar").value = percent;
    }

    function fail(why, detail) {
      request = undefined;
      byId("progress").hidden = true;
      say(why || words.untaken);
      if (detail) {
        const english = byId("chosen").appendChild(document.createElement("span"));
        english.lang = "en";
        english.textContent = " " + detail;
      }
      byId("chosen").scrollIntoView({ block: "nearest" });
    }
  }

  function size(bytes) {
    const unit = bytes < 1e6 ? "kB" : "MB";
    const figure = unit === "kB" ? Math.max(1, Math.round(bytes / 1e3)) : (bytes / 1e6).toLocaleString(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
    return fill(unit, { size: figure });
  }

  // What was dropped: files, and those in folders.
  async function dropped(items) {
    const out = [];
    const walk = async (entry, path) => {
      if (entry.isFile) { out.push({ name: path + entry.name, file: await new Promise((y, n) => entry.file(y, n)) }); return; }
      const reader = entry.createReader();
      for (;;) {
        const some = await new Promise((y, n) => reader.readEntries(y, n));
        if (!some.length) return;
        for (const one of some) await walk(one, path + entry.name + "/");
      }
    };
    const entries = items.map((i) => i.webkitGetAsEntry()).filter(Boolean); // before the event is over
    for (const e of entries) await walk(e, "");
    return out;
  }

  // A folder as one package: tar, with a record before each name that its header cannot hold.
  async function pack(list) {
    const parts = [];
    const text = new TextEncoder();
    const entry = (name, bytes, kind, content) => {
      const head = new Uint8Array(512);
      const put = (at, s) => head.set(text.encode(s), at);
      put(0, name); put(100, "0000644\0"); put(108, "0000000\0"); put(116, "0000000\0");
      put(124, bytes.toString(8).padStart(11, "0") + "\0"); put(136, "00000000000\0"); put(148, "        "); put(156, kind); put(257, "ustar\0" + "00");
      put(148, head.reduce((a, b) => a + b, 0).toString(8).padStart(6, "0") + "\0 ");
      parts.push(head, content, new Uint8Array((512 - (bytes % 512)) % 512));
    };
    for (const { name, file } of list) {
      const long = text.encode(name).length;
      if (long > 100 || long !== name.length) {
        const rest = text.encode(` path=${name}\n`);
        let all = rest.length;
        while (String(all).length + rest.length !== all) all = String(all).length + rest.length;
        const record = new Uint8Array([...text.encode(String(all)), ...rest]);
        entry("path", record.length, "x", record);
      }
      entry(name.replace(/[^ -~]/g, "_").slice(-100), file.size, "0", file);
    }
    parts.push(new Uint8Array(1024));
    return new Response(new Blob(parts).stream().pipeThrough(new CompressionStream("gzip"))).blob();
  }

  // The work that a challenge asks for: a number whose digest begins with so many zero bits.
  async function work(challenge, bits) {
    const key = hex(sha256(challenge)).slice(0, 32);
    for (let n = 0, rest = performance.now(); ; n++) {
      if (Math.clz32(sha256(key + "." + n)[0]) >= bits) return String(n);
      if (n % 512 === 511 && performance.now() - rest > 30) {
        await new Promise((go) => setTimeout(go));
        rest = performance.now();
      }
    }
  }

  function hex(words) { return [...words].map((w) => w.toString(16).padStart(8, "0")).join(""); }

  // SHA-256 of ASCII: pages that are not served over HTTPS have no other.
  function sha256(s) {
    const K = sha256.k ||= constants();
    const n = s.length, blocks = ((n + 8) >> 6) + 1, words = new Uint32Array(blocks * 16), w = new Uint32Array(64);
    for (let i = 0; i < n; i++) words[i >> 2] |= s.charCodeAt(i) << (24 - 8 * (i & 3));
    words[n >> 2] |= 0x80 << (24 - 8 * (n & 3));
    words[blocks * 16 - 1] = n * 8;
    const h = new Uint32Array(K.start);
    const turn = (x, by) => (x >>> by) | (x << (32 - by));
    for (let at = 0; at < words.length; at += 16) {
      for (let i = 0; i < 64; i++) {
        if (i < 16) { w[i] = words[at + i]; continue; }
        const x = w[i - 15], y = w[i - 2];
        w[i] = w[i - 16] + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + w[i - 7] + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10));
      }
      let [a, b, c, d, e, f, g, j] = h;
      for (let i = 0; i < 64; i++) {
        const t = (j + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K.round[i] + w[i]) | 0;
        const u = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        j = g; g = f; f = e; e = (d + t) | 0; d = c; c = b; b = a; a = (t + u) | 0;
      }
      [a, b, c, d, e, f, g, j].forEach((v, i) => { h[i] += v; });
    }
    return h;
  }

  // The constants of SHA-256: fractions of the roots of the first primes.
  function constants() {
    const primes = [];
    for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);
    const part = (x) => ((x - Math.floor(x)) * 2 ** 32) >>> 0;
    return { start: primes.slice(0, 8).map((p) => part(p ** 0.5)), round: primes.map((p) => part(Math.cbrt(p))) };
  }

  function choose(form) {
    const parts = ["sum", "board", "asks", "fields", "ticks", "table", "cheaper", "found", "more"];
    let running, timer, adder;
    if (byId("add")) {
      const field = byId("f-add");
      adder = sending(byId("add").dataset, field);
      field.addEventListener("change", () => adder.show([...field.files].map((file) => ({ name: file.name, file }))));
    }
    form.addEventListener("change", () => { clearTimeout(timer); timer = setTimeout(refresh, 150); });
    form.addEventListener("submit", (e) => {
      clearTimeout(timer);
      if (e.submitter?.name) return; // on to another page, with all that is chosen
      e.preventDefault();
      if (e.submitter?.id === "add-files") { adder.go(byId("add").dataset.action, chosen()); return; }
      refresh();
    });
    if ("waiting" in byId("board-page").dataset) later();

    function chosen() { return [...new FormData(form)].filter(([, value]) => value && typeof value === "string"); }

    function later() { clearTimeout(timer); timer = setTimeout(refresh, 1500); }

    async function refresh() {
      running?.abort();
      const mine = running = new AbortController();
      const sent = new FormData(form);
      const address = form.getAttribute("action") + "?" + new URLSearchParams(chosen());
      byId("price").setAttribute("aria-busy", "true");
      try {
        const reply = await fetch(address, { signal: mine.signal });
        const page = new DOMParser().parseFromString(await reply.text(), "text/html");
        const isBoardless = (doc) => "boardless" in doc.getElementById("board-page").dataset;
        if (!page.getElementById("sum") || page.getElementById("add") && !byId("add") || isBoardless(page) !== isBoardless(document)) { location.assign(address); return; }
        history.replaceState(null, "", address);
        take(page, sent);
        if ("waiting" in page.getElementById("board-page").dataset) later();
      } catch (e) {
        if (e.name === "AbortError") return;
        const p = document.createElement("p");
        p.textContent = words.unpriced;
        byId("sum").replaceChildren(p);
      }
      byId("price").removeAttribute("aria-busy");
    }

    // What is being typed stays as it is.
    function take(page, sent) {
      const focus = document.activeElement?.id;
      const typed = [...form.querySelectorAll("input[type=text], textarea")].filter((e) => e.value !== (sent.get(e.name) || "")).map((e) => [e.id, e.value]);
      const open = [...form.querySelectorAll("details[open][id]")].map((e) => e.id);
      for (const id of parts) {
        const [now, next] = [byId(id), page.getElementById(id)];
        if (now && next) { now.replaceChildren(...document.importNode(next, true).childNodes); now.hidden = next.hidden; }
      }
      for (const id of open) if (byId(id)) byId(id).open = true;
      // The form for files stands where the new page has it.
      const [now, next] = [byId("add"), page.getElementById("add")];
      const isFirst = (e) => e.compareDocumentPosition(e.ownerDocument.getElementById("choose")) & Node.DOCUMENT_POSITION_FOLLOWING;
      if (now && next && isFirst(now) !== isFirst(next)) form[isFirst(next) ? "before" : "after"](now);
      for (const [id, value] of typed) if (byId(id)) byId(id).value = value;
      if (focus && document.activeElement?.id !== focus) byId(focus)?.focus({ preventScroll: true });
    }
  }
})();
