// Tickers: nodes that change continuously, as clocks and counters. A ticker that ran before an action is no answer to it.
import { now } from './clock.js';

const PAUSE = 300; // ms between two changes of a ticker
const TICKER_AGE = 400; // ms since its first change

let blindSince = -Infinity; // start of the last pause of the observer
let blindUntil = -Infinity;

export const beginBlindness = () => {
  blindSince = now();
  blindUntil = Infinity;
};

export const endBlindness = () => { blindUntil = Math.min(blindUntil, now()); };

/**
 * Return the ms that may lie between two changes of a ticker: changes during a pause of the observer are unknown.
 * @param {number} time
 */
const pauseAt = (time) =>
  (time < blindUntil + PAUSE ? PAUSE + Math.max(0, Math.min(now(), blindUntil) - blindSince) : PAUSE);

let [restSince, restAt] = [Infinity, -Infinity];

/**
 * Note that what has changed since then has come to rest.
 * @param {number} since
 */
export const noteRest = (since) => { [restSince, restAt] = [since, now()]; };

/** @param {{ start: number, last: number }} ticker */
const rests = ({ start, last }) => start >= restSince && last <= restAt;

/** @type {Record<string, WeakMap<Node, { start: number, last: number }>>} */
const tickers = { attributes: new WeakMap(), childList: new WeakMap(), characterData: new WeakMap() };

/**
 * Store since when each node has been changing in one way, and when it last did.
 * @param {MutationRecord[]} records @param {number} time
 */
export const noteTicks = (records, time) => {
  const pause = pauseAt(time);
  for (const { type, target } of records) {
    const ticker = tickers[type].get(target);
    if (ticker === undefined) tickers[type].set(target, { start: time, last: time });
    else {
      if (time - ticker.last > pause || rests(ticker)) ticker.start = time;
      ticker.last = time;
    }
  }
};

/**
 * Return whether a node was already changing continuously before `since`; one change is not enough.
 * @param {any} subject @param {number} since
 */
export const isTick = ({ type, target }, since) => {
  const ticker = tickers[type].get(target);
  return ticker !== undefined && !rests(ticker) && ticker.last > ticker.start && ticker.start < since - TICKER_AGE
    && ticker.last > since - pauseAt(since);
};
