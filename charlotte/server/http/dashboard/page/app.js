// The live view: requests the token if the server requires one, then shows the server's data.

import { showActors } from "./actors.js";
import { showCalls } from "./calls.js";
import { byId, bytes, make, write } from "./dom.js";
import { Owner } from "./owner.js";
import { Questions } from "./questions.js";
import { Sessions } from "./sessions.js";
import { ask, follow, Refused } from "./stream.js";
import { Turns } from "./turn.js";

const KEPT = "charlotte-token";
const MOST_EVENTS = 60;

let token = decodeURIComponent(location.hash.match(/^#token=(.*)/)?.[1] ?? "");
if (token) history.replaceState(null, "", location.pathname);
token ||= sessionStorage.getItem(KEPT) ?? "";

const request = (path, body) => ask(path, token, body);
const owner = new Owner(request);
const turns = new Turns(request);
const questions = new Questions(request);
const sessions = new Sessions(byId("sessions"), request);

function numbers(state) {
  const restarts = state.actors.reduce((sum, actor) => sum + actor.restarts, 0);
  return {
    sessions: state.sessions.filter((one) => one.tabs.length).length,
    tabs: state.sessions.reduce((sum, one) => sum + one.tabs.length, 0),
    "calls running": state.running.length,
    restarts,
    memory: bytes(state.process.resident),
  };
}

function showNumbers(state) {
  const list = byId("numbers");
  for (const [name, value] of Object.entries(numbers(state))) {
    let item = list.querySelector(`[data-name="${name}"]`);
    if (!item) {
      item = make("div", "", make("dt", "", name), make("dd"));
      item.dataset.name = name;
      list.append(item);
    }
    write(item.lastChild, value);
  }
}

const on = {
  connection(state) {
    byId("key").hidden = true;
    byId("view").hidden = turns.tab !== null;
    byId("connection").dataset.state = state;
    write(byId("connection"), state === "live" ? "live" : "connection lost, trying again");
  },
  state(state) {
    showNumbers(state);
    questions.show(state);
    owner.show(state);
    turns.show(state);
    sessions.show(state);
    showCalls(byId("latency"), byId("running"), state);
    showActors(byId("actors"), state.actors);
  },
  event(event) {
    const row = make("li", "", make("time", "", event.time.slice(11, 19)),
      make("b", "", event.tab ?? "actor"), make("span", "", event.text));
    row.dataset.kind = event.kind;
    byId("events").prepend(row);
    while (byId("events").children.length > MOST_EVENTS) byId("events").lastChild.remove();
  },
};

async function start() {
  try {
    await follow(token, on);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    sessionStorage.removeItem(KEPT);
    byId("view").hidden = true;
    byId("key").hidden = false;
    write(byId("connection"), "a token is wanted");
    write(byId("refused"), token ? "The server does not take this token." : "");
    byId("token").focus();
  }
}

byId("key").addEventListener("submit", (event) => {
  event.preventDefault();
  token = byId("token").value;
  sessionStorage.setItem(KEPT, token);
  start();
});

if (token) sessionStorage.setItem(KEPT, token);
start();
