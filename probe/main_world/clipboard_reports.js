// Reports the text that scripts of the page write to the clipboard, by the Clipboard API, to the probe. While the probe
// pastes, the page can read the pasted text by the same API.
import { apply, dispatchEvent, onRequest, reportCalls, withTraps } from './native_wrappers.js';

const PLAIN = 'text/plain';
const HTML = 'text/html';
const Copied = InputEvent; // has a text, which crosses worlds
const { then } = Promise.prototype;
const { text: readText } = Blob.prototype;
const ignore = () => {};

/** @param {unknown} text */
const report = (text) => {
  if (typeof text === 'string') apply(dispatchEvent, document, [new Copied('charlotte:copied', { data: text })]);
};

const PASTED_FOR = 1000; // ms
const { now } = performance;
const { parse } = JSON;
const { resolve } = Promise;
const { preventDefault, stopImmediatePropagation } = Event.prototype;
/** What the probe pastes, and whether the page has read it. */
const pasting = { text: '', html: '', end: 0, isRead: false };

const pastedItems = () => [new ClipboardItem({
  ...(pasting.text === '' ? {} : { [PLAIN]: new Blob([pasting.text], { type: PLAIN }) }),
  ...(pasting.html === '' ? {} : { [HTML]: new Blob([pasting.html], { type: HTML }) }),
})];

/**
 * Let a function answer with what the probe pastes, while it does, and note the read.
 * @param {Function} native @param {() => unknown} read
 */
const readPasted = (native, read) => withTraps(native, {
  apply(target, self, args) {
    if (apply(now, performance, []) >= pasting.end) return apply(target, self, args);
    pasting.isRead = true;
    return apply(resolve, Promise, [read()]);
  },
});

if (typeof Clipboard === 'function') {
  onRequest('charlotte:pasting', (event) => {
    apply(stopImmediatePropagation, event, []);
    const { text, html } = parse(/** @type {InputEvent} */ (event).data ?? '{}');
    pasting.text = text;
    pasting.html = html;
    pasting.end = apply(now, performance, []) + PASTED_FOR;
    pasting.isRead = false;
  });
  onRequest('charlotte:pasted', (event) => {
    apply(stopImmediatePropagation, event, []);
    if (pasting.isRead) apply(preventDefault, event, []);
  });
  const { getType } = ClipboardItem.prototype;
  const clipboard = /** @type {any} */ (Clipboard.prototype);
  clipboard.readText = readPasted(clipboard.readText, () => pasting.text);
  clipboard.read = readPasted(clipboard.read, pastedItems);
  clipboard.writeText = reportCalls(clipboard.writeText, ([text]) => report(text));
  clipboard.write = reportCalls(clipboard.write, ([items]) => {
    const item = items?.[0];
    if (!(item instanceof ClipboardItem)) return;
    const blob = apply(getType, item, [PLAIN]);
    apply(then, blob, [(/** @type {Blob} */ found) => { apply(then, apply(readText, found, []), [report, ignore]); }, ignore]);
  });
}
