// What live regions say only for a moment: a toast may be gone before the page stands still. Looked for after changes
// of the DOM, for some time after a capture, as that comes before an action.
const LISTENS = 5000; // ms
const MOST_HEARD = 20;
const heard = new Map(); // text → when it was last there
const LOUD = '[role=alert],[aria-live=assertive]';
const spoken = new WeakMap(); // live region → when a text was last put into it
let lastSpoken = 0;
let listensUntil = 0;
const HEARING_RESTS = 20; // times as long as a look takes
let deafUntil = 0;

const keepListening = () => { listensUntil = now() + LISTENS; };

const hear = () => {
  const time = now();
  if (time > listensUntil || time < deafUntil) return;
  for (const text of alerts()) {
    heard.delete(text);
    heard.set(text, time);
  }
  for (const text of heard.keys()) {
    if (heard.size <= MOST_HEARD) break;
    heard.delete(text);
  }
  deafUntil = now() + HEARING_RESTS * (now() - time);
};

const isWord = (node) => !isSpaceOnly(textContentOf.call(node) ?? '');

const putsText = ({ type, addedNodes }) => type === 'characterData' || [...addedNodes].some(isWord);

/** The live regions that a change has put a text into: the one around it, and those that came with it to interrupt. */
const regionsOf = ({ target, addedNodes }) => {
  const holder = target instanceof Element ? target : parentElementOf.call(target);
  const around = holder === null ? null : closest.call(holder, LIVE);
  const added = [...addedNodes].filter((node) => node instanceof Element);
  const came = added.flatMap((node) => [node, ...queryIn(node, LOUD)]).filter((node) => matches.call(node, LOUD));
  return around === null ? came : [around, ...came];
};

/** Remember which live regions were given a text, be it the one they had; not of those that are all the time. */
const noteSpoken = (changes, time) => {
  if (time > listensUntil) return;
  for (const change of changes) {
    const regions = change.type === 'attributes' || isTick(change, time) ? [] : regionsOf(change);
    if (regions.length === 0 || !putsText(change)) continue;
    for (const region of regions) spoken.set(region, time);
    lastSpoken = time;
  }
};

/** What live regions say that have been given a text since then, if any were. */
const givenSince = (since) => {
  digest();
  const given = lastSpoken < since ? [] : [...queryAll(document, LIVE)].filter((each) => spoken.get(each) >= since);
  const texts = given.map(saidLive).filter((text) => text !== '').slice(0, MOST_LIVE);
  return texts.length > 0 ? texts : undefined;
};

/** What was said since then and is not there any more, if anything was. */
const saidSince = (since) => {
  const texts = [...heard].filter(([, when]) => when >= since).map(([text]) => text);
  const present = texts.length > 0 ? alerts() : [];
  const gone = texts.filter((text) => !present.includes(text));
  return gone.length > 0 ? gone : undefined;
};
