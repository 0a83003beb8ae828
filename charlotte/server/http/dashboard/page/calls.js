// The durations of the last calls, one bar each, and the running calls.

import { draw, keep, make, seconds, write } from "./dom.js";

const WIDTH = 340;
const HEIGHT = 64;
const MOST = 60;
const SHORTEST = 0.005;
const LONGEST = 60;

// Logarithmic scale: durations of 10 ms and of 10 s are both visible.
function heightOf(duration) {
  const part = Math.log(Math.max(duration, SHORTEST) / SHORTEST) / Math.log(LONGEST / SHORTEST);
  return Math.max(2, Math.min(1, part) * HEIGHT);
}

function bar(call, place) {
  const height = heightOf(call.seconds);
  const step = WIDTH / MOST;
  const title = draw("title", {}, `${call.tool} ${call.tab ?? ""} ${seconds(call.seconds)} ${call.outcome}`);
  return draw("rect", {
    x: place * step,
    y: HEIGHT - height,
    width: step - 1,
    height,
    rx: 1,
    class: call.outcome === "ok" ? "ok" : "failed",
  }, title);
}

function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}

function showLatency(figure, recent) {
  const shown = recent.slice(-MOST);
  const bars = shown.map((call, place) => bar(call, MOST - shown.length + place));
  const label = shown.length ? `median ${seconds(median(shown.map((call) => call.seconds)))}` : "no calls yet";
  const chart = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" }, ...bars);
  chart.setAttribute("aria-label", `Durations of the last calls: ${label}`);
  figure.replaceChildren(chart, make("figcaption", "", label));
}

export function showCalls(figure, list, state) {
  showLatency(figure, state.recent);
  keep(list, state.running, (call) => `${call.session} ${call.tool} ${call.tab}`, () =>
    make("li", "", make("b"), make("span", "where"), make("time")), (row, call) => {
    write(row.children[0], call.tool);
    write(row.children[1], call.tab ?? call.session);
    write(row.children[2], seconds(call.for));
  });
}
