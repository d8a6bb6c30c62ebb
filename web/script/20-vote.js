// Keys, help and large images of the voting page.
(() => {
  const settle = 300; // milliseconds: faster than that nobody has looked
  const store = (value) => {
    try {
      if (value !== undefined) localStorage.setItem("spar.keys", value);
      return localStorage.getItem("spar.keys");
    } catch (error) { return value; } // no storage: as it was set on this page
  };
  let on = store() !== "off";

  function prepare() {
    const button = document.getElementById("keys"), box = document.getElementById("keys-on");
    if (!button) return;
    button.hidden = false;
    button.addEventListener("click", () => document.getElementById("help").showModal());
    box.checked = on;
    box.addEventListener("change", () => { on = box.checked; store(on ? "on" : "off"); });
  }

  const isTyping = node => node.closest("input, textarea, select, [contenteditable]");

  document.addEventListener("keydown", event => {
    if (!on && event.key !== "?") return;
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.isComposing) return;
    if (isTyping(event.target) || document.querySelector("dialog[open]") || spar.isBusy() || spar.since() < settle) return;
    const button = document.querySelector(`main button[data-key="${CSS.escape(event.key)}"]`);
    if (!button) return;
    event.preventDefault();
    button.click();
  });

  document.addEventListener("click", event => {
    const link = event.target.closest("a.zoom");
    if (!link) return;
    event.preventDefault();
    const dialog = document.createElement("dialog"), image = new Image(), close = document.createElement("button");
    dialog.className = "image";
    dialog.setAttribute("aria-label", link.closest(".card").querySelector("h2").textContent);
    image.src = link.href;
    image.alt = link.closest(".card").querySelector("img").alt;
    close.textContent = spar.words.close;
    dialog.append(image, close);
    dialog.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => { dialog.remove(); link.focus(); });
    document.body.append(dialog);
    dialog.showModal();
  });

  document.addEventListener("spar:shown", prepare);
  prepare();
})();
