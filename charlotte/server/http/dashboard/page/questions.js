// Questions of the policy: held requests that a person allows once, or refuses.

import { byId, keep, make, seconds, write } from "./dom.js";

export class Questions {
  constructor(ask) {
    this.ask = ask;
  }

  show(state) {
    byId("questions").hidden = state.questions.length === 0 && byId("questions-done").textContent === "";
    keep(byId("questions-open"), state.questions, (question) => question.id, () => this.#row(), update);
  }

  #row() {
    const [allow, refuse] = ["Allow once", "Refuse"].map((text) => make("button", text.toLowerCase().split(" ")[0], text));
    const row = make("li", "", make("p", "held"), make("p", "why"), make("span", "buttons", allow, refuse));
    allow.addEventListener("click", () => this.#answer(row.question, true));
    refuse.addEventListener("click", () => this.#answer(row.question, false));
    return row;
  }

  async #answer(question, allow) {
    const response = await this.ask(`questions/${question.id}`, { allow }).catch(() => null);
    const reason = (await response?.json().catch(() => null))?.error ?? "The server did not answer.";
    const done = `${allow ? "Allowed" : "Refused"}: ${question.held}`;
    write(byId("questions-done"), response?.ok ? done : `Nothing was changed: ${reason}`);
    byId("questions-done").dataset.state = response?.ok ? "done" : "failed";
  }
}

function update(row, question) {
  const [held, why, buttons] = row.children;
  row.question = question;
  write(held, question.held);
  write(why, `${question.tab} at ${question.page} · rule ${question.rule} · refused in ${seconds(question.left)}`);
  for (const button of buttons.children) button.setAttribute("aria-label", `${button.textContent}: ${question.held}`);
}
