// Reports the text that scripts of the page write to the clipboard, by the Clipboard API, to the probe.
import { apply, dispatchEvent, reportCalls } from './native_wrappers.js';

const PLAIN = 'text/plain';
const Copied = InputEvent; // has a text, which crosses worlds
const { then } = Promise.prototype;
const { text: readText } = Blob.prototype;
const ignore = () => {};

/** @param {unknown} text */
const report = (text) => {
  if (typeof text === 'string') apply(dispatchEvent, document, [new Copied('charlotte:copied', { data: text })]);
};

if (typeof Clipboard === 'function') {
  const { getType } = ClipboardItem.prototype;
  const clipboard = /** @type {any} */ (Clipboard.prototype);
  clipboard.writeText = reportCalls(clipboard.writeText, ([text]) => report(text));
  clipboard.write = reportCalls(clipboard.write, ([items]) => {
    const item = items?.[0];
    if (!(item instanceof ClipboardItem)) return;
    const blob = apply(getType, item, [PLAIN]);
    apply(then, blob, [(/** @type {Blob} */ found) => { apply(then, apply(readText, found, []), [report, ignore]); }, ignore]);
  });
}
