// The tree of actors: supervisor, browser, and each tab with its monitors.

import { keep, make, seconds, write } from "./dom.js";

function rows(actors) {
  const tabs = actors.filter((actor) => /^tab-\d+$/.test(actor.name));
  const others = actors.filter((actor) => !actor.name.startsWith("tab-"));
  const monitorsOf = (tab) => actors.filter((actor) => actor.name.startsWith(`${tab.name} `));
  const tree = [{ name: "charlotte", depth: 0, phase: "running", restarts: 0 }];
  for (const actor of others) {
    tree.push({ ...actor, depth: 1 });
    if (actor.name !== "browser") continue;
    tree.push(...tabs.map((tab) => ({ ...tab, depth: 2, monitors: monitorsOf(tab) })));
  }
  return tree;
}

function build() {
  const parts = [make("b"), make("span", "doing"), make("span", "monitors"), make("span", "restarts")];
  return make("li", "", make("i"), ...parts);
}

function update(row, actor) {
  const [, name, doing, monitors, restarts] = row.children;
  row.dataset.phase = actor.phase;
  row.dataset.depth = actor.depth;
  write(name, actor.name);
  write(doing, activity(actor));
  keep(monitors, actor.monitors ?? [], (one) => one.name, monitor, updateMonitor);
  write(restarts, times(actor));
  restarts.title = actor.restarts ? `restarted ${actor.restarts} times` : "";
}

function monitor() {
  return make("span", "", make("i"), make("span"));
}

function updateMonitor(chip, one) {
  chip.dataset.phase = one.phase;
  write(chip.lastChild, `${one.name.split(" ")[1]} ${times(one)}`.trim());
}

const times = (actor) => (actor.restarts ? `↻ ${actor.restarts}` : "");

function activity(actor) {
  const waiting = actor.queued ? ` · ${actor.queued} wait` : "";
  if (actor.doing?.length) return `${actor.doing.join(", ")} ${seconds(actor.doing_for)}${waiting}`;
  if (actor.for === undefined) return actor.reason ?? actor.phase;
  return actor.phase === "running" ? waiting.slice(3) : `${actor.phase} ${seconds(actor.for)}`;
}

export function showActors(parent, actors) {
  keep(parent, rows(actors), (actor) => actor.name, build, update);
}
