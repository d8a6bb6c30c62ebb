// The dashboard and the page with results: when the server has news, the page is loaded again and what is known is
// replaced, so that nothing jumps and whatever was unfolded stays so.
(() => {
  const main = document.querySelector("main[data-news]");
  if (!main || !window.EventSource) return;
  const lost = main.querySelector(".lost");
  let source = null, busy = false, again = false;

  const known = () => document.getElementById("known");

  const replace = (news) => {
    const old = known();
    if (!old || !news) return;
    const open = new Set([...old.querySelectorAll("details[open]")].map((part) => part.id));
    const focused = old.contains(document.activeElement) && document.activeElement.closest("details");
    for (const id of open) news.querySelector("#" + id)?.setAttribute("open", "");
    // The sentence stays the same element, so that a screen reader tells when it changes, and only then.
    const sentence = old.querySelector(".sentence"), said = news.querySelector(".sentence");
    if (sentence.textContent !== said.textContent) sentence.textContent = said.textContent;
    said.remove();
    old.replaceChildren(sentence, ...news.childNodes);
    for (const name of ["verdict", "events", "pending", "partly", "newer", "named"])
      if (name in news.dataset) old.dataset[name] = news.dataset[name];
      else delete old.dataset[name];
    if (focused) document.querySelector("#" + focused.id + " summary")?.focus();
  };

  const load = async () => {
    if (busy) { again = true; return; }
    busy = true;
    try {
      const reply = await fetch(location.href, { cache: "no-store", headers: { Accept: "text/html" } });
      if (reply.ok) {
        const page = new DOMParser().parseFromString(await reply.text(), "text/html");
        replace(page.getElementById("known"));
      }
    } catch {
      lost.hidden = false;
    }
    setTimeout(() => { busy = false; if (again) { again = false; load(); } }, 2000);
  };

  const listen = () => {
    source = new EventSource(main.dataset.news);
    source.addEventListener("open", () => { lost.hidden = true; });
    source.addEventListener("news", (event) => {
      const { events, pending, partly } = known().dataset;
      if (event.data !== events || pending !== undefined || partly !== undefined) load();
    });
    source.addEventListener("error", () => {
      lost.hidden = false;
      if (source.readyState === EventSource.CLOSED) setTimeout(listen, 10000);
    });
  };
  listen();
  addEventListener("pagehide", () => source.close());
  addEventListener("pageshow", (event) => { if (event.persisted) listen(); });
})();
