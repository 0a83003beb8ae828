// What changes all the time: a clock, a counter, a drawing. What has done so since before an action is no answer to it.
const PAUSE = 300; // ms between two changes of what changes all the time
const LASTING = 400; // ms for which it has done so

let gap = 0; // ms for which changes were not observed the last time
let gapEnd = -Infinity;

/** Changes are not observed for the next `ms`: what went on before and after may well have gone on meanwhile. */
const noteBlindness = (ms) => {
  gap = ms;
  gapEnd = now() + ms;
};

/** ms that may lie between two changes of what changes all the time, at that time. */
const pauseAt = (time) => (time < gapEnd + PAUSE ? PAUSE + gap : PAUSE);

const tickers = { attributes: new WeakMap(), childList: new WeakMap(), characterData: new WeakMap() };

/** Remember since when each node has been changing in that way, and when it last did. */
const noteTicks = (records, time) => {
  const pause = pauseAt(time);
  for (const { type, target } of records) {
    const ticker = tickers[type].get(target);
    if (ticker === undefined) tickers[type].set(target, { begun: time, last: time });
    else {
      if (time - ticker.last > pause) ticker.begun = time;
      ticker.last = time;
    }
  }
};

/** Whether what a record tells of was changing all the time already before `since`. */
const isTick = ({ type, target }, since) => {
  const ticker = tickers[type].get(target);
  return ticker !== undefined && ticker.begun < since - LASTING && ticker.last > since - pauseAt(since);
};
