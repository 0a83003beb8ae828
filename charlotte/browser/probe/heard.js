// What live regions say only for a moment: a toast may be gone before the page stands still. Looked for after changes
// of the DOM, for some time after a capture, as that comes before an action.
const LOOK_AFTER = 40; // ms; changes that follow one another share a look
const LISTENS = 5000; // ms
const MOST_HEARD = 20;
const heard = new Map(); // text → when it was last there
let listensUntil = 0;
let isLookDue = false;

const keepListening = () => { listensUntil = now() + LISTENS; };

const hear = () => {
  isLookDue = false;
  for (const text of alerts()) {
    heard.delete(text);
    heard.set(text, now());
  }
  for (const text of heard.keys()) {
    if (heard.size <= MOST_HEARD) break;
    heard.delete(text);
  }
};

const hearSoon = () => {
  if (isLookDue || now() > listensUntil) return;
  isLookDue = true;
  setTimeout(hear, LOOK_AFTER);
};

/** What was said since then and is not there any more, if anything was. */
const saidSince = (since) => {
  const texts = [...heard].filter(([, when]) => when >= since).map(([text]) => text);
  const present = texts.length > 0 ? alerts() : [];
  const gone = texts.filter((text) => !present.includes(text));
  return gone.length > 0 ? gone : undefined;
};
