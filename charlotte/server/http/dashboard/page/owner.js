// The tabs of the browser's owner: which of them agents may work in, and the buttons to change that.

import { byId, keep, make, write } from "./dom.js";

export class Owner {
  constructor(ask) {
    Object.assign(this, { ask, tabs: [], isConnected: false });
    byId("owner-filter").addEventListener("input", () => this.#update());
  }

  // Without a connection the list could be out of date.
  show(state) {
    byId("owner").hidden = state.owner === null;
    this.isConnected = state.browser.connected;
    this.tabs = this.isConnected ? state.owner ?? [] : [];
    this.#update();
  }

  #update() {
    const wanted = byId("owner-filter").value.toLowerCase();
    const shown = this.tabs.filter((tab) => `${tab.id} ${tab.title} ${tab.url}`.toLowerCase().includes(wanted));
    keep(byId("owner-tabs"), shown, (tab) => tab.id, () => this.#row(), update);
    const granted = this.tabs.filter((tab) => tab.granted).length;
    write(byId("owner-count"), `${granted} of ${this.tabs.length} granted`);
    byId("owner-none").hidden = shown.length > 0;
    write(byId("owner-none"), this.#whyNone());
  }

  #whyNone() {
    if (this.tabs.length > 0) return "No tab matches the filter.";
    return this.isConnected
      ? "No tab is open in your browser."
      : "Charlotte is not connected to your browser. It connects when an agent makes a call, such as tabs.";
  }

  #row() {
    const [grant, withdraw] = ["Grant", "Withdraw"].map((text) => make("button", text.toLowerCase(), text));
    const row = make("li", "", make("i"), make("b"),
      make("span", "page", make("span", "title"), make("span", "url")),
      make("span", "state", make("span", "reason"), make("span", "agent")),
      make("span", "buttons", grant, withdraw));
    row.tabIndex = -1;
    grant.addEventListener("click", () =>
      this.#change(row.tab.id, row.tab.site, `Granted ${row.tab.site} in ${row.tab.id}.`));
    withdraw.addEventListener("click", () =>
      this.#change(row.tab.id, null, `Withdrew ${row.tab.clicked} in ${row.tab.id}.`));
    return row;
  }

  async #change(id, site, done) {
    const response = await this.ask(`owner/${id}`, { site }).catch(() => null);
    const reason = (await response?.json().catch(() => null))?.error ?? "The server did not answer.";
    write(byId("owner-done"), response?.ok ? done : `Nothing was changed: ${reason}`);
    byId("owner-done").dataset.state = response?.ok ? "done" : "failed";
  }
}

function update(row, tab) {
  const [, id, page, state, buttons] = row.children;
  row.tab = tab;
  row.dataset.state = tab.adopted_as ? "adopted" : tab.granted ? "granted" : "private";
  write(id, tab.id);
  write(page.children[0], tab.title || "untitled");
  write(page.children[1], tab.url);
  page.children[1].title = tab.url;
  write(state.children[0], reasonOf(tab));
  write(state.children[1], tab.adopted_as ? `${tab.adopted_as} of ${tab.session} works here` : "");
  const [grant, withdraw] = buttons.children;
  const focused = document.activeElement;
  grant.hidden = tab.granted || tab.site === null;
  withdraw.hidden = tab.clicked === null;
  grant.setAttribute("aria-label", `Grant ${tab.site} in ${tab.id}`);
  withdraw.setAttribute("aria-label", `Withdraw ${tab.clicked} in ${tab.id}`);
  if (buttons.contains(focused) && focused.hidden) row.focus(); // the next Enter changes nothing
}

function reasonOf(tab) {
  if (tab.clicked !== null && !tab.granted) return `paused: granted for ${tab.clicked} only`;
  if (tab.pattern !== null) return `granted by --adopt ${tab.pattern}`;
  if (tab.clicked !== null) return "granted with a click";
  return tab.site === null ? "cannot be granted" : "";
}
