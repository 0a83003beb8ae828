// The sessions and their tabs, each with an image that is requested periodically.

import { keep, make, seconds, write } from "./dom.js";

const PICTURE_MS = 2500;
const MOST_LARGE = 6;

export class Sessions {
  constructor(parent, ask) {
    Object.assign(this, { parent, ask });
  }

  show(state) {
    this.isAttached = state.owner !== null;
    this.running = new Map(state.running.filter((call) => call.tab).map((call) => [call.tab, call]));
    const shown = state.sessions.filter((session) => session.tabs.length > 0);
    keep(this.parent, shown, (one) => one.id, () => this.#session(), (element, one) =>
      this.#updateSession(element, one));
    const tabs = shown.reduce((sum, one) => sum + one.tabs.length, 0);
    this.parent.classList.toggle("empty", shown.length === 0);
    this.parent.classList.toggle("dense", tabs > MOST_LARGE);
  }

  #session() {
    return make("section", "session", make("h2"), make("div", "tabs"));
  }

  #updateSession(element, session) {
    const [title, tabs] = element.children;
    write(title, `${session.id} · ${session.tabs.length} ${session.tabs.length === 1 ? "tab" : "tabs"}`);
    keep(tabs, session.tabs, (tab) => tab.id, () => this.#tab(), (card, tab) =>
      this.#updateTab(card, tab));
  }

  #tab() {
    const picture = make("img");
    picture.alt = "";
    const parts = [
      make("span", "frame", picture, make("span", "call")),
      make("span", "name", make("b"), make("span", "badge")),
      make("span", "title"),
      make("span", "url"),
    ];
    const card = make("article", "tab", ...parts);
    card.pictured = 0;
    return card;
  }

  #updateTab(card, tab) {
    const [frame, name, title, url] = card.children;
    const condition = conditionOf(tab);
    const isOwners = this.isAttached && tab.context === "owner";
    card.dataset.condition = condition;
    card.dataset.place = isOwners ? "owner" : "";
    write(name.children[0], tab.id);
    write(name.children[1], condition === "fine" ? (tab.active ? "active" : "") : condition);
    write(title, tab.title || "untitled");
    write(url, tab.url);
    this.#updateCall(frame.children[1], this.running.get(tab.id));
    if (!isOwners && Date.now() - card.pictured > PICTURE_MS) this.#picture(card, frame.children[0], tab.id);
  }

  #updateCall(element, call) {
    element.hidden = !call;
    if (call) write(element, `${call.tool} · ${seconds(call.for)}`);
  }

  async #picture(card, image, id) {
    card.pictured = Date.now();
    const response = await this.ask(`tabs/${id}/picture`).catch(() => null);
    if (response?.status !== 200) return;
    const before = image.src;
    image.src = URL.createObjectURL(await response.blob());
    if (before) URL.revokeObjectURL(before);
  }
}

function conditionOf(tab) {
  if (tab.crashed) return "crashed";
  if (tab.hung) return "hung";
  if (tab.dialog) return tab.dialog;
  return tab.loading ? "loading" : "fine";
}
