// watch() and standing(): promises that are kept as soon as something is not as it was known, or after
// `ms` all the same. What is looked at is looked at after changes of the DOM, in a frame.
const LOOK_AGAIN = 100; // ms; what changes without a mutation (a value, a rule of a style sheet) is seen then
const DEAR = 4; // ms; a look that takes longer is followed by a rest of several times as long

const mutated = (ms) => new Promise((resolve) => {
  const observer = new MutationObserver(() => done());
  const late = setTimeout(() => done(), ms);
  const done = () => {
    observer.disconnect();
    clearTimeout(late);
    resolve();
  };
  observe(observer);
});

/** Until the DOM changes, but at most for `ms`; where we are not told of changes, it may always have changed. */
const stirred = (ms) => (isScriptless() ? later(Math.min(ms, LOOK_AGAIN)) : mutated(ms));

/** What `look` gives, as soon as that is not `known`. */
const untilOther = async (look, known, ms) => {
  const end = now() + ms;
  for (;;) {
    const begun = now();
    const seen = look();
    if (seen !== known || now() >= end) return seen;
    const took = now() - begun;
    await stirred(Math.min(LOOK_AGAIN, Math.max(end - now(), 0)));
    await (took > DEAR ? later(DEAR * took) : frame());
  }
};

const textUnder = (root) => {
  const texts = [];
  for (let child = firstChildOf.call(root); child !== null; child = nextSiblingOf.call(child)) {
    if (nodeTypeOf.call(child) === TEXT) texts.push(child.data);
    else if (nodeTypeOf.call(child) === ELEMENT && isRendered(child)) texts.push(ownText(child));
  }
  return texts.join('\n');
};

/** All text that is shown, in shadow roots too; none in a frame that is not shown itself. */
const shownText = () => {
  const root = rootElementOf.call(document);
  return root !== null && isRendered(root) ? collapse(openRoots().map(textUnder).join('\n')) : '';
};

const matchesSome = (css) => openRoots().some((root) => queryAll(root, css).length > 0);

/**
 * {text, gone: whether these texts are shown, selector: whether it finds something}; of what is asked only. With a
 * `reach`, where the texts are shown (`occurrencesIn`).
 */
const sightings = ({ text, gone, selector, reach = 0 }) => {
  const shown = text === undefined && gone === undefined ? '' : shownText();
  const shows = (wanted) => wanted !== undefined && occurrencesIn(shown, collapse(wanted), reach);
  const finds = selector !== undefined && matchesSome(selector);
  return JSON.stringify({ text: shows(text), gone: shows(gone), selector: finds });
};

const watch = (wanted, known = '', ms = 0) => untilOther(() => sightings(wanted), known, ms);

const standingOf = (nid) => {
  const element = elementOf(nid);
  if (element === null) return GONE_ANSWER;
  return JSON.stringify({
    shown: isDrawn(element) || proxyOf(element) !== null,
    enabled: !isDisabled(element),
  });
};

/** A promise of {shown, enabled} or {error: "gone"}. */
const standing = (nid, known = '', ms = 0) => untilOther(() => standingOf(nid), known, ms);
