// Adds to the reference what needs a script: copying commands, and finding
// endpoints. The pages are whole without it.
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
