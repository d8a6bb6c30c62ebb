"use strict";
// Pages work without this file. With it, forms marked data-swap are sent without leaving the page: the <main> of the
// reply takes the place of ours. Nothing is called saved before the server has said so, and what failed is sent again
// as it was: the same answer twice is one answer.
const spar = (() => {
  const words = document.getElementById("words").dataset;
  const live = document.getElementById("live");
  const offline = document.getElementById("offline");
  const patience = 15000;
  let busy = false, waiting = null, shown = performance.now();

  const main = () => document.querySelector("main");
  const say = text => { live.textContent = ""; live.textContent = text; };

  // That something is on its way, or was not taken: in the place where the page says what was saved, so that nothing
  // moves under the finger.
  function remark(text, retry) {
    let box = document.getElementById("remark") || document.getElementById("said");
    if (!box) {
      box = document.createElement("p");
      main().querySelector("h1").after(box);
    }
    box.id = "remark";
    box.classList.toggle("failed", Boolean(retry));
    box.textContent = text + " ";
    if (retry) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = words.again;
      button.addEventListener("click", retry);
      box.append(button);
    }
    say(text);
  }

  function keepComment(next) {
    const old = main().querySelector("textarea[name=comment]"), fresh = next.querySelector("textarea[name=comment]");
    if (!old || !fresh || !old.value || main().dataset.screen !== next.dataset.screen) return;
    fresh.value = old.value;
    fresh.closest("details").open = true;
  }

  function show(html, request, url) {
    const page = new DOMParser().parseFromString(html, "text/html"), next = page.querySelector("main");
    if (!next) throw new Error("not a page of ours");
    keepComment(next);
    main().replaceWith(document.adoptNode(next));
    document.title = page.title;
    shown = performance.now();
    const here = new URL(url);
    here.searchParams.delete("said");
    if (request.step) history.pushState(null, "", here);
    else if (!request.body || here.pathname !== new URL(request.url).pathname) history.replaceState(null, "", here);
    focus(next, request);
    const said = document.getElementById("said");
    say(said && !request.step ? said.textContent.trim() : "");
    document.dispatchEvent(new Event("spar:shown"));
  }

  // To the heading; but somebody who puts a ranking together stays at the button, or goes on to Send.
  function focus(next, request) {
    const same = request.id && next.querySelector(`[data-id="${request.id}"]`);
    const target = next.querySelector("[data-focus]") || same || next.querySelector("h1");
    target.focus({preventScroll: Boolean(same)});
    if (!request.step) scrollTo(0, 0);
  }

  async function go(request) {
    if (busy) return;
    busy = true;
    waiting = null;
    main().setAttribute("aria-busy", "true");
    const slow = setTimeout(() => remark(words.sending), 250), stop = new AbortController();
    const end = setTimeout(() => stop.abort(), patience);
    try {
      const reply = await fetch(request.url, {method: request.body ? "POST" : "GET", body: request.body, cache: "no-store",
        headers: {Accept: "text/html"}, signal: stop.signal});
      const html = await reply.text();
      clearTimeout(slow);
      show(html, request, reply.url);
    } catch (error) {
      clearTimeout(slow);
      waiting = request;
      remark(navigator.onLine ? words.failed : offline.textContent, () => go(request));
    } finally {
      clearTimeout(end);
      busy = false;
      main().removeAttribute("aria-busy");
    }
  }

  function send(form, button) {
    const fields = new URLSearchParams(new FormData(form));
    if (button && button.name) fields.append(button.name, button.value);
    const url = form.getAttribute("action"), id = button && button.dataset.id;
    if (form.method === "get") go({url: new URL(url.split("?")[0] + "?" + fields, location.href).href, step: true, id});
    else go({url: new URL(url, location.href).href, body: fields});
  }

  document.addEventListener("submit", event => {
    if (!event.target.matches("form[data-swap]")) return;
    event.preventDefault();
    if (!busy) send(event.target, event.submitter);
  });
  window.addEventListener("popstate", () => go({url: location.href}));
  window.addEventListener("pageshow", event => { if (event.persisted) go({url: location.href}); });
  window.addEventListener("offline", () => { offline.hidden = false; say(offline.textContent); });
  window.addEventListener("online", () => {
    offline.hidden = true;
    say(words.online);
    if (waiting) go(waiting);
  });
  return {go, say, words, isBusy: () => busy, since: () => performance.now() - shown};
})();
