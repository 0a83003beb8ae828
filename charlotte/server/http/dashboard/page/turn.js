// The tabs that agents ask a person to work in: a list, and the live picture of one of them.

import { byId, keep, make, seconds, write } from "./dom.js";
import { InputQueue } from "./input.js";
import { frames, read } from "./stream.js";

const RETRY_MS = 500;

export class Turns {
  constructor(ask) {
    Object.assign(this, { ask, tab: null, asked: [], size: null });
    this.canvas = byId("turn-picture");
    this.input = new InputQueue(this.canvas, () => this.size, (events) => this.#post("input", { events }));
    byId("turn-done").addEventListener("click", () => this.#end("done"));
    byId("turn-cannot").addEventListener("click", () => this.#end("cannot"));
    byId("turn-leave").addEventListener("click", () => this.#choose(null));
    byId("turn-text").addEventListener("submit", (event) => this.#sendText(event));
    for (const accept of [true, false]) {
      byId(accept ? "turn-accept" : "turn-dismiss").addEventListener("click", () => this.#answer(accept));
    }
  }

  show(state) {
    this.asked = state.people;
    document.title = this.asked.length ? `(${this.asked.length}) Charlotte · live` : "Charlotte · live";
    const others = this.asked.filter((one) => one.tab !== this.tab);
    byId("asked").hidden = others.length === 0;
    keep(byId("asked"), others, (one) => one.tab, () => this.#row(), (row, one) => {
      row.tab = one.tab;
      write(row.children[0], one.tab);
      write(row.children[1], one.what);
      write(row.children[2], one.begun ? `${seconds(Math.max(one.left, 0))} left` : "calls are ending");
      row.children[3].disabled = !one.begun;
    });
    this.#update();
  }

  #row() {
    const row = make("li", "", make("b"), make("span", "what"), make("time"), make("button", "", "Take over"));
    row.children[3].type = "button";
    row.children[3].addEventListener("click", () => this.#choose(row.tab));
    return row;
  }

  #update() {
    const one = this.asked.find((each) => each.tab === this.tab);
    if (this.tab !== null && !one) this.#choose(null);
    if (!one) return;
    write(byId("turn-title"), one.tab);
    write(byId("turn-what"), one.what);
    write(byId("turn-left"), `${seconds(Math.max(one.left, 0))} left`);
    byId("turn-dialog").hidden = one.dialog === null;
    byId("turn-prompt").hidden = one.dialog?.type !== "prompt";
    write(byId("turn-message"), one.dialog ? `${one.dialog.type}: ${one.dialog.message}` : "");
  }

  #choose(tab) {
    this.tab = tab;
    byId("turn").hidden = tab === null;
    byId("view").hidden = tab !== null;
    for (const id of ["turn-reason", "turn-prompt", "turn-words"]) byId(id).value = "";
    write(byId("turn-note"), "");
    this.#update();
    if (tab === null) return;
    this.canvas.focus();
    this.#follow(tab);
  }

  async #follow(tab) {
    while (this.tab === tab) {
      const response = await this.ask(`turns/${tab}/pictures`).catch(() => null);
      if (response?.ok) await this.#draw(tab, response.body).catch(() => null);
      if (this.tab === tab) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  async #draw(tab, body) {
    for await (const frame of frames(body)) {
      const [event, data] = read(frame);
      if (this.tab !== tab || event === "end") return body.cancel().catch(() => null);
      const bytes = Uint8Array.from(atob(data.jpeg), (character) => character.charCodeAt(0));
      const picture = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
      if (this.canvas.width !== picture.width) this.canvas.width = picture.width;
      if (this.canvas.height !== picture.height) this.canvas.height = picture.height;
      this.canvas.getContext("2d").drawImage(picture, 0, 0);
      picture.close();
      this.size = data;
    }
  }

  async #post(name, body) {
    const response = await this.ask(`turns/${this.tab}/${name}`, body).catch(() => null);
    const reason = response?.ok ? "" : (await response?.json().catch(() => null))?.error ?? "The server did not answer.";
    write(byId("turn-note"), reason);
    return Boolean(response?.ok);
  }

  async #end(ending) {
    if (await this.#post("end", { ending, reason: byId("turn-reason").value })) this.#choose(null);
  }

  #answer(accept) {
    const prompt = byId("turn-prompt");
    this.input.add({ type: "dialog", accept, text: prompt.hidden ? null : prompt.value });
    this.canvas.focus();
  }

  #sendText(event) {
    event.preventDefault();
    this.input.add({ type: "text", text: byId("turn-words").value });
    byId("turn-words").value = "";
    this.canvas.focus();
  }
}
