// What changes all the time: a clock, a counter, a drawing. What has done so since before an action is no answer to it.
import { now } from './clock.js';

const PAUSE = 300; // ms between two changes of what changes all the time
const LASTING = 400; // ms for which it has done so

let blindSince = -Infinity; // changes are or were not observed from then on
let blindUntil = -Infinity;

export const beginBlindness = () => {
  blindSince = now();
  blindUntil = Infinity;
};

export const endBlindness = () => { blindUntil = Math.min(blindUntil, now()); };

/**
 * ms that may lie between two changes of what changes all the time, at that time: what went on before and after a time
 * in which changes were not observed may well have gone on meanwhile.
 * @param {number} time
 */
const pauseAt = (time) =>
  (time < blindUntil + PAUSE ? PAUSE + Math.max(0, Math.min(now(), blindUntil) - blindSince) : PAUSE);

/** @type {Record<string, WeakMap<Node, { begun: number, last: number }>>} */
const tickers = { attributes: new WeakMap(), childList: new WeakMap(), characterData: new WeakMap() };

/**
 * Remember since when each node has been changing in that way, and when it last did.
 * @param {MutationRecord[]} records @param {number} time
 */
export const noteTicks = (records, time) => {
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

/**
 * Whether a node was changing all the time already before `since`: more than once, though a gap may be long.
 * @param {any} subject @param {number} since
 */
export const isTick = ({ type, target }, since) => {
  const ticker = tickers[type].get(target);
  return ticker !== undefined && ticker.last > ticker.begun && ticker.begun < since - LASTING
    && ticker.last > since - pauseAt(since);
};
