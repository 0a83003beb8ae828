// Console and network of the selected tab.

import { byId, keep, make, write } from "./dom.js";

function message() {
  return make("li", "", make("time"), make("span"));
}

function updateMessage(row, one) {
  row.dataset.level = one.level;
  write(row.children[0], one.timestamp.slice(11, 19));
  write(row.children[1], one.text);
}

function request() {
  return make("tr", "", ...Array.from({ length: 5 }, () => make("td")));
}

function updateRequest(row, one) {
  const failed = one.status === 0 || one.status >= 400;
  row.dataset.state = one.status === null ? "running" : failed ? "failed" : "ok";
  const status = one.status || (one.error ? "failed" : "…");
  const took = one.ms === null ? "" : `${one.ms} ms`;
  const cells = [status, one.method, one.type, one.url, took];
  cells.forEach((text, place) => write(row.children[place], text));
  row.children[3].title = one.error ?? one.url;
}

export class Details {
  constructor(ask) {
    Object.assign(this, { ask, tab: null });
    this.panel = byId("details");
    byId("details-close").addEventListener("click", () => this.choose(null));
  }

  choose(tab) {
    this.tab = tab;
    this.panel.hidden = tab === null;
    for (const id of ["console", "network"]) byId(id).replaceChildren();
    return this.refresh();
  }

  async refresh() {
    const tab = this.tab;
    if (tab === null) return;
    const response = await this.ask(`tabs/${tab}`).catch(() => null);
    if (tab !== this.tab) return;
    if (response?.status === 404) this.choose(null);
    if (response?.ok) this.#show(tab, await response.json());
  }

  #show(tab, details) {
    write(byId("details-title"), `${tab} · ${details.tab.title || details.tab.url}`);
    keepAtEnd(byId("console"), (list) => keep(list, details.console, (one) => one.number, message, updateMessage));
    keepAtEnd(byId("network"), (list) => keep(list, details.requests, (one) => one.number, request, updateRequest));
  }
}

// Keeps the scroll position if the reader has scrolled up.
function keepAtEnd(list, change) {
  const box = list.closest("section");
  const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 30;
  change(list);
  if (atEnd) box.scrollTop = box.scrollHeight;
}
